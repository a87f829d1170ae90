"""ModalVerbs of SDA's later version: the verb of the main clause under another modal verb."""

from __future__ import annotations

from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.auxiliary import AUXILIARY_REFUSALS, imperative_under
from augcse.augmentations.english.clause import bare_conjuncts, clauses_beside, first_verb
from augcse.augmentations.english.conjunctions import links
from augcse.augmentations.english.inflection import word_form
from augcse.augmentations.english.joined_verbs import with_joined_verbs
from augcse.augmentations.english.main_clause import main_verb_group
from augcse.augmentations.english.verb_group import VerbGroup, asks_what_is, is_request
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.edits import Edit, edited

_FORCE = {
    "can": "possible", "could": "possible", "may": "possible", "might": "possible", "must": "necessary", "should": "necessary",
    "will": "future", "would": "future",
}  # fmt: skip
_NO_PERFECT = frozenset({"can", "will"})
# A question does not ask with them how probable something is: "May people believe it?", "What must be the reason?".
_NOT_ASKED = frozenset({"may", "must"})
_ABOUT_WHAT_IS = ("could", "might", "will", "would")
# With "have" they say what did not happen: "could have", "should have", "would have".
_UNREAL = frozenset({"could", "should", "would"})
_NOT_UNDER_CONDITION = frozenset({"can", "may", "must", "will"})
_REFUSALS = (
    *AUXILIARY_REFUSALS,
    # "Must be being built" is hardly English.
    Refusal("passive in progress", "The house is being built.", lambda group: "being" in map(group.parse.word, group.verbs)),
    Refusal("request", "Could you shut it?", is_request),
)


@augmentation(
    "ModalVerbs",
    family="polarity",
    meaning="alteration",
    source="SDA (Mao et al. 2022), modal verbs of its published version (Zhu et al. 2024)",
    needs=("parse",),
    example=Example(
        "A shareholder may transfer its Shares only with the prior written consent of the Company.",
        "A shareholder must transfer its Shares only with the prior written consent of the Company.",
        seed=2,
    ),
    refusals=_REFUSALS,
)
def modal_verbs(parse: Parse, rng: Random) -> str | None:
    """Change how certain or binding the main clause is: replace its modal verb, or add one ("walks" -> "might walk").

    A modal is replaced by one of another force (possible: can, could, may, might; necessary: must, should; future: will,
    would), a verb without one gets one; a past tense becomes a perfect ("walked" -> "might have walked"). "Do you walk?" becomes
    "Might you walk?", "Walk." becomes "You might walk." The later version of the paper uses such pairs as positives too; they are
    labelled alterations here, since what might have happened need not have happened.
    """
    group = main_verb_group(parse)
    if group is None or refused(_REFUSALS, group):
        return None
    if group.mood == "imperative":
        edits = imperative_under(group, f"You {rng.choice([modal for modal, force in _FORCE.items() if force != 'future'])}")
    else:
        edits = _exchanged(group, rng) if group.kind == "modal" else _under_modal(group, rng)
    return edited(parse.text, edits)


def _exchanged(group: VerbGroup, rng: Random) -> list[Edit]:
    force = "necessary" if group.word == "shall" else _FORCE.get(group.word)
    fitting = _fitting_perfect(group) if group.parse.word(group.verbs[1]) == "have" else _fitting(group)
    return group.rewritten(rng.choice([modal for modal in fitting if _FORCE[modal] != force]))


def _fitting(group: VerbGroup, unfit: frozenset[str] = frozenset()) -> list[str]:
    """Return the modals that the clause may take, without the `unfit` ones."""
    if asks_what_is(group):
        return list(_ABOUT_WHAT_IS)
    if group.asks:
        unfit |= _NOT_ASKED
    elif _has_unreal_condition(group):
        unfit |= _NOT_UNDER_CONDITION
    else:
        unfit |= {"would"}  # it needs a condition
    return [modal for modal in _FORCE if modal not in unfit]


def _fitting_perfect(group: VerbGroup) -> list[str]:
    """Return the modals for a past tense; with a joined clause that takes it as a fact, those that leave open whether it happened."""
    has_joined_clause = clauses_beside(group.parse, group.head)  # "He lost it, and I am sorry"
    return _fitting(group, _NO_PERFECT | _UNREAL if has_joined_clause else _NO_PERFECT)


def _has_unreal_condition(group: VerbGroup) -> bool:
    """Return whether the clause has a condition in the past tense: "If it rained, he would stay"; not "if it rains", "if possible"."""
    parse = group.parse
    clauses = (parse.heads[index] for index in links(parse, "condition"))
    return any(parse.heads[clause] == group.head and parse.tags[first_verb(parse, clause)] == "VBD" for clause in clauses)


def _under_modal(group: VerbGroup, rng: Random) -> list[Edit]:
    """Return the edits that give a modal to a clause without one; none if a verb form is in doubt."""
    if group.kind == "do":
        return _instead_of_do(group, rng)
    if group.lemma is None:
        return []
    if group.kind == "have":
        return group.rewritten(rng.choice(_fitting_perfect(group)), "have")
    if not group.past:
        # For a present possibility "could" is right, "can" is not: "It could be heating up".
        fitting = _fitting(group, frozenset() if group.mood == "question" else frozenset({"can"}))
        return with_joined_verbs(group, group.rewritten(rng.choice(fitting), group.lemma))
    if group.past_participle is None:
        return []
    edits = group.rewritten(rng.choice(_fitting_perfect(group)), f"have {group.past_participle}")
    return with_joined_verbs(group, edits, perfect=True)


def _instead_of_do(group: VerbGroup, rng: Random) -> list[Edit]:
    """Return the edits that replace "do" in a question, for the past with a perfect: "Did you stay?" -> "Might you have stayed?"."""
    parse, verb = group.parse, group.verbs[1]
    if group.mood != "question":
        return []
    if not group.past:
        return group.rewritten(rng.choice(_fitting(group)))
    participles = {index: word_form(parse.tokens[index], "VBN") or "" for index in (verb, *bare_conjuncts(parse, verb))}
    if not all(participles.values()):
        return []
    participles[verb] = f"have {participles[verb]}"
    perfect = [Edit(*parse.span(index), participle) for index, participle in participles.items()]
    return [*group.rewritten(rng.choice(_fitting_perfect(group))), *perfect]
