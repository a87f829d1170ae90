"""AffirmativeAuxiliary of SDA, and ModalVerbs of its later version: the verb of the main clause under another auxiliary."""

from __future__ import annotations

from random import Random
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.chinese import clause as chinese
from augcse.augmentations.english.inflection import verb_form
from augcse.augmentations.english.verb_group import VerbGroup, is_negated, main_verb_group, spaced
from augcse.augmentations.text.edits import Edit, apply_edits

Fidelity = Literal["grammatical", "paper"]
Auxiliary = Literal["any", "have to", "cannot but", "cannot help but"]
# The paper's list, which ends in "etc."; its "can't help to" is no English.
_PRINTED = ("have to", "can't but", "can't help to")
_AUXILIARIES = ("have to", "cannot but", "cannot help but")
_BE_VERBS = frozenset("am is are was were be been being 's ’s 'm ’m 're ’re".split())
# After these the verb has its modal already: "has to go", "used to go", "ought to go".
_SEMI_MODALS = frozenset("have has had use used ought need needs needed dare".split())
_FUTURE = {"will": "will", "'ll": "will", "’ll": "will", "would": "would", "'d": "would", "’d": "would", "shall": "shall"}
_PAST_MODALS = frozenset({"could"})
_PRESENT_POOL = ("can", "could", "may", "might", "must", "should", "will", "would")
_PERFECT_POOL = ("could", "may", "might", "must", "should", "would")
_FORCE = {
    "can": "possible", "could": "possible", "may": "possible", "might": "possible", "must": "necessary", "shall": "necessary",
    "should": "necessary", "will": "future", "'ll": "future", "’ll": "future", "would": "future",
}  # fmt: skip
_BEFORE_BE = frozenset("still also often always now usually generally already then thus therefore probably".split())
_ADVERBS_OF_DEGREE = frozenset("only just even merely almost nearly simply".split())


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
)
def affirmative_auxiliary(parse: Parse, rng: Random, *, fidelity: Fidelity = "grammatical", auxiliary: Auxiliary = "any") -> str | None:
    """Put an affirmative auxiliary ("have to", "cannot but") before the verb of the main clause: "walks" -> "has to walk".

    The auxiliary is drawn from have to, cannot but, cannot help but (`auxiliary`: one of them, or any) and takes number
    and tense of the verb it stands before ("was" -> "had to be"); can, could, may, might, must and should give way to it, as
    in the paper's Table 1; will and would stay ("will have to go"). Left alone: negated verbs, questions, imperatives, and
    verbs under "have to" or "used to". Chinese: 必须, 不得不, 一定要 before a verb of doing, 一定, 肯定 before 是, 有, adjectives and
    verbs with 了, 着, 过; 可以, 应该 and the like give way.
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
    return None if group is None or not _takes_auxiliary(group) else _affirm(group, drawn)


def _as_printed(parse: Parse, auxiliary: str) -> str | None:
    """Algorithm 2 to the letter: the first token that is a be-verb, or a verb and the root."""
    for index, token in enumerate(parse.tokens):
        is_be = token.lower() in _BE_VERBS and parse.lemmas[index].lower() == "be"
        if is_be or (parse.heads[index] == index and parse.upos[index] == "VERB"):
            base = "be" if is_be else parse.lemmas[index]
            return apply_edits(parse.text, [Edit(parse.starts[index], parse.end(index), spaced(parse, index, f"{auxiliary} {base}"))])
    return None


def _takes_auxiliary(group: VerbGroup) -> bool:
    parse = group.parse
    following = [token.lower() for token in parse.tokens[group.finite + 1 : group.finite + 2]]
    if parse.tokens[group.finite - 1].lower() in _ADVERBS_OF_DEGREE or is_negated(group) or (group.kind == "do" and following == ["so"]):
        return False
    if following and (following[0] == "to" and (group.word in _SEMI_MODALS or group.kind in ("be", "have"))):
        return False
    # "had better", "would rather": set phrases.
    return not (following and following[0] in ("better", "rather"))


def _affirm(group: VerbGroup, auxiliary: str) -> str | None:
    base = {"modal": "", "do": ""}.get(group.kind, group.lemma)
    if base is None:
        return None
    return apply_edits(group.parse.text, [_replaced(group, f"{_conjugated(group, auxiliary)} {base}".rstrip())])


def _conjugated(group: VerbGroup, auxiliary: str) -> str:
    past = group.past or group.word in _PAST_MODALS
    if auxiliary != "have to":
        return auxiliary.replace("cannot", "could not") if past or group.word in ("would", "might") else auxiliary
    if group.word in _FUTURE:
        return _FUTURE[group.word] + " have to"
    if past:
        return "had to"
    return "has to" if group.third else "have to"


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
)
def modal_verbs(parse: Parse, rng: Random) -> str | None:
    """Change how certain or binding the main clause is: exchange its modal verb, or give it one ("walks" -> "might walk").

    A modal gives way to one of another force (possible: can, could, may, might; necessary: must, should; future: will,
    would), a verb without one gets one; a past becomes a perfect ("walked" -> "might have walked"). Left alone: negated
    verbs, questions, imperatives. The later version of the paper pairs such sentences as positives too; what happened and
    what might have happened are not the same, hence the label.
    """
    group = main_verb_group(parse)
    if group is None or is_negated(group) or not _takes_auxiliary(group):
        return None
    edit = _exchanged(group, rng) if group.kind == "modal" else _under_modal(group, rng)
    return None if edit is None else apply_edits(parse.text, [edit])


def _exchanged(group: VerbGroup, rng: Random) -> Edit | None:
    force = _FORCE.get(group.word)
    if force is None:
        return None
    is_perfect = group.parse.tokens[group.verbs[1]].lower() == "have"
    pool = [modal for modal in (_PERFECT_POOL if is_perfect else _PRESENT_POOL) if _FORCE[modal] != force]
    return _replaced(group, rng.choice(pool))


def _under_modal(group: VerbGroup, rng: Random) -> Edit | None:
    lemma = group.lemma
    if group.kind == "do" or lemma is None:
        return None
    if group.kind == "have":
        return _replaced(group, f"{rng.choice(_PERFECT_POOL)} have")
    if not group.past:
        modal = rng.choice(_PRESENT_POOL)
        return _before_adverb(group, modal) or _replaced(group, f"{modal} {verb_form(lemma, 'VB')}")
    participle = group.past_participle
    return None if participle is None else _replaced(group, f"{rng.choice(_PERFECT_POOL)} have {participle}")


def _before_adverb(group: VerbGroup, modal: str) -> Edit | None:
    """Return the edit that puts "be" after the adverb of a copula: "are still marked" -> "can still be marked"."""
    parse, adverb = group.parse, group.finite + 1
    if group.kind != "be" or adverb + 1 >= len(parse) or parse.tokens[adverb].lower() not in _BEFORE_BE:
        return None
    edit = _replaced(group, modal)
    between = parse.text[parse.end(group.finite) : parse.end(adverb)]
    return Edit(edit.start, parse.end(adverb), f"{edit.replacement}{between} be")


def _replaced(group: VerbGroup, words: str) -> Edit:
    parse, finite = group.parse, group.finite
    return Edit(parse.starts[finite], parse.end(finite), spaced(parse, finite, words))
