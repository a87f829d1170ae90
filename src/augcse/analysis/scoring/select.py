"""A set of augmentations chosen from their scores: AugCSE's procedure (appendix A.3, section 6.1), each step with its reason.

The paper filters by hand and eye; here every filter is a figure of `augcse.analysis.scoring.run.score`:

1. single-sentence operations: no augmentation that takes statistics of the whole corpus;
2. a perturbation rate above 0.2;
3. no traces that contrastive training could exploit: what a classifier of surface features tells apart too often;
4. one of every type: of two that move their sentences the same way, the better one;
5. the rank: section 6.1 finds similarity to speak for an augmentation (r = 0.72 with STS-B) and perplexity difference against it
   (-0.53). The rank is the mean of where it lies in both orders, from 0 to 1; without a language model that of similarity alone; or,
   the paper's other way (Figure 6), where it lies by the score of training with it alone;
6. a diverse set: one after another is taken, the one with the highest rank less `diversity` times its largest likeness to those taken
   before (maximal marginal relevance, Carbonell and Goldstein 1998; a deviation: the paper does not say how its sets became diverse).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.augmentations.scored import TABLE, read_scores
from augcse.augmentations.spec import parse_spec
from augcse.errors import UserError
from augcse.evaluation.metrics import average_ranks
from augcse.files import file_sha256
from augcse.recipe_toml import toml_value

Array = npt.NDArray[Any]
SIZE = 8


@dataclass(frozen=True)
class Limits:
    """What an augmentation has to keep to.

    Attributes:
        least_changed: share of the sentences that it has to change, 0 to 1.
        most_told_apart: accuracy x 100 of the surface classifier, 50 to 100.
        most_alike: cosine of two augmentations' directions above which they are of one type, 0 to 1.
        diversity: how much likeness to those already chosen counts beside the rank, 0 or more.
    """

    least_changed: float = 0.2
    most_told_apart: float = 90.0
    most_alike: float = 0.9
    diversity: float = 0.5


@dataclass(frozen=True)
class Choice:
    """One augmentation, whether it is in the set, and why; `rank` is None where a filter left it out before."""

    name: str
    chosen: bool
    reason: str
    rank: float | None = None


@dataclass(frozen=True)
class Selection:
    """All augmentations that were scored: those chosen, in the order of the choice, then the others."""

    choices: tuple[Choice, ...]
    scores_sha256: str

    @property
    def names(self) -> list[str]:
        """The set."""
        return [choice.name for choice in self.choices if choice.chosen]

    def as_json(self) -> dict[str, Any]:
        """Return the document of `augcse select --json`."""
        return {"names": self.names, "scores_sha256": self.scores_sha256, "choices": [asdict(choice) for choice in self.choices]}

    def toml(self) -> str:
        """Return the file that can be named wherever a set can: `--with my-set.toml`."""
        lines = ["# Chosen by augcse select.", f'scores_sha256 = "{self.scores_sha256}"', "names = ["]
        lines += [f"    {toml_value(choice.name)},  # {choice.reason}" for choice in self.choices if choice.chosen]
        lines += ["]", ""]
        lines += [f"# left out: {choice.name}: {choice.reason}" for choice in self.choices if not choice.chosen]
        return "\n".join(lines) + "\n"


def select(scores: str | Path, size: int = SIZE, limits: Limits | None = None, trained: Mapping[str, float] | None = None) -> Selection:
    """Choose a diverse set of augmentations from what `score` measured.

    Args:
        scores: the folder that `augcse.score(..., output=...)` wrote.
        size: of the set.
        limits: of the filters, and the weight of diversity.
        trained: scores of models that were trained with each augmentation alone, to rank by in place of the predictors; those that are
            not in it are left out.

    Raises:
        UserError: no such folder, one that `score` did not write, limits out of range, or no augmentation that passes the filters.
    """
    limits = limits or Limits()
    _check(size, limits)
    path = Path(scores).expanduser() / TABLE
    table = read_scores(path.parent)
    left_out = {name: reason for name, score in table.items() if (reason := _why_out(name, score, limits) or _untrained(name, trained))}
    names = [name for name in table if name not in left_out]
    if not names:
        raise UserError(f"no augmentation of {path.parent} passes the filters: {_list(left_out)}; score more of them, or loosen the limits")
    by = rank([table[name] for name in names]) if trained is None else _share_below(np.array([trained[name] for name in names]))
    ranks = dict(zip(names, by, strict=True))
    alike = _likeness([table[name] for name in names])
    left_out |= _of_one_type(names, ranks, alike, limits.most_alike)
    kept = [name for name in names if name not in left_out]
    indices = [names.index(name) for name in kept]
    order = [kept[index] for index in diverse(np.array([ranks[name] for name in kept]), alike[np.ix_(indices, indices)], limits.diversity)]
    choices = [Choice(name, True, _why_in(index, name, order, ranks, names, alike), ranks[name]) for index, name in enumerate(order[:size])]
    choices += [Choice(name, False, f"more than {size} pass; rank {ranks[name]:.2f}", ranks[name]) for name in order[size:]]
    choices += [Choice(name, False, reason, ranks.get(name)) for name, reason in left_out.items()]
    return Selection(tuple(choices), file_sha256(path))


def rank(scores: Sequence[Mapping[str, Any]]) -> Array:
    """Return the predictors' rank of each, 0 to 1: the mean of where it lies by similarity and by perplexity difference.

    The median difference counts, since single unlikely words govern the mean.
    """
    similarities = [score["similarity"]["own_pair"] for score in scores]
    parts = [_share_below(np.array(similarities))]
    if all(score["perplexity"] for score in scores):
        parts.append(_share_below(-np.array([score["perplexity"]["median_difference"] for score in scores])))
    mean: Array = np.mean(parts, axis=0)
    return mean


def diverse(ranks: Array, alike: Array, weight: float) -> list[int]:
    """Return all indices in the order of a greedy choice: the highest rank less `weight` times the largest likeness to those before.

    ranks: (n,); alike: (n, n). Of equals the first.
    """
    order: list[int] = []
    while len(order) < len(ranks):
        values = ranks - weight * (np.maximum(alike[:, order], 0).max(axis=1) if order else 0)
        values[order] = -np.inf
        order.append(int(values.argmax()))
    return order


def _share_below(values: Array) -> Array:
    """Return where each value lies in their order, 0 (least) to 1, ties in the middle of theirs; of one value 1. (n,) -> (n,)."""
    shares: Array = (average_ranks(values) - 1) / (len(values) - 1) if len(values) > 1 else np.ones(1)
    return shares


def _why_out(name: str, score: Mapping[str, Any], limits: Limits) -> str | None:
    if parse_spec(name).is_fitted:
        return "takes statistics of the whole corpus, not of one sentence"
    if score["changed_share"] <= limits.least_changed or score["similarity"] is None:
        return f"changes {score['changed_share']:.1%} of the sentences; more than {limits.least_changed:.0%} are asked for"
    told_apart = score["surface"]["told_apart"]
    if told_apart > limits.most_told_apart:
        return f"{told_apart:.0f} % of its results are told apart by surface features; at most {limits.most_told_apart:.0f} % are allowed"
    return None


def _untrained(name: str, trained: Mapping[str, float] | None) -> str | None:
    return "no run trains with it alone" if trained is not None and name not in trained else None


def _likeness(scores: Sequence[Mapping[str, Any]]) -> Array:
    directions = np.array([score["direction"] for score in scores])
    cosines: Array = directions @ directions.T
    return cosines


def _of_one_type(names: Sequence[str], ranks: Mapping[str, float], alike: Array, limit: float) -> dict[str, str]:
    """Return those that a better one moves sentences like; the best come first, and what is out puts no other out."""
    found: dict[str, str] = {}
    order = sorted(range(len(names)), key=lambda index: -ranks[names[index]])
    for number, index in enumerate(order):
        for better in order[:number]:
            if names[better] not in found and alike[index, better] > limit:
                found[names[index]] = f"of one type with {names[better]}: their results move alike (cosine {alike[index, better]:.2f})"
                break
    return found


def _why_in(index: int, name: str, order: Sequence[str], ranks: Mapping[str, float], names: Sequence[str], alike: Array) -> str:
    before = [names.index(other) for other in order[:index]]
    if not before:
        return f"the highest rank, {ranks[name]:.2f}"
    nearest = max(before, key=lambda other: alike[names.index(name), other])
    return f"rank {ranks[name]:.2f}, most like {names[nearest]} (cosine {alike[names.index(name), nearest]:.2f})"


def _check(size: int, limits: Limits) -> None:
    if size < 1:
        raise UserError(f"a set of {size}; give 1 or more")
    ranges = {"least_changed": (0, 1), "most_told_apart": (50, 100), "most_alike": (0, 1), "diversity": (0, 100)}
    for name, (least, most) in ranges.items():
        value = getattr(limits, name)
        if not least <= value <= most:
            raise UserError(f"{name} is {value:g}; give {least} to {most}")


def _list(reasons: Mapping[str, str]) -> str:
    shown = [f"{name} {reason}" for name, reason in list(reasons.items())[:2]]
    return "; ".join([*shown, *([f"and {len(reasons) - 2} more"] if len(reasons) > 2 else [])])
