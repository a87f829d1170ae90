"""Which tokens belong to one word, by the marks that a tokenizer leaves at a word's beginning or inside it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from augcse.objectives.checks import require

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

# What a pre-tokenizer puts in the place of the space before a word.
_WORD_STARTS = {"ByteLevel": "\u0120", "Metaspace": "\u2581"}


def continuing_tokens(tokenizer: PreTrainedTokenizerBase) -> Tensor:
    """Return which tokens of a vocabulary continue the word of the previous token: (vocabulary,) bool.

    Raises:
        UserError: the tokenizer marks neither a word's first piece nor the others.
    """
    names = tokenizer.convert_ids_to_tokens(range(len(tokenizer)))
    backend = getattr(tokenizer, "backend_tokenizer", None)
    document: dict[str, Any] = json.loads(backend.to_str()) if backend is not None else {"model": {}, "pre_tokenizer": None}
    inside = document["model"].get("continuing_subword_prefix")
    if inside:
        return torch.tensor([name.startswith(inside) for name in names])
    step = document["pre_tokenizer"] or {}
    kinds = {part["type"] for part in (step, *step.get("pretokenizers", ())) if "type" in part}
    start = next((mark for kind, mark in _WORD_STARTS.items() if kind in kinds), None)
    require(start is not None, "whole_words: the tokenizer does not mark which pieces belong to one word; set whole_words to false")
    return torch.tensor([not name.startswith(str(start)) for name in names])


def continues_word(ids: Tensor, continuing: Tensor, special: Tensor) -> Tensor:
    """Return which tokens continue the word of the previous token; the first of a row, and one after a special token, never do.

    Shapes: ids int (rows, length), continuing (vocabulary,) bool, special (n,) -> (rows, length) bool.
    """
    after_special = torch.ones_like(ids, dtype=torch.bool)
    after_special[:, 1:] = torch.isin(ids[:, :-1], special)
    return continuing[ids] & ~after_special & ~torch.isin(ids, special)
