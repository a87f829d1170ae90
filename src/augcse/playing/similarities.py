"""Pairwise similarities of sentences."""

from __future__ import annotations

from collections.abc import Sequence

from augcse.errors import UserError
from augcse.playing.session import Array, Session

# A larger table would be unreadable.
MAX_SENTENCES = 40


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text, one per line, without blank lines.

    Raises:
        UserError: fewer than two, or too many.
    """
    sentences = [line.strip() for line in text.splitlines() if line.strip()]
    if not 2 <= len(sentences) <= MAX_SENTENCES:
        raise UserError(f"give 2 to {MAX_SENTENCES} sentences, one per line; here are {len(sentences)}")
    return sentences


def similarities(session: Session, sentences: Sequence[str]) -> dict[str, Array]:
    """Return, per model, the matrix of cosines: (sentences, sentences)."""
    results = {}
    for name in session.models:
        vectors = session.encode(name, sentences)
        results[name] = vectors @ vectors.T
    return results
