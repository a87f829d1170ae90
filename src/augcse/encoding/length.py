"""The maximum length of a model, the token counts of sentences, and which sentences it truncates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

# The length that models without a limit report: 10^30 for tokenizers, a million words for word vectors.
_NO_LENGTH = 1_000_000
# Sentences per call: the output of a tokenizer is much larger than the counts.
_CHUNK_SENTENCES = 10_000


def maximum_tokens(model: SentenceTransformer) -> int | None:
    """Return the maximum length of the model in tokens, special ones included; None if it has no tokenizer or no limit."""
    length = getattr(model, "max_seq_length", None)
    has_tokenizer = callable(getattr(model, "tokenizer", None))
    return length if has_tokenizer and length is not None and length < _NO_LENGTH else None


def max_positions(model: SentenceTransformer) -> int | None:
    """Return the size of the backbone's position table in tokens; None without one (relative positions, word vectors)."""
    return backbone_positions(getattr(model[0], "auto_model", None))


def backbone_positions(backbone: Any) -> int | None:
    """Return the size of the position table of a transformer without its head, in tokens; None without one."""
    table = getattr(getattr(backbone, "embeddings", None), "position_embeddings", None)
    if table is None:
        return None
    # RoBERTa counts from after the padding's position.
    return int(table.num_embeddings) - (0 if table.padding_idx is None else table.padding_idx + 1)


def token_counts(model: SentenceTransformer, sentences: Sequence[str]) -> list[int]:
    """Return the number of tokens of every sentence without truncation, special ones and the default prompt included.

    Args:
        model: a model with a `maximum_tokens`.
        sentences: the sentences to count.
    """
    prompt = _default_prompt(model)
    counts: list[int] = []
    for start in range(0, len(sentences), _CHUNK_SENTENCES):
        texts = [prompt + sentence for sentence in sentences[start : start + _CHUNK_SENTENCES]]
        counts += map(len, model.tokenizer(texts, truncation=False, padding=False, verbose=False)["input_ids"])
    return counts


def truncated_sentences(model: SentenceTransformer, sentences: Sequence[str]) -> frozenset[str] | None:
    """Return the sentences that the model truncates, including its default prompt; None if it has no maximum length or tokenizer.

    Only sentences that may be too long are tokenized: ASCII text never has more tokens than characters, apart from a leading space and
    special tokens.
    """
    length = maximum_tokens(model)
    if length is None:
        return None
    prompt = _default_prompt(model)
    longest_safe = length - model.tokenizer.num_special_tokens_to_add() - len(prompt) - 1
    candidates = [sentence for sentence in sentences if len(sentence) > longest_safe or not (prompt + sentence).isascii()]
    return frozenset(sentence for sentence, count in zip(candidates, token_counts(model, candidates), strict=True) if count > length)


def _default_prompt(model: SentenceTransformer) -> str:
    return (model.prompts or {}).get(model.default_prompt_name or "") or ""
