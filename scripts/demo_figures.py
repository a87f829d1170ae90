"""Take the pictures out of a demo's report, for the README.

python scripts/demo_figures.py build/demo/report.html docs/images/demo.svg
"""

from __future__ import annotations

import re
import sys
from pathlib import Path


def side_by_side(figures: list[str], columns: int | None = None) -> str:
    """Return one SVG with the figures in rows of so many, None: in one row."""
    sizes = [tuple(map(int, re.findall(r'(?:width|height)="(\d+)"', figure)[:2])) for figure in figures]
    columns = columns or len(figures)
    width, height = max(width for width, _ in sizes), max(height for _, height in sizes)
    places = [(index % columns * width, index // columns * height) for index in range(len(figures))]
    parts = "".join(figure.replace("<svg ", f'<svg x="{x}" y="{y}" ', 1) for (x, y), figure in zip(places, figures, strict=True))
    whole = columns * width, -(-len(figures) // columns) * height
    size = f'width="{whole[0]}" height="{whole[1]}" viewBox="0 0 {whole[0]} {whole[1]}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{parts}</svg>\n'


def main() -> None:
    report, target = map(Path, sys.argv[1:3])
    figures = re.findall(r"<svg .*?</svg>", report.read_text("utf-8"), flags=re.DOTALL)
    target.parent.mkdir(parents=True, exist_ok=True)
    # The last two: before and after training.
    target.write_text(side_by_side(figures[-2:]), "utf-8")


if __name__ == "__main__":
    main()
