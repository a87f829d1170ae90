"""Let a static encoder be trained as a transformer is: it reads padded rows of token numbers, and has a dropout, of whole tokens.

Two passes of one sentence through a static encoder are the same vector. With a share of the tokens left out at random in each pass they
differ as SimCSE's two passes do: of a mean of vectors this is the dropout that there is (word dropout, Iyyer et al. 2015, "Deep Unordered
Composition Rivals Syntactic Methods for Text Classification").
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MethodType
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


def is_static(model: SentenceTransformer) -> bool:
    """Whether the model begins with a static embedding."""
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding

    return isinstance(model[0], StaticEmbedding)


def read_padded_rows(model: SentenceTransformer, dropout_rate: float) -> None:
    """Make a static encoder read padded rows too, and leave out tokens while it is in train mode; what is saved stays as it was.

    Args:
        model: one that `is_static`.
        dropout_rate: the share of tokens that is left out. A row that would lose all keeps all.
    """
    embedding = model[0]
    stock = embedding.forward

    def forward(self: nn.Module, features: dict[str, Any], **options: Any) -> dict[str, Any]:
        if "attention_mask" not in features:
            found: dict[str, Any] = stock(features, **options)
            return found
        kept = features["attention_mask"].bool()  # (batch, length)
        if self.training and dropout_rate:
            kept = drop_tokens(kept, dropout_rate)
        lengths = kept.sum(dim=1)
        bags = self.embedding(features["input_ids"][kept], lengths.cumsum(0) - lengths)  # type: ignore[operator]
        return {**features, "sentence_embedding": bags}

    embedding.forward = MethodType(forward, embedding)


def table_scale(model: SentenceTransformer) -> float:
    """Return the root mean square of a static encoder's table."""
    return float(model[0].embedding.weight.detach().float().square().mean().sqrt())


def drop_tokens(mask: Tensor, rate: float) -> Tensor:
    """Return a mask (batch, length) bool with each true position false at probability `rate`; a row without any left stays whole."""
    kept = mask & (torch.rand(mask.shape, device=mask.device) >= rate)
    return kept | (mask & ~kept.any(dim=1, keepdim=True))


class RowTokenizer:
    """A static encoder's tokenizer in the words of transformers': what `augcse.training.prepare` calls.

    Args:
        model: one that `is_static`.
    """

    # Padding is masked, so that any number will do.
    pad_token_id = 0

    def __init__(self, model: SentenceTransformer) -> None:
        self._embedding = model[0]

    def __call__(self, texts: Sequence[str], *, max_length: int, **options: Any) -> dict[str, list[list[int]]]:
        """Return {"input_ids"}: at most `max_length` token numbers per text; [0] for a text without any, which has to have a row."""
        features = self._embedding.preprocess(list(texts))
        parts = features["input_ids"].tensor_split(features["offsets"][1:])
        return {"input_ids": [part[:max_length].tolist() or [self.pad_token_id] for part in parts]}
