"""Discourse markers replaced by markers of the same Penn Discourse Treebank class, where the position allows it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Literal

from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.text.edits import Edit, apply_edits, match_case
from augcse.augmentations.text.tables import data_rows

_DATA = Path(__file__).parent
_WORD = re.compile(r"[A-Za-z]+")
_NEXT = re.compile(r"[\s\"'“‘(]*([A-Za-z]+)")
_PREVIOUS = re.compile(r"([A-Za-z'’]+)[\s\"'“‘]*\Z")
_SENTENCE_START = re.compile(r"(?:\A|[.!?;:][\"'”’)]*\s)[\s\"'“‘(]*\Z")

_SUBJECTS = frozenset(
    """a an all another any both each either every everyone everything he her his i it its many most much my neither no
    nobody none nothing one our she some someone such that the their there these they this those three two we what
    you your""".split()
)
_PRONOUNS = frozenset("he i it she there they we you this these those".split())
_FINITE = frozenset(
    """am are can can't cannot could did didn't do does doesn't don't had has hasn't have is isn't may might must need
    needs shall should was wasn't were weren't will won't would""".split()
)
_MODALS = frozenset("can could may might must shall should will would".split())
_AUXILIARIES = frozenset("am are be been did do does had has have he is it she they was we were which who will would can could i".split())
_NEGATIONS = re.compile(r"\b(?:not|never|no|nor|neither|only|nothing|none|cannot|sorry|excuse)\b|n ?['’] ?t\b", re.IGNORECASE)
_BEFORE_BECAUSE = frozenset(
    """always and are be been but chiefly especially exactly generally is it's just largely mainly maybe merely mostly
    not often only or partially partly particularly perhaps possibly precisely primarily probably reason simply
    solely sometimes that's usually was were why""".split()
)
# Words that pick out one reason, wherever they stand in the clause: "only booed because".
_FOCUS = re.compile(
    r"\b(?:chiefly|entirely|even|exclusively|just|largely|mainly|merely|mostly|not|only|particularly|partially|partly|precisely|"
    r"primarily|purely|simply|solely)\b"
)
_CLAUSE_BREAK = re.compile(r"[.;:!?,]|\b(?:and|but|that|which)\b")
_BEFORE_LATER = frozenset("also and but had has have he is it it's she then they was were which who would".split())
_NO_PARTICIPLE = frozenset("hundred red bed seed need speed".split())
_IRREGULAR = frozenset(
    """became become began begun bought broke brought built came chose chosen done drew driven fell felt forced
    forgotten formed found fought gave given gone got grew grown had held joined kept knew known led left lost made
    met moved put ran read rose said saw seen sent set shot shown sold sought spent split stated taken taught
    thought told took went won wrote written""".split()
)


@dataclass(frozen=True, slots=True)
class _Marker:
    text: str
    position: str
    substitutes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """A marker found at `text[start:end]`, with its neighbours in lower case ("" for none next to it)."""

    text: str
    start: int
    end: int
    before: str
    after: str
    opens: bool

    @property
    def head(self) -> str:
        """The text before the marker, without the blank."""
        return self.text[: self.start].rstrip()

    @property
    def clause(self) -> list[str]:
        """The first words after the marker."""
        return [word.lower().strip(',.;:!?)"') for word in self.text[self.end : self.end + 80].split()[:7]]


Test = Callable[[_Place], bool]


@lru_cache(maxsize=2)
def _markers(repo: bool) -> dict[str, tuple[_Marker, ...]]:
    """Return the markers by their first word, long ones first."""
    rows = data_rows(_DATA / "discourse_markers.tsv")
    targets: dict[tuple[str, str], list[str]] = defaultdict(list)
    for position, sense, text, role in rows:
        if role != "source":
            targets[position, sense].append(text)
    heads: dict[str, list[_Marker]] = defaultdict(list)
    for position, sense, text, role in rows:
        substitutes = tuple(other for other in targets[position, sense] if other != text)
        if substitutes and role != "target" and repo == (position == "repo"):
            heads[text.rstrip(",").split()[0]].append(_Marker(text, position, substitutes))
    return {head: tuple(sorted(found, key=lambda marker: -len(marker.text))) for head, found in heads.items()}


