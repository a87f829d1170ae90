"""Gendered words, pronouns, titles and given names swapped for their counterparts."""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from random import Random

from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.edit import Edit, apply_edits, match_case
from augcse.augmentations.given_names import common_names, given_names, may_be_surname
from augcse.augmentations.her import NO_NOUN, is_possessive_her, next_word, previous_word

_DATA = Path(__file__).parent.parent / "data"

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LETTERS = re.compile(r"[^\W\d_]+")
_ARTICLE = re.compile(r"(?<!\w)([Aa])n? \Z")
_SENTENCE_START = re.compile(r"(?:\A|[.!?:]\s)[\s\"“'‘(\[]*\Z")
_NAME_FOLLOWS = re.compile(r"\.? (?:[A-Z]\.|[A-Z][a-z])")
_CAPITAL_BEHIND = re.compile(r"\.? ([A-Z][\w]*)")
_CAPITALS_BEHIND = re.compile(r"(?:['’]s)?(?:,? (?:[A-Z][\w.'’-]*|&)){1,7}")
_BOOK = re.compile(r"\b(?:(?:Gospel|Book|Acts|Epistle|Letter|Order|Feast) (?:of|to)|\d) \Z")
# A chapter, or a name made with the possessive: "John 19", "Martha's Vineyard".
_CHAPTER = re.compile(r" \d+(?:[:.]\d|\b)|['’]s [A-Z]")
_HIS_OR_HER = re.compile(r"his (?:or|and) her\b", re.IGNORECASE)
_KIN_NAMED = re.compile(r",? ([A-Z][^\W\d_]+)\b(?![.]|['’]s)")
_SCRIPTURE = ("Gospel", "gospel", "Epistle", "epistle", "New Testament", "Old Testament", "Synoptic")
_EVANGELISTS = frozenset("Daniel Esther James Jeremiah John Jude Judith Luke Mark Matthew Paul Peter Ruth Samuel Thomas".split())
# What only one of the sexes has or does: the other reads as nonsense.
_SEX = (
    "abortion", "bearded", "birth to", "breast-fe", "breastfe", "childbirth", "lactati", "menstrua", "midwi", "nursing mother", "ovarian",
    "maternal death", "maternal health", "maternal mortality", "racemare", "broodmare", "filly", "fillies",
    "ovaries", "penis", "pregnan", "prostate", "sperm", "testes", "testicl", "uterine", "uterus", "vagina", "womb",
)  # fmt: skip
_PAGEANT = re.compile(
    r"\b(?:Miss|Mister|Mr|Ms|Mrs)\.? [A-Z](?=.*\b(?:[Pp]ageants?|titleholder|crowned|runner-up)\b)"
    r"|\b[Pp]ageant\b.*\bMiss\b|\bMiss (?:[A-Z]\w+ ){1,3}\d{4}\b"
)
# Two names joined by "and" or by marriage.
_NAME_RUN = r"(?:[A-Z][\w.'’-]{0,30} ){0,4}[A-Z][\w'’-]{0,30}"
_JOINED = re.compile(rf"(?<!\w)({_NAME_RUN})(?=,? (?:and|&) ({_NAME_RUN}))")
_MARRIES = re.compile(rf"(?<!\w)({_NAME_RUN})(?=,? (?:[a-z]+ )?(?:divorced|married|marries|wed)\b)")
_MARRIED = re.compile(rf"\b(?:divorced|married|marries|marrying|marry|wed)(?: to)? ({_NAME_RUN})")
# Behind a title and a name, a further name: "Prince Rogers Nelson".
_ANOTHER_NAME = re.compile(r" [A-Z]\w+ (?![IVX]+\b)[A-Z]")

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
    grandpa king mama mom mommy mother mum papa prince princess queen sister uncle""".split()
)
_NOT_PEOPLE = {
    "sister": "channel cities city clade club companies company group label network newspaper paper project "
    "publication school series ship ships show site song species station stations taxon team town towns",
    "mother": "church churches company country earth goose house lode nature ship superior tongue tongues",
    "father": "christmas",
    "king": "cobra crab penguin size",
    "queen": "bee bees",
    "emperor": "butterfly gum moth penguin penguins tamarin",
}
_NOT_TITLED = frozenset(
    """Advocate America Bishop Chamberlain Chancellor Chief God High Jesus Justice Lieutenant Mayor President Privy
    Protector Teen USA Universe World""".split()
)
_ORGANISATIONS = frozenset(
    """Abbey Academy Act Airport Archive Archives Arena Army Association Avenue Award Awards Band Bank Barracks Base Basilica Bay
    Bible Boulevard Bowl Bridge Broadcasting Building Business Canyon Castle Cathedral Cemetery Center Centre Chair Chapel Church
    Cinema Cinemas City Class Classic Clinic Club Coast College Collection Comics Commission Company Conservatory Corp
    Corporation Councils County Court Creek Cup Dam Diocese Disease District Division Drive Ensemble Entertainment Estate Expedition
    Fair Falls Farm Fellow Fellowship Festival Field Fjord Forest Foundation Fund Gallery Garden Gardens Glacier Gold Group Hall
    Harbor Harbour Heights High Highway Hill Hills Home Hospital Hotel House Inc Industries Inlet Inn Institute Institution
    International Island Islands Junction Lake Lakes Land Lane Law Lecture Lectures Library Limited Lodge Ltd Manor Market
    Medal Memorial Mill Mills Mine Mission Mosque Motors Mountain Mountains Museum Observatory Orchestra Organization Palace
    Parade Parish Park Parkway Party Peak Peninsula Pictures Place Plaza Point Port Prep Press Prize Productions Professor
    Professorship Publishing Quartet Quintet Range Ranch Records Regiment Report Reservation Reserve Ridge River Road Rock
    Scholarship School Schools Seminary Series Show Shrine Society Sons Sound Springs Square Stadium State Station Store Stores
    Strait Street Studio Studios Syndrome Temple Terrace Theatre Theater Theorem Tower Town Township Trail Trio Trophy Trust
    Tunnel Union University Valley Vineyard Version Village Way Wing Woods Works Zone Zoo""".split()
)
# Of these, which are surnames too: "James Hill" may be a person.
_SURNAMES_TOO = frozenset(
    """Banks Castle Church Fair Farm Field Forest Garden Gold Hall Hill Hills House Lake Land Lane Law Market Mill Mills Parish Park
    Point Price Rock Street Temple Town Union Way Woods""".split()
)
_ROYAL = frozenset("baron baroness duchess duke emperor empress king prince princess queen".split())
_NOT_RULERS = frozenset(
    """Albert Basie Bee Cobra Cole Consort Crab Crimson Diamond Ellington Features Games Ghidorah Island Kamali Kong Latifah Lear
    Mother Nukem Paul Records Regent Street Tut""".split()
)
_DETERMINERS = frozenset("the a an his her their our my your this that future then former as become became crowned titled".split())
_KIN = frozenset("boyfriend brother daughter fiance fiancee girlfriend husband nephew niece sister son wife".split())
# Such words in a title, a prize or a club tell whose it is.
_TOLD_APART = frozenset("actor actress boy boys female girl girls ladies male man men woman women".split())
_BEFORE_PLACES = frozenset("a an at around between for from in into near of outside the through to toward towards via".split())
_PLACES = frozenset("Cape Fort Lake Mount Mt Point Port Saint San Santa St Ste".split())
_ALSO_VERBS = frozenset("father husband man mother shepherd steward".split())

_ENDS_HIS = frozenset(
    """and are as at because but by for from had has if in is on or than that to too was were when which will with
    would""".split()
)
_ANY_TITLE = frozenset(
    """actor actress admiral agent ambassador archbishop architect artist author bishop brigadier capt captain cardinal chairman
    chancellor chief coach col colonel commander commissioner composer congressman congresswoman corporal critic deputy detective
    director doctor dr drummer economist engineer general gov governor guitarist historian inspector journalist judge justice
    lieutenant lt major marshal mayor minister novelist officer painter pastor philosopher poet premier president private
    producer prof professor pilot rabbi rep representative rev reverend secretary sen senator sergeant sgt sheriff singer
    songwriter speaker writer""".split()
)
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
            pool = [other for other in common_names("f" if gender == "m" else "m") if other not in self.used]
            self.chosen[name] = rng.choice(pool) if pool else name
            self.used.add(self.chosen[name])
        return self.chosen[name]


def _rows(name: str) -> list[list[str]]:
    lines = (_DATA / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


@lru_cache(maxsize=1)
def _pairs() -> dict[str, str]:
    pairs: dict[str, str] = {}
    for male, female in _rows("gender_pairs.tsv"):
        pairs.setdefault(male, female)
        pairs.setdefault(female, male)
    return pairs


@lru_cache(maxsize=1)
def _gendered() -> frozenset[str]:
    """Return every word that may be swapped, without the names."""
    return frozenset({*_pairs(), *_PRONOUNS, *_PLAIN_TITLES, *_TITLES, *_TOLD_APART, "his", "her"})


@augmentation(
    "GenderSwap",
    family="lexical",
    meaning="highly_preserving",
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

    Deviations from NL-Augmenter, which swaps "her" for "his" everywhere and draws names from an unseeded generator:
    pronouns by case, no pair with a second everyday meaning (host, manager, dam), and all draws from `rng`.
    """
    letters = _LETTERS.findall(sentence)
    if given_names().keys().isdisjoint(letters) and _gendered().isdisjoint(map(str.lower, letters)):
        return None
    if _is_of_one_sex(sentence.lower()) or _names_pageant(sentence) or _names_books(sentence, letters):
        return None
    known, gendered = given_names(), _gendered()
    words = [word for word in _WORD.finditer(sentence) if word[0] in known or word[0].lower() in gendered or "-" in word[0]]
    names = _Names(set(letters))
    edits: list[Edit] = []
    swapped: list[re.Match[str]] = []
    for word in words:
        new = _counterpart(word, names, rng)
        if new is not None and new != word[0]:
            if word[0].lower() in _KIN and _names_unknown(word):
                return None
            edits.append(_with_article(sentence, word, new))
            swapped.append(word)
        elif word[0][0].isupper() and _may_be_person(word):
            return None
    # "son of Taddeo" alone: of a person whose name stays.
    if all(word[0].lower() == "son" and next_word(word)[0] == "of" for word in swapped) or _tears_names(sentence, swapped):
        return None
    return apply_edits(sentence, edits)


