"""Which rows of a batch are the same text: such a pair is not contrasted, since each would be the other's false negative.

None of the papers does this (`RepeatedTexts` "keep" is theirs); in a batch without repetitions it changes nothing, to the last bit. Texts
are compared by their token ids, so that spellings that the encoder cannot distinguish are the same. Objectives ask through
`SentenceLoss.same_text` and `SentenceLoss.repeated_pairs`, which take that choice into account.
"""

from __future__ import annotations

from typing import Any, Literal

import torch
from torch import Tensor

from augcse.objectives.gather import gather_rows

# "mask": pairs of the same text are left out of the negatives. "keep": they are negatives like all others, as published.
RepeatedTexts = Literal["mask", "keep"]
# Odd constants with evenly spread bits (SplitMix64), as signed 64-bit integers.
_OF_TOKEN, _OF_INDEX, _LAST = -7046029254386353131, -4658895280553007687, -7723592293110705685


@torch.no_grad()
def text_keys(features: dict[str, Any]) -> Tensor:
    """Return a 64-bit key per row, equal for equal token sequences with any padding; over several processes those of all rows.

    Features: input_ids and attention_mask (rows, length) -> (rows,) int64.
    """
    ids, mask = features["input_ids"].long(), features["attention_mask"].long()
    indices = torch.arange(1, ids.shape[1] + 1, device=ids.device)
    mixed = (ids + 1) * _OF_TOKEN + indices * _OF_INDEX
    mixed = (mixed ^ (mixed >> 29)) * _LAST
    mixed = mixed ^ (mixed >> 32)
    return gather_rows((mixed * mask).sum(dim=1))


def same_text(left: Tensor, right: Tensor) -> Tensor:
    """Return where two keys are equal. Shapes: (n,), (m,) -> (n, m) bool."""
    return left[:, None] == right[None, :]


def repeated_pairs(originals: Tensor, candidates: Tensor | None = None) -> Tensor:
    """Return which pairs of anchor i and another row's candidate j are not negatives: row j repeats row i, or is a candidate of its text.

    Shapes: keys (batch,) -> (batch, batch) bool, False on the diagonal: a row's own candidate always counts.
    """
    repeated = same_text(originals, originals)
    if candidates is not None:
        repeated = repeated | same_text(originals, candidates)
    return repeated.fill_diagonal_(False)
