"""Static word vectors in a text file: GloVe's format, word2vec's and fastText's with their header."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.errors import UserError

Array = npt.NDArray[Any]
_WORD2VEC_HEADER = 2


def read_word_vectors(path: Path, words: Collection[str] | None = None) -> tuple[list[str], Array]:
    """Read words and their vectors, float32 (words, dim). Of a word that comes twice, the first vector counts.

    Numbers are counted from the end of the line, because some published files have words with spaces in them. A line whose word is not
    among `words` is checked for its number of columns only.

    Args:
        path: lines of a word and its numbers, separated by spaces; a first line of two whole numbers (word2vec's header) is skipped.
        words: keep only these; None keeps all. The file is read line by line, so that memory holds what is kept.

    Raises:
        UserError: no such file, a line that is not a word and the same number of numbers as in the first line, with file and line, or
            fewer lines than the header says.
    """
    if not path.is_file():
        raise UserError(f"no file {path}; give a text file with lines of a word and its numbers, separated by spaces (GloVe's format)")
    chosen = None if words is None else set(words)
    kept: dict[str, None] = {}
    values = array("f")
    dim = lines = promised = 0
    for number, line in _numbered_lines(path):
        header = _header(line) if number == 1 else None
        if header is not None:
            promised, dim = header
            continue
        lines += 1
        spaces = line.count(" ")
        dim = dim or spaces
        if not dim or spaces < dim or line.startswith(" "):
            raise UserError(f"{path}, line {number}: {spaces} numbers; expected a word and {dim or 'some'} numbers")
        # With more spaces than numbers the word has spaces in it, so that its first piece says nothing about it.
        if chosen is not None and line[: line.index(" ")] not in chosen and spaces == dim:
            continue
        word, *columns = line.rsplit(" ", dim)
        if word not in kept and (chosen is None or word in chosen):
            kept[word] = None
            values.frombytes(_parsed_vector(columns, path, number).tobytes())
    if lines < promised:
        raise UserError(f"{path}: {lines:,} vectors, not the {promised:,} that its first line says; give the whole file")
    if not kept:
        asked = " of the words asked for" if chosen is not None else ""
        raise UserError(f"{path}: no word vectors{asked}; give a file with lines of a word and its numbers")
    return list(kept), np.frombuffer(values, dtype=np.float32).reshape(len(kept), dim)


def _header(line: str) -> tuple[int, int] | None:
    """Return the number of lines and of dimensions if the first line gives them (word2vec, fastText), else None."""
    columns = line.split(" ")
    is_header = len(columns) == _WORD2VEC_HEADER and all(column.isdigit() for column in columns)
    return (int(columns[0]), int(columns[1])) if is_header else None


def _numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (number from 1, line without its end) of the lines that are not blank."""
    # Only "\n" ends a line: some words are other line separators of Unicode.
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield number, line.rstrip("\r\n ")
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not UTF-8: {error.reason} at byte {error.start} of a block; convert the file to UTF-8") from error


def _parsed_vector(columns: list[str], path: Path, number: int) -> Array:
    """Return the numbers of a line; raises `UserError` for one that is not a finite number."""
    try:
        vector = np.array(columns, dtype=np.float32)
    except ValueError as error:
        raise UserError(f"{path}, line {number}: {error}; expected a word and {len(columns)} numbers") from error
    if not np.isfinite(vector).all():
        raise UserError(f"{path}, line {number}: a number is not finite; take the line out")
    return vector
