"""The other columns of a table go through `augment` to its output, with their types, row by row."""

from __future__ import annotations

import csv
import datetime
import decimal
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest

from augcse.augmentations.run.write import augment_corpus
from augcse.errors import UserError

OURS = ["row", "sentence", "augmentation", "augmented", "changed"]


def _augmented(tmp_path: Path, *corpus: Path, **options: Any) -> pa.Table:
    augment_corpus(corpus, ["GenderSwap"], tmp_path / "out", **options)
    return pq.read_table(tmp_path / "out")


def _others(table: pa.Table) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = table.drop_columns(OURS).to_pylist()
    return rows


def test_csv_cells_are_kept_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text('id;text;label\n007;"He, it said";" a ""b"""\n;;\n3;Two.;\n', "utf-8")
    table = _augmented(tmp_path, tmp_path / "c.csv")
    assert table.column_names == [*OURS, "id", "label"]
    assert _others(table) == [{"id": "007", "label": ' a "b"'}, {"id": "", "label": ""}, {"id": "3", "label": ""}]
    assert table["augmented"].to_pylist() == ["She, it said", "", "Two."]


def test_parquet_types_are_kept(tmp_path: Path) -> None:
    table = pa.table(
        {
            "text": ["He is.", None, "She is."],
            "id": pa.array([1, None, 3], pa.int16()),
            "tags": pa.array([["a"], [], None], pa.list_(pa.string())),
            "seen": pa.array([datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC), None, None], pa.timestamp("us", "UTC")),
            "kind": pa.array(["x", "y", "x"]).dictionary_encode(),
            "nested": [{"a": 1.5, "b": b"\x00"}, None, None],
        }
    )
    pq.write_table(table, tmp_path / "c.parquet")
    kept = _augmented(tmp_path, tmp_path / "c.parquet").drop_columns(OURS)
    assert kept.schema.remove_metadata().equals(table.drop_columns(["text"]).schema)
    assert kept.to_pylist() == table.drop_columns(["text"]).to_pylist()


