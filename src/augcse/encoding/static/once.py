"""A static embedding that counts each token of a sentence once.

The module lives in this package, so that a saved model is loaded by `augcse.encoding.model.load_encoder`; sentence-transformers alone
refuses it.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
import torch
from sentence_transformers.sentence_transformer.modules import StaticEmbedding
from torch import Tensor


class TokensOnce(StaticEmbedding):  # type: ignore[misc]
    """The mean of the vectors of a sentence's distinct tokens."""

    def preprocess(self, inputs: list[str], prompt: str | None = None, **options: Any) -> dict[str, Tensor]:
        """Return the distinct tokens of all texts, one text after another, and where each begins."""
        texts = self._prepend_prompt(inputs, prompt) if prompt else inputs
        encodings = self.tokenizer.encode_batch(texts, add_special_tokens=False)
        ids = [dict.fromkeys(encoding.ids) for encoding in encodings]
        joined = np.fromiter(chain.from_iterable(ids), dtype=np.int64)
        offsets = np.cumsum([0, *map(len, ids[:-1])], dtype=np.int64)
        return {"input_ids": torch.from_numpy(joined), "offsets": torch.from_numpy(offsets)}

    @classmethod
    def load(cls, model_name_or_path: str, **options: Any) -> TokensOnce:
        """Load from a saved model."""
        stock = super().load(model_name_or_path, **options)
        return cls(stock.tokenizer, embedding_weights=stock.embedding.weight.detach())
