"""Which words around the head of a noun phrase make one word with it: those of a name, a number, a term of the dictionary."""

from __future__ import annotations

import re
from functools import lru_cache

from augcse.annotation.parse import Parse
from augcse.augmentations.english.capitals import opening_case

_NAME_TAGS = frozenset({"NNP", "NNPS"})
# Small words inside of names: "Félix da Costa", "House of Lords".
_PARTICLES = frozenset("da de di do dos das del della degli der den des du la le van von zu ibn bin al el ter ten y e of the".split())
_LINKS = frozenset({"&", "'s", "’s", "'", "’", "-", "–", "/", "."})
_FUNCTION_TAGS = frozenset({"DT", "PDT", "PRP", "PRP$", "IN", "CC", "RB", "TO", "EX", "WDT", "WP", "WRB", "MD", "CD", "UH", "RBR", "RBS"})
MONTHS = frozenset(
    "january february march april may june july august september october november december sept monday tuesday wednesday thursday"
    " friday saturday sunday".split()
)
_BEFORE_NUMBER = frozenset({"DT", "PRP$", "IN", "VBD", "VBZ", "VBP", "VB", "VBG", "VBN", "RB", "EX", "TO", "POS", ","})
_APPROXIMATE = frozenset("than least most about nearly over around approximately almost between up under below circa and or".split())
# Adjectives after their noun: "consulate general".
_POSTPOSED = frozenset("general elect designate emeritus laureate martial apparent".split())
# Adjectives that make no term of the nouns they stand before, though a dictionary lists some: "small town", "large number".
_PLAIN_ADJECTIVES = frozenset(
    "small large big old young new great good bad high low long short little wide early late full own same whole strong heavy hard".split()
)
_HYPHEN = re.compile(r"[-–/]")


def noun_span(parse: Parse, head: int) -> tuple[int, int]:
    """Return the first and the last word of the name, number and noun, or term that `head` is the head of."""
    first, last = _name_span(parse, head) if is_named(parse, head) else (head, head)
    if last == head and head + 1 < len(parse) and parse.tags[head + 1] == "CD" and parse.heads[head + 1] == head:
        last = head + 1
    if first == last == head and _is_species(parse, head):
        first = _name_end(parse, head, -1)
    if first == last == head and parse.tokens[head + 1 : head + 2] == ("of",) and head + 2 < len(parse):
        last = head + 2 * _is_term(parse.text[parse.starts[head] : parse.end(head + 2)].lower())  # "point of view"
    if first == last == head:
        first = _first_of_term(parse, head)
    if first == last == head and parse.tags[head] == "CD" and head > 0 and parse.tags[head - 1] == "NNP":
        first -= 1  # "August 12"
    if parse.tags[head] == "CD":
        first, last = _date_span(parse, first, last)
    first = _first_of_number(parse, first, head)
    return over_hyphens(parse, first, last)


def is_named(parse: Parse, head: int) -> bool:
    """Tell whether a noun is a name: by its tag, by its capital amid the sentence, or as the first of several words of one."""
    if parse.tags[head] in _NAME_TAGS:
        return True
    if parse.deps[head + 1 : head + 2] == ("flat",) and parse.heads[head + 1] == head:
        return parse.tokens[head][0].isupper()
    return head > 0 and parse.tokens[head][0].isupper() and parse.tags[head] not in _FUNCTION_TAGS


def _name_span(parse: Parse, head: int) -> tuple[int, int]:
    """Return the bounds of the capitalised words around a word of a name, with the small words between and a number after.

    The parser hangs names on their first, their last or any word, and cuts many; their capitals are surer.
    """
    first, last = _name_end(parse, head, -1), _name_end(parse, head, 1)
    last = _name_end(parse, _over_purpose(parse, first, last), 1)
    if last + 1 < len(parse) and parse.tags[last + 1] == "CD" and parse.heads[last + 1] in range(first, last + 1):
        last += 1
    return first, last


