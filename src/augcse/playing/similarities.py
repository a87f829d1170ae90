"""How similar sentences are, each with each."""

from __future__ import annotations

from collections.abc import Sequence

from augcse.errors import UserError
from augcse.playing.session import Array, Session

# More are no table that anybody reads.
MOST_SENTENCES = 40


def lines_of(text: str) -> list[str]:
    """Return the sentences of a text, one per line, without blank lines.

    Raises:
        UserError: fewer than two, or too many.
    """
    sentences = [line.strip() for line in text.splitlines() if line.strip()]
    if not 2 <= len(sentences) <= MOST_SENTENCES:
        raise UserError(f"give 2 to {MOST_SENTENCES} sentences, one per line; here are {len(sentences)}")
    return sentences


def similarities(session: Session, sentences: Sequence[str]) -> dict[str, Array]:
    """Return, per model, the cosine of each sentence with each: (sentences, sentences)."""
    found = {}
    for name in session.models:
        vectors = session.encode(name, sentences)
        found[name] = vectors @ vectors.T
    return found
