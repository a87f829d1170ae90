"""A share that is asked for is the share that one gets, for every augmentation with such an option: a new one has to be listed here.

The texts are 40 running words of the demo corpus each, all of them in the vocabulary, so that 10 % and 30 % of the words are whole
numbers. What is measured may differ from what is asked by five standard deviations of a binomial count over all words, and by what the
member's docstring says: half a word a text where it rounds, and so on.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from augcse import augment
from augcse.augmentations.base import AUGMENTATIONS
from augcse.augmentations.neural.wordpiece import load_vocabulary
from augcse.augmentations.word_diff import changed_spans
from augcse.corpus.read import read_sentences
from augcse.options import Share
from augcse.resources import DEMO_CORPUS

WORDS, TEXTS = 40, 150
HALF_A_WORD = 0.5 / WORDS
# Shares that are no rate of change: how sure a judge has to be, how near a paraphrase.
NO_RATES = {("Casual2Formal", "threshold"), ("Formal2Casual", "threshold"), ("DiverseParaphrase", "fidelity")}


def _words(text: str) -> list[str]:
    # "a" and "an" follow the word after them.
    return ["a" if word == "an" else word for word in text.lower().removesuffix(".").split()]


def _missing(old: str, new: str) -> int:
    return len(_words(old)) - len(_words(new))


def _added(old: str, new: str) -> int:
    return -_missing(old, new)


def _elsewhere(old: str, new: str) -> int:
    """Words that another one stands in the place of."""
    return sum(a != b for a, b in zip(_words(old), _words(new), strict=True))


def _gone(old: str, new: str) -> int:
    """Words that the new text has not, or less often: of a word that is replaced by several."""
    return (Counter(_words(old)) - Counter(_words(new))).total()


def _kinds_gone(old: str, new: str) -> int:
    return len(Counter(_words(old)) - Counter(_words(new)))


def _letters(old: str, new: str) -> int:
    return sum(a != b for a, b in zip(old, new, strict=True))


def _insertions(old: str, new: str) -> int:
    return sum(change.start == change.end for change in changed_spans(old, new))


def _pieces_missing(old: str, new: str) -> int:
    first, second = load_vocabulary("mini-bert").split([old, new])
    return len(first) - len(second)


def _masks(old: str, new: str) -> int:
    return new.count("[MASK]")


def _drawn_twice(rate: float) -> float:
    """The share of 40 that is hit by 40 x rate draws with replacement."""
    return 1 - (1 - 1 / WORDS) ** (rate * WORDS)


@dataclass(frozen=True)
class Rate:
    """How a member's rate shows.

    Args:
        option: its name.
        changed: how many units differ between the old text and the new.
        units: how many there are in a text; None: as many as change at a rate of 1.
        share: what a rate comes to.
        slack: what the docstring allows beside the draws.
        always: units of each text that change whatever the rate.
        least: the part of the rate that shows at least, where a draw may come to nothing.
        joined: how many texts are joined to one, where few words of a text can change at all.
        with_options: what else is asked for.
    """

    option: str
    changed: Callable[[str, str], int]
    units: int | None = WORDS
    share: Callable[[float], float] = lambda rate: rate
    slack: float = 0.0
    always: int = 0
    least: float = 1.0
    joined: int = 1
    with_options: str = ""


RATES = {
    "RandomDeletion": Rate("rate", _missing),
    "RandomCrop": Rate("rate", _missing),
    "RandomSwap": Rate("rate", _elsewhere),
    "EDARandomDeletion": Rate("alpha", _missing),
    # Two words a swap, and a later one may take the same word again.
    "EDARandomSwap": Rate("alpha", _elsewhere, share=lambda rate: 1 - (1 - 2 / WORDS) ** (rate * WORDS), slack=HALF_A_WORD),
    "EDASynonymReplacement": Rate("alpha", _kinds_gone),
    # Two insertions may fall on one place.
    "EDARandomInsertion": Rate("alpha", _insertions, share=_drawn_twice, slack=HALF_A_WORD),
    # Between none and the rate, uniformly.
    "WordRepetition": Rate("rate", _added, share=lambda rate: rate / 2),
    "WordMask": Rate("rate", _masks),
    "PhonemeSubstitution": Rate("rate", _elsewhere, units=None),
    "VisualAttackLetters": Rate("rate", _letters, units=None),
    "SynonymSubstitution": Rate("rate", _gone, units=None, slack=0.03, joined=30),
    "UniformReplacement": Rate("rate", _elsewhere),
    "TFIDFReplacement": Rate("rate", _elsewhere),
    # The most telling word always goes.
    "UNA": Rate("beta", _elsewhere, always=1),
    # The full stop is a piece too.
    "RandomTokenDeletion": Rate("rate", _pieces_missing, WORDS + 1, slack=HALF_A_WORD),
    "MaskTokens": Rate("rate", _masks, WORDS + 1, slack=HALF_A_WORD),
    "MLMTokenInsertion": Rate("rate", _added, WORDS + 1, slack=HALF_A_WORD),
    # The model may find the old piece again.
    "MLMTokenReplacement": Rate("rate", _elsewhere, WORDS + 1, slack=HALF_A_WORD, least=0.7),
    "RandomContextualWordAugmentation": Rate("rate", _elsewhere, with_options=":action=substitute"),
    "RandomWordEmbAugmentation": Rate("rate", _elsewhere),
}


@functools.cache
def _texts(joined: int) -> list[str]:
    vocabulary = load_vocabulary("mini-bert")
    words = [word for word in re.findall(r"\b[a-z]+\b", DEMO_CORPUS.read_text("utf-8")) if word in vocabulary.pieces]
    length = joined * WORDS
    return [" ".join(words[start : start + length]).capitalize() + "." for start in range(0, TEXTS * WORDS, length)]


def _changed(name: str, rate: Rate, asked: float) -> int:
    spec = f"{name}:{rate.option}={asked}{rate.with_options}"
    corpus = read_sentences([DEMO_CORPUS]) if AUGMENTATIONS.get(name).fitted else None
    texts = _texts(rate.joined)
    return sum(rate.changed(old, new) for old, new in zip(texts, augment(texts, spec, corpus=corpus), strict=True) if new is not None)


def test_every_share_that_is_a_rate_is_measured() -> None:
    shares = {(member.name, option.name) for member in AUGMENTATIONS for option in member.options.values() if option.annotation == Share}
    stated = {(name, rate.option) for name, rate in RATES.items()} | NO_RATES
    assert shares == stated, "state in RATES how a new option shows in the text, or in NO_RATES that it is no rate"


@pytest.mark.parametrize("asked", [0.1, 0.3])
@pytest.mark.parametrize("name", RATES)
def test_the_measured_rate_is_the_asked_one(name: str, asked: float) -> None:
    rate = RATES[name]
    units = TEXTS * rate.units if rate.units else _changed(name, rate, 1.0)
    measured, expected = _changed(name, rate, asked) / units, rate.share(asked)
    bound = 5 * (expected * (1 - expected) / units) ** 0.5 + rate.slack + rate.always * TEXTS / units
    assert rate.least * expected - bound <= measured <= expected + bound


@pytest.mark.parametrize("name", RATES)
def test_a_rate_of_none_changes_nothing(name: str) -> None:
    assert _changed(name, RATES[name], 0.0) == RATES[name].always * TEXTS
