from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augcse.augmentations.english.capitals import as_inner, spelling
from augcse.augmentations.text.cut import cut_spans, tidy_end
from augcse.augmentations.text.edits import apply_edits, delete_word


@pytest.mark.parametrize(
    ("word", "following", "expected"),
    [
        ("The", "cat", "the"),
        ("It's", "cold", "it's"),
        ("Well-known", "men", "well-known"),
        ("I", "slept", "I"),
        ("Portuguese", "ships", "Portuguese"),
        ("China", "grew", "China"),
        ("UNESCO", "met", "UNESCO"),
        ("iPhone", "users", "iPhone"),
        ("Obama", "said", "Obama"),
        ("Newton", "said", None),
        ("Mark", "said", None),
        ("Red", "Cross", None),
        ("Red", "wine", "red"),
    ],
)
def test_first_words_lose_only_the_capital_of_their_place(word: str, following: str, expected: str | None) -> None:
    assert as_inner(word, following) == expected


def test_every_word_that_is_listed_with_a_capital_gets_it() -> None:
    months = "january february april june july august september october november december monday sunday easter".split()
    assert all(spelling(word) == word.capitalize() for word in months)
    assert [spelling(word) for word in ("nato", "turkey", "georgia", "i", "quickly", "may", "xqzv")] == [
        "NATO", "Turkey", "Georgia", "I", "quickly", None, None,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("a b c", ["b"], "a c"),
        ("a b c", ["a"], "b c"),
        ("a b c", ["c"], "a b"),
        ("a (b) c", ["b"], "a c"),
        ('a ("b") c', ["b"], "a c"),
        ("a (b c) d", ["c"], "a (b) d"),
        ("a (b c) d", ["b"], "a (c) d"),
        ("a, b, c", ["b"], "a, c"),
        ("a\u00a0b\u3000c", ["b"], "a\u00a0c"),
        ("a\u00a0b c\nd", ["b", "c"], "a\u00a0d"),
        ("a\nb\nc", ["a"], "b\nc"),
        ("a\nb\nc", ["b", "c"], "a"),
        ("a b\n", ["b"], "a\n"),
        ('a\n"b" c', ["b"], "a\nc"),
        ("a,\nb, c", ["b"], "a,\nc"),
        ("a , b , c", ["a"], "b , c"),
        ("a , b , c", ["b"], "a , c"),
        ("a , b . c", ["a", "b"], "c"),
        ("a. b c", ["a"], "b c"),
        ("a ... b", ["a"], "b"),
        ("a :) b", ["a"], ":) b"),
        ("a .5 b", ["a"], ".5 b"),
        ("a. b. c", ["b"], "a. c"),
        ("a . b . c", ["b"], "a . c"),
        ("a? b!", ["b"], "a?"),
        ("a, b. c", ["b"], "a. c"),
        ("a , b . c", ["b"], "a . c"),
        ("a, b .5 c", ["b"], "a, .5 c"),
        ("a. b .5 c", ["b"], "a. .5 c"),
        ('" a , b "', ["a"], '" b "'),
        ("'n' b's c", ["c"], "'n' b's"),
        ("x''y b c", ["b"], "x''y c"),
    ],
)
def test_blanks_and_marks_around_a_gap(text: str, words: list[str], expected: str) -> None:
    spans = [(place, place + 1) for place, character in enumerate(text) if character in words and text[place - 1 : place] != "'"]
    assert cut_spans(text, spans) == expected


@given(st.text(alphabet="ab ,.()\"'", max_size=30), st.data())
def test_cutting_only_takes_away(text: str, data: st.DataObject) -> None:
    places = data.draw(st.lists(st.integers(0, max(0, len(text) - 1)), unique=True).map(sorted)) if text else []
    kept = iter(text)
    assert all(character in kept for character in cut_spans(text, [(place, place + 1) for place in places]))


def test_what_the_last_word_leaves_before_the_closing_marks_goes() -> None:
    assert tidy_end('He was "."', '."') == "He was."
    assert tidy_end("Rome, .", ".") == "Rome."
    assert tidy_end("Rome,\u00a0.", ".") == "Rome."
    assert tidy_end("no end", ".") == "no end"
    assert tidy_end("He slept. ?", "?") == "He slept."
    assert tidy_end('He said "no." .', ".") == 'He said "no."'


@pytest.mark.parametrize("blank", [" ", "\t", "\u00a0", "\n"])
def test_a_deleted_word_takes_the_blank_of_one_side_along(blank: str) -> None:
    text = f"we{blank}did go"
    assert apply_edits(text, [delete_word(text, 3, 6)]) == "we go"
    assert apply_edits(text, [delete_word(text, 0, 2)]) == "did go"
