"""Gendered words, pronouns, titles and given names swapped for their counterparts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from random import Random

from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.names import common_names, given_names, may_be_surname
from augcse.augmentations.rules.lexical.gender_swap.her import NO_NOUN, is_possessive_her, next_word, previous_word, stands_alone
from augcse.augmentations.rules.lexical.gender_swap.letters import letters_of, words_among
from augcse.augmentations.rules.lexical.gender_swap.name_pairs import names_son, tears_names
from augcse.augmentations.rules.lexical.gender_swap.proper_names import (
    may_be_saint,
    may_name_work,
    names_books,
    names_chapter,
    names_institution,
    names_pageant,
    names_subject,
    names_thing,
    names_work,
    next_capital,
    opens_sentence,
)
from augcse.augmentations.rules.lexical.gender_swap.senses import bars_compound, has_no_counterpart, is_fixed_term
from augcse.augmentations.text.edits import Edit, apply_edits, match_case
from augcse.augmentations.text.tables import data_rows

_DATA = Path(__file__).parent
_ARTICLE = re.compile(r"(?<!\w)([Aa])n? \Z")
_NAME_FOLLOWS = re.compile(r"\.? (?:[A-Z]\.|[A-Z][a-z])")
_WOMENS_AND_SURNAMES = frozenset("Beatty Carroll Grace Joyce Kelly Leslie Meredith Ruth Shirley Stacy Tracy Vivian".split())
# Of one sex, without a counterpart that fits.
_UNPAIRED = frozenset("lord lords mistress mistresses".split())
_DEITY = frozenset({"father", "god", "mother", "son"})
# Titles of men without a counterpart.
_RULERS = frozenset("Caliph Czar Earl Kaiser Marquis Pope Shah Sultan Tsar Viscount".split())
_RULES = re.compile(rf"\b(?:{'|'.join(sorted(_RULERS))}) [A-Z]")
_SPEAKS_OF_GOD = re.compile(r"\b(?:Christ|God|Holy Spirit|Jesus|Holy Ghost|the Son)\b")
_KIN_NAMED = re.compile(r",? ([A-Z][^\W\d_]+)\b(?![.]|['’]s)")
# After a title and a name, a further name: "Prince Rogers Nelson".
_ANOTHER_NAME = re.compile(r" [A-Z]\w+ (?![IVX]+\b)[A-Z]")

_GENDER_OF = {"he": "m", "him": "m", "his": "m", "himself": "m", "she": "f", "her": "f", "hers": "f", "herself": "f"}
_PRONOUNS = {"he": "she", "she": "he", "him": "her", "himself": "herself", "herself": "himself", "hers": "his"}
_PLAIN_TITLES = {
    "mr": "Ms",
    "mrs": "Mr",
    "ms": "Mr",
    "miss": "Mr.",
    "sir": "Dame",
    "dame": "Sir",
    "lord": "Lady",
    "lady": "Lord",
}
_TITLES = frozenset(
    """aunt baron baroness brother dad daddy duchess duke emperor empress father grandfather grandma grandmother
    grandpa count countess matriarch patriarch king mama mom mommy mother mum papa prince princess queen sister uncle
    alderman alderwoman chairman chairwoman congressman congresswoman councilman councilwoman""".split()
)
_NOT_TITLED = frozenset(
    """Advocate America Bishop Chamberlain Chancellor Chief God High Jesus Justice Lieutenant Mayor President Privy
    Protector Teen USA Universe World""".split()
)
_ROYAL = frozenset("baron baroness count countess duchess duke emperor empress king prince princess queen".split())
_NOT_RULERS = frozenset(
    """Albert Basie Bee Cobra Cole Consort Crab Crimson Diamond Ellington Features Games Ghidorah Island Kamali Kong Latifah Lear
    Mother Nukem Paul Records Regent Street Tut""".split()
)
_DETERMINERS = frozenset("the a an his her their our my your this that future then former as become became crowned titled".split())
_BEFORE_TITLES = frozenset("The Byzantine Crown Deputy Executive Grand Ottoman Roman Vice".split())
_KIN = frozenset("boyfriend brother daughter fiance fiancee girlfriend husband nephew niece sister son wife".split())
# Such words in a title, a prize or a club tell whose it is.
_TOLD_APART = frozenset("actor actress boy boys female girl girls ladies male man men woman women".split())
_BEFORE_PLACES = frozenset("a an at around between for from in into near of outside the through to toward towards via".split())
_PLACES = frozenset("Cape Fort Lake Mount Mt Point Port Saint San Santa St Ste".split())
_ALSO_VERBS = frozenset("father husband man mother shepherd steward".split())

_ANY_TITLE = frozenset(
    """actor actress admiral agent ambassador archbishop architect artist author bishop brigadier capt captain cardinal chairman
    chancellor chief coach col colonel commander commissioner composer congressman congresswoman corporal critic deputy detective
    director doctor dr drummer economist engineer general gov governor guitarist historian inspector journalist judge justice
    lieutenant lt major marshal mayor minister novelist officer painter pastor philosopher poet premier president private
    producer prof professor pilot rabbi rep representative rev reverend secretary sen senator sergeant sgt sheriff singer
    songwriter speaker writer""".split()
)
_CALLED_BY = _ANY_TITLE | _TITLES | _PLAIN_TITLES.keys()
# A name drawn that the sentence has already is drawn anew, so many times at most.
_DRAWS = 20
# "Agnes' influence", where the other name needs an s.
_BARE_APOSTROPHE = re.compile(r"['’] [a-z]")
_SILENT_H = frozenset("heir heiress heirs heiresses".split())


@dataclass(slots=True)
class _Names:
    """The names already replaced in this sentence: one name keeps one counterpart, and no counterpart serves twice."""

    used: set[str]
    chosen: dict[str, str] = field(default_factory=dict)

    def counterpart(self, name: str, rng: Random) -> str:
        """Return the other name for `name`."""
        if name not in self.chosen:
            gender = given_names()[name].gender
            drawn = (rng.choice(common_names("f" if gender == "m" else "m")) for _ in range(_DRAWS))
            self.chosen[name] = next((other for other in drawn if other not in self.used), name)
            self.used.add(self.chosen[name])
        return self.chosen[name]


@lru_cache(maxsize=1)
def _pairs() -> dict[str, str]:
    pairs: dict[str, str] = {}
    for male, female in data_rows(_DATA / "gender_pairs.tsv"):
        pairs.setdefault(male, female)
        pairs.setdefault(female, male)
    return pairs


@lru_cache(maxsize=1)
def _gendered() -> frozenset[str]:
    """Return every word that may be swapped, without the names."""
    return frozenset({*_pairs(), *_PRONOUNS, *_PLAIN_TITLES, *_TITLES, *_TOLD_APART, "his", "her"})


@lru_cache(maxsize=1)
def _gendered_forms() -> frozenset[str]:
    """Return these words as they are written: small, with a capital, in capitals."""
    return frozenset(form for word in _gendered() for form in (word, word.capitalize(), word.upper()))


@augmentation(
    "GenderSwap",
    family="lexical",
    meaning="highly_preserving",
    condition="a gendered word",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter gender_swap; word pairs after Lu et al. (2020)",
    example=Example("The actor lost his hat, so his wife helped him.", "The actress lost her hat, so her husband helped her."),
)
def gender_swap(sentence: str, rng: Random) -> str | None:
    """Swap every gendered word of the sentence for its counterpart: nouns, pronouns, titles and given names.

    A given name becomes a random common name of the other gender, the same one throughout the sentence. A name that
    stands as a surname ("Mary Kelly"), in a place, an institution or a book ("John F. Kennedy School", "John 19:26")
    stays, and so do gendered words inside other names ("Iron Man"). "her" becomes "him" or "his", and "his" becomes
    "her" or "hers", by the next word; "a" and "an" follow. Where a gendered name or title may be a person's but cannot
    be swapped ("Pope John", "Prince Rogers Nelson", "Best Actress"), the whole sentence stays: its pronouns may be theirs.
    Titles of works, things called after people and fixed terms ("The King of Queens", "the Oscar", "church fathers") stay;
    where they cannot be told from people ("the novel Emma"), or one of several names would stay, so does the sentence.

    Deviations from NL-Augmenter, which swaps "her" for "his" everywhere and draws names from an unseeded generator:
    pronouns by case, no pair with a second everyday meaning (host, manager, dam), and all draws from `rng`.
    """
    letters = letters_of(sentence)
    unique = set(letters)
    candidates = (given_names().keys() & unique) | (_gendered_forms() & unique)
    if not candidates:
        return None
    if not _UNPAIRED.isdisjoint(letters) or has_no_counterpart(sentence, [word.lower() for word in letters]):
        return None
    if names_pageant(sentence) or (not _RULERS.isdisjoint(letters) and _RULES.search(sentence)) or names_books(sentence, letters):
        return None
    swaps = _swaps(words_among(sentence, candidates), _Names(unique), rng)
    if swaps is None or _is_torn(sentence, [word for word, _ in swaps]):
        return None
    return apply_edits(sentence, [_with_article(sentence, word, new) for word, new in swaps])


def _swaps(words: list[re.Match[str]], names: _Names, rng: Random) -> list[tuple[re.Match[str], str]] | None:
    """Return the words that change and what they become; None where a person among them cannot change."""
    swaps: list[tuple[re.Match[str], str]] = []
    titled: set[str] = set()
    for word in words:
        if word[0][0].isupper() and _names_no_person(word):
            if word[0] in given_names() and may_name_work(word):
                return None
            titled.add(word[0])
            continue
        new = _counterpart(word, names, rng)
        if new is not None and new != word[0]:
            if word[0].lower() in _KIN and _names_unknown(word):
                return None
            swaps.append((word, new))
        elif word[0][0].isupper() and _may_be_person(word):
            return None
    return swaps if titled.isdisjoint(names.chosen) else None


def _names_no_person(word: re.Match[str]) -> bool:
    """Tell whether a capitalised word belongs to the title of a work or to a thing."""
    if word[0].lower() in _PRONOUNS or word[0] in ("His", "Her"):
        return not opens_sentence(word.string, word.start()) and names_work(word)
    return names_work(word) or (word[0] in given_names() and names_thing(word))


def _is_torn(sentence: str, swapped: list[re.Match[str]]) -> bool:
    """Tell whether what changes would contradict what stays."""
    # "son of Taddeo" alone: of a person whose name stays.
    if all(word[0].lower() == "son" and next_word(word)[0] == "of" for word in swapped):
        return True
    return tears_names(sentence, swapped) or names_son(sentence, swapped) or _belies_pronouns(swapped) or _may_be_things(swapped)


def _may_be_things(swapped: list[re.Match[str]]) -> bool:
    """Tell whether nothing but rare names that stand alone would change, which may be ships, moons or towns."""
    known = given_names()
    return all(word[0] in known and not known[word[0]].is_common and _stands_alone(word) for word in swapped)


def _stands_alone(name: re.Match[str]) -> bool:
    """Tell whether a name has neither a further name after it nor a title before."""
    return not next_capital(name) and not _is_title(previous_word(name))


def _belies_pronouns(swapped: list[re.Match[str]]) -> bool:
    """Tell whether the only name stands alone and no pronoun has its gender: "Ruth lost his bat" is about a Mr. Ruth."""
    names = [word for word in swapped if word[0] in given_names()]
    if len({name[0] for name in names}) != 1 or not all(map(_stands_alone, names)):
        return False
    genders = {_GENDER_OF[word[0].lower()] for word in swapped if word[0].lower() in _GENDER_OF}
    return bool(genders) and given_names()[names[0][0]].gender not in genders


def _counterpart(word: re.Match[str], names: _Names, rng: Random) -> str | None:
    lowered = word[0].lower()
    if "_" in (word.string[word.start() - 1 : word.start()], word.string[word.end() : word.end() + 1]):
        return None  # the name of a file
    if lowered in _PRONOUNS:
        return match_case(word[0], _PRONOUNS[lowered])
    if lowered == "his":
        return match_case(word[0], "hers" if stands_alone(word) else "her")
    if lowered == "her":
        return match_case(word[0], "his" if is_possessive_her(word) else "him")
    if lowered in _PLAIN_TITLES and word[0].istitle() and _NAME_FOLLOWS.match(word.string, word.end()):
        return _title(word)
    if word[0] in given_names():
        return names.counterpart(word[0], rng) if _is_given_name(word) else None
    return _noun(word)


def _names_unknown(word: re.Match[str]) -> bool:
    """Tell whether a relative is called by a name of unknown gender: "his wife, Iola"."""
    named = _KIN_NAMED.match(word.string, word.end())
    if named is None or named[1].lower() in _CALLED_BY:
        return False
    return named[1] not in given_names() or bool(given_names()[named[1]].kind)


def _may_be_person(word: re.Match[str]) -> bool:
    """Tell whether a capitalised word that stays may be the gendered name or title of a person."""
    lowered = word[0].lower()
    first, _, last = word[0].rpartition("-")
    if not (word[0] in given_names() or lowered in _TITLES or lowered in _TOLD_APART or (first[:1].isupper() and last in given_names())):
        return False
    if lowered in ("boys", "girls", "ladies", "men", "women"):
        return True
    if names_institution(word, surely=True) or (word[0] in given_names() and names_chapter(word)):
        return False
    after = next_capital(word)
    if word[0] in given_names():
        return names_institution(word) or _may_be_name(word, after)
    if lowered in _TITLES:
        meant = after or (lowered in _ROYAL and next_word(word)[0] != "of")
        return bool(meant) and not previous_word(word)[:1].isupper()
    return True


def _may_be_name(word: re.Match[str], after: str) -> bool:
    before, known = previous_word(word), given_names()[word[0]]
    if before in ("Pope", "Saint") or may_be_saint(word):
        return True
    if before[:1].isupper():
        # "Professor Emeritus John Smith"; as the last of several capitalised words, a surname.
        return bool(after) and before not in given_names() and before not in _PLACES and before not in ("St", "of")
    if known.kind == "full":
        return bool(after)
    if known.kind == "word":
        return bool(after) or (not opens_sentence(word.string, word.start()) and before.lower() not in ("a", "an", "the"))
    # "Florence" and "Howard" alone: after these, places.
    # "in Halle" is hardly a person, and "faith in Peter" hardly a place.
    return not after and (before == "in" if not known.kind else known.kind == "surname" and before.lower() not in _BEFORE_PLACES)


def _title(word: re.Match[str]) -> str | None:
    if next_capital(word) in _NOT_TITLED or names_institution(word):
        return None
    new = _PLAIN_TITLES[word[0].lower()]
    return match_case(word[0], new)


def _is_given_name(word: re.Match[str]) -> bool:
    before, after = previous_word(word), next_capital(word)
    if word.string[word.start() - 1 : word.start()] in ("-", "'", "’", ".", "/") or names_institution(word):
        return False
    if names_chapter(word) or names_subject(word) or (before == "in" and not after):
        return False
    kind = given_names()[word[0]].kind
    if kind and not (_is_title(before) and kind != "full") and not may_be_surname(after):
        return False
    if len(before) == 1 and word.string[word.start() - 2] == ".":
        return False  # the surname of "Thomas A. Scott"
    if before in given_names():
        # A second name, "Mary Ann Evans" or "Mary Ann", but not the surname of "Peter Henry" or "James Joyce".
        return may_be_surname(after) if after else _is_womans_second(word[0], before)
    return not before[:1].isupper() or _may_precede_name(before, word)


def _is_womans_second(name: str, first: str) -> bool:
    """Tell whether the later of two names is a woman's given name; few of those are surnames too."""
    return name in common_names("f") and given_names()[first].gender == "f" and name not in _WOMENS_AND_SURNAMES


