"""Training curves of runs: a score or loss over the steps."""

from __future__ import annotations

from augcse.errors import UserError, unknown_name
from augcse.report.curves import curve_titles
from augcse.report.plots.kinds import PlotRequest
from augcse.report.plots.sheet import sheet
from augcse.report.runs import curve, smoothed
from augcse.report.svg import line_chart

_WIDTH, _HEIGHT = 760, 360
_SCORED = "eval_"
_LOSS = "loss"


def draw(request: PlotRequest) -> str:
    """Draw one line per run, losses as running means, with a ring at the step whose model is kept."""
    runs = request.runs()
    known = {key for run in runs for entry in run.record["curves"] for key in entry if curve(run.record, key)} - {"step"}
    if not known:
        raise UserError("the records of these runs hold no curve")
    scores = sorted(key for key in known if key.startswith(_SCORED))
    name = request.figure or (scores[0] if scores else _LOSS)
    if name not in known and f"{_SCORED}{name}" in known:
        name = f"{_SCORED}{name}"
    if name not in known:
        raise unknown_name("figure", name, known)
    series = {run.name: curve(run.record, name) for run in runs}
    if not name.startswith(_SCORED):
        series = {run: smoothed(points) for run, points in series.items()}
    marks = {run.name: point for run in runs for point in series[run.name] if point[0] == run.kept_step}
    title = curve_titles([run.record for run in runs]).get(name, name.replace("_", " "))
    drawn = line_chart(
        series, title=title, x_label="step", y_label="", width=_WIDTH, height=_HEIGHT, legend=False, marks=marks, from_zero=True
    )
    return sheet([drawn], _WIDTH, _HEIGHT, list(series))
