"""DoubleNegation of SDA: the negation of the main clause toggled twice."""

from __future__ import annotations

from random import Random
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.chinese import clause as chinese
from augcse.augmentations.english.agreement import is_quantified
from augcse.augmentations.english.capitals import may_open_with_name
from augcse.augmentations.english.clause import FINITE_TAGS, VERB_WORDS, missed_present
from augcse.augmentations.english.main_clause import main_verb_group
from augcse.augmentations.english.marks import AFTER_LABEL, APOSTROPHES, DASHES, OPENING
from augcse.augmentations.english.noun_kinds import first_kind
from augcse.augmentations.english.phrase import is_balanced, lower_first
from augcse.augmentations.english.polarity import items
from augcse.augmentations.english.times import is_time_noun
from augcse.augmentations.english.toggled_negation import (
    TOGGLE_REFUSALS,
    continues,
    not_before_imperative,
    with_not,
    without_negation,
)
from augcse.augmentations.english.verb_group import VerbGroup, asks_what_is, is_request, negations, spaced
from augcse.augmentations.option_types import PaperFidelity
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.edits import Edit, apply_edits, delete_word, edited, last_mark, match_case

Opening = Literal["sentence", "not"]
_OPENINGS = ("It is not true that", "It is not the case that")
# The "negative words" of Algorithm 3, which the paper does not list.
PUBLISHED_NEGATORS = frozenset("not n't n’t no never none nobody nothing nowhere neither nor".split())
_CLAUSE_MARKS = DASHES | {";"}  # they separate two main clauses
# The tags of an adverb or participle before the subject that a denial would wrongly include.
_LOOSE = frozenset({"RB", "UH", "VBG", "VBN"})
# "He must not go" does not deny that he must: two denials would leave that he may.
_NOT_DENIED = frozenset({"must", "should", "might", "shall", "ought"})
_PRESUPPOSING = VERB_WORDS["CERTAINTY"] | VERB_WORDS["PRESUPPOSING"]
_COMPARING = frozenset({"few", "least", "less", "more", "most", "much"})
# In these questions "not fail to" keeps the meaning: "How can I not fail to win?".
_ASKING_HOW = frozenset({("how", "can"), ("how", "could"), ("where", "can"), ("where", "could")})


def _is_coordinated(group: VerbGroup) -> bool:
    """Return whether a second main clause follows, which a denial before the first would include."""
    parse = group.parse
    clauses = (*parse.children(group.head, "conj", "parataxis"), *parse.roots()[1:])
    if not _CLAUSE_MARKS.isdisjoint(parse.tokens[group.finite :]) or " - " in parse.text[parse.starts[group.finite] :]:
        return True
    if any(parse.children(clause, "nsubj") for clause in clauses) or missed_present(parse) is not None:
        return True
    # The parser misses some: a finite verb after a conjunction, and not in a subordinate clause.
    follows_conjunction = False
    for index in range(group.finite + 1, len(parse)):
        if parse.tags[index] == "CC":
            follows_conjunction = True
        elif parse.tags[index].startswith("W") or parse.deps[index] == "mark":
            follows_conjunction = False
        elif follows_conjunction and parse.tags[index] in FINITE_TAGS:
            return True
    return False


def _has_clause_in_front(group: VerbGroup) -> bool:
    """Return whether a clause comes before the subject: "If he is here, she is happy"; not "According to"."""
    return any(group.parse.has_label(index, "acl", "advcl") for index in range(group.parse.first(group.subject)))


def _has_loose_front(group: VerbGroup) -> bool:
    """Return whether an adverb without a comma, a participle or "Like Tom" comes before the subject: a denial would include it."""
    parse, start = group.parse, _denial_index(group)
    is_loose = start < parse.first(group.subject) and parse.tags[start] in _LOOSE
    return is_loose or parse.word(0) in ("as", "like", "unlike")


