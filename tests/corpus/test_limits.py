"""Memory does not grow with a line, a cell or a value, whatever a small file unpacks to."""

from __future__ import annotations

import gzip
import tracemalloc
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from augcse.corpus import parquet
from augcse.corpus.lines import MAX_LINE_BYTES
from augcse.corpus.read import CorpusReport, read_sentences
from augcse.errors import UserError

MIB = 1 << 20
# A line as bytes and as text, the list it is joined from, and what the unpacker holds.
BOUND_BYTES = 12 * MAX_LINE_BYTES


def _packed(path: Path, start: str, repeated: str, total_bytes: int) -> Path:
    """Write `start` and then `repeated` up to `total_bytes`, packed, without holding it: a gzip file may have many members."""
    piece = gzip.compress((repeated * (MIB // len(repeated) + 1)).encode(), 1)
    path.write_bytes(gzip.compress(start.encode()) + piece * (total_bytes // MIB))
    return path


def _peak_while_refused(path: Path, message: str) -> int:
    tracemalloc.start()
    try:
        with pytest.raises(UserError, match=message) as caught:
            list(read_sentences([path]))
        assert "\n" not in str(caught.value)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("name", "start", "repeated", "message"),
    [
        ("c.txt.gz", "good\n", "a", r"c\.txt\.gz, line 2: longer than 4,194,304 bytes"),
        ("c.csv.gz", "id,text\n1,", "a", r"c\.csv\.gz, line 2: longer than 4,194,304 bytes"),
        (
            "c.csv.gz",
            'id,text\n1,"',
            "a" * 1_000 + "\n",
            r"line 2: a quotation mark opens a cell that does not end within 4,194,304 characters",
        ),
        ("c.jsonl.gz", '"', "a", r"c\.jsonl\.gz, line 1: longer than 4,194,304 bytes"),
        ("c.json.gz", '["good", "', "a", r"c\.json\.gz, element 2: longer than 4,194,304 characters"),
    ],
    ids=["a line", "a CSV line", "an unclosed quotation mark", "a JSON line", "a JSON element"],
)
def test_two_hundred_megabytes_in_one_are_refused_in_little_memory(
    name: str, start: str, repeated: str, message: str, tmp_path: Path
) -> None:
    path = _packed(tmp_path / name, start, repeated, 200 * MIB)
    assert path.stat().st_size < 2 * MIB
    assert _peak_while_refused(path, message) < BOUND_BYTES


def test_the_longest_line_is_read_and_cut(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "c.txt.gz", "wb") as file:
        file.write(b"a" * (MAX_LINE_BYTES - 1) + b"\nshort\n")
    report = CorpusReport()
    assert [len(text) for text in read_sentences([tmp_path / "c.txt.gz"], report=report)] == [10_000, 5]
    assert (report.cut_lines, report.first_cut) == (1, f"{tmp_path / 'c.txt.gz'}, line 1: 4,194,303 characters")


def test_cut_lines_are_counted_and_not_kept(tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text(("a" * 10_001 + "\n") * 3, "utf-8")
    report = CorpusReport()
    list(read_sentences([tmp_path / "c.txt"], report=report))
    assert report.warnings()[0].startswith("3 lines are longer than 10,000 characters (first: ")
    assert report.warnings()[0].count("line 1") == 1


def test_an_array_of_any_size_is_read_in_little_memory(tmp_path: Path) -> None:
    path = _packed(tmp_path / "c.json.gz", '["good"', ', "' + "a" * 100_000 + '"', 100 * MIB)
    tracemalloc.start()
    try:
        # The array is not closed: its last element is after all others.
        with pytest.raises(UserError, match="give the whole file"):
            for _ in read_sentences([path]):
                pass
        assert tracemalloc.get_traced_memory()[1] < BOUND_BYTES
    finally:
        tracemalloc.stop()


def test_a_parquet_cell_over_the_limit_is_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": ["good", "a" * (MAX_LINE_BYTES + 1)]}), tmp_path / "c.parquet", compression="none")
    with pytest.raises(UserError, match=r"c\.parquet, row 2: 4,194,305 bytes in a cell, of 4,194,304 at most"):
        list(read_sentences([tmp_path / "c.parquet"]))


def test_a_parquet_page_that_unpacks_to_a_thousand_times_itself_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "_MAX_UNPACKED_BYTES", MIB)
    pq.write_table(pa.table({"text": ["a" * (2 * MIB)]}), tmp_path / "c.parquet", compression="zstd", use_dictionary=False)
    with pytest.raises(UserError, match=r"c\.parquet: column text unpacks to 2,\d+,\d+ bytes from [\d,]+: no text does"):
        list(read_sentences([tmp_path / "c.parquet"]))


def test_a_parquet_value_that_is_stored_once_is_held_once(tmp_path: Path) -> None:
    path = tmp_path / "c.parquet"
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 5_000, pa.int32()), ["a" * MIB])
    pq.write_table(pa.table({"text": column}), path)
    pool = pa.default_memory_pool()
    del column
    before = pool.bytes_allocated()
    sentences = read_sentences([path])
    assert len(next(sentences)) == 10_000
    assert pool.bytes_allocated() - before < 64 * MIB
