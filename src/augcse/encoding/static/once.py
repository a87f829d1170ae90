"""A static embedding that counts each token of a sentence once.

The module lives in this package, so that a saved model is loaded by `augcse.encoding.model.load_encoder`; sentence-transformers alone
refuses it.
"""

from __future__ import annotations

from typing import Any

import torch
from sentence_transformers.sentence_transformer.modules import StaticEmbedding
from torch import Tensor

from augcse.encoding.static.words import WordwisePreprocessing


class TokensOnce(StaticEmbedding):  # type: ignore[misc]
    """The mean of the vectors of a sentence's distinct tokens. Its arguments are those of the stock module."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._preprocessing = WordwisePreprocessing(self)

    def preprocess(self, inputs: list[Any], prompt: str | None = None, **options: Any) -> dict[str, Tensor]:
        """Return the distinct tokens of each text in ascending order, concatenated, and the offset of each text."""
        features = self.preprocess_in_order(inputs, prompt, **options)
        tokens, offsets = features["input_ids"], features["offsets"]
        ends = torch.cat([offsets[1:], offsets.new_tensor([len(tokens)])])
        first = torch.arange(len(offsets)) * self.num_embeddings
        distinct = torch.unique(first.repeat_interleave(ends - offsets) + tokens)
        return {"input_ids": distinct % self.num_embeddings, "offsets": torch.searchsorted(distinct, first)}

    def preprocess_in_order(self, inputs: list[Any], prompt: str | None = None, **options: Any) -> dict[str, Tensor]:
        """Return all tokens of each text, repeated ones too, in the order of the text, concatenated, and the offset of each text."""
        return self._preprocessing(inputs, prompt, **options)

    @classmethod
    def load(cls, model_name_or_path: str, **options: Any) -> TokensOnce:
        """Load from a saved model."""
        stock = super().load(model_name_or_path, **options)
        return cls(stock.tokenizer, embedding_weights=stock.embedding.weight.detach())
