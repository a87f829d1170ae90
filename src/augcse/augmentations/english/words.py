"""What the rules that replace words from a lexicon share: which words they may replace, and how the new word is written.

A word may be replaced if it is not part of a name, a hyphenated compound or an expression of the lexicon, and if it is a form of
a lemma of the lexicon, so that the new word can take the same form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from augcse.annotation.parse import Parse
from augcse.augmentations.english.article import replacement_edits
from augcse.augmentations.english.clause import RELATIVES
from augcse.augmentations.english.inflection import inflections, word_form
from augcse.augmentations.english.marks import QUOTES
from augcse.augmentations.english.name_words import in_name
from augcse.augmentations.text.edits import Edit, edited, match_case
from augcse.lexicon.base import Lexicon, Pos

POS_OF_UPOS: dict[str, Pos] = {"NOUN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}
_TAGS: dict[Pos, frozenset[str]] = {
    "n": frozenset({"NN", "NNS"}),
    "v": frozenset({"VB", "VBP", "VBZ", "VBD", "VBN", "VBG"}),
    "a": frozenset({"JJ", "JJR", "JJS"}),
    "r": frozenset({"RB"}),
}
_BASE_TAGS = frozenset({"NN", "VB", "VBP", "JJ", "RB"})
_GRADES = frozenset({"JJR", "JJS"})
_VOWELS = re.compile(r"[aeiouy]+")
_SYLLABIC_LE = re.compile(r"[^aeiouy]le$")
_JOINTS = frozenset("-–‑—/'’_&@.$+")
# How many words a listed expression may have.
_LONGEST_EXPRESSION = 4


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the parse that may be replaced: its token, its lemma, its part of speech and its form (Penn tag)."""

    index: int
    lemma: str
    pos: Pos
    tag: str


def free_words(parse: Parse, lexicon: Lexicon, wanted: Iterable[Pos]) -> Iterator[Word]:
    """Yield the words of the wanted parts of speech outside names and compounds; `in_expression` is slow and left to the rules."""
    wanted = frozenset(wanted)
    for index, upos in enumerate(parse.upos):
        pos = POS_OF_UPOS.get(upos)
        if pos in wanted and pos is not None and parse.tags[index] in _TAGS[pos] and _is_free(parse, index):
            lemma = _lemma(parse.word(index), pos, parse.tags[index], parse.lemmas[index].lower(), lexicon)
            if lemma is not None:
                yield Word(index, lemma, pos, parse.tags[index])


def in_expression(parse: Parse, word: Word, lexicon: Lexicon) -> bool:
    """Return whether the word is part of an expression that the lexicon lists as a whole: "high school", "take part"."""
    first = max(word.index - _LONGEST_EXPRESSION + 1, 0)
    lower = parse.words[first : word.index + _LONGEST_EXPRESSION]
    index = word.index - first
    return any(
        _is_listed(" ".join([*lower[start:index], form, *lower[index + 1 : end]]), lexicon)
        for form in {lower[index], word.lemma}
        for start in range(index + 1)
        for end in range(max(index + 1, start + 2), min(start + _LONGEST_EXPRESSION, len(lower)) + 1)
    )


@lru_cache(maxsize=100_000)
def _is_listed(expression: str, lexicon: Lexicon) -> bool:
    return bool(lexicon.synsets(expression))


def is_same_stem(first: str, second: str) -> bool:
    """Return whether one of two words is a derivation or another spelling of the other, by the letters they share.

    >>> is_same_stem("hand", "handwriting"), is_same_stem("forward", "forwards"), is_same_stem("ship", "shop")
    (True, True, False)
    """
    shorter = min(len(first), len(second))
    shared = next((index for index, (one, other) in enumerate(zip(first, second, strict=False)) if one != other), shorter)
    return first in second or second in first or shared >= max(4, 0.6 * shorter)


def replace_word(parse: Parse, word: Word, lemma: str) -> list[Edit]:
    """Return the edits that put `lemma` in the word's place, in its form and case, and adapt "a" or "an"; none if it has no such form."""
    form, index = inflect(lemma, word.tag), word.index
    return [] if form is None else replacement_edits(parse, index, index, form)


