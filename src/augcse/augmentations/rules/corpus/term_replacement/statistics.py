"""What UNA and related rules learn from a corpus: how rare each term is, and its largest weight in any sentence.

Definitions (UNA, Shu et al., Eq. 2): with n_t occurrences of term t among the n terms of a sentence, tf = ln(1 + n_t / n); with N_t of N
sentences containing t, idf = ln(N / N_t); the score of a term is its largest tf * idf in any sentence. Since idf does not depend on the
sentence and tf grows with n_t / n, one pass that keeps the largest n_t / n per term is enough.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.augmentations.rules.corpus.term_replacement.terms import TERMS_VERSION, is_plain_word, term_texts
from augcse.augmentations.rules.corpus.term_replacement.wheel import Wheel
from augcse.errors import UserError
from augcse.files import file_sha256, write_json

Array = npt.NDArray[Any]

FORMAT_VERSION = 2
META = "statistics.json"
# One file each, in the order of ranks: score descending, ties by first appearance.
_ARRAYS = {
    "text": np.uint8,  # the terms in UTF-8, one per line
    "documents": np.int64,  # the number of sentences that contain the term
    "occurrences": np.int64,
    "scores": np.float64,
    "words": np.bool_,  # whether the term is a plain word or number, not a mark, code or file name
}


class TermStatistics:
    """Terms of a corpus by rank; the highest score has rank 0.

    Args:
        sentences: how many sentences the statistics come from.
        arrays: as listed in `_ARRAYS`.
    """

    def __init__(self, sentences: int, arrays: dict[str, Array]) -> None:
        self.sentences = sentences
        self._arrays = arrays
        self._terms = arrays["text"].tobytes().decode("utf-8", "surrogatepass").split("\n")[:-1]
        self._ranks = {term: rank for rank, term in enumerate(self._terms)}

    @classmethod
    def fit(cls, sentences: Iterable[str]) -> TermStatistics:
        """Count the terms of a stream of sentences; memory grows only with the number of different terms."""
        indices: dict[str, int] = {}
        documents, occurrences, shares = array("q"), array("q"), array("d")
        number = 0
        for sentence in sentences:
            number += 1
            texts = term_texts(sentence)
            for text, count in Counter(texts).items():
                index = indices.get(text)
                if index is None:
                    index = indices[text] = len(indices)
                    documents.append(0)
                    occurrences.append(0)
                    shares.append(0.0)
                documents[index] += 1
                occurrences[index] += count
                if (share := count / len(texts)) > shares[index]:
                    shares[index] = share
        return cls(number, _ranked(number, list(indices), documents, occurrences, shares))

    @classmethod
    def load(cls, folder: Path) -> TermStatistics:
        """Open what `save` wrote, memory-mapped; raises `UserError` for files that are missing, damaged, or of another version."""
        remedy = f"remove {folder} and run again, so that it is made again"
        try:
            meta = json.loads((folder / META).read_text("utf-8"))
            if (meta["format"], meta["terms_version"]) != (FORMAT_VERSION, TERMS_VERSION):
                raise UserError(f"the term statistics in {folder} were made by another version of augcse; {remedy}")
            for name, digest in meta["sha256"].items():
                if file_sha256(folder / f"{name}.npy") != digest:
                    raise UserError(f"{folder / name}.npy is damaged: its SHA-256 is not that of {META}; {remedy}")
            arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False) for name in _ARRAYS}
        except (OSError, KeyError, json.JSONDecodeError) as error:
            raise UserError(f"cannot read the term statistics in {folder}: {error!r}; {remedy}") from error
        return cls(meta["sentences"], arrays)

    def save(self, folder: Path) -> None:
        """Write the arrays, then their description with a SHA-256 for each."""
        for name, values in self._arrays.items():
            np.save(folder / f"{name}.npy", np.asarray(values), allow_pickle=False)
        digests = {name: file_sha256(folder / f"{name}.npy") for name in self._arrays}
        versions = {"format": FORMAT_VERSION, "terms_version": TERMS_VERSION}
        write_json(folder / META, {**versions, "sentences": self.sentences, "terms": len(self), "sha256": digests})

    def __len__(self) -> int:
        return len(self._terms)

    @property
    def scores(self) -> Array:
        """Per rank, the term's largest tf-idf in any sentence of the corpus."""
        return self._arrays["scores"]

    def term(self, rank: int) -> str:
        """Return the text of a term, in lower case."""
        return self._terms[rank]

    def number(self, terms: Sequence[str]) -> tuple[Array, Array]:
        """Return two arrays of shape (terms,): the ranks, -1 for unknown terms; and numbers that also distinguish unknown terms."""
        ranks = list(map(self._ranks.get, terms))
        unknown: dict[str, int] = {}
        for index, term in enumerate(terms) if None in ranks else ():
            if ranks[index] is None:
                ranks[index] = len(self) + unknown.setdefault(term, len(unknown))
        numbers = np.array(ranks, dtype=np.int64)
        return np.where(numbers < len(self), numbers, -1), numbers

    def idf(self, ranks: Array) -> Array:
        """Return ln(N / N_t); for rank -1 that of a term in one sentence."""
        return np.log(max(1, self.sentences) / self._documents[ranks])

    def insertion_ranks(self, scores: Array) -> Array:
        """Return the ranks that new terms with these scores would take, at most the last one."""
        return np.minimum(np.searchsorted(self._negative_scores, -scores), max(0, len(self) - 1))

    @cached_property
    def _documents(self) -> Array:
        """The number of sentences per rank, and 1 at the end, for rank -1."""
        return np.append(self._arrays["documents"], 1)

    @cached_property
    def _negative_scores(self) -> Array:
        return -self.scores

    @cached_property
    def word_scores(self) -> Wheel:
        """Draws words by score."""
        return Wheel(self.scores * self._arrays["words"])

    @cached_property
    def term_scores(self) -> Wheel:
        """Draws all terms, marks too, by score."""
        return Wheel(self.scores)

    @cached_property
    def term_surplus(self) -> Wheel:
        """Draws all terms by the difference of their score from the lowest one."""
        return Wheel(self.scores - self.scores.min(initial=np.inf))

    @cached_property
    def words(self) -> Wheel:
        """Draws words uniformly."""
        return Wheel(self._arrays["words"])

    @cached_property
    def common_words(self) -> Wheel:
        """Draws words by the number of sentences that contain them."""
        return Wheel(self._arrays["documents"] * self._arrays["words"])

    @cached_property
    def uninformative_words(self) -> Wheel:
        """Draws words by UDA's weight (Xie et al. 2020, appendix): max S - S with S = occurrences * idf."""
        idf = np.log(self.sentences / np.maximum(1, self._arrays["documents"]))
        mass = self._arrays["occurrences"] * idf * self._arrays["words"]
        return Wheel((mass.max(initial=0.0) - mass) * self._arrays["words"])


def _ranked(sentences: int, terms: list[str], documents: array[int], occurrences: array[int], shares: array[float]) -> dict[str, Array]:
    """Return the arrays, sorted by rank, from counts in the order of first appearance."""
    document_counts = np.array(documents, dtype=np.int64)
    scores = np.log1p(np.array(shares, dtype=np.float64)) * np.log(sentences / np.maximum(1, document_counts))
    order = np.argsort(-scores, kind="stable")
    texts = [terms[index] for index in order]
    return {
        "text": np.frombuffer("".join(f"{text}\n" for text in texts).encode("utf-8", "surrogatepass"), dtype=np.uint8),
        "documents": document_counts[order],
        "occurrences": np.array(occurrences, dtype=np.int64)[order],
        "scores": scores[order],
        "words": np.fromiter(map(is_plain_word, texts), dtype=np.bool_, count=len(texts)),
    }
