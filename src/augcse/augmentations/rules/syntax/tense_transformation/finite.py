"""The finite verbs of a sentence and their tenses, and the sentences that cannot be converted."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.english.clause import (
    FINITE_TAGS,
    SUBJECTS,
    VERB_WORDS,
    has_auxiliary_before,
    missed_present,
    question_tag,
    verb_tag,
)
from augcse.augmentations.english.verb_group import is_reduced_passive, is_request, main_verb_group
from augcse.augmentations.refusals import Refusal

Tense = Literal["past", "present", "future"]
TENSE_OF_TAG: dict[str, Tense] = {"VBD": "past", "VBZ": "present", "VBP": "present"}
_TENSE_OF_MODAL: dict[str, Tense] = {
    "will": "future", "'ll": "future", "’ll": "future", "wo": "future",
    "can": "present", "ca": "present", "could": "past",
}  # fmt: skip
_TENSE_OF_TIME: dict[str, Tense] = {
    "yesterday": "past", "ago": "past", "last": "past", "currently": "present", "since": "present", "tomorrow": "future", "next": "future",
}  # fmt: skip
_TIME_NOUNS = VERB_WORDS["TIME_NOUN"] | VERB_WORDS["CALENDAR"]
# The years that are over: up to the one before this was written; and other times that are.
_YEAR_OVER = re.compile(r"(?:[1-9]\d\d|1\d{3}|20[01]\d|202[0-5])s?")
_TIME_OVER = re.compile(r"(?:(?<!21|ir)st|(?<!-)first|nd|rd|th)[ -]centur(?:y|ies)\b|\bBCE?\b|\b(?:present|modern)-day\b")
_POSSESSIVES = frozenset({"'s", "’s", "'", "’"})
# In a longer sentence the tagger too often misses a verb, or a verb is converted that should not be.
_MOST_CLAUSES = 2
_CLAUSES = ("ROOT", "conj", "parataxis", "ccomp", "xcomp", "advcl", "acl", "csubj")


@dataclass(frozen=True, slots=True)
class Finite:
    """A finite verb group: its finite verb, the head, subject and label of its clause, and its tense (None: a modal without one)."""

    verb: int
    head: int
    subject: int | None
    label: str
    tense: Tense | None


def finite_groups(parse: Parse) -> list[Finite]:
    """Return the finite verb groups in text order, one for each clause, by its first finite verb."""
    groups: dict[int, Finite] = {}
    for index, tag in enumerate(parse.tags):
        head, word = parse.clause_head(index), parse.word(index)
        is_verb = tag in FINITE_TAGS and parse.upos[index] in ("VERB", "AUX")
        if is_verb and head not in groups and parse.has_label(head, *_CLAUSES):
            is_bare = word in ("need", "dare") and parse.is_negation(index + 1)  # a modal verb: "need not go"
            tense = _TENSE_OF_MODAL.get(word) if tag == "MD" or is_bare else TENSE_OF_TAG[tag]
            groups[head] = Finite(index, head, _subject_of(parse, head), _clause_label(parse, head), tense)
    return list(groups.values())


def _is_outside_clause(parse: Parse, groups: list[Finite], main: Finite) -> bool:
    """Return whether the parser gave a verb of the main tense, or a question's "do", no clause: it would keep its tense."""
    subject = main.subject or 0
    if parse.tokens[-1] == "?" and subject < main.verb and has_auxiliary_before(parse, subject):
        return True
    heads = (parse.clause_head(index) for index, tag in enumerate(parse.tags) if TENSE_OF_TAG.get(tag) == main.tense)
    return not all(parse.has_label(head, *_CLAUSES) for head in heads)


def _misses_verb(parse: Parse, groups: list[Finite], main: Finite) -> bool:
    """Return whether the tagger missed a finite verb, which would keep its tense."""
    missed = (_is_missed(parse, index) for index, tag in enumerate(parse.tags) if tag in ("NN", "NNS", "VB", "VBN", "JJ"))
    return any(missed) or missed_present(parse) is not None or any(_is_joined_by_nothing(parse, index) for index in range(len(parse)))


def _is_joined_by_nothing(parse: Parse, index: int) -> bool:
    """Return whether a word is coordinated with the one before it by neither word nor mark: "broke up after their drummer left"."""
    if parse.deps[index] != "conj":
        return False
    first = parse.heads[index]
    previous = max((conjunct for conjunct in (first, *parse.children(first, "conj")) if conjunct < index), default=first)
    return not any(parse.deps[between] in ("cc", "punct") for between in range(previous, index))


def _is_missed(parse: Parse, index: int) -> bool:
    """Return whether a noun, participle or bare verb has a subject, or is coordinated with a verb: it may be a finite one."""
    marks = [parse.word(mark) for mark in parse.children(index, "mark")]
    if parse.children(index, "aux", "cop") or "to" in marks:
        return False
    is_conjunct = parse.deps[index] == "conj" and parse.tags[parse.heads[index]] in TENSE_OF_TAG
    if (is_conjunct and parse.tags[index] in ("VB", "VBN")) or verb_tag(parse, index) in TENSE_OF_TAG:
        return True  # "fell and covered", "preaches and promises"
    return parse.tags[index] != "JJ" and bool(parse.children(index, "nsubj"))


