"""Easy Data Augmentation (Wei and Zou 2019): synonym replacement, random insertion, random swap, random deletion.

A word is a run of letters, with the apostrophes and hyphens inside it. EDA lower-cases the text and drops everything but
letters; here punctuation, numbers and spacing stay as they are. In a text of l words, `alpha` l of them are changed, at
least one, as in EDA.
"""

from __future__ import annotations

import re
from functools import lru_cache
from random import Random

from augcse.augmentations.base import Example, augmentation, check_rate
from augcse.augmentations.edit import Edit, apply_edits, capitalise, match_case
from augcse.lexicon.base import POS
from augcse.lexicon.open import BUNDLED_LEXICON, open_lexicon

_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?:['’-][^\W\d_]+)*(?!\w)")
_SOURCE = "EDA (Wei and Zou 2019), section 2"
# Draws of a word before random insertion gives up (EDA's code).
_TRIES = 10
# Words of grammar: articles, pronouns, auxiliaries, prepositions, conjunctions and what is left of contractions.
STOP_WORDS = frozenset(
    """a an the this that these those each every either neither some any no all both such
    i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we us our ours
    ourselves they them their theirs themselves who whom whose which what one
    am is are was were be been being have has had having do does did doing done will would shall should can could may
    might must ought cannot
    not nor and or but if because as until while although though than whether so then unless since
    of at by for with about against between into through during before after above below to from up down in out on off
    over under upon within without toward towards among across along around behind beside beyond near per via
    again further once here there when where why how very too only just own same other more most few now also
    don't doesn't didn't isn't aren't wasn't weren't won't wouldn't can't couldn't shouldn't hasn't haven't hadn't
    i'm i've i'll i'd you're you've you'll he's she's it's we're we've they're they've that's there's let's""".split()
)


@augmentation(
    "EDASynonymReplacement",
    family="eda",
    meaning="possible_alteration",
    source=_SOURCE,
    example=Example("A quick answer pleased them.", "A prompt answer pleased them.", seed=6),
)
def eda_synonym_replacement(sentence: str, rng: Random, *, alpha: float = 0.1, lexicon: str = BUNDLED_LEXICON) -> str | None:
    """Replace random words, in all their places, by a random WordNet synonym of any sense; stop words stay.

    As in EDA, synonyms are not inflected and "a" and "an" do not follow; SynonymSubstitution does both.
    `lexicon` is "bundled" or "wndb:FOLDER".
    """
    check_rate(alpha, "alpha")
    words = list(_WORD.finditer(sentence))
    wanted = _number(alpha, len(words))
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
    family="eda",
    meaning="possible_alteration",
    source=_SOURCE,
    example=Example("The old dog barked at us.", "The old bully dog barked at us.", seed=7),
)
def eda_random_insertion(sentence: str, rng: Random, *, alpha: float = 0.1, lexicon: str = BUNDLED_LEXICON) -> str | None:
    """Insert random synonyms of random words of the sentence at random places; stop words have none.

    The first word stays first, so that its capital does. `lexicon` is "bundled" or "wndb:FOLDER".
    """
    check_rate(alpha, "alpha")
    words = list(_WORD.finditer(sentence))
    candidates = [word.group().lower() for word in words if word.group().lower() not in STOP_WORDS]
    insertions: dict[int, str] = {}
    for _ in range(_number(alpha, len(words)) if candidates else 0):
        drawn = (synonyms(rng.choice(candidates), lexicon) for _ in range(_TRIES))
        if found := next(filter(None, drawn), ()):
            place = rng.choice(words).end()
            insertions[place] = f"{insertions.get(place, '')} {rng.choice(found)}"
    return apply_edits(sentence, [Edit(place, place, text) for place, text in insertions.items()]) if insertions else None


@augmentation(
    "EDARandomSwap",
    family="eda",
    meaning="possible_alteration",
    source=_SOURCE,
    example=Example("The old dog barked at us.", "The barked dog old at us.", seed=4),
)
def eda_random_swap(sentence: str, rng: Random, *, alpha: float = 0.1) -> str | None:
    """Swap two random words, `alpha` l times; the capital of the first word is re-aligned."""
    check_rate(alpha, "alpha")
    spans = list(_WORD.finditer(sentence))
    words = [span.group() for span in spans]
    for _ in range(_number(alpha, len(words)) if len(words) > 1 else 0):
        one, other = rng.sample(range(len(words)), 2)
        words[one], words[other] = words[other], words[one]
    if not words or words == [span.group() for span in spans]:
        return None
    if words[0] != spans[0].group():
        words = [_uncapitalised(word) if word == spans[0].group() else word for word in words]
        words[0] = capitalise(words[0]) if spans[0].group()[0].isupper() else words[0]
    return apply_edits(sentence, [Edit(span.start(), span.end(), word) for span, word in zip(spans, words, strict=True)])


@augmentation(
    "EDARandomDeletion",
    family="eda",
    meaning="possible_alteration",
    source=_SOURCE,
    example=Example("The old dog barked at us.", "The dog barked at us.", seed=2),
)
def eda_random_deletion(sentence: str, rng: Random, *, alpha: float = 0.1) -> str | None:
    """Delete each word with probability `alpha`, but never all; the capital of the first word is re-aligned."""
    check_rate(alpha, "alpha")
    words = list(_WORD.finditer(sentence))
    deleted = [word for word in words if rng.random() < alpha]
    if deleted and len(deleted) == len(words):
        deleted.remove(rng.choice(deleted))
    if not deleted:
        return None
    text = _without(sentence, deleted)
    first = _WORD.search(text)
    if words[0] is deleted[0] and words[0].group()[0].isupper() and first is not None:
        text = text[: first.start()] + capitalise(text[first.start() :])
    return text


@lru_cache(maxsize=20_000)
def synonyms(word: str, lexicon: str) -> tuple[str, ...]:
    """Return all synonyms of a lower-case word in any form, of all senses and parts of speech, sorted."""
    source = open_lexicon(lexicon)
    found = {other for pos in POS for lemma in source.lemmas(word, pos) for other in source.synonyms(lemma, pos)}
    return tuple(sorted(other for other in found if other.lower() != word and other.islower() and not re.search(r"[\d/]", other)))


def _number(alpha: float, words: int) -> int:
    """Return how many changes a text of so many words gets: none for a zero rate, else at least one."""
    return max(1, int(alpha * words)) if alpha and words else 0


def _uncapitalised(word: str) -> str:
    """Lower the capital that a word of grammar wore for being first."""
    return word.lower() if word.istitle() and word.lower() in STOP_WORDS and word != "I" else word


def _without(text: str, deleted: list[re.Match[str]]) -> str:
    """Cut the words out, each with one of the blanks beside it."""
    pieces, position = "", 0
    for word in deleted:
        pieces, position = pieces + text[position : word.start()], word.end()
        if pieces[-1:] in ("", " ") and text[position : position + 1] == " ":
            position += 1
        elif pieces.endswith(" ") and text[position : position + 1] in ("", ".", ",", ";", ":", "?", "!", ")"):
            pieces = pieces[:-1]
    return (pieces + text[position:]).strip() if text.strip() == text else pieces + text[position:]
