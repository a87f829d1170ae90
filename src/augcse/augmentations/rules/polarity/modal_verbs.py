"""ModalVerbs of SDA's later version: the verb of the main clause under another modal verb."""

from __future__ import annotations

from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.auxiliary import AUXILIARY_REFUSALS, imperative_under
from augcse.augmentations.english.clause import bare_conjuncts, clauses_beside, verbs_of
from augcse.augmentations.english.inflection import word_form
from augcse.augmentations.english.joined_verbs import with_joined_verbs
from augcse.augmentations.english.verb_group import VerbGroup, asks_what_is, is_request, main_verb_group
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.edits import Edit, edited

_FORCE = {
    "can": "possible", "could": "possible", "may": "possible", "might": "possible", "must": "necessary", "should": "necessary",
    "will": "future", "would": "future",
}  # fmt: skip
_NO_PERFECT = frozenset({"can", "will"})
# Nobody asks "May people believe it?" of what may be so, nor "What must be the reason?".
_NOT_ASKED = frozenset({"may", "must"})
_ABOUT_WHAT_IS = ("could", "might", "will", "would")
# What did not happen: "could have", "should have", "would have".
_UNREAL = frozenset({"could", "should", "would"})
_NOT_UNDER_CONDITION = frozenset({"can", "may", "must", "will"})


_REFUSALS = (
    *AUXILIARY_REFUSALS,
    # Nobody says "must be being built".
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
    """Change how certain or binding the main clause is: exchange its modal verb, or give it one ("walks" -> "might walk").

    A modal gives way to one of another force (possible: can, could, may, might; necessary: must, should; future: will,
    would), a verb without one gets one; a past becomes a perfect ("walked" -> "might have walked"). "Do you walk?" becomes "Might you
    walk?", "Walk." becomes "You might walk." The later version of the paper pairs such sentences as positives too; what happened and
    what might have happened are not the same, hence the label.
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
    """Return the modals that the clause may have, be it a question."""
    if asks_what_is(group):
        return list(_ABOUT_WHAT_IS)
    if group.asks:
        unfit |= _NOT_ASKED
    elif _has_unreal_condition(group):
        unfit |= _NOT_UNDER_CONDITION
    else:
        unfit |= {"would"}  # which hangs loose without a condition
    return [modal for modal in _FORCE if modal not in unfit]


def _fitting_perfect(group: VerbGroup) -> list[str]:
    """Return the modals for a past; where another clause goes on from what happened, those that leave it open whether it did."""
    goes_on = clauses_beside(group.parse, group.head)  # "He lost it, and I am sorry"
    return _fitting(group, _NO_PERFECT | _UNREAL if goes_on else _NO_PERFECT)


def _has_unreal_condition(group: VerbGroup) -> bool:
    """Tell whether the clause holds under a condition in the past: "If it rained, he would stay"; not "if it rains", "if possible"."""
    parse = group.parse
    clauses = (clause for clause in parse.children(group.head, "advcl") if "if" in map(parse.word, parse.children(clause, "mark")))
    return any(parse.tags[verbs_of(parse, clause)[0]] == "VBD" for clause in clauses)


def _under_modal(group: VerbGroup, rng: Random) -> list[Edit]:
    if group.kind == "do":
        return _for_do(group, rng)
    if group.lemma is None:
        return []
    if group.kind == "have":
        return group.rewritten(rng.choice(_fitting_perfect(group)), "have")
    if not group.past:
        # Not "can be heating up": of what may be so, one says "could".
        fitting = _fitting(group, frozenset() if group.mood == "question" else frozenset({"can"}))
        return with_joined_verbs(group, group.rewritten(rng.choice(fitting), group.lemma))
    if group.past_participle is None:
        return []
    edits = group.rewritten(rng.choice(_fitting_perfect(group)), f"have {group.past_participle}")
    return with_joined_verbs(group, edits, perfect=True)


def _for_do(group: VerbGroup, rng: Random) -> list[Edit]:
    """Return the edits for a modal in place of "do" ("Do you like it?"), with a perfect for a past ("Did you like it?")."""
    parse, verb = group.parse, group.verbs[1]
    if group.mood != "question":
        return []
    if not group.past:
        return group.rewritten(rng.choice(_fitting(group)))
    verbs = (verb, *bare_conjuncts(parse, verb))
    done = [word_form(parse.tokens[index], "VBN") for index in verbs]
    if None in done:
        return []
    perfect = [Edit(*parse.span(index), f"{'have ' * (index == verb)}{form}") for index, form in zip(verbs, done, strict=True)]
    return [*group.rewritten(rng.choice(_fitting_perfect(group))), *perfect]
