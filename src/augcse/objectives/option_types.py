"""What the options of objectives may be. Their constructors are annotated with these names and Python's own types.

No torch here: recipes are checked, and `augcse list` answers, without importing the losses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, Field

from augcse.augmentations.option_types import ModelName
from augcse.encoding.static.options import StaticOptions, static_options
from augcse.errors import UserError, unknown_name
from augcse.objectives.measured_gaps import measured_gaps
from augcse.options import Share, option_texts, options_of, read_options

__all__ = ["ModelName", "Share"]


@dataclass(frozen=True)
class ReadFrom:
    """Marks an option that a recipe may give as the name of a folder.

    Args:
        read: turns the folder's name and the recipe's augmentations into the option's value; raises `UserError` for an unfit folder.
    """

    read: Callable[[str, Sequence[str]], Any]


def reader_of(annotation: Any) -> Callable[[str, Sequence[str]], Any] | None:
    """Return what reads an option's value from a folder; None for an option that takes none."""
    return next((mark.read for mark in get_args(annotation)[1:] if isinstance(mark, ReadFrom)), None)


# The options of each kind of projection, with their defaults; all are whole numbers.
PROJECTIONS: Mapping[str, Mapping[str, int]] = {
    "none": {},
    "linear": {},
    "mlp": {"layers": 1, "heads": 1},
    "batchnorm": {},
    "moe": {"experts": 4, "active": 1},
}
# More would be larger than the encoder that the projection is discarded from.
_LARGEST = 64


@dataclass(frozen=True, slots=True)
class ProjectionSpec:
    """A kind and its options, written `kind[:option=number ...]`."""

    kind: str
    options: dict[str, int] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> ProjectionSpec:
        """Read a spec; raises `UserError` for an unknown kind or option, or a value that is no whole number from 1 to 64."""
        kind, *parts = text.split(":")
        if kind not in PROJECTIONS:
            raise unknown_name("projection", kind, PROJECTIONS)
        options = dict(PROJECTIONS[kind])
        for part in parts:
            name, _, value = part.partition("=")
            if name not in options:
                raise unknown_name(f"option of projection {kind}", name, options)
            if not (value.isascii() and value.isdigit() and len(value) < 9 and 1 <= int(value) <= _LARGEST):
                raise UserError(f"projection {text!r}: {name} is {value!r}; give a whole number from 1 to {_LARGEST}")
            options[name] = int(value)
        if kind == "moe" and options["active"] > options["experts"]:
            experts = options["experts"]
            raise UserError(f"projection {text!r}: {options['active']} of {experts} experts cannot be active; give 1 to {experts}")
        return cls(kind, options)


PairLossName = Literal["ranking", "ranking_pos_neg", "ranking_neg", "triplet", "alignment", "contrastive", "hard_contrastive"]
_LARGEST_WEIGHT = 1e6


def parse_losses(text: str) -> dict[PairLossName, float]:
    """Read "ranking:1.0,triplet:0.5"; a loss without a weight gets 1 / (the number of losses), as in the published code.

    Raises:
        UserError: no loss, an unknown one, one that is named twice, or a weight that is not a number from 0 to a million.

    >>> parse_losses("ranking")
    {'ranking': 1.0}
    """
    entries = [entry.partition(":") for entry in text.split(",") if entry.strip()]
    if not entries:
        raise UserError("no loss named; give one or several of: " + ", ".join(get_args(PairLossName)))
    weights: dict[PairLossName, float] = {}
    for name_text, colon, weight in entries:
        name = _known_loss(name_text.strip())
        if name in weights:
            raise UserError(f"contrastive loss {name} is named twice in {text!r}; name it once")
        weights[name] = _loss_weight(weight, text) if colon else 1 / len(entries)
    return weights


def _known_loss(name: str) -> PairLossName:
    for known in get_args(PairLossName):
        if name == known:
            loss: PairLossName = known
            return loss
    raise unknown_name("contrastive loss", name, get_args(PairLossName))


def _loss_weight(text: str, losses: str) -> float:
    """Return a weight from 0 to a million; `losses` is the whole text, for the message."""
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if not 0 <= weight <= _LARGEST_WEIGHT:
        raise UserError(f"{losses!r}: {text.strip()!r} is no weight; write e.g. ranking:1.0,triplet:0.5")
    return weight


def _checked_by(parse: Callable[[str], object]) -> AfterValidator:
    """Return the check of a text that `parse` takes; it stays a text."""
    return AfterValidator(lambda text: (parse(text), text)[1])


def _without_repetition(names: Sequence[str]) -> Sequence[str]:
    if len(set(names)) < len(names):
        raise UserError(f"one is named twice in {list(names)}; name each once")
    return names