def _name_end(parse: Parse, place: int, step: int) -> int:
    """Return the last word of the name in the direction of `step`."""
    while True:
        following = place + step
        while _is_inside(parse, following, place):
            following += step
        if not _is_name_word(parse, following):
            return place
        place = following


def _is_inside(parse: Parse, place: int, after: int) -> bool:
    """Tell whether the word can stand between two words of a name: a small word, a sign, a number, the second half of "Info-link"."""
    if not 0 < place < len(parse) or abs(place - after) > 2:
        return False
    token = parse.tokens[place]
    if token in _PARTICLES:
        return not (place < after and parse.heads[place] == after and parse.deps[place] == "case")
    if parse.tags[place] == "CD":
        return len(token) < 4 and not {parse.tokens[place - 1].lower(), parse.tokens[after].lower()} & MONTHS
    if token in _LINKS and (token not in ("'", "’") or parse.tags[place] == "POS"):
        return token != "." or parse.end(place - 1) == parse.starts[place]
    return bool(_HYPHEN.fullmatch(parse.tokens[place - 1])) and parse.end(place - 1) == parse.starts[place]


def _over_purpose(parse: Parse, first: int, last: int) -> int:
    """Return the first word of a name after "for" that goes on with the name: "Party for the Independence of Cape Verde"."""
    if parse.tokens[last + 1 : last + 2] != ("for",):
        return last
    whole = parse.heads[last + 1]
    following = last + 2 + (parse.tokens[last + 2 : last + 3] == ("the",))
    goes_on = parse.heads[whole] in range(first, last + 1) and following <= whole and parse.tokens[following][0].isupper()
    return following if goes_on else last


def _is_name_word(parse: Parse, place: int) -> bool:
    if not 0 <= place < len(parse) or not parse.tokens[place][0].isupper() or parse.tokens[place] == "I":
        return False
    if place > 0:
        return True
    if parse.tags[0] in _NAME_TAGS:
        return True
    return parse.tags[0] not in _FUNCTION_TAGS or opening_case(parse, 0) == "keep"


def _date_span(parse: Parse, first: int, last: int) -> tuple[int, int]:
    """Return the span of a date of which `first` to `last` is the day: "6 February 2016", "August 12"."""
    if last + 1 < len(parse) and parse.tokens[last + 1].lower() in MONTHS:
        last += 1
        year = parse.tokens[last + 1] if last + 1 < len(parse) else ""
        last += len(year) == 4 and year.isdigit()
    return first, last


def _first_of_number(parse: Parse, first: int, head: int) -> int:
    """Return the first word of the number that stands right before the noun and counts it: "54 ships", "932 million years"."""
    start = first
    while start > 0 and parse.tags[start - 1] == "CD" and (parse.heads[start - 1] == head or start < first):
        start -= 1
    if start == first or (start > 0 and (parse.tags[start - 1] not in _BEFORE_NUMBER or parse.tokens[start - 1].lower() in _APPROXIMATE)):
        return first
    return start


def _first_of_term(parse: Parse, head: int) -> int:
    """Return the first word of a term that the dictionary lists as one: "heart attack", "ice age"."""
    if parse.tokens[head] in _POSTPOSED and head > 0 and parse.tags[head - 1] in ("NN", "NNS"):
        return head - 1
    for length in (2, 1):
        first = head - length
        if first < 0 or any(parse.deps[place] not in ("compound", "amod") for place in range(first, head)):
            continue
        if parse.tokens[first].lower() in _PLAIN_ADJECTIVES:
            continue
        words = parse.text[parse.starts[first] : parse.end(head)]
        if first > 0 and parse.deps[first - 1] in ("compound", "amod") and parse.heads[first - 1] in range(first, head):
            continue
        if any(word[0].isupper() for word in parse.tokens[max(1, first) : head + 1]):
            continue
        if words.replace(" ", "").isalpha() and _is_term(words.lower()):
            return first
    return head