def _may_precede_name(before: str, word: re.Match[str]) -> bool:
    lowered = before.lower()
    if _is_title(before):
        return True
    # "When John": a capital that only opens the sentence.
    return lowered in NO_NOUN | {"his", "her", "after", "poor", "young", "old"}


def _is_title(before: str) -> bool:
    lowered = before.lower()
    return before[:1].isupper() and (lowered in _TITLES or lowered in _PLAIN_TITLES or lowered in _ANY_TITLE)


def _noun(word: re.Match[str]) -> str | None:
    lowered = word[0].lower()
    new = _pairs().get(lowered) or _compound(lowered)
    if new is None or (word.string[word.end() : word.end() + 1] == "." and len(word[0]) == 1):
        return None
    after = next_word(word)[0]
    if lowered in ("count", "counts") and word[0].islower():
        return None
    if is_fixed_term(word) or (lowered in _ALSO_VERBS and previous_word(word).lower() == "to"):
        return None
    if lowered in _DEITY and word[0][0].isupper() and (lowered == "god" or _SPEAKS_OF_GOD.search(word.string)):
        return None
    if word[0][0].isupper() and not word.string.isupper() and not _is_free(word, lowered, after):
        return None
    return match_case(word[0], new)


def _is_free(word: re.Match[str], lowered: str, after: str) -> bool:
    """Tell whether a capitalised noun is no part of a longer name: "the King", "Queen Anne", but not "Iron Man"."""
    before = previous_word(word)
    if names_chapter(word):
        return False
    if after[:1].isupper():
        return lowered in _TITLES and not names_institution(word) and _is_titled(lowered, after, word)
    if lowered in _ROYAL and after != "of" and before.lower() not in _DETERMINERS and before not in _BEFORE_TITLES:
        # The band, the singer, the surname.
        return False
    # "Man is mortal": mankind.
    return (opens_sentence(word.string, word.start()) and lowered != "man") or (
        lowered in _TITLES
        and before != "of"
        and (not before[:1].isupper() or before in _BEFORE_TITLES or (after == "of" and before in given_names()))
    )


