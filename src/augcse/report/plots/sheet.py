"""A picture for a file of its own: one drawing or several beside each other, black on white."""

from __future__ import annotations

from collections.abc import Sequence

from augcse.report.svg import colour, label

_GAP = 12
_KEY_HEIGHT = 16
# Pixels of a character of a name, with the square before it.
_CHARACTER, _SQUARE = 6.9, 26


def sheet(drawings: Sequence[str], width: int, height: int, keys: Sequence[str] = (), columns: int = 2) -> str:
    """Return the drawings, each `width` x `height` pixels, in rows of so many; `keys` are the names of the colours, below."""
    columns = min(columns, len(drawings))
    rows = -(-len(drawings) // columns)
    whole = columns * width + (columns - 1) * _GAP
    bottom = rows * (height + _GAP)
    placed = [
        drawing.replace("<svg ", f'<svg x="{index % columns * (width + _GAP)}" y="{index // columns * (height + _GAP)}" ', 1)
        for index, drawing in enumerate(drawings)
    ]
    named, lines = _named(keys, whole, bottom)
    high = bottom + lines * _KEY_HEIGHT
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {high}" width="{whole}" height="{high}" color="black"'
        ' font-family="system-ui, sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>' + "".join([*placed, *named])
    ) + "</svg>"


def _named(keys: Sequence[str], width: float, top: float) -> tuple[list[str], int]:
    """Return squares in the colours of the series with their names, from left to right, and in how many lines."""
    parts: list[str] = []
    x, line = float(_GAP), 0
    for index, key in enumerate(keys):
        needed = _SQUARE + _CHARACTER * len(key)
        if x + needed > width and x > _GAP:
            x, line = float(_GAP), line + 1
        y = top + line * _KEY_HEIGHT
        parts += [f'<rect x="{x:.0f}" y="{y}" width="9" height="9" fill="{colour(index)}"/>', label(round(x + 13), y + 8, key, "start")]
        x += needed
    return parts, line + 1 if keys else 0