@lru_cache(maxsize=2)
def _texts(repo: bool) -> tuple[str, ...]:
    return tuple({marker.text for markers in _markers(repo).values() for marker in markers})


@augmentation(
    "DiscourseMarkerSubstitution",
    family="surface",
    meaning="highly_preserving",
    condition="a discourse marker with another one for the same relation",
    source="AugCSE (Tang et al. 2022), A.2; Pitler et al. (2008); PDTB 2.0 (Prasad et al. 2008)",
    example=Example("He stayed at home because he was ill.", "He stayed at home since he was ill."),
)
def discourse_marker_substitution(sentence: str, rng: Random, *, fidelity: Literal["paper", "repo"] = "paper") -> str | None:
    """Replace one discourse marker by another that signals the same relation.

    One marker of the sentence and one of its substitutes are drawn from `rng`.

    `fidelity="paper"` asks for equivalence, as the paper's text does: a marker is replaced only where it is one.
    Adverbs must be set off by commas or stand before a verb, subordinators must open a clause, "since" must give a
    reason ("since July" and "two years later" stay), and substitutes share the marker's position. `fidelity="repo"`
    replaces the markers of NL-Augmenter's list at any place, which gives the paper's own example ("13% since July"
    becomes "13% inasmuch as July").
    """
    candidates = list(_candidates(sentence, fidelity == "repo"))
    if not candidates:
        return None
    start, end, substitutes = rng.choice(candidates)
    old, new = sentence[start:end], rng.choice(substitutes)
    return apply_edits(sentence, [Edit(start, end, match_case(old, new))])


def _candidates(text: str, repo: bool) -> Iterator[tuple[int, int, list[str]]]:
    heads = _markers(repo)
    lowered = text.lower()
    if len(lowered) != len(text) or not any(marker in lowered for marker in _texts(repo)):
        return
    done = 0
    for word in _WORD.finditer(lowered):
        for marker in heads.get(word[0], ()) if word.start() >= done else ():
            end = word.start() + len(marker.text)
            if not lowered.startswith(marker.text, word.start()) or lowered[end : end + 1].isalnum():
                continue
            substitutes = list(marker.substitutes) if repo else _fitting(marker, _place(text, word.start(), end))
            if substitutes:
                done = end
                yield word.start(), end, substitutes
                break


def _place(text: str, start: int, end: int) -> _Place:
    before = _PREVIOUS.search(text, max(0, start - 30), start)
    after = _NEXT.match(text, end)
    opens = _SENTENCE_START.search(text, max(0, start - 6), start) is not None
    return _Place(text, start, end, before[1].lower() if before else "", after[1].lower() if after else "", opens)


def _fitting(marker: _Marker, place: _Place) -> list[str]:
    if place.text[place.end : place.end + 1] in ("-", "'", "’") or place.text[place.start - 1 : place.start] == "-":
        return []
    if not place.opens and place.text[place.start].isupper():
        return []  # part of a name or a title
    if not _POSITIONS[marker.position](place) or not _TESTS.get((marker.position, marker.text), _always)(place):
        return []
    return [new for new in marker.substitutes if _SUBSTITUTE_TESTS.get((marker.position, new), _always)(place)]


def _always(place: _Place) -> bool:
    return True


def _is_set_off(place: _Place) -> bool:
    comma = place.text[place.end : place.end + 1] == ","
    return comma and place.before != "if" and (place.opens or place.head.endswith((",", ";")))


def _is_initial(place: _Place) -> bool:
    return place.opens and place.text[place.end : place.end + 1] == ","


def _is_before_verb(place: _Place) -> bool:
    """Tell whether the marker stands between an auxiliary or a pronoun and a verb, without commas."""
    if not place.text[place.end :].startswith(" ") or not place.text[: place.start].endswith(" ") or place.head.endswith(","):
        return False
    verb = place.after in _IRREGULAR or (place.after.endswith("ed") and place.after not in _NO_PARTICIPLE)
    return place.before in _BEFORE_LATER and verb and place.text[place.end + 1 : place.end + 2].islower()


def _opens_clause(place: _Place) -> bool:
    return place.text[place.end : place.end + 1] == " " and bool(place.after)


def _follows_comma(place: _Place) -> bool:
    return place.head.endswith(",")


def _has_subject(place: _Place) -> bool:
    return place.after in _SUBJECTS


