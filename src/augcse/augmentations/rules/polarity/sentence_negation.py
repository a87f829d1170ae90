"""SentenceNegation of SDA's later version: the negation of the main clause toggled once."""

from __future__ import annotations

from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.agreement import is_quantified
from augcse.augmentations.english.clause import (
    SUBJECTS,
    clauses_beside,
    is_finite_clause,
    missed_present,
    question_tag,
    sharing_conjuncts,
)
from augcse.augmentations.english.joined_verbs import joined_lemmas, or_for_and
from augcse.augmentations.english.main_clause import main_verb_group
from augcse.augmentations.english.polarity import NOTHING_FITS, PolarityItem, items
from augcse.augmentations.english.toggled_negation import (
    TOGGLE_REFUSALS,
    adds_to_long_clause,
    is_in_clause,
    not_before_imperative,
    not_in_question,
    with_not,
    without_negation,
)
from augcse.augmentations.english.verb_group import (
    VerbGroup,
    asks_what_is,
    asks_which,
    is_reduced_passive,
    is_request,
    negations,
)
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.edits import Edit, edited, match_case

# What denies a quantity: "every dog" -> "not every dog", "some dogs" -> "no dogs".
_DENIED = {
    **{word: f"not {word}" for word in ("all", "every", "everybody", "everyone", "everything", "many")},
    "some": "no", "several": "no", "somebody": "nobody", "someone": "no one", "something": "nothing",
}  # fmt: skip
_ONLY_BEFORE_NOUNS = frozenset({"all", "several", "some"})
# Modals that say another thing under "no": "Nobody may come" forbids it, and does not deny that somebody may.
_BINDING = frozenset({"may", "might", "must", "should"})


def _has_result(group: VerbGroup) -> bool:
    """Return whether a result or a circumstance follows a comma: "It was sold, making it a success", "He left, with his wife"."""
    parse = group.parse
    clauses = {parse.clause_head(index) for index, tag in enumerate(parse.tags) if tag == "VBG" and index > group.finite}
    depend = (clause for clause in clauses if parse.has_label(clause, "advcl", "acl") and is_in_clause(group, parse.heads[clause]))
    if any("," in parse.tokens[max(parse.first(clause) - 1, 0) : parse.first(clause) + 1] for clause in depend):
        return True
    comitative = (index for index in parse.indices_of("with") if index > group.finite and parse.token(index - 1) == ",")
    return any(parse.heads[parse.heads[index]] == group.head for index in comitative)


def _has_joined_clause(group: VerbGroup) -> bool:
    """Return whether a clause with its own subject continues the denied one, after a conjunction or semicolon: "It rained; we stayed"."""
    parse = group.parse
    # The conjunction depends on the clause or on its subject.
    for clause in clauses_beside(parse, group.head):
        is_joined = any(parse.children(head, "cc") for head in (clause, *parse.children(clause, *SUBJECTS)))
        if is_joined or parse.token(parse.first(clause)) in (";", ":"):
            return True
    return False


def _leaves_joined_verb(group: VerbGroup) -> bool:
    """Return whether a verb coordinated with the denied one would stay affirmative: "She hates it and is ill"."""
    parse, others = group.parse, sharing_conjuncts(group.parse, group.head)
    if group.mood == "imperative":
        bare_verbs = [other for other in parse.children(group.head, "parataxis") if parse.tags[other] == "VB"]
        others += (other for other in bare_verbs if parse.token(parse.first(other)) == "," and not parse.children(other, "nsubj"))
        return bool(others)  # "Take your coat, then leave."
    if group.kind != "verb" and missed_present(parse) is not None:
        return True
    joined = joined_lemmas(group) if group.kind == "verb" else {}
    others = [other for other in others if other not in joined]
    return any(is_finite_clause(parse, other) for other in others)


def _denied_quantity(group: VerbGroup) -> list[Edit]:
    """Return the edits that deny the quantity which the subject opens with: "Not many came", "No dogs barked"; none without one."""
    parse, first = group.parse, group.parse.first(group.subject)
    word = parse.word(first)
    fits = parse.has_label(first, "det", "amod") and parse.heads[first] == group.subject
    if group.subject == first:
        fits = word not in _ONLY_BEFORE_NOUNS  # not "All I want is a car"
    is_number = "CD" in parse.tags[first : group.subject]  # "some 200 men"
    if word not in _DENIED or not fits or is_number or negations(parse):
        return []
    denied = Edit(*parse.span(first), match_case(parse.tokens[first], _DENIED[word]))
    if _DENIED[word].startswith("not "):
        return [denied]
    return [] if group.word in _BINDING else [denied, *_under_not(group)]