@pytest.mark.parametrize(
    ("values", "kind", "kept"),
    [
        ([1, 2], pa.int64(), [1, 2]),
        ([1, 2.5], pa.float64(), [1.0, 2.5]),
        ([True, None], pa.bool_(), [True, None]),
        ([None, None], pa.string(), [None, None]),
        (["a", 1], pa.string(), ["a", "1"]),
        ([{"a": [1]}, "b"], pa.string(), ['{"a": [1]}', "b"]),
        ([{"a": ["é"]}, True, "é"], pa.string(), ['{"a": ["é"]}', "true", "é"]),
        ([1 << 70, 1], pa.string(), [str(1 << 70), "1"]),
    ],
    ids=["integers", "numbers", "truth values", "nulls", "text and number", "object and text", "not ASCII", "huge"],
)
def test_json_values_have_one_type_for_the_whole_corpus(values: list[Any], kind: pa.DataType, kept: list[Any], tmp_path: Path) -> None:
    lines = [json.dumps({"text": f"Line {index}.", "value": value}) for index, value in enumerate(values)]
    (tmp_path / "c.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    table = _augmented(tmp_path, tmp_path / "c.jsonl")
    assert (table["value"].type, table["value"].to_pylist()) == (kind, kept)


def test_types_do_not_differ_between_shards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("augcse.augmentations.run.blocks.SHARD_SENTENCES", 1)
    (tmp_path / "c.jsonl").write_text('{"text": "One.", "n": null}\n{"text": "Two.", "n": 1}\n{"text": "Three.", "n": 1.5}\n', "utf-8")
    table = _augmented(tmp_path, tmp_path / "c.jsonl")
    assert {pq.read_schema(shard).field("n").type for shard in (tmp_path / "out").iterdir()} == {pa.float64()}
    assert table["n"].to_pylist() == [None, 1.0, 1.5]


def test_columns_called_like_ours_are_told_apart(tmp_path: Path) -> None:
    augment_corpus([_written(tmp_path / "c.txt", "He is here.\n")], ["GenderSwap"], tmp_path / "first")
    [first] = (tmp_path / "first").iterdir()
    table = _augmented(tmp_path, first, column="augmented")
    assert table.column_names == [*OURS, *(f"original_{name}" for name in OURS if name != "augmented")]
    assert (
        table.to_pylist()[0] | {"original_row": 0, "original_sentence": "He is here.", "augmented": "He is here."} == table.to_pylist()[0]
    )


def _written(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def test_a_table_without_header_has_numbered_columns(tmp_path: Path) -> None:
    table = _augmented(tmp_path, _written(tmp_path / "c.tsv", "1\tHe is.\tx\n2\tThey are.\ty\n"), column="2")
    assert _others(table) == [{"column_1": "1", "column_3": "x"}, {"column_1": "2", "column_3": "y"}]


def test_a_column_without_a_name_gets_one(tmp_path: Path) -> None:
    assert _others(_augmented(tmp_path, _written(tmp_path / "c.csv", ",text\n0,He is.\n"))) == [{"unnamed": "0"}]


def test_columns_called_by_numbers_are_columns(tmp_path: Path) -> None:
    assert _others(_augmented(tmp_path, _written(tmp_path / "c.csv", "2019,2,text\na,b,He is.\n"))) == [{"2019": "a", "2": "b"}]


def test_files_with_other_columns_leave_gaps(tmp_path: Path) -> None:
    one = _written(tmp_path / "a.csv", "text,id\nOne.,1\n")
    two = _written(tmp_path / "b.jsonl", '{"text": "Two.", "score": 0.5}\n"Three."\n\n')
    three = _written(tmp_path / "c.txt", "Four.\n")
    table = _augmented(tmp_path, one, two, three)
    assert [tuple(row.values()) for row in _others(table)] == [("1", None), (None, 0.5), (None, None), (None, None), (None, None)]
    assert table["sentence"].to_pylist() == ["One.", "Two.", "Three.", "", "Four."]


def test_the_key_of_the_first_object_is_left_out_of_all_objects(tmp_path: Path) -> None:
    table = _augmented(tmp_path, _written(tmp_path / "c.jsonl", '{"name": "He is."}\n{"name": "Two.", "id": 2}\n'))
    assert table["sentence"].to_pylist() == ["He is.", "Two."]
    assert _others(table) == [{"id": None}, {"id": 2}]


def test_two_columns_of_one_name_are_refused_before_anything_is_claimed(tmp_path: Path) -> None:
    corpus = _written(tmp_path / "c.csv", "text,id,id\nOne.,1,2\n")
    with pytest.raises(UserError, match=r"c.csv, line 1: 2 columns are called 'id'; give each a name of its own"):
        _augmented(tmp_path, corpus)
    assert list(tmp_path.iterdir()) == [corpus]


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_the_text_formats_keep_them(kind: str, tmp_path: Path) -> None:
    corpus = _written(tmp_path / "c.jsonl", '{"text": "He is.", "n": 1, "tags": ["a", "é"]}\n')
    augment_corpus([corpus], ["GenderSwap"], tmp_path / "out", format=kind)  # type: ignore[arg-type]
    line = (tmp_path / "out" / f"part-00000~GenderSwap.{kind}").read_text("utf-8").splitlines()[-1]
    assert line.endswith({"jsonl": '"n": 1, "tags": ["a", "é"]}', "csv": ',1,"[""a"", ""é""]"'}[kind])


def _all_types() -> pa.Table:
    return pa.table(
        {
            "text": ["He is.", "She is."],
            "day": pa.array([datetime.date(2020, 1, 1), None]),
            "time": pa.array([datetime.datetime(2020, 1, 1, 12, tzinfo=datetime.UTC), None]),
            "price": pa.array([decimal.Decimal("1.50"), None]),
            "number": pa.array([float("nan"), float("inf")]),
            "flag": pa.array([True, None]),
            "bytes": pa.array([b"\xff\x00", None]),
            "nested": [{"day": datetime.date(2020, 1, 1), "bytes": [b"a"]}, None],
        }
    )


def test_a_csv_cell_is_what_a_reader_of_csv_expects(tmp_path: Path) -> None:
    pq.write_table(_all_types(), tmp_path / "c.parquet")
    augment_corpus([tmp_path / "c.parquet"], ["GenderSwap"], tmp_path / "out", format="csv")
    [path] = (tmp_path / "out").glob("[!.]*")
    with path.open(encoding="utf-8", newline="") as file:
        first, second = ({name: cell for name, cell in row.items() if name not in OURS} for row in csv.DictReader(file))
    nested = '{"day": "2020-01-01", "bytes": ["YQ=="]}'
    assert list(first.values()) == ["2020-01-01", "2020-01-01 12:00:00+00:00", "1.50", "nan", "true", "/wA=", nested]
    assert list(second.values()) == ["", "", "", "inf", "", "", ""]
    numbers = pa_csv.read_csv(path)["number"]
    assert numbers.type == pa.float64()


def test_a_line_of_jsonl_holds_bytes_in_base64(tmp_path: Path) -> None:
    pq.write_table(_all_types(), tmp_path / "c.parquet")
    augment_corpus([tmp_path / "c.parquet"], ["GenderSwap"], tmp_path / "out", format="jsonl")
    [path] = (tmp_path / "out").glob("[!.]*")
    first = json.loads(path.read_text("utf-8").splitlines()[0])
    assert (first["bytes"], first["nested"]["bytes"], first["number"], first["day"]) == ("/wA=", ["YQ=="], None, "2020-01-01")


def test_dates_in_a_column_of_text_are_no_json(tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": ["One."], "day": [datetime.date(2020, 1, 1)]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"text": ["Two."], "day": ["no day"]}), tmp_path / "b.parquet")
    assert _others(_augmented(tmp_path, tmp_path / "a.parquet", tmp_path / "b.parquet")) == [{"day": "2020-01-01"}, {"day": "no day"}]


def test_two_parquet_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    columns = [pa.array(["He is here."]), pa.array(["x"]), pa.array(["y"])]
    pq.write_table(pa.table(columns, names=["sentence", "a", "a"]), tmp_path / "c.parquet")
    with pytest.raises(UserError, match="2 columns are called 'a'"):
        _augmented(tmp_path, tmp_path / "c.parquet")


@pytest.mark.parametrize("format", ["parquet", "jsonl", "csv"])
def test_a_column_whose_name_is_half_a_character_is_refused(format: str, tmp_path: Path) -> None:
    (tmp_path / "c.jsonl").write_text('{"sentence": "He is here.", "\\ud800": 1}\n', "utf-8")
    with pytest.raises(UserError, match="has no name that can be written"):
        _augmented(tmp_path, tmp_path / "c.jsonl", format=format)


@pytest.mark.parametrize("cell", ['"\\ud800"', '["\\ud800"]', '{"\\ud800": 1}'])
def test_half_a_character_in_another_column_is_found_before_anything_is_written(cell: str, tmp_path: Path) -> None:
    corpus = _written(tmp_path / "c.jsonl", '{"text": "He is.", "n": "a"}\n{"text": "He is.", "n": ' + cell + "}\n")
    with pytest.raises(UserError, match=r"c.jsonl, line 2: U\+D800 is half a character"):
        augment_corpus([corpus], ["GenderSwap"], tmp_path / "out")
    assert not list((tmp_path / "out").glob("part*"))
    augment_corpus([corpus], ["GenderSwap"], tmp_path / "out", encoding_errors="replace")


def test_values_nested_too_deep_for_parquet_are_kept_as_text(tmp_path: Path) -> None:
    corpus = _written(tmp_path / "c.jsonl", '{"text": "He is.", "n": ' + "[" * 120 + "1" + "]" * 120 + "}\n")
    augment_corpus([corpus], ["GenderSwap"], tmp_path / "out")
    assert pq.read_table(tmp_path / "out")["n"].to_pylist() == ["[" * 120 + "1" + "]" * 120]


def test_numbers_that_json_lacks_are_written_as_null(tmp_path: Path) -> None:
    pq.write_table(pa.table({"sentence": ["He is.", "She is."], "n": [float("nan"), [1.0][0]]}), tmp_path / "c.parquet")
    augment_corpus([tmp_path / "c.parquet"], ["GenderSwap"], tmp_path / "out", format="jsonl")
    [shard] = (tmp_path / "out").glob("part*")
    assert [json.loads(line, parse_constant=pytest.fail)["n"] for line in shard.read_text("utf-8").splitlines()] == [None, 1.0]


def test_a_bare_carriage_return_stays_in_its_csv_cell(tmp_path: Path) -> None:
    corpus = _written(tmp_path / "c.jsonl", '{"text": "He is\\rhere.", "n": "a\\rb"}\n')
    augment_corpus([corpus], ["GenderSwap"], tmp_path / "out", format="csv")
    [shard] = (tmp_path / "out").glob("part*")
    with shard.open(encoding="utf-8", newline="") as file:
        [row] = csv.DictReader(file)
    assert (row["sentence"], row["n"]) == ("He is\rhere.", "a\rb")


@pytest.mark.parametrize("depth", [500, 900])
def test_values_nested_deeper_than_python_follows_are_refused(depth: int, tmp_path: Path) -> None:
    corpus = _written(tmp_path / "c.jsonl", '{"text": "He is.", "n": ' + "[" * depth + "1" + "]" * depth + "}\n")
    with pytest.raises(UserError, match=r"c.jsonl, line 1: a value is nested more than 200 deep"):
        augment_corpus([corpus], ["GenderSwap"], tmp_path / "out")
