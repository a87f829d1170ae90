"""Training curves of several runs, one line each, with the step whose model is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from augcse.report.html import Section, figure, grid, legend
from augcse.report.record import Record
from augcse.report.runs import ReportedRun, curve, smoothed
from augcse.report.svg import Point, line_chart

BALANCED, PLAIN, CHANCE = "discriminator_balanced_accuracy", "discriminator_accuracy", "discriminator_chance"
DISCRIMINATOR_TITLES = {
    BALANCED: "Discriminator: balanced accuracy (smoothed)",
    PLAIN: "Discriminator: share of augmentations named (smoothed)",
}
_DEV = "eval_"
_DEV_TITLES = {"eval_stsb_dev": "STS-B dev, Spearman x 100", "eval_selection": "What selects the model: weighted sum x 100"}
# More lines than this are hard to distinguish; the first ones are drawn.
DRAWN_RUNS = 12


def curve_titles(records: Sequence[Record]) -> dict[str, str]:
    """Return the curves to draw and their titles: the scores during training, and the losses.

    For a discriminator the balanced accuracy, if logged, since always predicting the majority label has a high plain accuracy.
    """
    scored = dict.fromkeys(key for record in records for entry in record["curves"] for key in entry if key.startswith(_DEV))
    titles = {key: _DEV_TITLES.get(key, f"{key.removeprefix(_DEV)} while training, x 100") for key in scored}
    discriminator = discriminator_figure(records)
    return titles | {"contrastive": "Contrastive loss (smoothed)", discriminator: DISCRIMINATOR_TITLES[discriminator]}


def discriminator_figure(records: Sequence[Record]) -> str:
    """Return the balanced accuracy if every run with a discriminator logged it, else the plain one."""
    return BALANCED if all(curve(record, BALANCED) for record in records if curve(record, PLAIN)) else PLAIN


def chance_levels(runs: Sequence[ReportedRun]) -> dict[str, float]:
    """Return the chance levels of the runs' discriminators, by the label of the line."""
    curves = [curve(run.record, CHANCE) for run in runs]
    chances = sorted({round(fmean(value for _, value in points), 3) for points in curves if points})
    return {f"chance {chance:.2f}": chance for chance in chances}


def curves_section(runs: Sequence[ReportedRun]) -> Section | None:
    """Return one chart per curve; None if no run has any."""
    drawn = runs[:DRAWN_RUNS]
    titles = curve_titles([run.record for run in drawn])
    charts = [chart for chart in (_curve_chart(drawn, name, title) for name, title in titles.items()) if chart is not None]
    mixes = _mix_charts(drawn)
    if not charts and not mixes:
        return None
    text = "One line per run, from step 0. The ring is the step whose model is kept. Hover over a line for its run and values."
    text += (
        " Where start and trained model were mixed, by the trained one's weight; there the ring is the mix that is kept." if mixes else ""
    )
    text += f" Of {len(runs)} runs the first {DRAWN_RUNS} are drawn." if len(runs) > DRAWN_RUNS else ""
    charts += mixes
    return Section("Curves", text, [legend([run.name for run in drawn]), grid(charts)])


def _curve_chart(runs: Sequence[ReportedRun], name: str, title: str) -> str | None:
    """Return a chart of one curve of all runs, losses and accuracies smoothed, scores as they are; None if no run has the curve."""
    is_score = name.startswith(_DEV)
    series: dict[str, list[Point]] = {}
    marks: dict[str, Point] = {}
    for run in runs:
        points = curve(run.record, name)
        # A run without this curve keeps its colour.
        series[run.name] = points if is_score else smoothed(points)
        marks.update((run.name, point) for point in series[run.name] if point[0] == run.kept_step)
    if not any(series.values()):
        return None
    levels = chance_levels(runs) if name == BALANCED else {}
    size = {"width": 460, "height": 280}
    return figure(
        line_chart(series, title=title, x_label="step", y_label="", legend=False, marks=marks, from_zero=True, levels=levels, **size)
    )


def _mix_charts(runs: Sequence[ReportedRun]) -> list[str]:
    """Return a chart for each dev score of interpolations of start and trained model, over the trained model's weight."""
    mixed = {run.name: run.record.get("interpolation") or {"curve": []} for run in runs}
    names = dict.fromkeys(name for interpolation in mixed.values() for mix in interpolation["curve"] for name in mix.get("dev", {}))
    return [_mix_chart(mixed, name) for name in names]


def _mix_chart(mixed: Mapping[str, Record], name: str) -> str:
    """Return the chart of one dev score over the weight of the trained model, one line per run."""
    series: dict[str, list[Point]] = {}
    marks: dict[str, Point] = {}
    for run, interpolation in mixed.items():
        # A run without interpolation keeps its colour.
        series[run] = [(mix["weight"], mix["dev"][name]) for mix in interpolation["curve"] if name in mix.get("dev", {})]
        marks.update((run, point) for point in series[run] if point[0] == interpolation["weight"])
    title = f"{name} by the trained model's weight, x 100"
    return figure(line_chart(series, title=title, x_label="weight", y_label="", width=460, height=280, legend=False, marks=marks))
