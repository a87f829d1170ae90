"""Tables as corpora: the right column, every row, and one line for what is wrong."""

from __future__ import annotations

import csv
import gzip
import json
import lzma
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augcse.corpus.formats import located_texts
from augcse.corpus.read import read_sentences
from augcse.errors import UserError

AWKWARD = ["plain", "NA", "null", "nan", "two\nlines", "a\ttab", 'he said "no"', "comma, here", "é 漢字 😀"]


def _csv(path: Path, rows: list[list[str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def test_csv_cells_keep_tabs_newlines_quotes_and_null_words(tmp_path: Path) -> None:
    path = _csv(tmp_path / "c.csv", [["id", "Sentence"], *([str(n), text] for n, text in enumerate(AWKWARD))])
    assert list(read_sentences([path])) == AWKWARD


def test_a_tsv_takes_quotation_marks_as_text(tmp_path: Path) -> None:
    path = tmp_path / "c.tsv"
    path.write_text('score\ttext\n1\tshe said "go\n2\t"stay\n', "utf-8")
    assert list(read_sentences([path])) == ['she said "go', '"stay']


@pytest.mark.parametrize("name", ["c.jsonl", "c.jsonl.gz", "c.ndjson.xz"])
def test_json_lines_objects_and_strings(name: str, tmp_path: Path) -> None:
    opener = {".gz": gzip.open, ".xz": lzma.open}.get(Path(name).suffix, open)
    with opener(tmp_path / name, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps({"id": n, "text": text}) + "\n" for n, text in enumerate(AWKWARD))
        file.write('\n"a bare string"\n')
    assert list(read_sentences([tmp_path / name])) == [*AWKWARD, "a bare string"]


def test_parquet_with_nulls(tmp_path: Path) -> None:
    pq.write_table(pa.table({"premise": ["one", None, "three"], "label": [0, 1, 2]}), tmp_path / "c.parquet")
    path = tmp_path / "c.parquet"
    assert list(read_sentences([path], column="premise", keep_blank=True)) == ["one", "", "three"]
    with pytest.raises(UserError, match=r"c.parquet: column label is int64, not text; name another with --column"):
        list(read_sentences([path], column="label"))


def test_a_table_without_header_by_number(tmp_path: Path) -> None:
    path = _csv(tmp_path / "c.csv", [["1", "first"], ["2", "second"]])
    assert list(read_sentences([path], column="2")) == ["first", "second"]


def test_blank_rows_are_kept_when_asked(tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text("one\n\n  \ntwo\n", "utf-8")
    assert list(read_sentences([tmp_path / "c.txt"], keep_blank=True)) == ["one", "", "", "two"]


@pytest.mark.parametrize(
    ("name", "content", "column", "message"),
    [
        ("c.csv", "premise,hypothesis\na,b\n", None, "which column holds the text.*premise, hypothesis"),
        ("c.tsv", "0\tone\n1\ttwo\n", None, "which column holds the text.*a number if there is no header"),
        ("c.csv", "premise,hypothesis\na,b\n", "premis", "unknown column 'premis'; did you mean premise"),
        ("c.csv", 'text\n"open\n', None, "line 2: a quotation mark opens a cell that does not end before the file does"),
        ("c.tsv", "id\ttext\n1\n", None, "line 2: 1 cells, but the first row has 2; write empty cells too"),
        ("c.jsonl", '{"text": "a"}\n{"text": 3}\n', None, "line 2: 3 is not text"),
        ("c.jsonl", '{"text": "a"}\nnot json\n', None, "line 2: not JSON"),
        ("c.parquet", "PAR1 but no", None, "cannot read"),
    ],
)
def test_what_is_wrong_is_one_line_with_its_place(name: str, content: str, column: str | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(content, "utf-8")
    with pytest.raises(UserError, match=message) as caught:
        list(read_sentences([path], column=column))
    assert "\n" not in str(caught.value)


def test_bytes_that_are_not_utf8_are_refused_inside_a_table_too(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_bytes(b"text\ngood\nbad \xff\n")
    with pytest.raises(UserError, match="line 3: byte 5"):
        list(read_sentences([tmp_path / "c.csv"]))
    assert list(read_sentences([tmp_path / "c.csv"], "replace")) == ["good", "bad \ufffd"]


cells = st.text(st.characters(codec="utf-8", exclude_characters="\0\r\x1a"), max_size=30)


@given(rows=st.lists(st.tuples(cells, cells), max_size=8))
def test_any_csv_gives_back_its_column(rows: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = _csv(tmp_path_factory.mktemp("csv") / "c.csv", [["text", "other"], *map(list, rows)])
    assert [text for _, text in located_texts(path, "strict", None)] == [text for text, _ in rows]
