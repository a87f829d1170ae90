"""Polarity items (polarity.tsv): what stands for a negative word, and which words only a denied, or only an affirmed, clause takes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.conditions import Condition, read_condition
from augcse.augmentations.text.edits import Edit, delete_word, match_case
from augcse.augmentations.text.tables import data_rows

_STAYS = "="
NOTHING_FITS = "-"


@dataclass(frozen=True, slots=True)
class PolarityItem:
    """A word, or several, with what stands for it in an affirmed and in a denied clause; "" deletes it."""

    words: tuple[str, ...]
    affirmed: str
    denied: str
    condition: Condition

    def edit(self, parse: Parse, first: int, replacement: str) -> Edit:
        """Return the edit that writes a replacement for the item that begins at `first`, in its case."""
        span = parse.span(first, first + len(self.words) - 1)
        return Edit(*span, match_case(parse.tokens[first], replacement)) if replacement else delete_word(parse.text, *span)


@lru_cache(maxsize=1)
def _items() -> dict[str, list[PolarityItem]]:
    """Return the rows of the table by their first word."""
    items: dict[str, list[PolarityItem]] = {}
    for words, affirmed, denied, *condition in data_rows(Path(__file__).with_name("polarity.tsv")):
        item = PolarityItem(tuple(words.split()), affirmed, denied, read_condition("".join(condition)))
        items.setdefault(item.words[0], []).append(item)
    return items


def item_at(parse: Parse, first: int) -> PolarityItem | None:
    """Return the item that begins at a token; None if there is none, or no row suits the place."""
    for item in _items().get(parse.word(first), ()):
        last = first + len(item.words) - 1
        if item.words == tuple(map(parse.word, range(first, last + 1))) and item.condition(parse, last):
            return item
    return None


def items(parse: Parse, *, denied: bool) -> dict[int, PolarityItem]:
    """Return, by their first tokens, the items of denied clauses only ("anything", "yet"), or of affirmed ones ("something", "rather")."""
    found = {index: item for index in parse.indices_of(*_items()) if (item := item_at(parse, index))}
    return {index: item for index, item in found.items() if (item.denied if denied else item.affirmed) == _STAYS}
