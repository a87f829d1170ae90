"""Between the model that a training began with and what it made: a curve of scores over the mixing weight, and the weight that is kept.

theta(w) = (1 - w) theta_start + w theta_trained, as Wortsman et al. 2022, "Robust Fine-tuning of Zero-shot Models" (WiSE-FT, arXiv
2109.01903), and Xiao et al. 2023, "LM-Cocktail" (arXiv 2311.13534), for encoders. There the weight is a habit (0.5) or comes from a few
examples; here it is chosen by development scores, with their uncertainty: the smallest weight that is not clearly below the best one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from augcse.encoding.mixing import float32_state, mixed_state
from augcse.encoding.own_modules import load_as_given, own_modules_file
from augcse.encoding.saving import EncoderSaver
from augcse.evaluation.bootstrap import Comparison
from augcse.evaluation.samples import RESAMPLES, Measured, bootstrap_generator
from augcse.files import whole_folder
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
    """A point of the curve: weight, scores (the one that selects first), and what the start's score is compared with; None: nothing to."""

    weight: float
    dev: dict[str, float]
    from_start: Comparison | None = None


@dataclass(frozen=True)
class Interpolation:
    """The curve, in order of the weights, and which of them is kept."""

    trained_step: int
    weight: float
    curve: tuple[Mix, ...] = field(default=())

    def as_json(self) -> dict[str, Any]:
        """Return what a run's record holds under "interpolation"."""
        return {"trained_step": self.trained_step, "weight": self.weight, "curve": [asdict(mix) for mix in self.curve]}


def interpolate(
    recipe: Recipe, trained: Trained, measure: Measure | None, seed: int = 0, advance: Callable[[int], None] = lambda count: None
) -> Interpolation:
    """Score every weight of the recipe, and save the model of the one that is kept as `trained.model`.

    Args:
        recipe: the resolved one.
        trained: the training.
        measure: scores a model; None: nothing is scored, and the largest weight is kept.
        seed: of the resamples.
        advance: called with 1 after each weight.
    """
    model = load_given(recipe).float()
    saver = EncoderSaver(model, own_modules_file(recipe.model.backbone))
    start = float32_state(model)
    folder, step = trained_encoder(trained.model.parent / CHECKPOINTS)
    end = float32_state(load_as_given(str(folder), recipe.model.bare_pooling))

    def mix(weight: float) -> SentenceTransformer:
        model.load_state_dict(mixed_state(start, end, weight))
        return model.eval()

    weights = recipe.interpolation.weights
    measured: list[Measured] = []
    for weight in weights if measure else ():
        measured.append(measure(mix(weight)))  # type: ignore[misc]
        advance(1)
    curve = tuple(_curve(weights, measured, seed)) if measured else ()
    kept = weights[kept_index(measured, seed, recipe.interpolation.choice)] if measured else weights[-1]
    mix(kept)
    with whole_folder(trained.model) as partial:
        saver.save(partial)
    return Interpolation(step, kept, curve)


def interpolate_run(recipe: Recipe, trained: Trained, measure: Measure | None, watcher: Watcher) -> dict[str, Any]:
    """Interpolate in the first process, while the others wait; return what the record holds of it."""
    from augcse.training.processes import is_first_process, wait_for_all

    found: dict[str, Any] = {"trained_step": 0, "weight": 0.0, "curve": []}
    if is_first_process():
        watcher.start("interpolating", None)
        found = interpolate(recipe, trained, measure, recipe.training.seed, lambda done: watcher.advance(done, {})).as_json()
    wait_for_all()
    return found


def kept_index(measured: Sequence[Measured], seed: int = 0, choice: Literal["clear", "best"] = "clear") -> int:
    """Return which model is kept: the first whose score is not clearly below the best, the interval of the difference holding 0.

    Where the scores have no samples to draw again, or the choice is "best", the first of the best.

    Args:
        measured: in order of preference, the start first.
        seed: of the resamples.
        choice: "clear" or "best".
    """
    best = max(range(len(measured)), key=lambda index: (_value(measured[index]), -index))
    for index in range(best if choice == "clear" else 0):
        difference = _compared(measured[index], measured[best], seed)
        if difference is not None and difference.interval.low <= 0:
            return index
    return best


def _curve(weights: Sequence[float], measured: Sequence[Measured], seed: int) -> list[Mix]:
    return [
        Mix(weight, dict(one.figures), _compared(measured[0], one, seed) if index else None)
        for index, (weight, one) in enumerate(zip(weights, measured, strict=True))
    ]


def _compared(first: Measured, second: Measured, seed: int) -> Comparison | None:
    """Compare two models on the same resamples whichever two they are."""
    if first.sample is None or second.sample is None:
        return None
    return first.sample.compared(second.sample, bootstrap_generator(seed, "interpolation"), RESAMPLES)


def _value(measured: Measured) -> float:
    return next(iter(measured.figures.values()))
