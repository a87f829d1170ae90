"""Agreement: the number of a noun phrase, and the verb form that it takes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.clause import FINITE_TAGS, RELATIVES, first_verb, missed_present
from augcse.augmentations.english.inflection import inflections, verb_lemma, word_form
from augcse.augmentations.english.noun_kinds import first_kind, mass_nouns
from augcse.augmentations.text.edits import Edit, match_case
from augcse.augmentations.text.tables import word_sets
from augcse.lexicon.word_forms import word_forms

BE_TENSES = {"am": "present", "is": "present", "are": "present", "was": "past", "were": "past"}
_WORDS = word_sets(Path(__file__).with_name("number_words.txt"))
_COUNTABLE_KINDS = frozenset({"noun.person", "noun.animal", "noun.artifact"})


def takes_plural(parse: Parse, subject: int) -> bool | None:
    """Return whether the verb of a subject takes the plural (base) form; None if it is unknown.

    A relative pronoun has the number of its antecedent: "the men who walk".
    """
    word = parse.word(subject)
    if word in RELATIVES and parse.has_label(parse.heads[subject], "acl"):
        antecedent = parse.heads[parse.heads[subject]]
        return None if parse.children(antecedent, "conj") else is_plural(parse, antecedent)
    if word in ("who", "what", "which", "much"):
        return False
    return None if _is_one_of_several(parse, subject) else is_plural(parse, subject)


def _is_one_of_several(parse: Parse, subject: int) -> bool:
    """Return whether the parser took two coordinated phrases for two subjects of one verb: "The dog, the cat and the hen sleep."."""
    first, *others = parse.children(parse.heads[subject], "nsubj") or [subject]
    return bool(others) and any(parse.deps[index] == "cc" for index in range(first, parse.last(others[-1])))


def is_plural(parse: Parse, index: int) -> bool | None:
    """Return whether the noun phrase headed by `index` takes a plural verb; None if that is in doubt."""
    word, tag = parse.word(index), parse.tags[index]
    if parse.children(index, "conj"):
        return _joined_is_plural(parse, index)
    if parse.tokens[index] == "US":
        return False
    if word in _WORDS["PEOPLES"] and parse.word(index - 1) == "the":
        return True
    if tag in ("NN", "NNP") and _may_be_joined(parse, index):
        return None
    if word in _WORDS["QUANTITY"]:
        return _quantity_is_plural(parse, index)
    if word in _WORDS["SINGULAR"] | _WORDS["PLURAL"]:
        return word in _WORDS["PLURAL"]
    if not tag.startswith("NN") or word in _WORDS["EITHER_NUMBER"] or _has_doubtful_number(parse, index):
        return None
    return tag == "NNS"


def _joined_is_plural(parse: Parse, index: int) -> bool | None:
    """Return True for nouns joined by "and"; None for others, as with "or" the last noun may decide."""
    last = max(map(parse.last, parse.children(index, "conj")))
    return None if {"and", "&"}.isdisjoint(map(parse.word, range(index, last + 1))) else True


def _may_be_joined(parse: Parse, index: int) -> bool:
    """Return whether what follows may be joined to the noun, unlike the word that it is attached to: "the island of Malta and rocks"."""
    joined = (other for other in range(index + 1, parse.last(index) + 1) if parse.deps[other] == "conj")
    return any(parse.children(other, "det") or parse.tags[other] != parse.tags[parse.heads[other]] for other in joined)


def _quantity_is_plural(parse: Parse, index: int) -> bool | None:
    """Return whether a quantity counts a plural ("a lot of people"): False for "the number" or if it counts nothing, None if in doubt."""
    word, counted = parse.word(index), parse.children(index, "nmod")
    if not counted and word in _WORDS["BARE_QUANTITY"]:
        return None
    if not counted or (word in _WORDS["SINGULAR_AFTER_THE"] and "the" in map(parse.word, parse.children(index, "det"))):
        return False
    return parse.tags[counted[0]] == "NNPS" or is_plural(parse, counted[0])


def is_quantified(parse: Parse, subject: int, start: int) -> bool:
    """Return whether a subject is a quantity, of which "not" may deny all or only a part: "every dog", "half of them", "ten men".

    A word for a quantity counts from `start` on, where what is denied begins. The number in a name or measure is none: "a 10 year plan".
    """
    phrase, words = range(parse.first(subject), subject + 1), {*map(parse.word, range(start, subject + 1))}
    is_counted = parse.tags[subject] in ("CD", "NNS") or "least" in words  # "at least one dog"
    if is_counted and any(parse.tags[index] == "CD" for index in phrase):
        return True
    counts_others = parse.word(subject) in _WORDS["COUNTING"] and bool(parse.children(subject, "nmod"))
    is_known = "the" in map(parse.word, parse.children(subject, "det"))  # "the number of men"
    return (counts_others and not is_known) or not _WORDS["QUANTIFIER"].isdisjoint(words)


def _has_doubtful_number(parse: Parse, index: int) -> bool:
    word, tag = parse.word(index), parse.tags[index]
    is_name = parse.tokens[index][0].isupper() and parse.word(parse.first(index)) in ("the", "by")
    if tag == "NNPS" or (is_name and re.search("[^s]s$|men$", word)):
        return True  # "the Bengals are", "the United States is"
    # A plural that the tagger took for a singular: "films".
    return tag == "NN" and word.endswith("s") and word not in word_forms().lemmas(word, "NOUN")


def takes_article(noun: str) -> bool:
    """Return whether a singular noun surely takes an article: that of a person, animal or thing which is not a substance or the like.

    >>> [takes_article(noun) for noun in ("car", "teacher", "answer", "money", "equipment", "justice")]
    [True, True, True, False, False, False]
    """
    is_countable = noun in _WORDS["COUNTABLE"] or first_kind(noun) in _COUNTABLE_KINDS
    return is_countable and noun not in mass_nouns().keys() | _WORDS["MASS"] and inflections(noun, "NNS") != (noun,)


def finite_form(lemma: str, tense: str, plural: bool | None, *, first_person: bool = False) -> str | None:
    """Return the present or past form that a verb has with a subject of that number; None if the number or the form is in doubt.

    >>> finite_form("be", "present", plural=False, first_person=True), finite_form("be", "past", plural=True)
    ('am', 'were')
    """
    if lemma != "be" and tense == "past":
        return word_form(lemma, "VBD")
    if plural is None:
        return None
    if lemma != "be":
        return word_form(lemma, "VB" if plural else "VBZ")
    if tense != "present":
        return "were" if plural and not first_person else "was"
    if first_person:
        return "am"
    return "are" if plural else "is"


def form_beside(parse: Parse, subject: int, finite: int) -> str | None:
    """Return the form that a finite verb has beside a subject, its own or another; None if the number or the form is in doubt."""
    word, tag = parse.word(finite), parse.tags[finite]
    if word[0] in "'’":
        return None
    if word not in BE_TENSES and tag not in ("VBZ", "VBP") and finite != missed_present(parse):
        return parse.tokens[finite]
    lemma = "be" if word in BE_TENSES else verb_lemma(word, tag, parse.lemmas[finite])
    plural, first_person = takes_plural(parse, subject), parse.word(subject) in ("i", "me")
    form = finite_form(lemma, BE_TENSES.get(word, "present"), plural, first_person=first_person) if lemma else None
    return match_case(parse.tokens[finite], form) if form else None


def agrees(parse: Parse, subject: int, finite: int) -> bool:
    """Return whether the verb agrees with its subject, or may; a disagreement means that the parser chose the wrong subject."""
    return form_beside(parse, subject, finite) in (parse.tokens[finite], None)


def agreement_edits(parse: Parse, heads: Sequence[int], subject: int, new_subject: int) -> list[Edit] | None:
    """Return the edits that make the verbs of clauses agree with another subject than the one they share; None if a form is in doubt."""
    edits = []
    for head in heads:
        finite = first_verb(parse, head)
        form = form_beside(parse, new_subject, finite)
        # A predicate noun would have to change its number too: "came and was a teacher".
        if form is None or not agrees(parse, subject, finite) or parse.tags[head] in ("NN", "NNS"):
            return None
        if head == heads[0] and parse.tags[finite] not in FINITE_TAGS:
            return None
        edits.append(Edit(*parse.span(finite), form))
    return edits