def _is_quantified(group: VerbGroup) -> bool:
    parse, subject = group.parse, group.subject
    return group.mood == "statement" and is_quantified(parse, subject, parse.first(subject)) and not _denied_quantity(group)


def _is_answered(group: VerbGroup) -> bool:
    """Return whether text follows the question: "Would we go back? Never."."""
    return any(map(str.isalpha, group.parse.text.partition("?")[2]))


def _items_in_scope(group: VerbGroup) -> dict[int, PolarityItem]:
    """Return the items after the finite verb and in no subordinate clause, which a "not" applies to and does not allow."""
    affirmed = items(group.parse, denied=False).items()
    return {index: item for index, item in affirmed if index > group.finite and is_in_clause(group, index)}


def _under_not(group: VerbGroup) -> list[Edit]:
    """Return the edits that write what stands for such items under a "not": "something" -> "anything"."""
    return [item.edit(group.parse, index, item.denied) for index, item in _items_in_scope(group).items()]


def _denied_verb(group: VerbGroup) -> list[Edit]:
    """Return the edits that put "not" into the clause, with what stands under it in place of "some" and "and"; none if it cannot."""
    edits = with_not(group)
    return [*edits, *_under_not(group), *or_for_and(group)] if edits else []


def _has_positive_word(group: VerbGroup) -> bool:
    """Return whether the clause has a word that nothing can stand for under a "not": "is rather old"."""
    return any(item.denied == NOTHING_FITS for item in _items_in_scope(group).values())


REFUSALS = (
    Refusal("joined verb that stays", "She hates spiders and is afraid of snakes.", _leaves_joined_verb),
    Refusal("question tag", "He isn't a doctor, is he?", lambda group: question_tag(group.parse) is not None),
    Refusal("result after a comma", "He left the town, making her happy.", _has_result),
    Refusal("clause that goes on", "She bought it and they love it.", _has_joined_clause),
    Refusal("asks what or where a thing is", "What is the reason?", asks_what_is),
    Refusal("asks how", "How can he win?", lambda group: group.parse.word(0) == "how"),
    Refusal("request", "Could you shut it?", lambda group: is_request(group) and group.parse.word(group.subject) == "you"),
    Refusal("asks for a choice", "Is it hot or cold?", asks_which),
    Refusal("question that is answered", "Does he walk? He does.", _is_answered),
    Refusal("word that stands under no negation", "He is rather old.", _has_positive_word),
    Refusal("also", "He also said that he was ill.", adds_to_long_clause),
    *TOGGLE_REFUSALS,
    Refusal("perhaps a participle of a headline", "Woman charged with murder of son", is_reduced_passive),
    Refusal("every, all, some or a number", "Each dog barked.", _is_quantified),
)


@augmentation(
    "SentenceNegation",
    family="polarity",
    meaning="alteration",
    source="SDA (Mao et al. 2022), negation for hard negatives of its published version (Zhu et al. 2024)",
    needs=("parse",),
    example=Example("The old man walks to the harbour.", "The old man does not walk to the harbour."),
    refusals=REFUSALS,
)
def sentence_negation(parse: Parse, rng: Random) -> str | None:
    """Toggle the negation of the main clause exactly once, so that the sentence says the opposite.

    A negative word of the main clause is removed ("does not walk" -> "walks", "no" -> "a" or "some"); without one, "not" is put
    after the auxiliary or copula, or "do not" before a main verb ("walks" -> "does not walk"), and what it denies in parts takes "or"
    ("is not old or ill"). A quantity is denied itself ("Not every dog barked", "No dogs barked" for "Some dogs barked"); "Do you like
    it?" becomes "Don't you like it?", "Close it." becomes "Do not close it.". Deviation: the released code adds "not" or "do not" without
    agreement.
    """
    group = main_verb_group(parse)
    if group is None or refused(REFUSALS, group):
        return None
    negative_words = negations(parse)
    if negative_words:
        edits = without_negation(group, negative_words[0], affirm=True)
    elif group.mood == "statement":
        edits = _denied_quantity(group) or _denied_verb(group)
    else:
        edits = not_in_question(group) if group.mood == "question" else not_before_imperative(group)
    return edited(parse.text, edits)
