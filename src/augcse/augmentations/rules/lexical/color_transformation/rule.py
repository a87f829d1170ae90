"""Colour words replaced by other colours that the thing may have."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.article import replacement_edits
from augcse.augmentations.english.name_words import in_name, is_name
from augcse.augmentations.english.noun_kinds import levels, noun_kinds
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


@lru_cache(maxsize=1)
def colors() -> dict[str, str]:
    """Return the value of every colour by its name, as it is written in a sentence, in lower case."""
    return {words.lower(): value for _, value, words in data_rows(_DATA / "colors.tsv")}


@lru_cache(maxsize=1)
def _things() -> dict[str, tuple[str, ...]]:
    """Return the colours that things may have, by their noun or, after "kind:", by a hypernym."""
    rows = [(tuple(names.split(", ")), things.split()) for names, things in data_rows(_DATA / "things.tsv")]
    return {thing: names for names, things in rows for thing in things}


@lru_cache(maxsize=5_000)
def _palette(noun: str) -> tuple[str, ...]:
    """Return the colours of the things that a noun names, by the noun or the nearest hypernym of its first sense; none for "lumber"."""
    lexicon, lemmas = bundled_lexicon(), bundled_lexicon().lemmas(noun, "n")
    senses = [sense for lemma in lemmas for sense in lexicon.synsets(lemma, "n")[:1]]
    kinds = [word.replace(" ", "_") for level in levels(senses, lexicon.hypernyms) for synset in level for word in synset.lemmas]
    kinds += [sense.category for sense in senses]
    return next((_things()[word] for word in (noun, *lemmas, *map("kind:{}".format, kinds)) if word in _things()), ())


def _is_fixed_by_other_words(parse: Parse, first: int, last: int) -> bool:
    """Return whether other words determine the colour: "pitch black", "red-haired", "the red light of the spectrum"."""
    start, end = parse.starts[first], parse.end(last)
    around = parse.text[max(start - 2, 0) : start] + parse.text[end : end + 2]
    # A noun before a colour names a shade, as in "midnight green", unless it is the coloured thing: "dyed her hair blue".
    is_shade = parse.tag(first - 1) == "NN" and (parse.pos(last + 1) == "NOUN" or not _palette(parse.word(first - 1)))
    return is_shade or not _MARKS.isdisjoint(around) or not _WORDS["TELLING"].isdisjoint(parse.words)


def _is_term(parse: Parse, first: int, last: int) -> bool:
    """Return whether the colour and the words after it are one noun in the lexicon or in the list of terms."""
    color = parse.tokens[last].upper().replace("GREY", "GRAY")
    words = parse.words[last : last + _LONGEST_TERM]
    # The last word also as its lemma: "black holes".
    terms = ([*words[:end], form] for end in range(1, len(words)) for form in (words[end], parse.lemmas[last + end].lower()))
    is_listed = len(words) > 1 and parse.lemmas[last + 1].lower() in _WORDS.get(color, ())
    return is_listed or any(map(noun_kinds, map(" ".join, terms)))


def _has_no_color(parse: Parse, first: int, last: int) -> bool:
    """Return whether the noun names nothing coloured; without a noun, whether no "painted", "in" or list of colours shows a colour."""
    noun = _described_noun(parse, last)
    if noun is not None:
        return not _palette(parse.word(noun))
    previous = first - 2 if parse.word(first - 1) in _SHADES else first - 1
    is_listed = not _PLAIN.isdisjoint(map(parse.word, (*range(first - 3, first), last + 2)))
    is_introduced = previous >= 0 and not _WORDS["BEFORE"].isdisjoint((parse.word(previous), parse.lemmas[previous]))
    return not (is_listed or is_introduced)


REFUSALS = (
    Refusal("term", "Light cannot leave a black hole.", _is_term),
    Refusal("told by other words", "He saw a red-haired dog and a blue car.", _is_fixed_by_other_words),
    Refusal("part of a name", "a red dog crossed the blue ridge.", lambda parse, first, last: in_name(parse, last)),
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
    refusals=REFUSALS,
    may_change=lambda text, fidelity="grammatical": fidelity == "original" or not _PLAIN.isdisjoint(re.findall("[a-z]+", text.lower())),
)
def color_transformation(parse: Parse, rng: Random, *, fidelity: Fidelity = "grammatical") -> str | None:
    """Replace every colour of the sentence by a random other one of the extended colour keywords of the W3C.

    The new colour is an everyday colour that such a thing may have: eyes become brown, not orange. A colour has the same substitute
    throughout the sentence; two never get the same. "a" and "an" are adapted, and after "dark", "bright" and the like only plain colours
    are written. The whole sentence stays if one of its colours cannot change, such as that of a term ("black hole"): see the refusals.

    Deviations from NL-Augmenter, which replaces any letters of the list by any colour of it: only plain colours, no names that also mean
    something else (gold, wheat). `fidelity="original"` has none of these deviations.
    """
    if fidelity == "original":
        return _as_published(parse.text, rng)
    spans = _spans(parse)
    if any(refused(REFUSALS, parse, *span) for span in spans):
        return None
    chosen: dict[str, str] = {}
    edits = []
    for first, last in spans:
        old = " ".join(parse.tokens[first : last + 1]).lower().replace("grey", "gray")
        if old not in chosen:
            fitting = _fitting_colors(parse, first, last, {*chosen.values(), old.split()[-1]})
            if not fitting:
                return None
            chosen[old] = rng.choice(fitting)
        edits += replacement_edits(parse, first, last, chosen[old])
    return edited(parse.text, edits)


def _spans(parse: Parse) -> list[tuple[int, int]]:
    """Return the first and last word of each plain colour that is not a name."""
    return [(_first_word(parse, last), last) for last in range(len(parse)) if parse.word(last) in _PLAIN and not is_name(parse, last)]


def _first_word(parse: Parse, last: int) -> int:
    """Return the first word of the longest colour that ends with the word: "light sky blue"."""
    return next(first for first in range(max(last - 3, 0), last + 1) if " ".join(parse.tokens[first : last + 1]).lower() in colors())


def _fitting_colors(parse: Parse, first: int, last: int, taken: set[str]) -> list[str]:
    """Return the colours that the thing (or any thing, without a noun) may have, except taken ones and their shades."""
    noun = _described_noun(parse, last)
    fitting = _palette("thing" if noun is None else parse.word(noun))
    allowed = _WORDS["SHADED"] if parse.word(first - 1) in _SHADES else colors()
    return [name for name in fitting if name in allowed and taken.isdisjoint((name, name.split()[-1]))]


def _described_noun(parse: Parse, last: int) -> int | None:
    """Return the noun that the colour describes: the one after it, or the object ("dyed her hair blue"), or the subject."""
    for ancestor in parse.path(last):
        if ancestor > last:
            return ancestor
        if things := parse.children(ancestor, "obj") or parse.children(ancestor, "nsubj"):
            return things[-1]
        if not parse.has_label(ancestor, "amod", "conj", "compound", "nmod", "xcomp", "appos"):
            return None
    return None


def _as_published(text: str, rng: Random) -> str:
    """Replace the first occurrence of every name of the list, inside words too, from right to left."""
    occurrences = [(text.find(name), name) for name in colors()]
    for start, name in sorted((occurrence for occurrence in occurrences if occurrence[0] >= 0), reverse=True):
        text = text[:start] + rng.choice(tuple(colors())) + text[start + len(name) :]
    return text
