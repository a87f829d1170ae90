"""Where a sentence ends: rules by rule, several scripts, wrapped lines, and no memory that grows."""

from __future__ import annotations

import itertools
import time
import tracemalloc
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augcse import split
from augcse.annotation import segment
from augcse.annotation.segment import SentenceEnds, sentence_ends, split_lines
from augcse.errors import UserError


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", ["Dr. Smith came.", "He left."]),
        ("en", ["J. K. Rowling wrote it.", "I read it."]),
        ("en", ["So did I.", "Then we left."]),
        ("en", ["It cost 3.5 million.", "Nobody paid."]),
        ("en", ["The U.S. Navy sailed.", "It returned."]),
        ("en", ["See No. 5, e.g. this.", "They said no.", "Then they went."]),
        ("en", ['"Really?" he said.', "She laughed!"]),
        ("en", ["why?", "because.", "Oh well."]),
        ("en", ["Wait... what?", "Wait...", "What?"]),
        ("en", ["1. Take the road.", "It is long."]),
        ("en", ["He went (it rained.)", "She stayed."]),
        ("en", ["the food was horrible.", "not good."]),
        ("en", ["Well . . .", "Then nothing."]),
        ("de", ["Am 3. Oktober kam Prof. Maier.", "Es war 1847.", "Er blieb z. B. lange."]),
        ("en", ["It was version 3.", "Oktober followed."]),
        ("pl", ["Są tu np. koty.", "Śpią."]),
        ("fr", ["« Où est-il ? »", "Il dort."]),
        ("es", ["Llegó.", "¿Quién?", "¡Ella!"]),
        ("zh", ["他说：“好。”", "然后走了。", "真的？！", "是"]),
        ("ja", ["雨が降る。", "傘がない！"]),
        ("hi", ["यह एक है।", "वह दो है।"]),
        ("ar", ["هل تمطر؟", "نعم."]),
        ("ur", ["یہ ایک ہے۔", "وہ کہاں ہے؟", "نہیں۔"]),
        ("hy", ["Սա մեկն է։", "Նա գնաց։"]),
        ("xx", ["ይህ አንድ ነው።", "ሌላው።"]),
        ("xx", ["ခွေးကြီးပြေးသည်။", "သူမလာပါ။"]),
        ("xx", ["ខ្ញុំទៅផ្សារ។", "គាត់មិនមកទេ។", "ចប់៕", "ថ្មី"]),
        ("xx", ["ཁྱི་ཆེན་པོ་རྒྱུགས།", "ཁོ་མ་འོངས།"]),
    ],
)
def test_sentences_that_are_joined_come_apart_again(language: str, sentences: list[str]) -> None:
    joined = ("" if language in ("zh", "ja") else " ").join(sentences)
    assert list(split([joined], language)) == sentences


def test_a_line_ends_a_sentence_unless_lines_are_wrapped() -> None:
    text = "A heading\nThe mill was\nbuilt. It\n\nstands\n"
    assert list(split([text])) == ["A heading", "The mill was", "built.", "It", "stands"]
    assert list(split([text], wrapped=True)) == ["A heading The mill was built.", "It", "stands"]


def test_wrapped_chinese_is_joined_without_a_space() -> None:
    assert list(split(["磨坊建于\n一八四七年。"], "zh", wrapped=True)) == ["磨坊建于一八四七年。"]


def test_what_has_no_letter_is_left_out() -> None:
    assert list(split(["...", "* * *", "---", "", "One."])) == ["One."]


def test_documents_do_not_run_together() -> None:
    assert list(split(["One", "two."], wrapped=True)) == ["One", "two."]


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(UserError, match="'tlh'"):
        list(split(["One."], "tlh"))


@given(st.text(alphabet="aB1 .!?。\"')(\n…", max_size=60), st.booleans())
@settings(max_examples=300, deadline=None)
def test_no_character_but_white_space_and_bare_marks_is_lost(text: str, wrapped: bool) -> None:
    found = list(split_lines([*text.split("\n"), ""], _ENDS, wrapped))
    assert all(sentence == sentence.strip() for sentence in found)
    kept = [character for character in "".join(found) if character.isalnum()]
    assert kept == [character for character in text if character.isalnum()]


_ENDS = SentenceEnds("en", frozenset({"B"}))


@pytest.mark.parametrize("piece", ["a. ", "1. ", ". ", "!", "。", '."', "x", "e.g. ", "? - ", ".\u00a0» "])
def test_time_is_proportional_to_the_length_of_a_line(piece: str) -> None:
    def seconds(pieces: int) -> float:
        started = time.process_time()
        list(_ENDS.split(piece * pieces))
        return time.process_time() - started

    short, long = min(seconds(20_000) for _ in range(3)), seconds(200_000)
    assert long < 50 * short + 0.05


def test_a_long_paragraph_is_split_as_a_short_one_is(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "One two. Three\nfour five. Mr.\nSix is here? Yes.".splitlines() * 5
    whole = list(split_lines(lines, sentence_ends(), wrapped=True))
    monkeypatch.setattr(segment, "_BLOCK_CHARACTERS", 20)
    assert list(split_lines(lines, sentence_ends(), wrapped=True)) == whole


@pytest.mark.parametrize("line", ["a b. C", "word"], ids=["with ends", "without"])
def test_memory_does_not_grow_with_a_paragraph(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segment, "_BLOCK_CHARACTERS", 1 << 10)
    ends = sentence_ends()

    def peak(lines: int) -> int:
        tracemalloc.start()
        for _ in split_lines(itertools.repeat(line, lines), ends, wrapped=True):
            pass
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    peak(10)
    assert peak(20_000) < 2 * peak(2_000)


def test_a_missing_document_gives_no_sentence() -> None:
    assert list(split(["One came. Two left.", None, float("nan"), "Three."])) == ["One came.", "Two left.", "Three."]  # type: ignore[list-item]


def test_a_column_of_arrow_is_split() -> None:
    column = pa.chunked_array([["One came. Two left."], [None, "Three."]])
    assert list(split(column)) == ["One came.", "Two left.", "Three."]


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ("The mill. Does it?", "documents is str; give a list of texts"),
        (b"The mill.", "documents is bytes; give a list of texts"),
        (None, "documents is NoneType; give a list of texts"),
        (pa.table({"text": ["The mill."]}), "documents is Table; give a list of texts, or a column of a table"),
    ],
)
def test_what_is_no_list_of_documents_is_refused_at_once(documents: Any, message: str) -> None:
    with pytest.raises(UserError, match=message):
        split(documents)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (5, r"document 1 is not text but int \(5\)"),
        (b"bytes", "document 1 is not text but bytes"),
        ("He left \ud800 it.", r"document 1 holds U\+D800, half a character"),
    ],
)
def test_a_document_that_is_no_text_is_named(document: Any, message: str) -> None:
    with pytest.raises(UserError, match=message):
        list(split(["One.", document]))