def as_listed(parse: Parse, parts: Mapping[str, Pos], listed: Callable[[str, Pos], Sequence[str]]) -> dict[int, Sequence[str]]:
    """Return, by index, the words listed for the lemma of each token whose universal part of speech is in `parts`.

    The published rules write one of them with `write_as_listed`, whatever the word means in its sentence, and do not inflect it.
    """
    tokens = ((index, parts[upos]) for index, upos in enumerate(parse.upos) if upos in parts)
    words = {index: listed(parse.lemmas[index].lower(), pos) for index, pos in tokens}
    return {index: others for index, others in words.items() if others}


def write_as_listed(parse: Parse, chosen: Mapping[int, str]) -> str | None:
    """Return the text with the words, in the same case but not inflected, in place of the tokens; None if there are none."""
    edits = [Edit(*parse.span(index), match_case(parse.tokens[index], word)) for index, word in chosen.items()]
    return edited(parse.text, edits)


@lru_cache(maxsize=20_000)
def inflect(lemma: str, tag: str) -> str | None:
    """Return the form of a lemma with a Penn tag; None if there is none. Of several words, the last before an "of" is inflected.

    >>> inflect("mouse", "NNS"), inflect("motor vehicle", "NNS"), inflect("body of water", "NNS"), inflect("difficult", "JJR")
    ('mice', 'motor vehicles', 'bodies of water', None)
    """
    head, of, complement = lemma.partition(" of ")
    if of:
        form = inflect(head, tag)
        return f"{form} of {complement}" if form else None
    modifiers, _, last = lemma.rpartition(" ")
    if tag in _GRADES and not _takes_degree_ending(lemma):
        return None
    if tag in _BASE_TAGS:
        return lemma
    form = word_form(last, tag)
    return f"{modifiers} {form}".strip() if form else None


def _takes_degree_ending(adjective: str) -> bool:
    """Return whether an adjective is compared with "-er" and "-est", not with "more" and "most".

    >>> _takes_degree_ending("wealthy"), _takes_degree_ending("affluent"), _takes_degree_ending("terrible")
    (True, False, False)
    """
    syllables = len(_VOWELS.findall(adjective.removesuffix("e")))
    has_short_ending = adjective.endswith(("y", "ow", "er", "et"))
    if _SYLLABIC_LE.search(adjective):  # "simple"
        syllables += 1
        has_short_ending = True
    return syllables < 2 or (syllables == 2 and has_short_ending)


def _is_free(parse: Parse, index: int) -> bool:
    """Return whether the token is a plain word outside names and hyphenated compounds."""
    start, end = parse.span(index)
    before, after = parse.text[max(start - 1, 0) : start], parse.text[end : end + 1]
    if before in _JOINTS or after in _JOINTS - {".", "'", "’", "—"}:
        return False
    if parse.tags[index] == "NNS" and parse.token(index - 1) in RELATIVES:  # a verb: "a shrine that houses the image"
        return False
    # A lower-case word after a quotation mark opens a title or a term.
    return not (before in QUOTES and parse.tokens[index].islower()) and not in_name(parse, index)


@lru_cache(maxsize=50_000)
def _lemma(form: str, pos: Pos, tag: str, guess: str, lexicon: Lexicon) -> str | None:
    """Return the lemma of a word: the parser's guess if the lexicon agrees, otherwise the lexicon's first that fits; None if none does.

    A comparative or superlative that is a form of no lemma is its own lemma: "more".
    """
    candidates = sorted(lexicon.lemmas(form, pos), key=lambda lemma: lemma != guess)
    default = form if tag in _GRADES else None
    return next((lemma for lemma in candidates if _has_form(lemma, tag, form)), default)


def _has_form(lemma: str, tag: str, form: str) -> bool:
    return lemma == form if tag in _BASE_TAGS else form in inflections(lemma, tag)
