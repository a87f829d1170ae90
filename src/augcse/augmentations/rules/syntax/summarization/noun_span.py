"""Which words around the head of a noun phrase make one word with it: those of a name, a number, a date, a term of the dictionary."""

from __future__ import annotations

from functools import lru_cache

from augcse.annotation.parse import Parse
from augcse.augmentations.english.capitals import opening_case
from augcse.lexicon.open import bundled_lexicon

_NAME_TAGS = frozenset({"NNP", "NNPS"})
# Small words and signs inside of names: "Félix da Costa", "House of Lords", "St Brendan's GAA".
_INSIDE_NAMES = frozenset(
    "for da de di do dos das del della des du la le van von zu ibn bin al el ter ten y e of the & 's ’s ' ’ - – / .".split()
)
_NO_NAME_TAGS = frozenset({"DT", "PDT", "PRP", "PRP$", "IN", "CC", "RB", "TO", "EX", "WDT", "WP", "WRB", "MD", "CD", "UH"})
_HYPHENS = frozenset({"-", "–", "/"})
# Adjectives that make no term of the nouns they stand before, though a dictionary lists some: "small town".
_PLAIN_ADJECTIVES = frozenset("small large big old young great good bad high low long short little wide early late full own".split())


def noun_span(parse: Parse, head: int) -> tuple[int, int]:
    """Return the first and the last word of the name, number and noun, or term that `head` is the head of."""
    first = last = head
    if is_named(parse, head):
        first, last = _name_end(parse, head, -1), _name_end(parse, head, 1)
    elif _is_word(parse, head - 1, head) and parse.tags[head - 1] not in _NO_NAME_TAGS and _is_term_or_name(parse, head - 1, head):
        first = head - 1
    elif parse.tokens[head + 1 : head + 2] == ("of",) and head + 2 < len(parse) and _is_term(_words(parse, head, head + 2)):
        last = head + 2
    while _is_part(parse, last + 1, first, last):
        last += 1
    if first == head > 0 and parse.tags[head] == "CD" and parse.tags[head - 1] == "NNP":
        first -= 1  # "August 12"
    return over_hyphens(parse, _first_of_number(parse, first, last), last)


def is_named(parse: Parse, head: int) -> bool:
    """Tell whether a noun is a name: by its tag, or by its capital amid the sentence."""
    if parse.tags[head] in _NAME_TAGS:
        return True
    return head > 0 and parse.tokens[head][0].isupper() and parse.tags[head] not in _NO_NAME_TAGS


def over_hyphens(parse: Parse, first: int, last: int) -> tuple[int, int]:
    """Return a span of tokens widened over hyphens: "on" in "add-on" is no word."""
    while first > 1 and _is_glued(parse, first - 1):
        first -= 2
    while last + 2 < len(parse) and _is_glued(parse, last + 1):
        last += 2
    return first, last


def _first_of_number(parse: Parse, first: int, last: int) -> int:
    """Return the first word of the number that stands right before the noun and counts it; not of "three top ten hits"."""
    start = first
    while start > 0 and parse.tags[start - 1] == "CD" and parse.heads[start - 1] in range(start, last + 1):
        start -= 1
    return first if start > 0 and parse.tags[start - 1].startswith(("JJ", "NN")) else start


def _is_part(parse: Parse, place: int, first: int, last: int) -> bool:
    """Tell whether the next word belongs to a name, number or date: "Highway 97", "6 February 2016"."""
    if place >= len(parse) or parse.heads[place] not in range(first, last + 1):
        return False
    return parse.has_label(place, "flat", "goeswith") or (
        parse.tags[place] in ("CD", "NNP") and parse.has_label(place, "nummod", "nmod:unmarked", "nmod")
    )


def _name_end(parse: Parse, place: int, step: int) -> int:
    """Return the last word of a name in the direction of `step`: capitals are surer than the parser's labels."""
    while True:
        following = place + step
        while abs(following - place) < 3 and _is_inside_name(parse, following, place):
            following += step
        if not _is_name_word(parse, following):
            return place
        place = following


def _is_inside_name(parse: Parse, place: int, after: int) -> bool:
    """Tell whether the word can stand between two words of a name; not the "of" that the name hangs on."""
    if not 0 < place < len(parse):
        return False
    if parse.tokens[place - 1] in _HYPHENS or (parse.tags[place] == "CD" and len(parse.tokens[place]) < 4):
        return place > 1 and (parse.tags[place] == "CD" or _is_glued(parse, place - 1))
    if parse.tokens[place] not in _INSIDE_NAMES:
        return False
    if parse.tokens[place] == ".":
        return parse.end(place - 1) == parse.starts[place] and len(parse.tokens[place - 1]) < 4
    return not (place < after and parse.heads[place] == after and parse.deps[place] == "case")


def _is_name_word(parse: Parse, place: int) -> bool:
    if not 0 <= place < len(parse) or not parse.tokens[place][0].isupper() or parse.tokens[place] == "I":
        return False
    return place > 0 or parse.tags[0] in _NAME_TAGS or (parse.tags[0] not in _NO_NAME_TAGS and opening_case(parse, 0) == "keep")


def _is_word(parse: Parse, place: int, head: int) -> bool:
    if place > 0 and parse.tokens[place][0].isupper() and parse.heads[place] == head and parse.tags[place] == "NNP":
        return True  # "ISIL counterattack"
    plain = parse.tokens[place].lower() not in _PLAIN_ADJECTIVES
    return place >= 0 and plain and parse.heads[place] == head and parse.has_label(place, "compound", "amod")


def _is_term_or_name(parse: Parse, first: int, head: int) -> bool:
    return (first > 0 and parse.tags[first] == "NNP") or _is_term(_words(parse, first, head))


def _words(parse: Parse, first: int, last: int) -> str:
    return parse.text[parse.starts[first] : parse.end(last)].lower()


@lru_cache(maxsize=20_000)
def _is_term(words: str) -> bool:
    return bool(bundled_lexicon().lemmas(words, "n"))


def _is_glued(parse: Parse, hyphen: int) -> bool:
    together = parse.end(hyphen - 1) == parse.starts[hyphen] and parse.end(hyphen) == parse.starts[hyphen + 1]
    return together and parse.tokens[hyphen] in _HYPHENS
