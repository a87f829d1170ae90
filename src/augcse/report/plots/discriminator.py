"""Accuracy of AugCSE's discriminator over the steps (Tang et al. 2022, Figure 5).

Deviation: the chance level is drawn too, and the balanced accuracy if the records have it, since always predicting the majority label has
a high plain accuracy.
"""

from __future__ import annotations

from augcse.errors import UserError
from augcse.report.curves import BALANCED, DISCRIMINATOR_TITLES, chance_levels, discriminator_figure
from augcse.report.plots.kinds import PlotRequest
from augcse.report.plots.sheet import sheet
from augcse.report.runs import curve, groups, mean_curve, setting_name, smoothed
from augcse.report.svg import line_chart

_WIDTH, _HEIGHT = 760, 360


def draw(request: PlotRequest) -> str:
    """Draw one line per setting, a running mean of the mean over seeds, and a dashed line at the chance level."""
    runs = request.runs()
    name = discriminator_figure([run.record for run in runs])
    means = {setting_name(group): mean_curve([curve(run.record, name) for run in group]) for group in groups(runs)}
    series = {setting: smoothed(points) for setting, points in means.items() if points}
    if not series:
        raise UserError("none of these runs has a discriminator whose accuracy was logged (objective augcse, or [objective.discriminator])")
    levels = chance_levels(runs) if name == BALANCED else {}
    options = {"width": _WIDTH, "height": _HEIGHT, "legend": False, "from_zero": True}
    drawn = line_chart(series, title=DISCRIMINATOR_TITLES[name], x_label="step", y_label="", levels=levels, **options)  # type: ignore[arg-type]
    return sheet([drawn], _WIDTH, _HEIGHT, list(series))
