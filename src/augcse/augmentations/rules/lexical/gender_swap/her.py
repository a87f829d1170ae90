"""The words next to a word of plain text, and whether "her" is possessive ("her hat") or an object ("saw her")."""

from __future__ import annotations

import re

_NEXT = re.compile(r"\s+[\"“‘'(\[]*([^\W\d_]+(?:['’][a-z]+)?|[0-9$£€])(-?)")
# A noun in quotes or a bracket that next_word takes for a mark: "his 'friend'", "his _Life_".
_QUOTED = re.compile(r"\s+[\"“‘'(\[_*]*\w")
_PREVIOUS = re.compile(r"([^\W\d_]+(?:['’-][a-zA-Z]+)?)\.?[\s\"“‘(]+\Z")

# Words that no possessive "her" precedes.
NO_NOUN = frozenset(
    """a about above across after again against all almost alone along also although always among an and anyway anywhere apart
    are around as aside at away be because been before behind being beneath beside between beyond both but by can
    could despite did do does down during each either enough even every everything except for forever forward from had
    has have he here how however i if immediately in indeed inside instead into is it its just like may might much
    my neither never nor not nothing now of off on once onto or out over perhaps quite rather she should simply
    since so some something somehow somewhere soon still such than that the their them then there therefore these
    they this those though through throughout till titled to today together tomorrow tonight too toward towards twice under
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
_DEGREES = frozenset("ever most much now once quite rather still then very".split())
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


_NAMING = frozenset(
    """baptise baptised baptize baptized call called calling calls christen christened crown crowned declare declared dub dubbed dubbing
    dubs label labelled name named names naming nickname nicknamed nicknames nicknaming proclaim proclaimed rename renamed style styled
    tell telling tells told""".split()
)
_MAKING = frozenset("bid help helped helps let lets letting made make makes making".split())
_HAVING = frozenset("get gets getting got had have having saw see seeing sees".split())
# After "her", these say what was done to her or to her picture: "a portrait of her made in 1830".
_PARTICIPLE = re.compile(r"(?:[a-z]+(?<!e)ed|done|drawn|given|held|known|made|seen|shown|taken|written)")
_AFTER_PARTICIPLE = frozenset("as at by during for from in on out to up when while whilst with".split())
_HIS_OR_HER = re.compile(r"his (?:or|and) her\b", re.IGNORECASE)
# What stands after a "his" that is no determiner.
_ENDS_HIS = frozenset(
    """and are as at because but by for from had has if in is on or than that to too was were when which with would""".split()
)


def next_word(word: re.Match[str]) -> tuple[str, str]:
    """Return the next word as it is, "" when a mark or the end comes first, and the hyphen after it."""
    found = _NEXT.match(word.string, word.end())
    return (found[1], found[2]) if found else ("", "")


def previous_word(word: re.Match[str]) -> str:
    """Return the word before it, "" when a mark or the beginning comes first."""
    text, end = word.string, word.start()
    first = max(0, end - 30)
    # Only the last stretch without a blank is searched.
    last = len(text[first:end].rstrip(' \t\n"“‘('))
    found = _PREVIOUS.search(text, max(first, text.rfind(" ", first, first + last) + 1), end)
    return found[1] if found else ""


def is_possessive_her(word: re.Match[str]) -> bool:
    """Tell by the next words whether "her" stands before a noun."""
    after, hyphen = next_word(word)
    before = previous_word(word).lower()
    if not after or after[0] in "$£€" or (before in _NAMING and after[0].isupper()):
        return False
    after = after.lower()
    if hyphen or after[0].isdigit():
        return before not in _PERCEPTION or after != "co"
    if after in _DEGREES:
        return _stands_before_adjective(word, after)
    if after in ("back", "home", "down", "forward"):
        return before not in _MOVING and before not in _PERCEPTION
    if before in _GIVING:
        return after in _GIVEN_AWAY
    if before in _PERCEPTION and (after in _BARE_VERBS or (after.endswith("ing") and before not in _MAKING)):
        return False
    if after == "will":
        return before not in _NAMING
    if _PARTICIPLE.fullmatch(after):
        following = _following(word, after)
        if following in _AFTER_PARTICIPLE or (before in _HAVING and (not following or following in NO_NOUN)):
            return False
    return after not in NO_NOUN and not (after.endswith("ly") and after not in _LY_NOUNS and _ends_clause(word))


def _stands_before_adjective(word: re.Match[str], adverb: str) -> bool:
    """Tell whether the adverb after "her" describes what follows: "her rather constant doubts", not "I know her very well"."""
    following = _following(word, adverb)
    return following.isalpha() and following not in NO_NOUN | {"carefully", "dearly", "highly", "more", "often"}


def _following(word: re.Match[str], after: str) -> str:
    """Return the word after the next one, "" where a mark stands between them or none follows."""
    behind = word.string[word.end() : word.end() + 80].split(None, 2)
    return behind[1].lower() if len(behind) > 1 and behind[0].lower() == after else ""


def _ends_clause(word: re.Match[str]) -> bool:
    """Tell whether the adverb after "her" closes the clause ("loved her dearly.") and describes no adjective."""
    behind = word.string[word.end() :].lstrip()
    rest = behind[len(behind.split(" ", 1)[0].rstrip(".,;:!?")) :]
    following = rest.split()
    return not rest.startswith(" ") or not following or following[0].lower() in NO_NOUN


def stands_alone(word: re.Match[str]) -> bool:
    """Tell whether "his" stands for a noun phrase ("a friend of his"), not before a noun.

    >>> stands_alone(re.search("his", "It is his.")), stands_alone(re.search("his", "his on-screen roles"))
    (True, False)
    """
    after, hyphen = next_word(word)
    if after:
        return after in _ENDS_HIS and not hyphen and not _HIS_OR_HER.match(word.string, word.start())
    return word.string[word.end() : word.end() + 1] not in ("/", "]", "_", "-") and not _QUOTED.match(word.string, word.end())
