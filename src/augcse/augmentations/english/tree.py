"""The tree of a parse: subtrees, which verbs are finite, and the text of a stretch of tokens."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from augcse.annotation.parse import Parse
from augcse.augmentations.english.capitals import opening_case
from augcse.augmentations.text.edits import capitalise

FINITE_TAGS = frozenset({"VBD", "VBZ", "VBP", "MD"})
_WORD = re.compile(r"\w")
_PAIRS = (("(", ")"), ("[", "]"), ("“", "”"), ("«", "»"))


@dataclass(frozen=True)
class Tree:
    """The dependents of each word and the stretch of each subtree, computed once in linear time."""

    parse: Parse

    @cached_property
    def dependents(self) -> list[list[int]]:
        """The direct dependents of each word, in text order."""
        found: list[list[int]] = [[] for _ in self.parse.tokens]
        for index, head in enumerate(self.parse.heads):
            if head != index:
                found[head].append(index)
        return found

    @cached_property
    def order(self) -> list[int]:
        """Every word after its head."""
        order = self.parse.roots()
        for index in order:
            order.extend(self.dependents[index])
        return order

    @cached_property
    def _stretches(self) -> tuple[list[int], list[int], list[int]]:
        count = len(self.parse)
        first, last, size = list(range(count)), list(range(count)), [1] * count
        for index in reversed(self.order):
            head = self.parse.heads[index]
            if head != index:
                first[head], last[head] = min(first[head], first[index]), max(last[head], last[index])
                size[head] += size[index]
        return first, last, size

    def children(self, index: int, *labels: str) -> list[int]:
        """Return the dependents with one of `labels`, as `Parse.children` does."""
        below = self.dependents[index]
        if not below or not labels:
            return below[:]
        deps = self.parse.deps
        return [child for child in below if deps[child] in labels or deps[child].partition(":")[0] in labels]

    def first(self, index: int) -> int:
        """Return the first word of the subtree."""
        return self._stretches[0][index]

    def last(self, index: int) -> int:
        """Return the last word of the subtree."""
        return self._stretches[1][index]

    def is_contiguous(self, index: int) -> bool:
        """Return whether the subtree is one stretch of text."""
        return self.last(index) - self.first(index) + 1 == self._stretches[2][index]


def is_finite(tree: Tree, index: int) -> bool:
    """Return whether a verb word is finite; a participle with an active subject and no auxiliary is a past tense the tagger took it for."""
    parse = tree.parse
    if parse.tags[index] != "VBN":
        return parse.tags[index] in FINITE_TAGS
    subjects = [child for child in tree.children(index, "nsubj") if child < index]
    return bool(subjects) and parse.deps[subjects[-1]] == "nsubj" and not tree.children(index, "aux", "cop")


def is_balanced(text: str) -> bool:
    """Return whether brackets and quotes come in pairs.

    >>> is_balanced('the (old) "man"'), is_balanced("man)")
    (True, False)
    """
    return text.count('"') % 2 == 0 and all(text.count(opening) == text.count(closing) for opening, closing in _PAIRS)


def opens_sentence(parse: Parse, index: int) -> bool:
    """Return whether the token is the first of a sentence, opening marks aside."""
    if index > 0 and parse.tokens[index - 1] in _OPENING:
        return parse.tokens[index][0].isupper()
    before = parse.tokens[max(0, index - 1) : index]
    return not before or before[-1] in (".", "!", "?", ":")


def lower_first(parse: Parse, index: int, text: str) -> str:
    """Take the capital from the first letter of `text`, which token `index` begins, if it stood there for the sentence's sake."""
    return text[0].lower() + text[1:] if text[:1].isupper() and opening_case(parse, index) == "lower" else text


def raise_first(text: str, like: str) -> str:
    """Capitalise `text` if `like` begins with a capital."""
    return capitalise(text) if next(filter(str.isalnum, like), "").isupper() else text


def words_only(parse: Parse, first: int, last: int) -> tuple[int, int] | None:
    """Shrink a stretch of tokens until commas and dashes are gone from both ends; None if nothing stays."""
    while first <= last and not _WORD.search(parse.tokens[last]) and parse.tokens[last] not in _CLOSING:
        last -= 1
    while first <= last and not _WORD.search(parse.tokens[first]) and parse.tokens[first] not in _OPENING:
        first += 1
    return (first, last) if first <= last else None


_CLOSING = frozenset({")", "]", "”", '"', "''", "'", "’", "»", "%", "°"})
_OPENING = frozenset({"(", "[", "“", '"', "``", "'", "‘", "«", "$", "£", "€", "#"})


def slice_text(parse: Parse, first: int, last: int, replacements: Sequence[tuple[int, str]] = ()) -> str:
    """Return the text from token `first` to token `last`, with some tokens replaced."""
    pieces, position = [], parse.starts[first]
    for index, new in sorted(replacements):
        pieces += [parse.text[position : parse.starts[index]], new]
        position = parse.end(index)
    return "".join([*pieces, parse.text[position : parse.end(last)]])
