"""Paired intervals of a report: equal to a naive loop over resamples; what has changed or gone is said, not compared."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from augcse.encoding.model import load_encoder
from augcse.evaluation.bootstrap import resample_counts
from augcse.evaluation.pairs import read_pairs
from augcse.evaluation.samples import RESAMPLES, bootstrap_generator
from augcse.report.paired import Compared, compare
from augcse.report.runs import load_runs
from augcse.report.scores import scored_rows


def _compared(home: Path, sentences: int = 6000) -> Compared:
    runs = load_runs([home / "run"])
    return compare(scored_rows(runs), runs, None, sentences=sentences)


def _copied(home: Path, tmp_path: Path) -> Path:
    target = tmp_path / "home"
    shutil.copytree(home, target, symlinks=True, ignore=shutil.ignore_patterns("checkpoints", "prepared"))
    return target


def _cosines(model: Path, first: list[str], second: list[str]) -> np.ndarray:
    encoder = load_encoder(str(model), None if (model / "modules.json").exists() else "cls")
    left, right = (encoder.encode(side).astype(np.float64) for side in (first, second))
    return (left * right).sum(axis=1) / np.linalg.norm(left, axis=1) / np.linalg.norm(right, axis=1)


def test_a_paired_interval_is_that_of_a_naive_loop(trained_at: Path, tiny_backbone: Path) -> None:
    compared = _compared(trained_at)
    assert compared.left_out == []
    comparison = compared.comparisons["run"]["mine"]
    pairs = read_pairs(trained_at / "mine.tsv")
    before, after = (_cosines(model, pairs.first, pairs.second) for model in (tiny_backbone, trained_at / "run" / "model"))
    gold = np.array(pairs.scores)
    differences = []
    for counts in np.concatenate(list(resample_counts(len(gold), RESAMPLES, bootstrap_generator(0, "mine")))):
        drawn = np.repeat(np.arange(len(gold)), counts)
        scores = [100 * spearmanr(cosines[drawn], gold[drawn]).statistic for cosines in (before, after)]
        differences.append(scores[1] - scores[0])
    low, high = np.quantile(differences, [0.025, 0.975])
    assert (comparison.interval.low, comparison.interval.high) == pytest.approx((low, high), abs=1e-3)
    record = json.loads((trained_at / "run" / "run.json").read_text("utf-8"))
    change = record["scores"]["mine"] - record["before"]["test"]["mine"]
    assert comparison.difference == pytest.approx(change, abs=1e-3)
    assert record["kept_step"] > 0


def test_a_file_that_has_gone_is_said(trained_at: Path, tmp_path: Path) -> None:
    home = _copied(trained_at, tmp_path)
    (home / "mine.tsv").unlink()
    assert _compared(home) == Compared({}, ["paired intervals on mine: mine.tsv is not here any more; put it back"])


def test_a_file_that_has_changed_is_said(trained_at: Path, tmp_path: Path) -> None:
    home = _copied(trained_at, tmp_path)
    (home / "mine.tsv").write_text("5\tA cat.\tA cat.\n1\tA dog.\tA tree.\n", "utf-8")
    [line] = _compared(home).left_out
    assert "mine.tsv has changed since run was made with it" in line


def test_another_model_is_not_compared(trained_at: Path, tmp_path: Path, tiny_backbone: Path) -> None:
    home = _copied(trained_at, tmp_path)
    load_encoder(str(tiny_backbone), "mean").save(str(home / "run" / "model"))
    compared = _compared(home)
    assert compared.comparisons == {"run": {}}
    [line] = compared.left_out
    assert "the paired interval of run on mine: its model scores" in line
    assert "model or data have changed" in line


def test_a_model_that_has_gone_is_said(trained_at: Path, tmp_path: Path) -> None:
    home = _copied(trained_at, tmp_path)
    shutil.rmtree(home / "run" / "model")
    [line] = _compared(home).left_out
    assert line.startswith("paired intervals of run: no model folder")


def test_a_start_on_no_machine_is_not_downloaded(trained_at: Path, tmp_path: Path) -> None:
    home = _copied(trained_at, tmp_path)
    record = json.loads((home / "run" / "run.json").read_text("utf-8"))
    record["recipe"]["model"]["backbone"] = "nobody/nothing"
    (home / "run" / "run.json").write_text(json.dumps(record), "utf-8")
    [line] = _compared(home).left_out
    assert "the model nobody/nothing is not on this machine" in line


def test_tests_that_are_too_large_are_left_out_with_the_remedy(trained_at: Path) -> None:
    [line] = _compared(trained_at, sentences=20).left_out
    assert line.startswith("paired intervals on mine: ")
    assert "--paired-sentences" in line
    assert _compared(trained_at, sentences=0) == Compared()
