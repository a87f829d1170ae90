"""Values of JSON files, one at a time: a value per line (.jsonl), or one array, or values after one another (.json)."""

from __future__ import annotations

import json
import re
import reprlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from augcse.corpus.lines import MAX_LINE_BYTES, EncodingErrors, decoded_lines, decoded_pieces
from augcse.errors import UserError

_BLANK = re.compile(r"[ \t\r\n]*")
_SHOWN_CHARACTERS = 40


def json_lines(path: Path, encoding_errors: EncodingErrors) -> Iterator[tuple[int, Any]]:
    """Yield (line number, value) of each line; a blank line's value is None.

    Raises:
        UserError: a line that is not JSON.
    """
    for number, line in decoded_lines(path, encoding_errors):
        try:
            yield number, _DECODER.decode(line) if line.strip() else None
        except (ValueError, RecursionError) as error:
            remedy = "every line must be one JSON object or string"
            raise UserError(f"{path}, line {number}: not JSON ({_reason(error)}); {remedy}") from error


def json_elements(path: Path, encoding_errors: EncodingErrors) -> Iterator[tuple[int, Any]]:
    """Yield (number from 1, value) of the elements of an array, or of values that stand after one another, in bounded memory.

    Raises:
        UserError: text that is not JSON, or an element over `MAX_LINE_BYTES` characters.
    """
    window = _Window(path, decoded_pieces(path, encoding_errors))
    in_array = window.take("[")
    more = not (window.take("]") if in_array else window.at_end())
    while more:
        yield window.number, window.value()
        more = window.take(",") if in_array else not window.at_end()
        if in_array and not more:
            window.expect("]")
    if not window.at_end():
        raise UserError(f"{path}: text after the array's end; one array, or one value per line (.jsonl), is expected")


def json_excerpt(value: Any) -> str:
    """Return a value for messages: one short line, however long or deep it is."""
    return (reprlib.repr if isinstance(value, (list, dict)) else json.dumps)(value)[:_SHOWN_CHARACTERS]


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def _reason(error: ValueError | RecursionError) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return error.msg if isinstance(error, json.JSONDecodeError) else str(error).split(";")[0]


class _Window:
    """The stretch of a JSON text that is being read, and the number of the element that stands there."""

    def __init__(self, path: Path, pieces: Iterator[str]) -> None:
        self._path = path
        self._pieces = pieces
        self._text = ""
        self._start = 0
        self.number = 1

    def take(self, sign: str) -> bool:
        """Go past `sign` if it stands next."""
        found = not self.at_end() and self._text[self._start] == sign
        self._start += found
        return found

    def expect(self, sign: str) -> None:
        """Go past `sign`, or raise."""
        if not self.take(sign):
            raise UserError(f"{self._path}: no comma and no {sign} after element {self.number - 1}; give the whole file")

    def at_end(self) -> bool:
        """Go past white space and tell whether nothing follows."""
        while True:
            self._start = _BLANK.match(self._text, self._start).end()  # type: ignore[union-attr] # it matches the empty text
            if self._start < len(self._text):
                return False
            if not self._more():
                return True

    def value(self) -> Any:
        """Return the element that stands next."""
        self.at_end()
        while True:
            try:
                found, end = _DECODER.raw_decode(self._text, self._start)
            except (ValueError, RecursionError) as error:
                # Half an element is no JSON either.
                if self._more():
                    continue
                raise UserError(f"{self._path}, element {self.number}: not JSON ({_reason(error)})") from error
            # A number that ends where the window ends may go on.
            if end < len(self._text) or not self._more():
                self._start = end
                self.number += 1
                return found

    def _more(self) -> bool:
        if len(self._text) - self._start > MAX_LINE_BYTES:
            raise UserError(
                f"{self._path}, element {self.number}: longer than {MAX_LINE_BYTES:,} characters; strings or objects are expected"
            )
        piece = next(self._pieces, None)
        self._text, self._start = self._text[self._start :] + (piece or ""), 0
        return piece is not None
