"""What each cell of a sweep is compared to by `compare_to`, and whether the records of the runs will hold what that needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from augcse.config import full_key
from augcse.errors import UserError
from augcse.evaluation.base import suites
from augcse.evaluation.run_scores import KEPT_MODEL
from augcse.sweeping.plan import Cell
from augcse.training.outcome import BASELINES


def reference_of(cell: Cell, name: str, cells: Sequence[Cell]) -> tuple[Cell, str] | None:
    """Return what a cell is compared to under a name of `compare_to`: the cell whose records hold it, and the model's name in them.

    The name of a row means its cell on the same corpus with the same values of the grid, which may be one of `--grid` for all rows. A
    baseline is in the cell's own records. None: the name is the cell's own row, a row that has no such cell, or a baseline that the cell
    does not score.
    """
    if any(each.row == name for each in cells):
        values = _values(cell)
        candidates = (each for each in _cells_on_corpus(cell, name, cells) if _values(each).items() <= values.items())
        reference = next(candidates, None)
        return None if reference is None or cell.row == name else (reference, KEPT_MODEL)
    return (cell, name) if name in BASELINES and name in cell.recipe.evaluation.baselines else None


def check_references(compare_to: Sequence[str], cells: Sequence[Cell]) -> None:
    """Raise `UserError`, with the cell, if the runs of these cells would record nothing to compare."""
    if not compare_to:
        return
    for cell in cells:
        if not cell.recipe.evaluation.kept_resamples:
            raise UserError(
                f"compare_to needs resamples in the records, and {cell.name} keeps none (evaluation.kept_resamples is 0);"
                " set it to 400, in the file's [settings] or published_settings, or by --set evaluation.kept_resamples=400"
            )
        for name in compare_to:
            _check_reference(cell, name, cells)
    if not any(reference_of(cell, name, cells) for cell in cells for name in compare_to):
        names = " and ".join(compare_to)
        raise UserError(
            f"compare_to: no cell is left to compare to {names}; choose (--row) {names} and another row of the same text, or score"
            " the baseline (evaluation.baselines)"
        )


def suite_notes(compare_to: Sequence[str], tests: Sequence[str]) -> Iterator[str]:
    """Yield a note, before anything is trained, if no suite is tested: only averages of suites are compared."""
    if compare_to and not set(tests) & set(suites()):
        yield (
            f"no differences to {' and '.join(compare_to)} will be shown: they are averages of suites ({', '.join(suites())}), and the"
            f" runs are tested on {', '.join(tests) or 'nothing'}; --data gives the suites their data"
        )


def _check_reference(cell: Cell, name: str, cells: Sequence[Cell]) -> None:
    """Raise `UserError` if a row has no cell with the values of `cell`, or the records of the two would have nothing in common."""
    reference = reference_of(cell, name, cells)
    if reference is None:
        if cell.row == name or not _cells_on_corpus(cell, name, cells):
            return
        raise UserError(
            f"compare_to: {name} has a grid, and no cell of it has the values of {cell.name};"
            " name a row of one cell, or give both rows the same grid"
        )
    reference_cell, _ = reference
    if not set(cell.seeds) & set(reference_cell.seeds):
        raise UserError(
            f"compare_to: {cell.name} and {reference_cell.name} have no seed in common; give seeds for all rows, e.g. --seeds 1,11,42"
        )


def _values(cell: Cell) -> Mapping[str, Any]:
    """Return the values of the grid by full key, however the keys are spelt."""
    return {full_key(key, cell.recipe.objective.name): value for key, value in cell.settings.items()}


def _cells_on_corpus(cell: Cell, row: str, cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells of a row on the corpus of `cell`."""
    return [each for each in cells if each.row == row and each.corpus == cell.corpus]
