"""Values of JSON files, one at a time: one per line (.jsonl), or an array or a sequence of values (.json)."""

from __future__ import annotations

import base64
import json
import math
import re
import reprlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from augcse.corpus.lines import MAX_LINE_BYTES, EncodingErrors, decoded_lines, decoded_pieces
from augcse.errors import UserError

_WHITE_SPACE = re.compile(r"[ \t\r\n]*")
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
            raise UserError(f"{path}, line {number}: not JSON ({_syntax_error(error)}); {remedy}") from error


def json_elements(path: Path, encoding_errors: EncodingErrors) -> Iterator[tuple[int, Any]]:
    """Yield (number from 1, value) of the elements of an array, or of consecutive values, in bounded memory.

    Raises:
        UserError: text that is not JSON, or an element over `MAX_LINE_BYTES` characters.
    """
    window = _Window(path, decoded_pieces(path, encoding_errors))
    in_array = window.take("[")
    has_next = not (window.take("]") if in_array else window.at_end())
    while has_next:
        yield window.number, window.value()
        has_next = window.take(",") if in_array else not window.at_end()
        if in_array and not has_next:
            window.expect("]")
    if not window.at_end():
        raise UserError(f"{path}: text after the array's end; one array, or one value per line (.jsonl), is expected")


def json_excerpt(value: Any) -> str:
    """Return a value as one short line for messages."""
    text = reprlib.repr(value) if isinstance(value, (list, dict)) else json.dumps(value)
    return text[:_SHOWN_CHARACTERS]


def json_text(value: Any, **options: Any) -> str:
    """Return a value as JSON, with `json.dumps`' options; numbers that JSON lacks (NaN, infinity) become null.

    >>> json_text({"shares": (0.5, float("nan"))})
    '{"shares": [0.5, null]}'
    """
    return json.dumps(_finite(value), ensure_ascii=False, allow_nan=False, **options)


def cell_text(value: Any) -> str:
    """Return a value, not None, as the text of a cell: Booleans, lists and objects as JSON, bytes in base64, any other as Python prints it.

    >>> from decimal import Decimal
    >>> [cell_text(value) for value in ("a", True, [1.5, "é"], b"a", float("nan"), Decimal("1.50"))]
    ['a', 'true', '[1.5, "é"]', 'YQ==', 'nan', '1.50']
    """
    return json_text(value, default=plain_text) if isinstance(value, bool | list | dict) else plain_text(value)


def plain_text(value: Any) -> str:
    """Return what JSON lacks as text: bytes in base64, dates, times and decimals as Python prints them."""
    return base64.b64encode(value).decode() if isinstance(value, bytes) else str(value)


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(entry) for key, entry in value.items()}
    return [_finite(entry) for entry in value] if isinstance(value, (list, tuple)) else value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def _syntax_error(error: ValueError | RecursionError) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return error.msg if isinstance(error, json.JSONDecodeError) else str(error).split(";")[0]


class _Window:
    """A sliding window over a JSON text, and the number of the next element in it."""

    def __init__(self, path: Path, pieces: Iterator[str]) -> None:
        self._path = path
        self._pieces = pieces
        self._text = ""
        self._start = 0
        self.number = 1

    def take(self, character: str) -> bool:
        """Skip `character` if it is next, and return whether it was."""
        is_next = not self.at_end() and self._text[self._start] == character
        if is_next:
            self._start += 1
        return is_next

    def expect(self, character: str) -> None:
        """Skip `character`, or raise `UserError` if it is not next."""
        if not self.take(character):
            raise UserError(f"{self._path}: no comma and no {character} after element {self.number - 1}; give the whole file")

    def at_end(self) -> bool:
        """Skip white space and return whether nothing follows."""
        while True:
            self._start = _WHITE_SPACE.match(self._text, self._start).end()  # type: ignore[union-attr] # it matches the empty text
            if self._start < len(self._text):
                return False
            if not self._read_more():
                return True

    def value(self) -> Any:
        """Parse and return the next element."""
        self.at_end()
        while True:
            try:
                element, end = _DECODER.raw_decode(self._text, self._start)
            except (ValueError, RecursionError) as error:
                # The window may end inside the element.
                if self._read_more():
                    continue
                raise UserError(f"{self._path}, element {self.number}: not JSON ({_syntax_error(error)})") from error
            # A number that ends where the window ends may continue.
            if end < len(self._text) or not self._read_more():
                self._start = end
                self.number += 1
                return element

    def _read_more(self) -> bool:
        """Drop what is parsed and append the next piece of the text; return whether there was one."""
        if len(self._text) - self._start > MAX_LINE_BYTES:
            raise UserError(
                f"{self._path}, element {self.number}: longer than {MAX_LINE_BYTES:,} characters; strings or objects are expected"
            )
        piece = next(self._pieces, None)
        self._text, self._start = self._text[self._start :] + (piece or ""), 0
        return piece is not None