def _has_heading(group: VerbGroup) -> bool:
    """Return whether something other than an adverbial comes before the subject: "Short Films - The winner", "A boy, he", "@tom He"."""
    parse = group.parse
    before = parse.tokens[: group.finite]
    if parse.tokens[0] in OPENING | APOSTROPHES or any(token[0] in "@#" for token in before):
        return True
    if any(token in AFTER_LABEL and parse.text[parse.end(index)] == " " for index, token in enumerate(before)):
        return True  # "NOTE - Official results"; not "two-year"
    return parse.tags[0] in ("DT", "JJ", "NN", "NNS", "NNP") and "," in parse.tokens[: parse.first(group.subject)]


def _has_no_end(group: VerbGroup) -> bool:
    """Return whether a text ends without a full stop, as headlines do, or inside a quotation."""
    return not is_balanced(group.parse.text) or last_mark(group.parse.text) not in (".", "!", "?", "…")


def _is_of_quantity(group: VerbGroup) -> bool:
    """Return whether the subject is a quantity, which a double negation changes: "not most towns are not" means at least half of them."""
    parse, denied = group.parse, range(_denial_index(group), group.subject + 1)
    is_quantity = is_quantified(parse, group.subject, denied.start) or not _COMPARING.isdisjoint(map(parse.word, denied))
    return group.mood != "imperative" and is_quantity


def _may_open_with_name(group: VerbGroup) -> bool:
    return may_open_with_name(group.parse, group.parse.first(group.subject))


def _has_modal_under_not(group: VerbGroup) -> bool:
    # "May" of a possibility; denied twice, it is certain: "it is not true that it may not rain". A person "may" by permission.
    is_possible = group.word == "may" and first_kind(group.parse.lemmas[group.subject].lower()) != "noun.person"
    return is_possible or group.word in _NOT_DENIED


def _has_polarity_item(group: VerbGroup) -> bool:
    return group.asks and bool(items(group.parse, denied=True))


def _presupposes(group: VerbGroup) -> bool:
    """Return whether an adverb next to the verb presupposes something, or says how certain it is, which a denial would change."""
    presupposing = _PRESUPPOSING if continues(group) else _PRESUPPOSING | {"still"}
    return not presupposing.isdisjoint(group.adverbs)


def _is_plain_verb(group: VerbGroup) -> bool:
    """Return whether the verb has no auxiliary: Algorithm 3 counts "do not" before it as both toggles, and stops."""
    return group.kind == "verb" and not negations(group.parse)


