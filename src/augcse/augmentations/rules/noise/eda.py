"""Easy Data Augmentation (Wei and Zou 2019): synonym replacement, random insertion, random swap, random deletion.

A word is a run of letters with the apostrophes and hyphens inside it, and no dot or digit attached ("F.E.", "under-19").
EDA lower-cases the text and drops everything but letters; here punctuation, numbers and spacing stay as they are. In a text of l words,
`alpha` l of them are changed, at least one, as in EDA.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from random import Random

from augcse.augmentations.base import ANY_LANGUAGE, Example, augmentation
from augcse.augmentations.english.function_words import CONTRACTIONS, FUNCTION_WORDS
from augcse.augmentations.english.whole_words import Span, first_as_inner, rearranged, without_words, word_text
from augcse.augmentations.option_types import LexiconName
from augcse.augmentations.text.edits import Edit, edited, match_case
from augcse.augmentations.text.marks import compiled
from augcse.augmentations.text.words import find_words
from augcse.lexicon.base import POS
from augcse.lexicon.open import BUNDLED_LEXICON, open_lexicon
from augcse.options import Share

# In synonyms: a number, an alternative ("and/or"), or a place to fill ("make up one's mind").
_UNFIT = re.compile(r"[\d/]|\bone(?:'s|self)\b")
_PLAIN = r"(?:[^\W\d_][\p{M}]*)+(?:['’-](?:[^\W\d_][\p{M}]*)+)*"
_SOURCE = "EDA (Wei and Zou 2019), section 2"
# Draws of a word before random insertion gives up (EDA's code).
_TRIES = 10
STOP_WORDS = FUNCTION_WORDS | CONTRACTIONS


@augmentation(
    "EDASynonymReplacement",
    family="noise",
    meaning="possible_alteration",
    source=_SOURCE,
    example=Example("A quick answer pleased them.", "A prompt answer pleased them.", seed=6),
)
def eda_synonym_replacement(sentence: str, rng: Random, *, alpha: Share = 0.1, lexicon: LexiconName = BUNDLED_LEXICON) -> str | None:
    """Replace every occurrence of random words by a random WordNet synonym of any sense; stop words, names and single letters stay.

    As in EDA, synonyms are not inflected and "a" and "an" are not adapted to them; SynonymSubstitution does both.
    `lexicon` is "bundled" or "wndb:FOLDER".
    """
    words = find_words(sentence)
    plain = _plain_words(sentence, words)
    texts = _common_words(sentence, words, plain)
    candidates = sorted({text.lower() for text in texts.values()} - STOP_WORDS)
    rng.shuffle(candidates)
    options = ((candidate, synonyms(candidate, lexicon)) for candidate in candidates)
    replaceable = ((candidate, choices) for candidate, choices in options if choices)
    chosen = {candidate: rng.choice(choices) for candidate, choices in islice(replaceable, _change_count(alpha, len(plain)))}
    edits = [Edit(*words[at], match_case(text, chosen[text.lower()])) for at, text in texts.items() if text.lower() in chosen]
    return edited(sentence, edits)


@augmentation(
    "EDARandomInsertion",
    family="noise",
    meaning="possible_alteration",
    source=_SOURCE,
    example=Example("The old dog barked at us.", "The old bully dog barked at us.", seed=7),
)
def eda_random_insertion(sentence: str, rng: Random, *, alpha: Share = 0.1, lexicon: LexiconName = BUNDLED_LEXICON) -> str | None:
    """Insert random synonyms of random words of the sentence, stop words excluded, at random places.

    The first word stays first, so that its capital does. `lexicon` is "bundled" or "wndb:FOLDER".
    """
    words = find_words(sentence)
    plain = _plain_words(sentence, words)
    candidates = [text.lower() for text in _common_words(sentence, words, plain).values() if text.lower() not in STOP_WORDS]
    insertions: dict[int, str] = {}
    for _ in range(_change_count(alpha, len(plain)) if candidates else 0):
        drawn = (synonyms(rng.choice(candidates), lexicon) for _ in range(_TRIES))
        choices = next(filter(None, drawn), ())
        if choices:
            end = words[rng.choice(plain)][1]
            insertions[end] = f"{insertions.get(end, '')} {rng.choice(choices)}"
    return edited(sentence, [Edit(end, end, text) for end, text in insertions.items()])


@augmentation(
    "EDARandomSwap",
    family="noise",
    meaning="possible_alteration",
    source=_SOURCE,
    example=Example("The old dog barked at us.", "The barked dog old at us.", seed=4),
    languages=("en", ANY_LANGUAGE),
)
def eda_random_swap(sentence: str, rng: Random, *, alpha: Share = 0.1) -> str | None:
    """Swap two random words, `alpha` l times; the capital of the first word is re-aligned.

    The first word stays if its capital may be that of a name ("Mark", the "Red" of "Red Cross").
    """
    words = find_words(sentence)
    plain = _plain_words(sentence, words)
    number = _change_count(alpha, len(plain))
    if plain[:1] == [0] and len(words) > 1 and first_as_inner(sentence, words) is None:
        del plain[0]
    sources = {index: index for index in plain}
    for _ in range(number if len(plain) > 1 else 0):
        one, other = rng.sample(plain, 2)
        sources[one], sources[other] = sources[other], sources[one]
    moved = {index: source for index, source in sources.items() if index != source}
    return rearranged(sentence, words, moved) if moved else None


@augmentation(
    "EDARandomDeletion",
    family="noise",
    meaning="possible_alteration",
    source=_SOURCE,
    example=Example("The old dog barked at us.", "The dog barked at us.", seed=2),
    languages=("en", ANY_LANGUAGE),
)
def eda_random_deletion(sentence: str, rng: Random, *, alpha: Share = 0.1) -> str | None:
    """Delete each word with probability `alpha`, but never all; the capital of the first word is re-aligned."""
    words = find_words(sentence)
    plain = _plain_words(sentence, words)
    deleted = [index for index in plain if rng.random() < alpha]
    if deleted and len(deleted) == len(plain):
        deleted.remove(rng.choice(deleted))
    return without_words(sentence, words, deleted) if deleted else None


@lru_cache(maxsize=20_000)
def synonyms(word: str, lexicon: str) -> tuple[str, ...]:
    """Return all synonyms of a lower-case word in any form, of all senses and parts of speech, sorted, without those with a place to fill.

    >>> "make up one's mind" in synonyms("decide", "bundled")
    False
    """
    source = open_lexicon(lexicon)
    words = {other for pos in POS for lemma in source.lemmas(word, pos) for other in source.synonyms(lemma, pos)}
    return tuple(sorted(other for other in words if other.lower() != word and other.islower() and not _UNFIT.search(other)))


def _change_count(alpha: float, words: int) -> int:
    """Return the number of changes in a text of `words` words: none for a zero rate, else at least one."""
    return max(1, int(alpha * words)) if alpha and words else 0


def _common_words(sentence: str, words: list[Span], plain: list[int]) -> dict[int, str]:
    """Return, by index, the plain words that the lexicon may know: neither single letters nor names.

    A word with a capital is a name, unless it is the first; EDA's code lower-cases the text and takes "Smith" for a craftsman.
    """
    texts = {index: word_text(sentence, words[index]) for index in plain}
    return {at: text for at, text in texts.items() if len(text) > 1 and (text.islower() or (at == 0 and not text.isupper()))}


def _plain_words(sentence: str, words: list[Span]) -> list[int]:
    """Return the indices of the words of letters, accents and vowel signs included."""
    texts = (word_text(sentence, word) for word in words)
    return [index for index, text in enumerate(texts) if text.isalpha() or compiled(_PLAIN).fullmatch(text)]
