"""A standalone SVG file of one or more plots in a grid, black on white."""

from __future__ import annotations

from collections.abc import Sequence

from augcse.report.svg import colour, label

_GAP = 12
_KEY_HEIGHT = 16
# Pixels per character of a legend entry, and of its colour square.
_CHARACTER, _SQUARE = 6.9, 26


def sheet(drawings: Sequence[str], width: int, height: int, keys: Sequence[str] = (), columns: int = 2) -> str:
    """Return the drawings, each `width` x `height` pixels, in rows of `columns`, with a legend of `keys` below."""
    columns = min(columns, len(drawings))
    rows = -(-len(drawings) // columns)
    sheet_width = columns * width + (columns - 1) * _GAP
    bottom = rows * (height + _GAP)
    placed = [
        drawing.replace("<svg ", f'<svg x="{index % columns * (width + _GAP)}" y="{index // columns * (height + _GAP)}" ', 1)
        for index, drawing in enumerate(drawings)
    ]
    legend, lines = _legend(keys, sheet_width, bottom)
    sheet_height = bottom + lines * _KEY_HEIGHT
    size = f'viewBox="0 0 {sheet_width} {sheet_height}" width="{sheet_width}" height="{sheet_height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} color="black"'
        ' font-family="system-ui, sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>'
        f"{''.join([*placed, *legend])}</svg>"
    )


def _legend(keys: Sequence[str], width: float, top: float) -> tuple[list[str], int]:
    """Return the legend, and its number of lines."""
    parts: list[str] = []
    x, line = float(_GAP), 0
    for index, key in enumerate(keys):
        needed = _SQUARE + _CHARACTER * len(key)
        if x + needed > width and x > _GAP:
            x, line = float(_GAP), line + 1
        y = top + line * _KEY_HEIGHT
        parts += [f'<rect x="{x:.0f}" y="{y}" width="9" height="9" fill="{colour(index)}"/>', label(round(x + 13), y + 8, key, "start")]
        x += needed
    lines = line + 1 if keys else 0
    return parts, lines
