"""The finite verbs of a sentence and their tenses, and where not all of them can be converted."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.english.clause import FINITE_TAGS, SUBJECTS, VERB_WORDS, has_auxiliary_before, question_tag
from augcse.augmentations.english.verb_group import is_reduced_passive, is_request, main_verb_group
from augcse.augmentations.refusals import Refusal

Tense = Literal["past", "present", "future"]
TENSE_OF_TAG: dict[str, Tense] = {"VBD": "past", "VBZ": "present", "VBP": "present"}
_TENSE_OF_MODAL: dict[str, Tense] = {
    "will": "future", "'ll": "future", "’ll": "future", "wo": "future",
    "can": "present", "ca": "present", "could": "past",
}  # fmt: skip
# "The first time I used it": what follows such a noun is a clause of time.
_TIMES = frozenset({"time", "moment", "minute", "day"})
_TENSE_OF_TIME: dict[str, Tense] = {
    "yesterday": "past", "ago": "past", "last": "past", "currently": "present", "tomorrow": "future", "next": "future",
}  # fmt: skip
_TIME_NOUNS = VERB_WORDS["TIME_NOUN"] | VERB_WORDS["CALENDAR"]
# Up to the year before this was written.
_YEAR_OVER = re.compile(r"(?:1\d{3}|20[01]\d|202[0-5])s?")
_POSSESSIVES = frozenset({"'s", "’s", "'", "’"})
# What stands before a noun or opens a clause.
_OPENING = frozenset({"after", "as", "before", "since", "until"})
# In more, the tagger misses a verb too often, or one follows that should not.
_MOST_CLAUSES = 2
_CLAUSES = ("ROOT", "conj", "parataxis", "ccomp", "xcomp", "advcl", "acl", "csubj")


@dataclass(frozen=True, slots=True)
class Finite:
    """A finite verb group: its finite word, the head of its clause, and its tense (None: a modal without one)."""

    word: int
    head: int
    tense: Tense | None


def finite_groups(parse: Parse) -> list[Finite]:
    """Return the finite verb groups in text order, the first finite word of each clause."""
    found: dict[int, Finite] = {}
    for index, tag in enumerate(parse.tags):
        if tag not in FINITE_TAGS or parse.upos[index] not in ("VERB", "AUX"):
            continue
        head = parse.clause_head(index)
        if head not in found and parse.has_label(head, *_CLAUSES):
            found[head] = Finite(index, head, None if _is_bare_modal(parse, index) else _tense(parse.word(index), tag))
    return list(found.values())


def _tense(word: str, tag: str) -> Tense | None:
    return _TENSE_OF_MODAL.get(word) if tag == "MD" or word in _TENSE_OF_MODAL else TENSE_OF_TAG[tag]


def _is_bare_modal(parse: Parse, index: int) -> bool:
    """Tell whether "need" or "dare" is a modal verb, which its "not" shows: "need not go"."""
    return parse.word(index) in ("need", "dare") and parse.is_negation(index + 1)


def _is_outside_clause(parse: Parse, groups: list[Finite], main: Finite) -> bool:
    """Tell whether a verb of the main tense, or a question's "do", would not follow, as it is none of a clause to the parser."""
    subject = subject_of(parse, main.head) or 0
    if subject < main.word and has_auxiliary_before(parse, subject):
        return True
    heads = (parse.clause_head(index) for index, tag in enumerate(parse.tags) if TENSE_OF_TAG.get(tag) == main.tense)
    return not all(parse.has_label(head, *_CLAUSES) for head in heads)


def _misses_verb(parse: Parse, groups: list[Finite], main: Finite) -> bool:
    """Tell whether the tagger missed a finite verb, which would keep its tense."""
    tag = question_tag(parse)
    if tag not in (None, *(group.word for group in groups)) or any(_is_loose(parse, index) for index in range(len(parse))):
        return True
    return any(_is_missed(parse, index) for index, tag in enumerate(parse.tags) if tag in ("NN", "NNS", "VB", "VBN", "JJ"))


