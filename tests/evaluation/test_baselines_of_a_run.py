"""What costs nothing beside a run: it is what anyone can make with the commands named, and a run that is below it says so."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import augcse
from augcse import sections
from augcse.analysis.probe.held_out import hold_out
from augcse.cli.app import app
from augcse.config import load_recipe
from augcse.corpus.read import read_sentences
from augcse.corpus.sample import sample_sentences
from augcse.errors import UserError
from augcse.evaluation import baselines, run_scores
from augcse.resources import DEMO_PAIRS
from augcse.training.outcome import BASELINES, baseline_rows, outcome_of
from augcse.training.run_warnings import warnings_of
from augcse.training.watcher import Watcher

SETTINGS: dict[str, Any] = {"batch_size": 20, "max_steps": 2, "training.precision": "fp32", "workers": 1}
PAIRS = str(DEMO_PAIRS)


def trained(folder: Path, corpus: Path, backbone: Path, **settings: Any) -> augcse.Run:
    return augcse.train("simcse-mini", corpus=corpus, output=folder, model=str(backbone), **{"dev": PAIRS, **SETTINGS, **settings})


def test_a_run_scores_what_anyone_can_make_of_its_backbone_and_text(tmp_path: Path, corpus: Path, tiny_backbone: Path) -> None:
    sentences, backbone = sample_sentences(read_sentences([corpus]), 30_000), str(tiny_backbone)
    text = tmp_path / "same.txt"
    text.write_text("\n".join(sentences) + "\n", "utf-8")
    run = trained(tmp_path / "run", corpus, tiny_backbone, test=[PAIRS])
    augcse.static(text, output=tmp_path / "static", backbone=backbone, rows="backbone")
    augcse.postprocess(backbone, output=tmp_path / "mean", pooling="mean")
    augcse.postprocess(backbone, text, output=tmp_path / "sif", steps="sif", pooling="mean", sample=2000)
    augcse.postprocess(backbone, text, output=tmp_path / "whitened", steps="whiten", pooling="mean", sample=2000)
    augcse.hybrid([run.model, tmp_path / "static"], output=tmp_path / "hybrid")
    found = run.record["baselines"]
    assert list(found) == list(BASELINES) == list(baselines.MAKERS) == list(sections.BASELINES)
    for name in BASELINES:
        [(task, expected)] = augcse.evaluate(tmp_path / name, [PAIRS]).scores.items()
        assert found[name]["test"][task] == pytest.approx(expected, abs=0.01)
        assert found[name]["dev"][task] == pytest.approx(expected, abs=0.01)
    assert json.loads((run.folder / "run.json").read_text("utf-8"))["baselines"] == found
    header, rows = baseline_rows(run.record)
    assert header == ["training-free baseline", *BASELINES]
    assert [row[header.index("static")] for row in rows] == [f"{found['static']['dev'][task]:.2f}"] * 2
    card = (run.model / "README.md").read_text("utf-8")
    assert "| training-free baseline | mean | sif | whitened | static | hybrid |" in card
    assert "training-free baseline" in str(run)
    assert "training-free baseline" in run._repr_html_()


def test_a_record_keeps_resamples_of_suites_where_asked(tmp_path: Path, corpus: Path, tiny_backbone: Path, data_folder: Path) -> None:
    settings = {"data": data_folder, "test": ["sts", "STSB-dev"], "evaluation.kept_resamples": 20}
    kept = trained(tmp_path / "kept", corpus, tiny_backbone, **settings).record
    assert list(kept["resampled"]) == ["model", *BASELINES]
    assert {suite: len(draws) for suite, draws in kept["resampled"]["static"].items()} == {"sts": 20}
    # The average of the seven tasks is among its resamples.
    draws = kept["resampled"]["model"]["sts"]
    assert min(draws) < kept["scores"]["avg"] < max(draws)
    assert "resampled" not in trained(tmp_path / "none", corpus, tiny_backbone, test=[PAIRS]).record


def test_another_run_of_the_same_backbone_and_text_makes_the_hybrid_alone(
    tmp_path: Path, corpus: Path, tiny_backbone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUGCSE_CACHE", str(tmp_path / "cache"))
    first = trained(tmp_path / "first", corpus, tiny_backbone)
    made: list[str] = []
    for name, make in baselines.MAKERS.items():
        monkeypatch.setitem(baselines.MAKERS, name, lambda parts, name=name, make=make: made.append(name) or make(parts))
    second = trained(tmp_path / "second", corpus, tiny_backbone, seed=7)
    assert made == [baselines.HYBRID]
    assert {**second.record["baselines"], "hybrid": {}} == {**first.record["baselines"], "hybrid": {}}
    (tmp_path / "other.txt").write_text("\n".join(list(read_sentences([corpus]))[:150]) + "\n", "utf-8")
    trained(tmp_path / "other", tmp_path / "other.txt", tiny_backbone)
    assert made == [baselines.HYBRID, *baselines.MAKERS]


def test_they_are_fitted_on_the_column_of_the_originals(tmp_path: Path, corpus: Path, tiny_backbone: Path) -> None:
    table = tmp_path / "table.jsonl"
    rows = [{"text": f"Row {number}.", "first": sentence} for number, sentence in enumerate(read_sentences([corpus]))]
    table.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    plain = trained(tmp_path / "plain", corpus, tiny_backbone)
    columns = trained(tmp_path / "columns", table, tiny_backbone, **{"corpus.columns.original": "first"})
    assert columns.record["baselines"] == plain.record["baselines"]


def test_parallel_runs_wait_for_the_one_that_makes_the_same(
    tmp_path: Path, corpus: Path, tiny_backbone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUGCSE_CACHE", str(tmp_path / "cache"))
    locks: dict[str, int] = {}

    def count(what: str) -> None:
        locks[what] = len(list((tmp_path / "cache" / "locks").glob("*")))

    for name, make in baselines.MAKERS.items():
        monkeypatch.setitem(baselines.MAKERS, name, lambda parts, name=name, make=make: count(name) or make(parts))
    trained(tmp_path / "run", corpus, tiny_backbone, **{"evaluation.baselines": ["mean", "hybrid"]})
    monkeypatch.setattr(run_scores, "_score_start", lambda *arguments: count("start") or {})
    start = load_recipe("simcse-mini", {"model.backbone": str(tiny_backbone)})
    run_scores.scores_of_start(start, [PAIRS], None, {"data": None, "test": [PAIRS], "versions": {}, "machine": {}})
    # The hybrid is of each run's own model.
    assert locks == {"mean": 1, "hybrid": 0, "start": 1}


def test_nothing_is_fitted_on_the_sentences_of_the_dev_score(
    tmp_path: Path, corpus: Path, sentences: list[str], tiny_backbone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUGCSE_CACHE", "off")
    make, fitted_on = baselines.MAKERS["sif"], []
    monkeypatch.setitem(baselines.MAKERS, "sif", lambda parts: fitted_on.extend(parts.sentences) or make(parts))
    trained(tmp_path / "run", corpus, tiny_backbone, **{"dev": "probe", "evaluation.baselines": ["sif"]})
    held_out = hold_out(lambda: sentences, 250, parser="en_ewt", seed=42).sentences
    assert set(fitted_on) == set(sentences) - held_out


def test_scores_kept_on_disk_are_of_the_same_dev_score(
    tmp_path: Path, corpus: Path, tiny_backbone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUGCSE_CACHE", str(tmp_path / "cache"))
    settings = {"dev": "probe", "evaluation.baselines": ["mean"]}
    whole = trained(tmp_path / "whole", corpus, tiny_backbone, **settings)
    part = trained(
        tmp_path / "part", corpus, tiny_backbone, **settings, **{"interpolation.weights": [1.0], "evaluation.moment_sentences": 50}
    )
    assert list(whole.record["baselines"]["mean"]["dev"]) == ["probe"]
    assert list(part.record["baselines"]["mean"]["dev"]) == ["probe_50"]


def test_scores_kept_on_disk_are_of_the_same_column(
    tmp_path: Path, sentences: list[str], tiny_backbone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUGCSE_CACHE", str(tmp_path / "cache"))
    table = tmp_path / "table.jsonl"
    table.write_text("".join(json.dumps({"a": one, "b": one[:20]}) + "\n" for one in sentences), "utf-8")
    found = [trained(tmp_path / column, table, tiny_backbone, **{"corpus.columns.original": column}).record["baselines"] for column in "ab"]
    assert found[0]["mean"] == found[1]["mean"]
    assert found[0]["sif"] != found[1]["sif"]


def test_what_cannot_be_made_is_said_and_harms_nothing(tmp_path: Path, sentences: list[str], tiny_backbone: Path) -> None:
    (tmp_path / "few.txt").write_text("\n".join(sentences[:60]) + "\n", "utf-8")
    notes: list[str] = []
    run = trained(tmp_path / "run", tmp_path / "few.txt", tiny_backbone, watcher=Watcher(note=notes.append))
    assert list(run.record["baselines"]) == ["mean", "sif", "whitened"]
    [said] = [note for note in notes if note.startswith("nothing to compare with as static or hybrid: ")]
    assert "100" in said
    assert "corpus.txt" not in said


def test_a_recipe_may_name_some(tmp_path: Path, corpus: Path, tiny_backbone: Path) -> None:
    run = trained(tmp_path / "run", corpus, tiny_backbone, **{"evaluation.baselines": ["static", "mean"]})
    assert list(run.record["baselines"]) == ["static", "mean"]
    with pytest.raises(UserError, match=r"evaluation\.baselines.*a list of mean, sif, whitened, static, hybrid"):
        load_recipe("simcse-mini", {"evaluation.baselines": ["statik"]})


def test_a_recipe_may_leave_them_out(tmp_path: Path, corpus: Path, tiny_backbone: Path) -> None:
    run = trained(tmp_path / "run", corpus, tiny_backbone, **{"evaluation.baselines": False})
    assert run.record["baselines"] == {}
    assert "training-free baseline" not in str(run)


@pytest.mark.parametrize("name", BASELINES)
@pytest.mark.parametrize(("score", "said"), [(49.0, False), (51.0, True)])
def test_a_run_below_one_says_so(name: str, score: float, said: bool) -> None:
    curves = [{"step": 0, "eval_pairs": 45.0}, {"step": 10, "eval_pairs": 50.0}]
    outcome = {**outcome_of(curves, 10, 10), "baselines": {name: {"dev": {"pairs": score}, "test": {}}}}
    warnings = warnings_of(outcome, load_recipe("simcse-mini"), False, "some.txt", "run/model")
    command = BASELINES[name].command.format(backbone="mini-bert", corpus="some.txt", model="run/model")
    assert [f"pairs {score:.2f} instead of 50.00; `{command}`" in warning for warning in warnings] == [True] * said


@pytest.mark.parametrize("name", BASELINES)
def test_the_command_of_each_makes_a_model(name: str, corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    filled = BASELINES[name].command.format(backbone=tiny_backbone, corpus=corpus, model=tiny_backbone)
    for command in filled.split(" && "):
        words = [str(tmp_path / word) if word in ("FOLDER", "STATIC") else word for word in shlex.split(command)]
        done = CliRunner().invoke(app, words[1:])
        assert done.exit_code == 0, (done.output, done.exception)
    assert (tmp_path / "FOLDER" / "modules.json").is_file()


def test_a_run_fills_the_commands_with_its_own_files(
    tmp_path: Path, tiny_backbone: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "two columns.csv"
    table.write_text("a,b\n" + "".join(f'"{line}",x\n' for line in corpus.read_text("utf-8").splitlines()[:40] if '"' not in line), "utf-8")
    given: list[object] = []
    monkeypatch.setattr("augcse.pipeline.warnings_of", lambda *arguments, **options: given.extend(arguments[3:]) or [])
    run = trained(tmp_path / "run", table, tiny_backbone, column="a", **{"evaluation.baselines": False})
    assert given == [f"'{table}' --column a", str(run.model)]
