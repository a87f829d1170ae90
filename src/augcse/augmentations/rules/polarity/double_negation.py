"""DoubleNegation of SDA: the negation of the main clause toggled twice."""

from __future__ import annotations

from random import Random
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.chinese import clause as chinese
from augcse.augmentations.english.capitals import opening_case
from augcse.augmentations.english.clause import FINITE_TAGS, VERB_WORDS, missed_present
from augcse.augmentations.english.function_words import QUANTIFIERS
from augcse.augmentations.english.noun_kinds import first_kind
from augcse.augmentations.english.phrase import is_balanced, lower_first
from augcse.augmentations.english.toggled_negation import (
    has_restriction,
    has_two_negations,
    not_before_imperative,
    with_not,
    without_negation,
)
from augcse.augmentations.english.verb_group import VerbGroup, asks_what_is, is_request, main_verb_group, negations, spaced
from augcse.augmentations.option_types import PaperFidelity
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.edits import Edit, apply_edits, delete_word, edited, last_mark, match_case

Opening = Literal["sentence", "not"]
_OPENINGS = ("It is not true that", "It is not the case that")
# Algorithm 3's "negative word", of which the paper gives none: "never" and "none" are in its reach too.
_PUBLISHED_NEGATORS = frozenset("not n't n’t no never none nobody nothing nowhere neither nor".split())
_DASHES = frozenset({":", "–", "—", "-", "--"})
_PARTING = frozenset({";", "–", "—", "--"})
_MARKS = frozenset({'"', "“", "``", "'", "‘", "(", "[", ";"})
# What opens a loose adverb or participle: a denial before it would reach over it.
_LOOSE = frozenset({"RB", "UH", "VBG", "VBN"})
# "He must not go" does not deny that he must: two denials would leave that he may.
_NOT_DENIED = frozenset({"must", "should", "might", "shall", "ought"})
_PRESUPPOSING = VERB_WORDS["CERTAINTY"] | {"also", "still", "already", "again", "yet", "simply", "too"}
_QUANTITIES = QUANTIFIERS - VERB_WORDS["NEGATIVE"] - {"another", "other", "others", "own", "same", "such"}
_OF_QUESTIONS = frozenset({"ever", "any", "anybody", "anyone", "anything", "anywhere", "yet"})
# Of these questions "not fail to" asks what the question asks; other question words have no verb that can fail.
_ASKING_HOW = frozenset({("how", "can"), ("how", "could"), ("where", "can"), ("where", "could")})
_JOINING = VERB_WORDS["OPPOSING"] | {"while", "since", "as", "which"}


def _is_coordinated(group: VerbGroup) -> bool:
    """Tell whether a second main clause follows: a denial before the first would reach over both."""
    parse = group.parse
    clauses = (*parse.children(group.head, "conj", "parataxis"), *parse.roots()[1:])
    if not _PARTING.isdisjoint(parse.tokens[group.finite :]) or " - " in parse.text[parse.starts[group.finite] :]:
        return True
    if any(parse.children(clause, "nsubj") for clause in clauses) or missed_present(parse) is not None:
        return True
    joined = False
    for index in range(group.finite + 1, len(parse)):
        if parse.tags[index] == "CC":
            joined = True
        elif parse.tags[index].startswith("W") or parse.deps[index] == "mark":
            joined = False
        elif joined and parse.tags[index] in FINITE_TAGS:
            return True
    return False


def _has_clause_in_front(group: VerbGroup) -> bool:
    """Tell whether a clause stands before the subject: "If he is here, she is happy"; not "According to"."""
    return any(group.parse.has_label(index, "acl", "advcl") for index in range(group.parse.first(group.subject)))


def _has_loose_front(group: VerbGroup) -> bool:
    """Tell whether an adverb that no comma parts, a participle or "Like Tom" stands before the subject: a denial would part the two."""
    parse, start = group.parse, _denied_index(group)
    is_loose = start < parse.first(group.subject) and parse.tags[start] in _LOOSE
    return is_loose or parse.word(0) in ("as", "like", "unlike")


def _has_heading(group: VerbGroup) -> bool:
    """Tell whether something else than an adverbial stands before the subject: "Short Films - The winner", "A boy, he", "@tom He"."""
    parse = group.parse
    before = parse.tokens[: group.finite]
    if parse.tokens[0] in _MARKS or any(token[0] in "@#" for token in before):
        return True
    if any(token in _DASHES and parse.text[parse.end(index)] == " " for index, token in enumerate(before)):
        return True  # "NOTE - Official results"; not "two-year"
    return parse.tags[0] in ("DT", "JJ", "NN", "NNS", "NNP") and "," in parse.tokens[: parse.first(group.subject)]


