"""What stands around a candidate of a string rule: the words and marks beside it, and the conditions that tables state of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_NEXT = re.compile(rf"[\s\"'“‘(]*({_WORD.pattern})")
_PREVIOUS = re.compile(rf"({_WORD.pattern})[\s\"'“‘(]*\Z")
_SENTENCE_START = re.compile(r"(?:\A|[.!?;:][\"'”’)]*\s|\s-{1,2}\s)[\s\"'“‘(`]*\Z")
_CLAUSE_END = re.compile(r"[.,;:!?()–—]|\s-{1,2}\s")
_CLITIC = re.compile(r"(?<!n)'(?:s|m|d|re|ve|ll)\Z")
_SENTENCE_END = re.compile(r"[.!?;]")
# How far, in characters, a word beside the candidate and a word of its clause are looked for.
_NEAR, _FAR = 40, 200


@dataclass(frozen=True)
class Around:
    """The surroundings of `text[start:end]`; words are in small letters, with straight apostrophes."""

    text: str
    start: int
    end: int

    @cached_property
    def before(self) -> str:
        """The word directly before; empty where another mark than a quote or bracket stands between."""
        found = _PREVIOUS.search(self.text, max(0, self.start - _NEAR), self.start)
        return _plain(found[1]) if found else ""

    @cached_property
    def after(self) -> str:
        """The word directly after, without its clitic ("he" of "he's"); empty where another mark than a quote or bracket is between."""
        found = self.next_word
        return _CLITIC.sub("", _plain(found[1])) if found else ""

    @cached_property
    def next_word(self) -> re.Match[str] | None:
        """The match of the word directly after, in its first group."""
        return _NEXT.match(self.text, self.end)

    @cached_property
    def mark_before(self) -> str:
        """The last character before that is no blank; empty at the start of the text."""
        return self.text[: self.start].rstrip()[-1:]

    @cached_property
    def mark_after(self) -> str:
        """The first character after that is no blank; empty at the end of the text."""
        return self.text[self.end : self.end + _NEAR].lstrip()[:1]

    def words_before(self, border: re.Pattern[str]) -> list[str]:
        """Return the words before, back to the end of another clause or sentence."""
        return _words(border.split(self.text[max(0, self.start - _FAR) : self.start])[-1])

    def words_after(self, border: re.Pattern[str]) -> list[str]:
        """Return the words after, up to the end of the clause or sentence."""
        return _words(border.split(self.text[self.end : self.end + _FAR], maxsplit=1)[0])

    @cached_property
    def opens(self) -> bool:
        """Whether a sentence, or what follows a colon, semicolon or dash, starts here."""
        return _SENTENCE_START.search(self.text, max(0, self.start - 8), self.start) is not None

    @cached_property
    def asks(self) -> bool:
        """Whether the sentence ends with a question mark."""
        found = _SENTENCE_END.search(self.text, self.end)
        return found is not None and found[0] == "?"

    @cached_property
    def in_name(self) -> bool:
        """Whether the capital of its first word is no sentence's: part of a name or a title."""
        first = self.text[self.start]
        shouted = self.text[self.start : self.end].isupper() and self.end - self.start > 1
        return first.isupper() and not (self.opens or shouted or self.text[self.start : self.start + 2] in ("I'", "I’", "I "))


Condition = Callable[[Around], bool]


class _WordClass:
    """Words, endings (`*ed`) and words taken out again (`-need`), as a table lists them."""

    def __init__(self, members: list[str]) -> None:
        self._words = frozenset(member for member in members if member[0] not in "*-")
        self._without = frozenset(member[1:] for member in members if member[0] == "-")
        self._endings = tuple(member[1:] for member in members if member[0] == "*")

    def __contains__(self, word: str) -> bool:
        if word in self._without:
            return False
        return word in self._words or (bool(self._endings) and word.endswith(self._endings))


