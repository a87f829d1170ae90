"""Preparation: one augmentation per row, labels corrected by token ids, the same for any number of workers."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from multiprocessing import active_children
from pathlib import Path

import pytest
from transformers import AutoTokenizer, PreTrainedTokenizerBase

from augcse.augmentations.run import engines
from augcse.augmentations.run.apply import draw_names
from augcse.errors import UserError
from augcse.training.store import build, draw
from augcse.training.store.build import prepare
from augcse.training.store.files import TokenStore
from augcse.training.store.plan import Plan
from plans import small_plan

NAMES = ("ContractionExpansions", "RandomSwap", "PunctuationInsertion")


@pytest.fixture(scope="module")
def tokenizer(tiny_backbone: Path) -> PreTrainedTokenizerBase:
    return AutoTokenizer.from_pretrained(str(tiny_backbone))


def _plan(corpus: Path, names: tuple[str, ...] = NAMES) -> Plan:
    return small_plan(corpus, names=names, max_len_tokens=16)


def _rows(store: TokenStore, view: str) -> list[list[int]]:
    return [store.views[view].row(row).tolist() for row in range(len(store))]


def test_labels_say_what_the_encoder_can_see(corpus: Path, tokenizer: PreTrainedTokenizerBase, tmp_path: Path) -> None:
    store = prepare(_plan(corpus), tokenizer, tmp_path / "p")
    drawn = draw_names(NAMES, range(len(store)), seed=1)
    assert store.labels is not None
    for original, augmented, label, name in zip(
        _rows(store, "original"), _rows(store, "augmented"), store.labels.tolist(), drawn, strict=True
    ):
        assert (label == len(NAMES)) == (original == augmented)
        assert label in (NAMES.index(name), len(NAMES))
    assert sum(store.meta["label_counts"].values()) == len(store)


def test_a_change_of_case_alone_is_no_augmentation(tokenizer: PreTrainedTokenizerBase, tmp_path: Path) -> None:
    # GenderSwap is drawn for every row; to an uncased tokeniser nothing in these rows changes.
    path = tmp_path / "c.txt"
    path.write_text("THE DOOR WAS OPEN\nThe window was shut\n", "utf-8")
    store = prepare(_plan(path, ("GenderSwap",)), tokenizer, tmp_path / "p")
    assert store.meta["label_counts"] == {"GenderSwap": 0, "no augmentation": 2}


def test_draw_is_uniform() -> None:
    counts = Counter(draw_names(NAMES, range(6000), seed=3))
    assert all(1850 < count < 2150 for count in counts.values())


def test_without_augmentations_there_is_one_view(corpus: Path, tokenizer: PreTrainedTokenizerBase, tmp_path: Path) -> None:
    store = prepare(_plan(corpus, ()), tokenizer, tmp_path / "p")
    assert list(store.views) == ["original"]
    assert store.labels is None


def test_two_workers_give_the_same_store(
    corpus: Path, tokenizer: PreTrainedTokenizerBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("augcse.training.store.draw._PARALLEL_FROM_ROWS", 100)
    monkeypatch.setattr("augcse.augmentations.run.engines.CHUNK_ROWS", 50)
    one = prepare(_plan(corpus), tokenizer, tmp_path / "1", workers=1)
    two = prepare(_plan(corpus), tokenizer, tmp_path / "2", workers=2)
    assert _rows(one, "augmented") == _rows(two, "augmented")


def test_a_finished_store_is_used_again_and_another_one_is_not(corpus: Path, tokenizer: PreTrainedTokenizerBase, tmp_path: Path) -> None:
    prepare(_plan(corpus), tokenizer, tmp_path / "p")
    rows: list[int] = []
    prepare(_plan(corpus), tokenizer, tmp_path / "p", progress=rows.append)
    assert rows == []
    prepare(replace(_plan(corpus), seed=2), tokenizer, tmp_path / "p", progress=rows.append)
    assert sum(rows) == 400


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "no sentence in it"),
        ("\n \n", "no sentence in it"),
        ("Only one.\n", "one sentence only"),
        ("Again and again.\n" * 50, "all 50 sentences are the same"),
    ],
)
def test_a_corpus_without_contrast_is_refused(content: str, message: str, tokenizer: PreTrainedTokenizerBase, tmp_path: Path) -> None:
    path = tmp_path / "c.txt"
    path.write_text(content, "utf-8")
    with pytest.raises(UserError, match=message):
        prepare(_plan(path, ()), tokenizer, tmp_path / "p")
    assert list(tmp_path.iterdir()) == [path]


def test_rows_that_the_caller_refuses_are_not_kept(corpus: Path, tokenizer: PreTrainedTokenizerBase, tmp_path: Path) -> None:
    def refuse(store: TokenStore) -> None:
        raise UserError(f"{len(store)} rows")

    with pytest.raises(UserError, match="400 rows"):
        prepare(_plan(corpus), tokenizer, tmp_path / "p", check=refuse)
    assert list(tmp_path.iterdir()) == []
    prepare(_plan(corpus), tokenizer, tmp_path / "p")
    with pytest.raises(UserError, match="400 rows"):
        prepare(_plan(corpus), tokenizer, tmp_path / "p", check=refuse)
    assert (tmp_path / "p").is_dir()


def test_many_duplicates_are_warned_about(tokenizer: PreTrainedTokenizerBase, tmp_path: Path) -> None:
    path = tmp_path / "c.txt"
    path.write_text("One cat sat.\nTwo dogs ran.\n" * 5, "utf-8")
    warnings: list[str] = []
    prepare(_plan(path, ()), tokenizer, tmp_path / "p", warn=warnings.append)
    assert any("repeat another one" in warning for warning in warnings)


def test_text_that_tokenizer_and_augmentations_cannot_read_is_warned_about(tokenizer: PreTrainedTokenizerBase, tmp_path: Path) -> None:
    path = tmp_path / "c.txt"
    path.write_text("".join(f"去去去去去去{number}\n" for number in range(80)), "utf-8")
    warnings: list[str] = []
    prepare(_plan(path, ("PigLatin", "ModalVerbs", "RandomDeletion")), tokenizer, tmp_path / "p", warn=warnings.append)
    language, unknown, idle = warnings
    assert "does not look like English" in language
    # 6 of about 8 tokens in a row, [CLS] and [SEP] not counted.
    assert unknown.startswith("78% of the tokens are unknown to the model's tokenizer")
    assert idle.startswith("3 of 3 augmentations changed no row: ModalVerbs, PigLatin, RandomDeletion;")
    path.write_text("".join(f"去去去去去去{number}\n" for number in range(8)), "utf-8")
    prepare(_plan(path, ("PigLatin", "ModalVerbs", "RandomDeletion")), tokenizer, tmp_path / "few", warn=warnings.append)
    assert len(warnings) == 4  # too few rows to judge the augmentations by, and too few letters to judge the language


def test_a_corpus_that_is_read_well_is_not_warned_about(corpus: Path, tokenizer: PreTrainedTokenizerBase, tmp_path: Path) -> None:
    prepare(_plan(corpus), tokenizer, tmp_path / "p", warn=pytest.fail)


def test_an_interrupted_preparation_ends_its_workers(
    corpus: Path, tokenizer: PreTrainedTokenizerBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draw, "_PARALLEL_FROM_ROWS", 10)
    monkeypatch.setattr(build, "_CHUNK_ROWS", 10)
    monkeypatch.setattr(engines, "CHUNK_ROWS", 10)
    seen: list[int] = []

    def interrupt(_: int) -> None:
        seen.append(len(active_children()))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        prepare(_plan(corpus, ("PigLatin",)), tokenizer, tmp_path / "p", workers=2, progress=interrupt)
    assert seen == [2]
    # The exception holds the frames, and with them whatever nobody closed.
    assert caught.tb is not None
    assert not active_children()
