"""The tables of docs/postprocess.md, from the records of scripts/postprocess_dev.py; the rest of the page is written by hand."""

from __future__ import annotations

import json
from typing import Any

from augcse.report.table import Table
from docs_pages.layout import DOCS, RESULTS, between

PAGE = DOCS / "postprocess.md"
NOT_MEASURED = "Not measured yet."
TEXTS = {"mixed_text": "mixed text", "wikipedia": "Wikipedia"}


def postprocess() -> str:
    """Return the page with the tables of today between its marks."""
    paths = {name: RESULTS / "postprocess" / f"{name}.json" for name in TEXTS}
    documents = {name: json.loads(path.read_text("utf-8")) for name, path in paths.items() if path.exists()}
    chains, sizes = (_chains(documents), _sizes(next(iter(documents.values())))) if documents else (NOT_MEASURED, NOT_MEASURED)
    return between(between(PAGE.read_text("utf-8"), "chains", chains), "sizes", sizes)


def _chains(documents: dict[str, dict[str, Any]]) -> str:
    chains = next(iter(documents.values()))["scores"]
    rows = [
        [f"`{chain}`" if chain else "mean of tokens", *(f"{found['scores'][chain]:.2f}" for found in documents.values())]
        for chain in chains
    ]
    return Table(["steps", *(f"fitted on {TEXTS[name]}" for name in documents)], rows).markdown()


def _sizes(document: dict[str, Any]) -> str:
    by_size = document["by_size"][""]
    rows = [
        [f"{int(size):,}", f"{by_size['none'][size]:.2f}", f"{by_size['oas'][size]:.2f}", f"{share:.3f}"]
        for size, share in by_size["share"].items()
    ]
    return Table(["sentences", "`shrinkage=none`", "`shrinkage=oas`", "share of the identity"], rows).markdown()
