"""A score of runs, median and spread over seeds, beside what costs nothing (AugCSE, Figure 6: one augmentation per run)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from statistics import median, stdev

from augcse.errors import UserError, unknown_name
from augcse.report.plots.kinds import Wanted
from augcse.report.plots.sheet import sheet
from augcse.report.runs import Run, groups, setting_name
from augcse.report.svg import Frame, axes, colour, label, legend_width, picture, value_range

_WIDTH, _ROW, _MARGIN = 900, 18, 90
_AVERAGE = "avg"
_NAME_CHARACTERS = 46


@dataclass(frozen=True)
class Mark:
    """A row of the picture: a name, the scores of its seeds, and whether it was trained."""

    name: str
    values: tuple[float, ...]
    trained: bool = True

    @property
    def median(self) -> float:
        """Of the seeds."""
        return median(self.values)

    @property
    def spread(self) -> float:
        """Their sample standard deviation; 0 of one."""
        return stdev(self.values) if len(self.values) > 1 else 0.0


def draw(wanted: Wanted) -> str:
    """Return a row per setting, the highest first: a dot at the median with one standard deviation; circles where nothing was trained."""
    runs = wanted.runs()
    name = score_name(runs, wanted.figure)
    marks = [*_trained(runs, name), *_free(runs, name)]
    marks.sort(key=lambda mark: -mark.median)
    height = _MARGIN + _ROW * len(marks)
    return sheet([_drawing(marks, f"{name}, x 100: median and standard deviation over seeds", height)], _WIDTH, height)


def score_name(runs: Sequence[Run], wanted: str | None) -> str:
    """Return the score that is drawn: the one that was asked for, or the average, or the first. Raises `UserError` for another."""
    known = list(dict.fromkeys(task for run in runs for task in run.record["scores"]))
    if not known:
        raise UserError("these runs have no test scores; train with --test")
    if wanted is not None and wanted not in known:
        raise unknown_name("score", wanted, known)
    return wanted or (_AVERAGE if _AVERAGE in known else known[0])


def of_group(group: Sequence[Run], name: str) -> tuple[float, ...]:
    """Return a score of a group's runs, where they have it."""
    return tuple(run.record["scores"][name] for run in group if name in run.record["scores"])


def _trained(runs: Sequence[Run], name: str) -> Iterable[Mark]:
    for group in groups(runs):
        if values := of_group(group, name):
            yield Mark(setting_name(group), values)


def _free(runs: Sequence[Run], name: str) -> Iterable[Mark]:
    """Yield the start, and what each first run scored beside itself without training."""
    found: dict[str, float] = {}
    for run in runs:
        if name in run.before:
            found.setdefault("before training", run.before[name])
        for baseline, scores in run.record.get("baselines", {}).items():
            if name in scores.get("test", {}):
                found.setdefault(baseline, scores["test"][name])
    return (Mark(title, (value,), trained=False) for title, value in found.items())


def _drawing(marks: Sequence[Mark], title: str, height: int) -> str:
    values = [mark.median + side * mark.spread for mark in marks for side in (-1, 1)]
    names = [_named(mark) for mark in marks]
    frame = Frame(_WIDTH, height, value_range(values), (0.0, float(len(marks))), legend_width(names))
    parts = axes(frame, "score x 100", "", y_ticks=False)
    for row, mark in enumerate(marks):
        y = frame.y(len(marks) - row - 0.5)
        x, low, high = frame.x(mark.median), frame.x(mark.median - mark.spread), frame.x(mark.median + mark.spread)
        drawn = colour(0) if mark.trained else "none"
        if mark.spread:
            parts.append(f'<line x1="{low}" y1="{y}" x2="{high}" y2="{y}" stroke="{colour(0)}" stroke-width="1.5"/>')
        told = f"<title>{escape(mark.name)}: {', '.join(f'{value:.2f}' for value in mark.values)}</title>"
        style = f'fill="{drawn}" stroke="{colour(0 if mark.trained else 1)}" stroke-width="1.5"'
        parts.append(f'<circle cx="{x}" cy="{y}" r="4" {style}>{told}</circle>')
        parts.append(label(frame.right + 10, y + 4, names[row], "start"))
    return picture(_WIDTH, height, title, parts)


def _named(mark: Mark) -> str:
    seeds = f", {len(mark.values)} seeds" if len(mark.values) > 1 else ""
    return f"{mark.median:.2f}  {mark.name[:_NAME_CHARACTERS]}{seeds}"
