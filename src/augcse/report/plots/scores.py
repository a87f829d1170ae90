"""Scores of runs, median and spread over seeds, with training-free baselines (AugCSE, Figure 6: one augmentation per run)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from statistics import median, stdev

from augcse.errors import UserError, unknown_name
from augcse.evaluation.baselines import HYBRID
from augcse.report.plots.kinds import PlotRequest
from augcse.report.plots.sheet import sheet
from augcse.report.runs import ReportedRun, groups, setting_name
from augcse.report.svg import Frame, axes, colour, label, legend_width, picture, value_range

_WIDTH, _ROW, _MARGIN = 900, 18, 90
_AVERAGE = "avg"
_BEFORE = "before training"
_NAME_CHARACTERS = 46


@dataclass(frozen=True)
class Mark:
    """A row of the plot: a name, its scores by seed, and whether it was trained."""

    name: str
    values: tuple[float, ...]
    trained: bool = True

    @property
    def median(self) -> float:
        """Median over the seeds."""
        return median(self.values)

    @property
    def spread(self) -> float:
        """Sample standard deviation over the seeds; 0 for one seed."""
        return stdev(self.values) if len(self.values) > 1 else 0.0


def draw(request: PlotRequest) -> str:
    """Draw one row per setting, highest first: a dot at the median with one standard deviation; circles for training-free baselines."""
    runs = request.runs()
    name = score_name(runs, request.figure)
    marks = [*_trained_marks(runs, name), *_training_free(runs, name)]
    marks.sort(key=lambda mark: -mark.median)
    height = _MARGIN + _ROW * len(marks)
    return sheet([_draw_marks(marks, f"{name}, x 100: median and standard deviation over seeds", height)], _WIDTH, height)


def score_name(runs: Sequence[ReportedRun], requested: str | None) -> str:
    """Return the score to draw: the requested one, else the average, else the first. Raises `UserError` for an unknown one."""
    known = list(dict.fromkeys(task for run in runs for task in run.record["scores"]))
    if not known:
        raise UserError("these runs have no test scores; train with --test")
    if requested is not None and requested not in known:
        raise unknown_name("score", requested, known)
    return requested or (_AVERAGE if _AVERAGE in known else known[0])


def group_scores(group: Sequence[ReportedRun], name: str) -> tuple[float, ...]:
    """Return a score of the runs of a group that have it."""
    return tuple(run.record["scores"][name] for run in group if name in run.record["scores"])


def _trained_marks(runs: Sequence[ReportedRun], name: str) -> Iterable[Mark]:
    for group in groups(runs):
        values = group_scores(group, name)
        if values:
            yield Mark(setting_name(group), values)


def _training_free(runs: Sequence[ReportedRun], name: str) -> Iterable[Mark]:
    """Yield the scores before training and of the training-free baselines, with the names of the runs if their scores differ."""
    runs_by_score: dict[str, dict[float, list[ReportedRun]]] = {}
    for run in runs:
        for title, score in _scores_without_training(run, name).items():
            runs_by_score.setdefault(title, {}).setdefault(round(score, 2), []).append(run)
    for title, by_score in runs_by_score.items():
        for score, members in by_score.items():
            yield Mark(title if len(by_score) == 1 else f"{title} ({setting_name(members)})", (score,), trained=False)
    yield from _hybrids(runs, name)


def _scores_without_training(run: ReportedRun, name: str) -> dict[str, float]:
    """Return a score of the run's model before training and of the baselines that do not use the trained model, by name."""
    before = {_BEFORE: run.before[name]} if name in run.before else {}
    scores = {baseline: _baseline_score(run, baseline, name) for baseline in run.record.get("baselines", {}) if baseline != HYBRID}
    return before | {baseline: score for baseline, score in scores.items() if score is not None}


def _hybrids(runs: Sequence[ReportedRun], name: str) -> Iterable[Mark]:
    """Yield a mark of the hybrids of trained model and static encoder; none for several settings, each of which would need one."""
    scores = [_baseline_score(run, HYBRID, name) for run in runs]
    known = tuple(score for score in scores if score is not None)
    if known and len(groups(runs)) == 1:
        yield Mark(HYBRID, known, trained=False)


def _baseline_score(run: ReportedRun, baseline: str, name: str) -> float | None:
    score: float | None = run.record.get("baselines", {}).get(baseline, {}).get("test", {}).get(name)
    return score


def _draw_marks(marks: Sequence[Mark], title: str, height: int) -> str:
    values = [mark.median + side * mark.spread for mark in marks for side in (-1, 1)]
    names = [_mark_label(mark) for mark in marks]
    frame = Frame(_WIDTH, height, value_range(values), (0.0, float(len(marks))), legend_width(names))
    parts = axes(frame, "score x 100", "", y_ticks=False)
    for row, mark in enumerate(marks):
        y = frame.y(len(marks) - row - 0.5)
        x, low, high = frame.x(mark.median), frame.x(mark.median - mark.spread), frame.x(mark.median + mark.spread)
        fill = colour(0) if mark.trained else "none"
        if mark.spread:
            parts.append(f'<line x1="{low}" y1="{y}" x2="{high}" y2="{y}" stroke="{colour(0)}" stroke-width="1.5"/>')
        tooltip = f"<title>{escape(mark.name)}: {', '.join(f'{value:.2f}' for value in mark.values)}</title>"
        style = f'fill="{fill}" stroke="{colour(0 if mark.trained else 1)}" stroke-width="1.5"'
        parts.append(f'<circle cx="{x}" cy="{y}" r="4" {style}>{tooltip}</circle>')
        parts.append(label(frame.right + 10, y + 4, names[row], "start"))
    return picture(_WIDTH, height, title, parts)


def _mark_label(mark: Mark) -> str:
    seeds = f", {len(mark.values)} seeds" if len(mark.values) > 1 else ""
    return f"{mark.median:.2f}  {mark.name[:_NAME_CHARACTERS]}{seeds}"
