"""The table of docs/splitting.md, from the record of bench/split_quality.py."""

from __future__ import annotations

import json
from typing import Any

from augcse.report.table import Table
from docs_pages.layout import DOCS, RESULTS, between


def splitting() -> str:
    """Return the page with the table of today between its marks."""
    record = json.loads((RESULTS / "split.json").read_text("utf-8"))
    rows = [
        [name, *(f"{figures[figure]:.1f}" for figure in ("precision", "recall", "f1")), f"{figures['characters_per_s'] / 1e6:.2f}"]
        for name, figures in record["splitters"].items()
    ]
    table = Table(["", "precision", "recall", "F1", "million characters per second"], rows).markdown()
    unmarked = f"{record['ends_without_a_mark']:,} of {record['ends_within_paragraphs']:,} ends have no mark, which no rule can find."
    text = between((DOCS / "splitting.md").read_text("utf-8"), "quality", f"{table}\n\n{unmarked}")
    return between(text, "news", _news(record["news"]))


def _news(record: dict[str, Any]) -> str:
    """What training cuts of a corpus of news, before and after."""
    rows = [
        [name, f"{found['lines']:,}", f"{found['lines_cut_percent']:.1f}", f"{found['tokens_lost_percent']:.1f}"]
        for name, found in (("as it is, one paragraph per line", record["before"]), ("after `augcse split`", record["after"]))
    ]
    return Table(["news", "lines", "% of lines cut", "% of tokens lost"], rows).markdown()
