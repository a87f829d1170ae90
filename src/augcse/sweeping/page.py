"""The HTML page of a sweep: the table of its cells, followed by the report of its runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from augcse.report.html import Section, page, paragraph
from augcse.report.page import Further, runs_page
from augcse.report.runs import load_runs
from augcse.sweeping.differences import DIFFERENCES_NOTE, differences_table
from augcse.sweeping.results import Document, failed_runs, notes_below_table, table

_CELLS_NOTE = (
    "Mean ± sample standard deviation over the seeds of a cell, x 100. A star marks the best cell by dev. After the cells: training-free"
    " baselines from the same backbone and text, means over all runs; failed runs last."
)


def sweep_page(name: str, document: Document, folders: Sequence[Path]) -> str:
    """Return the page as HTML; `folders` are those of the finished runs; if there are none, the page has only the tables."""
    sections = [Section("Cells", _CELLS_NOTE, [table(document, html=True).html(), *map(paragraph, notes_below_table(document))])]
    if comparisons := differences_table(document["differences"]):
        sections.append(Section("Differences", DIFFERENCES_NOTE, [comparisons.html()]))
    failed = [f"run {run}: {reason}" for run, reason in failed_runs(document).items()]
    if not folders:
        return page(f"sweep {name}", sections)
    return runs_page(load_runs(folders), f"sweep {name}", further=Further(first=sections, left_out=failed))
