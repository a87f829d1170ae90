"""The scripts that choose and measure: what they try, what they keep, and that a stopped one goes on."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import augcse
import changed_outputs
import choose_mini
import idle_conditions
import kept_record
import measure_spaces
import measure_switches
import mixed_text
import reproduce_cells
from augcse.analysis.spaces import measure_geometry
from augcse.annotation.pipeline import parse_sentences
from augcse.augmentations.run.composed import Parses
from augcse.config import load_recipe
from augcse.objectives.measured_gaps import measured_gaps
from augcse.sweeping.file import read_plan
from augcse.sweeping.plan import cells_of
from keep_sweep import weights_sha256


@pytest.fixture
def trained(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Stand in for training, which scores best at temperature 0.2 and without dropout, and return what it was asked for."""
    asked: list[dict[str, Any]] = []

    def train(recipe: str, **options: Any) -> SimpleNamespace:
        asked.append(options)
        score = options["objective.temperature"] - options["model.dropout_rate"] + options["training.seed"] / 1000
        curves = [{"step": 1, "loss": 1.0}, {"step": 2, "eval_stsb_dev": score}, {"step": 4, "eval_stsb_dev": score - 1}]
        return SimpleNamespace(record={"curves": curves, "precision": "fp32", "versions": {}})

    monkeypatch.setattr("augcse.pipeline.train", train)
    return asked


def _choose(log: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch, *more: str) -> None:
    monkeypatch.setattr("sys.argv", ["choose_mini", str(corpus), "--data", "data", "--log", str(log), "--seeds", "1", "2", *more])
    choose_mini.main()


def test_the_choice_tries_each_factor_and_then_the_best_together(
    trained: list[dict[str, Any]], corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _choose(tmp_path / "log.jsonl", corpus, monkeypatch)
    logged = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text("utf-8").splitlines()]
    assert len(logged) == len(trained) == 2 * (7 + 2)
    together = {**choose_mini.START, "objective.temperature": 0.2, "model.dropout_rate": 0.0}
    found = logged[-3]["settings"]
    assert found == pytest.approx({**together, "training.learning_rate": found["training.learning_rate"]})
    assert logged[-1]["settings"] == choose_mini.RIVAL
    assert {(options["dev"], options["test"], options["training.precision"]) for options in trained} == {("stsb", "none", "fp32")}
    assert capsys.readouterr().out.splitlines()[2].startswith("| 0.2 | 0 |")


