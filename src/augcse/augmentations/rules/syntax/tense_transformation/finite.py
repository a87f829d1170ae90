"""The finite verbs of a sentence and their tenses, and the sentences that cannot be converted."""

from __future__ import annotations

import re
from collections import Counter

from augcse.annotation.parse import Parse
from augcse.augmentations.english.clause import (
    SUBJECTS,
    VERB_WORDS,
    has_auxiliary_before,
    missed_present,
    question_tag,
    verb_tag,
)
from augcse.augmentations.english.conjunctions import links
from augcse.augmentations.english.times import TENSES, Tense, is_year, tenses_beside
from augcse.augmentations.english.verb_group import CLAUSES, TENSE_OF_TAG, VerbGroup, is_reduced_passive, is_request
from augcse.augmentations.refusals import Refusal

# Times that are over, years aside.
_TIME_OVER = re.compile(r"(?:(?<!21|ir)st|(?<!-)first|nd|rd|th)[ -]centur(?:y|ies)\b|\bBCE?\b|\b(?:present|modern)-day\b")
_NOMINATIVE = frozenset({"he", "i", "she", "they", "we"})
# In a longer sentence the tagger too often misses a verb, or a verb is converted that should not be.
_MOST_CLAUSES = 2


def _is_outside_clause(groups: list[VerbGroup], main: VerbGroup) -> bool:
    """Return whether the parser gave a verb of the main tense, or a question's "do", no clause: it would keep its tense."""
    parse = main.parse
    if main.asks and not main.is_inverted and has_auxiliary_before(parse, main.subject):
        return True
    tense = main.tense
    heads = (parse.clause_head(index) for index, tag in enumerate(parse.tags) if TENSE_OF_TAG.get(tag) == tense)
    return not all(parse.has_label(head, *CLAUSES) for head in heads)


def _misses_verb(groups: list[VerbGroup], main: VerbGroup) -> bool:
    """Return whether the tagger missed a finite verb, which would keep its tense."""
    parse = main.parse
    missed = (_is_missed(parse, index) for index, tag in enumerate(parse.tags) if tag in ("NN", "NNS", "VB", "VBN", "JJ"))
    return any(missed) or missed_present(parse) is not None or any(_is_joined_by_nothing(parse, index) for index in range(len(parse)))


def _is_joined_by_nothing(parse: Parse, index: int) -> bool:
    """Return whether a word is coordinated with the one before it by neither word nor mark: "broke up after their drummer left"."""
    if parse.deps[index] != "conj":
        return False
    previous = max((conjunct for conjunct in parse.conjuncts(index) if conjunct < index), default=index)
    return not any(parse.deps[between] in ("cc", "punct") for between in range(previous, index))


def _is_missed(parse: Parse, index: int) -> bool:
    """Return whether a noun, participle or bare verb has a subject, or is coordinated with a verb: it may be a finite one."""
    marks = [parse.word(mark) for mark in parse.children(index, "mark")]
    if parse.children(index, "aux", "cop") or "to" in marks or is_bare_infinitive(parse, index):
        return False
    is_conjunct = parse.deps[index] == "conj" and parse.tags[parse.heads[index]] in TENSE_OF_TAG
    if (is_conjunct and parse.tags[index] in ("VB", "VBN")) or verb_tag(parse, index) in TENSE_OF_TAG:
        return True  # "fell and covered", "preaches and promises"
    return parse.tags[index] != "JJ" and bool(parse.children(index, "nsubj"))


def _clashes(group: VerbGroup, main: VerbGroup) -> bool:
    """Return whether a clause does not fit the converted main one: it has another tense, or its past may be a participle."""
    parse = group.parse
    if main.tense == "past" and parse.word(group.finite) in ("would", "'d", "’d"):
        return True
    if group.finite == group.head and parse.deps[group.head] == "conj" and parse.children(parse.heads[group.head], "aux:pass"):
        return parse.tags[group.finite] == "VBD"  # perhaps a second participle of a passive: "was deemed significant and selected"
    if clause_label(parse, group.head) != "ROOT" or group.word in ("can", "could"):
        return False
    if group.tense is None:
        return parse.has_label(group.head, "conj")  # a modal that would stay: "is old and should be sold"
    return group.tense != main.tense


def _has_many_clauses(groups: list[VerbGroup], main: VerbGroup) -> bool:
    """Return whether a sentence has more clauses than can be converted well; coordinated verbs of one subject count once."""
    parse = main.parse
    heads = (group.head for group in groups if parse.deps[group.head] != "conj" or parse.children(group.head, *SUBJECTS))
    return max(Counter([*parse.path(head)][-1] for head in heads).values()) > _MOST_CLAUSES


