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
_DRAWS = 20  # how often a new name is drawn until it is not in the sentence
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

    def name_at(self, index: int) -> Name | None:
        """Return the name that a token is part of."""
        return next((name for name in self.names if name.first <= index <= name.last), None)


def _counterpart(sentence: _Sentence, index: int) -> str | None:
    """Return what a word other than a given name becomes; None if it stays."""
    parse, lower = sentence.parse, sentence.parse.word(index)
    if lower in _PRONOUNS:
        return _PRONOUNS[lower]
    if lower in _POSSESSIVE:
        before_noun, alone = _POSSESSIVE[lower]  # "her house", "I saw her"
        return before_noun if _is_possessive(parse, index) else alone
    if lower in _TITLES and _is_before_name(parse, index):
        is_of_office = lower.startswith("mr") and parse.word(index + 1) in WORDS["OFFICE"]
        return "madam" if is_of_office else _TITLES[lower]
    name = sentence.name_at(index)
    if name is None:
        return None if _has_other_sense(parse, index, lower) else pairs().get(lower)
    is_surname = index - 1 in name.given  # after a given name: "Stephen King"
    return None if is_surname or parse.tokens[index] in _DIVINE else pairs().get(lower)


def _is_before_name(parse: Parse, index: int) -> bool:
    """Return whether a name follows a title: "Miss Quux", "Mr. and Mrs. Quux", "mr. quux"; the initials of "MS Office" are not a title."""
    if parse.word(index).removesuffix(".") in ("mr", "mrs"):
        return True
    is_joined = parse.word(index + 1) in ("and", "&")
    name = parse.token(index + 3 if is_joined else index + 1)
    return name[:1].isupper() and parse.tokens[index] != "MS"


def _is_possessive(parse: Parse, index: int) -> bool:
    """Return whether "his" or "her" belongs to a noun, as in "did her best"; in "made her sad" it does not, whatever the parser says."""
    head = parse.heads[index]
    previous_lemma = parse.lemmas[index - 1] if index else ""
    if parse.word(index + 1) == "back" and parse.tag(index - 1) == "IN":  # "behind her back", which may be tagged as an adverb
        return True
    is_made = parse.tags[head] == "JJ" and previous_lemma in WORDS["MAKING"]
    is_object = previous_lemma in WORDS["BEFORE_OBJECT"] or parse.word(head) in INDEFINITES
    is_labelled = parse.has_label(index, "nmod:poss") or parse.tag(index + 1) == "JJS"
    return is_labelled and not is_made and not is_object and not _has_second_object(parse, index)


def _has_second_object(parse: Parse, index: int) -> bool:
    """Return whether a name that nobody owns follows "her": "called her Mary", "taught her Latin"; not "taught her Latin class"."""
    takes_two = index > 0 and parse.lemmas[index - 1] in WORDS["BEFORE_NAME"]
    is_name = parse.token(index + 1)[:1].isupper() and parse.word(index + 1) not in pairs()
    return takes_two and is_name and parse.heads[index] == index + 1


def _has_other_sense(parse: Parse, index: int, lower: str) -> bool:
    """Return whether a gendered word is not a person here: a verb, part of a term ("sister ship", "queen bee"), or mankind."""
    makes_term = lower in WORDS["MAKING_TERMS"] and parse.has_label(index, "compound")
    if parse.upos[index] == "VERB" or makes_term or lower in WORDS["UNGENDERED"]:
        return True
    is_bare = not parse.children(index, "det", "nmod:poss", "amod", "nummod")
    return lower == "man" and is_bare and bool(parse.children(index, "case"))


def _has_gendered_name(sentence: _Sentence) -> bool:
    """Return whether a name has a gendered word that is not a title there: "Iron Man", "Best Actress", "King" alone."""
    tokens, staying = sentence.parse.tokens, _DIVINE | given_names().keys()
    words = ((name, index) for name in sentence.names if not name.given for index in range(name.first, name.last + 1))
    gendered = ((name, index) for name, index in words if tokens[index].lower() in pairs() and tokens[index] not in staying)
    return any(not _is_title_there(sentence.parse, name, index) for name, index in gendered)


def _is_title_there(parse: Parse, name: Name, index: int) -> bool:
    """Return whether a word with a capital says who somebody is: "King Kamehameha", "the Queen", "Mom"."""
    if index > name.first:
        return False
    if name.first < name.last:
        return first_kind(parse.word(name.last)) in ("", "noun.person")  # else a thing's name: "Princes Street"
    # A capital article makes it a title of a work, "The Man from Earth", except at the start of the sentence.
    has_determiner = parse.tag(index - 1) in ("DT", "PRP$") and (parse.tokens[index - 1].islower() or index == 1)
    return has_determiner or parse.word(index) in WORDS["KIN"]


def _has_lower_case_name(sentence: _Sentence) -> bool:
    """Return whether a given name is in lower case: it would stay next to the words that change."""
    named = [(index, token) for index, token in enumerate(sentence.parse.tokens) if token.islower() and token.capitalize() in given_names()]
    return any(is_name(sentence.parse, index) or not is_lower(token) for index, token in named)


def _contradicts_pronouns(sentence: _Sentence) -> bool:
    """Return whether no pronoun has the gender of the only given name: "Ruth lost his bat" is about a Mr. Ruth."""
    tokens, named = sentence.parse.tokens, [name for name in sentence.names if name.given]
    if len({tokens[name.given[0]] for name in named}) != 1:
        return False
    name, known = named[0], given_names()[tokens[named[0].given[0]]]
    genders = {_GENDER[token.lower()] for token in tokens[name.last :] if token.lower() in _GENDER}
    if genders:
        return known.gender not in genders
    return not known.is_common and name.first == name.last and not sentence.words  # nothing shows that it is a person's name


