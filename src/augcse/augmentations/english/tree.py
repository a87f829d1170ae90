"""Phrases of a parse: where they begin and end, their number, the case of their pronouns, the form of the verb they take."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from augcse.annotation.parse import Parse
from augcse.augmentations.english.capitals import opening_case
from augcse.augmentations.english.inflection import verb_form, verb_lemma
from augcse.augmentations.text.edits import capitalise, match_case

SUBJECT_FORM = {"me": "I", "him": "he", "her": "she", "us": "we", "them": "they"}
OBJECT_FORM = {subject.lower(): other for other, subject in SUBJECT_FORM.items()}
FINITE_TAGS = frozenset({"VBD", "VBZ", "VBP", "MD"})
_BE = {"am": "present", "is": "present", "are": "present", "was": "past", "were": "past"}
_SINGULAR = frozenset(
    "he she it him her this that one each everyone everybody everything someone somebody something anyone anybody anything"
    " nobody nothing another mathematics physics politics economics statistics news".split()
)
_PLURAL = frozenset("i me we us you they them these those both many several few people police".split())
_EITHER_NUMBER = frozenset("media data staff series species headquarters means".split())
_QUANTITIES = frozenset(
    "number lot majority minority all some most half third quarter rest couple handful variety range part plenty percent % total".split()
)
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
        """Tell whether the subtree is one stretch of text."""
        return self.last(index) - self.first(index) + 1 == self._stretches[2][index]


def is_finite(tree: Tree, index: int) -> bool:
    """Tell whether a verb word is finite; a participle with an active subject and no auxiliary is a past tense the tagger took it for."""
    parse = tree.parse
    if parse.tags[index] != "VBN":
        return parse.tags[index] in FINITE_TAGS
    subjects = [place for place in tree.children(index, "nsubj") if place < index]
    return bool(subjects) and parse.deps[subjects[-1]] == "nsubj" and not tree.children(index, "aux", "cop")


def is_balanced(text: str) -> bool:
    """Tell whether brackets and quotes come in pairs.

    >>> is_balanced('the (old) "man"'), is_balanced("man)")
    (True, False)
    """
    return text.count('"') % 2 == 0 and all(text.count(opening) == text.count(closing) for opening, closing in _PAIRS)


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


def is_plural(tree: Tree, index: int) -> bool | None:
    """Tell whether the noun phrase headed by `index` takes a plural verb; None if that cannot be told."""
    parse = tree.parse
    word, tag = parse.tokens[index].lower(), parse.tags[index]
    conjuncts = tree.children(index, "conj")
    if conjuncts:
        joints = [parse.tokens[place].lower() for joint in (*conjuncts, index) for place in tree.children(joint, "cc")]
        return True if {"and", "&"} & set(joints) else None
    if word in _EITHER_NUMBER:
        return None
    if word in _QUANTITIES:
        determiners = {parse.tokens[place].lower() for place in tree.children(index, "det")}
        after = [parse.tags[place] for place in tree.children(index, "nmod")]
        return False if "the" in determiners or not after else after[0] in ("NNS", "NNPS")
    if word in _SINGULAR or word in _PLURAL:
        return word in _PLURAL
    named = parse.tokens[index][0].isupper() and parse.tokens[tree.first(index)].lower() in ("the", "by")
    if tag == "NNPS" or (named and re.search("[^s]s$|men$", word) and tree.first(index) < index):
        return None  # "the Bengals are", "the United States is"
    return tag in ("NNS", "NNPS") if tag.startswith("NN") else None


def agreeing_form(parse: Parse, index: int, plural: bool | None, first_person: bool = False) -> str | None:
    """Return the finite word `index` as a subject of that number takes it; None if that cannot be told."""
    word = parse.tokens[index].lower()
    tag = parse.tags[index]
    if word[0] in "'’":
        return None
    if word in _BE:
        return None if plural is None else match_case(parse.tokens[index], _be(_BE[word], plural, first_person))
    if tag not in ("VBZ", "VBP"):
        return parse.tokens[index]
    if plural is None:
        return None
    lemma = verb_lemma(word, tag, parse.lemmas[index]) if word not in ("has", "does") else word[:2].replace("ha", "have")
    if lemma is None:
        # "sank" that the tagger took for a present has one form for both numbers.
        return parse.tokens[index] if verb_lemma(word, "VBD", parse.lemmas[index]) else None
    form = verb_form(lemma, "VB" if plural else "VBZ")
    return None if form is None else match_case(parse.tokens[index], form)


def agrees(tree: Tree, subject: int, finite: int) -> bool:
    """Tell whether the verb has the number of the subject the parser gave it; True where that cannot be told.

    One that has not is a subject the parser found wrongly, and the rules leave such a sentence alone.
    """
    word = tree.parse.tokens[finite].lower()
    plural = is_plural(tree, subject)
    if plural is None or tree.parse.deps[subject].startswith("expl") or tree.parse.tokens[subject].lower() in ("i", "you", "who", "that"):
        return True
    if word in _BE:
        return word in (("are", "were") if plural else ("is", "was"))
    return tree.parse.tags[finite] != ("VBZ" if plural else "VBP")


def _be(tense: str, plural: bool, first_person: bool) -> str:
    if first_person:
        return "am" if tense == "present" else "was"
    present, past = ("are", "were") if plural else ("is", "was")
    return present if tense == "present" else past


def recased(parse: Parse, pronouns: Iterable[int], forms: dict[str, str]) -> list[tuple[int, str]]:
    """Return (token, new form) for the personal pronouns that change with the case."""
    found = []
    for index in pronouns:
        new = forms.get(parse.tokens[index].lower()) if parse.tags[index] == "PRP" else None
        if new:
            found.append((index, new))
    return found


def slice_text(parse: Parse, first: int, last: int, replacements: Sequence[tuple[int, str]] = ()) -> str:
    """Return the text from token `first` to token `last`, with some tokens replaced."""
    pieces, position = [], parse.starts[first]
    for index, new in sorted(replacements):
        pieces += [parse.text[position : parse.starts[index]], new]
        position = parse.end(index)
    return "".join([*pieces, parse.text[position : parse.end(last)]])
