"""The negation of a main clause toggled: a statement, a question or an imperative negated, or its one negative word removed."""

from __future__ import annotations

from itertools import takewhile

from augcse.augmentations.english.agreement import takes_article
from augcse.augmentations.english.article import indefinite_article
from augcse.augmentations.english.clause import SUBJECTS, VERB_WORDS, before_adverbs, full_form, is_finite
from augcse.augmentations.english.conjunctions import is_contrasted, is_opposed
from augcse.augmentations.english.function_words import DEFINITES
from augcse.augmentations.english.joined_verbs import with_joined_verbs
from augcse.augmentations.english.negation import affirming_edits, is_corrected, is_needed, negated_auxiliary, removal_edits
from augcse.augmentations.english.polarity import item_at
from augcse.augmentations.english.verb_group import VerbGroup, negations, spaced
from augcse.augmentations.refusals import Refusal
from augcse.augmentations.text.edits import Edit, match_case

_CONTRACTED = {"can": "can't", "will": "won't"}
# With "n't" these are old-fashioned or mean something else.
_UNCONTRACTED = frozenset({"am", "may", "might", "shall", "must"})
# Adverbs that "not" follows.
_OVER_NOT = VERB_WORDS["CERTAINTY"] | VERB_WORDS["LINKING"]
# Relative pronouns that go on, after a comma, about what is known.
_RELATIVES_AFTER_COMMA = frozenset({"where", "which", "who", "whom", "whose"})


def _has_restriction(group: VerbGroup) -> bool:
    """Return whether a word restricts or adds to the clause, so that "not" would change more: "is only", "has changed little"."""
    parse, finite = group.parse, group.finite
    near = {parse.word(index) for index in (finite - 1, finite, finite + 1, group.head + 1)}
    # "It is old, too.", "He too is old."
    adds = any(index + 1 == finite or not parse.token(index + 1)[:1].isalnum() for index in parse.indices_of("too"))
    introduces_more = parse.tags[group.subject] == "EX" and "also" in near  # "There is also a mill."
    is_to_come = (parse.word(finite + 1), parse.word(finite + 2)) == ("yet", "to")  # "She has yet to learn it."
    is_limited = near & VERB_WORDS["RESTRICTING"] or not VERB_WORDS["LIMITING"].isdisjoint((*near, *group.adverbs))
    if adds or introduces_more or is_to_come or is_limited:
        return True
    return not {"alone", "few", "only"}.isdisjoint(map(parse.word, range(finite)))


def adds_to_long_clause(group: VerbGroup) -> bool:
    """Return whether a clause with "also" has no end for the "either" of its denial: "He also said that he was ill."."""
    parse, also = group.parse, group.adverbs.get("also", 0)
    last = len(parse) - 1
    is_plain = all(parse.token(index)[:1].isalnum() and not is_finite(parse, index) for index in range(group.head + 1, last))
    is_denied = group.mood == "statement" and not negations(parse)
    return also > 0 and is_denied and not (is_plain and also + 1 < last and parse.tokens[last] == ".")


def _describes_denied(group: VerbGroup) -> bool:
    """Return whether what follows a comma is about the clause, or about a thing that it introduces: "It is a film, which is long"."""
    parse = group.parse
    after_comma = (index for index in range(group.finite + 1, len(parse)) if parse.tokens[index - 1] == ",")
    return any(_compares_or_describes(group, index) for index in after_comma)


def _compares_or_describes(group: VerbGroup, first: int) -> bool:
    parse, second = group.parse, first + 1
    if parse.word(first) in ("up", "down"):
        return parse.word(second) == "from"  # "grew by 20 %, up from 17 %"
    pronoun = second if parse.tags[first] == "IN" else first  # "amongst whom"
    if parse.word(pronoun) not in _RELATIVES_AFTER_COMMA:
        return False
    noun = next((parse.heads[index] for index in parse.path(pronoun) if parse.deps[index] == "acl:relcl"), group.finite)
    is_known = not DEFINITES.isdisjoint(map(parse.word, parse.children(noun, "det")))
    is_new = parse.tags[noun] in ("NN", "NNS") and not is_known and parse.is_below(noun, group.head)
    if parse.word(pronoun) == "which":
        return is_new or parse.heads[parse.heads[pronoun]] == group.head
    # Not "his mother, who is ill", "hidden under a tree, where one would look".
    return is_new and not parse.has_label(noun, "obl") and not parse.children(noun, "nmod:poss")


def _has_to_stay(group: VerbGroup) -> bool:
    """Return whether the first negative word stays: the words around need it, it denies another part, or nothing can stand for it."""
    parse, finite, negation = group.parse, group.finite, min(negations(group.parse), default=0)
    if parse.is_negation(negation):
        stays = any(test(parse, finite, negation) for test in (is_needed, is_contrasted, is_corrected))
        return stays or negated_auxiliary(parse, negation) != finite
    is_denied = negation in negations(parse)
    return is_denied and (is_contrasted(parse, finite, negation) or not _negates_clause(group, negation))


def _negates_clause(group: VerbGroup, negation: int) -> bool:
    """Return whether a negative word that something can stand for depends on the main verb or on a noun that does."""
    parse, item = group.parse, item_at(group.parse, negation)
    if item is None:
        return False
    head = next((step for step in parse.path(negation) if not negation <= step < negation + len(item.words)), negation)
    return head == group.head or (parse.heads[head] == group.head and parse.has_label(head, "obj", "nsubj", "obl"))


