"""Gendered words, pronouns, titles and given names swapped for their counterparts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from random import Random

from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.edit import Edit, apply_edits, match_case

_DATA = Path(__file__).parent.parent / "data"

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LETTERS = re.compile(r"[^\W\d_]+")
_NEXT = re.compile(r"\s+[\"“‘'(\[]*([^\W\d_]+(?:['’][a-z]+)?|[0-9$£€])(-?)")
_PREVIOUS = re.compile(r"([^\W\d_]+(?:['’-][a-zA-Z]+)?)\.?[\s\"“‘(]+\Z")
_ARTICLE = re.compile(r"(?<!\w)([Aa])n? \Z")
_SENTENCE_START = re.compile(r"(?:\A|[.!?:]\s)[\s\"“'‘(\[]*\Z")
_NAME_FOLLOWS = re.compile(r"\.? (?:[A-Z]\.|[A-Z][a-z])")
_CAPITALS_BEHIND = re.compile(r"(?:['’]s)?(?: (?:[A-Z][\w.'’-]*|of|and|the|&)){1,5}")
_BOOK = re.compile(r"\b(?:Gospel|Book|Acts|Epistle|Letter|Order|Feast) (?:of|to) \Z")

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
    "son": "of",
}
_NOT_TITLED = frozenset(
    """Advocate America Bishop Chamberlain Chancellor Chief God High Jesus Justice Lieutenant Mayor President Privy
    Protector Teen USA Universe World""".split()
)
_ORGANISATIONS = frozenset(
    """Academy Airport Avenue Award Bay Bridge Building Cathedral Church City College Company Corporation County Creek
    Foundation Hall High Hospital House Institute Island Islands Lake Library Memorial Museum Park Point Press Prize
    River Road School Society Street Theatre Theater Trophy University""".split()
)
_ALSO_VERBS = frozenset("father husband man mother shepherd steward".split())

# Words that no possessive "her" precedes.
_NO_NOUN = frozenset(
    """a about above across after again against all alone along also although always among an and anyway anywhere apart
    are around as aside at away be because been before behind being beneath beside between beyond both but by can
    could despite did do does down during each either enough every everything except for forever forward from had
    has have he here how however i if immediately in indeed inside instead into is it its just like may might much
    my neither never nor not nothing now of off on once onto or out over perhaps quite rather she should simply
    since so some something somehow somewhere soon still such than that the their them then there therefore these
    they this those though through throughout till to today together tomorrow tonight too toward towards twice under
    unless until up upon us very via was we well were what whatever when whenever where whether which while who whom
    whose why will with within without would yesterday yet you your""".split()
)
_LY_NOUNS = frozenset(
    """assembly bodily costly daily deadly early earthly elderly family friendly ghostly heavenly holy homely kindly
    likely lively lonely lovely melancholy monthly nightly only orderly reply scholarly sickly silly ugly unlikely
    weekly worldly yearly""".split()
)
_PERCEPTION = frozenset(
    """bid catch caught feel felt find found had have having hear heard help helped helps keep keeps kept leave leaving
    left let lets letting made make makes making notice noticed saw see seeing seen sees sent shows showing showed
    watch watched watching""".split()
)
_BARE_VERBS = frozenset(
    """appear be become begin believe bring come cry die do eat enter fall feel forget get give go happen have hear
    keep know laugh learn leave lie live look lose make move open pay play read realise realize remember run say see
    seem sing sit sleep smile speak stand start stay stop take talk tell think try turn understand use wait walk
    want watch wear win wish wonder work write""".split()
)
_GIVING = frozenset("gave give gives giving grant granted granting offer offered offering".split())
_GIVEN_AWAY = frozenset(
    """account address age approval assent best blessing body books child children consent debut father first heart
    husband kingdom land last life mother name opinion own permission place report seat son speech support talk
    testimony time title virginity vote word""".split()
)
_MOVING = frozenset(
    """bring brings brought called calls carried drive drove follow followed get got hold held send sent take took
    walked won""".split()
)
_ENDS_HIS = frozenset(
    """and are as at because but by for from had has if in is on or than that to too was were when which will with
    would""".split()
)
_ANY_TITLE = frozenset("capt captain col detective dr general inspector judge lt major president prof professor rev senator sgt".split())
_SILENT_H = frozenset("heir heiress heirs heiresses".split())


@dataclass(slots=True)
class _Names:
    """The names already replaced in this sentence: one name keeps one counterpart, and no counterpart serves twice."""

    used: set[str]
    chosen: dict[str, str] = field(default_factory=dict)

    def counterpart(self, name: str, rng: Random) -> str:
        """Return the other name for `name`."""
        if name not in self.chosen:
            gender = _given_names()[name]
            pool = [other for other in _names_of("f" if gender == "m" else "m") if other not in self.used]
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
def _given_names() -> dict[str, str]:
    return {name: gender for name, gender in _rows("given_names.tsv")}


@lru_cache(maxsize=2)
def _names_of(gender: str) -> tuple[str, ...]:
    return tuple(name for name, other in _given_names().items() if other == gender)


@lru_cache(maxsize=1)
def _triggers() -> frozenset[str]:
    words = {*_pairs(), *_PRONOUNS, *_PLAIN_TITLES, "his", "her"}
    return frozenset({*words, *(name.lower() for name in _given_names())})


@augmentation(
    "GenderSwap",
    family="lexical",
    meaning="highly_preserving",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter gender_swap; word pairs after Lu et al. (2020)",
    example=Example("The actor lost his hat, so his wife helped him.", "The actress lost her hat, so her husband helped her."),
)
def gender_swap(sentence: str, rng: Random) -> str | None:
    """Swap every gendered word of the sentence for its counterpart: nouns, pronouns, titles and given names.

    A given name becomes a random name of the other gender, the same one throughout the sentence. A name that stands
    as a surname ("Mary Kelly"), in a place or an institution ("John F. Kennedy School") stays, and so do gendered
    words inside other names ("Iron Man"). "her" becomes "him" or "his", and "his" becomes "her" or "hers", by the
    next word; "a" and "an" follow.

    Deviations from NL-Augmenter, which swaps "her" for "his" everywhere and draws names from an unseeded generator:
    pronouns by case, no pair with a second everyday meaning (host, manager, dam), and all draws from `rng`.
    """
    if _triggers().isdisjoint(_LETTERS.findall(sentence.lower())):
        return None
    words = list(_WORD.finditer(sentence))
    names = _Names({word[0] for word in words})
    edits: list[Edit] = []
    for word in words:
        new = _counterpart(word, names, rng)
        if new is not None and new != word[0]:
            edits.append(_with_article(sentence, word, new))
    return apply_edits(sentence, edits) if edits else None


def _counterpart(word: re.Match[str], names: _Names, rng: Random) -> str | None:
    lowered = word[0].lower()
    if lowered in _PRONOUNS:
        return match_case(word[0], _PRONOUNS[lowered])
    if lowered == "his":
        return match_case(word[0], "hers" if _next(word)[0] in _ENDS_HIS | {""} else "her")
    if lowered == "her":
        return match_case(word[0], "his" if _is_possessive_her(word) else "him")
    if lowered in _PLAIN_TITLES and word[0][0].isupper() and _NAME_FOLLOWS.match(word.string, word.end()):
        return _title(word)
    if word[0] in _given_names():
        return names.counterpart(word[0], rng) if _is_given_name(word) else None
    return _noun(word)


def _next(word: re.Match[str]) -> tuple[str, str]:
    """Return the next word as it is, "" when a mark or the end comes first, and the hyphen behind it."""
    found = _NEXT.match(word.string, word.end())
    return (found[1], found[2]) if found else ("", "")


def _previous(word: re.Match[str]) -> str:
    found = _PREVIOUS.search(word.string, max(0, word.start() - 30), word.start())
    return found[1] if found else ""


def _opens_sentence(word: re.Match[str]) -> bool:
    return _SENTENCE_START.search(word.string, max(0, word.start() - 8), word.start()) is not None


def _is_possessive_her(word: re.Match[str]) -> bool:
    after, hyphen = _next(word)
    after, before = after.lower(), _previous(word).lower()
    if not after or after[0] in "$£€":
        return False
    if hyphen or after[0].isdigit():
        return True
    if after in ("back", "home", "down", "forward"):
        return before not in _MOVING and before not in _PERCEPTION
    if before in _GIVING:
        return after in _GIVEN_AWAY
    if before in _PERCEPTION and (after in _BARE_VERBS or after.endswith("ing")):
        return False
    return after not in _NO_NOUN and not (after.endswith("ly") and after not in _LY_NOUNS and _ends_clause(word))


def _ends_clause(word: re.Match[str]) -> bool:
    """Tell whether the adverb behind "her" closes the clause ("loved her dearly.") and describes no adjective."""
    behind = word.string[word.end() :].lstrip()
    rest = behind[len(behind.split(" ", 1)[0].rstrip(".,;:!?")) :]
    following = rest.split()
    return not rest.startswith(" ") or not following or following[0].lower() in _NO_NOUN


def _title(word: re.Match[str]) -> str | None:
    if _next_capital(word) in _NOT_TITLED:
        return None
    new = _PLAIN_TITLES[word[0].lower()]
    return match_case(word[0], new)


def _next_capital(word: re.Match[str]) -> str:
    found = re.compile(r"\.? ([A-Z][\w]*)").match(word.string, word.end())
    return found[1] if found else ""


def _names_institution(word: re.Match[str]) -> bool:
    behind = _CAPITALS_BEHIND.match(word.string, word.end())
    return behind is not None and not _ORGANISATIONS.isdisjoint(re.findall(r"\w+", behind[0]))


def _is_given_name(word: re.Match[str]) -> bool:
    before = _previous(word)
    if word.string[word.start() - 1 : word.start()] in ("-", "'", "’", ".") or _names_institution(word):
        return False
    if before[:1].isupper() and not _may_precede_name(before, word):
        return False
    return _BOOK.search(word.string, max(0, word.start() - 14), word.start()) is None


def _may_precede_name(before: str, word: re.Match[str]) -> bool:
    lowered = before.lower()
    if lowered in _TITLES or lowered in _PLAIN_TITLES or lowered in _ANY_TITLE:
        return True
    # "When John": a capital that only opens the sentence.
    return lowered in _NO_NOUN | {"his", "her", "after", "poor", "young", "old"}


def _noun(word: re.Match[str]) -> str | None:
    lowered = word[0].lower()
    new = _pairs().get(lowered) or _compound(lowered)
    if new is None or (word.string[word.end() : word.end() + 1] == "." and len(word[0]) == 1):
        return None
    after = _next(word)[0]
    if after.lower() in _NOT_PEOPLE.get(lowered, "").split() or (lowered in _ALSO_VERBS and _previous(word).lower() == "to"):
        return None
    if word[0][0].isupper() and not word.string.isupper() and not _is_free(word, lowered, after):
        return None
    return match_case(word[0], new)


def _is_free(word: re.Match[str], lowered: str, after: str) -> bool:
    """Tell whether a capitalised noun is no part of a longer name: "the King", "Queen Anne", but not "Iron Man"."""
    before = _previous(word)
    if after[:1].isupper():
        return lowered in _TITLES and after in _given_names() and not _names_institution(word)
    return _opens_sentence(word) or (lowered in _TITLES and before != "of" and (not before[:1].isupper() or before == "The"))


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
