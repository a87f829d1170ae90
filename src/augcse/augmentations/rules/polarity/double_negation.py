"""DoubleNegation of SDA: the negation of the main clause toggled twice."""

from __future__ import annotations

from random import Random
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.chinese import clause as chinese
from augcse.augmentations.english.capitals import opening_case
from augcse.augmentations.english.toggled_negation import (
    FULL_FORMS,
    UNDER_NEGATION,
    has_restriction,
    has_two_negations,
    not_before_imperative,
    with_not,
    without_negation,
)
from augcse.augmentations.english.tree import FINITE_TAGS
from augcse.augmentations.english.verb_group import VerbGroup, main_verb_group, negations
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.edits import Edit, apply_edits, delete_word, match_case
from augcse.augmentations.text.language import ENGLISH

Fidelity = Literal["grammatical", "paper"]
Opening = Literal["any", "sentence", "not"]
_OPENINGS = ("It is not true that", "It is not the case that")
# How often `opening="any"` takes the bare "Not" of the paper's Table 1, which is no English before most subjects.
_BARE_NOT_SHARE = 0.05
_CONNECTIVES = frozenset(
    "however therefore thus moreover furthermore nevertheless nonetheless additionally meanwhile hence similarly "
    "unfortunately fortunately consequently accordingly instead indeed also likewise overall".split()
)
_CONNECTIVE_PAIRS = frozenset({("for", "example"), ("for", "instance"), ("in", "addition"), ("in", "fact"), ("in", "particular")})


def _is_coordinated(group: VerbGroup) -> bool:
    """Tell whether a second main clause follows: a denial before the first would reach over both."""
    parse = group.parse
    clauses = [*parse.children(group.head, "conj", "parataxis"), *parse.roots()[1:]]
    if any(parse.children(clause, "nsubj", "expl", "cop") for clause in clauses):
        return True
    joined = False
    for place in range(group.finite + 1, len(parse)):
        if parse.tags[place] == "CC" or parse.tokens[place] == ";":
            joined = True
        elif parse.tags[place].startswith("W") or parse.deps[place] == "mark":
            joined = False
        elif joined and parse.tags[place] in FINITE_TAGS:
            return True
    return False


def _has_heading(group: VerbGroup) -> bool:
    """Tell whether something else than an adverbial stands before the subject: "Short Films - The winner", "A boy, he"."""
    parse = group.parse
    front = parse.tokens[: group.subject]
    opens_with_noun = parse.tags[0] in ("DT", "JJ", "NN", "NNS", "NNP") and "," in front
    opens_with_noun = opens_with_noun and "," in front[: min(parse.subtree(group.subject))]
    # "Generally the fiction is": no comma after an adverb of the whole sentence.
    opens_with_adverb = parse.tags[0] == "RB" and parse.tokens[0].endswith("ly") and parse.tokens[1] != ","
    is_apart = any(mark in front for mark in (":", "–", "—")) or " - " in parse.text[: parse.starts[group.subject]]
    return opens_with_noun or opens_with_adverb or is_apart


def _is_plain_verb(group: VerbGroup) -> bool:
    """Tell whether the verb has no auxiliary: Algorithm 3 counts "do not" before it as both toggles at once, and stops."""
    return group.kind == "verb" and not negations(group.parse)


REFUSALS = (
    Refusal("two main clauses", "He is rich, and she is poor.", _is_coordinated),
    Refusal("a heading before the subject", "Generally the fiction was released in May.", _has_heading),
    Refusal("a verb without auxiliary", "She walks home.", _is_plain_verb),
    Refusal("two negative words", "He is neither rich nor happy.", has_two_negations),
    Refusal("restricted", "He is only walking.", has_restriction),
)


@augmentation(
    "DoubleNegation",
    family="polarity",
    meaning="possible_alteration",
    source="SDA (Zhu et al. 2022), Algorithm 3",
    needs=("parse",),
    languages=("en", "zh"),
    example=Example(
        "A shareholder may transfer its Shares only with the prior written consent of the Company.",
        "Not A shareholder may not transfer its Shares only with the prior written consent of the Company.",
        seed=108,
    ),
    refusals=REFUSALS,
)
def double_negation(parse: Parse, rng: Random, *, fidelity: Fidelity = "grammatical", opening: Opening = "any") -> str | None:
    """Toggle the negation of a sentence exactly twice: "He can come" -> "It is not true that he cannot come".

    First toggle: a negative word of the main clause is taken out ("did not go" -> "went", "no" -> "any"), or "not" put
    after the auxiliary or the copula. Second: a denial before the sentence. `opening` says which: "sentence" for "It is not
    true that" and "It is not the case that", "not" for the bare "Not" of the paper's Table 1, "any" for the first two with
    one "Not" in twenty. "Can he swim?" becomes "Is it false that he cannot swim?"; a question with a question word and an
    imperative take "not fail to" ("How can I not fail to win?", "Do not fail to close it."). Chinese: 并非, 并不是 or 不是 before 不 or
    没有; a negation that is there already becomes the denial.
    `fidelity="paper"` is Algorithm 3 as printed (English; Chinese has one form): one negative word deleted, "not" after
    every auxiliary ("to" included) and "do not" before a root verb (whatever its form), "Not" before the sentence for other
    roots, until there are two toggles. Deviation: the printed loop has no return for a count of two at its end; it is added.
    """
    if parse.language == "zh":
        return chinese.negate_twice(parse, rng)
    if fidelity == "paper":
        return _as_printed(parse)
    is_bare = opening == "not" or (opening == "any" and rng.random() < _BARE_NOT_SHARE)
    denial = "Not" if is_bare else rng.choice(_OPENINGS)
    group = main_verb_group(parse)
    if group is None:
        return None
    if group.asks or group.mood != "statement":
        edits = [] if is_bare or negations(parse) or refused(REFUSALS[:1], group) else _asked_twice(group, rng.choice(("false", "untrue")))
    else:
        edits = [] if refused(REFUSALS, group) else _denied_clause(group, denial, is_bare)
    return apply_edits(parse.text, edits) if edits else None


