"""Corpus diagnosis before training: duplicates, near-duplicates, lengths, encoding problems, truncated and unknown tokens."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from augcse.analysis.near_duplicates import near_duplicates, signatures
from augcse.encoding.static.options import MIN_WHITENING

Array = npt.NDArray[Any]


class TokenCounts(NamedTuple):
    """Counts of one sentence: all tokens, those among them that the tokeniser adds ([CLS], [SEP]), and those unknown to it."""

    tokens: int
    special: int
    unknown: int


CountTokens = Callable[[Sequence[str]], list[TokenCounts]]
_CHUNK_ROWS = 5_000
_EXAMPLES = 5
_QUANTILES = {"min": 0.0, "p5": 0.05, "median": 0.5, "p95": 0.95, "max": 1.0}
_ENCODING_PROBLEMS: dict[str, re.Pattern[str]] = {
    "undecodable_bytes": re.compile("\N{REPLACEMENT CHARACTER}"),
    "control_characters": re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"),
    # Inside a text: from a file that was appended to another.
    "byte_order_marks": re.compile("\ufeff"),
    # UTF-8 read as Latin-1 or cp1252, once: "Ã©", "â€™".
    "mojibake": re.compile(r"[ÃÂ][\u0080-\u00bf]|â€|Ã[\u2018-\u203a]"),
}


@dataclass
class Diagnosis:
    """The result of a diagnosis; `advice` has one line for each problem worth fixing."""

    rows: int
    blank: int
    sentences: int
    duplicates: dict[str, Any]
    near_duplicates: dict[str, Any]
    lengths: dict[str, dict[str, float]]
    tokens: dict[str, Any]
    encoding: dict[str, int]
    # The first rows with each problem, counted from 1 over all files: {"trouble", "row", "text"}.
    encoding_examples: list[dict[str, Any]] = field(default_factory=list)
    advice: list[str] = field(default_factory=list)


class _Statistics:
    """Statistics of all sentences, in a few bytes per sentence."""

    def __init__(self) -> None:
        self.hashes: list[Array] = []
        self.signatures: list[Array] = []
        self.characters: list[int] = []
        self.words: list[int] = []
        self.tokens: list[TokenCounts] = []
        self.encoding = dict.fromkeys(_ENCODING_PROBLEMS, 0)
        self.encoding_examples: list[dict[str, Any]] = []

    def add(self, first_row: int, chunk: list[str], count_tokens: CountTokens) -> None:
        """Count the sentences of some rows, of which the first is row `first_row`."""
        sentences = [sentence for sentence in chunk if sentence]
        self.hashes.append(np.array([_hash64(sentence) for sentence in sentences], dtype=np.uint64))
        self.signatures.append(signatures(sentences))
        self.characters += [len(sentence) for sentence in sentences]
        self.words += [len(sentence.split()) for sentence in sentences]
        self.tokens += count_tokens(sentences)
        for trouble, pattern in _ENCODING_PROBLEMS.items():
            rows = [row for row, sentence in enumerate(chunk) if pattern.search(sentence)]
            room = max(0, _EXAMPLES - self.encoding[trouble])
            self.encoding_examples += [{"trouble": trouble, "row": first_row + row, "text": chunk[row]} for row in rows[:room]]
            self.encoding[trouble] += len(rows)


def diagnose(read: Callable[[], Iterator[str]], count_tokens: CountTokens, max_len_tokens: int, batch_size: int) -> Diagnosis:
    """Examine a corpus in two passes: statistics, then examples.

    Args:
        read: returns a new iterator over the corpus; blank rows are "".
        count_tokens: counts with the tokeniser of the training.
        max_len_tokens: the truncation length of the training, special tokens included.
        batch_size: of the training, for the probability that a batch has a duplicate.
    """
    statistics = _Statistics()
    rows = 0
    stream = read()
    while chunk := list(islice(stream, _CHUNK_ROWS)):
        statistics.add(rows + 1, chunk, count_tokens)
        rows += len(chunk)
    repeats = _repeats(np.concatenate(statistics.hashes) if statistics.hashes else np.empty(0, dtype=np.uint64))
    exact = {row for row, _ in repeats}
    near_pairs = near_duplicates(np.concatenate(statistics.signatures)) if statistics.signatures else []
    near = [(row, earlier) for row, earlier in near_pairs if row not in exact]
    sentences = len(statistics.characters)
    texts = _texts_of_rows(read, {row for pairs in (repeats, near) for pair in pairs[:_EXAMPLES] for row in pair})
    diagnosis = Diagnosis(
        rows=rows,
        blank=rows - sentences,
        sentences=sentences,
        duplicates=_pairs_report(repeats, sentences, texts) | {"batches_with_repeat": _batch_share(statistics.hashes, batch_size)},
        near_duplicates=_pairs_report(near, sentences, texts),
        lengths={"characters": _quantiles(statistics.characters), "words": _quantiles(statistics.words)},
        tokens=_tokens_report(statistics.tokens, max_len_tokens),
        encoding=statistics.encoding,
        encoding_examples=statistics.encoding_examples,
    )
    diagnosis.advice = list(_advice(diagnosis, batch_size))
    return diagnosis


def token_counter(model: str) -> CountTokens:
    """Return a token counter for the model's tokeniser; that of a bundled model needs no torch."""
    from augcse.encoding.model import load_tokenizer
    from augcse.model_folder import BUNDLED_BACKBONES

    if model not in BUNDLED_BACKBONES:
        tokenizer = load_tokenizer(model)
        special = tokenizer.num_special_tokens_to_add()

        def count(sentences: Sequence[str]) -> list[TokenCounts]:
            ids = tokenizer(list(sentences), truncation=False, verbose=False)["input_ids"]
            return [TokenCounts(len(row), special, sum(token == tokenizer.unk_token_id for token in row)) for row in ids]

        return count
    from tokenizers import Tokenizer

    fast = Tokenizer.from_file(str(BUNDLED_BACKBONES[model] / "tokenizer.json"))
    fast.no_truncation()
    unknown = fast.token_to_id("[UNK]") or 0
    added = fast.num_special_tokens_to_add(is_pair=False)

    def count_fast(sentences: Sequence[str]) -> list[TokenCounts]:
        return [TokenCounts(len(row.ids), added, row.ids.count(unknown)) for row in fast.encode_batch(list(sentences))]

    return count_fast


