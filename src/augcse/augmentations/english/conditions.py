"""The conditions of the word tables: what must, or must not, be around a word for its replacement to read well.

A condition is written as tests with spaces between them, all of which must hold; lists have commas. In a list of
neighbours, an upper-case name means a Penn tag (COMMA and STOP for "," and ".", EDGE for none):

    -to,NN     neither next word nor modified noun is one    +to        the next word is one of these
    <-more     the word before is none of these          <+the      the word before is one of these
    !game,set  none of these words is in the sentence    &ship      one of these words is in the sentence
    #NN,NNS    the word has one of these forms           @man,NNP   the adjective describes one of these, a noun or a subject
    obj        the verb has an object, or is passive     det        a singular noun has an article or the like
    attributive, predicative: the adjective is, is not before its noun
    person     the adjective describes a noun whose first meaning is a person
    in         the noun's phrase comes after "in"
    nominal    the word is a subject, an object or after a preposition
    conjunction  the word joins clauses or coordinates words

"!" and "&" look at the whole sentence; in the conditions of string rules (text/around.py), at three words before and seven after.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from augcse.annotation.parse import Parse
from augcse.augmentations.english.noun_kinds import first_kind

_DETERMINERS = frozenset({"DT", "PDT", "WDT", "PRP$", "WP$", "POS"})
_INSIDE_PHRASE = frozenset({"JJ", "JJR", "JJS", "NN", "NNS", "NNP", "NNPS", "CD", "VBN", "VBG", "RB", "HYPH"})
_PUNCTUATION = {",": "COMMA", ".": "STOP"}
_COMMON_NOUNS = ("NN", "NNS")
# Whether a word may be replaced in its position.
Condition = Callable[[Parse, int], bool]


def read_condition(text: str, classes: Mapping[str, Sequence[str]] | None = None) -> Condition:
    """Return the condition that a cell of a word table states; an empty cell always holds. A class's name means all its words."""
    tests = [_test(part, classes or {}) for part in text.split()]
    return lambda parse, index: all(test(parse, index) for test in tests)


def _test(text: str, classes: Mapping[str, Sequence[str]]) -> Condition:
    if text in _NAMED:
        return _NAMED[text]
    sign = text[:2] if text.startswith("<") else text[:1]
    names = frozenset(word for name in text.removeprefix(sign).split(",") for word in classes.get(name, [name]))
    if sign not in _SIGNS:
        raise ValueError(f"unknown condition: {text}")
    holds = _SIGNS[sign]
    return lambda parse, index: holds(parse, index, names)


def determiner(parse: Parse, index: int) -> str | None:
    """Return the article or possessive that opens the noun's phrase, in lower case, or None."""
    for before in range(index - 1, -1, -1):
        if parse.tags[before] in _DETERMINERS or parse.word(before) == "one":
            return parse.word(before)
        if parse.tags[before] not in _INSIDE_PHRASE:
            break
    return None


def is_compound_modifier(parse: Parse, index: int) -> bool:
    """Return whether the noun comes directly before another common noun, or is part of a compound that it does not head."""
    in_compound = parse.has_label(index, "compound") and parse.heads[index] != index
    return in_compound or parse.tag(index + 1) in _COMMON_NOUNS


def is_beside_noun(parse: Parse, index: int) -> bool:
    """Return whether the noun is directly next to another common noun: together they often mean something else."""
    return is_compound_modifier(parse, index) or parse.tag(index - 1) in _COMMON_NOUNS


def _neighbour(parse: Parse, index: int) -> frozenset[str]:
    """Return the word at `index`, in lower case, and its tag; EDGE outside of the sentence."""
    if not 0 <= index < len(parse):
        return frozenset({"EDGE"})
    return frozenset({parse.word(index), _PUNCTUATION.get(parse.tags[index], parse.tags[index])})


def _has_object(parse: Parse, index: int) -> bool:
    """Return whether the verb has an object or is passive: "built a house", "was built", "houses built by hand"."""
    is_participle = parse.tags[index] == "VBN" and parse.has_label(index, "acl")
    return is_participle or bool(parse.children(index, "obj")) or any("pass" in parse.deps[child] for child in parse.children(index))


def _is_attributive(parse: Parse, index: int) -> bool:
    return parse.has_label(index, "amod") and parse.heads[index] > index


def _described_nouns(parse: Parse, index: int) -> list[int]:
    """Return the nouns that an adjective may describe: the noun after it or the subject."""
    head = parse.heads[index]
    subjects = parse.children(index, "nsubj")
    return [head, *subjects] if _is_attributive(parse, index) else [head, *subjects, *parse.children(head, "nsubj")]


def _describes(parse: Parse, index: int, names: frozenset[str]) -> bool:
    nouns = _described_nouns(parse, index)
    return any(not names.isdisjoint((parse.lemmas[noun].lower(), parse.word(noun), parse.tags[noun])) for noun in nouns)


def _follows_in(parse: Parse, index: int) -> bool:
    outside = (before for before in range(index - 1, -1, -1) if parse.tags[before] not in _INSIDE_PHRASE | _DETERMINERS)
    return parse.word(next(outside, -1)) == "in"


_NAMED: dict[str, Condition] = {
    "obj": _has_object,
    "det": lambda parse, index: parse.tags[index] != "NN" or determiner(parse, index) is not None,
    "in": _follows_in,
    "nominal": lambda parse, index: parse.has_label(index, "nsubj", "obj", "iobj", "obl", "nmod"),
    "conjunction": lambda parse, index: parse.has_label(index, "mark", "cc"),
    "attributive": _is_attributive,
    "predicative": lambda parse, index: not _is_attributive(parse, index),
    "person": lambda parse, index: any(first_kind(parse.word(noun)) == "noun.person" for noun in _described_nouns(parse, index)),
}
_SIGNS: dict[str, Callable[[Parse, int, frozenset[str]], bool]] = {
    "-": lambda parse, index, names: (
        not (names & _neighbour(parse, index + 1) or (_is_attributive(parse, index) and _describes(parse, index, names)))
    ),
    "+": lambda parse, index, names: bool(names & _neighbour(parse, index + 1)),
    "<-": lambda parse, index, names: not names & _neighbour(parse, index - 1),
    "<+": lambda parse, index, names: bool(names & _neighbour(parse, index - 1)),
    "!": lambda parse, index, names: not parse.indices_of(*names),
    "&": lambda parse, index, names: bool(parse.indices_of(*names)),
    "@": _describes,
    "#": lambda parse, index, names: parse.tags[index] in names,
}
