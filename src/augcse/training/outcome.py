"""The outcome of a training: the scores before it, of its best and of its last step, and tables of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from augcse.encoding.front_matter import model_name

_EVAL = "eval_"
Outcome = dict[str, Any]


@dataclass(frozen=True)
class Baseline:
    """A baseline without training: its description, and the command that creates it of {backbone}, {corpus} and {model}."""

    words: str
    command: str


_POSTPROCESS = "augcse postprocess {backbone}"
_STATIC = "augcse static {corpus} --backbone {backbone} --rows backbone --output"
BASELINES: Mapping[str, Baseline] = {
    "mean": Baseline("the untouched backbone's mean of tokens", f"{_POSTPROCESS} --pooling mean --output FOLDER"),
    "sif": Baseline(
        "the untouched backbone's mean, weighted by SIF", f"{_POSTPROCESS} {{corpus}} --pooling mean --with sif --output FOLDER"
    ),
    "whitened": Baseline(
        "the untouched backbone's mean, whitened", f"{_POSTPROCESS} {{corpus}} --pooling mean --with whiten --output FOLDER"
    ),
    "static": Baseline("a static encoder of its word embeddings", f"{_STATIC} FOLDER"),
    "hybrid": Baseline(
        "the run's model joined with that static encoder, 1:1", f"{_STATIC} STATIC && augcse hybrid {{model}} STATIC --output FOLDER"
    ),
}


def outcome_of(history: Sequence[Mapping[str, Any]], steps: int, best_step: int | None) -> Outcome:
    """Return {"before", "best", "last", "kept_step"}: step and dev scores of the start, of the best step and of the last.

    Args:
        history: the log history; the scores of the start are those of step 0.
        steps: the number of steps trained.
        best_step: the step whose model is saved, 0 for the start; None if nothing was scored: "best" is None and the last is saved.
    """
    moments = {step: {"step": step, "dev": dev_scores(history, step)} for step in {0, steps, best_step or 0}}
    best = None if best_step is None else moments[best_step]
    return {
        "before": dict(moments[0]),
        "best": None if best is None else dict(best),
        "last": dict(moments[steps]),
        "kept_step": steps if best_step is None else best_step,
    }


def with_interpolation(outcome: Outcome, interpolation: Mapping[str, Any]) -> Outcome:
    """Return the outcome with {"interpolation", "kept"}: the scores by interpolation weight, and the interpolated model that is saved.

    "kept_step" is 0 if that is the start. Test scores exist for the start, the saved model and, at weight 1, the trained model.
    """
    weight, trained_step = interpolation["weight"], interpolation["trained_step"]
    dev: dict[str, float] = next((mix["dev"] for mix in interpolation["curve"] if mix["weight"] == weight), {})
    step = trained_step if weight else 0
    kept = {"step": step, "weight": weight, "dev": dict(dev)}
    ends = {0: 0.0, trained_step: 1.0}
    moments = {name: _scored_on_curve(outcome[name], ends, interpolation["curve"]) for name in ("before", "best", "last")}
    return {**outcome, **moments, "kept": kept, "kept_step": step, "interpolation": dict(interpolation)}


def _scored_on_curve(moment: Outcome | None, ends: Mapping[int, float], curve: Sequence[Mapping[str, Any]]) -> Outcome | None:
    """Add the scores of an end of the curve to those of its step, which take precedence: they may be of fewer sentences."""
    if moment is None or moment["step"] not in ends:
        return moment
    on_curve: dict[str, float] = next((mix["dev"] for mix in curve if mix["weight"] == ends[moment["step"]]), {})
    return {**moment, "dev": {**on_curve, **moment["dev"]}}


def dev_scores(history: Sequence[Mapping[str, Any]], step: int) -> dict[str, float]:
    """Return the dev scores after a step by name, the one that selects models first; {} if it was not evaluated."""
    entries = [entry for entry in history if entry.get("step") == step]
    return {key.removeprefix(_EVAL): value for entry in entries for key, value in entry.items() if key.startswith(_EVAL)}


def with_test_scores(outcome: Outcome, before: Mapping[str, float], kept: Mapping[str, float]) -> Outcome:
    """Return the outcome with the test scores of the start and of the saved model."""
    scored = {name: dict(moment) if isinstance(moment, dict) else moment for name, moment in outcome.items()}
    is_trained = scored.get("kept", {"weight": 1.0})["weight"] == 1.0
    for name in ("before", "best", "last"):
        moment = scored[name]
        if moment is not None:
            moment["test"] = {}
            if moment["step"] == 0:
                moment["test"] = dict(before)
            elif is_trained and moment["step"] == scored["kept_step"]:
                moment["test"] = dict(kept)
    if "kept" in scored:
        scored["kept"]["test"] = dict(kept)
    return scored


def start_in_words(recipe: Mapping[str, Any], *, own_modules: bool = True) -> str:
    """Return in words what a run of the recipe, a document, begins with: the given model, or the one that [start] built from it.

    For a bare backbone (`own_modules` is False) the pooling is named, since other commands pool it by the mean of tokens.

    >>> start_in_words({"model": {"backbone": "mini-bert"}, "start": {"steps": ["whiten"]}})
    'the start that the recipe built of mini-bert'
    >>> start_in_words({"model": {"backbone": "mini-bert", "pooling": "own", "bare_pooling": "cls"}}, own_modules=False)
    'the untouched mini-bert with cls pooling'
    """
    section = recipe.get("model") or {}
    name = model_name(section["backbone"]) if section.get("backbone") else "the backbone"
    if recipe.get("start"):
        return f"the start that the recipe built of {name}"
    added = added_pooling(section, own_modules=own_modules)
    return f"the untouched {name} with {added} pooling" if added else "the model as it was given"


def started_from(record: Mapping[str, Any]) -> str:
    """Return `start_in_words` for a run's record; one of an earlier version does not state whether the backbone was bare."""
    return start_in_words(record["recipe"], own_modules=record.get("own_modules", True))


