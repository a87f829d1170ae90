"""A real sweep of a tiny encoder: processes of their own, ordinary run folders, what is finished is kept, a failure is one row."""

from __future__ import annotations

import json
import logging
import statistics
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from augcse.cli.app import app
from augcse.config import load_recipe
from augcse.errors import UserError
from augcse.pipeline import train
from augcse.sweeping.runs import RunResult, RunSpec
from augcse.sweeping.sweep import Sweep, sweep, workers_and_devices
from augcse.training.inputs import read_inputs, write_inputs

SETTINGS: dict[str, Any] = {"batch_size": 20, "max_steps": 3, "training.precision": "fp32", "log_every_steps": 1}
PAIRS = "".join(f"{grade % 6}\tA cat sat on mat {grade}.\tThe cat was sitting on mat {grade % 4}.\n" for grade in range(12))


@pytest.fixture(scope="module")
def dev(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("dev") / "pairs.tsv"
    path.write_text(PAIRS, "utf-8")
    return str(path)


def make(output: Path, corpus: Path, model: Path, dev: str, *lines: list[str], **more: Any) -> Sweep:
    notify = lines[0].append if lines else logging.getLogger().info
    wanted = {"grid": {"temperature": [0.05, 0.5]}, "seeds": [1, 2], "workers": 2, **SETTINGS, **more}
    return sweep("simcse-mini", corpus=corpus, output=output, model=str(model), dev=dev, notify=notify, **wanted)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, corpus: Path, tiny_backbone: Path, dev: str) -> Sweep:
    return make(tmp_path_factory.mktemp("sweep") / "out", corpus, tiny_backbone, dev)


@pytest.mark.parametrize(("dev", "said"), [("auto", 1), ("none", 0)])
def test_a_sweep_that_scores_nothing_unasked_says_so_before_its_runs(
    dev: str, said: int, corpus: Path, tiny_backbone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[str] = []
    monkeypatch.setattr("augcse.sweeping.runs.run_all", lambda *orders, **options: lines.append("the runs"))
    make(tmp_path / "out", corpus, tiny_backbone, dev, lines)
    before = lines[: lines.index("the runs")]
    assert sum("no cell will be best (--dev pairs.tsv" in line for line in before) == said


def test_a_grid_of_augmentations_that_nothing_draws_from_is_refused(corpus: Path, tmp_path: Path) -> None:
    arguments = ["--corpus", str(corpus), "--output", str(tmp_path / "out"), "--dev", "none", "--grid", "names=4-aug-2,8-aug-2"]
    refused = CliRunner().invoke(app, ["sweep", "simcse-mini", *arguments])
    assert isinstance(refused.exception, UserError)
    assert str(refused.exception).startswith("augmentation.names is ['ContractionExpansions', ")
    assert "objective simcse with these settings draws nothing from it" in str(refused.exception)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"grid": {"temperature": 0.1}}, "grid is .*0.1.*; give a dictionary of lists"),
        ({"grid": [("temperature", [0.1])]}, r"grid is .*; give a dictionary of lists"),
        ({"grid": "temperature=0.1"}, "grid is 'temperature=0.1'; give a dictionary of lists"),
        ({"seeds": 1}, "seeds is 1; give a list"),
        ({"seeds": "1,2"}, "seeds is '1,2'; give a list"),
        ({"settings": "max_steps=1"}, "settings is 'max_steps=1'; give a dictionary"),
        ({"settings": {"max_stps": 1}}, "unknown key 'max_stps'; did you mean"),
        ({"rows": 3}, "rows is 3; give a text, or a list of texts"),
    ],
)
def test_an_argument_of_another_type_is_named(arguments: dict[str, Any], message: str, corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=message):
        sweep("simcse-mini", corpus=corpus, output=tmp_path / "out", **arguments)


def _listed(*arguments: str) -> dict[str, Any]:
    shown = CliRunner().invoke(app, ["sweep", "simcse-mini", "--list", "--json", "--set", "max_steps=-1", *arguments])
    if shown.exception is not None and not isinstance(shown.exception, SystemExit):
        raise shown.exception
    [card] = json.loads(shown.stdout)
    return dict(card)


