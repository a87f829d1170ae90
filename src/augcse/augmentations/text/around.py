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
        first, shouted = self.text[self.start], self.text[self.start : self.end].isupper()
        return first.isupper() and not (self.opens or shouted or self.text[self.start : self.start + 2] in ("I'", "I’", "I "))


Condition = Callable[[Around], bool]


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
        start, comma, <comma, asks, word: it opens a sentence, a comma follows, a comma comes before, the sentence is a question, a word
        follows directly; front: it opens a sentence or follows a comma

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
    sign = max(filter(part.startswith, (*_ONE_OF_THEM, *_NONE_OF_THEM)), key=len, default=None)
    if sign is None:
        raise ValueError(f"unknown condition: {part}")
    listed = _word_class(part.removeprefix(sign), classes)
    if sign in _ONE_OF_THEM:
        return lambda around: any(map(listed.fullmatch, _ONE_OF_THEM[sign](around)))
    return lambda around: not any(map(listed.fullmatch, _NONE_OF_THEM[sign](around)))


def _word_class(names: str, classes: Mapping[str, list[str]]) -> re.Pattern[str]:
    """Return the pattern of what a list with commas names: words, endings (`*ed`), without words taken out again (`-need`)."""
    members = [member for name in names.split(",") for member in classes.get(name, [name])]
    without = "|".join(re.escape(member[1:]) for member in members if member.startswith("-"))
    listed = "|".join(re.sub(r"^\\\*", ".*", re.escape(member)) for member in members if not member.startswith("-"))
    return re.compile(rf"(?!(?:{without})\Z)(?:{listed})" if without else listed)


def _follow(around: Around, wanted: list[re.Pattern[str]], adverbs: re.Pattern[str]) -> bool:
    words = around.words_after(_CLAUSE_END)
    while words and adverbs.fullmatch(words[0]):
        words.pop(0)
    return len(words) >= len(wanted) and all(listed.fullmatch(word) for word, listed in zip(words, wanted, strict=False))


_NAMED: dict[str, Condition] = {
    "start": lambda around: around.opens,
    "front": lambda around: around.opens or around.mark_before in (",", ";", ":"),
    "comma": lambda around: around.mark_after == ",",
    "<comma": lambda around: around.mark_before in (",", ";"),
    "asks": lambda around: around.asks,
    "word": lambda around: around.text[around.end : around.end + 1].isspace() and around.mark_after.isalnum(),
}
# The words of which one has to be listed after the sign.
_ONE_OF_THEM: dict[str, Callable[[Around], list[str]]] = {
    "+": lambda around: [around.after],
    "<+": lambda around: [around.before],
    "&": lambda around: around.words_after(_SENTENCE_END)[:7],
}
# The words of which none may be listed after the sign.
_NONE_OF_THEM: dict[str, Callable[[Around], list[str]]] = {
    "-": lambda around: [around.after],
    "<-": lambda around: [around.before],
    "&-": lambda around: around.words_after(_CLAUSE_END),
    "!": lambda around: around.words_before(_CLAUSE_END)[-3:],
    "!!": lambda around: around.words_before(_CLAUSE_END),
    "!!!": lambda around: around.words_before(_SENTENCE_END),
}


def _words(text: str) -> list[str]:
    return [_plain(word) for word in _WORD.findall(text)]


def _plain(word: str) -> str:
    return word.replace("’", "'").lower()
