"""Colour words replaced by other colours that the thing may have."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.article import replacement_edits
from augcse.augmentations.english.conditions import determiner
from augcse.augmentations.english.name_words import in_name, is_name
from augcse.augmentations.english.noun_kinds import noun_kinds
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.edits import edited
from augcse.augmentations.text.tables import data_rows, word_sets
from augcse.lexicon.open import bundled_lexicon

_DATA = Path(__file__).parent
_WORDS = word_sets(_DATA / "words.txt")
_PLAIN, _SHADES = _WORDS["PLAIN"], _WORDS["SHADE"]
_MARKS = frozenset("-/–'’\"“”#@(_*`&")
_LONGEST_TERM = 3
# So near, two colours are of one thing or list: "black and white", "red, white and blue".
_NEAR = 3


@lru_cache(maxsize=1)
def colors() -> dict[str, str]:
    """Return the value of every colour, by its name as it stands in a sentence, in lower case."""
    return {words.lower(): value for _, value, words in data_rows(_DATA / "colors.tsv")}


@lru_cache(maxsize=1)
def _things() -> dict[str, tuple[str, ...]]:
    """Return the colours that things may have, by their noun or, after "kind:", a kind above it."""
    rows = [(tuple(names.split(", ")), things.split()) for names, things in data_rows(_DATA / "things.tsv")]
    return {thing: names for names, things in rows for thing in things}


@lru_cache(maxsize=5_000)
def _palette(noun: str) -> tuple[str, ...]:
    """Return the colours that what a noun means may have, by the noun or the nearest kind above its first meaning; none of "lumber"."""
    lexicon, lemmas = bundled_lexicon(), bundled_lexicon().lemmas(noun, "n")
    level = [sense for lemma in lemmas for sense in lexicon.synsets(lemma, "n")[:1]]
    categories, kinds = [sense.category for sense in level], []
    while level:
        kinds += [word.replace(" ", "_") for synset in level for word in synset.lemmas]
        level = [broader for synset in level for broader in lexicon.hypernyms(synset)]
    return next((_things()[word] for word in (noun, *lemmas, *map("kind:{}".format, (*kinds, *categories))) if word in _things()), ())


def _is_told(parse: Parse, first: int, last: int) -> bool:
    """Tell whether other words make the colour what it is: "pitch black", "red-haired", "as white as", "like chalk"."""
    around = parse.text[max(parse.starts[first] - 2, 0) : parse.starts[first]] + parse.text[parse.end(last) : parse.end(last) + 2]
    before, after = parse.word(first - 1), parse.word(last + 1)
    if before in _WORDS["MEASURED"] or after in _WORDS["AFTER"]:
        return True
    # "midnight green", but "dyed her hair blue"
    is_shade = parse.tag(first - 1) == "NN" and (parse.pos(last + 1) == "NOUN" or not _palette(before))
    return is_shade or not _MARKS.isdisjoint(around) or any(token.lower() in _WORDS["TELLING"] for token in parse.tokens)


def _is_term(parse: Parse, first: int, last: int) -> bool:
    """Tell whether the colour and the words after it are one noun to the lexicon or the list of terms."""
    color = parse.tokens[last].upper().replace("GREY", "GRAY")
    noun = parse.lemmas[last + 1].lower() if last + 1 < len(parse) else ""
    words = [token.lower() for token in parse.tokens[last : last + _LONGEST_TERM]]
    ends = ([*words[:end], form] for end in range(1, len(words)) for form in (words[end], parse.lemmas[last + end].lower()))
    return noun in _WORDS["ANY"] | _WORDS.get(color, set()) or any(map(noun_kinds, map(" ".join, ends)))


def _has_no_color(parse: Parse, first: int, last: int) -> bool:
    """Tell whether the noun has no surface, or nothing else shows a colour to be meant: "painted", "in", a list of colours."""
    if (noun := _noun(parse, last)) is not None:
        return not _palette(parse.word(noun))
    before = first - 1 - (parse.word(first - 1) in _SHADES)
    listed = not _PLAIN.isdisjoint(map(parse.word, (*range(first - 3, first), last + 2)))
    told = before >= 0 and not _WORDS["BEFORE"].isdisjoint((parse.word(before), parse.lemmas[before]))
    return not (listed or told or parse.pos(before) == "NOUN")  # "painted the cabinets white"


def _is_in_name(parse: Parse, first: int, last: int) -> bool:
    """Tell whether a colour is part of a name or stands beside one: "the White House", "jackie brown", "red Mercedes"."""
    titled = parse.text.islower() and parse.tag(last + 1) == "NN" and determiner(parse, last) in (None, "the")  # "the black cauldron"
    return in_name(parse, last) or titled or is_name(parse, first - 1) or is_name(parse, last + 1)


def _is_other_kind(parse: Parse, first: int, last: int) -> bool:
    """Tell whether the colour alone names what another thing is set against: "bread instead of white", "prefer red to white"."""
    before = parse.word(first - 1)
    against = before == "than" or (before == "of" and parse.word(first - 2) == "instead") or (before == "to" and "prefer" in parse.lemmas)
    return against and parse.pos(last + 1) not in ("ADJ", "NOUN", "PROPN")


def _is_beside_term(parse: Parse, first: int, last: int) -> bool:
    """Tell whether a colour is joined to that of a term: "black and white photos"."""
    return any(abs(other - last) <= _NEAR and _is_term(parse, start, other) for start, other in _spans(parse))


_TERM = Refusal("term", "Light cannot leave a black hole.", _is_term)
REFUSALS = (
    Refusal("beside a term", "He took black and white photos.", _is_beside_term),
    Refusal("told by other words", "He saw a red-haired dog and a blue car.", _is_told),
    Refusal("part of a name", "a black dog watched jackie brown.", _is_in_name),
    Refusal("kind set against another", "He ate brown bread instead of white.", _is_other_kind),
    Refusal("noun without a colour", "He was one of eight black delegates with blue hats.", _has_no_color),
)


@augmentation(
    "ColorTransformation",
    family="lexical",
    meaning="possible_alteration",
    condition="a colour",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter color_transformation; W3C CSS Color Module Level 3",
    example=Example("He has a red car and a white boat.", "He has an orange car and a dark green boat."),
    needs=("parse",),
    refusals=(_TERM, *REFUSALS),
    may_change=lambda text, fidelity="grammatical": fidelity == "original" or not _PLAIN.isdisjoint(re.findall("[a-z]+", text.lower())),
)
def color_transformation(parse: Parse, rng: Random, *, fidelity: Fidelity = "grammatical") -> str | None:
    """Replace every colour of the sentence by a random other one of the extended colour keywords of the W3C.

    What is put in is an everyday colour that such a thing may have: eyes become brown, not orange. One colour keeps one substitute
    throughout the sentence; two never get the same. "a" and "an" follow, and after "dark", "bright" and the like only plain colours
    are put in. A term stays ("black hole"), and a sentence where another of its colours cannot change: see the refusals.

    Deviations from NL-Augmenter, which replaces any letters of the list by any colour of it: only plain colours, no names that mean
    something else too (gold, wheat). `fidelity="original"` has none.
    """
    if fidelity == "original":
        return _as_published(parse.text, rng)
    colored = _spans(parse)
    spans = [span for span in colored if not refused((_TERM,), parse, *span)]
    if any(refused(REFUSALS, parse, *span) for span in spans):
        return None
    chosen: dict[str, str] = {}
    edits = []
    stay = {parse.word(last) for first, last in colored if (first, last) not in spans}
    for first, last in spans:
        old = " ".join(parse.tokens[first : last + 1]).lower().replace("grey", "gray")
        if old not in chosen:
            pool = _pool(parse, first, last, {*chosen.values(), *stay, old.split()[-1]})
            if not pool:
                return None
            chosen[old] = rng.choice(pool)
        edits += replacement_edits(parse, first, last, chosen[old])
    return edited(parse.text, edits)


def _spans(parse: Parse) -> list[tuple[int, int]]:
    """Return the first and last word of each plain colour without a capital of its own."""
    return [(_first(parse, last), last) for last in range(len(parse)) if parse.word(last) in _PLAIN and not is_name(parse, last)]


def _first(parse: Parse, last: int) -> int:
    """Return the first word of the longest colour that the word ends: "light sky blue"."""
    return next(first for first in range(max(last - 3, 0), last + 1) if " ".join(parse.tokens[first : last + 1]).lower() in colors())


def _pool(parse: Parse, first: int, last: int, taken: set[str]) -> list[str]:
    """Return the colours that may be put in: neither one that is taken nor a shade of it."""
    sayable = _WORDS["SHADED"] if parse.word(first - 1) in _SHADES else colors()
    return [name for name in _fitting(parse, last) if name in sayable and taken.isdisjoint((name, name.split()[-1]))]


def _fitting(parse: Parse, last: int) -> tuple[str, ...]:
    """Return the colours that the thing may have; where no noun tells which, those that whatever is named may have."""
    noun = _noun(parse, last)
    if noun is not None:
        return _palette(parse.word(noun))
    # "The most common colour of dachshunds is red": what else is named may have few colours.
    named = (_palette(token.lower()) for token in parse.tokens)
    return min((_palette("thing"), *filter(None, named)), key=len)


def _noun(parse: Parse, last: int) -> int | None:
    """Return the noun that the colour describes: the one it stands before, or what is dyed, or the subject."""
    for above in parse.path(last):
        if above > last:
            return above
        if things := parse.children(above, "obj") or parse.children(above, "nsubj"):
            return things[-1]
        if not parse.has_label(above, "amod", "conj", "compound", "nmod", "xcomp", "appos"):
            return None
    return None


def _as_published(text: str, rng: Random) -> str:
    """Replace the first occurrence of every name of the list, inside words too."""
    for start, name in sorted(((start, name) for name in colors() if (start := text.find(name)) >= 0), reverse=True):
        text = text[:start] + rng.choice(tuple(colors())) + text[start + len(name) :]
    return text
