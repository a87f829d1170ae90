"""The page of a sweep: its cells, then the report of its runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from augcse.report.html import Section, page, paragraph
from augcse.report.page import Further, runs_page
from augcse.report.runs import load_runs
from augcse.sweeping.differences import ABOUT, differences_table
from augcse.sweeping.results import Document, closing_words, failed_runs, table

_ABOUT = (
    "Mean ± sample standard deviation over the seeds of a cell, x 100. A star: the best by dev. After the cells what costs nothing, made of"
    " the same backbone and text; failed runs last."
)


def sweep_page(name: str, document: Document, folders: Sequence[Path]) -> str:
    """Return the page. `folders`: of the finished runs; without any the page is the table alone."""
    sections = [Section("Cells", _ABOUT, [table(document, html=True).html(), *map(paragraph, closing_words(document))])]
    if compared := differences_table(document["differences"]):
        sections.append(Section("Differences", ABOUT, [compared.html()]))
    failed = [f"run {run}: {reason}" for run, reason in failed_runs(document).items()]
    if not folders:
        return page(f"sweep {name}", sections)
    return runs_page(load_runs(folders), f"sweep {name}", further=Further(first=sections, left_out=failed))
