"""The tokenizer of a new backbone: trained on the corpus, or that of another model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from augcse.encoding.model import load_tokenizer
from augcse.encoding.static.tokenizer import UNKNOWN, train_tokenizer
from augcse.errors import UserError

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

# BERT's special tokens; the id of padding is 0.
_SPECIAL = {"pad_token": "[PAD]", "unk_token": UNKNOWN, "cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]"}


def train_mlm_tokenizer(sentences: Sequence[str], size: int) -> PreTrainedTokenizerBase:
    """Train the tokenizer of `augcse static`, with BERT's special tokens, [CLS] before a sentence and [SEP] after it.

    Args:
        sentences: the sample to train on, which is read twice.
        size: the largest number of tokens, special tokens included; fewer if the sentences do not yield that many.

    Raises:
        UserError: no token in the sentences.
    """
    from tokenizers import decoders, processors
    from transformers import PreTrainedTokenizerFast

    tokenizer: Any = train_tokenizer(sentences, size, special_tokens=tuple(_SPECIAL.values()))
    tokenizer.add_special_tokens(list(_SPECIAL.values()))
    start, end = ((name, tokenizer.token_to_id(name)) for name in ("[CLS]", "[SEP]"))
    tokenizer.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1", [start, end])
    tokenizer.decoder = decoders.WordPiece(cleanup=False)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **_SPECIAL)


def load_mlm_tokenizer(name: str) -> PreTrainedTokenizerBase:
    """Load the tokenizer of a model. Raises `UserError` if it is not a fast one, or lacks a token that masked language models need."""
    tokenizer = load_tokenizer(name)
    if not getattr(tokenizer, "is_fast", False):
        raise UserError(f"{name} has no fast tokenizer; give a folder with a tokenizer.json, or none to train one")
    missing = [kind for kind in _SPECIAL if kind != "unk_token" and getattr(tokenizer, kind, None) is None]
    if missing:
        raise UserError(f"the tokenizer of {name} has no {missing[0]}; give one of a masked language model, or none to train one")
    return tokenizer
