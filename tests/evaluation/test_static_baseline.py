"""What costs nothing beside a run: it is the static encoder that anyone can make, and a run that is below it says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import augcse
from augcse.config import load_recipe
from augcse.corpus.read import read_sentences
from augcse.corpus.sample import sample_sentences
from augcse.resources import DEMO_PAIRS
from augcse.training.outcome import outcome_of, outcome_rows, warnings_of
from augcse.training.watcher import Watcher

SETTINGS: dict[str, Any] = {"batch_size": 20, "max_steps": 2, "training.precision": "fp32", "workers": 1}


def test_a_run_scores_the_static_encoder_of_its_text(tmp_path: Path, corpus: Path, tiny_backbone: Path) -> None:
    pairs, sentences = str(DEMO_PAIRS), sample_sentences(read_sentences([corpus]), 30_000)
    (tmp_path / "same.txt").write_text("\n".join(sentences) + "\n", "utf-8")
    run = augcse.train("simcse-mini", corpus=corpus, output=tmp_path / "run", model=str(tiny_backbone), dev=pairs, test=[pairs], **SETTINGS)
    made = augcse.static(tmp_path / "same.txt", output=tmp_path / "static", backbone=str(tiny_backbone), rows="backbone")
    [(name, expected)] = augcse.evaluate(made.folder, [pairs]).scores.items()
    assert run.record["baselines"]["static"]["test"] == {name: expected}
    assert run.record["baselines"]["static"]["dev"][name] == pytest.approx(expected, abs=1e-4)
    assert json.loads((run.folder / "run.json").read_text("utf-8"))["baselines"] == run.record["baselines"]
    header, rows = outcome_rows(run.record)
    column = header.index("static (untrained)")
    assert [row[column] for row in rows] == [f"{expected:.2f}"] * 2
    assert "static (untrained)" in (run.model / "README.md").read_text("utf-8")


def test_what_cannot_be_made_is_said_and_harms_nothing(tmp_path: Path, sentences: list[str], tiny_backbone: Path) -> None:
    (tmp_path / "few.txt").write_text("\n".join(sentences[:60]) + "\n", "utf-8")
    notes: list[str] = []
    run = augcse.train(
        "simcse-mini",
        corpus=tmp_path / "few.txt",
        output=tmp_path / "run",
        model=str(tiny_backbone),
        dev=str(DEMO_PAIRS),
        watcher=Watcher(note=notes.append),
        **SETTINGS,
    )
    assert run.record["baselines"] == {}
    [said] = [note for note in notes if note.startswith("no static encoder to compare with: ")]
    assert "100" in said
    assert "corpus.txt" not in said


def test_a_recipe_may_leave_it_out(tmp_path: Path, corpus: Path, tiny_backbone: Path) -> None:
    settings = {**SETTINGS, "evaluation.static_baseline": False}
    run = augcse.train("simcse-mini", corpus=corpus, output=tmp_path / "run", model=str(tiny_backbone), dev=str(DEMO_PAIRS), **settings)
    assert run.record["baselines"] == {}


@pytest.mark.parametrize(("static", "said"), [(49.0, False), (51.0, True)])
def test_a_run_below_it_says_so(static: float, said: bool) -> None:
    curves = [{"step": 0, "eval_pairs": 45.0}, {"step": 10, "eval_pairs": 50.0}]
    outcome = {**outcome_of(curves, 10, 10), "baselines": {"static": {"dev": {"pairs": static}, "test": {}}}}
    warnings = warnings_of(outcome, load_recipe("simcse-mini"))
    assert [f"pairs {static:.2f} beside 50.00" in warning for warning in warnings] == [True] * said
