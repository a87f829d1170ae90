"""A reproducible sample of a corpus, independent of its order and duplicates, with the sentence that follows each."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass

from augcse.errors import UserError
from augcse.rng import derive_seed

# With fewer, intervals are too wide, and ranking first among them is too easy.
SMALLEST_SAMPLE = 50
# For an augmentation that changed fewer sentences, only their number is reported.
MIN_PAIRS = 20
# The cosines of all pairs are computed.
LARGEST_SAMPLE = 5000


@dataclass(frozen=True)
class SentenceSample:
    """Distinct sentences of a corpus.

    Attributes:
        sentences: in the order of their keys, which is random with respect to the corpus.
        following: the sentence on the next line, None at the end of a document.
        of_sentences: number of sentences in the corpus, duplicates included.
        documents: number of documents, which are separated by blank lines.
    """

    sentences: tuple[str, ...]
    following: tuple[str | None, ...]
    of_sentences: int
    documents: int


def draw_sample(lines: Iterable[str], size: int, seed: int = 0) -> SentenceSample:
    """Draw `size` distinct sentences: those whose keys, hashes of the seed and the text, are the smallest.

    So the sample depends neither on the order of the sentences nor on duplicates, and a larger sample includes a smaller one. Only the
    sample is held in memory. The following sentence is the one after the first occurrence that a different sentence follows.

    Args:
        lines: sentences; "" ends a document.
        size: number of sentences; all if the corpus has fewer.
        seed: of the keys.

    Raises:
        UserError: fewer than `SMALLEST_SAMPLE` distinct sentences.
    """
    chosen: dict[int, tuple[str, str | None]] = {}
    largest: list[int] = []  # a heap of negated keys
    previous: int | None = None
    read = documents = 0
    for line in lines:
        if not line:
            previous = None
            continue
        read += 1
        if previous is None:
            documents += 1
        key = derive_seed(seed, "probe", line)
        if previous != key and previous in chosen and chosen[previous][1] is None:
            chosen[previous] = chosen[previous][0], line
        previous = key
        if key in chosen or (len(chosen) == size and key > -largest[0]):
            continue
        # An evicted sentence is not drawn again: its key is larger than all that remain.
        if len(chosen) == size:
            del chosen[-heapq.heapreplace(largest, -key)]
        else:
            heapq.heappush(largest, -key)
        chosen[key] = line, None
    if len(chosen) < SMALLEST_SAMPLE:
        raise UserError(f"the corpus has {len(chosen):,} distinct sentences; {SMALLEST_SAMPLE} or more are needed")
    rows = [chosen[key] for key in sorted(chosen)]
    return SentenceSample(tuple(text for text, _ in rows), tuple(following for _, following in rows), read, documents)
