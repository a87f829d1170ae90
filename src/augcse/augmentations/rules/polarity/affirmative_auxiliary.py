"""AffirmativeAuxiliary of SDA: the verb of the main clause under "have to" or "cannot but"."""

from __future__ import annotations

from random import Random
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.chinese import clause as chinese
from augcse.augmentations.english.auxiliary import AUXILIARY_REFUSALS, imperative_under
from augcse.augmentations.english.clause import VERB_WORDS
from augcse.augmentations.english.joined_verbs import with_joined_verbs
from augcse.augmentations.english.main_clause import main_verb_group
from augcse.augmentations.english.noun_kinds import first_kind
from augcse.augmentations.english.verb_group import VerbGroup, asks_what_is, asks_which, is_request, spaced
from augcse.augmentations.option_types import PaperFidelity
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.edits import Edit, apply_edits, edited, match_case

Auxiliary = Literal["any", "have to", "cannot but", "cannot help but"]
# The paper's list, which ends in "etc."; its "can't help to" is not English.
_PUBLISHED = ("have to", "can't but", "can't help to")
_AUXILIARIES = ("have to", "cannot but", "cannot help but")
# Modals that stay before "have to", which replaces the others.
_FUTURE = frozenset({"will", "would", "shall"})
_FREE_CHOICE = frozenset("any anybody anyone anything anytime anywhere either whatever whenever".split())
# Kinds of nouns that can be allowed to act; pronouns and names have the kind "".
_MAY_ACT = frozenset({"noun.person", "noun.group", ""})
_LIMITING = frozenset({"few", "little", "not", "only"})


def _is_perfect_or_progressive(group: VerbGroup) -> bool:
    auxiliaries = (group.parse.word(verb) for verb in group.verbs if verb != group.head)
    is_perfect = group.kind == "have" or not VERB_WORDS["HAVE"].isdisjoint(auxiliaries)
    return is_perfect or any(group.parse.tags[verb] == "VBG" for verb in group.verbs)


def _is_involuntary(group: VerbGroup) -> bool:
    """Return whether nobody decides on what the verb says ("be born", "seem", "need"), or it is only possible: "It may be a copy"."""
    parse, head = group.parse, group.head
    is_possible = group.word == "may" and first_kind(parse.lemmas[group.subject].lower()) not in _MAY_ACT
    verb_forms = (parse.word(head), parse.lemmas[head], f"{parse.lemmas[head]}_{parse.word(head + 1)}")
    return is_possible or not VERB_WORDS["INVOLUNTARY"].isdisjoint(verb_forms)


def _allows_any(group: VerbGroup) -> bool:
    """Return whether the clause gives a free choice, which is not an obligation: "You can leave at any time"."""
    return group.word in ("can", "may") and max(group.parse.indices_of(*_FREE_CHOICE), default=0) > group.finite


def _perceives(group: VerbGroup) -> bool:
    """Return whether the clause has an active verb of perception or knowledge ("see", "know"), which nobody decides on."""
    return group.parse.lemmas[group.head] in VERB_WORDS["PERCEIVING"] and not group.parse.children(group.head, "aux:pass")


def _limits_subject(group: VerbGroup) -> bool:
    """Return whether the clause holds only for some: "Only members can vote" does not oblige them to."""
    words = map(group.parse.word, range(group.parse.first(group.subject), group.subject + 1))
    return not _LIMITING.isdisjoint(words)


def _has_doubtful_number(group: VerbGroup) -> bool:
    """Return whether the number of "has to" is in doubt; it has none in the past and after "will"."""
    return group.plural is None and not group.past and group.word not in _FUTURE


_REFUSALS = (
    *AUXILIARY_REFUSALS,
    Refusal("asks what or where a thing is", "What is the reason?", asks_what_is),
    Refusal("asks whether there is one", "Is there a way?", lambda group: group.asks and group.parse.tags[group.subject] == "EX"),
    Refusal("perfect or in progress", "He has walked home.", _is_perfect_or_progressive),
    # It may be past or future, so neither "had to" nor "has to" is safe.
    Refusal("modal of an open time", "It could rain.", lambda group: group.word in ("could", "might")),
    Refusal("request, or question for permission", "Will you shut it?", is_request),
    Refusal("only, few or not many", "Few people live there.", _limits_subject),
    Refusal("free choice", "You can leave at any time.", _allows_any),
    Refusal("what somebody perceives", "I can see the sea.", _perceives),
    Refusal("asks for a choice", "Is it you or the trailer?", asks_which),
    Refusal("subject that may be singular or plural", "Most can swim.", _has_doubtful_number),
    Refusal("what nobody decides", "He died at home.", _is_involuntary),
)


