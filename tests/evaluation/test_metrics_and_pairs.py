"""Spearman against scipy and a loop, graded pairs line by line, whole evaluations on real data."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sentence_transformers import SentenceTransformer
from torch.nn import Identity

from augcse import evaluate
from augcse.errors import UserError
from augcse.evaluation.base import expand_suites, load_tasks, task_titles
from augcse.evaluation.metrics import average_ranks, pearson, row_cosines, spearman
from augcse.evaluation.pairs import pairs_sha256, read_pairs
from augcse.evaluation.scores import Scores
from augcse.resources import DEMO_PAIRS

numbers = st.lists(st.integers(-5, 5), min_size=3, max_size=40)


def naive_ranks(values: list[float]) -> list[float]:
    """Rank = values below + half of (ties + 1)."""
    return [sum(other < value for other in values) + (values.count(value) + 1) / 2 for value in values]


@given(numbers)
def test_ranks_share_the_mean_of_tied_places(values: list[int]) -> None:
    assert average_ranks(np.array(values)).tolist() == naive_ranks([float(value) for value in values])


@given(numbers, st.integers(0, 1000))
def test_spearman_is_scipys(values: list[int], seed: int) -> None:
    other = np.random.default_rng(seed).integers(0, 6, len(values))
    if len(set(values)) > 1 and len(set(other.tolist())) > 1:
        assert spearman(np.array(values), other) == pytest.approx(stats.spearmanr(values, other).statistic, abs=1e-9)


def test_a_constant_side_orders_nothing() -> None:
    assert spearman(np.ones(5), np.arange(5)) == 0.0
    assert pearson(np.arange(5.0), np.full(5, 3.0)) == 0.0


def test_cosine_of_a_zero_vector_is_zero() -> None:
    left, right = np.array([[1.0, 0.0], [0.0, 0.0], [1.0, 1.0]]), np.array([[2.0, 0.0], [1.0, 0.0], [-1.0, -1.0]])
    assert row_cosines(left, right).tolist() == pytest.approx([1.0, 0.0, -1.0])


def test_pairs_with_header_blank_lines_and_further_columns(tmp_path: Path) -> None:
    path = tmp_path / "p.tsv"
    path.write_text("score\tsentence1\tsentence2\n\n4.5\tone  two\tthree \tkind\r\n0\ta\tb\n", "utf-8")
    pairs = read_pairs(path)
    assert (pairs.scores, pairs.first, pairs.second) == ([4.5, 0.0], ["one two", "a"], ["three", "b"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1\ta\tb\n2\tonly\n", r"p.tsv, line 2: 2 columns"),
        ("1\ta\tb\nhigh\ta\tb\n", r"p.tsv, line 2: the score 'high' is not a number"),
        ("1\ta\tb\nnan\ta\tb\n", r"p.tsv, line 2: the score 'nan'"),
        ("score\ta\tb\n", r"0 graded pairs"),
    ],
)
def test_a_bad_line_is_named(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "p.tsv"
    path.write_text(content, "utf-8")
    with pytest.raises(UserError, match=message):
        read_pairs(path)


def test_the_checksum_sees_every_word_and_score_and_no_layout(tmp_path: Path) -> None:
    texts = [
        "1.50\ta  b\tc\n2\td\te\n",
        "score\tone\ttwo\n1.5\ta b\tc\textra\r\n\n2.0\td\te",
        "1.5\ta b\tC\n2\td\te\n",
        "1.6\ta b\tc\n2\td\te\n",
    ]
    found = []
    for text in texts:
        (tmp_path / "p.tsv").write_bytes(text.encode())
        found.append(pairs_sha256(read_pairs(tmp_path / "p.tsv")))
    assert found[0] == found[1]
    assert len(set(found)) == 3


def test_not_utf8_and_not_there(tmp_path: Path) -> None:
    path = tmp_path / "p.tsv"
    path.write_bytes(b"1\t\xff\tb\n")
    with pytest.raises(UserError, match="not UTF-8"):
        read_pairs(path)
    with pytest.raises(UserError, match="no file"):
        read_pairs(tmp_path / "q.tsv")


def test_unknown_task_and_no_task() -> None:
    with pytest.raises(UserError, match=r"did you mean .*STSB"):
        expand_suites(["STBS"])
    with pytest.raises(UserError, match="no task given"):
        expand_suites([])


def test_one_suite_has_avg_and_two_have_theirs() -> None:
    assert Scores("m", {"A": 1.0}, {"sts": 1.0}).as_json()["scores"] == {"A": 1.0, "avg": 1.0}
    assert set(Scores("m", {"A": 1.0}, {"sts": 1.0, "other": 2.0}).as_json()["scores"]) == {"A", "avg_sts", "avg_other"}


def test_a_folder_without_sts_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="has no folder sts"):
        evaluate("mini-bert", ("STSB",), tmp_path)


def test_embeddings_that_are_not_finite_are_refused(tiny_backbone: Path) -> None:
    from augcse.evaluation.pairs import Pairs
    from augcse.evaluation.tasks.sts import LoadedPairs

    pairs = LoadedPairs(Pairs([1.0, 2.0], ["a", "b"], ["c", "d"]))
    with pytest.raises(UserError, match="not finite"):
        pairs.score(np.full((4, 2), np.nan), {"a": 0, "b": 1, "c": 2, "d": 3})


def test_reference_scores_of_the_bundled_backbone(data_folder: Path) -> None:
    # ../shared/models/README.md: STSB dev 59.6 with [CLS], 63.3 with mean pooling.
    cls = evaluate("mini-bert", ("STSB-dev",), data_folder, pooling="cls").scores["STSB-dev"]
    mean = evaluate("mini-bert", ("STSB-dev",), data_folder).scores["STSB-dev"]
    assert (round(cls, 1), round(mean, 1)) == (59.6, 63.3)


def test_pooling_beside_a_loaded_model_is_refused() -> None:
    with pytest.raises(UserError, match="has its own; leave pooling out"):
        evaluate(SentenceTransformer(modules=[Identity()]), DEMO_PAIRS, pooling="cls")


def test_the_environment_names_the_data(data_folder: Path, tiny_backbone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUGCSE_DATA", str(data_folder))
    scores = evaluate(str(tiny_backbone), "STS16").as_json()
    assert set(scores["scores"]) == {"STS16"}
    assert -100 <= scores["scores"]["STS16"] <= 100


@pytest.mark.parametrize("tasks", [["sts"], ["STSB", "CNSD-STSB"]])
def test_what_no_hub_has_is_refused_before_anything_is_downloaded(tasks: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasets.load_dataset", lambda *arguments, **options: pytest.fail("a data set was downloaded"))
    titles = task_titles([name for names in expand_suites(tasks).values() for name in names])
    with pytest.raises(UserError, match="no data set on the hub holds its official split"):
        load_tasks(titles, None)
