"""AffirmativeAuxiliary of SDA, and ModalVerbs of its later version: the verb of the main clause under another auxiliary."""

from __future__ import annotations

from random import Random
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.chinese import clause as chinese
from augcse.augmentations.english.clause import FINITE_TAGS, VERB_WORDS, bare_conjuncts
from augcse.augmentations.english.inflection import verb_lemma
from augcse.augmentations.english.verb_group import (
    VerbGroup,
    asks_what_is,
    is_negated,
    is_reduced_passive,
    joined_verbs,
    main_verb_group,
    participle,
    spaced,
)
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.edits import Edit, apply_edits, match_case

Fidelity = Literal["grammatical", "paper"]
Auxiliary = Literal["any", "have to", "cannot but", "cannot help but"]
# The paper's list, which ends in "etc."; its "can't help to" is no English.
_PRINTED = ("have to", "can't but", "can't help to")
_AUXILIARIES = ("have to", "cannot but", "cannot help but")
_FUTURE = {"will": "will", "wo": "will", "'ll": "will", "’ll": "will", "would": "would", "'d": "would", "’d": "would", "shall": "shall"}
_ALLOWING = frozenset({"can", "may"})
_OPEN_TIME = frozenset({"could", "might"})
_CONDITIONS = frozenset({"if", "unless"})
_ASKING = frozenset({"can", "may", "shall", "will", "would"})
# "Had better", "would rather".
_PREFERRING = frozenset({"had", "would", "'d", "’d"})
_PRESENT_POOL = ("can", "could", "may", "might", "must", "should", "will", "would")
_PERFECT_POOL = ("could", "may", "might", "must", "should", "would")
# Nobody asks "May people believe it?" of what may be so, nor "What must be the reason?".
_NOT_ASKED = frozenset({"may", "must"})
_ABOUT_WHAT_IS = ("could", "might", "will", "would")
_IMPERATIVE_POOL = ("can", "could", "may", "might", "must", "should")
_FORCE = {
    "can": "possible", "could": "possible", "may": "possible", "might": "possible", "must": "necessary", "shall": "necessary",
    "should": "necessary", "will": "future", "'ll": "future", "’ll": "future", "would": "future",
}  # fmt: skip


def _has_semi_modal(group: VerbGroup) -> bool:
    parse = group.parse
    following = parse.word(group.finite + 1)
    if (following == "to" and group.word in VERB_WORDS["SEMI_MODAL"]) or (following in ("better", "rather") and group.word in _PREFERRING):
        return True
    if (following, parse.word(group.finite + 2)) in (("going", "to"), ("have", "to")):
        return True
    # "It is expected to rise."
    complements = parse.children(group.head, "xcomp") if group.kind == "be" and parse.tags[group.head] == "VBN" else []
    if any(parse.tags[child] == "TO" for index in complements for child in parse.children(index)):
        return True
    # "Did you have to go?"
    return group.mood != "statement" and parse.lemmas[group.head] in ("have", "need", "use") and bool(parse.children(group.head, "xcomp"))


def _has_adverb_of_degree(group: VerbGroup) -> bool:
    return any(group.parse.word(group.finite + side) in VERB_WORDS["DEGREE"] for side in (-1, 1))


def _says_how_certain(group: VerbGroup) -> bool:
    return any(group.parse.word(index) in VERB_WORDS["CERTAINTY"] for index in (group.head, *group.parse.children(group.head, "advmod")))


def _leaves_other_auxiliary(group: VerbGroup) -> bool:
    """Tell whether another verb of the subject has an auxiliary of its own, which would be left in its tense."""
    parse = group.parse
    others = (index for index in parse.children(group.head, "conj") if not parse.children(index, "nsubj", "expl"))
    return any(parse.tags[verb] in FINITE_TAGS for other in others for verb in parse.children(other, "aux", "cop"))


def _is_in_progress(group: VerbGroup) -> bool:
    """Tell whether nothing may stand before the passive: nobody says "must be being built"."""
    return any(group.parse.word(verb) == "being" for verb in group.verbs)


