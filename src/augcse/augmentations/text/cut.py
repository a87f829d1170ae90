"""Cut words out of a text so that blanks, commas, quotes and brackets around the gap are in order."""

from __future__ import annotations

import re
from collections.abc import Iterable

_PAUSES = (",", ";", ":")
_END_MARKS = (".", "?", "!", "…")
_STOPS = _PAUSES + _END_MARKS
_CLOSERS = "\"'”’»)]"
# What has no word before it goes: a pause, and pauses that stand apart as in tokenised text; at the start of a text, end marks too.
_IDLE_PAUSES = re.compile(r"[,;:]?(?:\s+[,;:]+(?=\s))*")
_IDLE_MARKS = re.compile(r"[,;:]?(?:\s*[,;:.?!…]+(?=\s))*")
# Not the point of ".5".
_NEXT_END = re.compile(r"\s*[.?!…]+(?!\w)")
_BEFORE_NO_BLANK = frozenset(",;:.?!…)]}\"'”’»")
_OPENERS = frozenset("([{“‘«¿¡")
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
    kept: list[str] = []
    done = 0
    for start, end in spans:
        if start > done:
            kept.append(text[done:start])
        elif end <= done:
            continue
        done = _after_blanks(text, end)
        # Mostly it is blanks on both sides of a gap that more text follows.
        if not (end < done < len(text) and _last(kept).isspace() and text[done] not in _STOPS):
            done = _close(kept, text, end)
    kept.append(text[done:])
    return "".join(kept)


def tidy_end(text: str, closing: str) -> str:
    """Remove the blank, comma, emptied quotes or end of another sentence that a last word leaves before `closing`, the marks at the end.

    >>> tidy_end('He was called "."', '."'), tidy_end("Paris, .", "."), tidy_end("He slept. .", ".")
    ('He was called.', 'Paris.', 'He slept.')
    """
    if not text.endswith(closing):
        return text
    body = _without_pauses(text[: len(text) - len(closing)])
    while body and _CLOSER_OF.get(body[-1]) == closing[-1:] and _opens(body[-2:-1]) and any(mark not in _OPENER_OF for mark in closing):
        body, closing = _without_pauses(body[:-1]), closing[:-1]
    return body + (closing.lstrip("".join(_END_MARKS)) if body.rstrip(_CLOSERS).endswith(_END_MARKS) else closing)


def _close(kept: list[str], text: str, end: int) -> int:
    """Put in order what stands on both sides of a gap; return where the text goes on."""
    while end < len(text) and _OPENER_OF.get(text[end]) == _last(kept) and _ends_open(kept):
        _drop_last(kept)
        end += 1
    end = _end_once(kept, text, _after_idle_marks(kept, text, end))
    if _after_blanks(text, end) == len(text) or text[end] in _BEFORE_NO_BLANK:
        while _last(kept).isspace():
            _drop_last(kept)
    if not kept or _last(kept).isspace() or _ends_open(kept):
        end = _after_blanks(text, end)
    return end


def _end_once(kept: list[str], text: str, end: int) -> int:
    """Take the pauses before an end mark away; return where the text goes on: after the mark, if what is kept ends with one."""
    mark = _NEXT_END.match(text, end)
    if mark is None:
        return end
    before = "".join(kept[-2:]).rstrip()
    while before.endswith(_PAUSES) and (_last(kept) in _PAUSES or _last(kept).isspace()):
        _drop_last(kept)
    return mark.end() if before.endswith(_END_MARKS) else end


def _after_blanks(text: str, place: int) -> int:
    while text[place : place + 1].isspace():
        place += 1
    return place


def _without_pauses(text: str) -> str:
    """Return the text without the blanks and pauses at its end."""
    end = len(text)
    while end and (text[end - 1].isspace() or text[end - 1] in _PAUSES):
        end -= 1
    return text[:end]


def _last(kept: list[str]) -> str:
    return kept[-1][-1] if kept else ""


def _drop_last(kept: list[str]) -> None:
    """Take the last character off; no empty piece stays."""
    kept[-1] = kept[-1][:-1]
    if not kept[-1]:
        kept.pop()


def _ends_open(kept: list[str]) -> bool:
    """Return whether what is kept ends with a bracket or quote that opens."""
    last = _last(kept)
    if last in _OPENERS:
        return True
    return last in _CLOSER_OF and _opens(kept[-1][-2:-1] or (kept[-2][-1] if len(kept) > 1 else ""))


def _opens(before: str) -> bool:
    """Return whether a quote that looks alike on both sides opens after this character."""
    return not before or before.isspace() or before in "—–-" or before in _OPENERS or before in _CLOSER_OF


def _after_idle_marks(kept: list[str], text: str, end: int) -> int:
    """Return where the marks end that follow a gap and have no word before them."""
    before = "".join(kept[-2:]).rstrip()
    if not before:
        found = _IDLE_MARKS.match(text, end)
    elif before.endswith(_PAUSES) or _ends_open([before]):
        found = _IDLE_PAUSES.match(text, end)
    else:
        found = None
    return found.end() if found else end
