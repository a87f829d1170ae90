"""A sample of distinct sentences: the same for every order, close to uniform, and in memory that the corpus does not decide."""

from __future__ import annotations

import hashlib
import tracemalloc
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augcse.corpus.files import Corpus
from augcse.corpus.sample import sample_corpus, sample_sentences
from augcse.errors import UserError


def naive(sentences: list[str], size: int) -> list[str]:
    """Hash every distinct sentence and sort."""
    return sorted(set(sentences), key=lambda text: hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest())[:size]


@given(st.lists(st.text(max_size=3), max_size=30), st.integers(1, 12), st.randoms(use_true_random=False))
def test_it_is_the_smallest_hashes_in_whatever_order_sentences_come(texts: list[str], size: int, rng: object) -> None:
    found = sample_sentences(texts, size)
    assert found == naive(texts, size)
    rng.shuffle(texts)  # type: ignore[attr-defined]
    assert sample_sentences(texts, size) == found


def test_every_sentence_has_the_same_chance() -> None:
    drawn = Counter(text for salt in range(2000) for text in sample_sentences([f"{salt} {word}" for word in "abcdefgh"], 2))
    by_word = Counter()
    for text, count in drawn.items():
        by_word[text[-1]] += count
    # 500 expected of each, with a deviation of 19.
    assert all(400 < by_word[word] < 600 for word in "abcdefgh")


def test_memory_holds_the_sample_not_the_corpus() -> None:
    tracemalloc.start()
    found = sample_sentences((f"Sentence number {row} is here, and it is a long one." for row in range(30_000)), 50)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(found) == 50
    assert peak < 200_000


def test_a_corpus_is_described_by_names_hashes_and_numbers(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("One.\nTwo.\n\nOne.\n", "utf-8")
    found = sample_corpus(Corpus.of(path), 10)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert found.described() == {"distinct": 2, "read": 3, "files": [{"name": "text.txt", "sha256": digest}]}
    assert sorted(found.sentences) == ["One.", "Two."]


def test_a_corpus_of_nothing_is_refused(tmp_path: Path) -> None:
    (tmp_path / "blank.txt").write_text("\n \n", "utf-8")
    with pytest.raises(UserError, match=r"blank\.txt: no sentence in it"):
        sample_corpus(Corpus.of(tmp_path / "blank.txt"), 10)
