"""Draw pairs of a corpus's sentences for manual grading, by stratified sampling over a model's cosines.

Pairs drawn uniformly would nearly all be unrelated, and grading them would not distinguish models. So the lower half of all cosines is one
stratum, and the range from there to the largest cosine is divided into strata of equal width; as long as it has pairs, each stratum gives
the same number. No sentence or near-duplicate of one is used twice, and the pairs are shuffled, so that any prefix is a sample of all.
"""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.analysis.near_duplicates import near_duplicates, signatures
from augcse.encoding.unit_rows import unit_rows
from augcse.errors import UserError
from augcse.rng import derive_seed

Array = npt.NDArray[Any]
STRATA = 10
# Rows per block of cosines; with 10,000 sentences a block has 10 MB.
_BLOCK_ROWS = 256
# Candidates per stratum for each requested pair: one sentence may be in many of the most similar pairs.
_CANDIDATES_PER_PAIR = 20


@dataclass(frozen=True)
class Stratum:
    """A range of cosines, and the number of drawn pairs in it."""

    low: float
    high: float
    pairs: int


@dataclass(frozen=True)
class DrawnPairs:
    """Pairs of sentences in grading order, and their strata, lowest first."""

    pairs: list[tuple[str, str]]
    strata: list[Stratum]


def sample_sentences(sentences: Iterable[str], size: int, seed: int) -> list[str]:
    """Return a uniform sample of the distinct sentences, in memory that does not grow with the corpus.

    The sample has the smallest hashes of seed and text, so neither the corpus order nor duplicates matter.
    """
    # A max-heap, by negated keys.
    heap: list[tuple[int, str]] = []
    keys: set[int] = set()
    for sentence in sentences:
        text = " ".join(sentence.split())
        key = _sort_key(seed, text)
        if key in keys or (len(heap) == size and key >= -heap[0][0]):
            continue
        keys.add(key)
        if len(heap) < size:
            heapq.heappush(heap, (-key, text))
        else:
            keys.discard(-heapq.heapreplace(heap, (-key, text))[0])
    return [text for _, text in sorted(heap, reverse=True)]


def without_near_duplicates(sentences: Sequence[str]) -> list[str]:
    """Drop sentences that share most word pairs, or all letters and digits, with an earlier one."""
    repeats = {row for row, _ in near_duplicates(signatures(sentences))} if sentences else set()
    seen: set[str] = set()
    kept = []
    for row, sentence in enumerate(sentences):
        letters = "".join(filter(str.isalnum, sentence.casefold())) or sentence
        if row not in repeats and letters not in seen:
            kept.append(sentence)
        seen.add(letters)
    return kept


def draw_pairs(sentences: Sequence[str], embeddings: Array, number: int, seed: int) -> DrawnPairs:
    """Draw pairs over the whole range of cosines.

    Args:
        sentences: distinct sentences.
        embeddings: of the sentences, (sentences, dim), finite.
        number: of pairs.
        seed: of the draw, the order, and which sentence of a pair comes first.

    Raises:
        UserError: too few sentences, or a model that gives all pairs the same cosine.
    """
    if len(sentences) < 2 * number:
        raise UserError(
            f"{number:,} pairs need {2 * number:,} sentences that are not near-repeats, and there are {len(sentences):,}; give a larger"
            " corpus, or lower --number"
        )
    generator = np.random.default_rng(derive_seed(seed, "pairs"))
    unit = unit_rows(embeddings, np.float32)
    edges = _edges(unit, generator)
    chosen = _round_robin(_candidates(unit, edges, _CANDIDATES_PER_PAIR * number, generator), number)
    strata = [
        Stratum(float(low), float(high), sum(stratum == index for stratum, _, _ in chosen))
        for index, (low, high) in enumerate(pairwise(edges))
    ]
    order = generator.permutation(len(chosen))
    is_swapped = generator.random(len(chosen)) < 0.5
    pairs = []
    for index in order.tolist():
        _, left, right = chosen[index]
        if is_swapped[index]:
            left, right = right, left
        pairs.append((sentences[left], sentences[right]))
    return DrawnPairs(pairs, strata)


def _edges(unit: Array, generator: np.random.Generator) -> Array:
    """Return the edges of the strata, (STRATA + 1,): the smallest cosine, the median of random pairs, then equal steps to the largest."""
    left, right = generator.integers(len(unit), size=(2, 20_000))
    different = left != right
    median = float(np.median(np.einsum("nd,nd->n", unit[left[different]], unit[right[different]])))
    low, high = np.inf, -np.inf
    for _, cosines, _ in _pair_blocks(unit):
        low = min(low, float(cosines.min()))
        high = max(high, float(cosines.max()))
    if high - low < 1e-6:
        raise UserError("the model gives all pairs the same cosine; give another --model")
    return np.concatenate([[low], np.linspace(min(median, high), high, STRATA)])


def _pair_blocks(unit: Array) -> Iterator[tuple[Array, Array, Array]]:
    """Yield (left rows, cosines, right rows) of every pair once, in blocks; all (pairs of the block,)."""
    count = len(unit)
    for start in range(0, count - 1, _BLOCK_ROWS):
        rows = np.arange(start, min(start + _BLOCK_ROWS, count))
        cosines = unit[rows] @ unit[start:].T
        left, right = np.nonzero(np.arange(start, count)[None] > rows[:, None])
        yield rows[left], cosines[left, right], right + start


def _candidates(unit: Array, edges: Array, most: int, generator: np.random.Generator) -> list[list[tuple[int, int]]]:
    """Return for each stratum a uniform sample of at most `most` of its pairs, in random order.

    Every pair gets a random number and the smallest are kept, so all pairs have the same probability whatever the blocks.
    """
    kept = [(np.empty(0), np.empty((0, 2), dtype=np.intp)) for _ in range(STRATA)]
    for left, cosines, right in _pair_blocks(unit):
        stratum = np.clip(np.searchsorted(edges, cosines, side="right") - 1, 0, STRATA - 1)
        draws = generator.random(len(cosines))
        for index, (numbers, pairs) in enumerate(kept):
            # Pairs above the largest kept number cannot be among the smallest.
            limit = numbers[-1] if len(numbers) == most else np.inf
            rows = np.flatnonzero((stratum == index) & (draws < limit))
            numbers = np.concatenate([numbers, draws[rows]])
            pairs = np.concatenate([pairs, np.stack([left[rows], right[rows]], axis=1)])
            order = np.argsort(numbers, kind="stable")[:most]
            kept[index] = numbers[order], pairs[order]
    return [[(int(left), int(right)) for left, right in pairs] for _, pairs in kept]


def _round_robin(candidates: Sequence[Sequence[tuple[int, int]]], number: int) -> list[tuple[int, int, int]]:
    """Take pairs from the strata in turn, highest first, without repeating a sentence. -> (stratum, left, right)."""
    iterators = [iter(pairs) for pairs in candidates]
    used: set[int] = set()
    chosen: list[tuple[int, int, int]] = []
    active = list(reversed(range(len(iterators))))
    while active and len(chosen) < number:
        for index in list(active):
            pair = next((pair for pair in iterators[index] if not used & set(pair)), None)
            if pair is None:
                active.remove(index)
                continue
            used |= set(pair)
            chosen.append((index, *pair))
            if len(chosen) == number:
                break
    return chosen


def _sort_key(seed: int, text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), key=str(seed).encode(), digest_size=8).digest(), "little")