def _as_printed(parse: Parse) -> str | None:
    """Algorithm 3 to the letter."""
    edits: list[Edit] = []
    found = next((index for index, token in enumerate(parse.tokens) if token.lower() in ENGLISH.negators), None)
    if found is not None:
        edits.append(delete_word(parse.text, parse.starts[found], parse.end(found)))
    count = len(edits)
    for index, label in enumerate(parse.deps):
        if count == 2:
            break
        # spaCy's English labels, the paper's, call the "to" of an infinitive an auxiliary as well.
        is_auxiliary = label == "aux" or (label == "mark" and parse.tags[index] == "TO")
        if is_auxiliary and index != found:
            edits.append(Edit(parse.end(index), parse.end(index), " not"))
            count += 1
        if parse.heads[index] == index and index != found:
            is_verb = parse.upos[index] == "VERB"
            edits.append(Edit(parse.starts[index], parse.starts[index], "do not ") if is_verb else Edit(0, 0, "Not "))
            count += 1
    return apply_edits(parse.text, edits) if count == 2 else None


def _denied_clause(group: VerbGroup, denial: str, is_bare: bool) -> list[Edit]:
    """Return the edits for a denial before a statement whose own negation is toggled; none where its first word has a doubtful capital."""
    parse, present = group.parse, negations(group.parse)
    first = without_negation(group, present[0], UNDER_NEGATION) if present else with_not(group)
    place = _opening_place(parse)
    if place is None or not first or (place == 0 and opening_case(parse, 0) == "doubt" and not is_bare):
        return []
    return _denied(parse, denial, place, first)


def _asked_twice(group: VerbGroup, adjective: str) -> list[Edit]:
    """Return the edits for two negations in a question or an imperative.

    "Can he swim?" -> "Is it false that he cannot swim?"; "How can I lose weight?" -> "How can I not fail to lose weight?"; "Close it." ->
    "Do not fail to close it."
    """
    parse, base = group.parse, {"modal": "", "do": ""}.get(group.kind, group.lemma or "")
    word = parse.tokens[group.finite]
    if group.mood == "imperative":
        return not_before_imperative(group, "fail to ")
    has_question_word = any(tag.startswith("W") for tag in parse.tags[: group.finite])
    if group.kind == "have" or (group.kind == "verb" and not base) or (group.mood == "statement" and not has_question_word):
        return []
    if group.mood == "question" and group.finite == 0:
        negated = "cannot" if word.lower() == "can" else f"{word.lower()} not"
        return [Edit(0, parse.end(0), match_case(word, f"is it {adjective} that")), group.inserted(negated)]
    finite = word if group.kind in ("modal", "do") else group.do_form
    return group.rewritten(FULL_FORMS.get(finite, finite), f"not fail to {base}".rstrip())


def _denied(parse: Parse, denial: str, place: int, first: list[Edit]) -> list[Edit]:
    """Return the edits of the first toggle with the denial before the token at `place`, which loses its capital."""
    start = parse.starts[place]
    if denial == "Not" and place == 0:
        return [Edit(start, start, "Not "), *first]
    opening = denial if place == 0 else denial[0].lower() + denial[1:]
    if _keeps_capital(parse, place):
        return [Edit(start, start, f"{opening} "), *first]
    # "Nobody" may be on its way to "Anybody" already.
    changed = [edit for edit in first if edit.start == start]
    recased = [Edit(edit.start, edit.end, edit.replacement[:1].lower() + edit.replacement[1:]) for edit in changed]
    lowered = recased or [Edit(start, start + 1, parse.text[start].lower())]
    return [Edit(start, start, f"{opening} "), *lowered, *(edit for edit in first if edit not in changed)]


def _opening_place(parse: Parse) -> int | None:
    words = [token.lower() for token in parse.tokens[:3]]
    if not any(character.isalnum() for character in words[0]) and parse.tokens[0] not in ('"', "“"):
        return None
    if len(words) > 1 and words[1] == ",":
        # "Eventually": an adverb of the clause, which has to stay under the denial.
        return 2 if words[0] in _CONNECTIVES else None
    if tuple(words[:2]) in _CONNECTIVE_PAIRS and words[2:] == [","]:
        return 3
    # "Both Horace and Lucilius": no conjunction of sentences.
    return 1 if parse.deps[0] == "cc" else 0


def _keeps_capital(parse: Parse, place: int) -> bool:
    word = parse.tokens[place]
    return word.startswith(("I'", "I’")) or not word[0].isupper() or opening_case(parse, place) != "lower"
