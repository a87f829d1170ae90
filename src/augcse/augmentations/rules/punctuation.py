"""PunctuationInsertion: the four punctuation rules of SDA."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.edit import Edit, apply_edits
from augcse.errors import unknown_name

Mode = Literal["random", "sequential", "fallback"]
SubjectMark = Literal["either", "quotes", "comma"]
_CLAUSES = frozenset({"advcl", "ccomp", "acl", "acl:relcl", "csubj", "csubj:pass"})
_MARKS = frozenset(",;:.-")
_FINAL_MARKS = frozenset(".!?;:,…。")
_CLOSING = "\"'”’)]»"
_CLOSING_QUOTE = {"“": "”", "‘": "’", "«": "»", "„": "“"}


@augmentation(
    "PunctuationInsertion",
    family="punctuation",
    meaning="highly_preserving",
    source="SDA (Zhu et al. 2022), Algorithm 1",
    needs=("parse",),
    example=Example(
        "A shareholder may transfer its Shares only with the prior written consent of the Company.",
        "A shareholder, may transfer its Shares only with the prior written consent of the Company.",
        seed=7,
    ),
)
def punctuation_insertion(
    parse: Parse, rng: Random, *, mode: Mode = "random", subject: SubjectMark = "either", quote: str = '"'
) -> str | None:
    """Insert punctuation by one of SDA's four rules: at a clause, at the subject, at a mark, or at the end.

    (1) A comma before a subordinate clause; (2) quotation marks around the subject of the main clause, or a comma
    behind it (`subject`: either, quotes, comma); (3) a mark inside the sentence doubled; (4) the final mark turned
    into "!".
    `mode="random"` draws one rule, and the sentence stays as it is if that rule does not apply; "sequential" is the
    chain of Algorithm 1 as printed, the first rule that applies; "fallback" tries the rules in random order, as the
    released code. Deviations: xcomp is no clause here (the released code takes it); clauses and subjects are found
    by the edges of their subtrees (the released code looks words up by their spelling).
    """
    if mode not in ("random", "sequential", "fallback"):
        raise unknown_name("mode", mode, ("random", "sequential", "fallback"))
    if subject not in ("either", "quotes", "comma"):
        raise unknown_name("subject", subject, ("either", "quotes", "comma"))
    rules: list[Callable[[], list[Edit]]] = [
        lambda: _before_clause(parse),
        lambda: _at_subject(parse, rng, subject, quote),
        lambda: _double_mark(parse, rng),
        lambda: _at_end(parse),
    ]
    if mode == "random":
        rules = [rng.choice(rules)]
    elif mode == "fallback":
        rng.shuffle(rules)
    edits = next((edits for rule in rules if (edits := rule())), None)
    return apply_edits(parse.text, edits) if edits else None


def _before_clause(parse: Parse) -> list[Edit]:
    """Return the comma before the first subordinate clause that begins inside the sentence."""
    for index, label in enumerate(parse.deps):
        if label in _CLAUSES:
            first, _ = _span(parse, index)
            if first > 0 and not _is_mark(parse, first - 1) and parse.starts[first] > parse.end(first - 1):
                return [Edit(parse.end(first - 1), parse.end(first - 1), ",")]
    return []


def _at_subject(parse: Parse, rng: Random, mark: SubjectMark, quote: str) -> list[Edit]:
    """Return the quotation marks around the first subject of a main clause, or the comma behind it."""
    quoted = mark == "quotes" or (mark == "either" and rng.random() < 0.5)
    subject = next((child for root in parse.roots() for child in parse.children(root, "nsubj")), None)
    if subject is None:
        return []
    first, last = _span(parse, subject)
    start, end = parse.starts[first], parse.end(last)
    if quoted:
        return [Edit(start, start, quote), Edit(end, end, _CLOSING_QUOTE.get(quote, quote))]
    return [] if last + 1 < len(parse) and _is_mark(parse, last + 1) else [Edit(end, end, ",")]


def _double_mark(parse: Parse, rng: Random) -> list[Edit]:
    """Return the second copy of a random mark inside the sentence."""
    final = _final_mark(parse.text)
    places = [
        index
        for index, token in enumerate(parse.tokens)
        if token in _MARKS and parse.starts[index] != final and index < len(parse) - 1 and not _in_word(parse, index)
    ]
    if not places:
        return []
    chosen = rng.choice(places)
    return [Edit(parse.end(chosen), parse.end(chosen), parse.tokens[chosen])]


def _in_word(parse: Parse, index: int) -> bool:
    """Tell whether the mark joins two parts of a word: "non-league"."""
    return bool(re.fullmatch(r"\w.\w", parse.text[max(parse.starts[index] - 1, 0) : parse.end(index) + 1]))


def _at_end(parse: Parse) -> list[Edit]:
    """Return the exclamation mark that replaces the final mark, doubles it, or is appended."""
    end = len(parse.text.rstrip())
    if not parse.tokens:
        return []
    final = _final_mark(parse.text)
    if final is None:
        return [Edit(end, end, "!")]
    if parse.text[final] == "!":
        return [Edit(final + 1, final + 1, "!")]
    return [Edit(final, final + 1, "!")]


def _final_mark(text: str) -> int | None:
    """Return the offset of the mark that ends the sentence, before closing quotation marks and brackets."""
    end = len(text.rstrip())
    while end > 0 and text[end - 1] in _CLOSING:
        end -= 1
    return end - 1 if end > 0 and text[end - 1] in _FINAL_MARKS else None


def _is_mark(parse: Parse, index: int) -> bool:
    return not any(character.isalnum() or character in "%$€£°" for character in parse.tokens[index])


def _span(parse: Parse, index: int) -> tuple[int, int]:
    """Return the first and the last token below `index`: its left and right edge."""
    below = [_is_below(parse, place, index) for place in range(len(parse))]
    return below.index(True), len(below) - 1 - below[::-1].index(True)


def _is_below(parse: Parse, place: int, index: int) -> bool:
    for _ in range(len(parse)):
        if place == index:
            return True
        if parse.heads[place] == place:
            return False
        place = parse.heads[place]
    return False