def test_a_list_counts_the_steps_on_the_corpus(corpus: Path, tmp_path: Path) -> None:
    assert _listed()["steps"] is None
    assert _listed("--corpus", str(corpus), "--set", "batch_size=40")["steps"] == 10
    table = tmp_path / "two.csv"
    table.write_text("a,b\n" + "".join(f"Sentence {row}.,{'It ran.' if row < 20 else ''}\n" for row in range(60)), "utf-8")
    steps = [_listed("--corpus", str(table), "--column", column, "--set", "batch_size=10")["steps"] for column in "ab"]
    assert steps == [6, 2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--corpus", "no.txt"], "no corpus file no.txt"),
        (["--dev", "nope"], "unknown task 'nope'"),
        (["--data", "nowhere"], "no data folder nowhere"),
        (["--set", "names=Nope"], "unknown augmentation 'Nope'"),
        (["--grid", "names=4-aug-2,8-aug-2"], "objective simcse with these settings draws nothing from it"),
        (["--set", "start.steps=nope"], "start.steps: unknown"),
        (["--set", "settings=nope"], "unknown key 'settings'"),
    ],
)
def test_a_list_refuses_what_the_run_refuses(arguments: list[str], message: str) -> None:
    with pytest.raises(UserError, match=message):
        _listed(*arguments)