def _is_perfect_or_progressive(group: VerbGroup) -> bool:
    auxiliaries = (verb for verb in group.verbs[1:] if verb != group.head)
    is_perfect = group.kind == "have" or any(group.parse.word(verb) == "have" for verb in auxiliaries)
    return is_perfect or any(group.parse.tags[verb] == "VBG" for verb in group.verbs)


def _has_modal_of_open_time(group: VerbGroup) -> bool:
    """Tell whether the modal may be past or of now, so that neither "had to" nor "has to" is safe; a condition before it decides."""
    parse = group.parse
    clauses = (clause for clause in parse.children(group.head, "advcl") if clause < group.head)
    marks = (parse.word(mark) for clause in clauses for mark in parse.children(clause, "mark"))
    return group.word in _OPEN_TIME and (group.mood != "statement" or _CONDITIONS.isdisjoint(marks))


def _says_what_is_needed(group: VerbGroup) -> bool:
    return group.parse.lemmas[group.head] in ("need", "want")


def _asks_for_permission(group: VerbGroup) -> bool:
    """Tell whether the question is a request, or asks for permission."""
    return group.mood == "question" and not group.finite and group.word in _ASKING and group.parse.word(group.subject) in ("i", "we", "you")


def _asks_whether_there_is(group: VerbGroup) -> bool:
    return group.mood == "question" and bool(group.parse.children(group.head, "expl"))


def _tells_a_deed_or_quality(group: VerbGroup) -> bool:
    """Tell whether the clause tells what somebody does or how something is: nobody "cannot but" be chosen, or be a village in Iran."""
    parse, head = group.parse, next(iter(group.parse.children(group.head, "acomp")), group.head)
    if parse.lemmas[head] == "be" or (parse.tags[head] == "VBN" and group.lemma == "be") or parse.children(head, "aux:pass"):
        return False
    return not parse.children(head, "cop", "expl") or (parse.tags[head].startswith("JJ") and not parse.children(head, "case"))


REFUSALS = (
    Refusal("negated", "He does not walk.", is_negated),
    Refusal("has its modal already", "He used to live here.", _has_semi_modal),
    Refusal("beside an adverb of degree", "He almost fell.", _has_adverb_of_degree),
    Refusal("perhaps a participle of a headline", "Motorists killed after tunnel collapses", is_reduced_passive),
    Refusal("says how certain it is", "He probably walks.", _says_how_certain),
    Refusal("beside a verb with an auxiliary of its own", "He sings, dances and is loved.", _leaves_other_auxiliary),
)
_MODAL_REFUSALS = (*REFUSALS, Refusal("passive in progress", "The house is being built.", _is_in_progress))
_AFFIRMED_REFUSALS = (
    *REFUSALS,
    Refusal("asks what or where a thing is", "What is the reason?", asks_what_is),
    Refusal("asks whether there is one", "Is there a way?", _asks_whether_there_is),
    Refusal("perfect or in progress", "He has walked home.", _is_perfect_or_progressive),
    Refusal("modal of an open time", "It could rain.", _has_modal_of_open_time),
    Refusal("says what is needed or wanted", "He wants a house.", _says_what_is_needed),
    Refusal("request, or question for permission", "Will you shut it?", _asks_for_permission),
)


