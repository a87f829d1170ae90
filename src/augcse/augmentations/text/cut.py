"""Cut words out of a text so that blanks, commas, quotes and brackets around the gap are in order."""

from __future__ import annotations

import re
from collections.abc import Iterable

from augcse.corpus.scripts import END_MARKS

# Of Latin text, then of Arabic, Ethiopic, Armenian, Burmese and full-width text.
PAUSES = ",;:،؛፣፤፥՝၊、，；："
_PAUSE_ENDS, _SENTENCE_ENDS = tuple(PAUSES), tuple(END_MARKS)
_CLOSERS = "\"'”’»)]"
# What has no word before it goes: a pause, and pauses that stand apart as in tokenised text; at the start of a text, end marks too.
_IDLE_PAUSES = re.compile(rf"[{PAUSES}]?(?:\s+[{PAUSES}]+(?=\s))*")
_IDLE_MARKS = re.compile(rf"[{PAUSES}]?(?:\s*[{PAUSES}{END_MARKS}]+(?=\s))*")
# Not the point of ".5".
_NEXT_END = re.compile(rf"\s*[{END_MARKS}]+(?!\w)")
_BEFORE_NO_BLANK = frozenset(f"{PAUSES}{END_MARKS})]}}\"'”’»")
_CLOSER_OF = {"(": ")", "[": "]", "{": "}", '"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "*": "*"}
_OPENER_OF = {closer: opener for opener, closer in _CLOSER_OF.items()}


def cut_spans(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Leave out the spans, which are in order and none empty.

    Of the blanks around a gap, of any kind, one side goes; those that end the text stay. A pair of brackets or quotes that is emptied
    goes, and so do commas that would stand after another one, after what opens, before an end mark or at the start of the text; there, and
    after another end mark, end marks go too.

    >>> cut_spans('He said "yes", and left (today).', [(9, 12), (25, 30)])
    'He said, and left.'
    >>> cut_spans("He came. Yes. She left, then. No.", [(9, 12), (24, 28)])
    'He came. She left. No.'
    """
    kept, done = "", 0
    for start, end in spans:
        if start > done or end > done:
            kept, done = _joined(kept + text[done:start], text, end)
    return kept + text[done:]


def tidy_end(text: str, closing: str) -> str:
    """Remove the blank, comma, emptied quotes or end of another sentence that a last word leaves before `closing`, the marks at the end.

    >>> tidy_end('He was called "."', '."'), tidy_end("Paris, .", "."), tidy_end("He slept. .", ".")
    ('He was called.', 'Paris.', 'He slept.')
    """
    if not text.endswith(closing):
        return text
    body = _without_pauses(text[: len(text) - len(closing)])
    while _CLOSER_OF.get(body[-1:]) == closing[-1:]:
        body, closing = _without_pauses(body[:-1]), closing[:-1]
    return body + (closing.lstrip(END_MARKS) if body.rstrip(_CLOSERS).endswith(_SENTENCE_ENDS) else closing)


def _joined(kept: str, text: str, end: int) -> tuple[str, int]:
    """Put in order what stands on both sides of a gap; return the text before it, and where the text goes on."""
    while end < len(text) and _OPENER_OF.get(text[end]) == kept[-1:]:
        kept, end = kept[:-1], end + 1
    before = kept.rstrip()
    if not before or before.endswith(_PAUSE_ENDS) or _ends_open(before):
        idle = (_IDLE_PAUSES if before else _IDLE_MARKS).match(text, end)
        end = idle.end() if idle else end
    if mark := _NEXT_END.match(text, end):
        kept = _without_pauses(kept)
        end = mark.end() if before.endswith(_SENTENCE_ENDS) else end
    after_blanks = len(text) - len(text[end:].lstrip())
    if after_blanks == len(text) or text[end] in _BEFORE_NO_BLANK:
        kept = kept.rstrip()
    return kept, after_blanks if not kept or kept[-1].isspace() or _ends_open(kept) else end


def _without_pauses(text: str) -> str:
    """Return the text without the blanks and pauses at its end."""
    while text.endswith(_PAUSE_ENDS) or text[-1:].isspace():
        text = text[:-1]
    return text


def _ends_open(text: str) -> bool:
    """Tell whether a bracket or quote that opens ends the text: one at its start, after a blank, or after another one."""
    before = text[-2:-1]
    return text[-1:] in _CLOSER_OF and (not before.strip() or before in _CLOSER_OF)
