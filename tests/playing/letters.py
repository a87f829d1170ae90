"""An encoder that anybody can compute by hand: a text's vector is how often each of three letters is in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from augcse.playing.session import Session


class Letters:
    """Counts letters in place of a sentence-transformers model."""

    def __init__(self, letters: str) -> None:
        self.letters = letters
        self.encoded: list[str] = []

    def encode(self, sentences: Sequence[str], **settings: Any) -> np.ndarray:
        """Return (sentences, letters), float32."""
        self.encoded += sentences
        return np.array([[text.count(letter) for letter in self.letters] for text in sentences], dtype=np.float32)


def cosine(letters: str, first: str, second: str) -> float:
    """The cosine of two texts, letter by letter; 0 where one has none of them."""
    pairs = [(first.count(letter), second.count(letter)) for letter in letters]
    lengths = sum(one**2 for one, _ in pairs) ** 0.5 * sum(other**2 for _, other in pairs) ** 0.5
    return sum(one * other for one, other in pairs) / lengths if lengths else 0.0


def session(sentences: Sequence[str] = (), **models: str) -> Session:
    """A session with a model per keyword, and the corpus encoded by hand."""
    encoders: dict[str, Any] = {name: Letters(letters) for name, letters in (models or {"abc": "abc"}).items()}
    made = Session(encoders, sentences)
    vectors = {name: made.encode(name, sentences) for name in encoders} if sentences else {}
    return Session(encoders, sentences, vectors, source="corpus.txt")