def _is_finite(place: _Place) -> bool:
    return any(word in _FINITE or word.endswith("ed") for word in place.clause)


def _is_reason(place: _Place) -> bool:
    """Tell whether "since" gives a reason: after a comma, a finite clause, and no perfect before it."""
    perfect = re.search(r"\b(?:ha[sd]|have|had|been|ever|years?|months?|first|time|last)\b", place.head)
    finite = any(word in _FINITE for word in place.clause)
    return _follows_comma(place) and place.after in _SUBJECTS and finite and perfect is None


def _is_because(place: _Place) -> bool:
    """Tell whether "because" gives a reason that "since" and "as" give too: none that a focus word picks out."""
    if _FOCUS.search(_CLAUSE_BREAK.split(place.head[-200:].lower())[-1]):
        return False
    return place.before not in _BEFORE_BECAUSE and _has_subject(place) and not place.head.endswith((":", "?"))


def _is_plain_coordination(place: _Place) -> bool:
    """Tell whether ", but" or an initial "But" joins a clause that corrects nothing ("not cold, but it was wet")."""
    if place.after not in _SUBJECTS - {"a", "an", "another", "no", "that", "what", "one"}:
        return False
    if place.opens:
        return True
    corrects = _NEGATIONS.search(re.split(r"[.;:!?]", place.head)[-1]) is not None
    return _follows_comma(place) and not corrects and _is_finite(place)


def _is_purpose(place: _Place) -> bool:
    return place.after in _SUBJECTS and any(word in _MODALS for word in place.clause) and not _follows_comma(place)


def _is_concession(place: _Place) -> bool:
    return place.before not in ("even", "as") and (place.opens or _follows_comma(place)) and place.after not in ("not", "it's")


def _is_once(place: _Place) -> bool:
    """Tell whether "once" is the conjunction and not the number or the adverb ("once every year", "once a king")."""
    subject = place.after in _SUBJECTS - {"a", "an", "each", "every", "one", "some", "three", "two"}
    return subject and (place.opens or _follows_comma(place)) and _is_finite(place)


_POSITIONS: dict[str, Test] = {
    "any": _always,
    "set-off": _is_set_off,
    "initial": _is_initial,
    "verb": _is_before_verb,
    "clause": _opens_clause,
}
_TESTS: dict[tuple[str, str], Test] = {
    ("any", "for example"): lambda place: place.after not in ("of", "to"),
    ("any", "for instance"): lambda place: place.after not in ("of", "to"),
    ("clause", "although"): _is_concession,
    ("clause", "though"): lambda place: _is_concession(place) and _has_subject(place),
    ("clause", "even though"): _has_subject,
    ("clause", "whereas"): _follows_comma,
    ("clause", "because"): _is_because,
    ("clause", "since"): _is_reason,
    ("clause", "inasmuch as"): _always,
    ("clause", "until"): lambda place: place.after in _PRONOUNS and not place.opens,
    ("clause", "till"): lambda place: place.after in _PRONOUNS,
    ("clause", "once"): _is_once,
    ("clause", "as soon as"): _has_subject,
    ("clause", "so that"): _is_purpose,
    ("clause", "in order that"): _always,
    ("clause", "but"): _is_plain_coordination,
    ("clause", "yet"): _is_plain_coordination,
    ("set-off", "on the other hand"): lambda place: "the one hand" not in place.text,
    # Inside a sentence it often marks a plain contrast, which "nevertheless" does not.
    ("set-off", "however"): lambda place: place.opens,
    # "is ultimately intended": in the last resort, not at last.
    ("verb", "ultimately"): lambda place: place.before not in ("is", "are"),
}
_SUBSTITUTE_TESTS: dict[tuple[str, str], Test] = {
    # After a comma, "though" may add an afterthought, which "even though" cannot.
    ("clause", "even though"): lambda place: _has_subject(place) and _is_finite(place) and not _follows_comma(place),
    ("clause", "as"): _follows_comma,
    ("clause", "inasmuch as"): _follows_comma,
    ("set-off", "on the other hand"): lambda place: "the one hand" not in place.text,
    ("verb", "hence"): lambda place: place.before in ("and", "is", "was", "are", "were"),
    ("verb", "earlier"): lambda place: place.before in ("had", "was", "were"),
}