def _is_titled(lowered: str, after: str, word: re.Match[str]) -> bool:
    """Tell whether the capitalised word after a title is a name: "King Kamehameha V", not "King Kong" or "Queen Mother"."""
    if after in given_names():
        return True
    if lowered not in _ROYAL or after in _NOT_RULERS or not may_be_surname(after) or previous_word(word)[:1].isupper():
        return False
    return _ANOTHER_NAME.match(word.string, word.end()) is None


def _compound(lowered: str) -> str | None:
    """Swap the parts of "ex-wife" or "male-dominated"."""
    parts = lowered.split("-")
    swapped = [_pairs().get(part, part) for part in parts]
    return "-".join(swapped) if len(parts) > 1 and swapped != parts and not bars_compound(parts) else None


def _with_article(text: str, word: re.Match[str], new: str) -> Edit:
    if _BARE_APOSTROPHE.match(text, word.end()) and word[0].endswith("s") and not new.endswith("s"):
        return Edit(word.start(), word.end() + 1, f"{new}{text[word.end()]}s")
    article = _ARTICLE.search(text, max(0, word.start() - 4), word.start())
    if article is None or _sounds_like_vowel(word[0]) == _sounds_like_vowel(new):
        return Edit(word.start(), word.end(), new)
    fitting = article[1] + ("n " if _sounds_like_vowel(new) else " ")
    return Edit(article.start(), word.end(), fitting + new)


def _sounds_like_vowel(word: str) -> bool:
    lowered = word.lower()
    return lowered in _SILENT_H or (lowered[0] in "aeiou" and not lowered.startswith(("eu", "ursula")))