def _is_loose(parse: Parse, index: int) -> bool:
    """Tell whether a word is coordinated with the one before it by neither word nor mark: "broke up after their drummer left"."""
    if parse.deps[index] != "conj":
        return False
    first = parse.heads[index]
    before = max((joined for joined in (first, *parse.children(first, "conj")) if joined < index), default=first)
    return not any(parse.deps[between] in ("cc", "punct") for between in range(before, index))


def _is_missed(parse: Parse, index: int) -> bool:
    """Tell whether a noun, participle or bare verb has a subject, or is coordinated with a finite verb."""
    marks = [parse.word(mark) for mark in parse.children(index, "mark")]
    if parse.children(index, "aux", "cop") or "to" in marks:
        return False
    if _is_coordinated(parse, index) or (parse.tags[index] != "JJ" and parse.children(index, "nsubj")):
        return True
    # "broke up after their drummer left", read as a drummer who was left
    owner = parse.heads[index]
    opened = any(parse.word(case) in _OPENING for case in parse.children(owner, "case"))
    return parse.tags[index] == "VBN" and parse.deps[index] == "acl" and owner == index - 1 and opened


def _is_coordinated(parse: Parse, index: int) -> bool:
    """Tell whether a word is coordinated with a finite verb, and a verb itself: bare, "preaches and promises", or "fell and covered"."""
    if parse.deps[index] != "conj" or parse.tags[parse.heads[index]] not in TENSE_OF_TAG:
        return False
    joined = (after for head in (index, parse.heads[index]) for after in parse.children(head, "conj") if after > index)
    is_between = any(parse.tags[after] in TENSE_OF_TAG and not parse.children(after, "nsubj") for after in joined)
    return parse.tags[index] in ("VB", "NNS") or is_between or (parse.tags[index] == "VBN" and bool(parse.children(index, "cc")))


def _is_of_infinitive(parse: Parse, head: int) -> bool:
    """Tell whether the parser joins a finite verb without a subject to an infinitive: "expects us to read, write and argue"."""
    joined = next((step for step in parse.path(head) if not parse.has_label(step, "conj")), head)
    has_own = parse.children(head, *SUBJECTS, "aux", "cop")
    return joined != head and not has_own and "to" in map(parse.word, parse.children(joined, "mark"))


def _clashes(parse: Parse, group: Finite, main: Finite) -> bool:
    """Tell whether a clause would contradict the shifted main one: in another tense, or a participle taken for a past."""
    word = parse.word(group.word)
    if _is_of_infinitive(parse, group.head):
        return True
    if main.tense == "past" and word in ("would", "'d", "’d"):
        return True
    if group.word == group.head and parse.deps[group.head] == "conj" and parse.children(parse.heads[group.head], "aux:pass"):
        return parse.tags[group.word] == "VBD"  # "was deemed significant and selected"
    follows = word in ("can", "could") and main.tense != "future"
    if clause_label(parse, group.head) != "ROOT" or follows:
        return False
    return parse.has_label(group.head, "conj") if group.tense is None else group.tense != main.tense  # "is old and should be sold"


def _has_many_clauses(parse: Parse, groups: list[Finite], main: Finite) -> bool:
    """Tell whether a sentence has so many clauses that one of them hardly follows; what shares its subject is not counted."""
    own = (group.head for group in groups if parse.deps[group.head] != "conj" or parse.children(group.head, *SUBJECTS))
    return max(Counter([*parse.path(head)][-1] for head in own).values()) > _MOST_CLAUSES


def times_said(parse: Parse) -> set[Tense]:
    """Return the tenses that times counted from now ask for: "yesterday", "last week", "currently", "tomorrow"."""
    said: set[Tense] = set()
    for index in parse.indices_of(*_TENSE_OF_TIME):
        word, is_noun = parse.word(index), parse.word(index + 1) in _TIME_NOUNS
        is_counted = is_noun and parse.word(index + 2) not in _POSSESSIVES and parse.tag(index - 1) not in ("DT", "PRP$", "POS")
        if is_counted if word in ("last", "next") else parse.word(index + 1) not in _POSSESSIVES:
            said.add(_TENSE_OF_TIME[word])
    return said


