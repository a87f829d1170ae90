"""Edits of token sequences: what they leave alone, what they mark, how often they do it."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from augcse.objectives import token_edits
from augcse.objectives.token_edits import NO_ORIGIN, Edited, Vocabulary, choose, delete, editable, insert, mask_tokens, mixed, replace

PAD, CLS, SEP, MASK = 0, 2, 3, 4
VOCABULARY = Vocabulary(mask_id=MASK, pad_id=PAD, size=1000, special=torch.tensor([PAD, 1, CLS, SEP, MASK]), longest=64)
LENGTHS = st.lists(st.integers(0, 12), min_size=1, max_size=6)
RATIOS = st.sampled_from([0.05, 0.15, 0.3, 0.5, 0.95])
EDITS = {"replace": replace, "insert": insert, "delete": delete}


def _sentences(lengths: list[int]) -> tuple[Tensor, Tensor]:
    """[CLS], distinct ordinary tokens, [SEP], padding."""
    longest = max(lengths) + 2
    ids = torch.full((len(lengths), longest), PAD)
    for row, length in enumerate(lengths):
        ids[row, : length + 2] = torch.tensor([CLS, *range(10, 10 + length), SEP])
    return ids, (ids != PAD).long()


def _tokens(edited: Edited, row: int) -> list[int]:
    return edited.ids[row][edited.mask[row].bool()].tolist()


@given(LENGTHS, RATIOS, st.sampled_from(sorted(EDITS)))
@settings(max_examples=60)
def test_frame_and_padding_stay(lengths: list[int], ratio: float, name: str) -> None:
    ids, mask = _sentences(lengths)
    edited = EDITS[name](ids, mask, ratio, VOCABULARY)
    assert bool((edited.ids[:, 0] == CLS).all())
    assert bool((edited.ids[edited.mask == 0] == PAD).all())
    assert not bool(edited.labels[edited.mask == 0].any())
    assert not bool((edited.chosen & (edited.mask == 0)).any())
    assert not bool(edited.labels[:, 0].any())
    for row in range(len(lengths)):
        assert _tokens(edited, row)[-1] == SEP
        assert edited.mask[row].tolist() == sorted(edited.mask[row].tolist(), reverse=True)


@given(LENGTHS, RATIOS)
@settings(max_examples=60)
def test_insertion_without_its_insertions_is_the_sentence(lengths: list[int], ratio: float) -> None:
    ids, mask = _sentences(lengths)
    edited = insert(ids, mask, ratio, VOCABULARY)
    for row, length in enumerate(lengths):
        tokens, labels = _tokens(edited, row), edited.labels[row].tolist()
        assert tokens.count(MASK) == int(torch.tensor(ratio * length).round())
        assert [token for token in tokens if token != MASK] == ids[row][mask[row].bool()].tolist()
        assert [labels[place] for place in range(len(tokens))] == [token == MASK for token in tokens]


@given(LENGTHS, RATIOS)
@settings(max_examples=60)
def test_deletion_marks_the_token_after_each_gap(lengths: list[int], ratio: float) -> None:
    ids, mask = _sentences(lengths)
    edited = delete(ids, mask, ratio, VOCABULARY)
    for row, length in enumerate(lengths):
        original, tokens = ids[row][mask[row].bool()].tolist(), _tokens(edited, row)
        assert len(tokens) == len(original) - min(int(torch.tensor(ratio * length).round()), max(length - 1, 0))
        left = set(tokens)
        assert tokens == [token for token in original if token in left]
        for place, token in enumerate(tokens):
            before = original.index(token) - 1
            assert bool(edited.labels[row, place]) == (before >= 0 and original[before] not in left)


@given(LENGTHS, RATIOS)
@settings(max_examples=30)
def test_replacement_marks_what_differs(lengths: list[int], ratio: float) -> None:
    ids, mask = _sentences(lengths)
    edited = replace(ids, mask, ratio, VOCABULARY)
    assert torch.equal(edited.labels, (edited.ids != ids) & mask.bool())
    assert not bool((edited.labels & ~edited.chosen).any())


@given(LENGTHS, RATIOS)
@settings(max_examples=40)
def test_mixed_rows_each_follow_their_own_edit(lengths: list[int], ratio: float) -> None:
    ids, mask = _sentences(lengths)
    edited = mixed(ids, mask, ratio, VOCABULARY, ["replace", "insert", "delete"])
    assert len(edited.ids) == len(ids)
    for row in range(len(lengths)):
        original, tokens = ids[row][mask[row].bool()].tolist(), _tokens(edited, row)
        kind = int(edited.kinds[row])
        if kind == 0:
            assert len(tokens) == len(original)
        elif kind == 1:
            assert [token for token in tokens if token != MASK] == original
        else:
            assert set(tokens) <= set(original)
            assert not bool(edited.chosen[row].any())


def test_mixed_draws_every_edit() -> None:
    ids, mask = _sentences([10] * 300)
    counts = torch.bincount(mixed(ids, mask, 0.15, VOCABULARY, ["replace", "insert", "delete"]).kinds, minlength=3)
    assert bool((counts > 60).all())


def test_masking_is_eighty_ten_ten() -> None:
    torch.manual_seed(0)
    ids = torch.full((400, 100), 20)
    masked, chosen = mask_tokens(ids, torch.ones_like(ids).bool(), VOCABULARY.mask_id, VOCABULARY.size, 0.3)
    assert chosen.float().mean().item() == pytest.approx(0.3, abs=0.01)
    assert (masked[chosen] == MASK).float().mean().item() == pytest.approx(0.8, abs=0.02)
    assert (masked[chosen] == 20).float().mean().item() == pytest.approx(0.1, abs=0.02)
    assert bool((masked[~chosen] == 20).all())


def test_special_first_and_padding_are_not_free() -> None:
    ids = torch.tensor([[30, 31, SEP, 32, PAD]])
    assert editable(ids, torch.tensor([[1, 1, 1, 1, 0]]), VOCABULARY).tolist() == [[False, True, False, True, False]]


def test_insertion_stops_at_the_longest_sequence() -> None:
    ids, mask = _sentences([10, 4])
    tight = Vocabulary(MASK, PAD, 1000, VOCABULARY.special, longest=13)
    assert insert(ids, mask, 0.5, tight).mask.sum(dim=1).tolist() == [13, 8]


def test_all_choices_are_equally_likely() -> None:
    torch.manual_seed(0)
    chosen = choose(torch.tensor([[False, True, True, True, True]]).expand(6000, -1), torch.full((6000,), 2))
    assert bool((chosen.sum(dim=1) == 2).all())
    pairs = torch.bincount((chosen.long() * torch.tensor([0, 1, 2, 4, 8])).sum(dim=1), minlength=16)
    assert pairs[pairs > 0].tolist() == pytest.approx([1000] * 6, rel=0.15)


def test_labels_know_that_an_insertion_is_new_whatever_was_put_there() -> None:
    edited = Edited(
        torch.tensor([[5, 6]]), torch.tensor([[1, 1]]), torch.tensor([[False, True]]), torch.tensor([[5, NO_ORIGIN]]),
        torch.zeros(1, 2, dtype=torch.bool), torch.zeros(1).long(),
    )  # fmt: skip
    assert edited.labels.tolist() == [[False, True]]


def test_draws_come_from_torch_alone() -> None:
    ids, mask = _sentences([10, 8, 6])
    torch.manual_seed(4)
    first = mixed(ids, mask, 0.3, VOCABULARY, ["replace", "insert"])
    torch.manual_seed(4)
    assert torch.equal(first.ids, mixed(ids, mask, 0.3, VOCABULARY, ["replace", "insert"]).ids)
    assert not {"random", "numpy", "np"} & set(vars(token_edits))
