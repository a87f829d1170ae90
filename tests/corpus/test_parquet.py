"""Parquet: every way to store text, and what is no text in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from augcse.corpus.read import read_sentences
from augcse.corpus.rows import read_rows
from augcse.errors import UserError

TEXTS = ["one", None, "é 漢字 😀", "one", ""]


def _write(folder: Path, column: Any, **options: Any) -> Path:
    path = folder / "c.parquet"
    pq.write_table(pa.table({"text": column}), path, **options)
    return path


@pytest.mark.parametrize(
    "kind",
    [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string()), pa.dictionary(pa.int32(), pa.large_string())],
    ids=str,
)
@pytest.mark.parametrize("use_dictionary", [True, False])
@pytest.mark.parametrize("row_group_size", [2, 1_000])
def test_text_of_every_kind_is_read(kind: Any, use_dictionary: bool, row_group_size: int, tmp_path: Path) -> None:
    path = _write(tmp_path, pa.array(TEXTS, pa.string()).cast(kind), use_dictionary=use_dictionary, row_group_size=row_group_size)
    assert list(read_sentences([path], keep_blank=True)) == ["one", "", "é 漢字 😀", "one", ""]


@pytest.mark.parametrize(
    "column",
    [[1, 2], [["one"], ["two"]], [{"a": "one"}, {"a": "two"}], [b"one", b"two"], [True, False]],
    ids=["numbers", "lists", "structs", "bytes", "truth values"],
)
def test_what_is_no_text_is_one_line(column: list[Any], tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"c\.parquet: column text is .*, not text; name another with --column") as caught:
        list(read_sentences([_write(tmp_path, column)]))
    assert "\n" not in str(caught.value)


def _invalid(*values: bytes) -> Any:
    return pa.array(values, pa.binary()).view(pa.string())


@pytest.mark.parametrize(
    ("value", "message", "replaced"),
    [(b"bad \xff", r"byte 5 \(0xff\) is not UTF-8", "bad \ufffd"), (b"a\0b", "NUL byte", "a\ufffdb")],
)
def test_bytes_that_are_not_text_are_refused_with_their_row(value: bytes, message: str, replaced: str, tmp_path: Path) -> None:
    path = _write(tmp_path, _invalid(b"good", b"good", value))
    with pytest.raises(UserError, match=rf"c\.parquet, row 3: {message}"):
        list(read_sentences([path]))
    assert list(read_sentences([path], "replace")) == ["good", "good", replaced]


def test_a_missing_label_of_a_data_frame_is_missing(tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": ["a", "b"], "label": [1.0, float("nan")]}), tmp_path / "c.parquet")
    rows = read_rows([tmp_path / "c.parquet"], {"original": "text", "label": "label"}, values=("label",))
    assert [row.cells["label"] for row in rows] == ["1.0", ""]


def test_a_damaged_page_is_one_line(tmp_path: Path) -> None:
    path = _write(tmp_path, [f"sentence {n}" for n in range(1_000)], compression="zstd")
    content = bytearray(path.read_bytes())
    content[40:80] = bytes(40)
    path.write_bytes(content)
    with pytest.raises(UserError, match=r"cannot read .*c\.parquet") as caught:
        list(read_sentences([path]))
    assert "\n" not in str(caught.value)
