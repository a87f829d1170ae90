"""What is coordinated in a main clause and changes with its finite verb: "stayed and waited" -> "did not stay or wait"."""

from __future__ import annotations

from augcse.annotation.parse import Parse
from augcse.augmentations.english.agreement import is_plural
from augcse.augmentations.english.clause import SUBJECTS, VERB_WORDS, before_adverbs, clauses_beside, verb_tag
from augcse.augmentations.english.inflection import verb_lemma, word_form
from augcse.augmentations.english.verb_group import VerbGroup
from augcse.augmentations.text.edits import Edit

# Verbs that only lead up to one right after them: "go and see", "try and help".
_LEADING = frozenset({"come", "go", "try"})


def with_joined_verbs(group: VerbGroup, edits: list[Edit], *, perfect: bool = False) -> list[Edit]:
    """Return the edits and those that give the coordinated verbs their base form, or participle; none if a form is in doubt."""
    forms = {index: word_form(lemma, "VBN" if perfect else "VB") or "" for index, lemma in joined_lemmas(group).items()}
    return [*edits, *(Edit(*group.parse.span(index), form) for index, form in forms.items())] if all(forms.values()) else []


def joined_lemmas(group: VerbGroup) -> dict[int, str]:
    """Return the lemma of each verb that shares subject and tense with the finite one; "" where the verb or its lemma is in doubt."""
    parse, tag = group.parse, group.parse.tags[group.finite]
    lemmas = {index: verb_lemma(parse.word(index), tag, parse.lemmas[index]) for index in _joined_verbs(group)}
    return {index: lemma if lemma and _follows_joint(parse, index) else "" for index, lemma in lemmas.items()}


def _joined_verbs(group: VerbGroup) -> list[int]:
    parse = group.parse
    # The tagger takes many past tenses for participles.
    tags = {parse.tags[group.finite], "VBN" if group.kind == "verb" else ""}
    joined = [index for index in range(group.finite + 1, _end(group)) if verb_tag(parse, index) in tags and _is_joined(group, index)]
    if parse.children(group.head, "aux:pass"):
        # It takes the second participle of a passive for a past tense: "was fined and ordered to pay".
        joined = [index for index in joined if word_form(parse.lemmas[index], "VBN") != parse.word(index)]
    # A participle after a comma is a past tense only if another coordinated verb follows: "He rose, walked out and waved".
    last = max((index for index in joined if parse.tags[index] != "VBN" or parse.tokens[before_adverbs(parse, index)] != ","), default=0)
    return [index for index in joined if index <= last]


def _end(group: VerbGroup) -> int:
    """Return the index of the first "but", "while", semicolon or other main clause after the verb: "He left, she stayed and waited"."""
    bounds = (*group.parse.indices_of("but", "while", "whereas", ";"), *clauses_beside(group.parse, group.head))
    return min((index for index in bounds if index > group.finite), default=len(group.parse))


def _follows_joint(parse: Parse, verb: int) -> bool:
    """Return whether a verb follows a conjunction or a comma."""
    before = before_adverbs(parse, verb)
    return parse.tags[before] == "CC" or parse.tokens[before] == ","


def _is_joined(group: VerbGroup, index: int) -> bool:
    """Return whether a verb is coordinated with the head of the clause, and has no subject or auxiliary of its own."""
    parse = group.parse
    *path, root = parse.path(index)
    if root != group.head or not parse.has_label(index, "conj", "parataxis"):
        return False
    if any(parse.children(step, "nsubj", "expl", "aux", "cop") for step in path):
        return False
    if parse.tags[index] == "VBN" and not _follows_joint(parse, index):
        return False
    # In a list of more than two, the parser often takes the second verb for a parenthesis: "He rose, went out and waved."
    return all(parse.has_label(step, "conj", "parataxis") or not parse.tags[step].startswith(("VB", "JJ")) for step in path)


def or_for_and(group: VerbGroup) -> list[Edit]:
    """Return the edits that write "or" for the "and" of parts each of which a "not" denies: "is not old or ill", "did not stay or wait"."""
    parse, joined = group.parse, joined_lemmas(group) if group.kind == "verb" else {}
    joints = (index for index in parse.indices_of("and") if index > group.finite and not _acts_together(group, index))
    return [Edit(*parse.span(index), "or") for index in joints if parse.heads[index] in joined or _joins_complements(group, index)]


def _joins_complements(group: VerbGroup, joint: int) -> bool:
    """Return whether a conjunction joins predicates or verbs under one auxiliary, or complements that repeat their preposition."""
    parse, last = group.parse, group.parse.heads[joint]
    first = next(step for step in parse.path(last) if not parse.has_label(step, "conj"))
    if first == group.head:
        return group.kind != "verb" and not parse.children(last, *SUBJECTS)
    openers = (set(map(parse.word, parse.children(part, "case", "mark"))) for part in (first, last))
    joins_alike = not set.isdisjoint(*openers) or (parse.has_label(first, "xcomp") and parse.tags[first] == "JJ")
    return parse.heads[first] == group.head and joins_alike


def _acts_together(group: VerbGroup, joint: int) -> bool:
    """Return whether what "and" joins holds only together: "go and see", "and then", "between 5 and 6", "They are man and wife"."""
    parse, last = group.parse, group.parse.heads[joint]
    first = parse.heads[last]
    leads = parse.lemmas[first] in _LEADING and first + 1 == joint
    if leads or parse.word(joint + 1) in VERB_WORDS["CLAUSE"] | VERB_WORDS["EARLY"]:
        return True
    is_counted = parse.tags[last] == "CD" or bool(parse.children(last, "nummod"))
    is_one = not {verb_tag(parse, first), verb_tag(parse, last)}.isdisjoint(("NN", "NNP")) and not parse.has_label(first, "obl")
    is_list = is_one and is_plural(parse, group.subject) is True
    return is_counted or is_list or "between" in map(parse.word, parse.children(first, "case"))