def _hash64(sentence: str) -> int:
    return int.from_bytes(hashlib.blake2b(sentence.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def _repeats(hashes: Array) -> list[tuple[int, int]]:
    """Return (row, first row with the same text) for each duplicate."""
    _, first, inverse = np.unique(hashes, return_index=True, return_inverse=True)
    earlier = first[inverse]
    rows = np.flatnonzero(earlier < np.arange(len(hashes)))
    return [(int(row), int(earlier[row])) for row in rows]


def _batch_share(hashes: list[Array], batch_size: int) -> float:
    """Return the probability that a random batch has a duplicate: 1 - exp(-expected number of equal pairs)."""
    if not hashes:
        return 0.0
    _, counts = np.unique(np.concatenate(hashes), return_counts=True)
    total = counts.sum()
    if total < 2:
        return 0.0
    equal_pairs = (counts * (counts - 1.0)).sum() / (total * (total - 1.0))
    return round(float(1 - np.exp(-equal_pairs * batch_size * (batch_size - 1) / 2)), 4)


def _texts_of_rows(read: Callable[[], Iterator[str]], rows: set[int]) -> dict[int, str]:
    """Return some sentences by their index, blank rows not counted."""
    sentences = (sentence for sentence in read() if sentence)
    last = max(rows, default=-1)
    return {row: sentence for row, sentence in enumerate(islice(sentences, last + 1)) if row in rows}


def _pairs_report(pairs: list[tuple[int, int]], sentences: int, texts: dict[int, str]) -> dict[str, Any]:
    examples = [{"first": texts[earlier], "again": texts[row]} for row, earlier in pairs[:_EXAMPLES]]
    return {"count": len(pairs), "share": round(len(pairs) / max(sentences, 1), 4), "examples": examples}


def _quantiles(values: list[int]) -> dict[str, float]:
    return {name: float(np.quantile(values, share)) for name, share in _QUANTILES.items()} if values else {}


def _tokens_report(counts: list[TokenCounts], max_len_tokens: int) -> dict[str, Any]:
    """Return lengths in tokens, and the shares of truncated sentences and unknown tokens."""
    lengths = [sentence.tokens for sentence in counts]
    of_text = sum(lengths) - sum(sentence.special for sentence in counts)
    unknown = sum(sentence.unknown for sentence in counts)
    return {
        "lengths": _quantiles(lengths),
        "max_len_tokens": max_len_tokens,
        "truncated_share": round(sum(length > max_len_tokens for length in lengths) / max(len(lengths), 1), 4),
        "unknown_share": round(unknown / max(of_text, 1), 4),
    }


def _advice(diagnosis: Diagnosis, batch_size: int) -> Iterator[str]:
    """Yield a line for each problem worth fixing."""
    distinct = diagnosis.sentences - diagnosis.duplicates["count"]
    if distinct < max(batch_size, MIN_WHITENING):
        yield (
            f"{distinct:,} sentences that differ: a batch of training has {batch_size:,}, and augcse static needs {MIN_WHITENING} at least,"
            " better 10,000; give more text"
        )
    if diagnosis.duplicates["share"] >= 0.01:
        yield (
            f"{diagnosis.duplicates['share']:.1%} of the sentences repeat an earlier one, and"
            f" {diagnosis.duplicates['batches_with_repeat']:.0%} of the batches of {batch_size} hold a repeat,"
            " which teaches nothing new: remove them (awk '!seen[$0]++' keeps the order)"
        )
    if diagnosis.near_duplicates["share"] >= 0.05:
        yield f"{diagnosis.near_duplicates['share']:.1%} of the sentences nearly repeat an earlier one: thin out templates and boilerplate"
    if diagnosis.tokens["truncated_share"] >= 0.2:
        yield f"{diagnosis.tokens['truncated_share']:.0%} of the sentences are cut: raise model.max_len_tokens, or split longer texts"
    if diagnosis.tokens["unknown_share"] >= 0.02:
        yield f"{diagnosis.tokens['unknown_share']:.1%} of the tokens are unknown to the tokeniser: choose a backbone of this language"
    if any(diagnosis.encoding.values()):
        problems = ", ".join(f"{name.replace('_', ' ')} in {count:,}" for name, count in diagnosis.encoding.items() if count)
        yield f"encoding trouble, by rows: {problems}; convert the source again rather than train on it"
    if diagnosis.lengths.get("words", {}).get("median", 10) < 4:
        yield "half of the sentences have fewer than four words with spaces between them: most augmentations will not apply"