def _tears_names(sentence: str, swapped: list[re.Match[str]]) -> bool:
    """Tell whether of two joined names one stays, or a name that stays marries: "Tromeo and Juliet", "Ednah married"."""
    starts = [word.start() for word in swapped]

    def changes(found: re.Match[str], group: int) -> bool:
        first, end = found.span(group)
        place = bisect.bisect_left(starts, first)
        return place < len(starts) and starts[place] < end

    if any(changes(found, 1) != changes(found, 2) for found in _JOINED.finditer(sentence)):
        return True
    return any(not changes(found, 1) for pattern in (_MARRIES, _MARRIED) for found in pattern.finditer(sentence))


def _counterpart(word: re.Match[str], names: _Names, rng: Random) -> str | None:
    lowered = word[0].lower()
    if lowered in _PRONOUNS:
        return match_case(word[0], _PRONOUNS[lowered])
    if lowered == "his":
        return match_case(
            word[0], "hers" if not _HIS_OR_HER.match(word.string, word.start()) and next_word(word)[0] in _ENDS_HIS | {""} else "her"
        )
    if lowered == "her":
        return match_case(word[0], "his" if is_possessive_her(word) else "him")
    if lowered in _PLAIN_TITLES and word[0][0].isupper() and _NAME_FOLLOWS.match(word.string, word.end()):
        return _title(word)
    if word[0] in given_names():
        return names.counterpart(word[0], rng) if _is_given_name(word) else None
    return _noun(word)


