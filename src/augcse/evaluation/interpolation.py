"""Interpolation between the initial and the trained model: scores over the mixing weight, and the weight that is kept.

theta(w) = (1 - w) theta_start + w theta_trained, as Wortsman et al. 2022, "Robust Fine-tuning of Zero-shot Models" (WiSE-FT, arXiv
2109.01903), and Xiao et al. 2023, "LM-Cocktail" (arXiv 2311.13534), for encoders. There the weight is fixed by convention (0.5) or
chosen on a few examples; here it is chosen by development scores, with their uncertainty: the smallest weight that is not clearly below
the best one.

Not every weight is scored: first the ends and the middle, then the midpoints on both sides of the best of them, and finally, by binary
search, weights between those that are clearly below the best and those that are not. So of eleven weights four to seven are scored, in an
order that depends only on the scores. If the curve has one maximum, and the weights clearly below it end at one weight, that weight is
found; the maximum itself is located to within a quarter of the range.
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
    """A point of the curve: weight, scores (the selecting one first), and the comparison to the start; None for the start itself."""

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
    # A pooler that the start lacks is drawn from the generator as training left it; published models contain such poolers.
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
    curve = tuple(_curve_points(weights, measured, seed))
    mix(kept)
    with whole_folder(trained.model) as partial:
        saver.save(partial)
    return Interpolation(step, kept, curve)


def interpolate_run(recipe: Recipe, trained: Trained, measure: Measure | None, watcher: Watcher) -> dict[str, Any]:
    """Interpolate in the first process, while the others wait; return the entry of the record."""
    from augcse.training.processes import is_first_process, wait_for_all

    record: dict[str, Any] = {"trained_step": 0, "weight": 0.0, "curve": []}
    if is_first_process():
        watcher.start("interpolating", None)
        record = interpolate(recipe, trained, measure, recipe.training.seed, lambda done: watcher.advance(done, {})).as_json()
    wait_for_all()
    return record


def choose(count: int, measured: Callable[[int], Measured], seed: int = 0, section: InterpolationSection | None = None) -> int:
    """Return which of `count` models is kept: the first not clearly below the best, the interval of the difference holding 0.

    If the section's choice is "best", the first of the best. The best is chosen among the models scored before the binary search.

    Args:
        count: how many models there are, in order of preference, the start first.
        measured: scores one; called only for those that the section's search needs, for some of them more than once.
        seed: of the resamples.
        section: of a recipe; None: its defaults.
    """
    section = section or InterpolationSection()
    scored = set(range(count)) if section.search == "all" else _first_scored(count, measured)
    best = _best_index(scored, measured)
    if section.choice == "best":
        return best
    last_below = -1
    for kept in sorted(index for index in scored if index <= best):
        if not _clearly_below(measured(kept), measured(best), seed):
            break
        last_below = kept
    while kept - last_below > 1 and kept > 0:
        middle = (last_below + kept) // 2
        if _clearly_below(measured(middle), measured(best), seed):
            last_below = middle
        else:
            kept = middle
    return kept


def _first_scored(count: int, measured: Callable[[int], Measured]) -> set[int]:
    """Return both ends, the middle, and the midpoints on either side of the best of these."""
    scored = {0, (count - 1) // 2, count - 1}
    best = _best_index(scored, measured)
    lower = max((index for index in scored if index < best), default=best)
    upper = min((index for index in scored if index > best), default=best)
    return scored | {(lower + best) // 2, (best + upper) // 2}


def _best_index(scored: Iterable[int], measured: Callable[[int], Measured]) -> int:
    return max(scored, key=lambda index: (measured(index).score, -index))


def _clearly_below(one: Measured, best: Measured, seed: int) -> bool:
    """Return whether the interval of the difference lies above 0; for a model and itself it does not."""
    if one is best:
        return False
    return _compare(one, best, seed).interval.low > 0


def _curve_points(weights: Sequence[float], measured: Mapping[int, Measured], seed: int) -> list[Mix]:
    """Return the scored points in order of the weights; the first weight is 0, the start, which is compared with nothing."""
    return [
        Mix(weights[index], dict(one.figures), _compare(measured[0], one, seed) if index else None)
        for index, one in sorted(measured.items())
    ]


def _compare(first: Measured, second: Measured, seed: int) -> Comparison:
    """Compare two models; every comparison uses the same resamples."""
    return compared(first.sample, second.sample, bootstrap_generator(seed, "interpolation"), RESAMPLES)
