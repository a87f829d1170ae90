"""What the rules that put an auxiliary before the main verb share: their refusals, and the edits of an imperative."""

from __future__ import annotations

from augcse.augmentations.english.clause import FINITE_TAGS, VERB_WORDS, is_semi_modal, missed_present, sharing_conjuncts, verb_tag
from augcse.augmentations.english.verb_group import VerbGroup, is_reduced_passive, negations
from augcse.augmentations.refusals import Refusal
from augcse.augmentations.text.edits import Edit, match_case


def is_negated(group: VerbGroup) -> bool:
    """Return whether a negative word denies the clause: it depends on its verb or on a phrase beside it, not on an adverbial clause."""
    parse = group.parse
    negatable = {*group.verbs, group.head, *parse.children(group.head)} - {*parse.children(group.head, "advcl")}
    return any(parse.heads[negation] in negatable and parse.deps[negation] != "discourse" for negation in negations(parse))


def _has_semi_modal(group: VerbGroup) -> bool:
    parse = group.parse
    is_obliged = (parse.word(group.finite + 1), parse.word(group.finite + 2)) == ("have", "to")
    is_future = parse.word(group.finite + 1) == "going" and parse.tag(group.finite + 2) == "TO"  # not "is going to Rome"
    if is_semi_modal(parse, group.finite) or is_obliged or is_future:
        return True
    # A passive with an infinitive acts as a modal too: "It is expected to rise."
    complements = parse.children(group.head, "xcomp") if group.kind == "be" and parse.tags[group.head] == "VBN" else []
    return any(parse.tags[child] == "TO" for index in complements for child in parse.children(index))


def _says_how_certain(group: VerbGroup) -> bool:
    return any(group.parse.word(index) in VERB_WORDS["CERTAINTY"] for index in (group.head, *group.parse.children(group.head, "advmod")))


def _leaves_other_auxiliary(group: VerbGroup) -> bool:
    """Return whether a coordinated verb would keep its tense: it has its own finite auxiliary, or is a present after another."""
    parse, others = group.parse, sharing_conjuncts(group.parse, group.head)
    if group.kind == "have" and missed_present(parse) is not None:
        return True
    if group.kind in ("have", "modal") and any(verb_tag(parse, other) in ("VBP", "VBZ") for other in others):
        return True
    auxiliaries = (verb for other in others for verb in parse.children(other, "aux", "cop"))
    return any(parse.tags[verb] in FINITE_TAGS for verb in auxiliaries)


AUXILIARY_REFUSALS = (
    Refusal("negated", "He does not walk.", is_negated),
    Refusal("has its modal already", "He used to live here.", _has_semi_modal),
    Refusal("beside an adverb of degree", "He almost fell.", lambda group: not VERB_WORDS["DEGREE"].isdisjoint(group.adverbs)),
    Refusal("perhaps a participle of a headline", "Woman charged with murder of son", is_reduced_passive),
    Refusal("says how certain it is", "He probably walks.", _says_how_certain),
    Refusal("beside a verb with an auxiliary of its own", "He sings, dances and is loved.", _leaves_other_auxiliary),
)


def imperative_under(group: VerbGroup, opening: str) -> list[Edit]:
    """Return the edit that puts an opening before an imperative; none where "You ..." would follow "please" or "do"."""
    parse, verb = group.parse, group.head
    word = parse.tokens[verb]
    if verb and opening.startswith("You") and (parse.token(verb - 1) != "," or parse.word(verb - 2) in ("please", "do")):
        return []
    return [Edit(*parse.span(verb), match_case(word, opening.lower()) + " " + word.lower())]
