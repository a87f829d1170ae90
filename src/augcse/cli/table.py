"""Table layout: names are never wrapped, descriptions are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from rich.console import Console
from rich.text import Text

_GAP = "  "
# The minimum width of a wrapped column; a table that still does not fit is wider than the terminal.
_LEAST_WIDTH = 20


def table_lines(rows: Sequence[Sequence[Text]], width: int | None, whole_columns: int = 1) -> list[Text]:
    """Return a table's lines, without spaces at their ends.

    Args:
        rows: cells of one line each.
        width: of the terminal, in cells; None puts every row on one line.
        whole_columns: number of columns, from the left, that are never wrapped.
    """
    needed = [max(cell.cell_len for cell in column) for column in zip(*rows, strict=True)]
    widths = needed if width is None else folded_widths(needed, width, whole_columns)
    return [line for row in rows for line in _row_lines(row, widths)]


def folded_widths(needed: Sequence[int], width: int, whole_columns: int = 1) -> list[int]:
    """Return the columns' widths: the widest column that may be wrapped is narrowed until all fit.

    >>> folded_widths([10, 90, 40], 80)
    [10, 33, 33]
    """
    widths = list(needed)
    foldable = range(whole_columns, len(widths))
    excess = sum(widths) + len(_GAP) * (len(widths) - 1) - width
    for _ in range(excess):
        widest = max(foldable, key=widths.__getitem__, default=None)
        if widest is None or widths[widest] <= _LEAST_WIDTH:
            break
        widths[widest] -= 1
    return widths


def _row_lines(row: Sequence[Text], widths: Sequence[int]) -> list[Text]:
    """Return the lines of one row, whose cells are wrapped to the widths."""
    console = Console(width=max(widths))
    folded = [cell.wrap(console, max(width, 1)) for cell, width in zip(row, widths, strict=True)]
    lines = []
    for pieces in zip_longest(*folded, fillvalue=None):
        line = Text(_GAP).join(_padded(piece or Text(), width) for piece, width in zip(pieces, widths, strict=True))
        line.rstrip()
        lines.append(line)
    return lines


def _padded(cell: Text, width: int) -> Text:
    cell.rstrip()
    cell.pad_right(max(width - cell.cell_len, 0))
    return cell
