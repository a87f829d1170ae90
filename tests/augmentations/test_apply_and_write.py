"""The augmentation pipeline: parse once, same rows for any number of workers, resumable shards."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from augcse.augmentations import apply, engines
from augcse.augmentations.apply import Job, Request, apply_requests
from augcse.augmentations.engines import apply_stream
from augcse.augmentations.write import augment_corpus
from augcse.errors import UserError

NAMES = ["TenseTransformation", "RandomSwap", "PunctuationInsertion"]


def test_a_sentence_is_parsed_once_for_all_its_augmentations(monkeypatch: pytest.MonkeyPatch, sentences: list[str]) -> None:
    parsed: list[str] = []
    original = apply.parse_sentences

    def counting(texts: object, parser: str) -> object:
        listed = list(texts)  # type: ignore[call-overload]
        parsed.extend(listed)
        return original(listed, parser)

    monkeypatch.setattr(apply, "parse_sentences", counting)
    apply_requests([Request(row, text, tuple(NAMES)) for row, text in enumerate(sentences[:20])], Job(0))
    assert parsed == sentences[:20]


def test_no_parse_where_no_rule_needs_it(monkeypatch: pytest.MonkeyPatch, sentences: list[str]) -> None:
    monkeypatch.setattr(apply, "parse_sentences", lambda *_: pytest.fail("parsed"))
    apply_requests([Request(0, sentences[0], ("RandomSwap",))], Job(0))


def test_workers_do_not_change_the_rows(monkeypatch: pytest.MonkeyPatch, sentences: list[str]) -> None:
    monkeypatch.setattr(engines, "CHUNK_ROWS", 30)
    requests = [Request(row, text, tuple(NAMES)) for row, text in enumerate(sentences[:120])]
    one = list(apply_stream(requests, Job(4), workers=1))
    two = list(apply_stream(requests, Job(4), workers=2))
    assert one == two


@pytest.fixture
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("augcse.augmentations.write.SHARD_SENTENCES", 150)


@pytest.mark.usefixtures("small_shards")
def test_every_row_has_its_output_row(corpus: Path, sentences: list[str], tmp_path: Path) -> None:
    done = augment_corpus([corpus], NAMES, tmp_path / "out", seed=1)
    shards = sorted((tmp_path / "out").glob("*.parquet"))
    assert [shard.name for shard in shards] == ["part-00000.parquet", "part-00001.parquet", "part-00002.parquet"]
    rows = [row for shard in shards for row in pq.read_table(shard).to_pylist()]
    assert [(row["row"], row["augmentation"]) for row in rows] == [(r, name) for r in range(400) for name in NAMES]
    assert all(row["sentence"] == sentences[row["row"]] for row in rows)
    assert all((row["augmented"] != row["sentence"]) == row["changed"] for row in rows)
    assert (done.sentences, done.blank) == (400, 0)
    assert done.changed["RandomSwap"] == sum(row["changed"] for row in rows if row["augmentation"] == "RandomSwap")


@pytest.mark.usefixtures("small_shards")
def test_a_killed_run_goes_on_and_ends_with_the_same_bytes(corpus: Path, tmp_path: Path) -> None:
    augment_corpus([corpus], ["RandomSwap"], tmp_path / "whole")

    class Killed(Exception):
        pass

    done = 0

    def stop(rows: int) -> None:
        nonlocal done
        done += rows
        if done == 200:
            raise Killed

    with pytest.raises(Killed):
        augment_corpus([corpus], ["RandomSwap"], tmp_path / "out", progress=stop)
    assert [shard.name for shard in (tmp_path / "out").glob("*.parquet")] == ["part-00000.parquet"]
    augment_corpus([corpus], ["RandomSwap"], tmp_path / "out")
    for shard in sorted((tmp_path / "whole").iterdir()):
        assert (tmp_path / "out" / shard.name).read_bytes() == shard.read_bytes()


def test_other_arguments_in_the_same_folder_are_refused(corpus: Path, tmp_path: Path) -> None:
    augment_corpus([corpus], ["RandomSwap"], tmp_path / "out")
    with pytest.raises(UserError, match="made with other arguments"):
        augment_corpus([corpus], ["RandomSwap"], tmp_path / "out", seed=1)
    assert json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))["seed"] == 0


def test_a_folder_of_something_else_is_refused(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("precious", "utf-8")
    with pytest.raises(UserError, match="is not empty"):
        augment_corpus([corpus], ["RandomSwap"], tmp_path)


def test_an_empty_corpus_is_refused(tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text("\n", "utf-8")
    with pytest.raises(UserError, match="no sentence in it"):
        augment_corpus([tmp_path / "c.txt"], ["RandomSwap"], tmp_path / "out")


def test_an_unknown_augmentation_is_refused_before_anything_is_written(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="did you mean RandomSwap"):
        augment_corpus([corpus], ["RandomSawp"], tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("small_shards")
def test_blank_rows_have_their_output_rows(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text('text\n"He didn\'t\tcome,\nNA"\n""\nnull\n', "utf-8")
    done = augment_corpus([tmp_path / "c.csv"], ["ContractionExpansions"], tmp_path / "out")
    rows = pq.read_table(tmp_path / "out" / "part-00000.parquet").to_pylist()
    assert [(row["row"], row["sentence"], row["augmented"], row["changed"]) for row in rows] == [
        (0, "He didn't\tcome,\nNA", "He did not\tcome,\nNA", True),
        (1, "", "", False),
        (2, "null", "null", False),
    ]
    assert (done.sentences, done.blank) == (3, 1)


@pytest.mark.usefixtures("small_shards")
@pytest.mark.parametrize("damage", ["truncate", "replace", "seal"])
def test_a_damaged_or_foreign_shard_is_noticed_and_written_anew(damage: str, corpus: Path, tmp_path: Path) -> None:
    augment_corpus([corpus], ["RandomSwap"], tmp_path / "out")
    shard = tmp_path / "out" / "part-00001.parquet"
    whole = shard.read_bytes()
    if damage == "truncate":
        shard.write_bytes(whole[: len(whole) // 2])
    elif damage == "replace":
        shard.write_bytes((tmp_path / "out" / "part-00000.parquet").read_bytes())
    else:
        shard.with_suffix(".json").write_text("{", "utf-8")
    warnings: list[str] = []
    augment_corpus([corpus], ["RandomSwap"], tmp_path / "out", warn=warnings.append)
    assert warnings == [f"{shard} is damaged or not ours; it is written anew"]
    assert shard.read_bytes() == whole


def test_a_damaged_manifest_is_refused(corpus: Path, tmp_path: Path) -> None:
    augment_corpus([corpus], ["RandomSwap"], tmp_path / "out")
    (tmp_path / "out" / "manifest.json").write_text("{", "utf-8")
    with pytest.raises(UserError, match="is damaged; delete"):
        augment_corpus([corpus], ["RandomSwap"], tmp_path / "out")


def test_an_unknown_engine_is_refused(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="unknown engine 'rya'; did you mean ray"):
        augment_corpus([corpus], ["RandomSwap"], tmp_path / "out", engine="rya")  # type: ignore[arg-type]


def test_a_real_ray_cluster_of_two_workers_writes_the_same_bytes(corpus: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed (augcse[ray])")
    names = "RandomSwap,TenseTransformation,RandomDeletion:rate=0.2"
    # In a process of its own: Ray speaks over sockets, which are blocked in this one.
    arguments = ["augment", str(corpus), "--with", names, "--output", str(tmp_path / "ray"), "--engine", "ray", "--workers", "2"]
    environment = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"}
    done = subprocess.run([sys.executable, "-m", "augcse", *arguments], capture_output=True, text=True, timeout=900, env=environment)
    assert done.returncode == 0, done.stderr
    augment_corpus([corpus], names.split(","), tmp_path / "local")
    name = "part-00000.parquet"
    assert (tmp_path / "ray" / name).read_bytes() == (tmp_path / "local" / name).read_bytes()