def _is_species(parse: Parse, head: int) -> bool:
    """Tell whether a word that no dictionary has stands in small letters after a capital: "Cattleya mossiae"."""
    if head == 0 or not parse.tokens[head - 1][0].isupper() or parse.tags[head - 1] in _FUNCTION_TAGS:
        return False
    return parse.tokens[head].isalpha() and not _is_term(parse.tokens[head].lower())


@lru_cache(maxsize=20_000)
def _is_term(words: str) -> bool:
    from augcse.lexicon.open import bundled_lexicon

    lexicon = bundled_lexicon()
    return bool(lexicon.lemmas(words, "n")) or (" " in words and bool(lexicon.lemmas(words.replace(" ", "-"), "n")))


def over_hyphens(parse: Parse, first: int, last: int) -> tuple[int, int]:
    """Return a span of tokens widened over hyphens: "on" in "add-on" is no word."""
    while first > 1 and _is_glued(parse, first - 1):
        first -= 2
    while last + 2 < len(parse) and _is_glued(parse, last + 1):
        last += 2
    return first, last


def _is_glued(parse: Parse, hyphen: int) -> bool:
    """Tell whether a token is a hyphen with no blank around it."""
    together = parse.end(hyphen - 1) == parse.starts[hyphen] and parse.end(hyphen) == parse.starts[hyphen + 1]
    return together and bool(_HYPHEN.fullmatch(parse.tokens[hyphen]))


def chunk_start(parse: Parse, place: int) -> int:
    """Return the first word of the plain noun phrase that goes up to `place`, by the tags alone."""
    last = place
    while place > 0 and parse.tags[last] not in ("PRP", "EX") and _goes_before_noun(parse, place - 1):
        if parse.tags[place - 1] == "CD" and parse.heads[place - 1] not in range(place - 1, last + 1):
            break  # "in 1990 Duma left"
        place -= 1
        if parse.tags[place] in ("DT", "PRP$", "PDT"):
            break
    return place


def _goes_before_noun(parse: Parse, place: int) -> bool:
    tag = parse.tags[place]
    if tag in ("VBG", "VBN", "RB", "RBR", "RBS"):
        return parse.deps[place] in ("amod", "compound", "advmod") and parse.heads[place] > place
    if tag in ("CC", ",") and place > 0:
        return parse.tags[place - 1].startswith("JJ") and parse.tags[place + 1].startswith("JJ") and parse.tokens[place + 1] != "other"
    return tag in _CHUNK_TAGS or tag in ("DT", "PRP$", "PDT")


def chunk_end(parse: Parse, place: int) -> int:
    """Return the last word of the plain noun phrase that begins at `place`, by the tags alone."""
    last = place
    while last + 1 < len(parse):
        tag = parse.tags[last + 1]
        slash = parse.tokens[last + 1] == "/" and parse.end(last) == parse.starts[last + 1]
        coordinated = slash or (tag in ("CC", ",") and parse.tags[last].startswith("JJ") and parse.tags[last + 2 : last + 3] == ("JJ",))
        participle = tag in ("VBG", "VBN") and parse.deps[last + 1] in ("amod", "compound") and not parse.tags[last].startswith("NN")
        predeterminer = last == place and parse.tags[last] in ("PDT", "DT", "RB", "CC") and tag in ("DT", "PRP$")
        adverb = tag in ("RB", "RBR", "RBS") and parse.tags[last + 2 : last + 3] in (("JJ",), ("VBN",), ("CD",))
        if not (tag in _CHUNK_TAGS or coordinated or participle or predeterminer or (adverb and parse.tags[last] in ("DT", "PRP$"))):
            break
        last += 1
    while last > place and parse.tags[last] in ("VBG", "VBN", "RB", "RBR", "RBS", "CC", ","):
        last -= 1
    return last


_CHUNK_TAGS = frozenset({"JJ", "JJR", "JJS", "CD", "NN", "NNS", "NNP", "NNPS", "POS", "HYPH", "AFX", "$", "SYM"})