_IN_QUESTIONS = (
    Refusal("two main clauses", "He is rich, and she is poor.", _is_coordinated),
    Refusal("asks what or where a thing is", "What is the reason?", asks_what_is),
    Refusal("modal that a denial leaves", "He must go.", _has_modal_under_not),
    Refusal("word that asks", "Did you ever go?", _has_polarity_item),
    Refusal("request", "Could you shut it?", is_request),
    Refusal("quantity", "Most towns are old.", _is_of_quantity),
)
REFUSALS = (
    *_IN_QUESTIONS,
    Refusal("clause before the subject", "If he is here, she is happy.", _has_clause_in_front),
    Refusal("loose adverb or participle before the subject", "Generally the fiction was released in May.", _has_loose_front),
    Refusal("heading", "A boy, he was here.", _has_heading),
    Refusal("first word that may be a name", "Power was here.", _may_open_with_name),
    Refusal("adverb that presupposes", "He is also here.", _presupposes),
    Refusal("no end mark", "The man is here", _has_no_end),
    Refusal("a verb without auxiliary", "She walks home.", _is_plain_verb),
    *TOGGLE_REFUSALS,
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

    First toggle: a negative word of the main clause is removed ("did not go" -> "went", "no" -> "any"), or "not" is put
    after the auxiliary or the copula. Second: a denial before the sentence. `opening` says which: "sentence" for "It is not
    true that" and "It is not the case that", "not" for the bare "Not" of the paper's Table 1, which is not English before most
    subjects. "Can he swim?" becomes "Is it false that he cannot swim?", "Why is he late?" "Why is it false that he is not late?";
    an imperative, and a question how or where one can do something, take "not fail to" ("Do not fail to close it."). Chinese:
    并非, 并不是 or 不是 before 不 or 没有; an existing negation becomes the denial.
    `fidelity="paper"` is Algorithm 3 as printed (English; Chinese has one form): one negative word deleted, "not" after
    every auxiliary ("to" included) and "do not" before a root verb (whatever its form), "Not" before the sentence for other
    roots, until there are two toggles. Deviation: the printed loop forgets to return a sentence whose last step is the second toggle.
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
        if denial == "Not" or negations(parse) or refused(_IN_QUESTIONS, group):
            return None
        return edited(parse.text, _twice_negated(group, rng.choice(("false", "untrue"))))
    return None if refused(REFUSALS, group) else _denied_statement(group, denial)


def _as_published(parse: Parse) -> str | None:
    """Return the sentence toggled twice by Algorithm 3; None if it has fewer than two places to toggle."""
    negator = next((index for index, token in enumerate(parse.tokens) if token.lower() in PUBLISHED_NEGATORS), None)
    edits = [] if negator is None else [delete_word(parse.text, *parse.span(negator))]
    for index in range(len(parse)):
        if len(edits) == 2:
            break
        # In spaCy's English labels, which the paper uses, the "to" of an infinitive is an auxiliary too.
        is_auxiliary = parse.deps[index] == "aux" or (parse.deps[index] == "mark" and parse.tags[index] == "TO")
        if is_auxiliary and index != negator:
            edits.append(Edit(parse.end(index), parse.end(index), " not"))
        if parse.heads[index] == index and index != negator:
            is_verb = parse.upos[index] == "VERB"
            edits.append(Edit(parse.starts[index], parse.starts[index], "do not ") if is_verb else Edit(0, 0, "Not "))
    return apply_edits(parse.text, edits) if len(edits) == 2 else None


def _denied_statement(group: VerbGroup, denial: str) -> str | None:
    """Return a statement with its negation toggled and a denial before it; None if no negation can be toggled after the denial."""
    parse, negative_words = group.parse, negations(group.parse)
    toggling = without_negation(group, negative_words[0], affirm=False) if negative_words else with_not(group)
    denied = _denial_index(group)
    start = parse.starts[denied]
    # A toggle before the denial is not denied: "With no help, he was able to walk".
    if not toggling or min(toggling).start < start:
        return None
    text = apply_edits(parse.text, toggling)
    introduction, statement = text[:start], text[start:]
    if denial == "Not":
        return None if denied else f"{introduction}{denial} {statement}"
    if denied:
        denial = denial[0].lower() + denial[1:]
        if group.past and any(parse.has_label(before, "obl") for before in range(denied)):
            denial = denial.replace(" is ", " was ")  # "In France, it was not true that"
    return f"{introduction}{denial} {lower_first(parse, denied, statement)}"


def _denial_index(group: VerbGroup) -> int:
    """Return the token that a denial is put before: the first of the subject after an introduction with a comma, else of the sentence."""
    parse, first = group.parse, group.parse.first(group.subject)
    if parse.token(first - 1) == "," and not _opens_with_time(group):
        return first
    return 1 if parse.deps[0] == "cc" else 0


def _opens_with_time(group: VerbGroup) -> bool:
    """Return whether only a time comes before the subject: the denial is put before it, as in "In early 1997, he was ill"."""
    parse, front = group.parse, range(group.parse.first(group.subject))
    heads = (index for index in front if parse.heads[index] not in front)
    return all(parse.tags[index] in ("CD", ",") or is_time_noun(parse.lemmas[index].lower()) for index in heads)


def _twice_negated(group: VerbGroup, adjective: str) -> list[Edit]:
    """Return the edits for two negations in a question or an imperative; none if the question word allows none."""
    parse, finite = group.parse, group.finite
    if group.mood == "imperative":
        return not_before_imperative(group, "fail to ")
    if finite == 1 and (parse.word(0), group.word) in _ASKING_HOW:
        return group.rewritten(group.word, "not fail to")
    if finite > 0 and parse.word(0) != "why":
        return []
    denial = Edit(*parse.span(finite), spaced(parse, finite, match_case(parse.tokens[finite], f"is it {adjective} that")))
    return [denial, group.inserted("cannot" if group.word == "can" else f"{group.word} not")]
