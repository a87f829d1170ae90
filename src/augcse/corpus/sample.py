"""A sample of a corpus's distinct sentences: the same in whatever order they come, in memory that does not grow with the corpus."""

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
class Sample:
    """Distinct sentences of a corpus, how many it has in all (repeated ones counted), and its files by name and SHA-256."""

    sentences: list[str]
    read: int
    files: list[dict[str, str]]
    warnings: tuple[str, ...] = ()

    def described(self) -> dict[str, Any]:
        """Return what a record says of it: numbers, and names without folders."""
        return {"distinct": len(self.sentences), "read": self.read, "files": self.files}


def sample_corpus(corpus: Corpus, size: int) -> Sample:
    """Read a corpus once and keep `size` of its distinct sentences, all where it has fewer.

    Raises:
        UserError: as `read_sentences`, or no sentence at all.
    """
    report = CorpusReport()
    found = sample_sentences(corpus.sentences(report), size)
    if not found:
        raise no_sentence(corpus.paths)
    return Sample(found, report.sentences, corpus.described(), tuple(report.warnings()))


def sample_sentences(sentences: Iterable[str], size: int) -> list[str]:
    """Return the `size` distinct sentences with the smallest hashes, in the order of these: a random sample, and always the same one.

    >>> sample_sentences(["a", "b", "a"], 5) == sample_sentences(["b", "a"], 5)
    True
    """
    # A heap with the largest hash first, by its negative.
    kept: list[tuple[int, str]] = []
    keys: set[int] = set()
    for sentence in sentences:
        key = int.from_bytes(hashlib.blake2b(sentence.encode("utf-8", "surrogatepass"), digest_size=_KEY_BYTES).digest())
        if key in keys or (len(kept) == size and key > -kept[0][0]):
            continue
        keys.add(key)
        if len(kept) < size:
            heapq.heappush(kept, (-key, sentence))
        else:
            keys.discard(-heapq.heappushpop(kept, (-key, sentence))[0])
    return [sentence for _, sentence in sorted(kept, reverse=True)]
