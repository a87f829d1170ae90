"""Gendered words, pronouns, titles and given names swapped for their counterparts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.article import replacement_edits
from augcse.augmentations.english.capitals import is_lower
from augcse.augmentations.english.function_words import INDEFINITES
from augcse.augmentations.english.name_words import in_phrase, is_name
from augcse.augmentations.english.names import common_names, given_names
from augcse.augmentations.english.noun_kinds import first_kind
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.rules.lexical.gender_swap.names import WORDS, Name, figures, find_names, pairs
from augcse.augmentations.text.edits import apply_edits
from augcse.augmentations.text.tables import data_rows

_DATA = Path(__file__).parent
_PRONOUNS = {"he": "she", "she": "he", "him": "her", "himself": "herself", "herself": "himself", "hers": "his"}
_GENDER = {"he": "m", "him": "m", "his": "m", "himself": "m", "she": "f", "her": "f", "hers": "f", "herself": "f"}
_POSSESSIVE = {"his": ("her", "hers"), "her": ("his", "him")}
_DIVINE = frozenset(("God", "Gods", "Lord", "Lords"))
_DRAWS = 20
_TITLES = {title: other for other in ("ms", "ms.", "mr", "mr.", "sir", "dame", "lord", "lady") for title in WORDS[f"TITLE:{other}"]}


@lru_cache(maxsize=1)
def _unswappable() -> re.Pattern[str]:
    terms = [re.escape(term).replace(r"\*", r"[\w'-]*") for [term] in data_rows(_DATA / "unswappable.txt")]
    return re.compile(rf"(?<!\w)(?:{'|'.join(terms)})(?!\w)", re.IGNORECASE)


@dataclass(frozen=True)
class _Sentence:
    """A parse and what is gendered in it."""

    parse: Parse

    @cached_property
    def names(self) -> list[Name]:
        return find_names(self.parse)

    @cached_property
    def words(self) -> dict[int, str]:
        """The pronouns, titles and nouns that change, and what they become."""
        return {index: new for index in range(len(self.parse)) if (new := _counterpart(self, index)) is not None}

    @cached_property
    def given(self) -> list[int]:
        """The given names that change."""
        return [index for name in self.names for index in name.given]

    def name_at(self, index: int) -> Name | None:
        """Return the name that a token is part of."""
        return next((name for name in self.names if name.first <= index <= name.last), None)


def _counterpart(sentence: _Sentence, index: int) -> str | None:
    """Return what a word that is no given name becomes; None where it stays."""
    parse, lower = sentence.parse, sentence.parse.word(index)
    if lower in _PRONOUNS:
        return _PRONOUNS[lower]
    if lower in _POSSESSIVE:
        return _POSSESSIVE[lower][0 if _is_possessive(parse, index) else 1]  # "her house", "I saw her"
    if lower in _TITLES and _is_before_name(parse, index):
        return "madam" if lower.startswith("mr") and parse.word(index + 1) in WORDS["OFFICE"] else _TITLES[lower]
    name = sentence.name_at(index)
    # Not the surname of "Stephen King".
    stays = (parse.tokens[index] in _DIVINE or index - 1 in name.given) if name else _has_other_sense(parse, index, lower)
    return None if stays else pairs().get(lower)


def _is_before_name(parse: Parse, index: int) -> bool:
    """Tell whether a title has a name after it: "Miss Quux", "Mr. and Mrs. Quux", "mr. quux"; not the initials of "MS Office"."""
    following = parse.token(index + 1 + 2 * (parse.word(index + 1) in ("and", "&")))
    is_title = following[:1].isupper() and parse.tokens[index] != "MS"
    return is_title or parse.word(index).removesuffix(".") in ("mr", "mrs")


def _is_possessive(parse: Parse, index: int) -> bool:
    """Tell whether "his" or "her" has a noun, as in "did her best"; not so in "made her sad", whatever the parser says."""
    head, before = parse.heads[index], parse.lemmas[index - 1] if index else ""
    made = parse.tags[head] == "JJ" and before in WORDS["MAKING"]
    is_object = before in WORDS["BEFORE_OBJECT"] or parse.word(head) in INDEFINITES
    owns = parse.has_label(index, "nmod:poss") or parse.tag(index + 1) == "JJS"
    return owns and not (made or is_object)


def _has_other_sense(parse: Parse, index: int, lower: str) -> bool:
    """Tell whether a gendered word is no person here: a verb, part of a term ("sister ship", "queen bee"), or mankind."""
    is_verb, makes_term = parse.upos[index] == "VERB", lower in WORDS["MAKING_TERMS"] and parse.has_label(index, "compound")
    if is_verb or makes_term or lower in WORDS["UNGENDERED"]:
        return True
    is_bare = not parse.children(index, "det", "nmod:poss", "amod", "nummod")
    return lower == "man" and is_bare and bool(parse.children(index, "case"))


def _has_gendered_name(sentence: _Sentence) -> bool:
    """Tell whether a gendered word in a name is no title there: "Iron Man", "Best Actress", "King" alone."""
    tokens, stay = sentence.parse.tokens, _DIVINE | given_names().keys()
    words = ((name, index) for name in sentence.names if not name.given for index in range(name.first, name.last + 1))
    gendered = ((name, index) for name, index in words if tokens[index].lower() in pairs() and tokens[index] not in stay)
    return any(not _is_title_there(sentence.parse, name, index) for name, index in gendered)


def _is_title_there(parse: Parse, name: Name, index: int) -> bool:
    """Tell whether a word with a capital says who somebody is: "King Kamehameha", "the Queen", "Mom"."""
    if index > name.first:
        return False
    if name.first < name.last:
        return first_kind(parse.word(name.last)) in ("", "noun.person")  # not "Princes Street"
    called = parse.tag(index - 1) in ("DT", "PRP$") and (parse.tokens[index - 1].islower() or index == 1)  # not "The Man from Earth"
    return called or parse.word(index) in WORDS["KIN"]


def _is_in_small_letters(sentence: _Sentence) -> bool:
    """Tell whether a given name is written small: it would stay beside the words that change."""
    named = [(index, token) for index, token in enumerate(sentence.parse.tokens) if token.islower() and token.capitalize() in given_names()]
    return any(is_name(sentence.parse, index) or not is_lower(token) for index, token in named)


def _belies_pronouns(sentence: _Sentence) -> bool:
    """Tell whether no pronoun has the gender of the only name ("Ruth lost his bat" is about a Mr. Ruth)."""
    tokens, bearing = sentence.parse.tokens, [name for name in sentence.names if name.given]
    if len({tokens[name.given[0]] for name in bearing}) != 1:
        return False
    known = given_names()[tokens[bearing[0].given[0]]]
    genders = {_GENDER[token.lower()] for token in tokens[bearing[0].last :] if token.lower() in _GENDER}
    is_rare = not known.is_common and bearing[0].first == bearing[0].last and not sentence.words
    return known.gender not in genders if genders else is_rare


def _keeps_name(sentence: _Sentence, name: Name) -> bool:
    """Tell whether a name stays: a figure's, a ruler's, of an unknown gender, or in a list: "Zeus", "Queen Anne", "Mao Zedong"."""
    parse, words, inside = sentence.parse, sentence.parse.tokens[name.first : name.last + 1], range(name.first, name.last + 1)
    if words[0] in figures():
        return not parse.has_label(name.first, "compound")
    head = next((index for index in inside if parse.heads[index] not in inside), name.last)
    if name.given:
        if words[0].lower() in WORDS["ROYAL"]:
            return True
        above = parse.heads[head] if parse.has_label(head, "conj") else head
        others = [sentence.name_at(index) for index in (above, *parse.children(above, "conj"))]
        return any(other is not None and not other.given for other in others)
    bare = words[words[0].lower() in _TITLES :]
    unknown = len(bare) in (2, 3) and not any(is_lower(word.lower()) or word.isupper() for word in bare)
    return unknown and bool(sentence.words) and not parse.children(head, "case")


def _is_in_phrase(sentence: _Sentence) -> bool:
    """Tell whether a gendered word in small letters is part of a name: "game boy"."""
    return any(token in pairs() and in_phrase(sentence.parse, index) for index, token in enumerate(sentence.parse.tokens))


REFUSALS: tuple[Refusal[[_Sentence]], ...] = (
    Refusal("what only one sex is or has", "The women were pregnant.", lambda sentence: bool(_unswappable().search(sentence.parse.text))),
    Refusal("name in doubt", "Lucky told Howard about his life.", lambda sentence: any(name.is_doubtful for name in sentence.names)),
    Refusal("gendered word in a name", "She won Best Actress for her role.", _has_gendered_name),
    Refusal("part of a name in small letters", "my brother likes the game boy.", _is_in_phrase),
    Refusal("name in small letters", "i saw susanne and her dog.", _is_in_small_letters),
    Refusal("name against its pronoun", "Ruth lost his bat.", _belies_pronouns),
    Refusal(
        "name that stays", "Mao Zedong ruled until his death.", lambda sentence: any(_keeps_name(sentence, name) for name in sentence.names)
    ),
)


@augmentation(
    "GenderSwap",
    family="lexical",
    meaning="highly_preserving",
    condition="a gendered word",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter gender_swap; word pairs after Lu et al. (2020)",
    example=Example("The actor lost his hat, so his wife helped him.", "The actress lost her hat, so her husband helped her."),
    needs=("parse",),
    refusals=REFUSALS,
)
def gender_swap(parse: Parse, rng: Random, *, fidelity: Fidelity = "grammatical") -> str | None:
    """Swap every gendered word of the sentence for its counterpart: nouns, pronouns, titles and given names.

    A given name becomes a random common name of the other gender, the same one throughout the sentence. Surnames and names
    of things stay ("Mary Kelly", "Kennedy School", "the Oscar"), and so do terms ("sister ship", "the rights of man"). "her"
    becomes "him" or "his", and "his" becomes "her" or "hers", by the parse; "a" and "an" follow. Where what stays would
    contradict what changes, the whole sentence stays: see the refusals.

    Deviations from NL-Augmenter, which swaps "her" for "his" everywhere, every name and every pair whatever it means there:
    pronouns by case, no pair with a second everyday meaning (host, manager, dam), and all draws from `rng`.
    `fidelity="original"` has none of them but the draws.
    """
    if fidelity == "original":
        return _as_published(parse.text, rng)
    sentence = _Sentence(parse)
    if not (sentence.words or sentence.given) or refused(REFUSALS, sentence):
        return None
    chosen: dict[str, str] = {}
    for index in sentence.given:
        chosen.setdefault(parse.tokens[index], _other_name(parse.tokens[index], {*parse.tokens, *chosen.values()}, rng))
    new = sentence.words | {index: chosen[parse.tokens[index]] for index in sentence.given}
    return apply_edits(parse.text, [edit for index, word in new.items() for edit in replacement_edits(parse, index, index, word)])


def _other_name(name: str, used: set[str], rng: Random) -> str:
    pool = _names_of_other_gender(name)
    return next((other for other in (rng.choice(pool) for _ in range(_DRAWS)) if other not in used), pool[0])


def _names_of_other_gender(name: str) -> tuple[str, ...]:
    return common_names("f" if given_names()[name].gender == "m" else "m")


def _as_published(text: str, rng: Random) -> str:
    """Swap, between blanks, every word of the pairs and every name, whatever it is there."""
    counterparts = pairs() | _PRONOUNS | {"his": "her", "her": "his"}
    known = {name.lower(): name for name in given_names()}

    def swap(word: str) -> str:
        raw = "".join(letter for letter in word.lower().replace("'s", "") if letter.isalpha() or letter == "-").strip("-")
        new = counterparts.get(raw)
        if raw in known:
            new = rng.choice(_names_of_other_gender(known[raw]))
        if new is None:
            return word
        swapped = word.lower().replace(raw, new)
        return swapped[0].upper() + swapped[1:] if word[0].isupper() else swapped

    return " ".join(map(swap, text.split(" ")))