def _is_rulers(parse: Parse, name: Name) -> bool:
    """Return whether a title, number, epithet or realm goes with a name: "king Croesus", "Tutu I", "Peter the Great", "reign of David"."""
    before, after = parse.word(name.first - 1), parse.word(name.last + 1)
    if before in WORDS["ROYAL"] or (name.first < name.last and parse.word(name.first) in WORDS["ROYAL"]):
        return True
    number = name.last if parse.token(name.last) in WORDS["YOUNGER"] else name.last + 1
    if not name.given:  # "Zyx I"; not "World War I"
        return parse.token(number) in WORDS["YOUNGER"] and first_kind(parse.word(number - 1)) in ("", "noun.person")
    has_epithet = after == "the" and parse.token(name.last + 2)[:1].isupper()
    realm = parse.word(name.first - 2) if before == "of" else parse.word(name.last + 2) if after in ("'s", "’s") else ""
    return parse.token(number) in WORDS["YOUNGER"] or has_epithet or realm in WORDS["REALM"]


def _keeps_name(sentence: _Sentence, name: Name) -> bool:
    """Return whether a name stays: a figure's ("Zeus"), of unknown gender ("Mao Zedong"), or joined with one."""
    parse, words = sentence.parse, sentence.parse.tokens[name.first : name.last + 1]
    if words[0] in figures():
        return not parse.has_label(name.first, "compound")
    head = parse.head_of(name.first, name.last)
    if name.given:
        others = map(sentence.name_at, parse.conjuncts(head))
        return any(other is not None and not other.given for other in others)
    bare = words[1:] if words[0].lower() in _TITLES else words
    is_unknown_person = len(bare) in (2, 3) and not any(is_lower(word.lower()) or word.isupper() for word in bare)
    return is_unknown_person and bool(sentence.words) and not parse.children(head, "case")


def _is_in_phrase(sentence: _Sentence) -> bool:
    """Return whether a gendered word in lower case is part of a name: "game boy"."""
    return any(token in pairs() and in_phrase(sentence.parse, index) for index, token in enumerate(sentence.parse.tokens))


REFUSALS: tuple[Refusal[[_Sentence]], ...] = (
    Refusal("what only one sex is or has", "The women were pregnant.", lambda sentence: bool(_unswappable().search(sentence.parse.text))),
    Refusal("ruler or namesake", "King Zyx met her.", lambda sentence: any(_is_rulers(sentence.parse, name) for name in sentence.names)),
    Refusal("name in doubt", "Lucky told Howard about his life.", lambda sentence: any(name.is_doubtful for name in sentence.names)),
    Refusal("gendered word in a name", "She won Best Actress for her role.", _has_gendered_name),
    Refusal("part of a name in small letters", "my brother likes the game boy.", _is_in_phrase),
    Refusal("name in small letters", "i saw susanne and her dog.", _has_lower_case_name),
    Refusal("name against its pronoun", "Ruth lost his bat.", _contradicts_pronouns),
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
    becomes "him" or "his", and "his" becomes "her" or "hers", according to the parse; "a" and "an" are adapted. Where words that
    stay would contradict words that change, the whole sentence stays: see the refusals.

    Deviations from NL-Augmenter, which swaps "her" for "his" everywhere, and every name and every pair, whatever they mean there:
    pronouns by case, no pair with a second everyday meaning (host, manager, dam), and all draws from `rng`.
    `fidelity="original"` has none of them except the draws from `rng`.
    """
    if fidelity == "original":
        return _as_published(parse.text, rng)
    sentence = _Sentence(parse)
    given = [index for name in sentence.names for index in name.given]
    if not (sentence.words or given) or refused(REFUSALS, sentence):
        return None
    chosen: dict[str, str] = {}
    for index in given:
        chosen.setdefault(parse.tokens[index], _other_name(parse.tokens[index], {*parse.tokens, *chosen.values()}, rng))
    new = sentence.words | {index: chosen[parse.tokens[index]] for index in given}
    return apply_edits(parse.text, [edit for index, word in new.items() for edit in replacement_edits(parse, index, index, word)])


def _other_name(name: str, used: set[str], rng: Random) -> str:
    names = _names_of_other_gender(name)
    return next((other for other in (rng.choice(names) for _ in range(_DRAWS)) if other not in used), names[0])


def _names_of_other_gender(name: str) -> tuple[str, ...]:
    return common_names("f" if given_names()[name].gender == "m" else "m")


def _as_published(text: str, rng: Random) -> str:
    """Swap every word of the pairs and every name between spaces, whatever it means there."""
    counterparts = pairs() | _PRONOUNS | {"his": "her", "her": "his"}
    known = {name.lower(): name for name in given_names()}

    def swap(word: str) -> str:
        bare = "".join(letter for letter in word.lower().replace("'s", "") if letter.isalpha() or letter == "-").strip("-")
        new = counterparts.get(bare)
        if bare in known:
            new = rng.choice(_names_of_other_gender(known[bare]))
        if new is None:
            return word
        swapped = word.lower().replace(bare, new)
        return swapped[0].upper() + swapped[1:] if word[0].isupper() else swapped

    return " ".join(map(swap, text.split(" ")))
