"""TenseTransformation: the finite verbs of a sentence in another tense."""

from __future__ import annotations

from random import Random
from typing import Literal

from augcse.annotation.parse import CONTRACTED_NOT, NEGATIONS, Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.agreement import finite_form, takes_plural
from augcse.augmentations.english.clause import VERB_WORDS, bare_conjuncts, full_form, is_inverted, is_semi_modal, runs_together, verbs_of
from augcse.augmentations.english.inflection import verb_lemma
from augcse.augmentations.english.times import TENSES, Tense
from augcse.augmentations.english.verb_group import spaced
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import refused
from augcse.augmentations.rules.syntax.tense_transformation.finite import (
    REFUSALS,
    Finite,
    finite_groups,
    leaves_verb,
    other_tenses,
    quotation_flags,
)
from augcse.augmentations.text.edits import Edit, apply_edits, delete_word, edited, match_case


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
    groups = finite_groups(parse)
    main = next((group for group in groups if parse.heads[group.head] == group.head and group.tense is not None), None)
    if main is None or (fidelity == "grammatical" and refused(REFUSALS, parse, groups, main)):
        return None
    if fidelity == "original":
        target = rng.choice([tense for tense in TENSES if tense != main.tense]) if to_tense == "random" else to_tense
        return apply_edits(parse.text, [edit for group in groups for edit in _shift(parse, group, target) or []])
    targets = _drawn(parse, main, rng) if to_tense == "random" else [tense for tense in other_tenses(parse, main) if tense == to_tense]
    shifted = (_shift_all(parse, groups, main, tense) for tense in targets)
    return edited(parse.text, next(filter(None, shifted), None))


def _drawn(parse: Parse, main: Finite, rng: Random) -> list[Tense]:
    """Return the other tenses, a drawn one first; the rare future of a perfect ("will have seen") only if it is the only one."""
    others = other_tenses(parse, main)
    is_perfect = parse.has_label(main.verb, "aux") and parse.word(main.verb) in VERB_WORDS["HAVE"]
    possible = [tense for tense in others if not (is_perfect and tense == "future")] or others
    first = rng.choice(possible)
    return sorted(possible, key=lambda tense: tense != first)


def _shift_all(parse: Parse, groups: list[Finite], main: Finite, target: Tense) -> list[Edit] | None:
    """Return the edits of all clauses; None if a clause that must follow the main one cannot."""
    if (main.tense, target) == ("past", "future") and any((group.tense, group.label) == ("past", "acl") for group in groups):
        return None  # the past of a relative clause would stay: "will win, which enabled him"
    quoted = quotation_flags(parse)
    edits: list[Edit] = []
    changed: set[int] = set()
    for group in groups:
        # A verb with a capital after a word is part of a title, or a name that the tagger took for a verb.
        is_in_title = parse.tokens[group.verb][0].isupper() and parse.token(group.verb - 1)[-1:].isalnum()
        if quoted[group.verb] != quoted[main.verb] or is_in_title:
            continue
        if target == "past" and group.tense == "future" and group.label not in ("ROOT", "acl"):
            edits.append(_replace(parse, group.verb, "would"))  # the future in the past: "thought he would come"
            continue
        goal = _goal(group, main.tense, target)
        if goal is None:
            continue
        has_one_tense = is_semi_modal(parse, group.verb) and parse.word(group.verb + 1) != "to"  # a semi-modal: "had better", "has got"
        is_doubtful = parse.tag(group.verb - 1) == "POS"  # its auxiliary was taken for a possessive: "My sister's had a baby"
        shifted = None if has_one_tense or is_doubtful else _shift(parse, group, goal)
        if shifted:
            edits += shifted
            changed.add(group.verb)
        elif group.label != "acl":
            return None
    return None if leaves_verb(parse, changed, quoted) else edits


def _goal(group: Finite, current: Tense | None, target: Tense) -> Tense | None:
    """Return the new tense of a clause, None if it stays; below a future the past becomes present: "when he comes, he will leave"."""
    if target == "future" and group.label != "ROOT":
        return "present" if (group.tense, current) == ("past", "past") else None
    if current == "future" and group.label not in ("ROOT", "acl"):
        return "past" if target == "past" else None
    return target if group.tense == current else None


def _shift(parse: Parse, group: Finite, target: Tense) -> list[Edit] | None:
    """Return the edits that put one clause into `target`; None if it cannot be or a form is in doubt."""
    word = parse.word(group.verb)
    if (word, parse.word(group.verb + 1)) == ("used", "to") or any(runs_together(parse, verb) for verb in (group.verb, group.head)):
        return None
    if word in ("can", "ca", "could"):
        return _shift_can(parse, group, target)
    if group.tense == "future":
        return _from_future(parse, group, target)
    if target == "future":
        return _to_future(parse, group)
    form = _other_form(parse, group, target)
    return [_replace(parse, group.verb, form)] if form else None


def _replace(parse: Parse, index: int, form: str) -> Edit:
    return Edit(*parse.span(index), spaced(parse, index, match_case(parse.tokens[index], form)))


