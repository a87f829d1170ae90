"""CSV and TSV: the delimiter is found, and no cell is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from augcse.corpus.read import read_sentences
from augcse.errors import UserError


def _read(folder: Path, content: str, name: str = "c.csv", column: str | None = None) -> list[str]:
    (folder / name).write_text(content, "utf-8", newline="")
    return list(read_sentences([folder / name], column=column, keep_blank=True))


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_the_one_that_parts_the_header(delimiter: str, tmp_path: Path) -> None:
    others = [sign for sign in ",;\t|" if sign != delimiter]
    rows = [delimiter.join(["1", f"one{other} two{other} three"]) for other in others]
    assert _read(tmp_path, "\n".join([f"id{delimiter}text", *rows])) == [f"one{other} two{other} three" for other in others]


@pytest.mark.parametrize("text", ["one; two", "one | two", "one\ttwo"])
def test_one_column_needs_no_delimiter(text: str, tmp_path: Path) -> None:
    assert _read(tmp_path, f"text\n{text}\n") == [text]


def test_without_a_header_the_delimiter_parts_all_rows_alike(tmp_path: Path) -> None:
    assert _read(tmp_path, "1;Hello, world.\n2;Yes.\n", column="2") == ["Hello, world.", "Yes."]


def test_a_choice_between_delimiters_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"c\.csv, line 1: commas and semicolons separate the cells of the first rows equally well"):
        _read(tmp_path, "1;Hello, world.\n2;Yes, sir.\n", column="2")


def test_a_sample_that_breaks_off_inside_a_row_decides_by_the_whole_ones(tmp_path: Path) -> None:
    rows = "".join(f"{n};Well, it is.\n" if n % 2 else f"{n};No.\n" for n in range(19))
    assert len(_read(tmp_path, rows + '20;"and\n on"\n', column="2")) == 20


@pytest.mark.parametrize(
    ("name", "row", "message"),
    [
        ("c.csv", "1,Hello, world.", "3 cells, but the first row has 2; quote a cell that holds commas"),
        ("c.csv", "1,Hello,", "3 cells, but the first row has 2"),
        ("c.csv", "1", "1 cells, but the first row has 2; write empty cells too"),
        ("c.tsv", "1\tHello\tworld", "3 cells, but the first row has 2; write a space in place of a tab inside a text"),
        ("c.tsv", "1", "1 cells, but the first row has 2; write empty cells too"),
    ],
)
def test_a_row_with_other_cells_than_the_header_is_refused(name: str, row: str, message: str, tmp_path: Path) -> None:
    separator = "," if name == "c.csv" else "\t"
    with pytest.raises(UserError, match=rf"{name}, line 4: {message}"):
        _read(tmp_path, f"id{separator}text\n0{separator}good\n\n{row}\n2{separator}good\n", name)


def test_without_a_header_all_rows_have_the_cells_of_the_first(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"line 2: 3 cells, but the first row has 2"):
        _read(tmp_path, "1,Hello\n2,Hello, world\n", column="2")


def test_a_number_beyond_the_cells_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"line 1: 2 cells, so there is no column 3"):
        _read(tmp_path, "1,Hello\n", column="3")


def test_a_comma_table_called_tsv_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"c\.tsv, line 1: commas separate the cells of the header of a \.tsv, which has tabs"):
        _read(tmp_path, "text,label\nHello,0\n", "c.tsv")


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="2 columns are called text"):
        _read(tmp_path, "text,text\na,b\n", column="text")


def test_names_in_a_header_may_stand_apart(tmp_path: Path) -> None:
    assert _read(tmp_path, "id, text\n1, one\n") == ["one"]


def test_the_line_where_an_unclosed_quotation_mark_opens_is_named(tmp_path: Path) -> None:
    good = '1,"two\nlines"\n'
    with pytest.raises(UserError, match=r"c\.csv, line 6: a quotation mark opens a cell that does not end before the file does; close it"):
        _read(tmp_path, "id,text\n" + good * 2 + '3,"open\n' + "4,plain\n" * 50)


def test_the_line_is_that_of_the_mark_where_its_row_has_begun_before(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="line 3: a quotation mark opens"):
        _read(tmp_path, 'id,text\n"1\n","open\n')


def test_text_behind_a_closing_mark_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"line 2: ',' expected after '\"'; double a quotation mark inside a quoted cell"):
        _read(tmp_path, 'id,text\n1,"one" two\n')


@pytest.mark.parametrize("header", ["a" * 100_000 + ",b", "\n".join(['"a', 'b",c']), ",".join(["name"] * 5_000)])
def test_a_monstrous_header_is_a_short_line_in_a_message(header: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="which column holds the text") as caught:
        _read(tmp_path, header + "\n")
    assert len(str(caught.value)) < 1_000
    assert "\n" not in str(caught.value)
