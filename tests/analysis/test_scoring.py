"""The figures of `augcse score` against naive loops, and the choice among them."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow.parquet as pq
import pytest
import torch

import augcse
from augcse.analysis.scoring.likeness import REPO_BLOCK, similarity
from augcse.analysis.scoring.perplexity import PseudoPerplexity, load_language_model
from augcse.analysis.scoring.run import PAIRS, AugmentationScores
from augcse.analysis.scoring.select import Limits, diverse, rank, select
from augcse.analysis.scoring.surface import surface_features, surface_shift, told_apart
from augcse.augmentations.scored import TABLE
from augcse.augmentations.sets import expand
from augcse.errors import UserError
from tiny_models import build_tiny_model, word_pieces

NAMES = ["RandomSwap", "RandomDeletion:rate=0.2", "PigLatin", "TenseTransformation"]


@pytest.fixture(scope="module")
def causal(tmp_path_factory: pytest.TempPathFactory, sentences: list[str]) -> Path:
    """A tiny GPT-2 with a token for the start of a text."""
    from transformers import GPT2Config, GPT2LMHeadModel

    folder = tmp_path_factory.mktemp("causal")
    tokenizer = word_pieces(sentences)
    tokenizer.bos_token = tokenizer.cls_token
    size = GPT2Config(vocab_size=len(tokenizer), n_positions=64, n_embd=16, n_layer=1, n_head=2, architectures=["GPT2LMHeadModel"])
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model = GPT2LMHeadModel(size)
    # Random logits are all but uniform: far apart, a wrong mean shows.
    model.lm_head.weight.data.mul_(20)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def masked(tmp_path_factory: pytest.TempPathFactory, sentences: list[str]) -> Path:
    return build_tiny_model("masked", tmp_path_factory.mktemp("masked"), sentences)


@pytest.fixture(scope="module")
def found(tiny_backbone: Path, masked: Path, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[AugmentationScores, Path]:
    folder = tmp_path_factory.mktemp("scores") / "scores"
    return augcse.score(corpus, NAMES, model=str(tiny_backbone), lm=str(masked), sample=80, output=folder), folder


@pytest.mark.parametrize("fidelity", ["paper", "repo"])
def test_causal_perplexity_is_a_loop_over_tokens(causal: Path, sentences: list[str], fidelity: Any) -> None:
    from transformers import AutoTokenizer, GPT2LMHeadModel

    tokenizer, model = AutoTokenizer.from_pretrained(causal), GPT2LMHeadModel.from_pretrained(causal).eval()
    texts = [*sentences[:5], "river"]
    found = load_language_model(str(causal), fidelity).perplexities(texts)
    for text, perplexity in zip(texts, found, strict=True):
        ids = tokenizer(text, add_special_tokens=False)["input_ids"]
        ids = ids if fidelity == "repo" else [tokenizer.bos_token_id, *ids]
        surprise = 0.0
        for index in range(1, len(ids)):
            with torch.no_grad():
                scores = model(torch.tensor([ids[:index]])).logits[0, -1].log_softmax(dim=0)
            surprise -= float(scores[ids[index]])
        expected = math.exp(surprise / (len(ids) if fidelity == "repo" else len(ids) - 1))
        # float32, other sums: up to 1e-6 of the logarithm.
        assert perplexity == pytest.approx(expected, rel=1e-4)


def test_a_text_of_one_token_is_certain_for_the_repository_alone(causal: Path) -> None:
    assert load_language_model(str(causal), "repo").perplexities(["the"])[0] == 1.0
    assert load_language_model(str(causal)).perplexities(["the"])[0] > 1.5


def test_pseudo_perplexity_is_a_loop_over_masks(masked: Path, sentences: list[str]) -> None:
    from transformers import AutoTokenizer, BertForMaskedLM

    tokenizer, model = AutoTokenizer.from_pretrained(masked), BertForMaskedLM.from_pretrained(masked).eval()
    texts = sentences[:4]
    found = load_language_model(str(masked)).perplexities(texts)
    for text, perplexity in zip(texts, found, strict=True):
        ids = tokenizer(text)["input_ids"]
        surprise = 0.0
        for offset in range(4):
            hidden = [index for index in range(1, len(ids) - 1) if index % 4 == offset]
            given = [tokenizer.mask_token_id if index in hidden else number for index, number in enumerate(ids)]
            with torch.no_grad():
                scores = model(torch.tensor([given])).logits[0].log_softmax(dim=1)
            surprise -= sum(float(scores[index, ids[index]]) for index in hidden)
        assert perplexity == pytest.approx(math.exp(surprise / (len(ids) - 2)), rel=1e-4)


def test_a_text_without_a_token_has_no_perplexity(causal: Path, masked: Path) -> None:
    for folder in (causal, masked):
        assert np.isnan(load_language_model(str(folder)).perplexities(["", "the river"])).tolist() == [True, False]


def test_a_language_model_is_causal_or_masked(masked: Path, tmp_path: Path, sentences: list[str]) -> None:
    with pytest.raises(UserError, match="masked language model, and AugCSE's code reads causal ones"):
        load_language_model(str(masked), "repo")
    other = build_tiny_model("classifier", tmp_path / "classifier", sentences)
    with pytest.raises(UserError, match="is not a language model"):
        load_language_model(str(other))
    with pytest.raises(UserError, match="did you mean repo"):
        load_language_model(str(masked), "reppo")  # type: ignore[arg-type]


def _cosine(left: npt.NDArray[np.float64], right: npt.NDArray[np.float64]) -> float:
    return float(left @ right / np.linalg.norm(left) / np.linalg.norm(right))


def test_similarity_is_a_loop_over_pairs() -> None:
    generator = np.random.default_rng(0)
    first = generator.normal(size=(12, 5)) + 1
    second = first + generator.normal(size=(12, 5))
    found = similarity(first, second)
    others = [(i, j) for i in range(12) for j in range(12) if i != j]
    assert found.own_pair == pytest.approx(np.mean([_cosine(first[i], second[i]) for i in range(12)]))
    assert found.random_pair == pytest.approx(np.mean([_cosine(first[i], second[j]) for i, j in others]))
    assert found.originals == pytest.approx(np.mean([_cosine(first[i], first[j]) for i, j in others]))
    assert found.augmented == pytest.approx(np.mean([_cosine(second[i], second[j]) for i, j in others]))


def test_the_repository_takes_means_of_blocks() -> None:
    generator = np.random.default_rng(1)
    first, second = generator.normal(size=(2, 7, 4)) + 1
    blocks = [(first[:3], second[:3]), (first[3:6], second[3:6]), (first[6:], second[6:])]
    found = similarity(first, second, block=3)
    assert found.own_pair == pytest.approx(np.mean([np.mean([_cosine(a, b) for a, b in zip(*block, strict=True)]) for block in blocks]))
    means = [
        np.mean([_cosine(block[0][i], block[1][j]) for i in range(3) for j in range(3) if i != j])
        for block in blocks[:2]
    ]  # fmt: skip
    assert found.random_pair == pytest.approx(np.mean(means))
    assert asdict(similarity(first, second, block=REPO_BLOCK)) == pytest.approx(asdict(similarity(first, second)))


def test_traces_are_told_apart_and_none_are_not(sentences: list[str]) -> None:
    texts = sentences[:200]
    assert told_apart(texts, [f"{text} !" for text in texts]) == 100
    # Two halves of one text: no more than chance, with the spread of 400 verdicts and of the folds.
    mixed = random.Random(0).sample(sentences, 400)
    assert 35 < told_apart(mixed[:200], mixed[200:]) < 65


def test_the_surface_is_counted() -> None:
    shift = surface_shift(["He went home."] * 10, ["He slowly went, alone, Home."] * 10)
    assert (shift.words, shift.marks, shift.capitals) == (4, 2, 1)
    assert shift.words_changed == pytest.approx(4 / 3)  # "slowly went, alone, Home" in the place of "went home", of 3 words
    assert shift.told_apart == 100


def test_features_do_not_depend_on_the_order_of_the_texts(sentences: list[str]) -> None:
    texts = sentences[:50]
    features = surface_features(texts)
    assert np.array_equal(surface_features(texts[::-1]), features[::-1])


def test_every_figure_is_there_and_agrees_with_the_pairs(found: tuple[AugmentationScores, Path]) -> None:
    scores, folder = found
    rows = pq.read_table(folder / PAIRS).to_pylist()
    assert [score.name for score in scores.scores] == NAMES
    for score in scores.scores:
        own = [row for row in rows if row["augmentation"] == score.name]
        assert len(own) == score.changed
        assert all(row["augmented"] != row["sentence"] for row in own)
        assert score.similarity is not None
        assert score.similarity.own_pair == pytest.approx(np.mean([row["similarity"] for row in own]))
        assert score.similarity_interval is not None
        assert score.similarity_interval.low <= score.similarity.own_pair <= score.similarity_interval.high
        assert score.perplexity is not None
        assert score.perplexity.difference == pytest.approx(np.mean([row["augmented_perplexity"] - row["perplexity"] for row in own]))
        assert score.shape is not None
        assert score.direction is not None
        assert np.linalg.norm(score.direction) == pytest.approx(1, abs=1e-4)


def test_it_is_the_same_again_whatever_the_order_of_the_corpus(
    found: tuple[AugmentationScores, Path], tiny_backbone: Path, masked: Path, sentences: list[str], tmp_path: Path
) -> None:
    (tmp_path / "turned.txt").write_text("\n".join(sentences[::-1] + sentences[:50]) + "\n", "utf-8")
    again = augcse.score(tmp_path / "turned.txt", NAMES, model=str(tiny_backbone), lm=str(masked), sample=80)
    assert again.sentences == found[0].sentences
    for one, other in zip(found[0].scores, again.scores, strict=True):
        left, right = asdict(one), asdict(other)
        assert left.pop("sentences_per_s") > 0 < right.pop("sentences_per_s")
        assert left == right


def test_no_perplexity_is_computed_twice(
    found: tuple[AugmentationScores, Path], corpus: Path, tiny_backbone: Path, masked: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[int] = []
    computed = PseudoPerplexity.perplexities

    def counted(self: PseudoPerplexity, texts: Sequence[str]) -> Any:
        asked.append(len(texts))
        return computed(self, texts)

    monkeypatch.setenv("AUGCSE_CACHE", str(tmp_path))
    monkeypatch.setattr(PseudoPerplexity, "perplexities", counted)
    options: dict[str, Any] = {"model": str(tiny_backbone), "lm": str(masked), "sample": 80}
    augcse.score(corpus, NAMES[:1], **options)
    assert len(asked) == 2
    lines: list[str] = []
    again = augcse.score(corpus, NAMES, **options, notify=lines.append)
    assert len(asked) == 1 + len(NAMES)
    assert [score.perplexity for score in again.scores] == [score.perplexity for score in found[0].scores]
    assert all("min left" in line for line in lines[-len(NAMES) :])


def test_no_perplexity_without_a_language_model(tiny_backbone: Path, corpus: Path) -> None:
    scores = augcse.score(corpus, ["RandomSwap"], model=str(tiny_backbone), lm=None, sample=60)
    assert scores.scores[0].perplexity is None
    assert scores.perplexities is None


def test_what_changes_few_sentences_has_its_share_alone(tiny_backbone: Path, corpus: Path) -> None:
    (score,) = augcse.score(corpus, ["ColorTransformation"], model=str(tiny_backbone), lm=None, sample=60).scores
    assert score.similarity is None
    assert score.changed < 20


def test_refused_before_any_work(tiny_backbone: Path, corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"did you mean RandomSwap or"):
        augcse.score(corpus, ["RandomSwop"])
    with pytest.raises(UserError, match="exists; choose another"):
        augcse.score(corpus, ["RandomSwap"], model=str(tiny_backbone), output=tmp_path)
    with pytest.raises(UserError, match="a sample of 5"):
        augcse.score(corpus, ["RandomSwap"], sample=5)


def _score(name: str, direction: list[float], **figures: Any) -> dict[str, Any]:
    figures = {"own": 0.9, "perplexity": 1.0, "changed": 0.5, "told_apart": 60.0} | figures
    return {
        "name": name,
        "changed_share": figures["changed"],
        "similarity": {"own_pair": figures["own"]},
        "perplexity": {"median_difference": figures["perplexity"]},
        "surface": {"told_apart": figures["told_apart"]},
        "direction": direction,
    }


def _saved(folder: Path, *scores: dict[str, Any]) -> Path:
    folder.mkdir()
    (folder / TABLE).write_text(json.dumps({"scores": scores}), "utf-8")
    return folder


def test_each_filter_has_its_reason(tmp_path: Path) -> None:
    folder = _saved(
        tmp_path / "scores",
        _score("RandomSwap", [1.0, 0.0], own=0.95),
        _score("RandomCrop", [0.99, 0.141], own=0.8),
        _score("RandomDeletion", [0.0, 1.0], own=0.85),
        _score("PigLatin", [0.0, -1.0], told_apart=99.0),
        _score("ColorTransformation", [-1.0, 0.0], changed=0.1),
        _score("ModalVerbs", [], changed=0.3) | {"changed": 18, "similarity": None, "surface": None},
    )
    found = select(folder)
    reasons = {choice.name: choice.reason for choice in found.choices}
    assert found.names == ["RandomSwap", "RandomDeletion"]
    assert reasons["RandomSwap"].startswith("the highest rank")
    assert "of one type with RandomSwap" in reasons["RandomCrop"]
    assert "99 % of its results are told apart" in reasons["PigLatin"]
    assert "changes 10.0% of the sentences" in reasons["ColorTransformation"]
    assert "changed 18 sentences of the sample, 20 are needed to measure it" in reasons["ModalVerbs"]


def test_the_rank_is_the_mean_of_both_orders() -> None:
    scores = [
        _score("a", [1.0], own=0.9, perplexity=5.0),
        _score("b", [1.0], own=0.8, perplexity=1.0),
        _score("c", [1.0], own=0.7, perplexity=9.0),
    ]
    assert rank(scores).tolist() == [0.75, 0.75, 0.0]
    assert rank([score | {"perplexity": None} for score in scores]).tolist() == [1.0, 0.5, 0.0]


@pytest.mark.parametrize("seed", range(5))
def test_the_greedy_choice_is_a_loop(seed: int) -> None:
    generator = np.random.default_rng(seed)
    ranks = generator.random(6)
    directions = generator.normal(size=(6, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    alike = directions @ directions.T
    expected: list[int] = []
    while len(expected) < 6:
        left = [index for index in range(6) if index not in expected]
        values = {
            index: ranks[index] - 0.7 * max([max(float(alike[index, other]), 0.0) for other in expected], default=0.0) for index in left
        }
        expected.append(max(left, key=lambda index: values[index]))
    assert diverse(ranks, alike, 0.7) == expected
    assert diverse(ranks, alike, 0.0) == sorted(range(6), key=lambda index: -ranks[index])


def test_scores_of_training_rank_in_place_of_the_predictors(tmp_path: Path) -> None:
    folder = _saved(
        tmp_path / "scores", _score("RandomSwap", [1.0, 0.0]), _score("RandomCrop", [0.0, 1.0]), _score("PigLatin", [-1.0, 0.0])
    )
    trained = {"RandomSwap": 61.0, "RandomCrop": 63.0}
    chosen = select(folder, trained=trained)
    assert chosen.names == ["RandomCrop", "RandomSwap"]
    assert chosen.choices[-1].reason == "no run trains with it alone"
    assert select(folder, trained={**trained, "PigLatin": 70.0}).names[0] == "PigLatin"


def test_a_choice_is_a_set_wherever_one_can_be_named(found: tuple[AugmentationScores, Path], tmp_path: Path) -> None:
    chosen = select(found[1], 2, Limits(most_alike=1.0))
    path = tmp_path / "mine.toml"
    path.write_text(chosen.toml(), "utf-8")
    assert len(chosen.names) == 2
    assert expand([str(path), "RandomSwap"]) == list(dict.fromkeys([*chosen.names, "RandomSwap"]))


def test_sets_in_files_may_name_bundled_ones(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('names = ["4-aug-2", "RandomDeletion:rate=0.1"]\n', "utf-8")
    assert expand([str(tmp_path / "mine.toml")])[-2:] == ["RandomSwap", "RandomDeletion:rate=0.1"]


@pytest.mark.parametrize("content", ["", "names = 3\n", "names = []\n", "names = [1]\n", "names = [\n", b"\xff\xfe"])
def test_a_file_that_is_no_set_is_refused(tmp_path: Path, content: str | bytes) -> None:
    (tmp_path / "mine.toml").write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(UserError, match=r"mine\.toml"):
        expand([str(tmp_path / "mine.toml")])


def test_nothing_that_passes_is_said_with_the_reasons(tmp_path: Path) -> None:
    folder = _saved(tmp_path / "scores", _score("RandomSwap", [1.0], changed=0.1))
    with pytest.raises(UserError, match=r"no augmentation of .* passes the filters: RandomSwap changes 10\.0%"):
        select(folder)
    with pytest.raises(UserError, match=r"holds no scores\.json"):
        select(tmp_path)
    (folder / TABLE).write_text("[]", "utf-8")
    with pytest.raises(UserError, match="not what augcse score writes"):
        select(folder)
    with pytest.raises(UserError, match="diversity is -1"):
        select(folder, limits=Limits(diversity=-1))
