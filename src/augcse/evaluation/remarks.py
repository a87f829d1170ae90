"""Remarks about a score: sentences truncated at the model's length, zero vectors, embeddings that are all equal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class ScoreWarning:
    """A remark that a reader of a score must know: its kind, the number of cases, and one line of text."""

    kind: str
    count: int
    message: str


@dataclass(frozen=True)
class Truncated:
    """The number of distinct sentences that were truncated, and the limit in tokens, special ones included."""

    sentences: int
    of_sentences: int
    max_len_tokens: int

    @property
    def share(self) -> float:
        """Share of the distinct sentences that were truncated, 0 to 1."""
        return self.sentences / self.of_sentences if self.of_sentences else 0.0

    def as_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "share": round(self.share, 6),
            "sentences": self.sentences,
            "of_sentences": self.of_sentences,
            "max_len_tokens": self.max_len_tokens,
        }

    def __str__(self) -> str:
        share = f"{100 * self.share:.2f} %"
        return f"{self.sentences:,} of {self.of_sentences:,} sentences ({share}) were cut at the model's {self.max_len_tokens:,} tokens"


def embedding_warnings(embeddings: np.ndarray) -> tuple[ScoreWarning, ...]:
    """Return warnings about embeddings that can be scored but carry little information. embeddings: (distinct, dim), finite."""
    return tuple(_embedding_warnings(embeddings))


def _embedding_warnings(embeddings: np.ndarray) -> Iterable[ScoreWarning]:
    zeros = int((~embeddings.any(axis=1)).sum())
    if zeros:
        yield zero_vector_warning(zeros, len(embeddings))
    if len(embeddings) > 1 and bool((embeddings == embeddings[0]).all()):
        message = "all embeddings are equal: the model tells no sentence from another, and every score is chance"
        yield ScoreWarning("constant", len(embeddings), message)


def zero_vector_warning(zeros: int, sentences: int) -> ScoreWarning:
    """Return the warning about zero vectors, whose cosine is undefined."""
    message = f"{zeros:,} of {sentences:,} sentences have a zero vector; their cosine counts as 0"
    return ScoreWarning("zero_vectors", zeros, message)


def other_content_warning(files: Sequence[str]) -> ScoreWarning:
    """Return the warning about graded pairs that differ from the known ones: copies may differ in quotes or spaces, perhaps on purpose."""
    message = f"{', '.join(files)}: not the content that published scores were checked on (SHA-256); the scores may not compare"
    return ScoreWarning("other_content", len(files), message)
