"""Combining marks: the accents, vowel signs and points that a letter wears, which belong to it and end no word.

The `w` class of Python's patterns has letters and digits alone: without the marks a pattern of words cuts "पढ़ता" apart.
"""

from __future__ import annotations

from pathlib import Path

from augcse.augmentations.text.tables import data_rows


def _read_ranges(path: Path) -> str:
    """Return ranges of code points as what stands inside a class of a regular expression."""
    ranges = [ends.split("-") for [line] in data_rows(path) for ends in line.split()]
    return "".join(f"{chr(int(first, 16))}-{chr(int(last[-1] if last else first, 16))}" for first, *last in ranges)


# For use inside a class: f"[{MARKS}]".
MARKS = _read_ranges(Path(__file__).with_name("combining_marks.txt"))
