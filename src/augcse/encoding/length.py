"""How many tokens a model makes of sentences, and which it cuts: those with more tokens than it reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

# Tokenisers without a length say 10^30, word vectors a million words.
_NO_LENGTH = 1_000_000
# What a tokeniser returns of a sentence is many times the numbers that are wanted.
_CHUNK_SENTENCES = 10_000


def maximum_tokens(model: SentenceTransformer) -> int | None:
    """Return how many tokens the model reads of a sentence, special ones included; None where it has no tokeniser or no length."""
    length = getattr(model, "max_seq_length", None)
    has_tokenizer = callable(getattr(model, "tokenizer", None))
    return length if has_tokenizer and length is not None and length < _NO_LENGTH else None


def max_positions(model: SentenceTransformer) -> int | None:
    """Return how many tokens the backbone has positions for; None where positions are no table (relative ones, word vectors)."""
    embeddings = getattr(getattr(model[0], "auto_model", None), "embeddings", None)
    table = getattr(embeddings, "position_embeddings", None)
    if table is None:
        return None
    # RoBERTa counts from after the padding's position.
    return int(table.num_embeddings) - (0 if table.padding_idx is None else table.padding_idx + 1)


def token_counts(model: SentenceTransformer, sentences: Sequence[str]) -> list[int]:
    """Return the tokens of every sentence before it is cut, special ones and the default prompt counted.

    Args:
        model: one that `maximum_tokens` knows a length of.
        sentences: any.
    """
    prompt = _prompt(model)
    counts: list[int] = []
    for start in range(0, len(sentences), _CHUNK_SENTENCES):
        texts = [prompt + sentence for sentence in sentences[start : start + _CHUNK_SENTENCES]]
        counts += map(len, model.tokenizer(texts, truncation=False, padding=False, verbose=False)["input_ids"])
    return counts


def truncated_sentences(model: SentenceTransformer, sentences: Sequence[str]) -> frozenset[str] | None:
    """Return the sentences that the model cuts, its default prompt counted; None where it has no length or tokeniser.

    Only sentences that may be too long are tokenised: no tokeniser makes more tokens of ASCII text than it has characters, one blank
    put before it and the special ones added.
    """
    length = maximum_tokens(model)
    if length is None:
        return None
    prompt = _prompt(model)
    longest_safe = length - model.tokenizer.num_special_tokens_to_add() - len(prompt) - 1
    doubtful = [sentence for sentence in sentences if len(sentence) > longest_safe or not (prompt + sentence).isascii()]
    return frozenset(sentence for sentence, count in zip(doubtful, token_counts(model, doubtful), strict=True) if count > length)


def _prompt(model: SentenceTransformer) -> str:
    return (model.prompts or {}).get(model.default_prompt_name or "") or ""
