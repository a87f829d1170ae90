"""Recall against a loop over a sorted corpus, chance for a constant encoder, and neighbours side by side."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import augcse
from augcse.analysis.neighbours import neighbours, side_by_side
from augcse.analysis.rating_groups import rating_groups
from augcse.encoding.model import load_encoder
from augcse.errors import UserError
from augcse.evaluation.base import TASKS
from augcse.evaluation.pairs import Pairs
from augcse.evaluation.tasks.retrieval import LoadedRetrieval

PAIRS = Pairs([5.0, 5.0, 3.0, 1.0], ["a", "c", "e", "a"], ["b", "d", "f", "g"])
ROW_OF = {name: row for row, name in enumerate("abcdefg")}


def naive_recall(task: LoadedRetrieval, embeddings: np.ndarray, row_of: dict[str, int], cutoff: int) -> float:
    corpus, hits = task.sentences(), 0
    for query, partner in task.queries():
        others = corpus.copy()
        others.remove(query)

        def cosine(text: str, query: str = query) -> float:
            a, b = embeddings[row_of[query]], embeddings[row_of[text]]
            return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))

        hits += partner in sorted(others, key=cosine, reverse=True)[:cutoff]
    return 100 * hits / len(task.queries())


@pytest.mark.parametrize("seed", range(5))
def test_recall_is_the_loop_with_repeated_sentences(seed: int) -> None:
    task = LoadedRetrieval(PAIRS)
    embeddings = np.random.default_rng(seed).normal(size=(7, 3))
    found = task.recalls(embeddings, ROW_OF, (1, 2, 3, 7))
    assert found == pytest.approx({cutoff: naive_recall(task, embeddings, ROW_OF, cutoff) for cutoff in found})
    assert list(task.measure(embeddings, ROW_OF)) == ["recall@1", "recall@5", "recall@10"]
    assert task.queries() == [("a", "b"), ("c", "d"), ("b", "a"), ("d", "c")]


def test_both_queries_of_a_pair_are_drawn_together() -> None:
    pairs = Pairs([5.0, 5.0, 5.0, 1.0], ["a", "c", "e", "a"], ["b", "d", "f", "g"])
    task, resamples = LoadedRetrieval(pairs), 40
    embeddings = np.random.default_rng(2).normal(size=(7, 3))
    single = [
        naive_recall(LoadedRetrieval(Pairs([5.0 * (row == one) for row in range(4)], pairs.first, pairs.second)), embeddings, ROW_OF, 1)
        for one in range(3)
    ]
    drawn = np.random.default_rng(7).integers(3, size=(resamples, 3))
    found = task.measured(embeddings, ROW_OF).sample.draws(np.random.default_rng(7), resamples)
    assert len(set(single)) > 1
    assert found == pytest.approx(np.array(single)[drawn].mean(axis=1))


def test_a_constant_encoder_has_chance() -> None:
    task = LoadedRetrieval(PAIRS)
    found = task.recalls(np.ones((7, 2)), ROW_OF, (1, 3))
    # 7 other places; the partner holds one of them, but as "a" stands twice, the query b may hit either: 1 - (5/7)(4/6)(3/5).
    assert found[1] == pytest.approx(100 * (3 * 1 / 7 + 2 / 7) / 4)
    assert found[3] == pytest.approx(100 * (3 * 3 / 7 + 1 - 5 * 4 * 3 / (7 * 6 * 5)) / 4)
    assert task.measure(np.ones((7, 2)), ROW_OF)["tied_queries"] == 4


def test_zero_vectors_tie_with_each_other_and_are_counted() -> None:
    embeddings = np.random.default_rng(0).normal(size=(7, 3))
    embeddings[[ROW_OF["b"], ROW_OF["f"]]] = 0
    # The query "a" has two sentences at cosine 0, one of them its partner; to the query "b" all are alike.
    assert LoadedRetrieval(PAIRS).measure(embeddings, ROW_OF)["tied_queries"] == 2


def test_a_gold_encoder_has_100_and_nan_is_refused() -> None:
    numbers = range(20)
    task = LoadedRetrieval(Pairs([5.0] * 20, [f"left {n}" for n in numbers], [f"right {n}" for n in numbers]))
    row_of = {sentence: row for row, sentence in enumerate(task.sentences())}
    gold = np.concatenate([np.eye(20), np.eye(20) + 0.01])
    assert task.recalls(gold, row_of) == {1: 100.0, 5: 100.0, 10: 100.0}
    gold[5] = np.nan
    with pytest.raises(UserError, match="not finite"):
        task.score(gold, row_of)


def test_the_real_sentences_are_as_many_as_in_the_paper(data_folder: Path) -> None:
    task = TASKS.get("STSB-retrieval").load(data_folder)
    assert (len(task.sentences()), len(task.queries())) == (2758, 2 * 97)


def test_the_bundled_backbone_retrieves(data_folder: Path) -> None:
    from augcse import evaluate

    scores = evaluate("mini-bert", ("STSB-retrieval",), data_folder).scores
    assert 50 < scores["STSB-retrieval"] < 90


def test_other_data_has_other_positives_and_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "sts" / "STSB" / "test.tsv"
    path.parent.mkdir(parents=True)
    path.write_text("".join(f"{row % 5}\tleft {row}\tright {row}\n" for row in range(1379)), "utf-8")
    with pytest.raises(UserError, match="0 pairs are graded 5, not 97"):
        TASKS.get("STSB-retrieval").load(tmp_path)


def test_other_sentences_in_the_right_number_are_said(tmp_path: Path) -> None:
    path = tmp_path / "sts" / "STSB" / "test.tsv"
    path.parent.mkdir(parents=True)
    path.write_text("".join(f"{5 if row < 97 else 1}\tleft {row}\tright {row}\n" for row in range(1379)), "utf-8")
    assert [warning.kind for warning in TASKS.get("STSB-retrieval").load(tmp_path).warnings()] == ["other_content"]


def test_neighbours_of_several_models_side_by_side(tiny_backbone: Path, sentences: list[str]) -> None:
    models = {"tiny": load_encoder(str(tiny_backbone)), "cls": load_encoder(str(tiny_backbone), "cls")}
    corpus = [*sentences[:40], sentences[0]]
    found = neighbours(models, [sentences[0], "An unseen query."], corpus, k=2)
    for query, by_model in found.items():
        for name, model in models.items():
            rows = model.encode([query, *sentences[:40]], normalize_embeddings=True)
            best = sorted(((float(row @ rows[0]), text) for row, text in zip(rows[1:], sentences[:40], strict=True) if text != query))[::-1]
            # A tiny random model holds all texts for nearly the same: the cosines decide, not the order of near-equals.
            cosine_of = {text: cosine for cosine, text in best}
            assert [cosine_of[neighbour.sentence] for neighbour in by_model[name]] == pytest.approx([c for c, _ in best[:2]], abs=1e-5)
            assert by_model[name][0].cosine == pytest.approx(best[0][0], abs=1e-5)
    table = side_by_side(found)
    assert [row[:2] for row in table] == [[sentences[0], "1"], ["", "2"], ["An unseen query.", "1"], ["", "2"]]
    assert len(table[0]) == 4
    with pytest.raises(UserError, match="need more"):
        neighbours(models, ["a"], ["b", "c"], k=2)


def test_a_query_without_a_token_that_the_model_knows_has_no_neighbours(corpus: Path, sentences: list[str], tmp_path: Path) -> None:
    static = augcse.static(corpus, output=tmp_path / "static", vocabulary_size=1000, contexts=200, cooccurrence_dim=16, letters_dim=0)
    models = {"static": load_encoder(str(static.folder))}
    with pytest.raises(UserError, match="static knows no token of the query '漢字ก', so no sentence is near it"):
        neighbours(models, [sentences[0], "漢字ก"], sentences)


def test_rating_groups_split_at_whole_grades() -> None:
    cosines = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    groups = rating_groups(cosines, np.array([0.0, 0.9, 1.0, 4.0, 5.0, 4.9]), bins=10)
    assert [group.pairs for group in groups] == [2, 1, 0, 0, 3]
    assert [group.mean for group in groups if group.mean is not None] == pytest.approx([0.15, 0.3, 0.5])
    assert groups[4].quantiles[2] == pytest.approx(0.5)
    width = groups[0].bin_edges[1] - groups[0].bin_edges[0]
    assert [sum(group.density) * width for group in groups] == pytest.approx([1, 1, 0, 0, 1])
    assert (groups[2].mean, groups[2].quantiles) == (None, ())
    with pytest.raises(UserError, match="outside"):
        rating_groups(cosines, np.full(6, 5.5))