def test_a_stopped_choice_runs_what_its_log_lacks(
    trained: list[dict[str, Any]], corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log.jsonl"
    _choose(log, corpus, monkeypatch)
    whole = log.read_text("utf-8").splitlines()
    log.write_text("\n".join(whole[:5]) + "\n", "utf-8")
    trained.clear()
    _choose(log, corpus, monkeypatch)
    assert len(trained) == len(whole) - 5
    assert log.read_text("utf-8").splitlines() == whole


def test_runs_of_other_steps_do_not_count(
    trained: list[dict[str, Any]], corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _choose(tmp_path / "log.jsonl", corpus, monkeypatch)
    trained.clear()
    _choose(tmp_path / "log.jsonl", corpus, monkeypatch, "--steps", "7")
    assert len(trained) == 18


def test_a_fifth_of_the_rows_repeat_one_of_fifty() -> None:
    rows = list(measure_switches.with_repetitions(f"sentence {number}" for number in range(2000)))
    assert len(rows) == 2000
    assert len(set(rows)) == 1600
    assert {rows.count(row) for row in set(rows)} == {1, 9}
    assert [row for row in rows[4::5]][:2] == ["sentence 0", "sentence 1"]


@pytest.mark.parametrize("recipe", list(measure_switches.CELLS))
def test_every_cell_is_a_setting_of_its_recipe_and_differs(recipe: str) -> None:
    cells = [(load_recipe(recipe, settings), corpus) for settings, corpus in measure_switches.CELLS[recipe].values()]
    assert all(cells.count(cell) == 1 for cell in cells)


def test_records_keep_no_folders() -> None:
    record = {"corpus": [{"path": "/a/b/plain.txt", "sha256": "0"}], "data": {"folder": "/c/data", "sha256": {}}, "steps": 4}
    kept = kept_record.without_folders(record)
    assert kept == {"corpus": [{"path": "plain.txt", "sha256": "0"}], "data": {"folder": "data", "sha256": {}}, "steps": 4}


def test_the_mixed_text_is_what_its_list_says(data_folder: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: Any) -> None:
    monkeypatch.setattr("sys.argv", ["mixed_text", str(data_folder)])
    mixed_text.main()
    expected = json.loads(mixed_text.LIST.read_text("utf-8"))
    assert capsysbinary.readouterr().out.count(b"\n") == expected["sentences"] == sum(part["sentences"] for part in expected["parts"])


def test_mixed_text_of_other_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = json.loads(mixed_text.LIST.read_text("utf-8"))["parts"][0]
    (tmp_path / part["file"]).parent.mkdir(parents=True)
    (tmp_path / part["file"]).write_text("Something else.\n")
    monkeypatch.setattr("sys.argv", ["mixed_text", str(tmp_path)])
    with pytest.raises(SystemExit, match=r"brown.*SHA-256"):
        mixed_text.main()


def test_spaces_of_a_run_are_those_of_the_commands(tmp_path: Path, corpus: Path, tiny_backbone: Path, data_folder: Path) -> None:
    settings = {"max_steps": 2, "batch_size": 8, "training.precision": "fp32"}
    output = tmp_path / "runs" / "one"
    run = augcse.train("simcse-mini", corpus=corpus, output=output, model=str(tiny_backbone), workers=1, dev="none", test=(), **settings)
    measure_spaces.measure(tmp_path, data_folder, 60)
    found = json.loads((output / "spaces.json").read_text("utf-8"))
    assert list(found) == ["model", *measure_spaces.FREE]
    geometry = measure_geometry([str(run.model)], data_folder)[str(run.model)].figures
    [probed] = augcse.probe(str(run.model), corpus, sample=60).models
    assert found["model"] == pytest.approx(
        {"alignment": geometry["alignment"], "uniformity": geometry["uniformity"], "probe": probed.summary}, abs=1e-3
    )
    assert found["mean"] != found["sif"]


def test_a_run_made_again_from_its_record_is_the_same_and_another_is_not(tmp_path: Path, corpus: Path, tiny_backbone: Path) -> None:
    settings = {"max_steps": 3, "batch_size": 8, "training.precision": "fp32"}
    run = augcse.train("simcse-mini", corpus=corpus, output=tmp_path / "one", model=str(tiny_backbone), dev="none", test=(), **settings)
    record = {**run.record, "weights_sha256": weights_sha256(run.model)}
    assert list(record["weights_sha256"]) == ["model.safetensors"]
    assert reproduce_cells.corpus_of(record, [tiny_backbone / "config.json", corpus]) == corpus
    assert reproduce_cells.differing(record, corpus, None, tmp_path / "again") == []
    record["recipe"]["training"]["seed"] += 1
    assert reproduce_cells.differing(record, corpus, None, tmp_path / "other") == ["weights_sha256", "curves"]


def test_runs_are_drawn_from_those_that_can_be_made_again_here() -> None:
    def record(processor: str) -> dict[str, Any]:
        return {"hardware": {"processor": processor}, "weights_sha256": {}}

    records = {f"run{number}": record("here" if number % 2 else "there") for number in range(40)} | {
        "old": {"hardware": {"processor": "here"}}
    }
    assert {name for draw in range(60) for name in reproduce_cells.drawn(records, 2, draw, "here")} == {f"run{n}" for n in range(1, 40, 2)}
    assert reproduce_cells.drawn(records, 3, 7, "here") == reproduce_cells.drawn(dict(reversed(records.items())), 3, 7, "here")
    with pytest.raises(SystemExit, match="0 records that name their weights come from nowhere"):
        reproduce_cells.drawn(records, 2, 0, "nowhere")


def test_the_benchmark_has_the_margins_that_were_measured() -> None:
    [cell] = [cell for cell in cells_of(read_plan("benchmark-mini", {}), {}) if cell.row == "SNCSE, measured margins"]
    folder = Path(__file__).resolve().parents[1] / "docs" / "results" / "scoring"
    written = cell.recipe.objective.options()["gaps"]
    assert [list(pair) for pair in written] == measured_gaps(str(folder), cell.recipe.augmentation.names)


def test_changed_outputs_are_counted_between_two_sources() -> None:
    names = changed_outputs.rules_of("benchmark-mini")
    assert {"ContractionExpansions", "GenderSwap", "chain(ModalVerbs, PunctuationInsertion)"} <= set(names)
    assert not any(name.startswith("UNA") for name in names)
    rows = ["She's here.", "The bell rang."]
    written = changed_outputs.outputs(Path(augcse.__file__).parents[1], ["ContractionExpansions"], rows)
    assert written == {"ContractionExpansions": ["She is here.", None]}
    assert changed_outputs.differing(["She is here.", None], ["She is here.", "A bell rang."]) == 1


def test_changed_outputs_of_one_rule_leave_the_counts_of_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus, record = tmp_path / "text", tmp_path / "changed" / "mini.json"
    corpus.write_text("A.\nB.\n", "utf-8")
    monkeypatch.setattr(changed_outputs, "RESULTS", tmp_path)
    monkeypatch.setattr(changed_outputs, "rules_of", lambda _: ["One", "Two"])
    monkeypatch.setattr(changed_outputs, "outputs_of", lambda commit, names, rows: {name: [commit, None] for name in names})

    def counted(written: str, *more: str) -> dict[str, dict[str, int]]:
        monkeypatch.setattr(changed_outputs, "outputs", lambda _, names, rows: {name: [written, None] for name in names})
        monkeypatch.setattr("sys.argv", ["changed", "mini", "--corpus", str(corpus), *more])
        changed_outputs.main()
        commits: dict[str, dict[str, int]] = json.loads(record.read_text("utf-8"))["commits"]
        return commits

    assert counted("a", "--commit", "a", "--commit", "b") == {"a": {"One": 0, "Two": 0}, "b": {"One": 1, "Two": 1}}
    assert counted("b", "--commit", "b", "--rules", "Two") == {"a": {"One": 0, "Two": 0}, "b": {"One": 1, "Two": 0}}


_RULE = """
def rule(a, b):
    if a and not b:
        return [x for x in (1, 2) if x > a]
    return "one" if b else None
"""


def test_each_condition_is_taken_away_once() -> None:
    [definition] = ast.parse(_RULE).body
    assert isinstance(definition, ast.FunctionDef)
    inputs = [(0, False), (1, False), (1, True), (0, True)]
    behaviour = {}
    for condition in idle_conditions.conditions_of(definition):
        names: dict[str, Any] = {}
        mutant = idle_conditions.without(definition, condition)
        exec(compile(ast.fix_missing_locations(ast.Module([mutant], [])), "rule", "exec"), names)
        behaviour[condition.text] = [names["rule"](*values) for values in inputs]
    assert behaviour == {
        "if a and (not b): always False": [None, None, "one", "one"],
        "if a and (not b): always True": [[1, 2], [2], [2], [1, 2]],
        "and a": [[1, 2], [2], "one", "one"],
        "and not b": [None, [2], [2], "one"],
        "for ... if x > a": [None, [1, 2], "one", "one"],
        "if b: always False": [None, [2], None, None],
        "if b: always True": ["one", [2], "one", "one"],
    }


def test_a_condition_that_decides_is_not_idle_and_the_rule_is_itself_again(monkeypatch: pytest.MonkeyPatch) -> None:
    sentences = ["He isn't here.", "He is not here.", "The bell rang."]
    sample = idle_conditions.Sample(sentences, Parses(parse_sentences))
    monkeypatch.setattr(idle_conditions, "_SHARED", [sample])
    path = idle_conditions.ROOT / "rules" / "surface" / "contraction_expansions" / "rule.py"
    with idle_conditions.noting(list(idle_conditions.sites_of(path))):
        sample.outputs["ContractionExpansions"], sample.decided["ContractionExpansions"] = idle_conditions.observe("ContractionExpansions")
    assert sample.outputs["ContractionExpansions"] == ["He is not here.", "He isn't here.", None]

    idle = idle_conditions.idle_conditions(1, path)

    conditions = [finding.where.partition(" | ")[2] for finding in idle]
    assert "if '’' in sentence: always False" in conditions  # no sentence has one
    assert "if not found: always False" not in conditions  # the second sentence is contracted
    assert sample.apply("ContractionExpansions", [0, 1, 2]) == ["He is not here.", "He isn't here.", None]
