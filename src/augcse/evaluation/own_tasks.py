"""Users' files as tasks: graded pairs scored by Spearman's correlation, labelled texts by a classifier, as registered tasks are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from augcse.corpus.formats import location
from augcse.errors import UserError
from augcse.evaluation.base import EvaluationOptions, LoadedTask, TaskCard
from augcse.evaluation.labelled import LabelledExample, senteval_order
from augcse.evaluation.own_names import files_of
from augcse.evaluation.own_tables import OwnTable, kind_of_table, read_own_table
from augcse.evaluation.pairs import Pairs, parse_score
from augcse.evaluation.remarks import ScoreWarning
from augcse.evaluation.tasks.sts import LoadedPairs
from augcse.evaluation.tasks.transfer import FOLDS, LoadedTransfer

if TYPE_CHECKING:
    import numpy as np

    from augcse.evaluation.samples import Measured

_FEWER_FOLDS = 5
_SHOWN_ROWS = 5


@dataclass(frozen=True)
class OwnTask:
    """One or two users' files, read when the task is loaded.

    Args:
        name: as the user wrote it.
        options: of the classifier, if the file holds labels.
    """

    name: str
    options: EvaluationOptions = field(default=EvaluationOptions())
    suites: tuple[str, ...] = ()

    def configured(self, options: EvaluationOptions) -> OwnTask:
        """Return the task under these options."""
        return replace(self, options=options)

    def load(self, data: Path | None) -> LoadedTask:
        """Read the files; `data` is ignored.

        Raises:
            UserError: no such file, or content that cannot be scored, with file and row.
        """
        tables = [read_own_table(path) for path in files_of(self.name)]
        if len(tables) == 1 and tables[0].kind == "pairs":
            return _graded_pairs(tables[0])
        for table in tables:
            if table.kind == "pairs":
                raise UserError(f"{table.path} holds graded pairs, which are not trained on; give each file by itself, with a comma")
        return _labelled_texts(tables, self.options)

    def data_files(self, data: Path) -> list[Path]:
        """Return no files: a user's file does not belong to a data folder."""
        return []

    def card(self) -> TaskCard:
        """Return the task's card. Raises `UserError` for a file that does not exist, or holds neither pairs nor labels."""
        paths = files_of(self.name)
        score = "Spearman x 100" if kind_of_table(paths[0]) == "pairs" else "accuracy x 100"
        return {"name": self.name, "suites": [], "score": score, "files": list(map(str, paths)), "hub": None}


@dataclass(frozen=True)
class LoadedLabels(LoadedTransfer):
    """Labelled texts of a user.

    Attributes:
        classes: the names of the labels, in the order of their numbers.
        remarks: warnings about the data that a reader of the score must know.
    """

    classes: tuple[str, ...] = ()
    remarks: tuple[ScoreWarning, ...] = ()

    def warnings(self) -> tuple[ScoreWarning, ...]:
        """Return remarks that a reader of the score must know."""
        return self.remarks

    def measured(self, embeddings: np.ndarray, row_of: dict[str, int]) -> Measured:
        """Return the metrics of a transfer task, and the accuracy of always predicting the largest class, as a baseline."""
        measured = super().measured(embeddings, row_of)
        tested = next(reversed(self.splits.values()))
        counts = Counter(example.label for example in tested)
        return replace(measured, figures={**measured.figures, "largest class": round(100 * max(counts.values()) / len(tested), 2)})


def _graded_pairs(table: OwnTable) -> LoadedPairs:
    """Return the pairs with their scores as numbers, which must be two or more and not all equal."""
    pairs = Pairs([], [], [])
    for row in table.rows:
        score = parse_score(row.value)
        if score is None:
            where = location(table.path, row.number)
            raise UserError(f"{where}: the score {row.value[:40]!r} is not a number; write one such as 3.5, or leave it empty")
        pairs.scores.append(score)
        pairs.first.append(row.texts[0])
        pairs.second.append(row.texts[1])
    if len(pairs) < 2:
        raise UserError(f"{table.path}: {len(pairs)} graded pairs; a correlation needs at least two")
    if len(set(pairs.scores)) == 1:
        raise UserError(f"{table.path}: all scores are {pairs.scores[0]:g}; a correlation needs different ones")
    return LoadedPairs(pairs, remarks=_left_out_warnings([table]))


