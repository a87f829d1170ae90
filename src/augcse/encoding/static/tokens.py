"""Sentences as arrays of token ids."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from augcse.encoding.static.words import WordEncoder, splits_at_blanks

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Array = npt.NDArray[Any]
_BATCH = 4096
# More threads would wait for the one that reads.
_MOST_THREADS = 4


@dataclass(frozen=True)
class TokenizedSentences:
    """Token ids of sentences, concatenated.

    Attributes:
        ids: (tokens,), of the smallest unsigned type that holds the vocabulary.
        offsets: (sentences + 1,) int64; sentence i is `ids[offsets[i] : offsets[i + 1]]`.
    """

    ids: Array
    offsets: Array

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> Array:
        """The sentences' lengths in tokens: (sentences,) int64."""
        return np.diff(self.offsets)

    def chunks(self, tokens: int) -> Iterator[TokenizedSentences]:
        """Yield the sentences in order, in parts of about this many tokens; a sentence is never split."""
        start = 0
        while start < len(self):
            end = int(np.searchsorted(self.offsets, self.offsets[start] + tokens, side="right")) - 1
            end = min(max(end, start + 1), len(self))
            first, last = self.offsets[start], self.offsets[end]
            yield TokenizedSentences(self.ids[first:last], self.offsets[start : end + 1] - first)
            start = end

    def take(self, indices: Sequence[int] | Array) -> TokenizedSentences:
        """Return the sentences at these indices, in that order."""
        chosen = np.asarray(indices, dtype=np.int64)
        lengths = self.lengths[chosen]
        offsets = offsets_of(lengths)
        positions = np.repeat(self.offsets[chosen] - offsets[:-1], lengths) + np.arange(offsets[-1])
        return TokenizedSentences(self.ids[positions], offsets)

    def only(self, wanted: Array) -> TokenizedSentences:
        """Return the sentences with the selected tokens only, (vocabulary,) bool; some may be empty then."""
        kept = wanted[self.ids]
        return TokenizedSentences(self.ids[kept], np.concatenate([[0], np.cumsum(kept, dtype=np.int64)])[self.offsets])

    def distinct_tokens(self) -> TokenizedSentences:
        """Return the sentences without repeated tokens; the first occurrence is kept."""
        sentence = np.repeat(np.arange(len(self), dtype=np.int64), self.lengths)
        keys = sentence * (int(self.ids.max(initial=0)) + 1) + self.ids
        first = np.sort(np.unique(keys, return_index=True)[1])
        return TokenizedSentences(self.ids[first], offsets_of(np.bincount(sentence[first], minlength=len(self))))

    def distinct(self) -> TokenizedSentences:
        """Return the distinct sentences in order of their first occurrence, without empty ones."""
        kept = {
            self.ids[start:end].tobytes(): index
            for index, (start, end) in reversed(list(enumerate(self._sentence_bounds())))
            if end > start
        }
        return self.take(sorted(kept.values()))

    def _sentence_bounds(self) -> Iterator[tuple[int, int]]:
        return zip(self.offsets[:-1].tolist(), self.offsets[1:].tolist(), strict=True)


def evenly_spaced(number: int, most: int) -> Array:
    """Return at most `most` indices below `number`, evenly spaced from the first: (n,) int64.

    >>> evenly_spaced(10, 4).tolist()
    [0, 2, 5, 7]
    """
    wanted = min(number, most)
    return np.arange(wanted, dtype=np.int64) * number // max(wanted, 1)


def tokenize_sentences(
    tokenizer: Tokenizer, sentences: Iterable[str], advance: Callable[[int], None] = lambda count: None
) -> TokenizedSentences:
    """Encode sentences without special tokens, as sentence-transformers' `StaticEmbedding` does; only the ids are kept in memory.

    Args:
        tokenizer: without truncation.
        sentences: read once, in order.
        advance: receives the numbers of sentences read since the last call.
    """
    dtype = np.min_scalar_type(max(tokenizer.get_vocab_size() - 1, 0))
    ids_of_batches: list[Array] = []
    lengths: list[Array] = []
    for ids, counts in _encoded_batches(tokenizer, iter(sentences), dtype):
        ids_of_batches.append(ids)
        lengths.append(counts)
        advance(len(counts))
    if not ids_of_batches:
        return TokenizedSentences(np.empty(0, dtype), offsets_of([]))
    return TokenizedSentences(np.concatenate(ids_of_batches), offsets_of(np.concatenate(lengths)))


def _encoded_batches(tokenizer: Tokenizer, stream: Iterator[str], dtype: np.dtype[Any]) -> Iterator[tuple[Array, Array]]:
    """Yield the token ids of batches and the lengths of their sentences, in order."""
    if splits_at_blanks(tokenizer):
        encoder = WordEncoder(tokenizer, dtype)
        while batch := list(islice(stream, _BATCH)):
            yield encoder.encode(batch)
    else:
        yield from _encoded_by_threads(tokenizer, stream, dtype)


def _encoded_by_threads(tokenizer: Tokenizer, stream: Iterator[str], dtype: np.dtype[Any]) -> Iterator[tuple[Array, Array]]:
    """Encode sentence by sentence, in several threads, with few batches queued at a time."""

    def encode(batch: list[str]) -> tuple[Array, Array]:
        encoded = [encoding.ids for encoding in tokenizer.encode_batch_fast(batch, add_special_tokens=False)]
        return np.fromiter(chain.from_iterable(encoded), dtype=dtype), np.fromiter(map(len, encoded), dtype=np.int64)

    threads = min(os.cpu_count() or 1, _MOST_THREADS)
    waiting: deque[Future[tuple[Array, Array]]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        while batch := list(islice(stream, _BATCH)):
            waiting.append(pool.submit(encode, batch))
            if len(waiting) > threads:
                yield waiting.popleft().result()
        for future in waiting:
            yield future.result()


def offsets_of(lengths: Sequence[int] | Array) -> Array:
    """Return the offsets of concatenated sentences of these lengths: (sentences + 1,) int64."""
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)