def read_conditions(text: str, classes: Mapping[str, list[str]]) -> Condition:
    """Return what a cell of conditions states: all of its tests, with blanks between them, hold.

    Lists have commas; a name in capitals stands for the words of its class.

        +to,NOUN   the next word is one of these          -to     the next word is none of these
        <+why      the word before is one of these        <-as    the word before is none of these
        &will      one of the next seven words of the sentence is one of these
        &-will     none of the words of the clause after is one of these
        !how       none of the three words of the clause before is one of these
        !!not      none of the words of the clause before is one of these
        !!!ever    none of the words of the sentence before is one of these
        ~PAST      the next word that is no ADVERB is one of these; ~PAST>OBJECT and the one after it one of those
        start, comma, <comma, asks, states, word: it opens a sentence, a comma follows, a comma comes before, the sentence is a question,
        or is none, a word follows directly; front: it opens a sentence or follows a comma

    In the tables of rules that read a parse (english/conditions.py) "&" and "!" ask for the whole sentence.

    >>> fits = read_conditions("start +he,she", {})
    >>> fits(Around("So he left.", 0, 2)), fits(Around("And so he left.", 4, 6))
    (True, False)
    """
    tests = [_test(part, classes) for part in text.split()]
    return lambda around: all(test(around) for test in tests)


def _test(part: str, classes: Mapping[str, list[str]]) -> Condition:
    if part in _NAMED:
        return _NAMED[part]
    if part.startswith("~"):
        adverbs = _word_class("ADVERB", classes)
        wanted = [_word_class(names, classes) for names in part[1:].split(">")]
        return lambda around: _follow(around, wanted, adverbs)
    sign = max(filter(part.startswith, _SIGNS), key=len, default=None)
    if sign is None:
        raise ValueError(f"unknown condition: {part}")
    listed, holds = _word_class(part.removeprefix(sign), classes), _SIGNS[sign]
    return lambda around: holds(around, listed)


def _word_class(names: str, classes: Mapping[str, list[str]]) -> _WordClass:
    """Return the class of words that a list with commas names."""
    return _WordClass([member for name in names.split(",") for member in classes.get(name, [name])])


def _follow(around: Around, wanted: list[_WordClass], adverbs: _WordClass) -> bool:
    words = around.words_after(_CLAUSE_END)
    while words and words[0] in adverbs:
        words.pop(0)
    return len(words) >= len(wanted) and all(word in listed for word, listed in zip(words, wanted, strict=False))


_NAMED: dict[str, Condition] = {
    "start": lambda around: around.opens,
    "front": lambda around: around.opens or around.mark_before in (",", ";", ":"),
    "comma": lambda around: around.mark_after == ",",
    "<comma": lambda around: around.mark_before in (",", ";"),
    "asks": lambda around: around.asks,
    "states": lambda around: not around.asks,
    "word": lambda around: around.text[around.end : around.end + 1].isspace() and around.mark_after.isalnum(),
}
_SIGNS: dict[str, Callable[[Around, _WordClass], bool]] = {
    "+": lambda around, listed: around.after in listed,
    "-": lambda around, listed: around.after not in listed,
    "<+": lambda around, listed: around.before in listed,
    "<-": lambda around, listed: around.before not in listed,
    "&": lambda around, listed: any(word in listed for word in around.words_after(_SENTENCE_END)[:7]),
    "&-": lambda around, listed: not any(word in listed for word in around.words_after(_CLAUSE_END)),
    "!": lambda around, listed: not any(word in listed for word in around.words_before(_CLAUSE_END)[-3:]),
    "!!": lambda around, listed: not any(word in listed for word in around.words_before(_CLAUSE_END)),
    "!!!": lambda around, listed: not any(word in listed for word in around.words_before(_SENTENCE_END)),
}


def _words(text: str) -> list[str]:
    return [_plain(word) for word in _WORD.findall(text)]


def _plain(word: str) -> str:
    return word.replace("’", "'").lower()
