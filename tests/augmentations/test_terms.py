from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augcse.augmentations.rules.corpus.term_replacement.terms import is_plain_word, is_word, split_terms, term_texts
from augcse.augmentations.rules.corpus.term_replacement.words import replace_terms
from augcse.augmentations.text.edits import capitalise, match_case
from augcse.augmentations.text.marks import compiled
from augcse.augmentations.text.words import find_words

TEXTS = st.one_of(st.text(max_size=60), st.text("aB3 .,'’\"-–()$\u0301\u200c\u0941\n", max_size=40))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("", []),
        (" \t", []),
        ("It's we'll THEY'VE I'd I'm", ["it", "'s", "we", "'ll", "they", "'ve", "i", "'d", "i", "'m"]),
        ("don’t o'clock O'Brien dogs' 'tis", ["don’t", "o'clock", "o'brien", "dogs", "'", "'", "tis"]),
        ("1,000.50 at 12:30, 5:0", ["1,000.50", "at", "12:30", ",", "5:0"]),
        ("well-known 1999–2003 and/or AT&T", ["well-known", "1999–2003", "and/or", "at&t"]),
        ("one — two--three...", ["one", "—", "two", "--", "three", "..."]),
        ("J. K. Rowling of the U.S. army.", ["j.", "k.", "rowling", "of", "the", "u.s.", "army", "."]),
        ("vitamin C.", ["vitamin", "c", "."]),
        ("(in the U.S.A.) by the U.S.A.)", ["(", "in", "the", "u.s.a.", ")", "by", "the", "u.s.a", ".", ")"]),
        ('"(50%)"', ['"', "(", "50", "%", ")", '"']),
        ("Zoe\u0308's caf\u00e9", ["zoe\u0308", "'s", "caf\u00e9"]),
        ("Ali's\u0327ans s\u0327's", ["ali's\u0327ans", "s\u0327", "'s"]),
        ("मैं किताब पढ़ता हूँ। पति-पत्नी", ["मैं", "किताब", "पढ़ता", "हूँ", "।", "पति-पत्नी"]),
        ("நான் படிக்கிறேன்.", ["நான்", "படிக்கிறேன்", "."]),
        ("ذَهَبَ الوَلَدُ", ["ذَهَبَ", "الوَلَدُ"]),
        ("הַיֶּלֶד הָלַךְ.", ["הַיֶּלֶד", "הָלַךְ", "."]),
        ("می\u200cروم نِمی\u200cروم", ["می\u200cروم", "نِمی\u200cروم"]),
        ("അവന്\u200d word\u200c \u200dword", ["അവന്\u200d", "word", "\u200c", "\u200d", "word"]),
    ],
)
def test_terms_are_as_documented(sentence: str, expected: list[str]) -> None:
    assert term_texts(sentence) == expected


@given(TEXTS)
def test_pieces_join_to_the_sentence_and_only_blanks_lie_between_terms(text: str) -> None:
    pieces = split_terms(text)
    assert "".join(pieces) == text
    assert not "".join(pieces[::2]).strip()
    assert all(term and not any(character.isspace() for character in term) for term in pieces[1::2])
    assert [term.lower() for term in pieces[1::2]] == term_texts(text)


@given(TEXTS)
def test_words_are_disjoint_and_hold_a_letter_or_digit(text: str) -> None:
    position = 0
    for start, end in find_words(text):
        assert position <= start < end
        assert any(map(str.isalnum, text[start:end]))
        position = end


@pytest.mark.parametrize(("term", "expected"), [("dog", True), ("3rd", True), ("'s", False), ("...", False), ("_", False), ("", False)])
def test_marks_and_clitics_are_no_words(term: str, expected: bool) -> None:
    assert is_word(term) is expected


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("पढ़ता", True), ("पति-पत्नी", True), ("المَدْرَسَةِ", True), ("cafe\u0301", True), ("می\u200cروم", True),
        ("word\u200c", False), ("\u0301", False), ("a\u03011", False), ("1\ufe0f\u20e3", False),
    ],
)  # fmt: skip
def test_words_with_marks_may_be_written_anywhere(term: str, expected: bool) -> None:
    assert is_plain_word(term) is expected


def test_a_pattern_has_the_marks_of_unicode() -> None:
    characters = [chr(point) for point in range(sys.maxunicode + 1)]
    marks = compiled(r"[\p{M}]")
    assert [c for c in characters if marks.match(c)] == [c for c in characters if unicodedata.category(c)[0] == "M"]


def test_words_keep_what_hangs_on_them() -> None:
    text = "“Anna's (1994) dogs’ we’ll, 1999–2003”"
    assert [text[start:end] for start, end in find_words(text)] == ["Anna's", "1994", "dogs’", "we’ll", "1999–2003"]


@pytest.mark.parametrize(
    ("sentence", "new", "expected"),
    [
        ("The  Cat,\tsat", {1: "dog"}, "The  Dog,\tsat"),
        ("NASA flew", {0: "esa", 1: "ran"}, "ESA ran"),
        ("an iPhone in 1998", {1: "pear", 3: "may"}, "a pear in may"),
        ("A cat and an owl", {1: "emu", 4: "cat"}, "An emu and a cat"),
        ("A cat and a dog", {0: "the", 1: "emu"}, "The emu and a dog"),
        ("Mary's cat", {0: "dogs"}, "Dogs's cat"),
        ("It was hot", {}, "It was hot"),
        ("in Washington, D.C.", {1: "ohio", 3: "rain"}, "in Ohio, RAIN."),
    ],
)
def test_replacement_carries_capitals_and_mends_the_article_before(sentence: str, new: dict[int, str], expected: str) -> None:
    assert replace_terms(split_terms(sentence), new) == expected


@given(
    st.one_of(TEXTS, st.sampled_from(["D.C.", "AT&T", "iPhone", "O'Brien", "2Nd"])),
    st.sampled_from(["dog", "3rd", "u.s.", "ǆ", "ßa", "o'neill"]),
)
def test_a_word_takes_the_capitals_of_the_letters_that_it_replaces(pattern: str, word: str) -> None:
    letters = [character for character in pattern if character.isalpha()]
    shouted, opens = len(letters) > 1 and all(map(str.isupper, letters)), bool(letters) and letters[0].isupper()
    assert match_case(pattern, word) == (word.upper() if shouted else capitalise(word) if opens else word)
