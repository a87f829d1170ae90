"""What PunctuationInsertion must know of a language: its clauses, marks and quotation marks, one pack per language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from augcse.errors import unknown_name


@dataclass(frozen=True, slots=True)
class Language:
    """One language pack.

    `clauses` holds the labels of the subordinate clauses that a comma may come before, `clause_openers` the words that open one
    whatever its label. `inner_marks` may be doubled, `final_marks` end a sentence. `join` is what is between two words.
    """

    clauses: frozenset[str]
    clause_openers: frozenset[str]
    comma: str
    exclamation: str
    inner_marks: frozenset[str]
    final_marks: frozenset[str]
    quotes: tuple[str, str]
    join: str


ENGLISH = Language(
    clauses=frozenset({"advcl", "ccomp", "acl", "acl:relcl", "csubj", "csubj:pass"}),
    clause_openers=frozenset(),
    comma=",",
    exclamation="!",
    inner_marks=frozenset(",;:.-"),
    final_marks=frozenset(".!?;:,…。"),
    quotes=('"', '"'),
    join=" ",
)
CHINESE = Language(
    # Without relative clauses: they come before their noun, and a comma would separate the two.
    clauses=frozenset({"ccomp", "advcl"}),
    clause_openers=frozenset(
        "但是 但 可是 不过 然而 因为 由于 所以 因此 如果 而且 并且 否则 除非 只要 于是 以便 以免 虽然 尽管 即使".split()
    ),
    comma="，",
    exclamation="！",
    inner_marks=frozenset("，；：、,;:"),
    final_marks=frozenset("。！？；：，…!?.;:,"),
    quotes=("“", "”"),
    join="",
)
PACKS: Mapping[str, Language] = {"en": ENGLISH, "zh": CHINESE}


def pack(code: str) -> Language:
    """Return the pack of a language by its ISO 639-1 code."""
    if code not in PACKS:
        raise unknown_name("language", code, PACKS)
    return PACKS[code]
