"""The conditions of the word tables: what must, or must not, be around a word of a parse for its replacement to read well.

Beside the signs of text/conditions.py, these; an upper-case name in a list is a Penn tag (COMMA and STOP for "," and ".", EDGE for none):

    -to,NN     neither next word nor modified noun is one of these
    !game,set  none of these words is in the sentence    &ship      one of these words is in the sentence
    #NN,NNS    the word has one of these forms           @man,NNP   the adjective describes one of these, a noun or a subject
    obj        the verb has an object, or is passive     det        a singular noun has an article or the like
    attributive, predicative: the adjective is, is not before its noun
    person     the adjective describes a noun whose first meaning is a person
    in         the noun's phrase comes after "in"
    nominal    the word is a subject, an object or after a preposition
    conjunction  the word joins clauses or coordinates words
    written    it is no talk: not in a quotation, no contraction, nobody says "I" or "you"
"""

from __future__ import annotations

from collections.abc import Callable

from augcse.annotation.parse import Parse
from augcse.augmentations.english.marks import QUOTES
from augcse.augmentations.english.noun_kinds import first_kind
from augcse.augmentations.english.tags import NAMES, NOUNS
from augcse.augmentations.text.conditions import Classes, Tests

_DETERMINERS = frozenset({"DT", "PDT", "WDT", "PRP$", "WP$", "POS"})
_INSIDE_PHRASE = frozenset({"JJ", "JJR", "JJS", "CD", "VBN", "VBG", "RB", "HYPH"}) | NOUNS | NAMES
# What shows that somebody speaks, or is spoken to.
_TALK = frozenset("i me my we us our you your n't 't 'm 're 've 'll 'd".split())
_PUNCTUATION = {",": "COMMA", ".": "STOP"}
# Whether a word may be replaced in its position.
Condition = Callable[[Parse, int], bool]


def read_condition(text: str, classes: Classes | None = None) -> Condition:
    """Return the condition that a cell of a word table states; an empty cell always holds."""
    return _TESTS.read(text, classes or {})


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
    return in_compound or parse.tag(index + 1) in NOUNS


def is_beside_noun(parse: Parse, index: int) -> bool:
    """Return whether the noun is directly next to another common noun: together they often mean something else."""
    return is_compound_modifier(parse, index) or parse.tag(index - 1) in NOUNS


def _neighbour(parse: Parse, index: int) -> tuple[str, ...]:
    """Return the word at `index`, in lower case, and its tag; EDGE outside of the sentence."""
    if not 0 <= index < len(parse):
        return ("EDGE",)
    return parse.word(index), _PUNCTUATION.get(parse.tags[index], parse.tags[index])


def _has_object(parse: Parse, index: int) -> bool:
    """Return whether the verb has an object or is passive: "built a house", "was built", "houses built by hand"."""
    is_participle = parse.tags[index] == "VBN" and parse.has_label(index, "acl")
    return is_participle or bool(parse.children(index, "obj")) or any("pass" in parse.deps[child] for child in parse.children(index))


def _is_written(parse: Parse, index: int) -> bool:
    is_quoted = not QUOTES.isdisjoint(parse.words[:index]) and not QUOTES.isdisjoint(parse.words[index + 1 :])
    return not is_quoted and _TALK.isdisjoint(word.replace("’", "'") for word in parse.words)


def _is_attributive(parse: Parse, index: int) -> bool:
    return parse.has_label(index, "amod") and parse.heads[index] > index


def _described_nouns(parse: Parse, index: int) -> list[int]:
    """Return what an adjective may describe: the word it depends on, mostly a noun, and the subject; not that of the noun after it."""
    head = parse.heads[index]
    subjects = parse.children(index, "nsubj")
    return [head, *subjects] if _is_attributive(parse, index) else [head, *subjects, *parse.children(head, "nsubj")]


def _described(parse: Parse, index: int) -> list[str]:
    """Return the lemma, form and tag of what an adjective may describe."""
    return [name for noun in _described_nouns(parse, index) for name in (parse.lemmas[noun].lower(), parse.word(noun), parse.tags[noun])]


def _next_or_modified(parse: Parse, index: int) -> list[str]:
    """Return the next word and the noun that it modifies, each with its tag."""
    return [*_neighbour(parse, index + 1), *(_described(parse, index) if _is_attributive(parse, index) else ())]


def _follows_in(parse: Parse, index: int) -> bool:
    outside = (before for before in range(index - 1, -1, -1) if parse.tags[before] not in _INSIDE_PHRASE | _DETERMINERS)
    return parse.word(next(outside, -1)) == "in"


_TESTS: Tests[[Parse, int]] = Tests(
    named={
        "obj": _has_object,
        "det": lambda parse, index: parse.tags[index] != "NN" or determiner(parse, index) is not None,
        "in": _follows_in,
        "nominal": lambda parse, index: parse.has_label(index, "nsubj", "obj", "iobj", "obl", "nmod"),
        "conjunction": lambda parse, index: parse.has_label(index, "mark", "cc"),
        "written": _is_written,
        "attributive": _is_attributive,
        "predicative": lambda parse, index: not _is_attributive(parse, index),
        "person": lambda parse, index: any(first_kind(parse.word(noun)) == "noun.person" for noun in _described_nouns(parse, index)),
    },
    one_of={
        "+": lambda parse, index: _neighbour(parse, index + 1),
        "<+": lambda parse, index: _neighbour(parse, index - 1),
        "&": lambda parse, _: parse.words,
        "@": _described,
        "#": lambda parse, index: (parse.tags[index],),
    },
    none_of={"-": _next_or_modified, "<-": lambda parse, index: _neighbour(parse, index - 1), "!": lambda parse, _: parse.words},
)
