"""Tables as plain data, as Markdown and as HTML."""

from __future__ import annotations

import re
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from augcse.report.html import escaped

_NARROW_COLUMNS = 2
_FIGURE = re.compile(r"[\d.,±% -]*")


@dataclass(frozen=True)
class Table:
    """A header and rows of text cells; in `html` a cell may be `Html`."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]

    def markdown(self) -> str:
        """Return a Markdown table; columns of figures are right-aligned."""
        columns = zip(*self.rows, strict=True) if self.rows else [()] * len(self.header)
        rule = ["---:" if index and all(map(_FIGURE.fullmatch, column)) else "---" for index, column in enumerate(columns)]
        return "\n".join("| " + " | ".join(row) + " |" for row in [self.header, rule, *self.rows])

    def html(self) -> str:
        """Return an HTML table; on narrow screens, the rows of more than two columns become lists."""
        css_class = "stack" if len(self.header) > _NARROW_COLUMNS else "words"
        head = "".join(f"<th>{escaped(cell)}</th>" for cell in self.header)
        body = "".join("<tr>" + "".join(map(self._html_cell, self.header, row)) + "</tr>" for row in self.rows)
        return f'<table class="{css_class}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'

    @staticmethod
    def _html_cell(column: str, cell: str) -> str:
        figure = ' class="figure"' if _FIGURE.fullmatch(cell) else ""
        return f'<td{figure} data-label="{escape(column)}">{escaped(cell)}</td>'


def median_and_spread(values: Sequence[float]) -> str:
    """Return "median ± sd" over seeds (sample standard deviation), or a single value as it is.

    >>> median_and_spread([60.0, 60.5, 62.0]), median_and_spread([60.0])
    ('60.50 ± 1.04', '60.00')
    """
    median = statistics.median(values)
    return f"{median:.2f} ± {statistics.stdev(values):.2f}" if len(values) > 1 else f"{median:.2f}"


def scores_table(
    groups: Mapping[str, Sequence[Mapping[str, float]]],
    tasks: Sequence[str],
    intervals: Mapping[str, Mapping[str, Mapping[str, float]]] | None = None,
) -> Table:
    """Return one row per group of runs (its seeds) and one column per task; a task that a run lacks is shown as a dash.

    Args:
        groups: name -> task -> score, one mapping per run.
        tasks: the columns.
        intervals: name -> task -> low and high, shown after the score for groups of one run.
    """
    rows = []
    for name, runs in groups.items():
        known = (intervals or {}).get(name, {}) if len(runs) == 1 else {}
        rows.append([name, str(len(runs)), *(_score_cell(runs, task, known.get(task)) for task in tasks)])
    return Table(["model", "seeds", *tasks], rows)


def _score_cell(runs: Sequence[Mapping[str, float]], task: str, interval: Mapping[str, float] | None) -> str:
    values = [run[task] for run in runs if task in run]
    if len(values) < len(runs) or not values:
        return "-"
    ends = f" ({interval['low']:.2f} to {interval['high']:.2f})" if interval else ""
    return median_and_spread(values) + ends
