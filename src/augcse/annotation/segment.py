"""Sentence splitting by punctuation and what follows it, in any script that marks sentence ends.

A sentence-final mark is followed by white space (in Chinese and Japanese by anything). A full stop is not final after an abbreviation,
an initial ("J. Smith"), letters with stops between ("e.g.", "U.S.") or the number of a list item. Before a lower-case letter, dots and
marks within quotation marks are not final ("Really?" he said), nor is a full stop after a short word, which may be an unlisted
abbreviation. The abbreviations are those of spaCy's tokeniser for the language, and some more for English.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from augcse.annotation.load_spacy import load_spacy
from augcse.corpus.lines import text_lines
from augcse.corpus.scripts import FULL_WIDTH_END_MARKS, SPACED_END_MARKS
from augcse.corpus.texts import present_texts
from augcse.errors import UserError

_CLOSERS = "\"'”’»›)\\]}」』】）》〉"
_OPENERS = "\"'“‘«‹„‚(\\[{「『【（《〈¿¡*•–—-"
_END = re.compile(
    # A French quotation ends after a space.
    rf"(?<![{SPACED_END_MARKS}])[{SPACED_END_MARKS}]+[{_CLOSERS}]*(?:[ \u00a0\u202f]»)?(?=\s)"
    rf"|(?<![{FULL_WIDTH_END_MARKS}])[{FULL_WIDTH_END_MARKS}]+[{_CLOSERS}]*"
)
_NEXT = re.compile(rf"[\s{_OPENERS}]*")
_LETTERS_WITH_STOPS = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,2}")
# Abbreviations only before a number: "No. 5", but "They said no. Then".
_ABBREVIATIONS_BEFORE_NUMBERS = frozenset("art bl ch chap eq fig figs ill no nos nr núm op p par pp s sec st str tab vol".split())
# Missing from spaCy's English list.
_ENGLISH = frozenset(
    "al approx asst ave blvd capt cf cmdr col comdr cpl dept esp est etc ft gen hon lt maj mme mmes mss prof pvt sgt sr supt viz vs".split()
)
# Languages in which "3." means "third": a full stop after one or two digits does not end a sentence.
_ORDINAL_STOP_LANGUAGES = frozenset("bs cs da de et fi fo hr hu is lb lv nb nn pl sk sl sr tr".split())
_ORDINAL = re.compile(r"\d{1,2}")
_LONG_WORD_LETTERS = 5
_WORD_CHARACTERS = 64
_HAS_WORD = re.compile(r"[^\W_]")
# A longer paragraph is processed in parts, so that memory does not grow with it.
_BLOCK_CHARACTERS = 1 << 16


@dataclass(frozen=True, slots=True)
class SentenceEnds:
    """The rules that distinguish a sentence-final full stop from others in one language.

    Args:
        language: ISO 639-1 code.
        abbreviations: words, without their full stop, after which it does not end a sentence.
    """

    language: str
    abbreviations: frozenset[str]

    def split(self, text: str) -> Iterator[str]:
        """Yield the sentences of a text, in order and stripped; a text without marks is one sentence."""
        start = 0
        for end in (*self.ends(text), len(text)):
            if sentence := text[start:end].strip():
                yield sentence
            start = end

    def ends(self, text: str) -> Iterator[int]:
        """Yield the offset after each mark that ends a sentence, and after the quotation marks and brackets that it closes."""
        start = 0
        for mark in _END.finditer(text):
            if self._is_final(text, start, mark):
                start = mark.end()
                yield start

    def _is_final(self, text: str, start: int, mark: re.Match[str]) -> bool:
        """Return whether a mark ends the sentence that begins at `start`."""
        following = _NEXT.match(text, mark.end())
        next_character = text[following.end() : following.end() + 1] if following else ""
        if mark[0][0] in FULL_WIDTH_END_MARKS or not next_character:
            return True
        if next_character in SPACED_END_MARKS:
            return False
        if mark[0] != ".":
            return not next_character.islower() or (mark[0][0] in "?!" and mark[0][-1] in "?!")
        # The word before is searched within a limit: going back to the sentence's start at every full stop would take quadratic time.
        words_before = text[max(start, mark.start() - _WORD_CHARACTERS) : mark.start()].rsplit(None, 1)
        word = words_before[-1].lstrip("\"'“‘«([{„") if words_before else ""
        if len(words_before) == 1 and word.isdigit():
            return False
        if self._is_abbreviation(word, next_character):
            return False
        return not next_character.islower() or len(word) >= _LONG_WORD_LETTERS

    def _is_abbreviation(self, word: str, next_character: str) -> bool:
        """Return whether the full stop after `word` belongs to it, given the next letter or digit."""
        if next_character.isdigit() and word.lower() in _ABBREVIATIONS_BEFORE_NUMBERS:
            return True
        if len(word) == 1 and word.isupper() and word != "I":
            return True
        if _ORDINAL.fullmatch(word):
            return self.language in _ORDINAL_STOP_LANGUAGES
        return word in self.abbreviations or _LETTERS_WITH_STOPS.fullmatch(word) is not None


@functools.lru_cache(maxsize=4)
def sentence_ends(language: str = "en") -> SentenceEnds:
    """Return the sentence-end rules of a language by its code; "xx" has no abbreviations and serves any other language.

    Raises:
        UserError: a code that spaCy does not know.
    """
    spacy = load_spacy("the list of abbreviations")
    try:
        exceptions = spacy.util.get_lang_class(language).Defaults.tokenizer_exceptions
    except ImportError as error:
        raise UserError(f"no list of abbreviations for language {language!r}; give a code such as en or de, or xx for any other") from error
    known = {word[:-1] for word in exceptions if word.endswith(".") and word[:-1].isalpha()}
    if language == "en":
        known |= _ENGLISH | {word.title() for word in _ENGLISH}
    return SentenceEnds(language, frozenset(known))


def split(documents: Iterable[str | None], language: str = "en", wrapped: bool = False) -> Iterator[str]:
    r"""Yield the sentences of documents, in order; memory does not grow with a document of many lines.

    A line end ends a sentence. For hard-wrapped text, `wrapped` joins lines, and an empty line ends a sentence.

    Args:
        documents: texts of any length: a list, a column of a table, a pandas Series. A missing one (None, NaN) gives no sentence.
        language: determines the abbreviations: an ISO 639-1 code that spaCy knows, or "xx".
        wrapped: join the lines between empty ones.

    Raises:
        UserError: an unknown language; a text instead of a list of texts, or an entry that is not a text.

    >>> list(split(["The mill (built c. 1847 by J. Smith) stands. Does it turn?"]))
    ['The mill (built c. 1847 by J. Smith) stands.', 'Does it turn?']
    """
    texts = present_texts(documents, "documents", "document {}")
    return split_lines((line for text in texts for line in [*text_lines(text), ""]), sentence_ends(language), wrapped)


def split_lines(lines: Iterable[str], ends: SentenceEnds, wrapped: bool) -> Iterator[str]:
    """Yield the sentences of lines that have a letter or a digit; `wrapped` joins the lines between empty ones."""
    pieces = _paragraph_sentences(lines, ends) if wrapped else (piece for line in lines for piece in ends.split(line))
    return (piece for piece in pieces if _HAS_WORD.search(piece))


def _paragraph_sentences(lines: Iterable[str], ends: SentenceEnds) -> Iterator[str]:
    """Yield the sentences of paragraphs, whose lines are joined; an empty line ends a paragraph."""
    block = ""
    for line in lines:
        block = _append_line(block, line.strip()) if line.strip() else block
        if not line.strip() or len(block) > _BLOCK_CHARACTERS:
            *complete, last = [*ends.split(block)] or [""]
            yield from complete
            # If the paragraph continues, its last sentence so far may be incomplete.
            block = last if line.strip() and len(last) <= _BLOCK_CHARACTERS else ""
            if last and not block:
                yield last
    yield from ends.split(block)


def _append_line(block: str, line: str) -> str:
    """Append a line to a block, with a space unless both meet at Chinese or Japanese characters."""
    is_spaced = not (block and _is_east_asian(block[-1]) and _is_east_asian(line[0]))
    return f"{block} {line}" if block and is_spaced else block + line


def _is_east_asian(character: str) -> bool:
    return "\u3000" <= character <= "\u9fff" or "\uff00" <= character <= "\uffef"