@augmentation(
    "AffirmativeAuxiliary",
    family="polarity",
    meaning="possible_alteration",
    source="SDA (Zhu et al. 2022), Algorithm 2",
    needs=("parse",),
    languages=("en", "zh"),
    example=Example(
        "A shareholder may transfer its Shares only with the prior written consent of the Company.",
        "A shareholder has to transfer its Shares only with the prior written consent of the Company.",
        seed=5,
    ),
    refusals=_AFFIRMED_REFUSALS,
)
def affirmative_auxiliary(parse: Parse, rng: Random, *, fidelity: Fidelity = "grammatical", auxiliary: Auxiliary = "any") -> str | None:
    """Put an affirmative auxiliary ("have to", "cannot but") before the verb of the main clause: "walks" -> "has to walk".

    The auxiliary is drawn from have to, cannot but, cannot help but (`auxiliary`: one of them, or any) and takes number and tense of the
    verb it stands before ("was" -> "had to be"). A passive, what a thing is, what may be, and questions take "have to" alone ("Do you
    have to like it?", "How can I win?" -> "What do I have to do to win?"); with another `auxiliary` they are left alone. Can, may, must and
    should give way to it, as in the paper's Table 1, "could" under a condition to "would have to"; will and would stay ("will have to go").
    An imperative becomes "You have to go", or is said with "Be sure to". Chinese: 必须, 不得不, 一定要 before a verb of doing, 一定, 肯定
    before 是, 有, adjectives and verbs with 了, 着, 过; 可以, 应该 and the like give way.
    `fidelity="paper"` is Algorithm 2 as printed (English; Chinese has one form): the first form of "be" wherever it stands,
    or the root verb, becomes the auxiliary and the lemma with no agreement, and modals stay ("may have to transfer"). Its
    list is "have to", "can't but", "can't help to".
    """
    if parse.language == "zh":
        return chinese.affirm(parse, rng)
    if fidelity == "paper":
        return _as_printed(parse, rng.choice(_PRINTED))
    drawn = rng.choice(_AUXILIARIES) if auxiliary == "any" else auxiliary
    group = main_verb_group(parse)
    if group is None or refused(_AFFIRMED_REFUSALS, group):
        return None
    takes_any = group.mood == "imperative" or (not group.asks and _tells_a_deed_or_quality(group) and group.word not in _ALLOWING)
    if not takes_any and auxiliary not in ("any", "have to"):
        return None
    edits = _affirmed(group, drawn if takes_any else "have to", rng)
    return apply_edits(parse.text, edits) if edits else None


def _as_printed(parse: Parse, auxiliary: str) -> str | None:
    """Algorithm 2 to the letter: the first token that is a be-verb, or a verb and the root."""
    for index, token in enumerate(parse.tokens):
        is_be = token.lower() in VERB_WORDS["BE"] and parse.lemmas[index].lower() == "be"
        if is_be or (parse.heads[index] == index and parse.upos[index] == "VERB"):
            base = "be" if is_be else parse.lemmas[index]
            return apply_edits(parse.text, [Edit(parse.starts[index], parse.end(index), spaced(parse, index, f"{auxiliary} {base}"))])
    return None


def _affirmed(group: VerbGroup, auxiliary: str, rng: Random) -> list[Edit]:
    if group.mood == "imperative":
        return _imperative(group, rng.choice(("You have to", "Be sure to")) if auxiliary == "have to" else f"You {auxiliary}")
    base = "" if group.kind in ("modal", "do") else group.lemma
    if base is None:
        return []
    if group.mood == "question":
        finite = _FUTURE.get(group.word, group.do_form)
        asked = group.parse.tokens[0]
        if asked.lower() != "how" or group.finite != 1:
            return group.rewritten(finite, f"have to {base}".rstrip())
        # Not "How do I have to do it?": the way would be given, and not asked for.
        what = Edit(0, len(asked), match_case(asked, "what"))
        return [] if group.kind == "be" else [what, *group.rewritten(finite, "have to do to")]
    # "Was also made": "also had to be made"; but "will also be made" keeps its first word first.
    adverb_first = "but" in auxiliary or group.word not in _FUTURE
    return _with_joined(group, group.rewritten(_conjugated(group, auxiliary), base, adverb_first=adverb_first))


def _with_joined(group: VerbGroup, edits: list[Edit], *, perfect: bool = False) -> list[Edit]:
    """Return the edits with those for the verbs that are coordinated with the finite one; none at all if a form is in doubt."""
    parse = group.parse
    tag = "VBD" if group.past else parse.tags[group.finite]
    joined = {index: verb_lemma(parse.word(index), tag, parse.lemmas[index]) for index in joined_verbs(group)}
    forms = {index: participle(lemma) if lemma and perfect else lemma for index, lemma in joined.items()}
    return (
        [*edits, *(Edit(parse.starts[index], parse.end(index), form) for index, form in forms.items() if form)]
        if all(forms.values())
        else []
    )


def _imperative(group: VerbGroup, opening: str) -> list[Edit]:
    """Return the edit that puts an opening before the verb of an imperative; a subject none after "please" and the like."""
    parse, verb = group.parse, group.inner
    word = parse.tokens[verb]
    if group.finite != verb or (verb and opening.startswith("You")):
        return []
    return [Edit(parse.starts[verb], parse.end(verb), match_case(word, opening.lower()) + " " + word.lower())]


