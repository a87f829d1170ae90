"""Extract the plots of a demo's report, for the README.

python scripts/demo_figures.py build/demo/report.html docs/images/demo.svg
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from augcse.report.plots.sheet import sheet


def side_by_side(figures: list[str], columns: int | None = None) -> str:
    """Return one SVG with the figures in rows of `columns`; None puts all in one row."""
    sizes = [tuple(map(int, re.findall(r'(?:width|height)="(\d+)"', figure)[:2])) for figure in figures]
    width, height = (max(side) for side in zip(*sizes, strict=True))
    return sheet(figures, width, height, columns=columns or len(figures)) + "\n"


def main() -> None:
    report, target = map(Path, sys.argv[1:3])
    figures = re.findall(r"<svg .*?</svg>", report.read_text("utf-8"), flags=re.DOTALL)
    target.parent.mkdir(parents=True, exist_ok=True)
    # The last two: before and after training.
    target.write_text(side_by_side(figures[-2:]), "utf-8")


if __name__ == "__main__":
    main()
