"""The views positive, negative, next and augmented: where each row's comes from, what is left out, what an epoch changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoTokenizer, PreTrainedTokenizerBase

from augcse import train
from augcse.augmentations.run.apply import augment, draw_names
from augcse.errors import UserError
from augcse.rng import derive_seed
from augcse.training.batches import StoreBatchSampler, StoreCollator
from augcse.training.store.build import prepare
from augcse.training.store.draw import pair_with_next
from augcse.training.store.files import TokenStore
from augcse.training.store.views import DEFAULT_NEGATIVE
from augcse.training.watcher import Watcher
from plans import small_plan

SWAP, PUNCTUATION, CONTRACTION = "RandomSwap", "PunctuationInsertion", "ContractionExpansions"


@pytest.fixture(scope="module")
def tokenizer(tiny_backbone: Path) -> PreTrainedTokenizerBase:
    return AutoTokenizer.from_pretrained(str(tiny_backbone))


@pytest.fixture
def make(tokenizer: PreTrainedTokenizerBase, tmp_path: Path) -> Callable[..., TokenStore]:
    def made(lines: Sequence[str], *views: str, judge: Any = None, **more: Any) -> TokenStore:
        path = tmp_path / "corpus.txt"
        path.write_text("\n".join(lines) + "\n", "utf-8")
        return prepare(small_plan(path, "original", *views, **more), tokenizer, tmp_path / "prepared", judge=judge)

    return made


@pytest.fixture
def ids(tokenizer: PreTrainedTokenizerBase) -> Callable[[str], list[int]]:
    return lambda text: tokenizer(text, truncation=True, max_length=32)["input_ids"]


def _rows(store: TokenStore, view: str) -> list[list[int]]:
    return [store.views[view].row(row).tolist() for row in range(len(store))]


def test_a_positive_that_changes_nothing_is_the_original(make: Any, ids: Any) -> None:
    lines = ["He does not come.", "A cat sat on the mat.", "They can't see it."]
    store = make(lines, "positive", positives=(CONTRACTION,))
    changed = augment(lines, CONTRACTION, seed=1)
    assert _rows(store, "positive") == [ids(new or line) for line, new in zip(lines, changed, strict=True)]
    assert store.meta["view_counts"]["positive"] == {CONTRACTION: 2, "no augmentation": 1}
    assert store.labels is None


def test_a_negative_that_changes_nothing_is_made_by_deletion_and_else_is_the_neighbour(make: Any, ids: Any) -> None:
    lines = ["One.", "He does not come.", "A cat sat on the old mat.", "Stop!"]
    store = make(lines, "negative", negatives=(CONTRACTION,))
    named, deleted = augment(lines, CONTRACTION, seed=1), augment(lines, DEFAULT_NEGATIVE, seed=1)
    assert (deleted[0], deleted[3]) == (None, None)
    expected = [lines[1], named[1], deleted[2], lines[2]]
    assert _rows(store, "negative") == [ids(text) for text in expected]
    assert store.meta["view_counts"]["negative"] == {CONTRACTION: 1, DEFAULT_NEGATIVE: 1, "no augmentation": 2}


def test_negatives_and_positives_draw_apart(make: Any, sentences: list[str]) -> None:
    pool = (SWAP, PUNCTUATION, "RandomCrop")
    store = make(sentences[:200], "positive", "negative", positives=pool[:2], negatives=pool[2:])
    drawn = draw_names(pool[:2], range(200), derive_seed(1, "positive", 0))
    assert abs(store.meta["view_counts"]["positive"][SWAP] - drawn.count(SWAP)) < 20
    assert _rows(store, "positive") != _rows(store, "negative")


def test_next_is_the_following_sentence_of_the_document(make: Any, ids: Any) -> None:
    store = make(["One cat sat.", "Two dogs ran.", "", "Three birds flew.", "", "Four fish swam.", "Five men stood."], "next")
    assert _rows(store, "original") == [ids("One cat sat."), ids("Four fish swam.")]
    assert _rows(store, "next") == [ids("Two dogs ran."), ids("Five men stood.")]
    assert list(pair_with_next(["a", "b", "c"])) == [("a", "b"), ("b", "c")]


@pytest.mark.parametrize("columns", [{}, {"original": "text"}, {"original": "text", "positive": "text"}])
def test_the_end_of_a_file_is_the_end_of_a_document(
    columns: dict[str, str], tokenizer: PreTrainedTokenizerBase, ids: Any, tmp_path: Path
) -> None:
    files = {"one": ["One cat sat.", "Two dogs ran."], "two": ["Three birds flew.", "Four fish swam."]}
    paths = [tmp_path / f"{name}.tsv" for name in files]
    for path, lines in zip(paths, files.values(), strict=True):
        path.write_text("\n".join(["text", *lines]) + "\n", "utf-8")
    views = ("original", *(["positive"] if "positive" in columns else []), "next")
    store = prepare(small_plan(paths, *views, columns=columns), tokenizer, tmp_path / "prepared")
    assert _rows(store, "original") == [ids("One cat sat."), ids("Three birds flew.")]
    assert _rows(store, "next") == [ids("Two dogs ran."), ids("Four fish swam.")]


def test_a_corpus_without_followers_is_refused(make: Any) -> None:
    with pytest.raises(UserError, match="that another one follows; give text in order"):
        make(["One cat sat.", "", "Two dogs ran.", "", "Three birds flew."], "next")


def test_labels_can_say_positive_or_negative(make: Any, sentences: list[str]) -> None:
    names = (SWAP, PUNCTUATION)
    store = make(sentences[:80], "augmented", names=names, positives=(PUNCTUATION,), negatives=(SWAP,), label_kind="positive")
    drawn = draw_names(names, range(80), 1)
    for original, augmented, label, name in zip(_rows(store, "original"), _rows(store, "augmented"), store.labels, drawn, strict=True):
        assert label == (1 if original == augmented else int(name == PUNCTUATION))


def test_a_judge_labels_the_neutral_ones_row_by_row(make: Any, sentences: list[str]) -> None:
    def judge(originals: Sequence[str], augmented: Sequence[str]) -> list[bool]:
        return [len(text) % 2 == 0 for text in originals]

    judged = {"neutral": (SWAP,), "label_method": "lm_uniform"}
    store = make(sentences[:60], "augmented", names=(SWAP,), **judged, label_kind="positive", judge=judge)
    for line, label, original, augmented in zip(sentences, store.labels, _rows(store, "original"), _rows(store, "augmented"), strict=False):
        assert label == (original == augmented or len(line) % 2 == 0)


def test_neutral_ones_without_a_judge_are_refused(make: Any, sentences: list[str], tmp_path: Path) -> None:
    judged = {"neutral": (SWAP,), "label_method": "lm_uniform"}
    with pytest.raises(UserError, match=r'there is no judge to score the neutral augmentations; give one .* or take "pessimistic"'):
        make(sentences[:60], "augmented", names=(SWAP,), **judged, label_kind="positive")
    assert not (tmp_path / "prepared").exists()


def test_what_is_judged_no_positive_gives_way_to_a_sure_one(make: Any, ids: Any) -> None:
    lines = ["He does not come.", "They did not see the dog.", "It is not there now."]
    judged = {"positives": (CONTRACTION,), "neutral": (SWAP,), "label_method": "lm_uniform"}
    store = make(lines, "positive", **judged, judge=lambda originals, augmented: [False] * len(originals))
    assert _rows(store, "positive") == [ids(text or "") for text in augment(lines, CONTRACTION, seed=1)]


def test_proportion_is_the_share_of_rows_with_an_augmentation(make: Any, sentences: list[str]) -> None:
    store = make(sentences, "augmented", names=(SWAP,), proportion=0.25)
    assert 70 < store.meta["label_counts"][SWAP] < 130
    none = make(sentences[:50], "positive", positives=(SWAP,), proportion=0.0)
    assert _rows(none, "positive") == _rows(none, "original")


def test_unaugmented_rows_can_be_dropped(make: Any, ids: Any) -> None:
    lines = ["He does not come.", "A cat sat on the mat.", "They can't see it."]
    store = make(lines, "positive", positives=(CONTRACTION,), unaugmented="drop")
    assert _rows(store, "original") == [ids(lines[0]), ids(lines[2])]
    assert store.meta["dropped"] == 1
    # A negative by default only is no augmentation, as long as others are named.
    store = make(lines, "negative", negatives=(CONTRACTION,), unaugmented="drop")
    assert len(store) == 2
    store = make(lines, "negative", unaugmented="drop")
    assert len(store) == 3
    store = make(lines, "negative", negatives=(DEFAULT_NEGATIVE,), unaugmented="drop")
    assert len(store) == 3


def test_dropping_everything_is_refused(make: Any) -> None:
    with pytest.raises(UserError, match=r"of 2 sentences 0 are left that the augmentations change"):
        make(["A cat sat.", "A dog ran."], "positive", positives=(CONTRACTION,), unaugmented="drop")
    with pytest.raises(UserError, match="would all be dropped"):
        make(["A cat sat.", "A dog ran."], "positive", positives=(SWAP,), unaugmented="drop", proportion=0.5)
    with pytest.raises(UserError, match="did you mean positive"):
        make(["A cat sat.", "A dog ran."], "positve")


def test_epochs_draw_anew_and_repeat(make: Any, sentences: list[str]) -> None:
    first = make(sentences[:50], "augmented", names=(SWAP,))
    rows = _rows(first, "augmented")
    second = make(sentences[:50], "augmented", names=(SWAP,), epoch=1)
    again = _rows(second, "augmented")
    assert rows != again
    assert _rows(make(sentences[:50], "augmented", names=(SWAP,)), "augmented") == rows
    assert _rows(make(sentences[:50], "augmented", names=(SWAP,), epoch=1), "augmented") == again


def test_the_collator_takes_a_row_from_its_epochs_store() -> None:
    from dataclasses import replace

    import numpy as np

    from augcse.training.store.files import View

    def store(value: int) -> TokenStore:
        return TokenStore({"original": View(np.full(8, value), np.arange(0, 9, 2))}, None, {})

    both = replace(store(1), later=(store(2),))
    sampler = StoreBatchSampler(both.views["original"].lengths, 2, seed=0, epochs=both.epochs)
    seen = []
    for epoch in range(3):
        sampler.set_epoch(epoch)
        seen.append({int(value) for rows in sampler for value in StoreCollator(both, 0)(rows)["original_input_ids"].flatten()})
    assert seen == [{1}, {2}, {1}]


SETTINGS: dict[str, Any] = {
    "batch_size": 40,
    "epochs": 2,
    "max_steps": 14,
    "checkpoint_every_steps": 4,
    "augmentation.resample_every_epoch": True,
    "augmentation.names": [SWAP, PUNCTUATION],
}


class Killed(Exception):
    """Stands in for SIGKILL."""


def _run(folder: Path, corpus: Path, backbone: Path, kill_at: int | None = None, **more: Any) -> dict[str, torch.Tensor]:
    def advance(step: int, figures: object) -> None:
        if step == kill_at and not figures:
            raise Killed

    options = {"resume": False, **more}
    train("augcse-mini", corpus=corpus, output=folder, model=str(backbone), workers=1, dev="none", watcher=Watcher(advance=advance), **{**SETTINGS, **options})  # fmt: skip  # noqa: E501
    return load_file(folder / "model" / "model.safetensors")


def test_resampling_resumes_to_the_same_bits_and_differs_from_a_fixed_draw(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    whole = _run(tmp_path / "whole", corpus, tiny_backbone)
    assert (tmp_path / "whole" / "prepared" / "epoch-1" / "store.json").exists()
    with pytest.raises(Killed):
        _run(tmp_path / "killed", corpus, tiny_backbone, kill_at=13)
    resumed = _run(tmp_path / "killed", corpus, tiny_backbone, resume=True)
    assert all(torch.equal(whole[name], resumed[name]) for name in whole)
    fixed = _run(tmp_path / "fixed", corpus, tiny_backbone, **{"augmentation.resample_every_epoch": False})
    assert not all(torch.equal(whole[name], fixed[name]) for name in whole)


def test_resampling_and_dropping_are_refused_together(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="would give every epoch other rows"):
        _run(tmp_path / "run", corpus, tiny_backbone, **{"augmentation.unaugmented": "drop"})


def test_uniform_sampling_without_augmentations_is_refused(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    options = {"objective.sampling": "uniform", "augmentation.positives": []}
    with pytest.raises(UserError, match="draws from all augmentations; name some"):
        train("contrastive-mini", corpus=corpus, output=tmp_path / "run", model=str(tiny_backbone), workers=1, **options)


def test_mini_bert_judges_by_how_text_reads(corpus: Path) -> None:
    from augcse.training.store.judge import MiniBertScorer, mini_bert_judge

    scorer = MiniBertScorer(32)
    plain = ["The house was built in the middle of the city.", "He was born in London and died in Paris."]
    scrambled = ["House the in city built middle of was the the.", "Paris born London was died he in and in."]
    before, vectors = scorer.score(plain)
    after, _ = scorer.score(scrambled)
    assert (after > before).all()
    assert (vectors**2).sum(axis=1) == pytest.approx([1.0, 1.0], abs=1e-4)
    judge = mini_bert_judge(small_plan(corpus, label_method="lm_uniform"))
    assert list(judge(plain, plain)) == [True, True]
    assert list(judge(plain, list(reversed(plain)))) == list(judge(plain, list(reversed(plain))))


def test_a_run_labels_its_neutral_ones_by_the_judge(corpus: Path, sentences: list[str], tiny_backbone: Path, tmp_path: Path) -> None:
    """The rule by hand on some rows: perplexity and similarity straight from the scorer, the corpus's spread from all of it."""
    import numpy as np

    from augcse.training.store.judge import MiniBertScorer

    lines = sentences[:60]
    short = tmp_path / "corpus.txt"
    short.write_text("\n".join(lines) + "\n", "utf-8")
    options = {"positives": [], "negatives": [], "neutral": [SWAP], "label_method": "lm_uniform"}
    settings = {f"augmentation.{key}": value for key, value in options.items()}
    run = train(
        "contrastive-roles-mini", corpus=short, output=tmp_path / "run", model=str(tiny_backbone), batch_size=20, max_steps=2, **settings
    )
    assert run.record["steps"] == 2
    labels = TokenStore.open(tmp_path / "run" / "prepared").labels
    assert labels is not None
    scorer = MiniBertScorer(32)
    usual, vectors = scorer.score(lines)
    random = (vectors @ vectors.T)[~np.eye(len(lines), dtype=bool)]
    augmented = augment(lines, SWAP, seed=run.record["recipe"]["training"]["seed"])
    places = [place for place, text in enumerate(augmented) if text][:20]
    for place in places:
        [before, after], [left, right] = scorer.score([lines[place], augmented[place] or ""])
        reads_worse = after - before > usual.std()
        far = left @ right - random.mean() < 0.2 * random.std()
        assert labels[place] == int(not reads_worse and not far)
    assert {int(labels[place]) for place in places} == {0, 1}
