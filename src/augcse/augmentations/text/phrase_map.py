"""A table of phrases and what stands for each, under conditions on what stands around it: one engine, no code per entry.

    =SUBJECT	he she it we they            a class of words, for the conditions
    phrase	start comma	<comma           a block: in each column the condition under which its cells hold
    however	nevertheless|nonetheless	-    the replacements; "-": stays as it is; empty: the next column decides
    isn't|isnt	is * not                     several spellings of a phrase; "*" is the word after it

The first cell whose condition holds decides, blocks in the order of the file. Apostrophes may be typographic, and a clitic may stand
apart, as tokenisers write it ("is n't", "it 's").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from augcse.augmentations.text.around import Around, Condition, read_conditions
from augcse.augmentations.text.edits import Edit, is_all_capitals, match_case
from augcse.augmentations.text.tables import data_rows

_HEAD = re.compile(r"[^\W\d_]+")
_STAYS = "-"
_CLITIC = re.compile(r"(n?)'")
_APOSTROPHE = re.compile("['’`´]")


@dataclass(frozen=True, slots=True)
class Choice:
    """A phrase found in a text, and what may stand for it there; nothing where it has to stay."""

    around: Around
    replacements: tuple[str, ...]

    def edit(self, replacement: str) -> Edit:
        """Return the edit that puts one of the replacements in the phrase's place, in its case."""
        around, (first, moved, rest) = self.around, replacement.partition("*")
        found, end = around.text[around.start : around.end], around.end
        if not moved or around.next_word is None:
            return Edit(around.start, end, match_case(found, replacement))
        subject = around.text[end : around.next_word.end(1)]
        rest = rest.upper() if match_case(found, "ab") == "AB" else rest
        return Edit(around.start, around.next_word.end(1), match_case(found, first.rstrip()) + subject + rest)


class PhraseMap:
    """Phrases with the cells that say what stands for them."""

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
        """Yield the phrases of a text from left to right; `always`: the last column, if it changes the phrase, holds everywhere."""
        done = 0
        for word in _HEAD.finditer(text):
            for phrase, pattern in self._heads.get(word[0].lower(), ()) if word.start() >= done else ():
                cells = self._cells[phrase]
                if (cells[-1][1] or not always) and (found := pattern.match(text, word.start())):
                    around = Around(text, *found.span())
                    fitting = () if _is_stressed(found[0], text) else next((new for holds, new in cells if holds(around)), ())
                    choice = Choice(around, cells[-1][1] if always else fitting)
                    # Where it stays, the next phrase may begin inside it: "it is not".
                    done = found.end() if choice.replacements else done
                    yield choice
                    break


@cache
def read_phrase_map(path: Path) -> PhraseMap:
    """Read a table whole, once; raises `ValueError` for a condition that does not exist."""
    return PhraseMap(_cells(data_rows(path)))


def _is_stressed(phrase: str, text: str) -> bool:
    """Tell whether a word of the phrase alone is in capitals: "Do NOT touch it"; not so a contraction, which "I DO NOT" keeps stressed."""
    has_capitals = any(len(word) > 1 and word.isupper() for word in _HEAD.findall(phrase))
    return has_capitals and _APOSTROPHE.search(phrase) is None and not is_all_capitals(text)


def _spellings(phrase: str) -> tuple[str, str]:
    """Return the phrase in one piece and with its clitic apart."""
    return phrase, _CLITIC.sub(r" \1'", phrase)


def _pattern(phrase: str) -> re.Pattern[str]:
    written = _CLITIC.sub(r" ?\1 ?['’`´] ?", phrase.replace(" ", r"\s+"))
    return re.compile(rf"(?<![\w'’-]){written}(?![\w'’]|[-.@]\w)", re.IGNORECASE)


def _cells(rows: list[list[str]]) -> Iterator[tuple[str, Condition, tuple[str, ...]]]:
    classes: dict[str, list[str]] = {}
    conditions: list[Condition] = []
    for first, *rest in rows:
        if first.startswith("="):
            classes[first[1:]] = [member for name in rest[0].split() for member in classes.get(name, [name])]
        elif first == "phrase":
            conditions = [read_conditions(cell, classes) for cell in rest]
        else:
            for condition, cell in zip(conditions, rest, strict=False):
                for phrase in first.split("|") if cell else ():
                    yield phrase, condition, () if cell == _STAYS else tuple(cell.split("|"))
