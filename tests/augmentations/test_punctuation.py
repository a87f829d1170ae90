"""PunctuationInsertion: the four rules of SDA, the modes, and the example of its Table 1."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from augcse.annotation.parse import Parse
from augcse.augmentations.rules.punctuation import punctuation_insertion
from augcse.errors import UserError

ParseSentence = Callable[[str], Parse]
SHAREHOLDER = "A shareholder may transfer its Shares only with the prior written consent of the Company."


class FirstChoice(Random):
    """A stream that always draws the rule at `rule`, and the first mark."""

    def __init__(self, rule: int) -> None:
        super().__init__(0)
        self.rule: int | None = rule

    def choice(self, seq: Any) -> Any:
        place, self.rule = self.rule or 0, None
        return seq[place]


def insert(parse: Parse, rule: int, **options: str) -> str | None:
    return punctuation_insertion(parse, FirstChoice(rule), **options)


def test_example_of_table_1_is_reproduced(parse_sentence: ParseSentence) -> None:
    expected = SHAREHOLDER.replace("A shareholder", "A shareholder,")
    assert insert(parse_sentence(SHAREHOLDER), 1, subject="comma") == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("He left because he was tired.", "He left, because he was tired."),
        ("Because he was tired, he left.", None),
        ("He left, because he was tired.", None),
        ("He wants to go.", None),
    ],
)
def test_clause_rule_sets_a_comma_before_the_clause(parse_sentence: ParseSentence, sentence: str, expected: str | None) -> None:
    assert insert(parse_sentence(sentence), 0) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The old man of the sea left.", '"The old man of the sea" left.'),
        ("Stop!", None),
    ],
)
def test_subject_rule_frames_the_whole_subject(parse_sentence: ParseSentence, sentence: str, expected: str | None) -> None:
    assert insert(parse_sentence(sentence), 1, subject="quotes") == expected


def test_quote_option_closes_with_its_counterpart(parse_sentence: ParseSentence) -> None:
    assert insert(parse_sentence("He left."), 1, subject="quotes", quote="“") == "“He” left."


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Tom, come here.", "Tom,, come here."),
        ("Come here.", None),
        ("Come here", None),
        ("A well-known man left.", None),
    ],
)
def test_mark_rule_doubles_a_mark_that_is_not_final(parse_sentence: ParseSentence, sentence: str, expected: str | None) -> None:
    assert insert(parse_sentence(sentence), 2) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("He left.", "He left!"),
        ("He left!", "He left!!"),
        ("He left?", "He left!"),
        ("He left", "He left!"),
        ("He left. ", "He left! "),
        ('He said, "Stop."', 'He said, "Stop!"'),
        ("🙂", "🙂!"),
        ("", None),
    ],
)
def test_end_rule_exclaims(parse_sentence: ParseSentence, sentence: str, expected: str | None) -> None:
    assert insert(parse_sentence(sentence), 3) == expected


def test_random_mode_leaves_the_sentence_when_the_drawn_rule_does_not_apply(parse_sentence: ParseSentence) -> None:
    assert insert(parse_sentence(SHAREHOLDER), 2) is None


def test_sequential_mode_takes_the_first_rule_that_applies(parse_sentence: ParseSentence) -> None:
    augmented = punctuation_insertion(parse_sentence("He left because he was tired."), Random(0), mode="sequential")
    assert augmented == "He left, because he was tired."


@pytest.mark.parametrize("seed", range(8))
def test_fallback_mode_always_finds_a_rule(parse_sentence: ParseSentence, seed: int) -> None:
    assert punctuation_insertion(parse_sentence("Stop"), Random(seed), mode="fallback") == "Stop!"


@pytest.mark.parametrize("option", [{"mode": "sequentially"}, {"subject": "quote"}])
def test_unknown_option_value_is_a_user_error(parse_sentence: ParseSentence, option: dict[str, str]) -> None:
    with pytest.raises(UserError, match="did you mean"):
        insert(parse_sentence("He left."), 0, **option)


@pytest.mark.parametrize("rule", range(4))
def test_long_text_is_handled(parse_sentence: ParseSentence, rule: int) -> None:
    assert insert(parse_sentence("The man left because it rained, and he came back. " * 200), rule) is not None
