"""Agreement: the number of a noun phrase, the form of the verb it takes, the case of its pronouns."""

from __future__ import annotations

import re
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.clause import RELATIVES
from augcse.augmentations.english.inflection import verb_lemma, word_form
from augcse.augmentations.text.edits import match_case
from augcse.augmentations.text.tables import word_sets
from augcse.lexicon.word_forms import word_forms

SUBJECT_FORM = {"me": "I", "him": "he", "her": "she", "us": "we", "them": "they"}
OBJECT_FORM = {subject.lower(): other for other, subject in SUBJECT_FORM.items()}
_BE = {"am": "present", "is": "present", "are": "present", "was": "past", "were": "past"}
_WORDS = word_sets(Path(__file__).with_name("number_words.txt"))


def is_plural(parse: Parse, index: int) -> bool | None:
    """Return whether the noun phrase headed by `index` takes a plural verb; None if that cannot be told."""
    word, tag = parse.word(index), parse.tags[index]
    if parse.children(index, "conj"):
        return _joined_is_plural(parse, index)
    if parse.tokens[index] == "US":
        return False
    if word in _WORDS["QUANTITY"]:
        return _quantity_is_plural(parse, index)
    if word in _WORDS["SINGULAR"] | _WORDS["PLURAL"]:
        return word in _WORDS["PLURAL"]
    is_told = tag.startswith("NN") and word not in _WORDS["EITHER_NUMBER"] and not _has_doubtful_number(parse, index)
    return tag == "NNS" if is_told else None


def _joined_is_plural(parse: Parse, index: int) -> bool | None:
    last = max(map(parse.last, parse.children(index, "conj")))
    return None if {"and", "&"}.isdisjoint(map(parse.word, range(index, last + 1))) else True


def _quantity_is_plural(parse: Parse, index: int) -> bool | None:
    determiners = {parse.word(other) for other in parse.children(index, "det")}
    after = [parse.tags[other] for other in parse.children(index, "nmod")]
    if not after and parse.word(index) in _WORDS["BARE_QUANTITY"]:
        return None
    return False if "the" in determiners or not after else after[0] in ("NNS", "NNPS")


def _has_doubtful_number(parse: Parse, index: int) -> bool:
    word, tag = parse.word(index), parse.tags[index]
    named = parse.tokens[index][0].isupper() and parse.word(parse.first(index)) in ("the", "by")
    if tag == "NNPS" or (named and re.search("[^s]s$|men$", word)):
        return True  # "the Bengals are", "the United States is"
    return tag == "NN" and word.endswith("s") and word not in word_forms().lemmas(word, "NOUN")  # "films", taken for a singular


def takes_plural(parse: Parse, subject: int) -> bool | None:
    """Return whether the verb of a subject takes the plural (base) form; None if that cannot be told.

    A relative pronoun has the number of what it stands for: "the men who walk".
    """
    word = parse.word(subject)
    if word in RELATIVES and parse.has_label(parse.heads[subject], "acl"):
        antecedent = parse.heads[parse.heads[subject]]
        return None if parse.children(antecedent, "conj") else is_plural(parse, antecedent)
    if word in ("who", "what", "which", "much"):
        return False
    return None if _is_one_of_several(parse, subject) else is_plural(parse, subject)


def _is_one_of_several(parse: Parse, subject: int) -> bool:
    """Tell whether the parser took two coordinated phrases for two subjects of one verb: "The dog, the cat and the hen sleep."."""
    first, *others = parse.children(parse.heads[subject], "nsubj") or [subject]
    return bool(others) and any(parse.deps[index] == "cc" for index in range(first, parse.last(others[-1])))


def be_form(tense: str, plural: bool, first_person: bool) -> str:
    """Return the form of "be" in the present or past.

    >>> be_form("present", plural=False, first_person=True), be_form("past", plural=True, first_person=False)
    ('am', 'were')
    """
    if first_person:
        return "am" if tense == "present" else "was"
    present, past = ("are", "were") if plural else ("is", "was")
    return present if tense == "present" else past


def agreeing_form(parse: Parse, index: int, plural: bool | None, first_person: bool) -> str | None:
    """Return the finite word `index` as a subject of that number takes it; None if that cannot be told."""
    word = parse.word(index)
    tag = parse.tags[index]
    if word[0] in "'’":
        return None
    if word in _BE:
        return None if plural is None else match_case(parse.tokens[index], be_form(_BE[word], plural, first_person))
    if tag not in ("VBZ", "VBP"):
        return parse.tokens[index]
    if plural is None:
        return None
    lemma = verb_lemma(word, tag, parse.lemmas[index])
    form = word_form(lemma, "VB" if plural else "VBZ") if lemma else None
    return None if form is None else match_case(parse.tokens[index], form)


def agrees(parse: Parse, subject: int, finite: int) -> bool:
    """Return whether the verb has the number of the subject the parser gave it; True where that cannot be told.

    One that has not is a subject the parser found wrongly, and the rules leave such a sentence alone.
    """
    word = parse.word(finite)
    plural = is_plural(parse, subject)
    if plural is None or parse.word(subject) in ("i", "you", "who", "that"):
        return True
    if word in _BE:
        return word == be_form(_BE[word], plural, first_person=False)
    return parse.tags[finite] != ("VBZ" if plural else "VBP")
