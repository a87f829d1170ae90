"""How a table is laid out in lines: names stay whole, descriptions are folded."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from rich.console import Console
from rich.text import Text

_GAP = "  "
# No column is folded narrower than this; a table that does not fit then is wider than the terminal.
_LEAST_WIDTH = 20


def table_lines(rows: Sequence[Sequence[Text]], width: int | None, whole_columns: int = 1) -> list[Text]:
    """Return a table's lines, without spaces at their ends.

    Args:
        rows: cells of one line each.
        width: of the terminal, in cells; None: every row is a line.
        whole_columns: how many columns, from the left, are never folded.
    """
    needed = [max(cell.cell_len for cell in column) for column in zip(*rows, strict=True)]
    widths = needed if width is None else folded_widths(needed, width, whole_columns)
    return [line for row in rows for line in _row_lines(row, widths)]


def folded_widths(needed: Sequence[int], width: int, whole_columns: int = 1) -> list[int]:
    """Return the columns' widths on a terminal: the widest of those that may be folded is narrowed until all fit.

    >>> folded_widths([10, 90, 40], 80)
    [10, 33, 33]
    """
    widths = list(needed)
    free = range(whole_columns, len(widths))
    excess = sum(widths) + len(_GAP) * (len(widths) - 1) - width
    for _ in range(excess):
        widest = max(free, key=widths.__getitem__, default=None)
        if widest is None or widths[widest] <= _LEAST_WIDTH:
            break
        widths[widest] -= 1
    return widths


def _row_lines(row: Sequence[Text], widths: Sequence[int]) -> list[Text]:
    console = Console(width=max(widths))
    folded = [cell.wrap(console, max(width, 1)) for cell, width in zip(row, widths, strict=True)]
    lines = []
    for parts in zip_longest(*folded, fillvalue=None):
        line = Text(_GAP).join(_padded(part or Text(), width) for part, width in zip(parts, widths, strict=True))
        line.rstrip()
        lines.append(line)
    return lines


def _padded(cell: Text, width: int) -> Text:
    cell.rstrip()
    cell.pad_right(max(width - cell.cell_len, 0))
    return cell