TOGGLE_REFUSALS = (
    Refusal("reason, result or contrast", "He was here because it was cold.", lambda group: is_opposed(group.parse, group.head)),
    Refusal("description of what is denied", "It is a film, which is long.", _describes_denied),
    Refusal("two negative words", "He is neither rich nor happy.", lambda group: len(negations(group.parse)) > 1),
    Refusal("restricted", "He is only walking.", _has_restriction),
    Refusal("negative word that has to stay", "He did not leave until noon.", _has_to_stay),
)


def is_in_clause(group: VerbGroup, index: int) -> bool:
    """Return whether a word is in the main clause and in no subordinate one, so that a "not" applies to it."""
    path = takewhile(lambda step: step != group.head, group.parse.path(index))
    return not any(group.parse.children(step, *SUBJECTS, "mark") for step in path)


def without_negation(group: VerbGroup, negation: int, *, affirm: bool) -> list[Edit]:
    """Return the edits that remove the one negative word of the main clause; none if it has to stay.

    `affirm` is for a sentence that says the opposite ("nothing" -> "something"), not for one under another negation ("anything").
    """
    parse, finite = group.parse, group.finite
    item = item_at(parse, negation)
    if item is None:
        return removal_edits(parse, finite, negation, polarity=affirm)
    noun = parse.heads[negation]
    is_singular = parse.tags[noun] == "NN" and parse.word(negation + 1) != "such"
    replacement = item.affirmed if affirm else item.denied
    if item.words == ("no",) and noun == group.head:  # "He is no fool"; not "It is no use"
        if not is_singular or parse.word(group.subject) == "it":
            return []
        replacement = indefinite_article(parse.token(negation + 1))
    elif item.words == ("no",) and affirm and is_singular and takes_article(parse.lemmas[noun].lower()):
        replacement = indefinite_article(parse.token(negation + 1))
    edits = [item.edit(parse, negation, replacement)]
    return [*edits, *affirming_edits(parse, group.head, negation)] if affirm else edits


def with_not(group: VerbGroup) -> list[Edit]:
    """Return the edits that deny a statement; "still" becomes "no longer", "already" "yet", and "also" an "either" at the end."""
    parse, adverbs = group.parse, group.adverbs
    if "still" in adverbs and continues(group):
        return [Edit(*parse.span(adverbs["still"]), "no longer")]
    edits = _with_do(group) if group.kind == "verb" else _after_auxiliary(group)
    if edits and "already" in adverbs and (group.kind == "verb" or adverbs["already"] > group.finite):
        edits.append(Edit(*parse.span(adverbs["already"]), "yet"))
    if edits and "also" in adverbs:
        start, following = parse.starts[adverbs["also"] : adverbs["also"] + 2]
        end = parse.end(len(parse) - 2)
        edits += [Edit(start, following, ""), Edit(end, end, " either")]
    return edits


def continues(group: VerbGroup) -> bool:
    """Return whether a "still" means that the clause goes on; elsewhere it often concedes: "I would still go", "He still won"."""
    return group.kind == "be" or (group.kind == "verb" and not group.past)


def _after_auxiliary(group: VerbGroup) -> list[Edit]:
    parse, finite = group.parse, group.finite
    auxiliary = spaced(parse, finite, full_form(parse, finite))
    if parse.tags[group.subject] == "EX" and parse.tag(finite + 1) in ("NN", "NNS") and parse.pos(finite + 1) != "PRON":
        return [Edit(*parse.span(finite), f"{auxiliary} no")]  # "There was no talk of it."
    if parse.word(finite + 1) in _OVER_NOT:
        end = parse.end(finite + 1)
        return [Edit(*parse.span(finite), auxiliary), Edit(end, end, " not")]
    return [Edit(*parse.span(finite), "cannot" if parse.word(finite) == "can" else f"{auxiliary} not")]


def _with_do(group: VerbGroup) -> list[Edit]:
    parse, finite = group.parse, group.finite
    # "Do not" comes before the adverbs of the verb: "did not profoundly alter".
    start = parse.starts[before_adverbs(parse, finite, _OVER_NOT) + 1]
    edits = [Edit(start, start, f"{group.do_form} not "), Edit(*parse.span(finite), group.lemma or "")]
    return with_joined_verbs(group, edits) if group.lemma else []


def not_in_question(group: VerbGroup) -> list[Edit]:
    """Return the edits for "Don't you like it?"; after a question word, "not" comes after the subject: "Why do you not like it?"."""
    if group.finite > 0 or group.word in _UNCONTRACTED:
        return [group.inserted("not")]
    return group.rewritten(_CONTRACTED.get(group.word, f"{group.word}n't"))


def not_before_imperative(group: VerbGroup, words: str = "") -> list[Edit]:
    """Return the edits for "Do not close it", "Do not fail to close it"."""
    parse, verb = group.parse, group.head
    if group.finite != verb:
        return [Edit(parse.end(group.finite), parse.end(group.finite), f" not {words}".rstrip())]
    word = parse.tokens[verb]
    return [Edit(*parse.span(verb), match_case(word[:1], "do not ") + words + word.lower())]