def parse_teacher(text: str) -> tuple[str, dict[str, Any]]:
    """Read a teacher: ("static", its options), ("ema", {}), or (a folder or hub name, {}).

    "static" is the static encoder of the run's own text: of the backbone's embedding table, unless options of `augcse static` change
    that ("static:rows=both:tokens_once=true").

    Raises:
        UserError: no name, or options that the static encoder does not have or take.
    """
    name, *parts = text.split(":")
    if not text.strip():
        raise UserError("a teacher has no name; give static, ema, a folder or a hub name")
    if name != "static":
        return text, {}
    names = [field.name for field in fields(StaticOptions) if field.name != "backbone"]
    given = read_options(options_of(StaticOptions, names), option_texts(text, name, parts), f"teacher {text!r}")
    settings = {"rows": "backbone", **given}
    static_options({**settings, "backbone": "mini-bert"})
    return name, settings


# What divides a cosine or a distance.
Temperature = Annotated[float, Field(gt=0, le=100)]
# The factor of a term of the loss.
Weight = Annotated[float, Field(ge=0, le=1_000_000)]
# Greater than 0 and less than 1.
PartialShare = Annotated[float, Field(gt=0, lt=1)]
PartialShareOrNone = Annotated[float, Field(ge=0, lt=1)]
# Greater than 0, at most 1.
PositiveShare = Annotated[float, Field(gt=0, le=1)]
DropoutRate = Annotated[float, Field(ge=0, lt=1)]
ProjectionKind = Annotated[
    str,
    _checked_by(ProjectionSpec.parse),
    Field(description="none, linear, mlp[:layers=N:heads=N], batchnorm, or moe[:experts=N:active=N]"),
]
Fidelity = Literal["paper", "repo"]

# AugCSE: any sign; beyond this the encoder sees nothing else.
ReversalFactor = Annotated[float, Field(ge=-10_000, le=10_000)]
DiscriminatorDepth = Annotated[int, Field(ge=1, le=16)]
Discrimination = Literal["augmentation", "original", "order", "none"]
# The discriminator added to any objective: how alpha changes during training, and which rows count.
AlphaSchedule = Literal["constant", "dann"]
DiscriminatedRows = Literal["all", "augmented", "balanced"]
Contrast = Literal["originals", "augmented"]

# The seven losses of AugCSE's code.
Losses = Annotated[str, _checked_by(parse_losses), Field(description="names with weights, e.g. ranking:1.0,triplet:0.5")]
Sampling = Literal["by_role", "uniform"]
Distance = Literal["cosine", "euclidean", "manhattan"]
Margin = Annotated[float, Field(ge=0, le=10_000)]
# Below 1 its slope is infinite at 0.
AlignmentPower = Annotated[float, Field(ge=1, le=16)]
UniformityScale = Annotated[float, Field(gt=0, le=10_000)]
# Added to a logit: the logarithm of a weight.
LogWeight = Annotated[float, Field(ge=-100, le=100)]

# DiffCSE.
EditName = Literal["replace", "insert", "delete"]
Edits = Annotated[Sequence[EditName], AfterValidator(_without_repetition), Field(min_length=1)]
DifferenceTask = Literal["detection", "masked_lm", "corrective_lm"]
Condition = Literal["projected", "pooled"]
Role = Literal["positive", "negative"]
LayerCount = Annotated[int, Field(ge=1, le=1000)]

# Rows that ESimCSE's queue holds: each is a vector in memory.
QueueRows = Annotated[int, Field(ge=0, le=1_000_000)]
# UNA: batches.
BatchCount = Annotated[int, Field(ge=0, le=1_000_000)]
Method = Literal["interpolation", "extrapolation", "linear", "gaussian"]
Deviation = Annotated[float, Field(ge=0, le=1000)]

# SNCSE: by how much a cosine is to be below another; and the least and the greatest gap of each augmentation.
Gap = Annotated[float, Field(ge=0, le=2)]
Gaps = Annotated[
    Sequence[Annotated[Sequence[Gap], Field(min_length=2, max_length=2, description="a pair of numbers from 0 to 2")]],
    Field(max_length=1000, description="a list, each a pair of numbers from 0 to 2; in a recipe also a folder that augcse score wrote"),
    ReadFrom(measured_gaps),
]
# SimCSE++: multiplies the positive pair's cosine.
PositiveScale = Annotated[float, Field(gt=0, le=100)]
# Documents.
DocumentPairs = Literal["next", "crops"]
CropTokens = Annotated[int, Field(ge=1, le=100_000)]

# RankCSE: encoders that rank, each a spec of `parse_teacher`, with weights; and the loss that teaches their order.
RankingKind = Literal["listnet", "listmle", "kl", "squared"]
# RankEncoder: sentences that each row is ranked against; 0: none.
RankSentences = Annotated[int, Field(ge=0, le=100_000)]
Teachers = Annotated[
    Sequence[Annotated[str, _checked_by(parse_teacher), Field(description="static[:option=value], ema, a folder or a hub name")]],
    AfterValidator(_without_repetition),
    Field(min_length=1, max_length=16),
]
TeacherWeights = Annotated[Sequence[Annotated[float, Field(gt=0, le=1_000_000)]], Field(max_length=16)]
