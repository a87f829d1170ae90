"""The table of docs/splitting.md, from the record of bench/split_quality.py."""

from __future__ import annotations

import json

from augcse.report.table import Table
from docs_pages.layout import DOCS, RESULTS, between


def splitting() -> str:
    """Return the page with the table of today between its marks."""
    record = json.loads((RESULTS / "split.json").read_text("utf-8"))
    rows = [
        [name, *(f"{found[figure]:.1f}" for figure in ("precision", "recall", "f1")), f"{found['characters_per_s'] / 1e6:.2f}"]
        for name, found in record["splitters"].items()
    ]
    table = Table(["", "precision", "recall", "F1", "million characters per second"], rows).markdown()
    unmarked = f"{record['ends_without_a_mark']:,} of {record['ends_within_paragraphs']:,} ends have no mark, which no rule can find."
    return between((DOCS / "splitting.md").read_text("utf-8"), "quality", f"{table}\n\n{unmarked}")