def test_sentences_are_counted_in_the_column_of_the_originals(tiny_backbone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "nli.csv"
    rows = "".join(f"A cat sat on mat {row}.,It sat.,It ran.\n" if row < 30 else ",It sat.,It ran.\n" for row in range(50))
    table.write_text(f"sent0,sent1,hard_neg\n{rows}", "utf-8")
    lines: list[str] = []
    monkeypatch.setattr("augcse.sweeping.runs.run_all", lambda *orders, **options: None)
    settings = {"grid": {"corpus.columns.original": ["sent0", "sent1"]}, "seeds": [1], "batch_size": 10, "max_steps": -1}
    sweep("simcse-supervised-mini", corpus=table, output=tmp_path / "out", model=str(tiny_backbone), notify=lines.append, **settings)
    assert any("to do: 2 runs, 8 steps" in line for line in lines)


def test_steps_that_were_made_before_are_not_to_be_made(
    corpus: Path, tiny_backbone: Path, dev: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run_all(specs: list[RunSpec], workers: int, **options: Any) -> None:
        options["advance"](10)
        options["finished"](specs[0], RunResult("it is not really run"))

    monkeypatch.setattr("augcse.sweeping.runs.run_all", run_all)
    (tmp_path / "out" / "runs" / "simcse-mini-temperature=0.5-seed2" / "checkpoints" / "checkpoint-2").mkdir(parents=True)
    (tmp_path / "out" / "sweep.json").write_text('{"sweep": "simcse-mini"}', "utf-8")
    lines: list[str] = []
    make(tmp_path / "out", corpus, tiny_backbone, dev, lines)
    assert any("to do: 4 runs, 10 steps" in line for line in lines)
    assert any("10/10 steps" in line for line in lines)


def test_the_table_is_that_of_the_runs_records(made: Sweep) -> None:
    for cell in made.document["cells"]:
        records = [json.loads((made.folder / "runs" / run["run"] / "run.json").read_text("utf-8")) for run in cell["runs"]]
        assert [record["recipe"]["training"]["seed"] for record in records] == [1, 2]
        assert {record["recipe"]["objective"]["temperature"] for record in records} == {cell["settings"]["temperature"]}
        dev = [next(iter(record["best"]["dev"].values())) for record in records]
        assert cell["dev"]["mean"] == round(statistics.fmean(dev), 4)
        assert cell["dev"]["max"] == round(max(dev), 4)
    best = max(made.document["cells"], key=lambda cell: cell["dev"]["mean"])
    assert made.best == best["name"]
    assert json.loads((made.folder / "table.json").read_text("utf-8")) == made.document
    page = (made.folder / "report.html").read_text("utf-8")
    assert "<h2" in page
    assert made.best in page
    assert {entry["baseline"] for entry in made.document["cost_nothing"]} == {"mean", "sif", "whitened", "static"}


def test_a_run_of_a_sweep_is_a_run_of_train(made: Sweep, corpus: Path, tiny_backbone: Path, dev: str, tmp_path: Path) -> None:
    recipe = load_recipe("simcse-mini", {**SETTINGS, "temperature": 0.5, "training.seed": 2, "model.backbone": str(tiny_backbone)})
    alone = train(recipe, corpus=corpus, output=tmp_path / "alone", dev=dev, workers=1)
    folder = made.folder / "runs" / "simcse-mini-temperature=0.5-seed2"
    assert (folder / "model" / "model.safetensors").read_bytes() == (alone.model / "model.safetensors").read_bytes()
    assert json.loads((folder / "run.json").read_text("utf-8"))["best"] == alone.record["best"]
    # Only what a finished run needs is kept.
    assert {path.name for path in folder.iterdir()} == {"model", "run.json", "recipe.toml", "inputs.json"}


def test_again_is_nothing_to_do_and_another_seed_is_added(made: Sweep, corpus: Path, tiny_backbone: Path, dev: str) -> None:
    records = {path: path.stat().st_mtime_ns for path in made.folder.glob("runs/*/run.json")}
    before = (made.folder / "table.json").read_bytes()
    again = make(made.folder, corpus, tiny_backbone, dev)
    assert again.document == made.document
    assert (made.folder / "table.json").read_bytes() == before
    assert {path: path.stat().st_mtime_ns for path in records} == records
    lines: list[str] = []
    one_more = make(made.folder, corpus, tiny_backbone, dev, lines, grid={"temperature": [0.5]}, seeds=[1, 2, 3])
    assert [run["seed"] for run in one_more.document["cells"][0]["runs"]] == [1, 2, 3]
    assert any("2 of 3 runs are finished; to do: 1 run, 3 steps" in line for line in lines)
    assert {path: path.stat().st_mtime_ns for path in records} == records


def test_a_seed_is_added_to_a_sweep_of_an_older_version_that_recorded_every_file_of_the_data(
    corpus: Path, tiny_backbone: Path, dev: str, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    arguments = {"grid": {}, "data": tmp_path / "data", "test": "none", "evaluation.baselines": False}
    older = make(tmp_path / "out", corpus, tiny_backbone, dev, seeds=[1], **arguments)
    run = older.folder / "runs" / "simcse-mini-seed1"
    inputs = read_inputs(run)
    write_inputs(run, {**inputs, "data": {**inputs["data"], "sha256": {"sts/SICK/test.tsv": "0" * 64}}})
    one_more = make(older.folder, corpus, tiny_backbone, dev, seeds=[1, 2], **arguments)
    assert [run["seed"] for run in one_more.document["cells"][0]["runs"]] == [1, 2]
    assert one_more.failed == {}


def test_the_command_names_the_best_cell_once(made: Sweep, corpus: Path, tiny_backbone: Path, dev: str) -> None:
    command = ["sweep", "simcse-mini", "--corpus", str(corpus), "--model", str(tiny_backbone), "--dev", dev, "--output", str(made.folder)]
    settings = [argument for key, value in SETTINGS.items() for argument in ("--set", f"{key}={value}")]
    done = CliRunner().invoke(app, [*command, "--grid", "temperature=0.05,0.5", "--seeds", "1,2", *settings])
    assert done.exit_code == 0, done.output
    assert (done.output.count("best by"), done.stdout.count("best by")) == (1, 1)


def test_a_failed_run_is_one_row_and_does_not_stop_the_others(corpus: Path, tiny_backbone: Path, dev: str, tmp_path: Path) -> None:
    letter = tmp_path / "out" / "runs" / "simcse-mini-seed1" / "letter.txt"
    letter.parent.mkdir(parents=True)
    letter.write_text("a letter", "utf-8")
    (tmp_path / "out" / "sweep.json").write_text('{"sweep": "simcse-mini"}', "utf-8")
    failed = make(tmp_path / "out", corpus, tiny_backbone, dev, grid={}, baselines=False)
    assert list(failed.failed) == ["simcse-mini-seed1"]
    assert "is not empty; choose another --output" in failed.failed["simcse-mini-seed1"]
    assert "test" in failed.document["cells"][0]["runs"][1]
    assert failed.best is None
    assert 'class="bad"' in (tmp_path / "out" / "report.html").read_text("utf-8")
    letter.unlink()
    assert not make(tmp_path / "out", corpus, tiny_backbone, dev, grid={}, baselines=False).failed


def test_a_folder_of_another_text_or_setting_is_refused_by_name(made: Sweep, tiny_backbone: Path, dev: str, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("".join(f"Sentence number {number} is here.\n" for number in range(100)), "utf-8")
    with pytest.raises(UserError, match=r"holds a run with corpus\.1\.sha256 = .* \(now .*\); choose another --output"):
        make(made.folder, other, tiny_backbone, dev)


def test_another_setting_that_no_cell_name_shows_is_refused(made: Sweep, corpus: Path, tiny_backbone: Path, dev: str) -> None:
    with pytest.raises(UserError, match=r"holds a run with training\.max_steps = 3 \(now 4\); choose another --output"):
        make(made.folder, corpus, tiny_backbone, dev, max_steps=4)


def test_a_run_at_a_time_per_gpu_or_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.device_count", lambda: 0)
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    assert workers_and_devices(None, 10) == (4, [])
    assert workers_and_devices(None, 3) == (3, [])
    assert workers_and_devices(7, 10) == (7, [])
    assert workers_and_devices(None, 0) == (1, [])
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    assert workers_and_devices(None, 10) == (2, ["0", "1"])
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3,5")
    assert workers_and_devices(4, 10) == (4, ["3", "5"])
