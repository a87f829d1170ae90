"""Encode sentences once for both the scores of a run's model and those of the hybrid that contains it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from augcse.encoding.model import encode_distinct

if TYPE_CHECKING:
    import numpy as np
    from sentence_transformers import SentenceTransformer

# `encode_distinct` of a model: sentences and a batch size -> embeddings of the distinct ones, and the row of each sentence.
Encode = Callable[[Sequence[str], int], "tuple[np.ndarray, dict[str, int]]"]


class EncodedOnce:
    """A model, and the embeddings of the sentences that it encoded last.

    Args:
        model: its weights must not change any more.
    """

    def __init__(self, model: SentenceTransformer) -> None:
        self.model = model
        self._sentences: list[str] | None = None
        self._embeddings: tuple[np.ndarray, dict[str, int]] | None = None

    def encode(self, sentences: Sequence[str], batch_size: int) -> tuple[np.ndarray, dict[str, int]]:
        """Return the result of `encode_distinct` for the model."""
        if self._embeddings is None or self._sentences != list(sentences):
            self._sentences, self._embeddings = list(sentences), encode_distinct(self.model, sentences, batch_size)
        return self._embeddings

    def beside(self, other: SentenceTransformer) -> Encode:
        """Return the encoding function of the 1:1 hybrid of this model and another."""

        def encode(sentences: Sequence[str], batch_size: int) -> tuple[np.ndarray, dict[str, int]]:
            import torch

            from augcse.encoding.hybrid import joined

            own_embeddings, row_of = self.encode(sentences, batch_size)
            others, _ = encode_distinct(other, sentences, batch_size)
            return joined([torch.from_numpy(own_embeddings), torch.from_numpy(others)], [1.0, 1.0]).numpy(), row_of

        return encode