def _shift_can(parse: Parse, group: Finite, target: Tense) -> list[Edit] | None:
    """Return the edits that turn "can" into "could", or the reverse; None for the future and for "could have"."""
    follower = parse.word(group.verb + 1)
    if target == "future" or "have" in (follower, parse.word(group.verb + 2)):
        return None
    present = "ca" if follower in CONTRACTED_NOT else "can"
    edits = [_replace(parse, group.verb, "could" if target == "past" else present)]
    if follower == "not":  # "could not" is two words, "cannot" one
        edits.append(Edit(parse.end(group.verb), parse.starts[group.verb + 1], " " if target == "past" else ""))
    return edits


def _other_form(parse: Parse, group: Finite, target: Tense) -> str | None:
    """Return the past or present form of a finite verb that is neither modal nor future; None if it is in doubt."""
    word, tag, subject = full_form(parse, group.verb).lower(), parse.tags[group.verb], group.subject
    if word in VERB_WORDS["BE"]:
        form = finite_form("be", target, word in ("are", "were"), first_person=subject is not None and parse.word(subject) == "i")
        return None if form == "am" and parse.word(group.verb + 1) in CONTRACTED_NOT else form  # nobody writes "amn't"
    lemma = verb_lemma(word, tag, parse.lemmas[group.verb])
    if lemma is None or subject is None:
        return None
    plural = takes_plural(parse, subject)
    return None if tag == "VBP" and plural is False else finite_form(lemma, target, plural)


def _to_future(parse: Parse, group: Finite) -> list[Edit] | None:
    """Return the edits that put "will" before a verb, or in the place of "do"; None if there is no future form."""
    word, subject = full_form(parse, group.verb).lower(), group.subject
    is_auxiliary = parse.has_label(group.verb, "aux", "cop")
    asks = is_auxiliary and "?" in parse.text
    # Some forms of "be" have no future: "is to leave", "is being built".
    is_be = word in VERB_WORDS["BE"]
    has_no_future = is_be and (parse.tag(group.verb + 1) == "TO" or "being" in map(parse.word, verbs_of(parse, group.head)))
    if subject is None or has_no_future or (is_inverted(parse, group.head, group.verb) and not asks):
        return None
    will = _replace(parse, group.verb, "wo" if parse.word(group.verb + 1) in CONTRACTED_NOT else "will")
    if is_auxiliary and word in VERB_WORDS["DO"]:
        return [will]
    if is_be or parse.tokens[group.verb][0] in "'’" or parse.has_label(group.verb, "aux"):
        end = parse.end(_before_bare(parse, group, subject))
        return [will, Edit(end, end, " have" if word in VERB_WORDS["HAVE"] else " be")]
    lemma = verb_lemma(word, parse.tags[group.verb], parse.lemmas[group.verb])
    first = group.verb
    # "will" goes before the adverbs of the verb ("once again went"), but not before those of a noun ("the figures below show").
    while parse.tag(first - 1) == "RB" and parse.pos(parse.heads[first - 1]) not in ("NOUN", "PROPN"):
        first -= 1
    start = parse.starts[first]
    return [Edit(start, start, "will "), _replace(parse, group.verb, lemma)] if lemma else None


def _before_bare(parse: Parse, group: Finite, subject: int) -> int:
    """Return the word that "be" or "have" follows: the subject of a question, else the last adverb after "will"."""
    follower = group.verb + 1
    if parse.tag(follower) == "PRP" and parse.has_label(follower, "nsubj"):
        return follower  # the parser may take "Mary" for another subject: "Mary, was he late?"
    if is_inverted(parse, group.head, group.verb):
        return parse.last(subject)
    # The parser takes the noun that a question asks for as the subject: "Whose book is this?".
    if parse.tags[group.head] in ("DT", "PRP") and parse.word(group.head + 1) == "?":
        return group.head
    last = group.verb
    adverbs = VERB_WORDS["CLAUSE"] | NEGATIONS  # they stay before "be": "was never built" -> "will never be built"
    while parse.word(last + 1) in adverbs and parse.word(last + 2) != "-":
        last += 1
    return last


def _from_future(parse: Parse, group: Finite, target: Tense) -> list[Edit] | None:
    """Return the edits that replace "will" and the bare verb by one form, or "will" by "do"; None if a form is unknown."""
    verb = next((index for index in verbs_of(parse, group.head) if index > group.verb), group.head)
    if parse.tags[verb] != "VB" or group.subject is None:
        return None
    plural, is_speaker = takes_plural(parse, group.subject), parse.word(group.subject) == "i"
    verbs = (verb, *bare_conjuncts(parse, verb))
    forms = {bare: finite_form(parse.word(bare), target, plural, first_person=is_speaker) for bare in verbs}
    finite = forms[verb]
    if finite is None:
        return None
    if parse.has_label(verb, "aux", "cop") and verb > group.verb + 1:  # an auxiliary goes where "will" was: "will always be" -> "is always"
        return [_replace(parse, group.verb, finite), delete_word(parse.text, *parse.span(verb))]
    if parse.is_negation(group.verb + 1) or is_inverted(parse, group.head, group.verb):
        support = finite_form("do", target, plural)
        return [_replace(parse, group.verb, support)] if support else None
    replaced = [_replace(parse, bare, form) for bare, form in forms.items() if form]
    return [delete_word(parse.text, *parse.span(group.verb)), *replaced] if all(forms.values()) else None
