"""SentEval's three protocols for training and testing a classifier on frozen embeddings, for any classifier.

Conneau and Kiela 2018 (SentEval), in the version that SimCSE, DiffCSE and AugCSE report with: logistic regression, four penalties
from 1e-5 to 1e-2 chosen on held-out rows, folds stratified and shuffled with seed 1111, accuracies rounded where SentEval rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Rows = npt.NDArray[np.intp]
SEED = 1111
PENALTIES = (1e-5, 1e-4, 1e-3, 1e-2)


@dataclass(frozen=True)
class Split:
    """Training rows and held-out rows."""

    train: Rows
    held_out: Rows


@dataclass(frozen=True)
class Fit:
    """A final classifier: training rows, penalty, and the rows to classify.

    `validation` are the rows that a classifier with early stopping watches; None lets it set rows of `train` aside.
    """

    split: Split
    penalty: float
    validation: Rows | None = None


class Classifier(Protocol):
    """Trains logistic regressions; features are (rows, dim), labels (rows,) with classes 0, 1, ..."""

    def validate(self, features: Array, labels: Array, splits: Sequence[Split]) -> list[Array]:
        """Return which held-out rows are classified correctly, bool: per split (penalties, held-out rows)."""
        ...

    def predict(self, features: Array, labels: Array, fits: Sequence[Fit]) -> list[Array]:
        """Return the predicted classes of the held-out rows of every fit."""
        ...


@dataclass(frozen=True)
class Outcome:
    """Accuracies x 100.

    `predicted` are the classes given to the test rows, (test rows,): those of the split, or with folds every row, each by the classifier
    that was not trained on it.
    """

    dev: float
    test: float
    predicted: Array


@dataclass(frozen=True)
class Development:
    """Results of the best penalties on held-out rows.

    Attributes:
        accuracy: x 100, as SentEval averages and rounds it.
        right: per row that was held out at least once, the share of those times that its class was predicted, in [0, 1]. Their mean is the
            accuracy, except for the rounding and for folds that differ by a row.
    """

    accuracy: float
    right: Array


def folds(labels: Array, count: int) -> list[Split]:
    """Return SentEval's folds: scikit-learn's `StratifiedKFold(count, shuffle=True, random_state=1111)`."""
    from sklearn.model_selection import StratifiedKFold

    splitter = StratifiedKFold(n_splits=count, shuffle=True, random_state=SEED)
    return [Split(train, held_out) for train, held_out in splitter.split(np.zeros((len(labels), 1)), labels)]


def nested_folds(classifier: Classifier, features: Array, labels: Array, count: int) -> Outcome:
    """Test on each fold in turn, with the penalty that does best on folds of the others (MR, CR, SUBJ, MPQA).

    `dev` is the mean over the outer folds of the best penalty's mean accuracy on the inner folds, as SentEval reports it.
    """
    outer = folds(labels, count)
    dev = _mean_accuracies(classifier.validate(features, labels, _inner_folds(labels, outer)), count)
    fits = [Fit(split, PENALTIES[best]) for split, best in zip(outer, dev.argmax(axis=1), strict=True)]
    predicted = np.empty_like(labels)
    tests = []
    for part, split in zip(classifier.predict(features, labels, fits), outer, strict=True):
        predicted[split.held_out] = part
        tests.append(round(_accuracy(part, labels[split.held_out]), 2))
    return Outcome(round(float(dev.max(axis=1).mean()), 2), round(float(np.mean(tests)), 2), predicted)


def nested_folds_dev(classifier: Classifier, features: Array, labels: Array, count: int) -> Development:
    """Return the `dev` of `nested_folds` alone; a row is held out in all outer folds but its own."""
    return _development_results(classifier, features, labels, _inner_folds(labels, folds(labels, count)), count)


def train_and_dev(classifier: Classifier, features: Array, labels: Array, count: int) -> Development:
    """Return the `dev` of `train_and_test` alone: all rows are training rows."""
    return _development_results(classifier, features, labels, folds(labels, count), 1)


def dev_rows(classifier: Classifier, features: Array, labels: Array, split: Split) -> Development:
    """Return the `dev` of `train_dev_and_test` alone: of the best penalty on the held-out rows of the split."""
    return _development_results(classifier, features, labels, [split], 1)


def train_and_test(classifier: Classifier, features: Array, labels: Array, split: Split, count: int) -> Outcome:
    """Choose the penalty on folds of the training rows, then train on all of them (TREC, MRPC)."""
    inner_splits = [Split(split.train[within.train], split.train[within.held_out]) for within in folds(labels[split.train], count)]
    return _choose_and_test(classifier, features, labels, inner_splits, Fit(split, 0.0))


def train_dev_and_test(classifier: Classifier, features: Array, labels: Array, split: Split, dev: Rows) -> Outcome:
    """Choose the penalty on the development rows, and train on the training rows alone (SST2)."""
    return _choose_and_test(classifier, features, labels, [Split(split.train, dev)], Fit(split, 0.0, validation=dev))


def f1(predicted: Array, labels: Array) -> float:
    """Return F1 of class 1 x 100; 0.0 if class 1 is neither predicted nor present."""
    hits = float(np.sum((predicted == 1) & (labels == 1)))
    claims = float(np.sum(predicted == 1) + np.sum(labels == 1))
    return 100 * 2 * hits / claims if claims else 0.0


def _inner_folds(labels: Array, outer: Sequence[Split]) -> list[Split]:
    """Return the inner folds of the training rows of every outer fold, in order of the outer folds."""
    return [
        Split(split.train[within.train], split.train[within.held_out])
        for split in outer
        for within in folds(labels[split.train], len(outer))
    ]


def _mean_accuracies(right: Sequence[Array], groups: int) -> Array:
    """Return the mean accuracy x 100 over the splits of each group, rounded as SentEval's: (groups, penalties)."""
    accuracies = np.array([rows.mean(axis=1) for rows in right])
    rounded: Array = np.round(100 * accuracies.reshape(groups, -1, accuracies.shape[1]).mean(axis=1), 2)
    return rounded


def _development_results(classifier: Classifier, features: Array, labels: Array, splits: Sequence[Split], groups: int) -> Development:
    """Choose the best penalty of each group of splits, and return their results."""
    right = classifier.validate(features, labels, splits)
    dev = _mean_accuracies(right, groups)
    best = np.repeat(dev.argmax(axis=1), len(splits) // groups)
    times_held_out = np.zeros(len(labels))
    times_right = np.zeros(len(labels))
    for split, rows, penalty in zip(splits, right, best, strict=True):
        times_held_out[split.held_out] += 1
        times_right[split.held_out] += rows[penalty]
    held_out = times_held_out > 0
    return Development(round(float(dev.max(axis=1).mean()), 2), times_right[held_out] / times_held_out[held_out])


def _choose_and_test(classifier: Classifier, features: Array, labels: Array, inner_splits: list[Split], fit: Fit) -> Outcome:
    (dev,) = _mean_accuracies(classifier.validate(features, labels, inner_splits), 1)
    final = Fit(fit.split, PENALTIES[int(dev.argmax())], fit.validation)
    (predicted,) = classifier.predict(features, labels, [final])
    return Outcome(float(dev.max()), round(_accuracy(predicted, labels[fit.split.held_out]), 2), predicted)


def _accuracy(predicted: Array, labels: Array) -> float:
    return 100 * float(np.mean(predicted == labels))
