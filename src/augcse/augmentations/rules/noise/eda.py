"""Easy Data Augmentation (Wei and Zou 2019): synonym replacement, random insertion, random swap, random deletion.

A word is a run of letters, with the apostrophes and hyphens inside it; none that a dot, sign or digit hangs on ("F.E.", "under-19").
EDA lower-cases the text and drops everything but letters; here punctuation, numbers and spacing stay as they are. In a text of l words,
`alpha` l of them are changed, at least one, as in EDA.
"""

from __future__ import annotations

import re
from functools import lru_cache
from random import Random

from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.capitals import as_inner
from augcse.augmentations.english.function_words import CONTRACTIONS, FUNCTION_WORDS
from augcse.augmentations.option_types import LexiconName
from augcse.augmentations.text.cut import cut_spans, tidy_end
from augcse.augmentations.text.edits import Edit, apply_edits, capitalise, match_case
from augcse.lexicon.base import POS
from augcse.lexicon.open import BUNDLED_LEXICON, open_lexicon
from augcse.options import Share

# Before a word stands nothing, a blank, or what opens; after it nothing, a blank, what closes, or a mark with one of these after it.
_WORD = re.compile(
    r"(?<![^\s(\[{\"“‘«¿¡'])[^\W\d_]+(?:['’-][^\W\d_]+)*"
    r"(?=\s|\Z|[)\]}\"”»,;:!?…][)\]}\"”»,;:!?….]*(?:\s|\Z)|\.[.)\]}\"”»]*\s*\Z)"
)
_ALNUM = re.compile(r"[^\W_]")
_FINAL = re.compile(r"(?<!\s)\s*[.!?…]+[\"'”’)\]»]*\s*\Z")
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
    """Replace random words, in all their places, by a random WordNet synonym of any sense; stop words and "MT" stay.

    As in EDA, synonyms are not inflected and "a" and "an" do not follow; SynonymSubstitution does both.
    `lexicon` is "bundled" or "wndb:FOLDER".
    """
    words = list(_WORD.finditer(sentence))
    wanted = _number(alpha, len(words))
    # "MT" is no word that a synonym in capitals could stand for.
    words = [word for word in words if not word.group().isupper()]
    candidates = sorted({word.group().lower() for word in words} - STOP_WORDS)
    rng.shuffle(candidates)
    chosen: dict[str, str] = {}
    for candidate in candidates:
        if len(chosen) == wanted:
            break
        if found := synonyms(candidate, lexicon):
            chosen[candidate] = rng.choice(found)
    edits = [
        Edit(word.start(), word.end(), match_case(word.group(), chosen[word.group().lower()]))
        for word in words
        if word.group().lower() in chosen
    ]
    return apply_edits(sentence, edits) if edits else None


@augmentation(
    "EDARandomInsertion",
    family="noise",
    meaning="possible_alteration",
    source=_SOURCE,
    example=Example("The old dog barked at us.", "The old bully dog barked at us.", seed=7),
)
def eda_random_insertion(sentence: str, rng: Random, *, alpha: Share = 0.1, lexicon: LexiconName = BUNDLED_LEXICON) -> str | None:
    """Insert random synonyms of random words of the sentence at random places; stop words have none.

    The first word stays first, so that its capital does. `lexicon` is "bundled" or "wndb:FOLDER".
    """
    words = list(_WORD.finditer(sentence))
    candidates = [word.group().lower() for word in words if word.group().lower() not in STOP_WORDS and not word.group().isupper()]
    insertions: dict[int, str] = {}
    for _ in range(_number(alpha, len(words)) if candidates else 0):
        drawn = (synonyms(rng.choice(candidates), lexicon) for _ in range(_TRIES))
        if found := next(filter(None, drawn), ()):
            end = rng.choice(words).end()
            insertions[end] = f"{insertions.get(end, '')} {rng.choice(found)}"
    return apply_edits(sentence, [Edit(end, end, text) for end, text in insertions.items()]) if insertions else None


@augmentation(
    "EDARandomSwap",
    family="noise",
    meaning="possible_alteration",
    source=_SOURCE,
    example=Example("The old dog barked at us.", "The barked dog old at us.", seed=63),
)
def eda_random_swap(sentence: str, rng: Random, *, alpha: Share = 0.1) -> str | None:
    """Swap two random words, `alpha` l times; the capital of the first word is re-aligned.

    The first word stays where one cannot tell whether its capital is its own ("Mark", the "Red" of "Red Cross").
    """
    spans = list(_WORD.finditer(sentence))
    words = [span.group() for span in spans]
    for _ in range(_number(alpha, len(words)) if len(words) > 1 else 0):
        one, other = _two(0, len(words), rng)
        if 0 in (one, other) and _first_as_inner(sentence, spans) is None:
            if len(words) == 2:
                return None
            one, other = _two(1, len(words), rng)
        words[one], words[other] = words[other], words[one]
    first = spans[0].group() if spans else ""
    if words == [span.group() for span in spans]:
        return None
    if words[0] != first and not first[0].islower():
        words[words.index(first, 1)] = _first_as_inner(sentence, spans) or first
        words[0] = capitalise(words[0])
    moved = ((span, word) for span, word in zip(spans, words, strict=True) if span.group() != word)
    return apply_edits(sentence, [Edit(span.start(), span.end(), word) for span, word in moved])


def _two(start: int, stop: int, rng: Random) -> tuple[int, int]:
    """Draw two different numbers; `rng.sample` takes four times as long."""
    one = start + int(rng.random() * (stop - start))
    other = start + int(rng.random() * (stop - start - 1))
    return one, other + (other >= one)


@augmentation(
    "EDARandomDeletion",
    family="noise",
    meaning="possible_alteration",
    source=_SOURCE,
    example=Example("The old dog barked at us.", "The dog barked at us.", seed=2),
)
def eda_random_deletion(sentence: str, rng: Random, *, alpha: Share = 0.1) -> str | None:
    """Delete each word with probability `alpha`, but never all; the capital of the first word is re-aligned."""
    words = list(_WORD.finditer(sentence))
    deleted = [word for word in words if rng.random() < alpha]
    if deleted and len(deleted) == len(words):
        deleted.remove(rng.choice(deleted))
    if not deleted:
        return None
    text = cut_spans(sentence, [word.span() for word in deleted])
    if final := _FINAL.search(sentence):
        text = tidy_end(text, final.group())
    first = deleted[0]
    return capitalise(text) if first is words[0] and first.group()[0].isupper() and _is_first(sentence, first) else text


@lru_cache(maxsize=20_000)
def synonyms(word: str, lexicon: str) -> tuple[str, ...]:
    """Return all synonyms of a lower-case word in any form, of all senses and parts of speech, sorted."""
    source = open_lexicon(lexicon)
    found = {other for pos in POS for lemma in source.lemmas(word, pos) for other in source.synonyms(lemma, pos)}
    return tuple(sorted(other for other in found if other.lower() != word and other.islower() and not re.search(r"[\d/]", other)))


def _number(alpha: float, words: int) -> int:
    """Return how many changes a text of so many words gets: none for a zero rate, else at least one."""
    return max(1, int(alpha * words)) if alpha and words else 0


def _first_as_inner(text: str, words: list[re.Match[str]]) -> str | None:
    """Return the first word as it is written further on; None where one cannot tell."""
    return as_inner(words[0].group(), words[1].group()) if _is_first(text, words[0]) else words[0].group()


def _is_first(text: str, word: re.Match[str]) -> bool:
    """Tell whether nothing with a letter or digit stands before the word."""
    return _ALNUM.search(text, 0, word.start()) is None
