"""PunctuationInsertion: the four rules of SDA, the modes, and the example of its Table 1."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augcse.annotation.parse import Parse
from augcse.annotation.pipeline import parse_sentences
from augcse.augmentations.rules.noise.punctuation.rule import punctuation_insertion, random_punctuation_insertion

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
        ("The man who sold it died.", "The man, who sold it died."),
        ("This is the best phone I have ever owned.", None),
        ("He saw a man playing a guitar.", None),
        ("It depends on how he feels.", None),
        ("As soon as he came, we left.", None),
        ("I don't think anyone left.", None),
        ("They complained long before it was built.", None),
        ("He lived in a hut that stood there.", None),
        ("They save more than they did.", None),
        ("The men who waited were cold.", None),  # a second comma would be needed
        ("They stayed provided that it was dry.", None),
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


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("👩\u200d👩\u200d👧\u200d👦 was amazing", '"👩\u200d👩\u200d👧\u200d👦" was amazing'),
        ("🎉 Family day was amazing", '"🎉 Family day" was amazing'),
        ("My ❤️ is broken", '"My ❤️" is broken'),
        ("$5 million was lost", '"$5 million" was lost'),
    ],
)
@pytest.mark.parametrize("fidelity", ["grammatical", "paper"])
def test_no_quotation_mark_stands_inside_a_joined_emoji(
    parse_sentence: ParseSentence, fidelity: str, sentence: str, expected: str | None
) -> None:
    assert insert(parse_sentence(sentence), 1, subject="quotes", fidelity=fidelity, mode="random") == expected


@pytest.mark.parametrize(
    ("sentence", "quoted", "parted"),
    [
        ("Cotton grower Paul McVeigh says so.", '"Cotton grower Paul McVeigh" says so.', "Cotton grower Paul McVeigh, says so."),
        # The parser takes "Cattle" off the subject.
        ("Cattle and grain producer Karen Coe hopes so.", None, None),
        ("Shares in Rolls-Royce fell.", None, None),
        ("The Independent Tribunal has gone.", '"The Independent Tribunal" has gone.', "The Independent Tribunal, has gone."),
    ],
)
def test_no_part_of_a_subject_is_taken_for_it(parse_sentence: ParseSentence, sentence: str, quoted: str | None, parted: str | None) -> None:
    parse = parse_sentence(sentence)
    assert [insert(parse, 1, subject=subject) for subject in ("quotes", "comma")] == [quoted, parted]


@pytest.mark.parametrize("sentence", ['"We have returned".', '"Fear" was her word.', 'Her "daughter" left.'])
def test_no_quotation_stands_in_another(parse_sentence: ParseSentence, sentence: str) -> None:
    assert insert(parse_sentence(sentence), 1, subject="quotes") is None
    assert insert(parse_sentence(sentence), 1, subject="quotes", fidelity="paper", mode="random") is not None


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
        ("He left?", "He left?!"),
        ("He lives in Washington, D.C.", "He lives in Washington, D.C.!"),
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


@pytest.mark.parametrize("rule", range(4))
def test_long_text_is_handled(parse_sentence: ParseSentence, rule: int) -> None:
    assert insert(parse_sentence("The man left because it rained, and he came back. " * 200), rule) is not None


@pytest.mark.parametrize("sentence", ["This is a good way to go there.", "She left."])
def test_clause_rule_sets_no_comma_before_an_infinitive(parse_sentence: ParseSentence, sentence: str) -> None:
    assert insert(parse_sentence(sentence), 0) is None


def test_subject_rule_sets_no_comma_inside_a_question(parse_sentence: ParseSentence) -> None:
    assert insert(parse_sentence("What time is it?"), 1, subject="comma") is None


def test_no_mark_is_doubled_before_another(parse_sentence: ParseSentence) -> None:
    assert insert(parse_sentence("He came, or so she said,, from far away."), 2) != "He came, or so she said,,, from far away."


def test_paper_fidelity_doubles_a_mark_before_another(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("Stop;, he said.")
    assert insert(parse, 2, fidelity="paper", mode="random") == "Stop;;, he said."
    assert insert(parse, 2) == "Stop;,, he said."


def test_subject_rule_sets_no_comma_behind_a_pronoun(parse_sentence: ParseSentence) -> None:
    assert insert(parse_sentence("He left."), 1, subject="comma") is None
    assert insert(parse_sentence("He left."), 1, subject="comma", fidelity="paper", mode="random") == "He, left."


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("He left because he was tired.", "He left, because he was tired."),
        ("He left, because he was tired.", "He left,, because he was tired."),
        ("The man left.", "The man, left."),
        ("Come here, now.", "Come here,, now."),
        ("Come!", "Come!!"),
        ("Come?", "Come!"),
        ("Come", None),
    ],
)
def test_paper_fidelity_is_the_printed_chain(parse_sentence: ParseSentence, sentence: str, expected: str | None) -> None:
    assert punctuation_insertion(parse_sentence(sentence), Random(0), fidelity="paper", subject="comma") == expected


def test_paper_fidelity_takes_another_mode(parse_sentence: ParseSentence) -> None:
    assert insert(parse_sentence("He left because he was tired."), 3, fidelity="paper", mode="random") == "He left because he was tired!"


@pytest.mark.parametrize("fidelity", ["grammatical", "paper"])
@pytest.mark.parametrize("rule", range(4))
def test_only_marks_are_inserted_or_replaced(sentences: list[str], rule: int, fidelity: str) -> None:
    for parse in parse_sentences(sentences[:150]):
        new = insert(parse, rule, fidelity=fidelity, mode="random")
        if new is not None:
            assert [c for c in new if c.isalnum() or c.isspace()] == [c for c in parse.text if c.isalnum() or c.isspace()]


@given(st.text(max_size=60), st.integers(1, 4), st.integers())
def test_random_insertion_adds_marks_only(sentence: str, marks: int, seed: int) -> None:
    new = random_punctuation_insertion(sentence, Random(seed), marks=marks)
    if new is None:
        assert not re.search(r"\w\s+\S", sentence)
        return
    added = len(new) - len(sentence)
    assert 1 <= added <= marks
    remaining = iter(new)
    assert all(character in remaining for character in sentence)


def test_random_insertion_never_splits_a_word() -> None:
    drawn = {random_punctuation_insertion("well-known man", Random(seed)) for seed in range(60)}
    assert len(drawn) > 20
    assert all(new is not None and (new.startswith("well-known") and new.endswith(" man")) for new in drawn)


def test_random_insertion_puts_no_mark_behind_another() -> None:
    drawn = {random_punctuation_insertion('We came, (he) saw "it" there.', Random(seed), marks=4) for seed in range(60)}
    assert not any(new is None or re.search(r'[,)".][^\w\s]', new.replace('."', "")) for new in drawn)
