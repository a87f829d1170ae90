"""No rule takes time that grows with the square of a text; counted in executed lines, so that no machine decides."""

from __future__ import annotations

import functools
import importlib
import pkgutil
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest

import augcse.augmentations
from augcse.annotation.parse import Parse
from augcse.annotation.pipeline import BUNDLED_PARSER, load_pipeline, parse_sentence
from augcse.augmentations.base import AUGMENTATIONS, Augmentation, Fitted, row_stream
from augcse.corpus.read import read_sentences
from augcse.resources import DEMO_CORPUS

UNITS = {
    "quotation marks": '"',
    "apostrophes": "'",
    "commas": ", ",
    "closing brackets": ")",
    "digits": "7",
    "numbers": "7 ",
    "hyphens": "a-",
    "letters": "a",
    "spaces": "x" + " " * 50,
    "negations": "not doesn't never ",
    "capital letters": "Ab ",
    "emoji": "👩‍👩‍👧",
    "sentences": "The old man did not sell 12 cars. ",
    "clauses": "who said that he and ",
}
CHARACTERS = 2_000
# Most rules need fewer than 60; one that goes through the text for each token needs thousands.
MAX_LINES_PER_CHARACTER = 300
RULES = [member for member in AUGMENTATIONS if not {"seq2seq", "mlm", "vectors"} & set(member.needs) and "en" in member.languages]


class _TooManyLinesError(Exception):
    pass


@contextmanager
def _at_most(lines: int) -> Iterator[None]:
    """Count the lines of this package that are executed, and raise after so many."""
    count = 0

    def count_line(frame: FrameType, event: str, argument: object) -> Callable[..., Any]:
        nonlocal count
        count += 1
        if count > lines:
            raise _TooManyLinesError
        return count_line

    def enter(frame: FrameType, event: str, argument: object) -> Callable[..., Any] | None:
        return count_line if "augcse" in frame.f_code.co_filename else None

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        yield
    finally:
        sys.settrace(before)


def _text(unit: str, characters: int = CHARACTERS) -> str:
    return (UNITS[unit] * characters)[:characters]


@functools.cache
def _parse(unit: str) -> Parse:
    return parse_sentence(_text(unit))


@functools.cache
def _fitted(kind: type[Fitted] | None) -> Fitted | None:
    return None if kind is None else kind.fit(read_sentences([DEMO_CORPUS]))


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("member", [pytest.param(member, id=member.name) for member in RULES])
def test_a_rule_executes_few_lines_per_character(member: Augmentation, unit: str) -> None:
    source = _parse(unit) if member.needs_parse else _text(unit)
    fitted = _fitted(member.fitted)
    member.apply("One." if not member.needs_parse else parse_sentence("One."), row_stream(0, member.name, 0), fitted)  # loads its tables
    with _at_most(MAX_LINES_PER_CHARACTER * CHARACTERS):
        member.apply(source, row_stream(0, member.name, 0), fitted)


SQUARES = {
    "a loop": "for a in range({n}):\n  for b in range({n}):\n    pass",
    "a comprehension": "[b for a in range({n}) for b in range({n})]",
}


@pytest.mark.parametrize("code", SQUARES.values(), ids=SQUARES)
def test_the_counter_finds_what_grows_with_the_square(code: str) -> None:
    rule = compile(code.format(n=CHARACTERS), "augcse/rule.py", "exec")
    with pytest.raises(_TooManyLinesError), _at_most(MAX_LINES_PER_CHARACTER * CHARACTERS):
        exec(rule)


@pytest.mark.parametrize("unit", ['"', "'", ")", ",", "."])
def test_the_tokeniser_looks_for_a_suffix_at_the_end_alone(unit: str) -> None:
    tokenizer = load_pipeline(BUNDLED_PARSER).tokenizer
    found = tokenizer.suffix_search(unit * 5_000)
    assert found is not None
    assert found.end() - found.start() <= 200


def _patterns() -> dict[str, re.Pattern[str]]:
    """Every pattern that a module of the augmentations holds, alone or in a tuple."""
    found = {}
    for module in pkgutil.walk_packages(augcse.augmentations.__path__, "augcse.augmentations."):
        for name, value in vars(importlib.import_module(module.name)).items():
            for index, pattern in enumerate(value if isinstance(value, tuple) else (value,)):
                if isinstance(pattern, re.Pattern):
                    found[f"{module.name}.{name}[{index}]"] = pattern
    return found


@contextmanager
def _processor_seconds(limit: float) -> Iterator[None]:
    """Raise after so many seconds of this process's own time, which other processes do not change."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


PATTERNS = _patterns()
BACKTRACKING = [*(_text(unit, 400) for unit in UNITS), " " * 400 + "x", "." * 400 + "x", "Ab-" * 130 + "!", "Ab, " * 100 + "!"]


# A pattern whose time grows with the cube needs minutes, one with the square a fifth of a second for all texts.
@pytest.mark.parametrize("name", PATTERNS)
def test_no_pattern_backtracks_without_end(name: str) -> None:
    pattern = PATTERNS[name]
    with _processor_seconds(5):
        for text in BACKTRACKING:
            list(pattern.finditer(text))
            pattern.match(text)
            pattern.fullmatch(text)


def test_the_limit_finds_a_pattern_that_backtracks_without_end() -> None:
    with pytest.raises(TimeoutError), _processor_seconds(0.5):
        re.fullmatch(r"(a+)+b", "a" * 400)