def _clashes(parse: Parse, group: Finite, main: Finite) -> bool:
    """Return whether a clause does not fit the converted main one: it has another tense, or its past may be a participle."""
    word = parse.word(group.verb)
    if main.tense == "past" and word in ("would", "'d", "’d"):
        return True
    if group.verb == group.head and parse.deps[group.head] == "conj" and parse.children(parse.heads[group.head], "aux:pass"):
        return parse.tags[group.verb] == "VBD"  # perhaps a second participle of a passive: "was deemed significant and selected"
    if group.label != "ROOT" or word in ("can", "could"):
        return False
    if group.tense is None:
        return parse.has_label(group.head, "conj")  # a modal that would stay: "is old and should be sold"
    return group.tense != main.tense


def _has_many_clauses(parse: Parse, groups: list[Finite], main: Finite) -> bool:
    """Return whether a sentence has more clauses than can be converted well; coordinated verbs of one subject count once."""
    heads = (group.head for group in groups if parse.deps[group.head] != "conj" or parse.children(group.head, *SUBJECTS))
    return max(Counter([*parse.path(head)][-1] for head in heads).values()) > _MOST_CLAUSES


def times_said(parse: Parse) -> set[Tense]:
    """Return the tenses that times counted from now ask for: "yesterday", "last week", "currently", "tomorrow"."""
    said: set[Tense] = set()
    for index in parse.indices_of(*_TENSE_OF_TIME):
        word, following = parse.word(index), parse.word(index + 1)
        is_time = following in _TIME_NOUNS if word in ("last", "next") else following not in _POSSESSIVES and parse.deps[index] != "mark"
        if is_time:
            said.add(_TENSE_OF_TIME[word])
    return said


def excluded_tenses(parse: Parse, main: Finite) -> set[Tense]:
    """Return the tenses that a time in the sentence excludes: the past for "tomorrow", the future for "in 1990"; it also for a perfect."""
    excluded: set[Tense] = {"past"} if "future" in times_said(parse) else set()
    numbers = (index for index, token in enumerate(parse.tokens) if _YEAR_OVER.fullmatch(token))
    # The number before a noun is not a year: "1500 houses".
    is_over = any(parse.deps[index] != "nummod" for index in numbers) or _TIME_OVER.search(parse.text)
    is_perfect = parse.has_label(main.verb, "aux") and parse.word(main.verb) in VERB_WORDS["HAVE"]
    return excluded | {"future"} if is_over or is_perfect else excluded


def _clause_label(parse: Parse, head: int) -> str:
    """Return "ROOT" for a main clause, "acl" for anything within a relative clause, else the label of the clause."""
    labels = [parse.deps[index].partition(":")[0] for index in parse.path(head)]
    if "acl" in labels:
        return "acl"
    return next((label for label in labels if label not in ("ROOT", "conj", "parataxis")), "ROOT")


def _subject_of(parse: Parse, head: int) -> int | None:
    """Return the subject of a clause; a coordinated verb that has none takes that of a verb above it."""
    for clause in parse.path(head) if parse.deps[head] == "conj" else (head,):
        expletives = [index for index in parse.children(clause, "expl") if parse.word(index) == "it"]
        subjects = [*expletives, *parse.children(clause, "nsubj"), *parse.children(clause, "csubj")]
        if subjects:
            return subjects[0]
    return None


def leaves_verb(parse: Parse, changed: set[int], quoted: list[bool]) -> bool:
    """Return whether a verb outside relative clauses and quotations would keep the old tense, or a question tag may be wrong."""
    tag = question_tag(parse)
    has_i = tag is not None and "i" in map(parse.word, range(tag, len(parse)))
    # A tag would be wrong that stays, has "do" or has "I": "You liked it, don't you?", "He will play, will do he?", "I was it, weren't I?"
    if tag is not None and (tag not in changed or parse.word(tag) in VERB_WORDS["DO"] or has_i):
        return True
    kept = (index for index, tag in enumerate(parse.tags) if tag in TENSE_OF_TAG and index not in changed and not quoted[index])
    return any(_clause_label(parse, parse.clause_head(index)) != "acl" or parse.tag(index - 1) == "CC" for index in kept)


def quotation_flags(parse: Parse) -> list[bool]:
    """Return for each token whether it is between double quotation marks."""
    return [sum(map(parse.text[:start].count, '"“”')) % 2 == 1 for start in parse.starts]


REFUSALS: tuple[Refusal[[Parse, list[Finite], Finite]], ...] = (
    Refusal("no subject", "Came home late.", lambda parse, groups, main: main.subject is None),
    Refusal("verb outside of a clause", "What the film is not, however, is funny.", _is_outside_clause),
    Refusal("verb the tagger missed", "The letters begin in May, and conclude with wishes.", _misses_verb),
    Refusal(
        "clauses of two tenses",
        "He was fat and would constantly eat cake.",
        lambda parse, groups, main: any(_clashes(parse, group, main) for group in groups),
    ),
    Refusal("more than two clauses", "He says that it rains when they come.", _has_many_clauses),
    Refusal("request", "Can you shut it?", lambda parse, groups, main: (group := main_verb_group(parse)) is not None and is_request(group)),
    Refusal(
        "time that is over, or now",
        "He left last week.",
        lambda parse, groups, main: main.tense != "future" and main.tense in times_said(parse),
    ),
    Refusal(
        "reduced passive",
        "Woman charged with murder of son",
        lambda parse, groups, main: (group := main_verb_group(parse)) is not None and is_reduced_passive(group),
    ),
)
