"""The context of a candidate of a string rule: the words and marks next to it, and the conditions on them that tables state."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import dropwhile

from augcse.augmentations.text.conditions import Classes, Tests, word_class
from augcse.augmentations.text.edits import opens_sentence

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_NEXT = re.compile(rf"[\s\"'“‘(]*({_WORD.pattern})")
_PREVIOUS = re.compile(rf"({_WORD.pattern})[\s\"'“‘(]*\Z")
# After a colon, semicolon or dash, and in a quotation.
_PART_START = re.compile(r"(?:(?:[;:][\"'”’)]*\s|\s-{1,2}\s)[\s\"'“‘(`]*|\s[\"“])\Z")
_CLAUSE_END = re.compile(r"[.,;:!?()–—]|\s-{1,2}\s")
_CLITIC = re.compile(r"(?<!n)'(?:s|m|d|re|ve|ll)\Z")
_QUOTATION = re.compile(r"[\"“]([^\"“”]*[^\"“”.,!?])[\"”]")
# What has no capital in a title.
_SMALL_WORDS = frozenset("a an the and or but of in on at to for from by with as".split())
_SENTENCE_END = re.compile(r"[.!?;]")
# How far, in characters, the word next to the candidate and the words of its clause are looked for.
_NEAR, _FAR = 40, 200


@dataclass(frozen=True)
class Around:
    """The context of `text[start:end]`; words are in lower case, with straight apostrophes."""

    text: str
    start: int
    end: int

    @cached_property
    def before(self) -> str:
        """The word directly before; empty where a mark other than a quote or bracket is in between."""
        previous = _PREVIOUS.search(self.text, max(0, self.start - _NEAR), self.start)
        return _plain(previous[1]) if previous else ""

    @cached_property
    def after(self) -> str:
        """The word directly after, without its clitic ("he" of "he's"); empty where a mark other than a quote or bracket is in between."""
        following = self.next_word
        return _CLITIC.sub("", _plain(following[1])) if following else ""

    @cached_property
    def next_word(self) -> re.Match[str] | None:
        """The match of the word directly after, in its first group."""
        return _NEXT.match(self.text, self.end)

    @cached_property
    def mark_before(self) -> str:
        """The last character before that is not a space; empty at the start of the text."""
        return self.text[: self.start].rstrip()[-1:]

    @cached_property
    def mark_after(self) -> str:
        """The first character after that is not a space; empty at the end of the text."""
        return self.text[self.end : self.end + _NEAR].lstrip()[:1]

    def words_before(self, border: re.Pattern[str]) -> list[str]:
        """Return the words before, back to the end of another clause or sentence."""
        return _words(border.split(self.text[max(0, self.start - _FAR) : self.start])[-1])

    def words_after(self, border: re.Pattern[str]) -> list[str]:
        """Return the words after, up to the end of the clause or sentence."""
        return _words(border.split(self.text[self.end : self.end + _FAR], maxsplit=1)[0])

    def words_past(self, is_adverb: Callable[[str], bool]) -> list[str]:
        """Return the words after, up to the end of the clause, without the adverbs in front."""
        return list(dropwhile(is_adverb, self.words_after(_CLAUSE_END)))

    @cached_property
    def opens(self) -> bool:
        """Whether a sentence, a quotation, or what follows a colon, semicolon or dash, starts here."""
        is_part = _PART_START.search(self.text, max(0, self.start - 8), self.start) is not None
        return is_part or opens_sentence(self.text, self.start)

    @cached_property
    def asks(self) -> bool:
        """Whether the sentence ends with a question mark."""
        end_mark = _SENTENCE_END.search(self.text, self.end)
        return end_mark is not None and end_mark[0] == "?"

    @cached_property
    def in_name(self) -> bool:
        """Whether its first word has the capital of a name or a title: not that of a sentence start, of emphasis, or of "I"."""
        is_pronoun = self.text[self.start : self.start + 2] in ("I'", "I’", "I ")
        is_emphasised = self.text[self.start : self.end].isupper()
        return self.text[self.start].isupper() and not (self.opens or is_emphasised or is_pronoun)

    @cached_property
    def in_title(self) -> bool:
        """Whether it is in the title of a work: in quotation marks, where all but the smallest words have a capital: "Don't Be Cruel"."""
        quoted = (match[1] for match in _QUOTATION.finditer(self.text) if match.start() < self.start < match.end())
        words = [word for quotation in quoted for word in _WORD.findall(quotation)]
        return len(words) > 1 and all(word[0].isupper() or word in _SMALL_WORDS for word in words)


Condition = Callable[[Around], bool]
WordsAt = Callable[[Around], list[str]]


def read_condition(text: str, classes: Classes) -> Condition:
    """Return the condition that a cell of a table writes, with these signs and names beside those of text/conditions.py.

        >7+will    one of the next seven words of the sentence is one of these
        >>-will    no later word of the clause is one of these
        <3-how     none of the three words before, in the clause, is one of these
        <<-not     no earlier word of the clause is one of these
        <<<-ever   no earlier word of the sentence is one of these
        ~+PAST     the next word that is not an ADVERB is one of these
        ~~+OBJECT  the word after that one is one of these
        start, comma, <comma, asks, word: it opens a sentence, a comma follows, a comma comes before, the sentence is a question, a word
        follows directly; front: it opens a sentence or follows a comma

    >>> fits = read_condition("start +he,she", {})
    >>> fits(Around("So he left.", 0, 2)), fits(Around("And so he left.", 4, 6))
    (True, False)
    """
    is_adverb = word_class("ADVERB", classes)
    past_adverbs: dict[str, WordsAt] = {
        "~+": lambda around: around.words_past(is_adverb)[:1],
        "~~+": lambda around: around.words_past(is_adverb)[1:2],
    }
    return Tests(_NAMED, _ONE_OF_THEM | past_adverbs, _NONE_OF_THEM).read(text, classes)


_NAMED: dict[str, Condition] = {
    "start": lambda around: around.opens,
    "front": lambda around: around.opens or around.mark_before in (",", ";", ":"),
    "comma": lambda around: around.mark_after == ",",
    "<comma": lambda around: around.mark_before in (",", ";"),
    "asks": lambda around: around.asks,
    "word": lambda around: around.text[around.end : around.end + 1].isspace() and around.mark_after.isalnum(),
}
_ONE_OF_THEM: dict[str, WordsAt] = {
    "+": lambda around: [around.after],
    "<+": lambda around: [around.before],
    ">7+": lambda around: around.words_after(_SENTENCE_END)[:7],
}
_NONE_OF_THEM: dict[str, WordsAt] = {
    "-": lambda around: [around.after],
    "<-": lambda around: [around.before],
    ">>-": lambda around: around.words_after(_CLAUSE_END),
    "<3-": lambda around: around.words_before(_CLAUSE_END)[-3:],
    "<<-": lambda around: around.words_before(_CLAUSE_END),
    "<<<-": lambda around: around.words_before(_SENTENCE_END),
}


def _words(text: str) -> list[str]:
    return [_plain(word) for word in _WORD.findall(text)]


def _plain(word: str) -> str:
    return word.replace("’", "'").lower()
