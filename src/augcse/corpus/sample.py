"""A sample of a corpus's distinct sentences, independent of their order, in memory that does not grow with the corpus."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from augcse.corpus.files import Corpus
from augcse.corpus.read import CorpusReport, no_sentence

_KEY_BYTES = 16


@dataclass(frozen=True)
class CorpusSample:
    """Distinct sentences of a corpus, its number of sentences (repeated ones counted), and its files by name and SHA-256."""

    sentences: list[str]
    read: int
    files: list[dict[str, str]]
    warnings: tuple[str, ...] = ()

    def described(self) -> dict[str, Any]:
        """Return its entry in a record: counts, and file names without folders."""
        return {"distinct": len(self.sentences), "read": self.read, "files": self.files}


def sample_corpus(corpus: Corpus, size: int) -> CorpusSample:
    """Read a corpus once and sample `size` of its distinct sentences, or all if it has fewer.

    Raises:
        UserError: as `read_sentences`, or no sentence at all.
    """
    report = CorpusReport()
    sentences = sample_sentences(corpus.sentences(report), size)
    if not sentences:
        raise no_sentence(corpus.paths)
    return CorpusSample(sentences, report.sentences, corpus.described(), tuple(report.warnings()))


def sample_sentences(sentences: Iterable[str], size: int) -> list[str]:
    """Return the `size` distinct sentences with the smallest hashes, in hash order: a pseudo-random but reproducible sample.

    >>> sample_sentences(["a", "b", "a"], 5) == sample_sentences(["b", "a"], 5)
    True
    """
    # A max-heap, by negated hashes.
    heap: list[tuple[int, str]] = []
    keys: set[int] = set()
    for sentence in sentences:
        key = int.from_bytes(hashlib.blake2b(sentence.encode("utf-8", "surrogatepass"), digest_size=_KEY_BYTES).digest())
        if key in keys or (len(heap) == size and key > -heap[0][0]):
            continue
        keys.add(key)
        if len(heap) < size:
            heapq.heappush(heap, (-key, sentence))
        else:
            keys.discard(-heapq.heappushpop(heap, (-key, sentence))[0])
    return [sentence for _, sentence in sorted(heap, reverse=True)]