def _names_unknown(word: re.Match[str]) -> bool:
    """Tell whether a relative is called by a name of unknown gender: "his wife, Iola"."""
    named = _KIN_NAMED.match(word.string, word.end())
    if named is None or named[1].lower() in _ANY_TITLE | _TITLES | _PLAIN_TITLES.keys():
        return False
    return named[1] not in given_names() or bool(given_names()[named[1]].kind)


def _is_of_one_sex(lowered: str) -> bool:
    return any(stem in lowered for stem in _SEX)


def _names_pageant(sentence: str) -> bool:
    return any(title in sentence for title in ("Miss", "Mister", "Mr", "Ms")) and _PAGEANT.search(sentence) is not None


def _names_books(sentence: str, words: list[str]) -> bool:
    """Tell whether names may be those of books of the Bible: "the Gospels of Matthew and Luke"."""
    return any(book in sentence for book in _SCRIPTURE) and not _EVANGELISTS.isdisjoint(words)


def _may_be_person(word: re.Match[str]) -> bool:
    """Tell whether a capitalised word that stays may be the gendered name or title of a person."""
    lowered = word[0].lower()
    first, _, last = word[0].rpartition("-")
    if not (word[0] in given_names() or lowered in _TITLES | _TOLD_APART or (first[:1].isupper() and last in given_names())):
        return False
    if _names_institution(word, surely=True) or _CHAPTER.match(word.string, word.end()):
        return False
    after = _next_capital(word)
    if word[0] in given_names():
        return _names_institution(word) or _may_be_name(word, after)
    if lowered in _TITLES:
        meant = after or (lowered in _ROYAL and next_word(word)[0] != "of")
        return bool(meant) and not previous_word(word)[:1].isupper()
    return True