def _conjugated(group: VerbGroup, auxiliary: str) -> str:
    if auxiliary != "have to":
        is_past = group.past or group.word in _OPEN_TIME or _FUTURE.get(group.word) == "would"
        return auxiliary.replace("cannot", "could not") if is_past else auxiliary
    if group.word in _FUTURE:
        return _FUTURE[group.word] + " have to"
    if group.word in _OPEN_TIME:
        return "would have to"
    return "had to" if group.past else "has to" if group.third else "have to"


@augmentation(
    "ModalVerbs",
    family="polarity",
    meaning="alteration",
    source="SDA (Zhu et al. 2024, arXiv v3), modal verbs",
    needs=("parse",),
    example=Example(
        "A shareholder may transfer its Shares only with the prior written consent of the Company.",
        "A shareholder must transfer its Shares only with the prior written consent of the Company.",
        seed=2,
    ),
    refusals=_MODAL_REFUSALS,
)
def modal_verbs(parse: Parse, rng: Random) -> str | None:
    """Change how certain or binding the main clause is: exchange its modal verb, or give it one ("walks" -> "might walk").

    A modal gives way to one of another force (possible: can, could, may, might; necessary: must, should; future: will,
    would), a verb without one gets one; a past becomes a perfect ("walked" -> "might have walked"). "Do you walk?" becomes "Might you
    walk?", "Walk." becomes "You might walk." The later version of the paper pairs such sentences as positives too; what happened and
    what might have happened are not the same, hence the label.
    """
    group = main_verb_group(parse)
    if group is None or refused(_MODAL_REFUSALS, group):
        return None
    if group.mood == "imperative":
        edits = _imperative(group, f"You {rng.choice(_IMPERATIVE_POOL)}")
    else:
        edits = _exchanged(group, rng) if group.kind == "modal" else _under_modal(group, rng)
    return apply_edits(parse.text, edits) if edits else None


def _exchanged(group: VerbGroup, rng: Random) -> list[Edit]:
    force = _FORCE.get(group.word)
    is_perfect = group.parse.tokens[group.verbs[1]].lower() == "have"
    pool = [modal for modal in _asked(group, _PERFECT_POOL if is_perfect else _PRESENT_POOL) if _FORCE[modal] != force]
    return group.rewritten(rng.choice(pool)) if force else []


def _asked(group: VerbGroup, pool: tuple[str, ...]) -> tuple[str, ...]:
    """Return the modals of a pool that the clause may have, be it a question."""
    if asks_what_is(group):
        return _ABOUT_WHAT_IS
    return tuple(modal for modal in pool if modal not in _NOT_ASKED) if group.asks else pool


def _under_modal(group: VerbGroup, rng: Random) -> list[Edit]:
    if group.kind == "do":
        return _for_do(group, rng)
    if group.lemma is None:
        return []
    perfect = _asked(group, _PERFECT_POOL)
    if group.kind == "have":
        return group.rewritten(rng.choice(perfect), "have")
    if not group.past:
        # Not "can be heating up": of what may be so, one says "could".
        pool = _asked(group, _PRESENT_POOL if group.mood == "question" else _PRESENT_POOL[1:])
        return _with_joined(group, group.rewritten(rng.choice(pool), group.lemma))
    done = group.past_participle
    return _with_joined(group, group.rewritten(rng.choice(perfect), f"have {done}"), perfect=True) if done else []


def _for_do(group: VerbGroup, rng: Random) -> list[Edit]:
    """Return the edits for a modal in place of "do" ("Do you like it?"), with a perfect for a past ("Did you like it?")."""
    parse, verb = group.parse, group.verbs[1]
    if group.mood != "question":
        return []
    if not group.past:
        return group.rewritten(rng.choice(_asked(group, _PRESENT_POOL)))
    verbs = (verb, *bare_conjuncts(parse, verb))
    done = [participle(parse.tokens[index]) for index in verbs]
    if None in done:
        return []
    perfect = [
        Edit(parse.starts[index], parse.end(index), f"{'have ' * (index == verb)}{form}") for index, form in zip(verbs, done, strict=True)
    ]
    return [*group.rewritten(rng.choice(_asked(group, _PERFECT_POOL))), *perfect]
