"""Surface artifacts of augmentations: changes of length, punctuation and case, and how well a classifier detects them.

Surface artifacts are a shortcut that contrastive training and a discriminator can learn instead of the meaning (AugCSE, appendix A.3:
"repetitive artifacts that can be exploited").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.augmentations.word_diff import changed_share, tokens

Array = npt.NDArray[Any]
FOLDS = 5
_FREQUENT_WORDS = 100
_MARKS = ".,;:!?'\"-()"
_LAST_MARK = re.compile(r"[.!?…。！？][\"'’”)\]]*$")


@dataclass(frozen=True)
class SurfaceShift:
    """Means over the pairs, augmentation minus original unless stated otherwise.

    Attributes:
        words_changed: share of the original's words that are deleted, replaced or inserted.
        words: number of words and marks.
        marks: number of punctuation marks.
        capitals: number of words with a capital.
        told_apart: accuracy x 100 of a classifier of surface features, cross-validated; chance is 50.
    """

    words_changed: float
    words: float
    marks: float
    capitals: float
    told_apart: float


def surface_shift(originals: Sequence[str], augmented: Sequence[str]) -> SurfaceShift:
    """Return how the surface of augmentations differs from that of their originals, for at least `FOLDS` aligned pairs."""
    before, after = (np.array([_counts(text) for text in texts], dtype=np.float64) for texts in (originals, augmented))
    words, marks, capitals = (float(value) for value in (after - before).mean(axis=0))
    changed = float(np.mean([changed_share(old, new) for old, new in zip(originals, augmented, strict=True)]))
    return SurfaceShift(changed, words, marks, capitals, told_apart(originals, augmented))


def told_apart(originals: Sequence[str], augmented: Sequence[str]) -> float:
    """Return the accuracy x 100 of logistic regression in distinguishing augmentations from originals by surface features.

    Cross-validated, with both texts of a pair in the same of five folds. `surface_features` are standardised on the training folds.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    features = surface_features([*originals, *augmented])
    labels = np.repeat([0, 1], len(originals))
    pairs = np.tile(np.arange(len(originals)), 2)
    classifier = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    return 100 * float(cross_val_score(classifier, features, labels, groups=pairs, cv=GroupKFold(FOLDS)).mean())


def surface_features(texts: Sequence[str]) -> Array:
    """Return surface features: (texts, features) float64.

    The numbers of words, characters per word, doubled words and double spaces; the shares of words with a capital and with a digit; a
    capital at the start; a mark at the end; counts of each common mark, and of each of the hundred most frequent words of the texts.
    """
    words = [[token for token in tokens(text) if not token.isspace()] for text in texts]
    counted = Counter(word.lower() for row in words for word in row)
    # Ties in alphabetical order, so that the order of the texts does not matter.
    frequent = sorted(counted, key=lambda word: (-counted[word], word))[:_FREQUENT_WORDS]
    rows = []
    for text, row in zip(texts, words, strict=True):
        counts = Counter(word.lower() for word in row)
        rows.append([*_shape_features(text, row), *(text.count(mark) for mark in _MARKS), *(counts[word] for word in frequent)])
    return np.array(rows, dtype=np.float64)


def _shape_features(text: str, words: Sequence[str]) -> list[float]:
    """Return the features of one text that are not counts of marks or frequent words."""
    count = max(len(words), 1)
    doubled = sum(first.lower() == second.lower() for first, second in pairwise(words))
    return [
        len(words),
        sum(map(len, words)) / count,
        doubled,
        text.count("  "),
        sum(word[0].isupper() for word in words) / count,
        sum(any(character.isdigit() for character in word) for word in words) / count,
        text[:1].isupper(),
        bool(_LAST_MARK.search(text)),
    ]


def _counts(text: str) -> tuple[int, int, int]:
    words = [token for token in tokens(text) if not token.isspace()]
    return len(words), sum(not word[0].isalnum() for word in words), sum(word[0].isupper() for word in words)