def _labelled_texts(tables: Sequence[OwnTable], options: EvaluationOptions) -> LoadedLabels:
    """Return the labelled texts of a file that is split into folds, or of a training and a test file."""
    train, test = tables[0], tables[1:]
    classes = sorted({row.value for row in train.rows})
    if len(classes) < 2:
        raise UserError(f"{train.path}: all labels are {classes[0][:40]!r}; a classification needs two classes or more")
    for table in test:
        _check_test(train, table, classes)
    folds, fewer = _number_of_folds(train, options, nested=not test)
    wanted = tables if options.protocol != "dev" else tables[:1]
    names = ("train", "test") if test else ("all",)
    return LoadedLabels(
        {name: _examples(table, classes) for name, table in zip(names, wanted, strict=False)},
        "folds, test split" if test else "nested folds",
        options,
        folds=folds,
        classes=tuple(classes),
        remarks=(*_left_out_warnings(wanted), *fewer, *_repeated_warnings(wanted)),
    )


def _examples(table: OwnTable, classes: Sequence[str]) -> list[LabelledExample]:
    number_of = {name: number for number, name in enumerate(classes)}
    return senteval_order([LabelledExample(number_of[row.value], row.texts) for row in table.rows])


def _check_test(train: OwnTable, test: OwnTable, classes: Sequence[str]) -> None:
    for row in test.rows:
        if row.value not in classes:
            raise UserError(f"{location(test.path, row.number)}: no row of {train.path} has the label {row.value[:40]!r}; correct it")
    if len(test.rows[0].texts) != len(train.rows[0].texts):
        raise UserError(f"{test.path} has another number of texts per row than {train.path}; give both the same columns")


def _number_of_folds(table: OwnTable, options: EvaluationOptions, nested: bool) -> tuple[int, tuple[ScoreWarning, ...]]:
    """Return the number of folds that the smallest class allows: that of the protocol, or five with a warning.

    Every class must be in every fold, and with nested folds also in every inner fold.
    """
    counts = Counter(row.value for row in table.rows)
    name, least = min(counts.items(), key=lambda entry: (entry[1], entry[0]))
    usual = FOLDS[options.protocol]
    if least >= _least_rows(usual, nested):
        return usual, ()
    needed = _least_rows(_FEWER_FOLDS, nested)
    if least < needed:
        number = f"{least:,} row{'s' * (least != 1)}"
        raise UserError(
            f"{table.path}: the label {name[:40]!r} has {number}; give {needed} or more of each, or leave that label out"
            " (grades of pairs belong in a column called score)"
        )
    enough = _least_rows(usual, nested)
    message = f"{table.path}: {_FEWER_FOLDS} folds in place of {usual}, for which each label needs {enough} rows; {name[:40]!r} has {least}"
    return _FEWER_FOLDS, (ScoreWarning("few_rows", least, message),)


def _least_rows(folds: int, nested: bool) -> int:
    """Return the smallest number of rows of a class that suffices for every fold.

    >>> _least_rows(10, nested=True), _least_rows(5, nested=True), _least_rows(5, nested=False)
    (12, 7, 5)
    """
    # An outer fold takes at most ceil(rows / folds) rows of a class.
    return next(rows for rows in range(folds, 2 * folds + 2) if not nested or rows - -(-rows // folds) >= folds)


def _left_out_warnings(tables: Sequence[OwnTable]) -> tuple[ScoreWarning, ...]:
    return tuple(_left_out_warning(table) for table in tables if table.left_out)


def _left_out_warning(table: OwnTable) -> ScoreWarning:
    noun = "score" if table.kind == "pairs" else "label"
    left_out, rows = len(table.left_out), len(table.left_out) + len(table.rows)
    where = ", ".join([location(table.path, table.left_out[0]), *map(str, table.left_out[1:_SHOWN_ROWS])])
    where += ", ..." if left_out > _SHOWN_ROWS else ""
    return ScoreWarning(f"no_{noun}", left_out, f"{where}: no {noun}; {left_out:,} of {rows:,} rows have none and are left out")


def _repeated_warnings(tables: Sequence[OwnTable]) -> tuple[ScoreWarning, ...]:
    """Warn about test rows that are also training rows."""
    if len(tables) < 2:
        return ()
    seen = {row.texts for row in tables[0].rows}
    repeated = sum(row.texts in seen for row in tables[1].rows)
    message = f"{tables[1].path}: {repeated:,} of {len(tables[1].rows):,} rows are in {tables[0].path} too; the score is too high"
    return (ScoreWarning("in_training", repeated, message),) if repeated else ()
