"""The fast ways to a sentence's words find what the regular expressions find."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from augcse.augmentations.rules.lexical.gender_swap.letters import letters_of, words_among

LETTERS = re.compile(r"[^\W\d_]+")
WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
sentences = st.text(st.sampled_from("abcAB  .,'-_1é")) | st.text()


@given(sentences)
def test_letters_are_those_of_the_expression(sentence: str) -> None:
    assert letters_of(sentence) == LETTERS.findall(sentence)


@given(sentences, st.data())
def test_words_are_those_of_the_expression(sentence: str, data: st.DataObject) -> None:
    letters = LETTERS.findall(sentence)
    candidates = set(data.draw(st.lists(st.sampled_from(letters)))) if letters else {"a"}
    expected = [word.span() for word in WORD.finditer(sentence) if word[0] in candidates or "-" in word[0]]
    assert [word.span() for word in words_among(sentence, candidates)] == expected
