"""The marks of a parsed text: sets of them by what they do, where a sentence begins and ends, and whether it asks."""

from __future__ import annotations

import re

from augcse.annotation.parse import Parse

# Of a sentence.
ENDS = frozenset({".", "!", "?", "…", "...", "?!", "!!", "!!!", "??"})
_CLAUSE_ENDS = ENDS | {";", ":"}
# Not "-", which is a hyphen more often.
DASHES = frozenset({"–", "—", "--"})
APOSTROPHES = frozenset({"'", "’"})
# Without the single ones that are apostrophes more often.
OPENING_QUOTES = frozenset({'"', "“", "``", "‘", "«"})
CLOSING_QUOTES = frozenset({'"', "”", "''", "»"})
OPENING, CLOSING = OPENING_QUOTES | {"(", "["}, CLOSING_QUOTES | {")", "]"}
QUOTES = OPENING_QUOTES | CLOSING_QUOTES
# After the label or heading of a text: "Mary: I came", "Films - The winner".
AFTER_LABEL = DASHES | {"-", ":", "|"}
_QUESTION = re.compile(r"[.!…]*\?")


def abbreviates(parse: Parse, index: int) -> bool:
    """Return whether a token is the full stop of an abbreviation, by what follows it: "Fig. 3", "approx. 2 km", "0.8 p.p. of it"."""
    following = parse.token(index + 1)[:1]
    return parse.tokens[index] == "." and (following.islower() or following.isdigit())


def opens_sentence(parse: Parse, index: int) -> bool:
    """Return whether the token is the first of a sentence or of what a colon announces, not counting opening marks."""
    mark = index - 1
    if index == 0 or parse.tokens[mark] in ENDS | {":"}:
        return True
    is_attached = parse.end(mark) == parse.starts[index]
    is_quoted = parse.tokens[mark] in (OPENING | APOSTROPHES if is_attached else OPENING) and parse.tokens[index][0].isupper()
    if not is_quoted or mark == 0 or parse.tokens[mark - 1] in ENDS:
        return is_quoted
    if not is_attached:  # a mark that belongs to the word before it closes the quotation: "If so," Ann said
        return parse.end(mark - 1) < parse.starts[mark]
    # "I" has a capital in the second part of a quotation too: "If so," he said, "I stay".
    pauses = (other for other in range(1, mark) if parse.tokens[other] in QUOTES and parse.tokens[other - 1] == ",")
    return parse.tokens[index] != "I" or not any(pauses)


def ends_clause(parse: Parse, index: int) -> bool:
    """Return whether a sentence or main clause ends before the token: at an end mark, semicolon, colon or the end of the text."""
    return index >= len(parse) or (parse.tokens[index] in _CLAUSE_ENDS and not abbreviates(parse, index))


def asks(parse: Parse, index: int) -> bool:
    """Return whether the clause of the token is a question: whether the next end mark or semicolon is a question mark."""
    end = next((end for end in range(index, len(parse)) if ends_clause(parse, end) and parse.tokens[end] != ":"), None)
    return end is not None and _QUESTION.match(parse.text, parse.starts[end]) is not None
