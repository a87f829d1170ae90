"""Warnings, with advice, after a training that did not help, made the model worse, or is not better than a training-free baseline."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from augcse.config import Recipe
from augcse.training.outcome import BASELINES, Outcome, better_baselines, kept_moment, main_score, signed, signed_interval, start_in_words

# Points out of 100 that the last score must be below the best for a warning; times the sum of the weights of a weighted sum.
_CLEAR_FALL = 1.0


def warnings_of(
    outcome: Outcome,
    recipe: Recipe,
    own_modules: bool = False,
    corpus: str = "CORPUS",
    model: str = "MODEL",
    *,
    dev_weight: float = 1.0,
) -> list[str]:
    """Return warnings if training did not help or made the model worse, with advice; [] if it helped.

    Args:
        outcome: of the run.
        recipe: the resolved one.
        own_modules: whether the model was a finished encoder instead of a bare backbone.
        corpus: the corpus in a command line, see `Corpus.command_words`.
        model: the folder of the run's model in a command line.
        dev_weight: the sum of the weights of the score that selects, see `Selection.total_weight`.
    """
    started_from = start_in_words(recipe.model_dump(), own_modules=own_modules)
    of_dev = _interpolation_warnings(outcome, started_from) if "kept" in outcome else _dev_warnings(outcome, started_from, dev_weight)
    names = {"backbone": shlex.quote(recipe.model.backbone), "corpus": corpus, "model": model}
    no_gain = [*of_dev, *_test_warnings(outcome)]
    with_advice = (f"{sentence} {_advice(recipe, own_modules)}" for sentence in no_gain)
    return [*_unscored_warning(outcome), *with_advice, *_baseline_warnings(outcome, names)]


def _unscored_warning(outcome: Outcome) -> list[str]:
    """Warn that start and trained model were interpolated without evaluation."""
    if "kept" not in outcome or outcome["interpolation"]["curve"]:
        return []
    return [
        f"nothing was scored: it is unknown whether model/, at weight {outcome['kept']['weight']:g} of the trained model, is better than"
        " the start. --dev takes a file of your own pairs or labels, or probe, which needs neither"
    ]


def _interpolation_warnings(outcome: Outcome, started_from: str) -> list[str]:
    """Warn that no interpolated model was clearly better than the start, which is called `started_from`."""
    curve, weight = outcome["interpolation"]["curve"], outcome["kept"]["weight"]
    if weight or not curve:
        return []
    name = next(iter(curve[0]["dev"]))
    best = max(curve, key=lambda mix: mix["dev"][name])
    start = curve[0]["dev"][name]
    what = f"adapting did not help: no mix of the start and step {outcome['interpolation']['trained_step']} scored above the start's"
    if best["weight"] == 0:
        return [f"{what} {start:.2f} on {name}; model/ holds {started_from}."]
    compared = best["from_start"]
    interval = f"{signed(compared['difference'])}, 95 % interval {signed_interval(compared['interval'])}"
    by = f"{best['dev'][name]:.2f} at weight {best['weight']:g}, {interval}"
    return [
        f"{what} {start:.2f} on {name} by more than chance ({by}); model/ holds {started_from}."
        " interpolation.choice=best keeps the best mix anyway."
    ]


def _dev_warnings(outcome: Outcome, started_from: str, dev_weight: float) -> list[str]:
    """Warn that no step was better than the start, which is called `started_from`, or that the score fell after the best one."""
    best, last = outcome["best"], outcome["last"]
    if best is None or not best["dev"] or not last["dev"]:
        return []
    name, highest = next(iter(best["dev"].items()))
    end = last["dev"][name]
    if best["step"] == 0:
        return [
            f"training did not help: no step scored above the start's {highest:.2f} on {name} (the last, {last['step']}, has {end:.2f});"
            f" model/ holds {started_from}."
        ]
    if highest - end > _CLEAR_FALL * dev_weight:
        return [
            f"the score on {name} fell after step {best['step']}: {highest:.2f} there, {end:.2f} after the last step, {last['step']};"
            f" model/ holds step {best['step']}."
        ]
    return []


def _test_warnings(outcome: Outcome) -> list[str]:
    """Warn that the saved model is worse than the start on the main test score."""
    kept = kept_moment(outcome)
    start = main_score(outcome["before"].get("test", {}))
    trained = main_score(kept.get("test", {}))
    if kept["step"] == 0 or start is None or trained is None:
        return []
    (task, score_before), (_, score_after) = start, trained
    if score_after >= score_before:
        return []
    return [
        f"training made the model worse on the test tasks: {task} {score_before:.2f} before, {score_after:.2f} after step"
        f" {kept['step']}{_at_weight(kept)}."
    ]


def _at_weight(kept: Mapping[str, Any]) -> str:
    return f", at weight {kept['weight']:g}" if kept.get("weight", 1.0) != 1.0 else ""


def _baseline_warnings(outcome: Outcome, names: Mapping[str, str]) -> Iterator[str]:
    """Warn of baselines that are better than the saved model on the dev score or the main test score; `names` fill their commands."""
    better = []
    for name, scores in better_baselines(outcome).items():
        command = BASELINES[name].command.format_map(names)
        better.append(f"{BASELINES[name].words} ({scores}; `{command}`)")
    if better:
        yield f"better than the model that is kept, and trained no further: {'; '.join(better)}"


def _advice(recipe: Recipe, own_modules: bool) -> str:
    """Return which settings to try next."""
    rate = recipe.training.learning_rate
    pooling = recipe.model.pooling
    remedies = [f"a lower training.learning_rate (now {rate:g}; try {rate / 10:.1g})", "fewer steps (training.max_steps)"]
    if own_modules and pooling != "own":
        remedies.append(f"the model's own pooling (model.pooling=own, now {pooling})")
    elif not own_modules and recipe.model.bare_pooling == "cls":
        remedies.append("another pooling (model.pooling=mean)")
    return f"Try {', '.join(remedies)}, or more text of the kind that is scored"