def excluded_tenses(parse: Parse) -> set[Tense]:
    """Return the tenses that a time in the sentence excludes: the past for "tomorrow", the future for "in 1990"."""
    excluded: set[Tense] = {"past"} if "future" in times_said(parse) else set()
    years = (index for index, token in enumerate(parse.tokens) if _YEAR_OVER.fullmatch(token))
    # Not the number of "1500 houses".
    is_over = any(parse.deps[index] != "nummod" or parse.heads[index] < index for index in years)
    return excluded | {"future"} if is_over else excluded


def _is_inverted_condition(parse: Parse, groups: list[Finite], main: Finite) -> bool:
    return parse.word(0) in ("had", "were", "should") and "?" not in parse.tokens


def _is_request(parse: Parse, groups: list[Finite], main: Finite) -> bool:
    group = main_verb_group(parse)
    return group is not None and is_request(group)


def _says_its_time(parse: Parse, groups: list[Finite], main: Finite) -> bool:
    """Tell whether a time says that the main verb is past, or present."""
    return main.tense != "future" and main.tense in times_said(parse)


def clause_label(parse: Parse, head: int) -> str:
    """Return "ROOT" for a main clause, "acl" for anything within a relative clause, else the label of the clause."""
    labels = [
        "advcl" if parse.deps[index] == "acl:relcl" and parse.word(parse.heads[index]) in _TIMES else parse.deps[index].split(":")[0]
        for index in parse.path(head)
    ]
    if "acl" in labels:
        return "acl"
    return next((label for label in labels if label not in ("ROOT", "conj", "parataxis")), "ROOT")


def subject_of(parse: Parse, head: int) -> int | None:
    """Return the subject of a clause; that of a coordinated verb without one is that of a verb above it."""
    for clause in parse.path(head) if parse.deps[head] == "conj" else (head,):
        expletives = [index for index in parse.children(clause, "expl") if parse.word(index) == "it"]
        subjects = [*expletives, *parse.children(clause, "nsubj"), *parse.children(clause, "csubj")]
        if subjects:
            return subjects[0]
    return None


def leaves_verb(parse: Parse, changed: set[int], quoted: list[bool]) -> bool:
    """Tell whether a verb outside of relative clauses and quotations would keep the old tense."""
    kept = (index for index, tag in enumerate(parse.tags) if tag in TENSE_OF_TAG and index not in changed and not quoted[index])
    return any(clause_label(parse, parse.clause_head(index)) != "acl" or parse.tag(index - 1) == "CC" for index in kept)


def quotation_flags(parse: Parse) -> list[bool]:
    """Tell for each token whether it stands between double quotation marks."""
    before = [parse.text[:start] for start in parse.starts]
    return [text.count('"') % 2 == 1 or text.count("“") > text.count("”") for text in before]


def in_title(parse: Parse, word: int) -> bool:
    """Tell whether a finite word is capitalised after another word: part of a title, or mistagged."""
    token = parse.tokens[word]
    return token[0].isupper() and word > 0 and parse.tokens[word - 1][-1].isalnum()


REFUSALS: tuple[Refusal[[Parse, list[Finite], Finite]], ...] = (
    Refusal("no subject", "Came home late.", lambda parse, groups, main: subject_of(parse, main.head) is None),
    Refusal("verb outside of a clause", "What the film is not, however, is funny.", _is_outside_clause),
    Refusal("verb the tagger missed", "The letters begin in May, and conclude with wishes.", _misses_verb),
    Refusal(
        "clauses of two tenses",
        "He was fat and would constantly eat cake.",
        lambda parse, groups, main: any(_clashes(parse, group, main) for group in groups),
    ),
    Refusal("more than two clauses", "He says that it rains when they come.", _has_many_clauses),
    Refusal("inverted condition", "Had the work been carried out, the outcome might have been different.", _is_inverted_condition),
    Refusal("request", "Can you shut it?", _is_request),
    Refusal("time that is over, or now", "He left last week.", _says_its_time),
    Refusal(
        "reduced passive",
        "Woman charged with murder of son",
        lambda parse, groups, main: (group := main_verb_group(parse)) is not None and is_reduced_passive(group),
    ),
)
