"""Encoders that read a sentence vector in their first slot.

DiffCSE (Chuang et al. 2022) conditions its discriminator on a sentence by putting the sentence's vector where [CLS] was. Its code does
so after the whole embedding block (word, position, type, LayerNorm, dropout) in a fork of transformers; a hook on that block does the
same to any encoder that has one.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn

from augcse.objectives.checks import embedding_layer, require


class SlotEncoder(nn.Module):
    """A BERT- or RoBERTa-shaped encoder whose first embedding is given.

    Args:
        backbone: the transformers model; it has an `embeddings` block as wide as its hidden states.
    """

    def __init__(self, backbone: nn.Module) -> None:
        super().__init__()
        self.backbone = backbone

    def forward(self, ids: Tensor, mask: Tensor, vectors: Tensor) -> Tensor:
        """Return the last hidden states. Shapes: ids, mask (rows, length), vectors (rows, dim) -> (rows, length, dim)."""
        with first_embedding(self.backbone, vectors):
            states: Tensor = self.backbone(input_ids=ids, attention_mask=mask).last_hidden_state
        return states


class SlotMaskedLM(nn.Module):
    """A masked language model whose first embedding is given; its head is computed only where asked for."""

    def __init__(self, language_model: nn.Module) -> None:
        super().__init__()
        self.language_model = language_model

    def forward(self, ids: Tensor, mask: Tensor, vectors: Tensor, at: Tensor) -> tuple[Tensor, Tensor]:
        """Return the last hidden states and the logits at n chosen places.

        Shapes: ids, mask (rows, length), vectors (rows, dim), at (rows, length) bool -> (rows, length, dim), (n, vocabulary).
        """
        with first_embedding(self.language_model.base_model, vectors):
            return masked_lm_logits(self.language_model, ids, mask, at)


def masked_lm_logits(language_model: Any, ids: Tensor, mask: Tensor, at: Tensor) -> tuple[Tensor, Tensor]:
    """Run a masked language model, its head at the chosen places only: over all of them it would cost more than a small encoder.

    Shapes: ids, mask (rows, length), at (rows, length) bool with n True -> hidden (rows, length, dim), logits (n, vocabulary).
    """
    hidden: list[Tensor] = []

    def keep_chosen(module: nn.Module, arguments: Any, output: Any) -> Any:
        hidden.append(output.last_hidden_state)
        output.last_hidden_state = output.last_hidden_state[at].unsqueeze(0)  # (1, n, dim)
        return output

    with _forward_hook(language_model.base_model, keep_chosen):
        logits: Tensor = language_model(input_ids=ids, attention_mask=mask).logits[0]
    return hidden[0], logits


@contextmanager
def first_embedding(backbone: Any, vectors: Tensor) -> Iterator[None]:
    """Inside the block, the backbone's embedding block returns `vectors` (rows, dim) at position 0: nothing is added or normalised."""

    def overwrite(module: nn.Module, arguments: Any, output: Tensor) -> Tensor:
        return torch.cat([vectors.to(output.dtype).unsqueeze(1), output[:, 1:]], dim=1)

    with _forward_hook(backbone.embeddings, overwrite):
        yield


def copy_encoder(backbone: Any, dim: int) -> nn.Module:
    """Return a copy that can be conditioned: without pooler, all positions computed in the last layer, trainable.

    Args:
        backbone: the encoder's transformers model.
        dim: width of the sentence vectors.

    Raises:
        UserError: the encoder has no embedding block, or one of another width than the sentence vectors.
    """
    config = backbone.config
    width = getattr(config, "embedding_size", None) or config.hidden_size
    embedding_layer(
        backbone,
        f"DiffCSE puts the sentence vector in after an encoder's embedding block, and {config.model_type} has none; use a BERT- or"
        " RoBERTa-shaped backbone",
    )
    require(
        width == config.hidden_size == dim,
        f"DiffCSE puts the sentence vector in place of a token: it has {dim} values, the backbone's embeddings {width}, its hidden"
        f" states {config.hidden_size}; use a backbone where they agree and no layer after the pooling that changes them",
    )
    copied: nn.Module = copy.deepcopy(backbone)
    if getattr(copied, "pooler", None) is not None:
        setattr(copied, "pooler", None)  # noqa: B010 - plain assignment is not typed for modules
    for module in copied.modules():
        # `encoding.first_token` or a trainer may have replaced the class's own forward.
        module.__dict__.pop("forward", None)
    return copied.requires_grad_(True)


@contextmanager
def _forward_hook(module: nn.Module, function: Callable[[nn.Module, Any, Any], Any]) -> Iterator[None]:
    handle = module.register_forward_hook(function)
    try:
        yield
    finally:
        handle.remove()
