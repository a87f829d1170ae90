"""Names that belong together: where one of two changes and the other stays, the sentence tells a tale of its own."""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence

_NAME_RUN = r"(?:[A-Z][\w.'’-]{0,30} ){0,4}[A-Z][\w'’-]{0,30}"
_FULL_NAME = r"[A-Z][\w'’-]{1,30} (?:[A-Z][\w.'’-]{0,30} |(?:de|van|von|der|di|da|del|bin) ){0,3}[A-Z][\w'’-]{1,30}"
_JOINED = re.compile(rf"(?<!\w)({_NAME_RUN})(?=,? (?:and|&) ({_NAME_RUN}))")
_LISTED = re.compile(rf"(?<!\w)({_FULL_NAME})(?=, ({_FULL_NAME})(?:, {_FULL_NAME}|,? (?:and|or|&) ))")
_MARRIES = re.compile(rf"(?<!\w)({_NAME_RUN})(?=,? (?:[a-z]+ )?(?:divorced|married|marries|wed)\b)")
_MARRIED = re.compile(rf"\b(?:divorced|married|marries|marrying|marry|wed)(?: to)? ({_NAME_RUN})")
_JUNIOR = re.compile(r"(?: [A-Z][\w.'’-]*){0,3},? (?:Jr|Sr|Junior|Senior)\b")


def tears_names(sentence: str, swapped: Sequence[re.Match[str]]) -> bool:
    """Tell whether of two names joined or listed one stays, or a name that stays marries: "Tromeo and Juliet", "Ednah married"."""
    starts = [word.start() for word in swapped]

    def changes(found: re.Match[str], group: int) -> bool:
        first, end = found.span(group)
        place = bisect.bisect_left(starts, first)
        return place < len(starts) and starts[place] < end

    if any(word[0][0].isupper() for word in swapped):
        joined = (_JOINED,) if " and " in sentence or " & " in sentence else ()
        patterns = (*joined, _LISTED) if ", " in sentence else joined
        if any(changes(found, 1) != changes(found, 2) for pattern in patterns for found in pattern.finditer(sentence)):
            return True
    return any(mark in sentence for mark in ("marr", "wed", "divorced")) and any(
        not changes(found, 1) for pattern in (_MARRIES, _MARRIED) for found in pattern.finditer(sentence)
    )


def names_son(sentence: str, swapped: Sequence[re.Match[str]]) -> bool:
    """Tell whether a name that changes is one that only a man is given after it: "George Jr."."""
    if not any(mark in sentence for mark in (" Jr", " Sr", " Junior", " Senior")):
        return False
    return any(_JUNIOR.match(sentence, word.end()) for word in swapped if word[0][0].isupper())
