"""The finite verbs of a sentence and their tenses, and where not all of them can be converted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.english.verb_group import is_reduced_passive, main_verb_group
from augcse.augmentations.refusals import Refusal
from augcse.augmentations.rules.syntax.tense_transformation.missed_verb import misses_verb

Tense = Literal["past", "present", "future"]
TENSE_OF_TAG: dict[str, Tense] = {"VBD": "past", "VBZ": "present", "VBP": "present"}
_TENSE_OF_MODAL: dict[str, Tense] = {
    "will": "future", "'ll": "future", "’ll": "future", "wo": "future",
    "can": "present", "ca": "present", "could": "past",
}  # fmt: skip
_CLAUSES = ("ROOT", "conj", "parataxis", "ccomp", "xcomp", "advcl", "acl", "csubj")
_OPENERS = frozenset({"IN", "WRB", "WP", "WDT", "WP$"})


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
        if tag not in ("VBD", "VBZ", "VBP", "MD") or parse.upos[index] not in ("VERB", "AUX"):
            continue
        head = parse.clause_head(index)
        if head not in found and parse.has_label(head, *_CLAUSES):
            word = parse.tokens[index].lower()
            tense = _TENSE_OF_MODAL.get(word) if tag == "MD" or word in _TENSE_OF_MODAL else TENSE_OF_TAG[tag]
            found[head] = Finite(index, head, tense)
    return list(found.values())


def _is_outside_clause(parse: Parse, groups: list[Finite], main: Finite) -> bool:
    """Tell whether a verb of the main tense is none that would follow, or a sentence has no finite verb."""
    heads = (parse.clause_head(index) for index, tag in enumerate(parse.tags) if TENSE_OF_TAG.get(tag) == main.tense)
    return not all(parse.has_label(head, *_CLAUSES) for head in heads) or not {group.head for group in groups}.issuperset(parse.roots())


def _follows_preposition(parse: Parse, groups: list[Finite], main: Finite) -> bool:
    """Tell whether the subject has a preposition, which is a conjunction: "after the people gained it"."""
    subject = subject_of(parse, main.head)
    return subject is not None and bool(parse.children(subject, "case"))


def _is_reduced_passive(parse: Parse, groups: list[Finite], main: Finite) -> bool:
    """Tell whether a past tense may be a participle, as in headlines: "Two arrested after accident"."""
    group = main_verb_group(parse)
    return group is not None and is_reduced_passive(group)


def _is_misjoined(parse: Parse, group: Finite) -> bool:
    """Tell whether a coordinated verb without a subject may be a participle that shares the auxiliary of a passive."""
    if parse.deps[group.head] != "conj" or group.word != group.head or parse.children(group.head, "nsubj", "expl", "csubj"):
        return False
    return bool(parse.children(parse.heads[group.head], "aux"))


def _clashes(parse: Parse, group: Finite, main: Finite) -> bool:
    """Tell whether a clause would contradict the shifted main one: another main clause in another tense, a future in the past."""
    word = parse.tokens[group.word].lower()
    if main.tense == "past" and word in ("would", "'d", "’d"):
        return True
    label = clause_label(parse, group.head)
    if label in ("advcl", "ccomp", "csubj") and group.word < main.word and group.tense == main.tense and not is_opened(parse, group):
        return True
    return group.tense not in (None, main.tense) and word not in ("can", "could") and label == "ROOT"


def is_opened(parse: Parse, group: Finite) -> bool:
    """Tell whether a subordinate clause before the main one has the word that makes it one."""
    return any(parse.tags[index] in _OPENERS for index in range(group.word) if parse.deps[index] == "mark" or parse.tags[index][0] == "W")


def clause_label(parse: Parse, head: int) -> str:
    """Return "ROOT" for a main clause, "acl" for anything within a relative clause, else the label of the clause."""
    label = "ROOT"
    for _ in range(len(parse)):
        own = parse.deps[head].split(":")[0]
        if own == "acl":
            return "acl"
        if own not in ("ROOT", "conj", "parataxis") and label == "ROOT":
            label = own
        if parse.heads[head] == head:
            break
        head = parse.heads[head]
    return label


def subject_of(parse: Parse, head: int) -> int | None:
    """Return the subject of a clause; that of a coordinated verb without one is that of a verb above it."""
    coordinated = parse.deps[head] == "conj"
    for _ in range(len(parse)):
        expletives = [index for index in parse.children(head, "expl") if parse.tokens[index].lower() == "it"]
        subjects = expletives or parse.children(head, "nsubj") or parse.children(head, "csubj")
        if subjects:
            return subjects[0]
        if not coordinated or parse.heads[head] == head:
            return None
        head = parse.heads[head]
    return None


def leaves_verb(parse: Parse, changed: set[int], quoted: list[bool], main: Finite) -> bool:
    """Tell whether a verb in brackets, in a coordinated clause or in one before the main verb would keep the old tense."""
    depth, opened = 0, False
    for index, token in enumerate(parse.tokens):
        depth += (token in "([") - (token in ")]")
        opened = (opened or (token.lower() in ("when", "while", "as") and index < main.word)) and index not in changed
        finite = parse.tags[index] in TENSE_OF_TAG and not quoted[index]
        bound = clause_label(parse, parse.clause_head(index)) == "acl" and parse.tags[index - 1] != "CC"
        if finite and (depth > 0 or (index not in changed and not bound)):
            return True
        if index == main.word - 1 and opened:
            return token.lower() != "as"
    return False


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
    Refusal("verb outside of a clause", "I found you, didn't I?", _is_outside_clause),
    Refusal("preposition before the subject", "What's for breakfast?", _follows_preposition),
    Refusal(
        "verb the tagger missed", "The letters begin in May, and conclude with wishes.", lambda parse, groups, main: misses_verb(parse)
    ),
    Refusal(
        "coordinated participle",
        "A valid experiment is controlled and uses random assignment.",
        lambda parse, groups, main: any(_is_misjoined(parse, group) for group in groups),
    ),
    Refusal(
        "clauses of two tenses",
        "He was fat and would constantly eat cake.",
        lambda parse, groups, main: any(_clashes(parse, group, main) for group in groups),
    ),
    Refusal("reduced passive", "Soldier charged with murder", _is_reduced_passive),
)
