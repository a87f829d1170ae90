"""Which sentences a model cuts: those with more tokens than it reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

# Tokenisers without a length say 10^30, word vectors a million words.
_NO_LENGTH = 1_000_000


def maximum_tokens(model: SentenceTransformer) -> int | None:
    """Return how many tokens the model reads of a sentence, special ones included; None where it has no tokeniser or no length."""
    length = getattr(model, "max_seq_length", None)
    has_tokenizer = callable(getattr(model, "tokenizer", None))
    return length if has_tokenizer and length is not None and length < _NO_LENGTH else None


def most_positions(model: SentenceTransformer) -> int | None:
    """Return how many tokens the backbone has positions for; None where positions are no table (relative ones, word vectors)."""
    embeddings = getattr(getattr(model[0], "auto_model", None), "embeddings", None)
    table = getattr(embeddings, "position_embeddings", None)
    if table is None:
        return None
    # RoBERTa counts from after the padding's position.
    return int(table.num_embeddings) - (0 if table.padding_idx is None else table.padding_idx + 1)


def truncated_sentences(model: SentenceTransformer, sentences: Sequence[str]) -> frozenset[str] | None:
    """Return the sentences that the model cuts, its default prompt counted; None where it has no length or tokeniser.

    Only sentences that may be too long are tokenised: no tokeniser makes more tokens of ASCII text than it has characters, one blank
    put before it and the special ones added.
    """
    length = maximum_tokens(model)
    if length is None:
        return None
    prompt = (model.prompts or {}).get(model.default_prompt_name or "") or ""
    longest_safe = length - model.tokenizer.num_special_tokens_to_add() - len(prompt) - 1
    doubtful = [sentence for sentence in sentences if len(sentence) > longest_safe or not (prompt + sentence).isascii()]
    if not doubtful:
        return frozenset()
    rows = model.tokenizer([prompt + sentence for sentence in doubtful], truncation=False, padding=False, verbose=False)["input_ids"]
    return frozenset(sentence for sentence, row in zip(doubtful, rows, strict=True) if len(row) > length)
