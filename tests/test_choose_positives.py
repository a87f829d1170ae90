"""The choice of positives: its log holds every pool and seed, the best mean is the row of the benchmark, a run that is there is read."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

import choose_positives
from augcse.sweeping.file import read_plan
from augcse.sweeping.plan import cells_of

FIRST_POOLS = 9
ENTRIES = [json.loads(line) for line in choose_positives.LOG.read_text("utf-8").splitlines()]


def test_the_log_holds_every_pool_and_seed_once() -> None:
    tried = [(tuple(entry["pool"]), entry["seed"]) for entry in ENTRIES]
    assert tried == [(pool, seed) for pool in choose_positives.POOLS for seed in choose_positives.SEEDS]
    assert len({entry["corpus_sha256"] for entry in ENTRIES}) == 1


def test_the_benchmark_has_what_dev_chose_and_other_seeds() -> None:
    cells = {cell.name: cell for cell in cells_of(read_plan("benchmark-mini", {}), {})}
    # The first pools were tried before the others, and their best measured.
    rows = {FIRST_POOLS: "AugCSE, positives by ModalVerbs", len(choose_positives.POOLS): "AugCSE, modal and punctuation positives"}
    for tried, row in rows.items():
        cell = cells[f"{row}, mixed"]
        entries = ENTRIES[: tried * len(choose_positives.SEEDS)]
        assert choose_positives.best(entries) == tuple(cell.recipe.augmentation.pool)
        assert not set(cell.seeds) & set(choose_positives.SEEDS)


def test_a_logged_run_of_the_same_corpus_is_not_made_again() -> None:
    lines = [{"pool": ["A"], "seed": 7, "corpus_sha256": "ab"}, {"pool": [], "seed": 7, "corpus_sha256": "cd"}]
    found = choose_positives.logged_entries("".join(json.dumps(line) + "\n" for line in lines), "ab")
    assert found == {(("A",), 7): lines[0]}


def test_a_run_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, dict[str, Any]]] = []

    def train(recipe: str, **options: Any) -> None:
        asked.append((recipe, options))
        options["output"].mkdir()
        record = {
            "best": {"dev": {"stsb_dev": 70.126}},
            "prepared": {"label_counts": {"ModalVerbs": 3, "no augmentation": 1}},
            "precision": "fp32",
            "corpus": [{"sha256": "ab"}],
        }
        (options["output"] / "run.json").write_text(json.dumps(record), "utf-8")

    monkeypatch.setattr("augcse.pipeline.train", train)
    monkeypatch.setattr("augcse.report.record.load_record", lambda path: json.loads(path.read_text("utf-8")))
    arguments = Namespace(corpus=tmp_path / "text", data=tmp_path, runs=tmp_path)
    records = [choose_positives.run_record(("ModalVerbs",), 7, arguments) for _ in range(2)]
    choose_positives.run_record((), 7, arguments)
    assert [recipe for recipe, _ in asked] == ["augcse-positive-mini", "simcse-mini"]
    assert asked[0][1]["augmentation.names"] == ["ModalVerbs"]
    assert "augmentation.names" not in asked[1][1]
    assert choose_positives.entry(("ModalVerbs",), 7, records[1])["changed_share"] == 0.75
    assert choose_positives.entry(("ModalVerbs",), 7, records[1])["dev"] == 70.13
