"""Checks that objectives make of their settings and of the encoder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torch import nn

from augcse.encoding.model import load_tokenizer
from augcse.encoding.static.training import is_static
from augcse.errors import UserError
from augcse.objectives.base import OBJECTIVES

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from transformers import PreTrainedTokenizerBase


def require(condition: bool, message: str) -> None:
    """Raise `UserError` with `message` unless `condition` holds."""
    if not condition:
        raise UserError(message)


def require_transformer(model: SentenceTransformer, what: str, name: str = "the model") -> None:
    """Raise `UserError` if the model called `name` is a static encoder: `what` works inside a transformer."""
    if is_static(model):
        others = ", ".join(card.name for card in OBJECTIVES if card.trains_static)
        raise UserError(
            f"{what} works inside a transformer, and {name} is a static encoder; take {others}, without masked language modelling,"
            " or a loss of your own that says trains_static = True"
        )


def embedding_dim(model: SentenceTransformer) -> int:
    """Return the width of the model's sentence embeddings."""
    dim = model.get_embedding_dimension()
    if dim is None:
        raise ValueError("the model does not state its embedding dimension")
    return int(dim)


def embedding_layer(backbone: Any, message: str) -> nn.Module:
    """Return a backbone's layer called `embeddings`; raises `UserError` with `message` if there is none."""
    layer = getattr(backbone, "embeddings", None)
    if not isinstance(layer, nn.Module):
        raise UserError(message)
    return layer


def mask_token_id(model: SentenceTransformer, remedy: str) -> int:
    """Return the id of the tokeniser's mask token; raises `UserError` if it has none."""
    token = model.tokenizer.mask_token_id
    require(token is not None, f"the backbone's tokeniser has no mask token; {remedy}")
    return int(token)


def own_checkpoint(model: SentenceTransformer) -> str:
    """Return the name or folder that the encoder's backbone was loaded from."""
    name = getattr(model[0].auto_model.config, "_name_or_path", "")
    require(bool(name), "the encoder does not say which checkpoint it was loaded from; name a generator (objective.generator)")
    return str(name)


def check_same_vocabulary(name: str, tokenizer: PreTrainedTokenizerBase) -> None:
    """Raise `UserError` unless the model `name` gives every token the id that `tokenizer` gives it."""
    other_vocabulary = load_tokenizer(name).get_vocab()
    vocabulary = tokenizer.get_vocab()
    require(
        other_vocabulary == vocabulary,
        f"the generator {name} has another vocabulary ({len(other_vocabulary):,} tokens) than the encoder ({len(vocabulary):,});"
        " DiffCSE's generator reads and writes the encoder's token ids, so name a masked language model with the same tokeniser",
    )
