"""Train a static encoder like a transformer: it accepts padded rows of token ids, and has a dropout of whole tokens.

Two passes of one sentence through a static encoder are the same vector. With a share of the tokens left out at random in each pass they
differ as SimCSE's two passes do: for a mean of vectors this is the usual dropout (word dropout, Iyyer et al. 2015, "Deep Unordered
Composition Rivals Syntactic Methods for Text Classification").
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


# The default share of a row's tokens that are dropped, as in the recipe adapt-static.
DROPOUT_RATE = 0.3


def is_static(model: SentenceTransformer) -> bool:
    """Return whether the model's first module is a static embedding."""
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding

    return isinstance(model[0], StaticEmbedding)


def read_padded_rows(model: SentenceTransformer, dropout_rate: float = DROPOUT_RATE) -> None:
    """Make a static encoder accept padded rows too, and drop tokens of these in train mode; saving is unchanged.

    An encoder that does so already keeps its rate.

    Args:
        model: one that `is_static`.
        dropout_rate: the share of tokens that is left out. A row that would lose all its tokens keeps them.
    """
    embedding = model[0]
    if not any(isinstance(hook, _PaddedRowsHook) for hook in embedding._forward_pre_hooks.values()):
        embedding.register_forward_pre_hook(_PaddedRowsHook(dropout_rate))


class _PaddedRowsHook:
    """Turns padded rows into the stock module's input before its `forward`; a class, so that the model can be pickled and copied."""

    def __init__(self, dropout_rate: float) -> None:
        self._dropout_rate = dropout_rate

    def __call__(self, embedding: nn.Module, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        features, *others = arguments
        if "attention_mask" not in features:
            return arguments
        kept = features["attention_mask"].bool()  # (batch, length)
        if embedding.training and self._dropout_rate:
            kept = drop_tokens(kept, self._dropout_rate)
        lengths = kept.sum(dim=1)
        return ({**features, "input_ids": features["input_ids"][kept], "offsets": lengths.cumsum(0) - lengths}, *others)


def padded_rows(features: dict[str, Any]) -> dict[str, Any]:
    """Return a static encoder's own features as padded rows; others as they are.

    Shapes: input_ids (tokens,), offsets (batch,) -> input_ids and attention_mask (batch, length), padded on the right with 0.
    """
    if "offsets" not in features:
        return features
    tokens, starts = features["input_ids"], features["offsets"]
    lengths = torch.cat([starts[1:], starts.new_tensor([len(tokens)])]) - starts
    mask = torch.arange(int(lengths.max()), device=tokens.device) < lengths[:, None]
    others = {name: value for name, value in features.items() if name != "offsets"}
    return {**others, "input_ids": tokens.new_zeros(mask.shape).masked_scatter(mask, tokens), "attention_mask": mask.long()}


def table_scale(model: SentenceTransformer) -> float:
    """Return the root mean square of a static encoder's table."""
    return float(model[0].embedding.weight.detach().float().square().mean().sqrt())


def drop_tokens(mask: Tensor, rate: float) -> Tensor:
    """Return a mask (batch, length) bool in which true positions become false with probability `rate`; rows left empty are restored."""
    kept = mask & (torch.rand(mask.shape, device=mask.device) >= rate)
    return kept | (mask & ~kept.any(dim=1, keepdim=True))


class RowTokenizer:
    """A static encoder's tokenizer with the interface of transformers', as `augcse.training.prepare` calls it.

    Args:
        model: one that `is_static`.
    """

    # Padding is masked, so that any id will do.
    pad_token_id = 0

    def __init__(self, model: SentenceTransformer) -> None:
        from augcse.encoding.static.once import TokensOnce
        from augcse.encoding.static.tokenizer import unknown_token

        self.unk_token_id = unknown_token(model.tokenizer)
        self._once = isinstance(model[0], TokensOnce)
        self._preprocess = model[0].preprocess_in_order if self._once else model[0].preprocess

    def __call__(self, texts: Sequence[str], *, max_length: int, **options: Any) -> dict[str, list[list[int]]]:
        """Return {"input_ids"}: the token ids of the first `max_length` tokens of each text; [0] for a text without tokens.

        An encoder that counts each token once has each of them once, in ascending order. Every text needs a row, hence the [0].
        """
        features = self._preprocess(list(texts))
        parts = [part[:max_length] for part in features["input_ids"].tensor_split(features["offsets"][1:])]
        rows = [part.unique() for part in parts] if self._once else parts
        return {"input_ids": [row.tolist() or [self.pad_token_id] for row in rows]}

    def num_special_tokens_to_add(self) -> int:
        """Return how many tokens are added to those of a text: none."""
        return 0
