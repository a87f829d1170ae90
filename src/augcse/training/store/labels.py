"""The labels of rows: the augmentation that made the augmented view, and task labels (class indices or numbers) from a table column."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from augcse.corpus.rows import Row
from augcse.errors import UserError
from augcse.sections import TaskSection
from augcse.training.store.files import TASK_TYPES
from augcse.training.store.plan import Plan
from augcse.training.store.views import FilledView

_ROWS_AT_ONCE = 1 << 20


def augmentation_labels(plan: Plan, filled: Sequence[FilledView]) -> list[int]:
    """Return the labels of the view "augmented": 1 or 0 for positive or negative, or the index of the augmentation, K for none."""
    if plan.label_kind == "positive":
        return [int(view.positive) for view in filled]
    index_of = {name: index for index, name in enumerate(plan.augmentations)}
    return [len(index_of) if view.name is None else index_of[view.name] for view in filled]


class TaskLabels:
    """Turns the cells of a label column into numbers, row by row.

    Classes are numbered in order of appearance, since the names are not known before the last row; `finish` renumbers them in sorted order.

    Args:
        task: the section [task] of the recipe.
        cell: the name of the cell with the label.
    """

    def __init__(self, task: TaskSection, cell: str) -> None:
        self.task = task
        self._cell = cell
        self._number_of: dict[str, int] = {}
        self._rows = 0

    def numbers(self, rows: Iterable[Row]) -> list[float]:
        """Return the rows' labels.

        Raises:
            UserError: a row without a label, or in a regression one that is not a number, with file, line and value.
        """
        return [self._label_number(row) for row in rows]

    def finish(self, path: Path) -> dict[str, Any]:
        """Renumber the classes in the file with the labels; return the description of the task.

        Raises:
            UserError: fewer than two classes, or as many classes as rows.
        """
        meta: dict[str, Any] = {"kind": self.task.kind, "label": self.task.label, "pair": self.task.pair}
        if self.task.kind == "regression":
            return meta
        self._check_classes()
        classes = sorted(self._number_of, key=_class_order)
        number_in_order = np.empty(len(classes), dtype=TASK_TYPES["classification"])
        number_in_order[[self._number_of[name] for name in classes]] = np.arange(len(classes))
        labels = np.memmap(path, dtype=TASK_TYPES["classification"], mode="r+")
        for start in range(0, len(labels), _ROWS_AT_ONCE):
            labels[start : start + _ROWS_AT_ONCE] = number_in_order[labels[start : start + _ROWS_AT_ONCE]]
        labels.flush()
        return {**meta, "classes": classes}

    def _label_number(self, row: Row) -> float:
        """Return the label of a row: the number of its class, or its value; raises `UserError` without one."""
        cell = row.cells[self._cell]
        self._rows += 1
        if not cell:
            raise UserError(f"{row.where}: no label in column {self.task.label}; give one, or leave the row out")
        if self.task.kind == "classification":
            return self._number_of.setdefault(cell, len(self._number_of))
        try:
            number = float(cell)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise UserError(
                f"{row.where}: {cell[:40]!r} in column {self.task.label} is not a number; a regression needs one,"
                ' task.kind = "classification" takes names'
            )
        return number

    def _check_classes(self) -> None:
        """Raise `UserError` for a single class, or a class for every row."""
        if len(self._number_of) == 1:
            [only] = self._number_of
            raise UserError(f"all rows have the label {only!r} in column {self.task.label}; a classification needs two classes or more")
        if len(self._number_of) == self._rows > 2:
            raise UserError(
                f"each of the {self._rows:,} rows has a class of its own in column {self.task.label}; name the column of the labels in"
                " task.label"
            )


def _class_order(name: str) -> tuple[bool, int, str]:
    """Return the sort key of a class name: whole numbers first, by value, then other names as text."""
    return (False, int(name), name) if name.isdecimal() else (True, 0, name)
