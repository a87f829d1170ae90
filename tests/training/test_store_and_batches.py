"""Token store and batches: nothing lost, nothing padded where lengths allow it, the same batches for the same epoch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augcse.training.batches import StoreBatchSampler, StoreCollator, equal_length_batches
from augcse.training.store.files import StoreWriter, TokenStore

ROWS = [[2, 7, 8, 3], [2, 3], [2, 9, 3], [2, 70_000, 8, 3]]


@pytest.fixture
def store(tmp_path: Path) -> TokenStore:
    with StoreWriter(tmp_path, ["original", "augmented"], labelled=True) as writer:
        for part in (ROWS[:1], ROWS[1:]):
            writer.append("original", part)
            writer.append("augmented", [[1], *part[1:]])
            writer.append_labels([5] * len(part))
        writer.finish({"note": "kept"})
    return TokenStore.open(tmp_path)


def test_rows_come_back(store: TokenStore) -> None:
    assert len(store) == 4
    assert [store.views["original"].row(i).tolist() for i in range(4)] == ROWS
    assert store.views["original"].lengths.tolist() == [4, 2, 3, 4]
    assert store.labels is not None
    assert store.labels.tolist() == [5] * 4
    assert store.meta["note"] == "kept"


def test_equal_lengths_need_no_padding(store: TokenStore) -> None:
    ids, mask = store.views["original"].padded([0, 3], pad_id=0)
    assert ids.tolist() == [ROWS[0], ROWS[3]]
    assert mask.all()


def test_padding_is_masked(store: TokenStore) -> None:
    ids, mask = store.views["original"].padded([1, 2], pad_id=0)
    assert ids.tolist() == [[2, 3, 0], [2, 9, 3]]
    assert mask.tolist() == [[1, 1, 0], [1, 1, 1]]


def test_collator_gives_sentence_transformers_columns(store: TokenStore) -> None:
    batch = StoreCollator(store, pad_id=0)([0, 1])
    assert set(batch) == {
        "original_input_ids",
        "original_attention_mask",
        "augmented_input_ids",
        "augmented_attention_mask",
        "label",
    }
    assert batch["label"].tolist() == [5, 5]


def test_a_store_without_labels_refuses_them(tmp_path: Path) -> None:
    with StoreWriter(tmp_path, ["original"], labelled=False) as writer, pytest.raises(ValueError, match="no labels"):
        writer.append_labels([1])


@settings(max_examples=60)
@given(st.lists(st.integers(3, 9), max_size=200), st.integers(2, 16), st.integers(0, 99))
def test_full_batches_each_row_once_and_mostly_one_length(lengths: list[int], batch_size: int, seed: int) -> None:
    array = np.array(lengths, dtype=np.int64)
    batches = equal_length_batches(array, batch_size, np.random.default_rng(seed))
    assert len(batches) == len(lengths) // batch_size
    assert all(len(batch) == batch_size for batch in batches)
    rows = [row for batch in batches for row in batch.tolist()]
    assert len(set(rows)) == len(rows)
    mixed = sum(len(set(array[batch].tolist())) > 1 for batch in batches)
    # Each length leaves fewer than a batch after, and only what is left after is mixed.
    assert mixed <= len(set(lengths))


def test_epochs_differ_and_repeat() -> None:
    sampler = StoreBatchSampler(np.array([5] * 40), 8, seed=1)
    first = list(sampler)
    assert list(sampler) == first
    sampler.set_epoch(1)
    assert list(sampler) != first
    sampler.set_epoch(0)
    assert list(sampler) == first
    assert len(sampler) == len(first) == 5