def other_tenses(main: VerbGroup) -> list[Tense]:
    """Return the tenses that the main verb may be put into: its times exclude some, as "tomorrow" the past, "in 1990" the future.

    A time that does not go with the tense that the verb has is told of another ("he was now rich"), and excludes nothing.
    """
    parse, current = main.parse, main.tense
    beside = (tenses_beside(parse, index) for index in range(len(parse)))
    excluded = {tense for possible in beside if current in possible for tense in TENSES if tense not in possible}
    if current == "future":
        excluded.discard("present")  # which may tell of a future: "they play tonight"
    if any(is_year(parse, index) for index in range(len(parse))):
        excluded.add("past" if current == "future" else "future")  # which side of now a year is on, its verb tells
    openers = (index for index in links(parse, "time", "condition") if index < main.finite and not parse.children(index, "acl"))
    # The parser may take a subordinate clause for the main one: "Every time you recall it, you alter it".
    is_subordinate = not main.asks and main.head in map(parse.heads.__getitem__, openers)
    if is_subordinate or _TIME_OVER.search(parse.text):
        excluded.add("future")
    return [tense for tense in TENSES if tense not in {current, *excluded}]


def is_bare_infinitive(parse: Parse, verb: int) -> bool:
    """Return whether a base form is an infinitive after a verb of perception or causing: "We saw him leave", not "I see they leave"."""
    is_complement = parse.has_label(verb, "ccomp", "xcomp") and parse.lemmas[parse.heads[verb]] in VERB_WORDS["BEFORE_BARE"]
    has_form = parse.tags[verb] in ("VB", "VBP") and not parse.children(verb, "aux", "cop", "mark")
    return is_complement and has_form and _NOMINATIVE.isdisjoint(map(parse.word, parse.children(verb, "nsubj")))


def clause_label(parse: Parse, head: int) -> str:
    """Return "ROOT" for a main clause, "acl" for anything within a relative clause, else the label of the clause."""
    labels = [parse.deps[index].partition(":")[0] for index in parse.path(head)]
    if "acl" in labels:
        return "acl"
    return next((label for label in labels if label not in ("ROOT", "conj", "parataxis")), "ROOT")


def leaves_verb(parse: Parse, changed: set[int], quoted: list[bool]) -> bool:
    """Return whether a verb outside relative clauses and quotations would keep the old tense, or a question tag may be wrong."""
    tag = question_tag(parse)
    has_i = tag is not None and "i" in map(parse.word, range(tag, len(parse)))
    # A tag would be wrong that stays, has "do" or has "I": "You liked it, don't you?", "He will play, will do he?", "I was it, weren't I?"
    if tag is not None and (tag not in changed or parse.word(tag) in VERB_WORDS["DO"] or has_i):
        return True
    finite = (index for index, tag in enumerate(parse.tags) if tag in TENSE_OF_TAG and not is_bare_infinitive(parse, index))
    kept = (index for index in finite if index not in changed and not quoted[index])
    return any(clause_label(parse, parse.clause_head(index)) != "acl" or parse.tag(index - 1) == "CC" for index in kept)


def quotation_flags(parse: Parse) -> list[bool]:
    """Return for each token whether it is between double quotation marks."""
    return [sum(map(parse.text[:start].count, '"“”')) % 2 == 1 for start in parse.starts]


REFUSALS: tuple[Refusal[[list[VerbGroup], VerbGroup]], ...] = (
    Refusal("no subject", "Came home late.", lambda groups, main: not main.has_subject),
    Refusal("verb outside of a clause", "What the film is not, however, is funny.", _is_outside_clause),
    Refusal("verb the tagger missed", "The letters begin in May, and conclude with wishes.", _misses_verb),
    Refusal(
        "clauses of two tenses",
        "He was fat and would constantly eat cake.",
        lambda groups, main: any(_clashes(group, main) for group in groups),
    ),
    Refusal("more than two clauses", "He says that it rains when they come.", _has_many_clauses),
    Refusal("request", "Can you shut it?", lambda groups, main: is_request(main)),
    Refusal(
        "time that is over, or now",
        "He left last week.",
        lambda groups, main: not other_tenses(main),
    ),
    Refusal(
        "reduced passive",
        "Woman charged with murder of son",
        lambda groups, main: is_reduced_passive(main),
    ),
)
