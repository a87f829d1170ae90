"""The verbs that share the subject of a main clause, and take what its finite verb takes: "did not stay and wait"."""

from __future__ import annotations

from augcse.annotation.parse import Parse
from augcse.augmentations.english.clause import before_adverbs, clauses_beside
from augcse.augmentations.english.inflection import verb_lemma, word_form
from augcse.augmentations.english.verb_group import VerbGroup
from augcse.augmentations.text.edits import Edit


def with_joined_verbs(group: VerbGroup, edits: list[Edit], *, perfect: bool = False) -> list[Edit]:
    """Return the edits with those for the verbs that are coordinated with the finite one; none at all if a form is in doubt."""
    forms = {index: word_form(lemma, "VBN" if perfect else "VB") or "" for index, lemma in joined_lemmas(group).items()}
    return [*edits, *(Edit(*group.parse.span(index), form) for index, form in forms.items())] if all(forms.values()) else []


def joined_lemmas(group: VerbGroup) -> dict[int, str]:
    """Return the base form of each verb that shares subject and tense with the finite one; "" where that or the form is in doubt."""
    parse, tag = group.parse, group.parse.tags[group.finite]
    lemmas = {index: verb_lemma(parse.word(index), tag, parse.lemmas[index]) for index in _joined_verbs(group)}
    return {index: lemma or "" if _is_listed(parse, index) else "" for index, lemma in lemmas.items()}


def _joined_verbs(group: VerbGroup) -> list[int]:
    parse = group.parse
    # Many a past is tagged as a participle.
    tags = {parse.tags[group.finite], "VBN" if group.kind == "verb" else ""}
    found = [index for index in range(group.finite + 1, _end(group)) if parse.tags[index] in tags and _is_joined(group, index)]
    if parse.children(group.head, "aux:pass"):
        # "Was fined and ordered to pay", where the tagger takes the second participle for a past.
        found = [index for index in found if word_form(parse.lemmas[index], "VBN") != parse.word(index)]
    # After a comma a participle is none of these, unless more of them follow.
    last = max((index for index in found if parse.tags[index] != "VBN" or parse.tokens[before_adverbs(parse, index)] != ","), default=0)
    return [index for index in found if index <= last]


def _end(group: VerbGroup) -> int:
    """Return where a "but", a semicolon or another main clause stands, whose verbs are none of these: "He left, she stayed and waited"."""
    bounds = (*group.parse.indices_of("but", ";"), *clauses_beside(group.parse, group.head))
    return min((index for index in bounds if index > group.finite), default=len(group.parse))


def _is_listed(parse: Parse, verb: int) -> bool:
    """Tell whether a verb follows a conjunction or a comma."""
    before = before_adverbs(parse, verb)
    return parse.tags[before] == "CC" or parse.tokens[before] == ","


def _is_joined(group: VerbGroup, index: int) -> bool:
    parse = group.parse
    *path, root = parse.path(index)
    # In a list of more than two, the second verb is often taken for a parenthesis: "He rose, went out and waved."
    is_main = all(parse.has_label(step, "conj", "parataxis") or not parse.tags[step].startswith("VB") for step in path)
    has_own = any(parse.children(step, "nsubj", "expl", "aux", "cop") for step in path)
    is_sure = parse.tags[index] != "VBN" or _is_listed(parse, index)
    return parse.has_label(index, "conj", "parataxis") and is_main and not has_own and root == group.head and is_sure
