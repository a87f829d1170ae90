"""Tables as plain data, as Markdown and as HTML."""

from __future__ import annotations

import re
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

_FIGURE = re.compile(r"[\d.,±% -]*")


@dataclass(frozen=True)
class Table:
    """A header and rows of cells, all text."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]

    def markdown(self) -> str:
        """Return a Markdown table; columns of figures are right-aligned."""
        columns = zip(*self.rows, strict=True) if self.rows else [()] * len(self.header)
        rule = ["---:" if place and all(map(_FIGURE.fullmatch, column)) else "---" for place, column in enumerate(columns)]
        return "\n".join("| " + " | ".join(row) + " |" for row in [self.header, rule, *self.rows])

    def html(self) -> str:
        """Return an HTML table."""
        head = "".join(f"<th>{escape(cell)}</th>" for cell in self.header)
        body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in self.rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def mean_and_spread(values: Sequence[float]) -> str:
    """Return "mean ± sd" over seeds (sample standard deviation), or the one value alone.

    >>> mean_and_spread([60.0, 61.0, 62.0]), mean_and_spread([60.0])
    ('61.00 ± 1.00', '60.00')
    """
    mean = statistics.fmean(values)
    return f"{mean:.2f} ± {statistics.stdev(values):.2f}" if len(values) > 1 else f"{mean:.2f}"


def scores_table(groups: Mapping[str, Sequence[Mapping[str, float]]], tasks: Sequence[str]) -> Table:
    """Return one row per group of runs (its seeds) and one column per task; a task that a run lacks shows as a dash."""
    rows = []
    for name, runs in groups.items():
        cells = []
        for task in tasks:
            values = [run[task] for run in runs if task in run]
            cells.append(mean_and_spread(values) if len(values) == len(runs) and values else "-")
        rows.append([name, str(len(runs)), *cells])
    return Table(["model", "seeds", *tasks], rows)
