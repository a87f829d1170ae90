"""Edits of token sequences (replace, insert, delete) and the labels of edited tokens.

Chuang et al. 2022, "DiffCSE", arXiv 2204.10298, sections 3 and 5 (Table 4). All functions work on right-padded batches, on
the device of the tensors; position 0 and special tokens are never edited. Random numbers come from torch's default generator.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import torch
from torch import Tensor

from augcse.objectives.option_types import EditName

# The `origin` of an inserted token.
NO_ORIGIN = -1


@dataclass(frozen=True)
class Vocabulary:
    """Token ids that edits need, and the maximum sequence length of the models."""

    mask_id: int
    pad_id: int
    size: int
    special: Tensor  # (number of special tokens,)
    longest: int


@dataclass(frozen=True)
class Edited:
    """A batch of edited sentences; all tensors but `kinds` are (rows, length)."""

    ids: Tensor
    mask: Tensor  # 1 on real tokens
    chosen: Tensor  # bool: masked or inserted
    origin: Tensor  # the token id before the edit, NO_ORIGIN at inserted tokens
    gap: Tensor  # bool: the token just before this one was deleted
    kinds: Tensor  # (rows,): the row's edit, an index into the list of edits

    @property
    def labels(self) -> Tensor:
        """Whether a token is replaced or inserted, or follows a deleted one: (rows, length) bool.

        A token replaced by itself does not count as replaced (paper, L_RTD: x''_t = x_t).
        """
        return (self.gap | (self.ids != self.origin)) & self.mask.bool()

    def lengthened(self, length: int, pad_id: int) -> Edited:
        """Return the same sentences padded to `length`."""
        return Edited(**_padded(self, length, pad_id), kinds=self.kinds)

    def take(self, rows: Tensor) -> Edited:
        """Return the given rows, in that order."""
        return Edited(*(getattr(self, field.name)[rows] for field in fields(self)))


def editable(ids: Tensor, mask: Tensor, vocabulary: Vocabulary) -> Tensor:
    """Return which tokens may be edited: real ones that are not special and not first. Shapes: (rows, length) -> bool."""
    free = mask.bool() & ~torch.isin(ids, vocabulary.special)
    free[:, 0] = False
    return free


def mask_tokens(
    ids: Tensor, maskable: Tensor, mask_id: int, vocabulary_size: int, probability: float, continues: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Choose tokens with `probability`; of the chosen 80 % become [MASK], 10 % a random token, 10 % stay (BERT).

    So at a probability of 0.3 about 24 % are [MASK]. Random tokens are drawn from the whole vocabulary, as in the code of SimCSE and
    DiffCSE. With `continues`, which marks tokens that continue the word of the previous one, whole words are chosen; the replacement is
    still drawn per token. Shapes: ids int (rows, length), maskable and continues bool (rows, length) -> the masked ids, and which were
    chosen, both (rows, length).
    """
    draws = torch.rand((2, *ids.shape), device=ids.device)
    choices = draws[0] if continues is None else draws[0].gather(1, _first_of_word(continues))
    chosen = (choices < probability) & maskable
    random_ids = torch.randint(vocabulary_size, ids.shape, device=ids.device)
    masked = torch.where(chosen & (draws[1] < 0.8), torch.full_like(ids, mask_id), ids)
    return torch.where(chosen & (draws[1] >= 0.9), random_ids, masked), chosen


def replace(ids: Tensor, mask: Tensor, ratio: float, vocabulary: Vocabulary, kind: int = 0) -> Edited:
    """Mask tokens for a generator to replace. Shapes: ids, mask (rows, length)."""
    masked, chosen = mask_tokens(ids, editable(ids, mask, vocabulary), vocabulary.mask_id, vocabulary.size, ratio)
    return Edited(masked, mask, chosen, ids, torch.zeros_like(chosen), _kind_of_rows(ids, kind))


def insert(ids: Tensor, mask: Tensor, ratio: float, vocabulary: Vocabulary, kind: int = 0) -> Edited:
    """Insert round(ratio * T) [MASK]s at random positions of a sentence of T tokens, for a generator to fill.

    Never before the first token nor after the last ([SEP]); never beyond the models' maximum length. Every choice of
    positions in the longer sentence is equally likely, so several may be adjacent. Shapes: ids, mask (rows, length).
    """
    lengths = mask.sum(dim=1)  # (rows,)
    counts = _number_of_edits(editable(ids, mask, vocabulary), ratio).minimum((vocabulary.longest - lengths).clamp(min=0))
    longer = lengths + counts
    positions = torch.arange(_longest(longer), device=ids.device).expand(len(ids), -1)  # (rows, longest)
    inserted = choose((positions > 0) & (positions < longer[:, None] - 1), counts)
    before = (~inserted).cumsum(dim=1) - 1  # each kept token's index in the old sentence
    real = positions < longer[:, None]
    # Whatever is gathered beyond a row's end is overwritten by padding.
    origin = ids.gather(1, before.clamp(min=0, max=ids.shape[1] - 1)).masked_fill(~real, vocabulary.pad_id)
    return Edited(
        origin.masked_fill(inserted, vocabulary.mask_id),
        real.to(mask.dtype),
        inserted,
        origin.masked_fill(inserted, NO_ORIGIN),
        torch.zeros_like(inserted),
        _kind_of_rows(ids, kind),
    )


