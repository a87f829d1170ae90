from __future__ import annotations

from collections import Counter
from itertools import groupby
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augcse.augmentations.base import Rule
from augcse.augmentations.rules.noise.repetition import word_repetition
from augcse.augmentations.rules.noise.word_mask import word_mask

SENTENCE = "She said: “Anna's dog (a terrier) wasn't old,” in 1999–2003."
NUMBERED = st.integers(1, 40).map(lambda count: [f"w{place}" for place in range(count)])
SEEDS = st.integers(0, 10_000)


@given(NUMBERED, SEEDS, st.floats(0.01, 1))
def test_repetition_says_some_words_twice_and_none_three_times(words: list[str], seed: int, rate: float) -> None:
    new = word_repetition(" ".join(words), Random(seed), rate=rate)
    if new is None:
        return
    assert [word for word, _ in groupby(new.split())] == words
    counts = Counter(new.split())
    assert set(counts.values()) <= {1, 2}
    assert 0 < sum(count == 2 for count in counts.values()) <= max(2, int(rate * len(words)))


def test_the_number_of_repetitions_is_uniform_from_nought() -> None:
    sentence = " ".join(f"w{place}" for place in range(25))
    lengths = Counter(len((word_repetition(sentence, Random(seed)) or sentence).split()) - 25 for seed in range(9000))
    assert set(lengths) == set(range(9))  # int(0.32 * 25) = 8
    assert all(850 < count < 1150 for count in lengths.values())


def test_every_word_is_repeated_as_often() -> None:
    sentence = " ".join(f"w{place}" for place in range(10))
    counts = Counter(" ".join(word_repetition(sentence, Random(seed)) or sentence for seed in range(4000)).split())
    assert max(counts.values()) - min(counts.values()) < 250


def test_a_number_is_repeated_with_its_sign() -> None:
    made = {word_repetition("$1.14 3%", Random(seed), rate=1.0) for seed in range(20)}
    assert made == {"$1.14 $1.14 3%", "$1.14 3% 3%", "$1.14 $1.14 3% 3%", None}


def test_repetition_keeps_marks_outside() -> None:
    long = word_repetition(SENTENCE, Random(0), rate=1.0)
    seeds = (word_repetition(SENTENCE, Random(seed), rate=1.0) or "" for seed in range(2000))
    longest = max([long, *seeds], key=len)
    assert longest.startswith("She She said said: “Anna's Anna's dog dog (a a terrier terrier) wasn't wasn't old old,” in in")


@given(NUMBERED, SEEDS)
def test_mask_takes_the_place_of_words_and_of_one_at_least(words: list[str], seed: int) -> None:
    new = word_mask(" ".join(words), Random(seed)).split()
    assert all(other in (word, "[MASK]") for word, other in zip(words, new, strict=True))
    assert "[MASK]" in new


def test_mask_keeps_marks_and_the_rate() -> None:
    assert word_mask(SENTENCE, Random(0), rate=1.0, mask="<mask>") == (
        "<mask> <mask>: “<mask> <mask> (<mask> <mask>) <mask> <mask>,” <mask> <mask>."
    )
    sentence = " ".join(["word"] * 100)
    assert 1350 < sum(word_mask(sentence, Random(seed)).count("[MASK]") for seed in range(100)) < 1650


@pytest.mark.parametrize("rule", [word_repetition, word_mask])
def test_no_words_and_rate_nought_are_none(rule: Rule) -> None:
    assert [rule(sentence, Random(0)) for sentence in ("", " ", "... !", "🙂")] == [None] * 4
    assert rule("one two three", Random(0), rate=0.0) is None


@pytest.mark.parametrize(
    "sentence", ["मैं किताब पढ़ता हूँ", "நான் புத்தகம் படிக்கிறேன்", "ذَهَبَ الوَلَدُ إِلَى المَدْرَسَةِ", "הַיֶּלֶד הָלַךְ הַבַּיְתָה", "un cafe\u0301 tre\u0300s noir"]
)
def test_words_with_vowel_signs_and_points_stay_whole(sentence: str) -> None:
    words = sentence.split()
    for seed in range(30):
        repeated = word_repetition(sentence, Random(seed), rate=1.0) or sentence
        assert [word for word, _ in groupby(repeated.split())] == words
        assert all(new in (word, "[MASK]") for word, new in zip(words, word_mask(sentence, Random(seed)).split(), strict=True))