def _has_no_end(group: VerbGroup) -> bool:
    """Tell whether a text ends without a full stop, as headlines do, or within a quotation."""
    return not is_balanced(group.parse.text) or last_mark(group.parse.text) not in (".", "!", "?", "…")


def _is_of_quantity(group: VerbGroup) -> bool:
    """Tell whether it is said how many or how much up to the subject: "not most towns are not" leaves half of them, and no more."""
    parse, denied = group.parse, range(_denied_index(group), group.subject + 1)
    numbered = "CD" in parse.tags[parse.first(group.subject) : group.subject + 1]  # not the number of "In 1997, he was ill"
    return group.mood != "imperative" and (numbered or not _QUANTITIES.isdisjoint(map(parse.word, denied)))


def _may_open_with_name(group: VerbGroup) -> bool:
    return opening_case(group.parse, group.parse.first(group.subject)) == "doubt"


def _has_modal_under_not(group: VerbGroup) -> bool:
    # "May" says what a person is allowed; of what is possible, "it is not true that it may not rain" makes it certain.
    is_possible = group.word == "may" and first_kind(group.parse.lemmas[group.subject].lower()) != "noun.person"
    return is_possible or group.word in _NOT_DENIED


def _lives_on_question(group: VerbGroup) -> bool:
    return group.asks and not _OF_QUESTIONS.isdisjoint(map(str.lower, group.parse.tokens))


def _presupposes(group: VerbGroup) -> bool:
    """Tell whether an adverb stays above the "not": it says then that something else is not so, or how certain what is denied is."""
    return any(group.parse.word(group.finite + side) in _PRESUPPOSING for side in (-1, 1, 2))


def _has_reason(group: VerbGroup) -> bool:
    """Tell whether a clause follows that gives a reason, a result or a contrast, which would fall under the denial."""
    parse = group.parse
    rest = [index for index in range(group.finite + 1, len(parse)) if parse.word(index) in _JOINING]
    return any(parse.has_label(index, "mark", "cc") or parse.token(index - 1) == "," for index in rest)


def _is_plain_verb(group: VerbGroup) -> bool:
    """Tell whether the verb has no auxiliary: Algorithm 3 counts "do not" before it as both toggles at once, and stops."""
    return group.kind == "verb" and not negations(group.parse)


_IN_QUESTIONS = (
    Refusal("two main clauses", "He is rich, and she is poor.", _is_coordinated),
    Refusal("asks what or where a thing is", "What is the reason?", asks_what_is),
    Refusal("modal that a denial leaves", "He must go.", _has_modal_under_not),
    Refusal("word that asks", "Did you ever go?", _lives_on_question),
    Refusal("request", "Could you shut it?", is_request),
    Refusal("quantity", "Most towns are old.", _is_of_quantity),
)
REFUSALS = (
    *_IN_QUESTIONS,
    Refusal("clause before the subject", "If he is here, she is happy.", _has_clause_in_front),
    Refusal("loose adverb or participle before the subject", "Generally the fiction was released in May.", _has_loose_front),
    Refusal("heading", "A boy, he was here.", _has_heading),
    Refusal("first word that may be a name", "Power was here.", _may_open_with_name),
    Refusal("adverb that presupposes", "He is still here.", _presupposes),
    Refusal("reason, result or contrast", "He was here because it was cold.", _has_reason),
    Refusal("no end mark", "The man is here", _has_no_end),
    Refusal("a verb without auxiliary", "She walks home.", _is_plain_verb),
    Refusal("two negative words", "He is neither rich nor happy.", has_two_negations),
    Refusal("restricted", "He is only walking.", has_restriction),
)