def _may_be_name(word: re.Match[str], after: str) -> bool:
    before, known = previous_word(word), given_names()[word[0]]
    if before in ("Pope", "Saint"):
        return True
    if before[:1].isupper():
        # "Professor Emeritus John Smith"; as the last of several capitalised words, a surname.
        return bool(after) and before not in given_names() and before not in _PLACES and before not in ("St", "of")
    if known.kind == "word":
        return bool(after) or (not _opens_sentence(word) and before.lower() not in ("a", "an", "the"))
    # "Florence" and "Howard" alone: behind these, places.
    return known.kind == "surname" and not after and before.lower() not in _BEFORE_PLACES


def _opens_sentence(word: re.Match[str]) -> bool:
    return _SENTENCE_START.search(word.string, max(0, word.start() - 8), word.start()) is not None


def _title(word: re.Match[str]) -> str | None:
    if _next_capital(word) in _NOT_TITLED or _names_institution(word):
        return None
    new = _PLAIN_TITLES[word[0].lower()]
    return match_case(word[0], new)


def _next_capital(word: re.Match[str]) -> str:
    found = _CAPITAL_BEHIND.match(word.string, word.end())
    return found[1] if found else ""


def _names_institution(word: re.Match[str], surely: bool = False) -> bool:
    behind = _CAPITALS_BEHIND.match(word.string, word.end())
    if behind is None:
        return False
    words = _ORGANISATIONS - _SURNAMES_TOO if surely else _ORGANISATIONS
    return not words.isdisjoint(re.findall(r"\w+", behind[0]))


def _is_given_name(word: re.Match[str]) -> bool:
    before, after = previous_word(word), _next_capital(word)
    if word.string[word.start() - 1 : word.start()] in ("-", "'", "’", ".", "/") or _names_institution(word):
        return False
    if _CHAPTER.match(word.string, word.end()) or _BOOK.search(word.string, max(0, word.start() - 14), word.start()):
        return False
    if given_names()[word[0]].kind and not _is_title(before) and not may_be_surname(after):
        return False
    if before in given_names() and after:
        # A second name: "Mary Ann Evans", but not the surname of "Peter Henry".
        return may_be_surname(after)
    return not before[:1].isupper() or _may_precede_name(before, word)


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
    if after.lower() in _NOT_PEOPLE.get(lowered, "").split() or (lowered in _ALSO_VERBS and previous_word(word).lower() == "to"):
        return None
    if word[0][0].isupper() and not word.string.isupper() and not _is_free(word, lowered, after):
        return None
    return match_case(word[0], new)


def _is_free(word: re.Match[str], lowered: str, after: str) -> bool:
    """Tell whether a capitalised noun is no part of a longer name: "the King", "Queen Anne", but not "Iron Man"."""
    before = previous_word(word)
    if after[:1].isupper():
        return lowered in _TITLES and not _names_institution(word) and _is_titled(lowered, after, word)
    if lowered in _ROYAL and after != "of" and before.lower() not in _DETERMINERS:
        # The band, the singer, the surname.
        return False
    # "Man is mortal": mankind.
    return (_opens_sentence(word) and lowered != "man") or (
        lowered in _TITLES and before != "of" and (not before[:1].isupper() or before == "The")
    )


def _is_titled(lowered: str, after: str, word: re.Match[str]) -> bool:
    """Tell whether the capitalised word behind a title is a name: "King Kamehameha V", not "King Kong" or "Queen Mother"."""
    if after in given_names():
        return True
    if lowered not in _ROYAL or after in _NOT_RULERS or not may_be_surname(after) or previous_word(word)[:1].isupper():
        return False
    return _ANOTHER_NAME.match(word.string, word.end()) is None


def _compound(lowered: str) -> str | None:
    """Swap the parts of "ex-wife" or "male-dominated"."""
    parts = lowered.split("-")
    swapped = [_pairs().get(part, part) for part in parts]
    return "-".join(swapped) if len(parts) > 1 and swapped != parts else None


def _with_article(text: str, word: re.Match[str], new: str) -> Edit:
    article = _ARTICLE.search(text, max(0, word.start() - 4), word.start())
    if article is None or _sounds_like_vowel(word[0]) == _sounds_like_vowel(new):
        return Edit(word.start(), word.end(), new)
    fitting = article[1] + ("n " if _sounds_like_vowel(new) else " ")
    return Edit(article.start(), word.end(), fitting + new)


def _sounds_like_vowel(word: str) -> bool:
    lowered = word.lower()
    return lowered in _SILENT_H or (lowered[0] in "aeiou" and not lowered.startswith(("eu", "ursula")))
