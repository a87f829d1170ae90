"""How the losses of the objective "contrastive" are named with their weights: "ranking:1.0,triplet:0.5"."""

from __future__ import annotations

import math
from typing import Literal, get_args

from augcse.errors import UserError, unknown_name

PairLossName = Literal["ranking", "ranking_pos_neg", "ranking_neg", "triplet", "alignment", "contrastive", "hard_contrastive"]
_LARGEST_WEIGHT = 1e6


def parse_losses(text: str) -> dict[PairLossName, float]:
    """Read "ranking:1.0,triplet:0.5"; a loss without a weight gets 1 / (the number of losses), as in the published code.

    Raises:
        UserError: no loss, an unknown one, one that is named twice, or a weight that is none.

    >>> parse_losses("ranking")
    {'ranking': 1.0}
    """
    parts = [part.partition(":") for part in text.split(",") if part.strip()]
    if not parts:
        raise UserError("no loss named; give one or several of: " + ", ".join(get_args(PairLossName)))
    weights: dict[PairLossName, float] = {}
    for name, colon, weight in ((_known(name.strip()), colon, weight) for name, colon, weight in parts):
        if name in weights:
            raise UserError(f"contrastive loss {name} is named twice in {text!r}; name it once")
        weights[name] = _weight(weight, text) if colon else 1 / len(parts)
    return weights


def check_losses(text: str) -> str:
    """Return the text; raises as `parse_losses`."""
    parse_losses(text)
    return text


def _known(name: str) -> PairLossName:
    for known in get_args(PairLossName):
        if name == known:
            found: PairLossName = known
            return found
    raise unknown_name("contrastive loss", name, get_args(PairLossName))


def _weight(text: str, whole: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if not 0 <= weight <= _LARGEST_WEIGHT:
        raise UserError(f"{whole!r}: {text.strip()!r} is no weight; write e.g. ranking:1.0,triplet:0.5")
    return weight