@augmentation(
    "DoubleNegation",
    family="polarity",
    meaning="possible_alteration",
    source="SDA (Mao et al. 2022), Algorithm 3",
    needs=("parse",),
    languages=("en", "zh"),
    example=Example(
        "A shareholder may transfer its Shares only with the prior written consent of the Company.",
        "It is not true that a shareholder may not transfer its Shares only with the prior written consent of the Company.",
        seed=1,
    ),
    refusals=REFUSALS,
)
def double_negation(parse: Parse, rng: Random, *, fidelity: PaperFidelity = "grammatical", opening: Opening = "sentence") -> str | None:
    """Toggle the negation of a sentence exactly twice: "He can come" -> "It is not true that he cannot come".

    First toggle: a negative word of the main clause is taken out ("did not go" -> "went", "no" -> "any"), or "not" put
    after the auxiliary or the copula. Second: a denial before the sentence. `opening` says which: "sentence" for "It is not
    true that" and "It is not the case that", "not" for the bare "Not" of the paper's Table 1, which is no English before most
    subjects. "Can he swim?" becomes "Is it false that he cannot swim?", "Why is he late?" "Why is it false that he is not late?";
    an imperative, and what asks how or where one can do a thing, take "not fail to" ("Do not fail to close it."). Chinese:
    并非, 并不是 or 不是 before 不 or 没有; a negation that is there already becomes the denial.
    `fidelity="paper"` is Algorithm 3 as printed (English; Chinese has one form): one negative word deleted, "not" after
    every auxiliary ("to" included) and "do not" before a root verb (whatever its form), "Not" before the sentence for other
    roots, until there are two toggles. Deviation: the printed loop has no return for a count of two at its end; it is added.
    """
    if parse.language == "zh":
        return chinese.negate_twice(parse, rng)
    if fidelity == "paper":
        return _as_published(parse)
    denial = "Not" if opening == "not" else rng.choice(_OPENINGS)
    group = main_verb_group(parse)
    if group is None:
        return None
    if group.asks or group.mood != "statement":
        asked = denial != "Not" and not negations(parse) and not refused(_IN_QUESTIONS, group)
        edits = _asked_twice(group, rng.choice(("false", "untrue"))) if asked else []
        return edited(parse.text, edits)
    return None if refused(REFUSALS, group) else _denied_clause(group, denial)


def _as_published(parse: Parse) -> str | None:
    """Algorithm 3 to the letter."""
    found = next((index for index, token in enumerate(parse.tokens) if token.lower() in _PUBLISHED_NEGATORS), None)
    edits = [] if found is None else [delete_word(parse.text, *parse.span(found))]
    for index in range(len(parse)):
        if len(edits) == 2:
            break
        # spaCy's English labels, the paper's, call the "to" of an infinitive an auxiliary as well.
        is_auxiliary = parse.deps[index] == "aux" or (parse.deps[index] == "mark" and parse.tags[index] == "TO")
        if is_auxiliary and index != found:
            edits.append(Edit(parse.end(index), parse.end(index), " not"))
        if parse.heads[index] == index and index != found:
            is_verb = parse.upos[index] == "VERB"
            edits.append(Edit(parse.starts[index], parse.starts[index], "do not ") if is_verb else Edit(0, 0, "Not "))
    return apply_edits(parse.text, edits) if len(edits) == 2 else None


def _denied_clause(group: VerbGroup, denial: str) -> str | None:
    """Return a denial before a statement whose own negation is toggled."""
    parse, present, index = group.parse, negations(group.parse), _denied_index(group)
    toggled = without_negation(group, present[0], affirm=False) if present else with_not(group)
    start = parse.starts[index]
    is_outside = bool(toggled) and min(toggled).start < start  # "With no help, he was able to walk"
    if not toggled or is_outside or (index and denial == "Not"):
        return None
    if group.past and any(parse.has_label(before, "obl") for before in range(index)):
        denial = denial.replace(" is ", " was ")  # "In France, it was not true that"
    text = apply_edits(parse.text, toggled)
    clause = text[start:] if denial == "Not" else lower_first(parse, index, text[start:])
    return f"{text[:start]}{denial[0].lower() + denial[1:] if index else denial} {clause}"


def _denied_index(group: VerbGroup) -> int:
    """Return the token that a denial stands before: the subject's first, if a comma parts it from what stays outside, or the first."""
    parse, first = group.parse, group.parse.first(group.subject)
    if parse.token(first - 1) == "," and not _opens_with_time(group):
        return first
    return int(parse.deps[0] == "cc")


def _opens_with_time(group: VerbGroup) -> bool:
    """Tell whether nothing but when stands before the subject: "In early 1997, he was ill" is denied whole."""
    parse, front = group.parse, range(group.parse.first(group.subject))
    heads = (index for index in front if parse.heads[index] not in front)
    return all(parse.tags[index] in ("CD", ",") or first_kind(parse.lemmas[index]) == "noun.time" for index in heads)


def _asked_twice(group: VerbGroup, adjective: str) -> list[Edit]:
    """Return the edits for two negations in a question or an imperative."""
    parse, finite = group.parse, group.finite
    if group.mood == "imperative":
        return not_before_imperative(group, "fail to ")
    if finite == 1 and (parse.word(0), group.word) in _ASKING_HOW:
        return group.rewritten(group.word, "not fail to")
    if finite > 0 and parse.word(0) != "why":
        return []
    asked = Edit(*parse.span(finite), spaced(parse, finite, match_case(parse.tokens[finite], f"is it {adjective} that")))
    return [asked, group.inserted("cannot" if group.word == "can" else f"{group.word} not")]
