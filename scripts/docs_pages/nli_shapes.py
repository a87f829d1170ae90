"""AugCSE's Table 15 from the record of scripts/nli_shapes.py, beside the published figures."""

from __future__ import annotations

import json
from typing import Any

from augcse.report.table import Table
from docs_pages.layout import NOTE, RESULTS

_MEASURES = {"COND-HM": "cond_hm", "SVG": "svg", "Gromov-Hausdorff, H0": "gromov_hausdorff_h0", "H1": "gromov_hausdorff_h1"}
# Anchor and entailed, anchor and contradicted, entailed and contradicted.
_PUBLISHED = {
    "MNLI + SNLI, a sample": {"COND-HM": (94.7, 95.1, 95.7), "SVG": (0.87, 0.84, 0.59), "Gromov-Hausdorff": (0.31, 0.29, 0.05)},
    "ANLI": {"COND-HM": (96.0, 95.7, 91.54), "SVG": (0.86, 0.82, 0.29), "Gromov-Hausdorff": (51.7, 51.3, 0.02)},
}
_PAGE = """# AugCSE's Table 15 on mini-bert

How alike anchors (A), entailed (E) and contradicted sentences (C) are in shape, in one model: of SVG and Gromov-Hausdorff the less, the
more alike. {sentences:,} distinct sentences of each, under {model} as it comes; LingNLI and CAD stand for MNLI and SNLI, and ANLI's
development rows for its training rows, which are not here. Made by `python scripts/nli_shapes.py DATA`; of texts of one's own:
`augcse analyze isomorphism MODEL --corpus nli.csv --column sent0 --column sent1 --column hard_neg`.

{table}

By SVG, entailed and contradicted sentences are alike, and both are far from their anchors, in ANLI more than in the other data: its anchors
are paragraphs. The paper has the same order by its Gromov-Hausdorff distance. COND-HM hardly tells the pairs apart, here as there. The
Gromov-Hausdorff estimate is of 100 sentences of each, drawn once.
"""


def nli_shapes() -> str:
    """Return the page."""
    record = json.loads((RESULTS / "nli-shapes.json").read_text("utf-8"))
    ours = [row for name, pairs in record["sets"].items() for row in _rows(name, pairs)]
    published = [
        [f"published: {name}", measure, *(f"{value:g}" for value in values)]
        for name, measures in _PUBLISHED.items()
        for measure, values in measures.items()
    ]
    table = Table(["", "measure", "A and E", "A and C", "E and C"], [*ours, *published]).markdown()
    return NOTE + _PAGE.format(sentences=record["sentences"], model=record["model"], table=table)


def _rows(name: str, pairs: list[dict[str, Any]]) -> list[list[str]]:
    return [[name, measure, *(f"{pair[key]:.2f}" for pair in pairs)] for measure, key in _MEASURES.items()]
