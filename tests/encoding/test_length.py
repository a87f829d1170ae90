"""Which sentences are cut, against tokenising every one."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sentence_transformers import SentenceTransformer

from augcse.encoding.length import maximum_tokens, truncated_sentences
from augcse.encoding.model import load_encoder
from augcse.encoding.word_vectors import word_vector_model


@pytest.fixture(scope="module")
def model() -> SentenceTransformer:
    found = load_encoder("mini-bert")
    found.max_seq_length = 8
    return found


@settings(max_examples=60)
@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=16), max_size=6))
def test_they_are_those_with_too_many_tokens(model: SentenceTransformer, texts: list[str]) -> None:
    expected = {text for text in texts if len(model.tokenizer(text, verbose=False)["input_ids"]) > 8}
    assert truncated_sentences(model, texts) == expected


@pytest.mark.parametrize("text", ["!" * 6, "!" * 7, "a b c d e f", "a b c d e f g", "日本語文字列", "日本語文字列七"])
def test_the_limit_itself_fits(model: SentenceTransformer, text: str) -> None:
    assert (text in (truncated_sentences(model, [text]) or ())) == (len(text.replace(" ", "")) > 6)


def test_a_default_prompt_takes_places(model: SentenceTransformer) -> None:
    text = "a b c d e"
    assert truncated_sentences(model, [text]) == frozenset()
    prompted = SentenceTransformer(modules=list(model.children()), prompts={"long": "x y z: "}, default_prompt_name="long")
    assert truncated_sentences(prompted, [text]) == {text}


def test_word_vectors_have_no_length(tmp_path: Path) -> None:
    (tmp_path / "glove.txt").write_text("a 1 2\n", "utf-8")
    vectors = word_vector_model(tmp_path / "glove.txt")
    assert maximum_tokens(vectors) is None
    assert truncated_sentences(vectors, ["a " * 1000]) is None


def test_the_encoder_reads_no_further(model: SentenceTransformer) -> None:
    long, same_start = "a b c d e f g", "a b c d e f x"
    assert model.encode([long]).tolist() == model.encode([same_start]).tolist()
