"""TenseTransformation: the finite verbs of a sentence in another tense."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Literal

from augcse.annotation.parse import CONTRACTED_NOT, Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.agreement import finite_form
from augcse.augmentations.english.clause import bare_conjuncts, is_semi_modal, runs_together
from augcse.augmentations.english.times import TENSES, Tense
from augcse.augmentations.english.verb_group import VerbGroup, replaced, verb_groups
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import refused
from augcse.augmentations.rules.syntax.tense_transformation.finite import (
    REFUSALS,
    clause_label,
    is_bare_infinitive,
    leaves_verb,
    other_tenses,
    quotation_flags,
)
from augcse.augmentations.text.edits import Edit, apply_edits, delete_word, edited


@augmentation(
    "TenseTransformation",
    family="syntax",
    meaning="possible_alteration",
    condition="a finite verb",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter tense (Dhole et al. 2021); Logeswaran et al. (2018)",
    needs=("parse",),
    example=Example("My father goes to the gym every day.", "My father will go to the gym every day.", seed=2),
    refusals=REFUSALS,
)
def tense_transformation(
    parse: Parse, rng: Random, *, to_tense: Literal["random", "past", "present", "future"] = "random", fidelity: Fidelity = "grammatical"
) -> str | None:
    """Convert the finite verbs of the sentence to another tense, past, present or future.

    `to_tense="random"` draws one of the two tenses that the main verb is not in, and takes the other if that one is impossible.
    Verbs of the same tense in subordinate clauses follow, so that the sequence of tenses reads well; of the perfect, the progressive
    and the passive the first auxiliary is converted. Modals other than will and can, quotations and times stay as they are; no
    verb is put into a tense that does not go with its time ("nowadays", "tomorrow", "in 1990").
    `fidelity="original"` converts each finite verb by itself.
    """
    groups = verb_groups(parse)
    if fidelity == "grammatical":
        groups = [group for group in groups if not is_bare_infinitive(parse, group.head)]
    main = next((group for group in groups if parse.heads[group.head] == group.head and group.tense is not None), None)
    if main is None or (fidelity == "grammatical" and refused(REFUSALS, groups, main)):
        return None
    if fidelity == "original":
        target = rng.choice([tense for tense in TENSES if tense != main.tense]) if to_tense == "random" else to_tense
        published = (replace(group, leaves_adverbials=True) for group in groups)
        return apply_edits(parse.text, [edit for group in published for edit in _shift(group, target) or []])
    targets = _drawn(main, rng) if to_tense == "random" else [tense for tense in other_tenses(main) if tense == to_tense]
    shifted = (_shift_all(groups, main, tense) for tense in targets)
    return edited(parse.text, next(filter(None, shifted), None))


def _drawn(main: VerbGroup, rng: Random) -> list[Tense]:
    """Return the other tenses, a drawn one first; the rare future of a perfect ("will have seen") only if it is the only one."""
    others = other_tenses(main)
    possible = [tense for tense in others if not (main.kind == "have" and tense == "future")] or others
    first = rng.choice(possible)
    return sorted(possible, key=lambda tense: tense != first)


def _shift_all(groups: list[VerbGroup], main: VerbGroup, target: Tense) -> list[Edit] | None:
    """Return the edits of all clauses; None if a clause that must follow the main one cannot."""
    parse = main.parse
    labels = {group.head: clause_label(parse, group.head) for group in groups}
    if (main.tense, target) == ("past", "future") and any((group.tense, labels[group.head]) == ("past", "acl") for group in groups):
        return None  # the past of a relative clause would stay: "will win, which enabled him"
    quoted = quotation_flags(parse)
    edits: list[Edit] = []
    changed: set[int] = set()
    for group in groups:
        label = labels[group.head]
        # A verb with a capital after a word is part of a title, or a name that the tagger took for a verb.
        is_in_title = parse.tokens[group.finite][0].isupper() and parse.token(group.finite - 1)[-1:].isalnum()
        if quoted[group.finite] != quoted[main.finite] or is_in_title:
            continue
        if target == "past" and group.tense == "future" and label not in ("ROOT", "acl"):
            edits.append(replaced(parse, group.finite, "would"))  # the future in the past: "thought he would come"
            continue
        goal = _goal(group.tense, label, main.tense, target)
        if goal is None:
            continue
        has_one_tense = is_semi_modal(parse, group.finite) and parse.word(group.finite + 1) != "to"  # a semi-modal: "had better", "has got"
        is_doubtful = parse.tag(group.finite - 1) == "POS"  # its auxiliary was taken for a possessive: "My sister's had a baby"
        shifted = None if has_one_tense or is_doubtful else _shift(group, goal)
        if shifted:
            edits += shifted
            changed.add(group.finite)
        elif label != "acl":
            return None
    return None if leaves_verb(parse, changed, quoted) else edits


def _goal(tense: Tense | None, label: str, current: Tense | None, target: Tense) -> Tense | None:
    """Return the new tense of a clause, None if it stays; below a future the past becomes present: "when he comes, he will leave"."""
    if target == "future" and label != "ROOT":
        return "present" if (tense, current) == ("past", "past") else None
    if current == "future" and label not in ("ROOT", "acl"):
        return "past" if target == "past" else None
    return target if tense == current else None


def _shift(group: VerbGroup, target: Tense) -> list[Edit] | None:
    """Return the edits that put one clause into `target`; None if it cannot be or a form is in doubt."""
    parse = group.parse
    if (group.word, parse.word(group.finite + 1)) == ("used", "to") or any(runs_together(parse, verb) for verb in group.verbs):
        return None
    if group.word in ("can", "could"):
        return _shift_can(group, target)
    if group.tense == "future":
        return _from_future(group, target)
    if target == "future":
        return _to_future(group)
    form = _other_form(group, target)
    return [replaced(parse, group.finite, form)] if form else None


def _shift_can(group: VerbGroup, target: Tense) -> list[Edit] | None:
    """Return the edits that turn "can" into "could", or the reverse; None for the future and for "could have"."""
    parse = group.parse
    follower = parse.word(group.finite + 1)
    if target == "future" or "have" in (follower, parse.word(group.finite + 2)):
        return None
    present = "ca" if follower in CONTRACTED_NOT else "can"
    edits = [replaced(parse, group.finite, "could" if target == "past" else present)]
    if follower == "not":  # "could not" is two words, "cannot" one
        edits.append(Edit(parse.end(group.finite), parse.starts[group.finite + 1], " " if target == "past" else ""))
    return edits


def _other_form(group: VerbGroup, target: Tense) -> str | None:
    """Return the past or present form of a finite verb that is neither modal nor future; None if it is in doubt."""
    parse, is_be = group.parse, group.kind == "be"
    # A bare form with a singular subject is perhaps a noun.
    is_doubtful = parse.tags[group.finite] == "VBP" and group.subject_is_plural is False
    if group.lemma is None or (not is_be and (is_doubtful or not group.has_subject)):
        return None
    form = finite_form(group.lemma, target, group.plural, first_person=group.word == "am" or parse.word(group.subject) == "i")
    return None if form == "am" and parse.word(group.finite + 1) in CONTRACTED_NOT else form  # nobody writes "amn't"


def _to_future(group: VerbGroup) -> list[Edit] | None:
    """Return the edits that put "will" before a verb, or in the place of "do"; None if there is no future form."""
    parse, following = group.parse, group.finite + 1
    # Some forms of "be" have no future: "is to leave", "is being built".
    has_no_future = group.kind == "be" and (parse.tag(following) == "TO" or "being" in map(parse.word, group.verbs))
    is_question = group.finite != group.head and group.asks
    base = "be" if group.kind == "modal" else group.lemma
    if base is None or not group.has_subject or has_no_future or (group.is_inverted and not is_question):
        return None
    return group.rewritten("wo" if parse.word(following) in CONTRACTED_NOT else "will", "" if group.kind == "do" else base)


def _from_future(group: VerbGroup, target: Tense) -> list[Edit] | None:
    """Return the edits that replace "will" and the bare verb by one form, or "will" by "do"; None if a form is unknown."""
    parse, plural = group.parse, group.plural
    verb = group.verbs[1] if len(group.verbs) > 1 else group.finite
    if parse.tags[verb] != "VB" or not group.has_subject:
        return None
    is_speaker = parse.word(group.subject) == "i"
    verbs = (verb, *bare_conjuncts(parse, verb))
    forms = {bare: finite_form(parse.word(bare), target, plural, first_person=is_speaker) for bare in verbs}
    finite = forms[verb]
    if finite is None:
        return None
    # An auxiliary goes where "will" was: "will always be" -> "is always".
    if verb != group.head and verb > group.finite + 1:
        return [replaced(parse, group.finite, finite), delete_word(parse.text, *parse.span(verb))]
    if parse.is_negation(group.finite + 1) or group.is_inverted:
        support = finite_form("do", target, plural)
        return [replaced(parse, group.finite, support)] if support else None
    others = [replaced(parse, bare, form) for bare, form in forms.items() if form]
    return [delete_word(parse.text, *parse.span(group.finite)), *others] if all(forms.values()) else None
