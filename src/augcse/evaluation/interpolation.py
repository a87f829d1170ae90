"""Interpolation between the initial and the trained model: scores over the mixing weight, and the weight that is kept.

theta(w) = (1 - w) theta_start + w theta_trained, as Wortsman et al. 2022, "Robust Fine-tuning of Zero-shot Models" (WiSE-FT, arXiv
2109.01903), and Xiao et al. 2023, "LM-Cocktail" (arXiv 2311.13534), for encoders. There the weight is a habit (0.5) or comes from a few
examples; here it is chosen by development scores, with their uncertainty: the smallest weight that is not clearly below the best one.

Not every weight need be scored: the ends and the middle first, then the middles on both sides of the best of them, at last by halves
between the weights that are clearly below the best and those that are not. So of eleven weights four to seven are scored, in an order
that depends on nothing but the scores. Where the curve has one top, and what is clearly below it ends at one weight, that weight is
found; the top itself is known to a quarter of the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from augcse.encoding.mixing import float32_state, mixed_state
from augcse.encoding.own_modules import load_as_given, own_modules_file
from augcse.encoding.saving import EncoderSaver
from augcse.evaluation.bootstrap import Comparison
from augcse.evaluation.samples import RESAMPLES, Measured, bootstrap_generator, compared
from augcse.files import whole_folder
from augcse.sections import InterpolationSection
from augcse.training.checkpoints import trained_encoder
from augcse.training.encoder import load_given
from augcse.training.run_folder import CHECKPOINTS

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from augcse.config import Recipe
    from augcse.training.run import Trained
    from augcse.training.watcher import Watcher

Measure = Callable[["SentenceTransformer"], Measured]


@dataclass(frozen=True)
class Mix:
    """A point of the curve: weight, scores (the selecting one first), and the comparison to the start, which has none itself."""

    weight: float
    dev: dict[str, float]
    from_start: Comparison | None = None


@dataclass(frozen=True)
class Interpolation:
    """The curve, in order of the weights, and the index of the kept one."""

    trained_step: int
    weight: float
    curve: tuple[Mix, ...] = field(default=())

    def as_json(self) -> dict[str, Any]:
        """Return the entry "interpolation" of a run's record."""
        return {"trained_step": self.trained_step, "weight": self.weight, "curve": [asdict(mix) for mix in self.curve]}


def interpolate(
    recipe: Recipe, trained: Trained, measure: Measure | None, seed: int = 0, advance: Callable[[int], None] = lambda count: None
) -> Interpolation:
    """Score weights of the recipe, and save the model of the one that is kept as `trained.model`.

    Args:
        recipe: the resolved one.
        trained: the training.
        measure: scores a model; None: nothing is scored, and the largest weight is kept.
        seed: of the resamples.
        advance: called with 1 after each weight.
    """
    begun = recipe.beginning_with(trained.start)
    # A pooler that the start lacks is drawn where training left the generator, and is part of the models on record.
    model = load_given(begun, seed=None).float()
    saver = EncoderSaver(model, own_modules_file(begun.model.backbone))
    start = float32_state(model)
    folder, step = trained_encoder(trained.model.parent / CHECKPOINTS)
    end = float32_state(load_as_given(str(folder), recipe.model.bare_pooling))

    def mix(weight: float) -> SentenceTransformer:
        model.load_state_dict(mixed_state(start, end, weight))
        return model.eval()

    weights = recipe.interpolation.weights
    measured: dict[int, Measured] = {}

    def score(index: int) -> Measured:
        if index not in measured:
            measured[index] = measure(mix(weights[index]))  # type: ignore[misc]
            advance(1)
        return measured[index]

    kept = weights[choose(len(weights), score, seed, recipe.interpolation) if measure else -1]
    curve = tuple(_curve(weights, measured, seed))
    mix(kept)
    with whole_folder(trained.model) as partial:
        saver.save(partial)
    return Interpolation(step, kept, curve)


def interpolate_run(recipe: Recipe, trained: Trained, measure: Measure | None, watcher: Watcher) -> dict[str, Any]:
    """Interpolate in the first process, while the others wait; return the entry of the record."""
    from augcse.training.processes import is_first_process, wait_for_all

    found: dict[str, Any] = {"trained_step": 0, "weight": 0.0, "curve": []}
    if is_first_process():
        watcher.start("interpolating", None)
        found = interpolate(recipe, trained, measure, recipe.training.seed, lambda done: watcher.advance(done, {})).as_json()
    wait_for_all()
    return found


def choose(count: int, measured: Callable[[int], Measured], seed: int = 0, section: InterpolationSection | None = None) -> int:
    """Return which of `count` models is kept: the first not clearly below the best, the interval of the difference holding 0.

    Where the section's choice is "best", the first of the best. The best is that of the models which the search scores before it halves.

    Args:
        count: how many models there are, in order of preference, the start first.
        measured: scores one; called for those alone that the section's search asks for, and more than once for some.
        seed: of the resamples.
        section: of a recipe; None: its defaults.
    """
    section = section or InterpolationSection()
    scored = set(range(count)) if section.search == "all" else _coarse(count, measured)
    best = _best(scored, measured)
    if section.choice == "best":
        return best
    below = -1
    for high in sorted(index for index in scored if index <= best):
        if not _clearly_below(measured(high), measured(best), seed):
            break
        below = high
    while high - below > 1 and high > 0:
        middle = (below + high) // 2
        below, high = (middle, high) if _clearly_below(measured(middle), measured(best), seed) else (below, middle)
    return high


def _coarse(count: int, measured: Callable[[int], Measured]) -> set[int]:
    """Return both ends, the middle, and the midpoints on either side of the best of these."""
    scored = {0, (count - 1) // 2, count - 1}
    best = _best(scored, measured)
    lower, upper = max((index for index in scored if index < best), default=best), min((i for i in scored if i > best), default=best)
    return scored | {(lower + best) // 2, (best + upper) // 2}


def _best(scored: Iterable[int], measured: Callable[[int], Measured]) -> int:
    return max(scored, key=lambda index: (measured(index).score, -index))


def _clearly_below(one: Measured, best: Measured, seed: int) -> bool:
    """Whether the interval of the difference lies above 0; for a model and itself it does not."""
    if one is best:
        return False
    return _compared(one, best, seed).interval.low > 0


def _curve(weights: Sequence[float], measured: Mapping[int, Measured], seed: int) -> list[Mix]:
    # The first weight is 0.
    return [
        Mix(weights[index], dict(one.figures), _compared(measured[0], one, seed) if index else None)
        for index, one in sorted(measured.items())
    ]


def _compared(first: Measured, second: Measured, seed: int) -> Comparison:
    """Compare two models on the same resamples for any two models."""
    return compared(first.sample, second.sample, bootstrap_generator(seed, "interpolation"), RESAMPLES)
