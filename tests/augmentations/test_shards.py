"""Shards: read as they are by whatever reads Parquet, checked to the last byte, told apart by their names."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augcse.augmentations.run.shards import FORMATS, ShardOrigin, is_shard_name, read_origin, read_whole, shard_path, write_shard
from augcse.augmentations.run.write import augment_corpus
from augcse.corpus.read import read_sentences

RULES = '''
def test(sentence, rng):
    """A name that datasets takes for a split's."""
    return "tested " + sentence
'''
TEXT = "He didn't come.\n\n\"No\", she said; it's 3 o'clock, isn't it?\nIt is \N{GRINNING FACE}\x85 late.\n"
ORIGIN = ShardOrigin({"augmentation": "Shout", "seed": 0, "block": 0}, 2, 1)


@pytest.fixture(scope="module")
def augmented(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of three augmentations, of which one changes nothing and one is a user's with a telling name."""
    folder = tmp_path_factory.mktemp("readers")
    (folder / "rules.py").write_text(RULES, "utf-8")
    (folder / "c.txt").write_text(TEXT, "utf-8")
    names = ["ContractionExpansions", f"{folder / 'rules.py'}:test", "PhonemeSubstitution:rate=0"]
    augment_corpus([folder / "c.txt"], names, folder / "augmented", changed_only=True)
    return folder / "augmented"


# Contractions in two of the three sentences, the user's in all.
EXPECTED = 2 + 3


def test_pandas_reads_the_folder(augmented: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    assert len(pandas.read_parquet(augmented)) == EXPECTED


def test_pyarrow_reads_the_folder(augmented: Path) -> None:
    assert pq.read_table(augmented).num_rows == EXPECTED


@pytest.mark.parametrize("call", ["folder", "data_dir"])
def test_datasets_reads_the_folder(call: str, augmented: Path, tmp_path: Path) -> None:
    from datasets import load_dataset

    arguments = {"path": str(augmented)} if call == "folder" else {"path": "parquet", "data_dir": str(augmented)}
    loaded = load_dataset(**arguments, cache_dir=str(tmp_path))
    assert {split: rows.num_rows for split, rows in loaded.items()} == {"train": EXPECTED}


def test_polars_reads_the_folder(augmented: Path) -> None:
    polars = pytest.importorskip("polars", reason="polars is not installed")
    assert polars.read_parquet(augmented).height == EXPECTED


def test_duckdb_reads_the_folder(augmented: Path) -> None:
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    assert len(duckdb.sql(f"SELECT * FROM '{augmented}/*.parquet'").fetchall()) == EXPECTED


def test_nothing_but_shards_is_there(augmented: Path) -> None:
    assert all(is_shard_name(path.name) for path in augmented.iterdir())


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_the_text_formats_hold_the_same_rows(kind: str, tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text(TEXT, "utf-8")
    for suffix in ("parquet", kind):
        augment_corpus([tmp_path / "c.txt"], ["ContractionExpansions"], tmp_path / suffix, format=suffix)  # type: ignore[arg-type]
    [shard] = (path for path in (tmp_path / kind).iterdir() if not path.name.startswith("."))
    rows = pq.read_table(tmp_path / "parquet").to_pylist()
    if kind == "jsonl":
        assert [json.loads(line) for line in shard.read_text("utf-8").split("\n")[:-1]] == rows
    else:
        with shard.open(encoding="utf-8", newline="") as file:
            assert list(csv.DictReader(file)) == [row | {"row": str(row["row"]), "changed": json.dumps(row["changed"])} for row in rows]


@pytest.mark.parametrize("kind", FORMATS)
def test_our_own_reader_reads_every_format(kind: str, tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text(TEXT, "utf-8")
    augment_corpus([tmp_path / "c.txt"], ["ContractionExpansions"], tmp_path / "out", format=kind)  # type: ignore[arg-type]
    [shard] = (path for path in (tmp_path / "out").iterdir() if not path.name.startswith("."))
    assert list(read_sentences([shard], column="sentence", keep_blank=True)) == list(read_sentences([tmp_path / "c.txt"], keep_blank=True))


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_datasets_reads_the_text_formats(kind: str, tmp_path: Path) -> None:
    from datasets import load_dataset

    (tmp_path / "c.txt").write_text(TEXT, "utf-8")
    names = ["ContractionExpansions", "GenderSwap"]
    augment_corpus([tmp_path / "c.txt"], names, tmp_path / "out", format=kind)  # type: ignore[arg-type]
    loaded = load_dataset(str(tmp_path / "out"), cache_dir=str(tmp_path / "cache"))
    assert {split: rows.num_rows for split, rows in loaded.items()} == {"train": 8}


def _shard(path: Path) -> Path:
    write_shard(path, pa.table({"row": [0, 1], "sentence": ["a", "b"]}), ORIGIN)
    return path


@pytest.mark.parametrize("kind", FORMATS)
def test_a_shard_says_what_it_was_made_from(kind: str, tmp_path: Path) -> None:
    shard = _shard(tmp_path / f"shard.{kind}")
    assert read_origin(shard) == read_whole(shard) == ORIGIN


@pytest.fixture(scope="module")
def shard_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return _shard(tmp_path_factory.mktemp("whole") / "shard.parquet").read_bytes()


@settings(max_examples=40)
@given(index=st.integers(0, 10_000), bit=st.integers(0, 7))
def test_no_bit_can_change_unnoticed(index: int, bit: int, shard_bytes: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    damaged = bytearray(shard_bytes)
    damaged[index % len(damaged)] ^= 1 << bit
    path = tmp_path_factory.getbasetemp() / "damaged.parquet"
    path.write_bytes(damaged)
    assert read_whole(path) is None


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
@pytest.mark.parametrize("damage", ["content", "origin", "no origin", "no JSON", "no object"])
def test_a_damaged_text_shard_is_noticed(kind: str, damage: str, tmp_path: Path) -> None:
    shard = _shard(tmp_path / f"shard.{kind}")
    beside = tmp_path / f".shard.{kind}.json"
    if damage == "content":
        shard.write_text(shard.read_text("utf-8").replace("a", "e"), "utf-8")
    elif damage == "no origin":
        beside.unlink()
    else:
        beside.write_text({"origin": '{"sha256": ""}', "no JSON": "{", "no object": "[]"}[damage], "utf-8")
    assert read_whole(shard) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [("RandomSwap", "RandomCrop"), ("A:rate=0.1", "A:rate=0.10"), ("a.py:X", "a-py:X"), ("x" * 80, "x" * 81), ("rules.py:é", "rules.py:è")],
)
def test_two_specs_never_share_a_file(one: str, other: str) -> None:
    paths = [shard_path(Path(), 0, spec, "parquet") for spec in (one, other)]
    assert len({path.name.lower() for path in paths}) == 2
    assert all(is_shard_name(path.name) for path in paths)
