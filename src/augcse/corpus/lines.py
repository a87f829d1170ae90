r"""Decode files of any size into lines of text; bytes that are not UTF-8 are refused with file and line.

A line ends with "\n", "\r\n" or "\r", as in Python's text files. U+2028, U+0085 and form feeds are ordinary characters.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from augcse.corpus.unpack import unpacked_pieces
from augcse.errors import UserError

EncodingErrors = Literal["strict", "replace"]
# The limit of a line, a row of a table, a JSON value or a Parquet cell; only one of them is held in memory at a time.
MAX_LINE_BYTES = 4 << 20
_INVALID_CHARACTER = re.compile("[\0\ud800-\udfff]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
# Commands that read a corpus take the option; those that read pairs and labels do not.
_OR_REPLACE = "or, if it is a corpus, read it with --encoding-errors replace"


class NotTextError(ValueError):
    """Invalid bytes or characters; the message says which, and the caller adds the location."""


def decoded_lines(path: Path, encoding_errors: EncodingErrors) -> Iterator[tuple[int, str]]:
    """Yield (number from 1, line with its end) of a text file.

    Raises:
        UserError: bytes that are not UTF-8, a NUL, a line over `MAX_LINE_BYTES`, or a file that cannot be read.
    """
    for number, line in enumerate(_split_lines(unpacked_pieces(path)), start=1):
        if len(line) > MAX_LINE_BYTES:
            raise UserError(f"{path}, line {number}: longer than {MAX_LINE_BYTES:,} bytes; split its text over several lines or rows")
        try:
            yield number, decode(line, encoding_errors)
        except NotTextError as error:
            raise UserError(f"{path}, line {number}: {error}") from error


def text_lines(text: str) -> Iterator[str]:
    r"""Yield the lines of a text as those of a file; an empty text is one blank line.

    >>> list(text_lines("one\u2028still one\r\ntwo"))
    ['one\u2028still one\n', 'two']
    """
    return io.StringIO(text or "\n", newline=None)


def decoded_pieces(path: Path, encoding_errors: EncodingErrors) -> Iterator[str]:
    """Yield the text of a file in chunks, regardless of lines.

    Raises:
        UserError: bytes that are not UTF-8, or a file that cannot be read.
    """
    decoder = codecs.getincrementaldecoder("utf-8")(encoding_errors)
    line = 1
    for piece in unpacked_pieces(path):
        try:
            text = decoder.decode(piece)
        except UnicodeDecodeError as error:
            line += error.object[: error.start].count(b"\n")
            raise UserError(
                f"{path}, line {line}: byte 0x{error.object[error.start]:02x} is not UTF-8; convert the file, {_OR_REPLACE}"
            ) from error
        line += text.count("\n")
        yield text
    if decoder.getstate()[0]:
        raise UserError(f"{path}, line {line}: it ends within a character that is not whole UTF-8; convert the file, {_OR_REPLACE}")


def decode(data: bytes, encoding_errors: EncodingErrors) -> str:
    """Decode UTF-8.

    Raises:
        NotTextError: in strict mode, for bytes that are not UTF-8 or a NUL.
    """
    try:
        text = data.decode("utf-8", errors=encoding_errors)
    except UnicodeDecodeError as error:
        raise NotTextError(f"byte {error.start + 1} (0x{data[error.start]:02x}) is not UTF-8; convert the file, {_OR_REPLACE}") from error
    # UTF-8 has no surrogates, so only a NUL can be invalid; the search for it is fast.
    return text if "\0" not in text else checked(text, encoding_errors)


def checked(text: str, encoding_errors: EncodingErrors) -> str:
    """Return a text without NULs and lone surrogates, which JSON escapes can produce; "replace" puts U+FFFD in their place.

    Raises:
        NotTextError: in strict mode, if the text has one.
    """
    invalid = None if text.isascii() and "\0" not in text else _INVALID_CHARACTER.search(text)
    if invalid is None:
        return text
    if encoding_errors == "replace":
        return _INVALID_CHARACTER.sub(_REPLACEMENT, text)
    if invalid[0] == "\0":
        raise NotTextError(f"NUL byte; is this a binary file? Clean it, {_OR_REPLACE}")
    raise NotTextError(f"{lone_surrogate(invalid[0])} is half a character (a lone surrogate); write the text again, {_OR_REPLACE}")


def lone_surrogate(text: str) -> str | None:
    r"""Return the code point of a text's first lone surrogate (half a character, which cannot be encoded); None if it has none.

    >>> lone_surrogate("a\ud800b"), lone_surrogate("\N{GRINNING FACE}")
    ('U+D800', None)
    """
    surrogate = None if text.isascii() else _LONE_SURROGATE.search(text)
    return None if surrogate is None else f"U+{ord(surrogate[0]):04X}"


def _split_lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Split chunks into lines with their ends; stop after the beginning of a line that is too long."""
    unfinished = b""
    for piece in pieces:
        lines = (unfinished + piece).splitlines(keepends=True)
        # A "\r" at the end of a chunk may be the first half of "\r\n".
        unfinished = b"" if not lines or lines[-1].endswith(b"\n") else lines.pop()
        yield from lines
        if len(unfinished) > MAX_LINE_BYTES:
            break
    if unfinished:
        yield unfinished
