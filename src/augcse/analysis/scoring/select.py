"""Selection of a set of augmentations by their scores, after AugCSE (appendix A.3, section 6.1), with a reason for each decision.

The paper filters manually; here every filter is a threshold on a score of `augcse.analysis.scoring.run.score`:

1. single-sentence operations: no augmentation that takes statistics of the whole corpus;
2. a perturbation rate above 0.2;
3. no artifacts that contrastive training could exploit: a limit on the accuracy of a classifier of surface features;
4. one of each type: of two that move embeddings in the same direction, only the better one;
5. the rank: in section 6.1, the quality of an augmentation correlates with similarity (r = 0.72 with STS-B) and with perplexity difference
   (-0.53). The rank is the mean of its normalised ranks by both, from 0 to 1; without a language model that by similarity alone; or, as in
   Figure 6, its normalised rank by the score of training with it alone;
6. diversity: greedily, the augmentation with the highest rank minus `diversity` times its largest similarity to those already chosen
   (maximal marginal relevance, Carbonell and Goldstein 1998; a deviation: the paper does not say how its sets became diverse).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.analysis.sample import MIN_PAIRS
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
    """The limits of the filters, and the weight of diversity.

    Attributes:
        least_changed: minimum share of sentences that an augmentation changes, 0 to 1.
        most_told_apart: maximum accuracy x 100 of the surface classifier, 50 to 100.
        most_alike: cosine of two augmentations' directions above which they are of one type, 0 to 1.
        diversity: weight of the similarity to those already chosen, relative to the rank, 0 or more.
    """

    least_changed: float = 0.2
    most_told_apart: float = 90.0
    most_alike: float = 0.9
    diversity: float = 0.5


@dataclass(frozen=True)
class Choice:
    """One augmentation, whether it is in the set, and why; `rank` is None if a filter removed it first."""

    name: str
    chosen: bool
    reason: str
    rank: float | None = None


@dataclass(frozen=True)
class SetSelection:
    """All scored augmentations: the chosen ones, in order of choice, then the others."""

    choices: tuple[Choice, ...]
    scores_sha256: str

    @property
    def names(self) -> list[str]:
        """The names of the chosen augmentations."""
        return [choice.name for choice in self.choices if choice.chosen]

    def as_json(self) -> dict[str, Any]:
        """Return the document of `augcse select --json`."""
        return {"names": self.names, "scores_sha256": self.scores_sha256, "choices": [asdict(choice) for choice in self.choices]}

    def toml(self) -> str:
        """Return a set file, to be used like the name of a set: `--with my-set.toml`."""
        lines = ["# Chosen by augcse select.", f'scores_sha256 = "{self.scores_sha256}"', "names = ["]
        lines += [f"    {toml_value(choice.name)},  # {choice.reason}" for choice in self.choices if choice.chosen]
        lines += ["]", ""]
        lines += [f"# left out: {choice.name}: {choice.reason}" for choice in self.choices if not choice.chosen]
        return "\n".join(lines) + "\n"


def select(scores: str | Path, size: int = SIZE, limits: Limits | None = None, trained: Mapping[str, float] | None = None) -> SetSelection:
    """Choose a diverse set of augmentations by their scores.

    Args:
        scores: the folder that `augcse.score(..., output=...)` wrote.
        size: of the set.
        limits: of the filters, and the weight of diversity.
        trained: scores of models trained with each augmentation alone, to rank by instead of similarity and perplexity; augmentations
            without one are left out.

    Raises:
        UserError: no such folder, one that `score` did not write, limits out of range, or no augmentation that passes the filters.
    """
    limits = limits or Limits()
    _check_limits(size, limits)
    path = Path(scores).expanduser() / TABLE
    table = read_scores(path.parent)
    reasons = {name: _filter_reason(name, score, limits) or _untrained_reason(name, trained) for name, score in table.items()}
    left_out = {name: reason for name, reason in reasons.items() if reason}
    names = [name for name in table if name not in left_out]
    if not names:
        raise UserError(
            f"no augmentation of {path.parent} passes the filters: {_shortened(left_out)}; score more of them, or loosen the limits"
        )
    if trained is None:
        rank_values = rank([table[name] for name in names])
    else:
        rank_values = _normalised_ranks(np.array([trained[name] for name in names]))
    ranks = dict(zip(names, rank_values, strict=True))
    similarity = _direction_cosines([table[name] for name in names])
    left_out |= _same_type(names, ranks, similarity, limits.most_alike)
    kept = [name for name in names if name not in left_out]
    indices = [names.index(name) for name in kept]
    kept_ranks = np.array([ranks[name] for name in kept])
    order = [kept[index] for index in diverse(kept_ranks, similarity[np.ix_(indices, indices)], limits.diversity)]
    chosen_reasons = {name: _choice_reason(index, name, order, ranks, names, similarity) for index, name in enumerate(order[:size])}
    choices = [Choice(name, True, reason, ranks[name]) for name, reason in chosen_reasons.items()]
    choices += [Choice(name, False, f"more than {size} pass; rank {ranks[name]:.2f}", ranks[name]) for name in order[size:]]
    choices += [Choice(name, False, reason, ranks.get(name)) for name, reason in left_out.items()]
    return SetSelection(tuple(choices), file_sha256(path))


def rank(scores: Sequence[Mapping[str, Any]]) -> Array:
    """Return the rank of each, 0 to 1: the mean of its normalised ranks by similarity and by perplexity difference.

    The median difference is used, since single unlikely words dominate the mean.
    """
    similarities = [score["similarity"]["own_pair"] for score in scores]
    rank_lists = [_normalised_ranks(np.array(similarities))]
    if all(score["perplexity"] for score in scores):
        rank_lists.append(_normalised_ranks(-np.array([score["perplexity"]["median_difference"] for score in scores])))
    mean: Array = np.mean(rank_lists, axis=0)
    return mean


def diverse(ranks: Array, similarity: Array, weight: float) -> list[int]:
    """Return all indices in greedy order: highest rank minus `weight` times the largest similarity to those before.

    ranks: (n,); similarity: (n, n). Ties go to the first.
    """
    order: list[int] = []
    while len(order) < len(ranks):
        values = ranks - weight * (np.maximum(similarity[:, order], 0).max(axis=1) if order else 0)
        values[order] = -np.inf
        order.append(int(values.argmax()))
    return order


def _normalised_ranks(values: Array) -> Array:
    """Return average ranks scaled to 0 (smallest) to 1; a single value gets 1. (n,) -> (n,)."""
    shares: Array = (average_ranks(values) - 1) / (len(values) - 1) if len(values) > 1 else np.ones(1)
    return shares


def _filter_reason(name: str, score: Mapping[str, Any], limits: Limits) -> str | None:
    """Return why an augmentation is filtered out; None if it passes all filters."""
    if parse_spec(name).is_fitted:
        return "takes statistics of the whole corpus, not of one sentence"
    if score["changed_share"] <= limits.least_changed:
        return f"changes {score['changed_share']:.1%} of the sentences; more than {limits.least_changed:.0%} are asked for"
    if score["similarity"] is None:
        return f"changed {score['changed']} sentences of the sample, {MIN_PAIRS} are needed to measure it; score it with a larger --sample"
    told_apart = score["surface"]["told_apart"]
    if told_apart > limits.most_told_apart:
        return f"{told_apart:.0f} % of its results are told apart by surface features; at most {limits.most_told_apart:.0f} % are allowed"
    return None


def _untrained_reason(name: str, trained: Mapping[str, float] | None) -> str | None:
    return "no run trains with it alone" if trained is not None and name not in trained else None


def _direction_cosines(scores: Sequence[Mapping[str, Any]]) -> Array:
    directions = np.array([score["direction"] for score in scores])
    cosines: Array = directions @ directions.T
    return cosines


def _same_type(names: Sequence[str], ranks: Mapping[str, float], similarity: Array, limit: float) -> dict[str, str]:
    """Return the augmentations that are of one type with a better one that is kept, each with the reason."""
    reasons: dict[str, str] = {}
    order = sorted(range(len(names)), key=lambda index: -ranks[names[index]])
    for position, index in enumerate(order):
        for better in order[:position]:
            if names[better] not in reasons and similarity[index, better] > limit:
                reasons[names[index]] = (
                    f"of one type with {names[better]}: their results move alike (cosine {similarity[index, better]:.2f})"
                )
                break
    return reasons


def _choice_reason(index: int, name: str, order: Sequence[str], ranks: Mapping[str, float], names: Sequence[str], similarity: Array) -> str:
    earlier = [names.index(other) for other in order[:index]]
    if not earlier:
        return f"the highest rank, {ranks[name]:.2f}"
    nearest = max(earlier, key=lambda other: similarity[names.index(name), other])
    return f"rank {ranks[name]:.2f}, most like {names[nearest]} (cosine {similarity[names.index(name), nearest]:.2f})"


def _check_limits(size: int, limits: Limits) -> None:
    if size < 1:
        raise UserError(f"a set of {size}; give 1 or more")
    ranges = {"least_changed": (0, 1), "most_told_apart": (50, 100), "most_alike": (0, 1), "diversity": (0, 100)}
    for name, (least, most) in ranges.items():
        value = getattr(limits, name)
        if not least <= value <= most:
            raise UserError(f"{name} is {value:g}; give {least} to {most}")


def _shortened(reasons: Mapping[str, str]) -> str:
    listed = [f"{name} {reason}" for name, reason in list(reasons.items())[:2]]
    if len(reasons) > 2:
        listed.append(f"and {len(reasons) - 2} more")
    return "; ".join(listed)
