"""Static word vectors in a text file: what is kept of it, and the line that is wrong."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from augcse.errors import UserError
from augcse.lexicon.word_vectors import read_word_vectors

GLOVE = "the 1 0 0\ncat 0 2 0\nsat 0 0 -3.5\nnew york 1 1 1\ncat 9 9 9\n"


def test_word_vectors_keep_words_with_blanks_and_the_first_of_two(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_text(GLOVE, "utf-8")
    words, vectors = read_word_vectors(path)
    assert words == ["the", "cat", "sat", "new york"]
    assert vectors[1].tolist() == [0, 2, 0]
    assert read_word_vectors(path, {"sat"})[0] == ["sat"]
    with pytest.raises(UserError, match="of the words asked for"):
        read_word_vectors(path, {"dog"})


def test_memory_holds_the_words_asked_for_not_the_file(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    numbers = " ".join(["0.25"] * 100)
    path.write_text("".join(f"word{row} {numbers}\n" for row in range(20_000)), "utf-8")
    tracemalloc.start()
    words, vectors = read_word_vectors(path, {"word7", "word19999"})
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (words, vectors.shape) == (["word7", "word19999"], (2, 100))
    assert peak < path.stat().st_size / 20


def test_fasttexts_header_gives_the_dimension_and_is_held_to(tmp_path: Path) -> None:
    path = tmp_path / "vectors.vec"
    path.write_text("2 2\nnew york 1 2 \nb 3 4 \n", "utf-8")
    assert read_word_vectors(path)[0] == ["new york", "b"]
    path.write_text("3 2\na 1 2\nb 3 4\n", "utf-8")
    with pytest.raises(UserError, match=r"2 vectors, not the 3 that its first line says"):
        read_word_vectors(path)


def test_a_line_cut_short_is_named_also_where_its_word_is_not_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_text("a 1 2\nb 1 2\nc 1", "utf-8")
    with pytest.raises(UserError, match=rf"{path}, line 3: 1 numbers"):
        read_word_vectors(path, {"a"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a 1 2\nb 1\n", "line 2: 1 numbers; expected a word and 2"),
        ("a 1 2\n 1 2\n", "line 2: .*expected a word and 2"),
        ("a 1 2\nb 1 x\n", "line 2: .*could not convert"),
        ("a 1 2\nb 1 inf\n", "line 2: a number is not finite"),
        ("a\n", "line 1: 0 numbers"),
        ("", "no word vectors"),
    ],
)
def test_a_bad_line_of_word_vectors_is_named(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_text(text, "utf-8")
    with pytest.raises(UserError, match=message):
        read_word_vectors(path)
    with pytest.raises(UserError, match="no file"):
        read_word_vectors(tmp_path / "absent.txt")
