"""Rows of several cells out of a table."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from augcse.corpus.files import Corpus
from augcse.corpus.read import MAX_SENTENCE_CHARACTERS, CorpusReport
from augcse.corpus.rows import read_rows
from augcse.errors import UserError

CSV = 'sent0,sent1,hard_neg\n"A man, old, sits.",A man is sitting.,"A man\nruns."\nOne.,,Three.\n,,\nx,y,z\n'
TRIPLETS = {"original": "sent0", "positive": "sent1", "negative": "hard_neg"}


def test_each_row_is_a_set_of_cells_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "triplets.csv"
    path.write_text(CSV, "utf-8")
    report = CorpusReport()
    rows = list(read_rows([path], TRIPLETS, report=report))
    assert [row.cells for row in rows] == [
        {"original": "A man, old, sits.", "positive": "A man is sitting.", "negative": "A man\nruns."},
        {"original": "x", "positive": "y", "negative": "z"},
    ]
    assert [row.where for row in rows] == [f"{path}, line 2", f"{path}, line 6"]
    assert (report.sentences, report.blank_lines, report.incomplete_rows) == (2, 1, 1)
    assert report.warnings() == ["1 rows have an empty cell among their texts; they are left out"]


def test_blank_rows_are_kept_when_asked(tmp_path: Path) -> None:
    path = tmp_path / "triplets.csv"
    path.write_text(CSV, "utf-8")
    assert [bool(row) for row in read_rows([path], TRIPLETS, keep_blank=True)] == [True, False, True]


def test_the_end_of_a_file_is_a_blank_row_between_documents(tmp_path: Path) -> None:
    for name in ("1.csv", "2.csv"):
        (tmp_path / name).write_text(CSV, "utf-8")
    rows = Corpus.of([tmp_path / "1.csv", tmp_path / "2.csv"]).rows_by_document(TRIPLETS)
    assert [bool(row) for row in rows] == [True, False, True, False, True, False, True]


def test_columns_can_be_chosen_and_files_compressed(tmp_path: Path) -> None:
    with lzma.open(tmp_path / "pairs.tsv.xz", "wt", encoding="utf-8") as file:
        file.write("a\tb\n1\t2\n")
    [row] = read_rows([tmp_path / "pairs.tsv.xz"], {"positive": "b", "original": "a", "negative": "b"})
    assert row.cells == {"positive": "2", "original": "1", "negative": "2"}


def test_a_table_without_header_by_numbers(tmp_path: Path) -> None:
    (tmp_path / "c.tsv").write_text("neutral\tA man sits.\tHe waits.\n", "utf-8")
    [row] = read_rows([tmp_path / "c.tsv"], {"original": "2", "pair": "3", "label": "1"}, values=("label",))
    assert row.cells == {"original": "A man sits.", "pair": "He waits.", "label": "neutral"}


LABELS = [("one", 3), ("two", 0.5), ("three", True), ("four", "yes"), ("five", None)]
AS_TEXT = ["3", "0.5", "true", "yes", ""]


def test_values_of_json_may_be_numbers_and_missing(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text("".join(json.dumps({"text": text, "label": label}) + "\n" for text, label in LABELS), "utf-8")
    rows = list(read_rows([path], {"original": None, "label": "label"}, values=("label",)))
    assert [row.cells["label"] for row in rows] == AS_TEXT


@pytest.mark.parametrize(("labels", "expected"), [([3, 0, None], ["3", "0", ""]), ([0.5, 2.0, 1.0], ["0.5", "2.0", "1.0"])])
def test_values_of_parquet_may_be_numbers_and_missing(labels: list[float | None], expected: list[str], tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": ["a", "b", "c"], "label": labels}), tmp_path / "c.parquet")
    rows = read_rows([tmp_path / "c.parquet"], {"original": "text", "label": "label"}, values=("label",))
    assert [row.cells["label"] for row in rows] == expected


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("c.csv", "sent0,sent1\na,b\n", "unknown column 'hard_neg'; known: sent0, sent1"),
        ("c.csv", "sent0,sent1,hard_neg\na,b\n", "line 2: 2 cells, but the first row has 3"),
        ("c.txt", "a\n", "is plain text; rows of 3 cells need a table .* with columns sent0, sent1, hard_neg"),
        ("c.jsonl", '"a bare string"\n', "line 1: .* is not a JSON object; 3 columns are asked for"),
        ("c.jsonl", '{"sent0": "a", "sent1": 1, "hard_neg": "b"}\n', "line 1: 1 is not text"),
    ],
)
def test_what_is_wrong_is_one_line_with_its_place(name: str, content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(UserError, match=message) as caught:
        list(read_rows([tmp_path / name], TRIPLETS))
    assert "\n" not in str(caught.value)


def test_a_value_that_is_a_list_and_a_column_zero_are_refused(tmp_path: Path) -> None:
    (tmp_path / "c.jsonl").write_text('{"text": "a", "label": [1]}\n', "utf-8")
    with pytest.raises(UserError, match=r"line 1: \[1\] in label is neither text nor a number"):
        list(read_rows([tmp_path / "c.jsonl"], {"original": "text", "label": "label"}, values=("label",)))
    (tmp_path / "c.csv").write_text("a,b\n", "utf-8")
    with pytest.raises(UserError, match=r"no column 0; .* counted from 1"):
        list(read_rows([tmp_path / "c.csv"], {"original": "1", "positive": "0"}))


def test_a_cell_that_is_too_long_is_cut_and_reported(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text("a,b\nshort," + "x" * (MAX_SENTENCE_CHARACTERS + 5) + "\n", "utf-8")
    report = CorpusReport()
    [row] = read_rows([tmp_path / "c.csv"], {"original": "a", "positive": "b"}, report=report)
    assert len(row.cells["positive"]) == MAX_SENTENCE_CHARACTERS
    assert (report.cut_lines, report.first_cut) == (1, f"{tmp_path / 'c.csv'}, line 2: 10,005 characters")


def test_the_real_triplets(data_folder: Path) -> None:
    path = data_folder / "nli" / "triplets_train_only.csv.xz"
    if not path.exists():
        pytest.skip(f"no {path}")
    rows = list(read_rows([path], TRIPLETS))
    assert len(rows) == 16_677
    assert rows[2].cells["negative"] == "Less than forty thousand die in the described manner each year."