def added_pooling(section: Mapping[str, Any], *, own_modules: bool) -> str | None:
    """Return the pooling that the section [model], a document, gave to a bare backbone; None for a model that has its own."""
    if own_modules or not section.get("pooling"):
        return None
    pooling: str = section["bare_pooling"] if section["pooling"] == "own" else section["pooling"]
    return pooling


def outcome_rows(outcome: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Return header and rows of the table of dev scores, then test scores, before training, of the best step and of the last.

    There are no rows if nothing was scored, and no column "best" without dev scores. Further columns are the interpolated model, and the
    record's `intervals` of the test scores of the saved model.
    """
    columns = ["before", *(["best"] if outcome["best"] else []), "last", *(["kept"] if "kept" in outcome else [])]
    moments = [outcome[column] for column in columns]
    header = ["score x 100", *(f"{name} ({_moment_label(moment)})" for name, moment in zip(columns, moments, strict=True))]
    intervals = outcome.get("intervals", {})
    header += ["95 % interval"] if intervals else []
    rows: list[list[str]] = []
    for part, name, cells in _score_cells(moments):
        interval = intervals.get(name) if part == "test" else None
        rows.append(cells)
        if intervals:
            rows[-1].append(f"{interval['low']:.2f} to {interval['high']:.2f}" if interval else "")
    return header, rows


def baseline_rows(outcome: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Return header and rows of the scores of the baselines, a column each; no rows without baselines."""
    baselines = outcome.get("baselines", {})
    return ["training-free baseline", *baselines], [cells for _, _, cells in _score_cells(list(baselines.values()))]


def better_baselines(outcome: Mapping[str, Any]) -> dict[str, str]:
    """Return the baselines that are better than the saved model on the dev score or the main test score, with both scores in words."""
    kept = kept_moment(outcome)
    main_scores = {"dev": next(iter(kept.get("dev", {}).items()), None), "test": main_score(kept.get("test", {}))}
    better = {}
    for baseline, scores in outcome.get("baselines", {}).items():
        comparisons = []
        for part, main in main_scores.items():
            if main is None:
                continue
            task, kept_score = main
            if scores[part].get(task, -math.inf) > kept_score:
                comparisons.append(f"{task} {scores[part][task]:.2f} instead of {kept_score:.2f}")
        if comparisons:
            # Dev and test may be the same pairs.
            better[baseline] = ", ".join(dict.fromkeys(comparisons))
    return better


def describe_baselines(outcome: Mapping[str, Any]) -> str:
    """Return descriptions of the columns of `baseline_rows`; "" without baselines."""
    named = [f"{name}: {BASELINES[name].words}" for name in outcome.get("baselines", {}) if name in BASELINES]
    return "; ".join(named)


def interpolation_rows(outcome: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Return header and rows of the scores by interpolation weight; no rows without interpolation."""
    curve = outcome.get("interpolation", {}).get("curve", [])
    if not curve:
        return [], []
    header = ["weight of the trained model", *curve[0]["dev"], "above the start", "95 % interval"]
    return header, [_mix_row(mix) for mix in curve]


def kept_moment(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the entry of a record or an outcome for the saved model: interpolated, of the best step, or of the last; {} without one."""
    moment: Mapping[str, Any] = record.get("kept") or record.get("best") or record.get("last") or {}
    return moment


def describe_gain(record: Mapping[str, Any]) -> str:
    """Return the gain of the saved model over the start on the score that selected it, with its interval, as text; "" if not recorded."""
    gain = record.get("gain")
    if gain is None:
        return ""
    chance = "" if gain["interval"]["low"] > 0 else ", which may be chance"
    words = (
        f"{gain['name']}: {signed(gain['difference'])} over the start, 95 % interval {signed_interval(gain['interval'])}{chance}; the model"
        " was chosen by this score, which biases it slightly upwards"
    )
    return ". ".join(filter(None, (words, describe_better_mix(record))))


def describe_better_mix(record: Mapping[str, Any]) -> str:
    """Return that the best mix of weights is clearly better than the start, as text; "" if that is not so, or if the kept mix is too."""
    gain, curve = record.get("gain"), (record.get("interpolation") or {}).get("curve", [])
    if gain is None or gain["interval"]["low"] > 0 or not curve:
        return ""
    best = max(curve, key=lambda mix: mix["dev"].get(gain["name"], -math.inf))
    compared = best.get("from_start")
    if compared is None or compared["interval"]["low"] <= 0:
        return ""
    by = f"{signed(compared['difference'])}, 95 % interval {signed_interval(compared['interval'])}"
    return f"Weight {best['weight']:g} is clearly better than the start, {by}; interpolation.choice=best keeps the best mix"


def main_score(scores: Mapping[str, float]) -> tuple[str, float] | None:
    """Return name and value of the main test score: the average if there is one, else the first; None without scores."""
    averages = [name for name in scores if is_average(name)]
    name = next(iter([*averages, *scores]), None)
    return None if name is None else (name, scores[name])


def is_average(name: str) -> bool:
    """Return whether a test score is an average over several tasks, by its name.

    >>> is_average("avg"), is_average("avg_sts"), is_average("avgprice")
    (True, True, False)
    """
    return name == "avg" or name.startswith("avg_")


def signed(value: float) -> str:
    """Return a difference with its sign; 0 after rounding has none.

    >>> signed(1.234), signed(-0.001), signed(-2)
    ('+1.23', '0.00', '-2.00')
    """
    rounded = round(value, 2)
    return f"{rounded:+.2f}" if rounded else "0.00"


def _score_cells(moments: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str, list[str]]]:
    """Yield part ("dev" or "test"), name and table cells (label, then a value per moment) of every score."""
    for part, mark in (("dev", " (dev)"), ("test", "")):
        for name in dict.fromkeys(key for moment in moments for key in moment.get(part, {})):
            values = [moment.get(part, {}).get(name) for moment in moments]
            yield part, name, [f"{name}{mark}", *("-" if value is None else f"{value:.2f}" for value in values)]


def _moment_label(moment: Mapping[str, Any]) -> str:
    return f"weight {moment['weight']:g}" if "weight" in moment else f"step {moment['step']}"


def _mix_row(mix: Mapping[str, Any]) -> list[str]:
    compared = mix["from_start"]
    scores = [f"{value:.2f}" for value in mix["dev"].values()]
    if compared is None:
        return [f"{mix['weight']:g}", *scores, "", ""]
    return [f"{mix['weight']:g}", *scores, signed(compared["difference"]), signed_interval(compared["interval"])]


def signed_interval(interval: Mapping[str, Any]) -> str:
    """Return the interval of a difference, each end with its sign."""
    return f"{signed(interval['low'])} to {signed(interval['high'])}"
