"""Rows of named views out of a table."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from augcse.corpus.read import CorpusReport
from augcse.corpus.triplets import read_views
from augcse.errors import UserError

CSV = 'sent0,sent1,hard_neg\n"A man, old, sits.",A man is sitting.,"A man\nruns."\nOne.,,Three.\nx,y,z\n'


def test_each_row_is_a_set_of_views(tmp_path: Path) -> None:
    path = tmp_path / "triplets.csv"
    path.write_text(CSV, "utf-8")
    report = CorpusReport()
    assert list(read_views([path], report=report)) == [
        {"original": "A man, old, sits.", "positive": "A man is sitting.", "negative": "A man\nruns."},
        {"original": "x", "positive": "y", "negative": "z"},
    ]
    assert (report.sentences, report.blank_lines) == (2, 1)


def test_columns_can_be_chosen_and_files_compressed(tmp_path: Path) -> None:
    with lzma.open(tmp_path / "pairs.tsv.xz", "wt", encoding="utf-8") as file:
        file.write("a\tb\n1\t2\n")
    assert list(read_views([tmp_path / "pairs.tsv.xz"], {"positive": "b", "original": "a"})) == [{"positive": "2", "original": "1"}]


def test_a_table_without_the_column_is_refused(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text("sent0,sent1\na,b\n", "utf-8")
    with pytest.raises(UserError, match="unknown column 'hard_neg'"):
        list(read_views([tmp_path / "c.csv"]))


def test_plain_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text("a\n", "utf-8")
    with pytest.raises(UserError, match="plain text; rows of 3 sentences need a table"):
        list(read_views([tmp_path / "c.txt"]))


def test_the_real_triplets(data_folder: Path) -> None:
    path = data_folder / "nli" / "triplets_train_only.csv.xz"
    if not path.exists():
        pytest.skip(f"no {path}")
    rows = list(read_views([path]))
    assert len(rows) == 16_677
    assert rows[2]["negative"] == "Less than forty thousand die in the described manner each year."
