"""The embedding table of a backbone, and the tokenizer whose numbers are its rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from augcse.encoding.static.tokenizer import copied
from augcse.encoding.unit_rows import unit_rows
from augcse.errors import UserError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from tokenizers import Tokenizer

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class EmbeddingTable:
    """A backbone's word embeddings.

    Attributes:
        rows: (vocabulary, dim) float32, of length 1 or 0.
        tokenizer: without padding and truncation.
    """

    rows: Array
    tokenizer: Tokenizer


def embedding_table(name: str) -> EmbeddingTable:
    """Return the embedding table of a backbone, as unit rows, with its tokenizer.

    Args:
        name: mini-bert, a folder or a hub name: a transformer with a fast tokenizer, or a static model.

    Raises:
        UserError: no such model, no embedding table or no fast tokenizer, a row that is not finite, or a tokenizer with more tokens than
            there are rows.
    """
    from augcse.encoding.model import load_encoder

    encoder = load_encoder(name, device="cpu")
    table, tokenizer = _embedding_weight(next(iter(encoder.children()))), fast_tokenizer(encoder)
    if table is None or tokenizer is None:
        lacks = "embedding table" if table is None else "fast tokenizer"
        raise UserError(f"{name} has no {lacks}; give a transformer with a tokenizer.json as --backbone, or leave it out")
    rows = table.detach().float().numpy()
    tokens = tokenizer.get_vocab_size()
    if tokens > len(rows):
        raise UserError(f"{name}: its tokenizer has {tokens:,} tokens, its embedding table {len(rows):,} rows; give those of one model")
    if not np.isfinite(rows).all():
        token = tokenizer.id_to_token(int(np.argmin(np.isfinite(rows).all(axis=1))))
        raise UserError(f"{name}: the row of {token!r} in its embedding table is not finite (NaN or infinity); give a whole model")
    return EmbeddingTable(unit_rows(rows[:tokens], np.float32), tokenizer)


def fast_tokenizer(encoder: SentenceTransformer) -> Tokenizer | None:
    """Return a copy of the tokenizer of a transformer or a static model, without padding and truncation; None if it has no fast one."""
    tokenizer: Any = getattr(next(iter(encoder.children())), "tokenizer", None)
    tokenizer = getattr(tokenizer, "backend_tokenizer", tokenizer)
    return copied(tokenizer) if hasattr(tokenizer, "no_truncation") else None


def _embedding_weight(module: Any) -> Any:
    """Return the weight of a transformer's or a static module's embeddings, or None."""
    backbone = getattr(module, "auto_model", None)
    layer = getattr(module, "embedding", None) if backbone is None else backbone.get_input_embeddings()
    return getattr(layer, "weight", None)
