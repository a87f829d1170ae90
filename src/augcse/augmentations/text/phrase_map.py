"""A table of phrases and their replacements, under conditions on the context: one engine, no code per entry.

    =SUBJECT	he she it we they            a class of words, for the conditions
    phrase	start comma	<comma           begins a block: the condition under which the cells of each column apply
    however	nevertheless|nonetheless	-    the replacements; "-": stays as it is; empty: the next column decides
    isn't|isnt	is * not                     several spellings of a phrase; "*" is the word after it

The first cell whose condition holds decides, blocks in the order of the file. Apostrophes may be typographic, and there may be a space
before a clitic, as tokenisers write it ("is n't", "it 's").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from augcse.augmentations.text.around import Around, Condition, read_condition
from augcse.augmentations.text.edits import Edit, is_all_capitals, match_case
from augcse.augmentations.text.tables import data_rows

_HEAD = re.compile(r"[^\W\d_]+")
_STAYS = "-"
_CLITIC = re.compile(r"(n?)'")
_APOSTROPHE = re.compile("['’`´]")


@dataclass(frozen=True, slots=True)
class Choice:
    """A phrase found in a text, and its possible replacements there; none where it has to stay."""

    around: Around
    replacements: tuple[str, ...]

    def edit(self, replacement: str) -> Edit:
        """Return the edit that writes one of the replacements for the phrase, in its case.

        A "*" in the replacement is the next word, which then moves into it: "isn't he" with "is * not" becomes "is he not".
        """
        around = self.around
        phrase = around.text[around.start : around.end]
        start, star, end = replacement.partition("*")
        if not star or around.next_word is None:
            return Edit(around.start, around.end, match_case(phrase, replacement))
        next_word = around.text[around.end : around.next_word.end(1)]
        if len(phrase) > 1 and is_all_capitals(phrase):
            end = end.upper()
        return Edit(around.start, around.next_word.end(1), match_case(phrase, start.rstrip()) + next_word + end)


class PhraseMap:
    """Phrases with the cells that list their replacements."""

    def __init__(self, cells: Iterable[tuple[str, Condition, tuple[str, ...]]]) -> None:
        self._cells: dict[str, list[tuple[Condition, tuple[str, ...]]]] = {}
        for phrase, condition, replacements in cells:
            self._cells.setdefault(phrase, []).append((condition, replacements))
        self._heads: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
        for phrase in sorted(self._cells, key=len, reverse=True):
            entry = phrase, _pattern(phrase)
            for head in {_HEAD.findall(text)[0] for text in _spellings(phrase)}:
                self._heads.setdefault(head, []).append(entry)

    def choices(self, text: str, *, always: bool = False) -> Iterator[Choice]:
        """Yield the phrases of a text from left to right; `always`: the last column, if it changes the phrase, applies everywhere."""
        done = 0
        for word in _HEAD.finditer(text):
            for phrase, pattern in self._heads.get(word[0].lower(), ()) if word.start() >= done else ():
                everywhere = self._cells[phrase][-1][1]
                if always and not everywhere:
                    continue
                if match := pattern.match(text, word.start()):
                    around = Around(text, *match.span())
                    replacements = everywhere if always else self._fitting(phrase, around)
                    # Where it stays, the next phrase may begin inside it: "it is not".
                    done = match.end() if replacements else done
                    yield Choice(around, replacements)
                    break

    def _fitting(self, phrase: str, around: Around) -> tuple[str, ...]:
        """Return the replacements in the first cell of a phrase whose condition holds; none in a title, or if capitals stress it."""
        if around.in_title or _is_stressed(around.text[around.start : around.end], around.text):
            return ()
        return next((new for holds, new in self._cells[phrase] if holds(around)), ())


@cache
def read_phrase_map(path: Path) -> PhraseMap:
    """Read a whole table, once; raises `ValueError` for a condition that does not exist."""
    return PhraseMap(_table_cells(data_rows(path)))


def _is_stressed(phrase: str, text: str) -> bool:
    """Return whether capitals stress the phrase ("Do NOT touch it"); no contraction counts, as its replacement keeps the stress."""
    has_capitals = any(len(word) > 1 and word.isupper() for word in _HEAD.findall(phrase))
    return has_capitals and _APOSTROPHE.search(phrase) is None and not is_all_capitals(text)


def _spellings(phrase: str) -> tuple[str, str]:
    """Return the phrase as it is and with a space before its clitic."""
    return phrase, _CLITIC.sub(r" \1'", phrase)


def _pattern(phrase: str) -> re.Pattern[str]:
    """Return the pattern of a phrase with any apostrophe and any spaces, as whole words."""
    written = _CLITIC.sub(r" ?\1 ?['’`´] ?", phrase.replace(" ", r"\s+"))
    return re.compile(rf"(?<![\w'’-]){written}(?![\w'’]|[-.@]\w)", re.IGNORECASE)


def _table_cells(rows: list[list[str]]) -> Iterator[tuple[str, Condition, tuple[str, ...]]]:
    """Yield phrase, condition and replacements of each cell that is not empty."""
    classes: dict[str, list[str]] = {}
    conditions: list[Condition] = []
    for first, *cells in rows:
        if first.startswith("="):
            classes[first[1:]] = [member for name in cells[0].split() for member in classes.get(name, [name])]
        elif first == "phrase":
            conditions = [read_condition(cell, classes) for cell in cells]
        else:
            for condition, cell in zip(conditions, cells, strict=False):
                for phrase in first.split("|") if cell else ():
                    yield phrase, condition, () if cell == _STAYS else tuple(cell.split("|"))
