"""A sample of a corpus that its order and its repeats do not change, with the sentence that follows each."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass

from augcse.errors import UserError
from augcse.rng import derive_seed

# Below this an interval says nothing, and being the nearest of so few is no feat.
SMALLEST_SAMPLE = 50
# The cosines of all pairs are taken.
LARGEST_SAMPLE = 5000


@dataclass(frozen=True)
class Sample:
    """Distinct sentences of a corpus.

    Attributes:
        sentences: in the order of their keys, which is no order of the corpus.
        following: the sentence on the next line, None at the end of a document.
        of_sentences: how many the corpus holds, repeats included.
        documents: how many stretches of lines without a blank one between them it has.
    """

    sentences: tuple[str, ...]
    following: tuple[str | None, ...]
    of_sentences: int
    documents: int


def draw_sample(lines: Iterable[str], size: int, seed: int = 0) -> Sample:
    """Draw `size` distinct sentences: those whose keys, hashes of the seed and the text, are the smallest.

    So the same sentences are drawn whatever their order and however often each is repeated, and a larger sample holds the smaller one.
    Memory holds the sample alone. What follows a sentence is read where it first comes, another sentence being meant.

    Args:
        lines: sentences; "" ends a document.
        size: how many; all of a corpus that has fewer.
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
        documents += previous is None
        key = derive_seed(seed, "probe", line)
        if previous != key and previous in chosen and chosen[previous][1] is None:
            chosen[previous] = chosen[previous][0], line
        previous = key
        if key in chosen or (len(chosen) == size and key > -largest[0]):
            continue
        # What is put out does not come back: its key is larger than every one that stays.
        if len(chosen) == size:
            del chosen[-heapq.heapreplace(largest, -key)]
        else:
            heapq.heappush(largest, -key)
        chosen[key] = line, None
    if len(chosen) < SMALLEST_SAMPLE:
        raise UserError(f"the corpus has {len(chosen):,} distinct sentences; {SMALLEST_SAMPLE} or more are needed")
    rows = [chosen[key] for key in sorted(chosen)]
    return Sample(tuple(text for text, _ in rows), tuple(after for _, after in rows), read, documents)
