"""Cut words out of a text so that the spaces, commas, quotes and brackets around the gap stay in order."""

from __future__ import annotations

import re
from collections.abc import Iterable

from augcse.corpus.scripts import END_MARKS

# Of Latin text, then of Arabic, Ethiopic, Armenian, Burmese and full-width text.
PAUSES = ",;:،؛፣፤፥՝၊、，；："
_PAUSE_ENDS, _SENTENCE_ENDS = tuple(PAUSES), tuple(END_MARKS)
CLOSING = "\"'`”’»)]」』）】》"
# Marks to delete if no word is before them: a pause, and pauses between spaces as in tokenised text; at the start of a text, end marks too.
_IDLE_PAUSES = re.compile(rf"[{PAUSES}]?(?:\s+[{PAUSES}]+(?=\s))*")
_IDLE_MARKS = re.compile(rf"[{PAUSES}]?(?:\s*[{PAUSES}{END_MARKS}]+(?=\s))*")
# The end marks that come next, but not a decimal point: ".5".
_NEXT_END = re.compile(rf"\s*[{END_MARKS}]+(?!\w)")
_AFTER_NO_SPACE = frozenset(f"{PAUSES}{END_MARKS})]}}\"'”’»")
_CLOSER_OF = {"(": ")", "[": "]", "{": "}", '"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "*": "*"}
_OPENER_OF = {closer: opener for opener, closer in _CLOSER_OF.items()}


def cut_spans(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Leave out the spans, which are in order and not empty.

    Of the white space around a gap, one side is deleted; white space at the end of the text stays. Also deleted are emptied pairs of
    brackets or quotes; commas after another comma, after an opening mark, before an end mark or at the start of the text; and end marks
    at the start of the text or after another end mark.

    >>> cut_spans('He said "yes", and left (today).', [(9, 12), (25, 30)])
    'He said, and left.'
    >>> cut_spans("He came. Yes. She left, then. No.", [(9, 12), (24, 28)])
    'He came. She left. No.'
    """
    kept, done = "", 0
    for start, end in spans:
        if start > done or end > done:
            kept, done = _close_gap(kept + text[done:start], text, end)
    return kept + text[done:]


def tidy_end(text: str, closing: str) -> str:
    """Remove what a deleted last word leaves before `closing`, the marks at the end: a space, comma, emptied quotes or another end mark.

    >>> tidy_end('He was called "."', '."'), tidy_end("Paris, .", "."), tidy_end("He slept. .", ".")
    ('He was called.', 'Paris.', 'He slept.')
    """
    if not text.endswith(closing):
        return text
    body = _without_pauses(text[: len(text) - len(closing)])
    while _CLOSER_OF.get(body[-1:]) == closing[-1:]:
        body, closing = _without_pauses(body[:-1]), closing[:-1]
    return body + (closing.lstrip(END_MARKS) if body.rstrip(CLOSING).endswith(_SENTENCE_ENDS) else closing)


def _close_gap(kept: str, text: str, end: int) -> tuple[str, int]:
    """Put both sides of a gap in order; return the text before the gap, and the offset where `text` continues."""
    while end < len(text) and _OPENER_OF.get(text[end]) == kept[-1:]:
        kept, end = kept[:-1], end + 1
    before = kept.rstrip()
    if not before or before.endswith(_PAUSE_ENDS) or _ends_open(before):
        idle = (_IDLE_PAUSES if before else _IDLE_MARKS).match(text, end)
        end = idle.end() if idle else end
    end_mark = _NEXT_END.match(text, end)
    if end_mark:
        kept = _without_pauses(kept)
        end = end_mark.end() if before.endswith(_SENTENCE_ENDS) else end
    after_space = len(text) - len(text[end:].lstrip())
    if after_space == len(text) or text[end] in _AFTER_NO_SPACE:
        kept = kept.rstrip()
    is_spaced = not kept or kept[-1].isspace() or _ends_open(kept)
    return kept, after_space if is_spaced else end


def _without_pauses(text: str) -> str:
    """Return the text without the white space and pauses at its end."""
    while text.endswith(_PAUSE_ENDS) or text[-1:].isspace():
        text = text[:-1]
    return text


def _ends_open(text: str) -> bool:
    """Return whether the text ends with an opening bracket or quote: one at its start, after white space, or after another one."""
    before = text[-2:-1]
    return text[-1:] in _CLOSER_OF and (not before.strip() or before in _CLOSER_OF)
