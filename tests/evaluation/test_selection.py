"""Selecting a model while it trains: by development rows alone, by tasks and suites with weights, and without a trace in its weights."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from augcse import evaluate, train
from augcse.config import load_recipe
from augcse.encoding.model import load_encoder
from augcse.errors import UserError
from augcse.evaluation.base import TASKS, ClassifierName, EvaluationOptions, expand_suites
from augcse.evaluation.evaluator import TaskEvaluator
from augcse.evaluation.run_scores import RunEvaluation
from augcse.evaluation.selection import read_selection, task_weights
from augcse.evaluation.tasks.transfer import TransferTask
from augcse.resources import DEMO_PAIRS
from augcse.training.inputs import differences
from augcse.training.watcher import Watcher
from made_up_tasks import labelled_files, small_copy

TRANSFER = expand_suites(["transfer"])["transfer"]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory, sentences: list[str]) -> Iterator[Path]:
    """Small transfer tasks, without their test rows, in place of the real ones; and as many pairs as STSB-dev has."""
    folder = tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        for name in TRANSFER:
            small = small_copy(TASKS.get(name), folder)
            for file in small.files.get("test", ()):
                (folder / file.path).unlink()
            patch.setitem(TASKS._members, name, small)
        pairs = folder / "sts" / "STSB" / "dev.tsv"
        pairs.parent.mkdir(parents=True)
        pairs.write_text("".join(f"{row % 6}\t{sentences[row % 90]}\t{sentences[row * 7 % 80]}\n" for row in range(1500)), "utf-8")
        yield folder


@pytest.fixture
def chinese(tmp_path: Path, sentences: list[str]) -> Path:
    """As many pairs as the development files of the Chinese and the English STS Benchmark have."""
    for name, pairs in (("zh/CNSD-STSB/dev.tsv", 1458), ("sts/STSB/dev.tsv", 1500)):
        path = tmp_path / "data" / name
        path.parent.mkdir(parents=True)
        path.write_text("".join(f"{row % 6}\t{sentences[row % 90]}\t{sentences[row * 7 % 80]}\n" for row in range(pairs)), "utf-8")
    return tmp_path / "data"


@pytest.mark.parametrize("classifier", ["lbfgs", "senteval"])
@pytest.mark.parametrize("name", ["CR", "TREC", "MRPC", "SST2"])
def test_dev_is_the_fast_protocols_development_accuracy(name: str, classifier: ClassifierName, tmp_path: Path) -> None:
    task = small_copy(TASKS.get(name), tmp_path)
    assert isinstance(task, TransferTask)
    fast, dev = (task.configured(EvaluationOptions(classifier, protocol)).load(tmp_path) for protocol in ("fast", "dev"))
    row_of = {sentence: row for row, sentence in enumerate(dict.fromkeys(fast.sentences()))}
    embeddings = np.random.default_rng(0).normal(size=(len(row_of), 8)).astype(np.float32)
    found = dev.measure(embeddings, row_of)
    assert found == {"dev accuracy": fast.measure(embeddings, row_of)["dev accuracy"]}
    assert dev.score(embeddings, row_of) == found["dev accuracy"]
    assert (len(dev.sentences()) < len(fast.sentences())) == ("test" in task.files)


def test_an_evaluator_selects_by_development_rows(data: Path, tiny_backbone: Path) -> None:
    model = load_encoder(str(tiny_backbone))
    found = TaskEvaluator(["TREC", "SST2"], data).score(model)
    expected = evaluate(model, ("TREC", "SST2"), data, protocol="dev")
    assert {name: found[name] for name in expected.scores} == expected.scores
    assert expected.options["protocol"] == "dev"
    with pytest.raises(UserError, match=r"no file .*TREC_10\.label"):
        TaskEvaluator("TREC", data, options=EvaluationOptions())


def test_a_suite_weighs_as_the_mean_of_its_tasks() -> None:
    assert task_weights({"transfer": 7.0, "CR": 0.5, "STSB-dev": 2.0}) == {
        **dict.fromkeys(TRANSFER, 1.0),
        "CR": 1.5,
        "STSB-dev": 2.0,
    }
    with pytest.raises(UserError, match="did you mean transfer"):
        task_weights({"transfr": 1.0})


def test_training_selects_by_tasks_and_suites(data: Path, tiny_backbone: Path) -> None:
    measure = read_selection("STSB-dev=2,transfer=0.5").measure(data)
    assert measure is not None
    found = measure(load_encoder(str(tiny_backbone))).figures
    assert list(found) == ["selection", "STSB-dev", *TRANSFER]
    mean = sum(found[name] for name in TRANSFER) / len(TRANSFER)
    assert found["selection"] == pytest.approx(2 * found["STSB-dev"] + 0.5 * mean)
    alone = read_selection("transfer").measure(data)
    assert alone is not None
    assert alone(load_encoder(str(tiny_backbone))).figures["selection"] == pytest.approx(mean)


@pytest.mark.parametrize(
    ("dev", "message"),
    [
        ("transfr", "did you mean transfer"),
        ("no/pairs.tsv", r"no file no/pairs\.tsv"),
        ("STSB-dev,CR=x", "the weight 'x' of CR"),
        ("STSB-dev=2,CR=-1", "the weight -1 of CR is negative"),
    ],
)
def test_what_is_neither_file_nor_task_is_refused(dev: str, message: str, data: Path) -> None:
    with pytest.raises(UserError, match=message):
        read_selection(dev).measure(data)


def test_weights_of_a_name_that_is_repeated_add_up(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    assert read_selection(f"{pairs},{pairs},STSB-dev=1,STSB-dev=2").weights == {str(pairs): 2.0, "STSB-dev": 3.0}


def test_every_score_is_called_what_it_measures(tmp_path: Path) -> None:
    pairs, labels = tmp_path / "pairs.tsv", tmp_path / "labels.tsv"
    pairs.write_text("1\ta\tb\n2\tc\td\n", "utf-8")
    labels.write_text("label\ttext\nx\ta\ny\tb\n", "utf-8")
    assert RunEvaluation(str(pairs), (str(labels), "STSB", "CR"), tmp_path).measures() == {
        "dev": {"pairs": "Spearman x 100"},
        "test": {"labels": "accuracy x 100", "STSB": "Spearman x 100", "CR": "test accuracy x 100"},
    }
    assert RunEvaluation("stsb", (), None).measures() == {"dev": {"stsb_dev": "Spearman x 100"}, "test": {}}
    assert RunEvaluation("CR=1,STSB-dev", (), None).measures()["dev"] == {"CR": "dev accuracy x 100", "STSB-dev": "Spearman x 100"}
    assert [RunEvaluation(dev, (), None).measures()["dev"] for dev in ("probe", "none")] == [{}, {}]


def test_a_file_that_selects_and_tests_is_warned_of(tmp_path: Path) -> None:
    rows = [f"{label}\tSentence {number} of {label}.\n" for number in range(15) for label in ("good", "bad")]
    train, other, copy = (tmp_path / name for name in ("train.tsv", "other.tsv", "copy.tsv"))
    for path in (train, copy):
        path.write_text("label\tsentence\n" + "".join(rows), "utf-8")
    other.write_text("label\tsentence\n" + "".join(reversed(rows)), "utf-8")

    def warned(dev: str, *tests: str) -> list[str]:
        return [line.partition(" is the content")[0] for line in RunEvaluation(dev, tests, None).check() if "--dev" in line]

    assert warned(str(train), str(copy)) == [str(copy)]
    assert warned(f"{train}=2,{other}=1", str(train)) == [str(train)]
    # Classifiers are compared on folds of the first, and tested on the second.
    assert warned(f"{train}+{other}", f"{train}+{other}") == []
    assert warned("none", str(train)) == []


def _stated(recipe: str, dev: str, test: str, data: Path | None) -> tuple[str, tuple[str, ...]]:
    found = RunEvaluation.stated(load_recipe(recipe), dev, test, data)
    return found.dev, found.tests


def test_a_recipe_states_what_selects_and_what_tests(data: Path) -> None:
    assert _stated("augcse-bert-transfer", "auto", "auto", data) == ("transfer", ("transfer",))
    assert _stated("simcse-mini", "auto", "auto", data) == ("auto", ("sts",))


def test_the_command_line_takes_precedence_over_the_recipe(data: Path) -> None:
    assert _stated("augcse-bert-transfer", "stsb", "none", data) == ("stsb", ())


def test_without_data_nothing_that_a_recipe_states_is_scored() -> None:
    assert _stated("augcse-bert-transfer", "auto", "auto", None)[0] == "none"


@pytest.mark.parametrize("test", ["sts", "STSB-dev,CR"])
def test_tasks_that_were_asked_for_are_not_left_out_without_data(test: str) -> None:
    with pytest.raises(UserError, match=f"--test {test} needs --data"):
        _stated("simcse-mini", "auto", test, None)


def test_files_of_ones_own_need_no_data_beside_tasks_that_do(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("1\ta\tb\n2\tc\td\n", "utf-8")
    assert _stated("simcse-mini", "auto", str(pairs), None)[1] == (str(pairs),)
    with pytest.raises(UserError, match="--test sts needs --data"):
        _stated("simcse-mini", "auto", f"sts,{pairs}", None)


def test_a_run_without_data_says_that_nothing_is_scored(tiny_backbone: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("One sentence.\n", "utf-8")
    notes: list[str] = []
    with pytest.raises(UserError, match="one sentence only"):
        train("simcse-mini", corpus=corpus, output=tmp_path / "run", model=str(tiny_backbone), watcher=Watcher(note=notes.append))
    assert [note.split(":")[0] for note in notes] == ["no --data"]


@pytest.mark.parametrize(("dev", "test"), [("CNSD-STSB-dev", "none"), ("none", "CNSD-STSB-dev"), ("STSB-dev,CNSD-STSB-dev", "STSB-dev")])
def test_a_change_of_any_file_that_is_scored_is_another_input(dev: str, test: str, chinese: Path) -> None:
    evaluation = RunEvaluation.stated(load_recipe("simcse-mini"), dev, test, chinese)
    before = evaluation.inputs()
    _change(chinese / "zh" / "CNSD-STSB" / "dev.tsv")
    assert evaluation.inputs() != before


def test_a_dev_task_that_a_recipe_states_is_checked_without_data_too() -> None:
    with pytest.raises(UserError, match="unknown task 'nope'"):
        RunEvaluation.stated(load_recipe("simcse-mini", {"evaluation.dev": "nope"}), "auto", "auto", None)


def test_selecting_by_development_rows_names_no_other_file(data: Path) -> None:
    evaluation = RunEvaluation.stated(load_recipe("simcse-mini"), "transfer", "none", data)
    read = {str(path.relative_to(data)) for path in (data / "transfer").rglob("*") if path.is_file()}
    assert set(evaluation.inputs()["data"]["sha256"]) == read


@pytest.mark.parametrize("dev", ["none", "probe", str(DEMO_PAIRS)])
def test_a_data_folder_that_nothing_is_read_from_is_no_input(dev: str, data: Path) -> None:
    tests = [str(DEMO_PAIRS)]
    with_data, without = (RunEvaluation.stated(load_recipe("simcse-mini"), dev, tests, folder).inputs() for folder in (data, None))
    assert with_data == {**without, "data": {"folder": str(data), "sha256": {}}}
    assert differences(with_data, without) == differences(without, with_data) == ([], [])


def test_a_data_folder_that_nothing_is_read_from_any_more_is_not_said_to_be_missing(data: Path) -> None:
    before, now = (RunEvaluation.stated(load_recipe("simcse-mini"), dev, "none", data).inputs() for dev in ("STSB-dev", str(DEMO_PAIRS)))
    assert {text.partition(" = ")[0] for text in differences(before, now)[0]} == {"dev.tasks", "dev.files.pairs.1.sha256"}


@pytest.mark.parametrize(("made_by_dev", "finished"), [("CNSD-STSB-dev", True), ("CNSD-STSB-dev", False), (str(DEMO_PAIRS), False)])
def test_a_run_of_an_older_version_that_recorded_every_file_of_the_folder_goes_on(
    made_by_dev: str, finished: bool, chinese: Path, corpus: Path, tiny_backbone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def of_every_file(self: RunEvaluation) -> dict[str, Any]:
        now = inputs(self)
        return {**now, "data": {**now["data"], "sha256": {**now["data"]["sha256"], "sts/SICK/test.tsv": "0" * 64}}}

    settings = {"batch_size": 40, "max_steps": 1, "workers": 1, "dev": made_by_dev, "test": "none", "evaluation.baselines": False}
    arguments = {"corpus": corpus, "output": tmp_path / "run", "model": str(tiny_backbone), "data": chinese, **settings}
    inputs = RunEvaluation.inputs
    with monkeypatch.context() as older:
        older.setattr(RunEvaluation, "inputs", of_every_file)
        run = train("simcse-mini", **arguments)
    if not finished:
        (run.folder / "run.json").unlink()
    again = train("simcse-mini", resume=True, **arguments)
    assert again.record["resumed_from_steps"] == ([] if finished else [1])
    assert again.record["curves"] == run.record["curves"]


def test_resuming_with_other_data_is_refused(chinese: Path, corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    settings = {"batch_size": 40, "max_steps": 1, "workers": 1, "dev": "CNSD-STSB-dev", "test": "none", "evaluation.baselines": False}
    arguments = {"corpus": corpus, "output": tmp_path / "run", "model": str(tiny_backbone), "data": chinese, **settings}
    train("simcse-mini", **arguments)
    train("simcse-mini", resume=True, **arguments)
    _change(chinese / "zh" / "CNSD-STSB" / "dev.tsv")
    with pytest.raises(UserError, match=r"holds a run with data\.sha256\.zh/CNSD-STSB/dev\.tsv = "):
        train("simcse-mini", resume=True, **arguments)


def _change(path: Path) -> None:
    path.write_text(path.read_text("utf-8").replace("The ", "An "), "utf-8")


def test_training_selects_and_tests_by_what_the_recipe_states(data: Path, corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    settings = {"batch_size": 40, "max_steps": 2, "evaluation.dev": "TREC", "evaluation.test": ["STSB-dev"]}
    run = train("simcse-mini", corpus=corpus, output=tmp_path / "run", model=str(tiny_backbone), data=data, workers=1, **settings)
    assert (run.record["dev"], run.record["test"]) == ("TREC", ["STSB-dev"])
    assert any("eval_TREC" in entry for entry in run.record["curves"])
    assert list(run.record["scores"]) == ["STSB-dev"]


def test_a_file_called_like_a_task_is_named_by_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tiny_backbone: Path) -> None:
    (tmp_path / "CR").write_text("1\ta\tb\n2\tc\td\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert read_selection("CR").own_files == []
    measure = read_selection("./CR").measure(None)
    assert measure is not None
    # CR names the task, and no file is called by the name of another.
    assert list(measure(load_encoder(str(tiny_backbone))).figures) == ["./CR"]


def test_transfer_tasks_in_training_change_no_weight(data: Path, corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    settings = {"batch_size": 40, "max_steps": 5, "eval_every_steps": 2, "learning_rate": 1e-3}

    def weights(name: str, dev: str) -> dict[str, torch.Tensor]:
        folder = tmp_path / name
        train("simcse-mini", corpus=corpus, output=folder, model=str(tiny_backbone), data=data, dev=dev, test="none", workers=1, **settings)
        [last] = (folder / "checkpoints").glob("checkpoint-*")
        return load_file(last / "model.safetensors")

    without, scored = weights("without", "none"), weights("scored", "STSB-dev,transfer=2")
    assert all(torch.equal(without[name], scored[name]) for name in without)
    curves = json.loads((tmp_path / "scored" / "run.json").read_text("utf-8"))["curves"]
    selections = [(entry["step"], entry["eval_selection"]) for entry in curves if "eval_selection" in entry]
    assert [step for step, _ in selections] == [0, 2, 4, 5]
    best = json.loads((tmp_path / "scored" / "checkpoints" / "best" / "score.json").read_text("utf-8"))
    assert best["score"] == max(score for _, score in selections)


def test_test_files_are_really_absent(data: Path) -> None:
    assert not any((data / file.path).exists() for name in ("TREC", "SST2", "MRPC") for file in labelled_files(TASKS.get(name))[-1:])