@augmentation(
    "AffirmativeAuxiliary",
    family="polarity",
    meaning="possible_alteration",
    source="SDA (Mao et al. 2022), Algorithm 2",
    needs=("parse",),
    languages=("en", "zh"),
    example=Example(
        "A shareholder may transfer its Shares only with the prior written consent of the Company.",
        "A shareholder has to transfer its Shares only with the prior written consent of the Company.",
        seed=5,
    ),
    refusals=_REFUSALS,
)
def affirmative_auxiliary(
    parse: Parse, rng: Random, *, fidelity: PaperFidelity = "grammatical", auxiliary: Auxiliary = "any"
) -> str | None:
    """Put an affirmative auxiliary ("have to", "cannot but") before the main verb, "You have to" or "Be sure to" before an imperative.

    The auxiliary is drawn from have to, cannot but, cannot help but (`auxiliary`: one of them, or any) and takes the number and tense of
    the verb ("walks" -> "has to walk", "was" -> "had to be"). A passive, a predicate, "have", a clause with a modal, and questions take
    only "have to" ("Do you have to like it?", "How can I win?" -> "What do I have to do to win?"); with another `auxiliary` they are left
    alone. It replaces can, may, must and should, as in the paper's Table 1; will and would stay ("will have to go"). Deviation: the paper
    does not mention imperatives; its algorithm writes "can't but close it.". Chinese: 必须, 不得不, 一定要 before a verb of action, 一定,
    肯定 before 是, 有, adjectives and verbs with 了, 着, 过; they replace 可以, 应该 and the like.
    `fidelity="paper"` is Algorithm 2 as printed (English; Chinese has one form): the first form of "be" anywhere, or the root verb,
    becomes the auxiliary and the lemma without agreement, and modals stay ("may have to transfer"). Its list is "have to",
    "can't but", "can't help to".
    """
    if parse.language == "zh":
        return chinese.affirm(parse, rng)
    if fidelity == "paper":
        return _as_published(parse, rng.choice(_PUBLISHED))
    drawn = rng.choice(_AUXILIARIES) if auxiliary == "any" else auxiliary
    group = main_verb_group(parse)
    if group is None or refused(_REFUSALS, group):
        return None
    # "You cannot but go" is hardly an imperative, and written only if the option asks for it.
    takes_any = auxiliary != "any" if group.mood == "imperative" else _states_action(group)
    if not takes_any and auxiliary not in ("any", "have to"):
        return None
    return edited(parse.text, _affirmed(group, drawn if takes_any else "have to", rng))


def _states_action(group: VerbGroup) -> bool:
    """Return whether the clause states what somebody does, and so takes "cannot but", unlike states, passives and modals."""
    is_state = group.lemma in ("be", "have") or group.parse.children(group.head, "expl")
    return not group.asks and group.kind != "modal" and not is_state


def _as_published(parse: Parse, auxiliary: str) -> str | None:
    """Return the sentence with the auxiliary by Algorithm 2: at the first be-verb, or the root if it is a verb; None without either."""
    for index, token in enumerate(parse.tokens):
        is_be = token.lower() in VERB_WORDS["BE"] and parse.lemmas[index].lower() == "be"
        if is_be or (parse.heads[index] == index and parse.upos[index] == "VERB"):
            base = "be" if is_be else parse.lemmas[index]
            return apply_edits(parse.text, [Edit(*parse.span(index), spaced(parse, index, f"{auxiliary} {base}"))])
    return None


def _affirmed(group: VerbGroup, auxiliary: str, rng: Random) -> list[Edit]:
    """Return the edits that put the auxiliary before the verb of the clause; none if the lemma is in doubt or "how" asks otherwise."""
    if group.mood == "imperative":
        return imperative_under(group, rng.choice(("You have to", "Be sure to")) if auxiliary == "have to" else f"You {auxiliary}")
    base = "" if group.kind in ("modal", "do") else group.lemma
    if base is None:
        return []
    is_future = group.word in _FUTURE
    if group.mood == "question":
        first_word = group.parse.tokens[0]
        finite = group.word if is_future else group.do_form
        if first_word.lower() != "how":
            return group.rewritten(finite, f"have to {base}".rstrip())
        # "How do I have to do it?" would take the way as given, and not ask for it.
        what = Edit(0, len(first_word), match_case(first_word, "what"))
        return [what, *group.rewritten(finite, "have to do to")] if group.finite == 1 else []
    # An adverb comes between a modal and "have to", but before "had to": "will also have to be made", "also had to be made".
    edits = group.rewritten(group.word, "have to") if is_future else group.rewritten(_conjugated(group, auxiliary), base)
    return with_joined_verbs(group, edits)


def _conjugated(group: VerbGroup, auxiliary: str) -> str:
    if auxiliary != "have to":
        return auxiliary.replace("cannot", "could not") if group.past else auxiliary
    if group.past:
        return "had to"
    return "have to" if group.plural else "has to"