def delete(ids: Tensor, mask: Tensor, ratio: float, vocabulary: Vocabulary, kind: int = 0) -> Edited:
    """Delete round(ratio * T) of a sentence's T tokens, keeping at least one; the token after a deleted one is marked.

    After a deleted last token that is [SEP] (the paper does not say). Shapes: ids, mask (rows, length).
    """
    free = editable(ids, mask, vocabulary)
    deleted = choose(free, _number_of_edits(free, ratio).minimum((free.sum(dim=1) - 1).clamp(min=0)))
    kept = mask.bool() & ~deleted
    after = torch.zeros_like(deleted)
    after[:, 1:] = deleted[:, :-1]
    lengths = kept.sum(dim=1)
    order = (~kept).to(torch.int8).argsort(dim=1, stable=True)[:, : _longest(lengths)]  # kept tokens first, in their order
    real = torch.arange(order.shape[1], device=ids.device) < lengths[:, None]
    remaining = ids.gather(1, order).masked_fill(~real, vocabulary.pad_id)
    return Edited(
        remaining, real.to(mask.dtype), torch.zeros_like(real), remaining, after.gather(1, order) & real, _kind_of_rows(ids, kind)
    )


def mixed(ids: Tensor, mask: Tensor, ratio: float, vocabulary: Vocabulary, edits: Sequence[EditName]) -> Edited:
    """Apply one of `edits`, drawn uniformly, to each row (Table 4, "combining all", which the paper does not define)."""
    functions = {"replace": replace, "insert": insert, "delete": delete}
    if len(edits) == 1:
        return functions[edits[0]](ids, mask, ratio, vocabulary)
    drawn = torch.randint(len(edits), (len(ids),), device=ids.device)
    rows = [(drawn == kind).nonzero()[:, 0] for kind in range(len(edits))]
    parts = [functions[name](ids[rows[kind]], mask[rows[kind]], ratio, vocabulary, kind) for kind, name in enumerate(edits)]
    return _stack(parts, vocabulary.pad_id).take(torch.cat(rows).argsort())


def choose(eligible: Tensor, counts: Tensor) -> Tensor:
    """Choose counts[i] of row i's eligible positions, uniformly. Shapes: (rows, length) bool, (rows,) -> bool."""
    scores = torch.rand(eligible.shape, device=eligible.device).masked_fill(~eligible, 2.0)
    ranks = scores.argsort(dim=1).argsort(dim=1)
    return (ranks < counts[:, None]) & eligible


def pad_to(values: Tensor, length: int, filling: int) -> Tensor:
    """Pad (rows, any) to (rows, length) on the right."""
    return torch.nn.functional.pad(values, (0, length - values.shape[1]), value=filling)


def _stack(parts: Sequence[Edited], pad_id: int) -> Edited:
    length = max(part.ids.shape[1] for part in parts)
    padded = [_padded(part, length, pad_id) for part in parts]
    stacked = {name: torch.cat([part[name] for part in padded]) for name in padded[0]}
    return Edited(**stacked, kinds=torch.cat([part.kinds for part in parts]))


def _padded(edited: Edited, length: int, pad_id: int) -> dict[str, Tensor]:
    filling = {"ids": pad_id, "origin": pad_id, "mask": 0, "chosen": 0, "gap": 0}
    return {name: pad_to(getattr(edited, name), length, value) for name, value in filling.items()}


def _first_of_word(continues: Tensor) -> Tensor:
    """Return the index of the first token of each token's word. Shapes: (rows, length) bool -> int."""
    positions = torch.arange(continues.shape[1], device=continues.device).expand_as(continues)
    return positions.masked_fill(continues, 0).cummax(dim=1).values


def _number_of_edits(free: Tensor, ratio: float) -> Tensor:
    return (free.sum(dim=1) * ratio).round().long()


def _longest(lengths: Tensor) -> int:
    return int(lengths.max()) if len(lengths) else 0


def _kind_of_rows(ids: Tensor, kind: int) -> Tensor:
    return torch.full((len(ids),), kind, device=ids.device)
