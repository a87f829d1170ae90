"""Files of one's own as tasks: read in every format, named in tables, scored as registered tasks are, and refused by file and row."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import augcse
from augcse.cli.app import app
from augcse.encoding.model import encode_distinct, load_encoder
from augcse.errors import UserError
from augcse.evaluation.base import EvaluationOptions, load_task, task_titles
from augcse.evaluation.classifier import nested_folds
from augcse.evaluation.classifier_lbfgs import LbfgsClassifier
from augcse.evaluation.detail import compare_models
from augcse.evaluation.labelled import LabelledExample, senteval_order
from augcse.evaluation.own_tasks import LoadedLabels
from augcse.evaluation.pairs import read_pairs
from augcse.evaluation.selection import read_selection, selection_inputs
from augcse.evaluation.tasks.sts import LoadedPairs
from augcse.evaluation.tasks.transfer import LoadedTransfer

ROWS = [(4.5, "The mill was built in 1847.", "They put the mill up in 1847."), (0.0, "A dog barks.", "The bridge, it is said, fell.")]
ROWS += [(2.0, 'She said "no".', "Nobody said anything."), (3.0, "Rain fell.", "It rained all day.")]
NAMES = ("score", "sentence1", "sentence2")


def write_tsv(path: Path, rows: list[Any], header: tuple[str, ...] = NAMES) -> Path:
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in [*([header] if header else []), *rows]), "utf-8")
    return path


def _csv(path: Path) -> None:
    doubled = [[str(score), *('"' + text.replace('"', '""') + '"' for text in texts)] for score, *texts in ROWS]
    path.write_text("score,sentence1,sentence2\n" + "".join(",".join(row) + "\n" for row in doubled), "utf-8")


def _jsonl(path: Path) -> None:
    path.write_text("".join(json.dumps(dict(zip(NAMES, row, strict=True))) + "\n" for row in ROWS), "utf-8")


def _json(path: Path) -> None:
    path.write_text(json.dumps([dict(zip(NAMES, row, strict=True)) for row in ROWS]), "utf-8")


def _parquet(path: Path) -> None:
    pq.write_table(pa.table(dict(zip(NAMES, map(list, zip(*ROWS, strict=True)), strict=True))), path)


def _gz(path: Path) -> None:
    path.write_bytes(gzip.compress("\n".join("\t".join(map(str, row)) for row in ROWS).encode()))


def _reordered(path: Path) -> None:
    rows = [(number, second, score, first) for number, (score, first, second) in enumerate(ROWS)]
    write_tsv(path, rows, ("id", "Sentence2", "Score", "sentence1"))


FORMATS: dict[str, Callable[[Path], object]] = {
    "p.tsv": lambda path: write_tsv(path, ROWS),
    "headless.tsv": lambda path: write_tsv(path, ROWS, ()),
    "names-of-my-own.tsv": lambda path: write_tsv(path, ROWS, ("how alike", "one", "other")),
    "further.tsv": lambda path: write_tsv(path, [(*row, "kind") for row in ROWS], (*NAMES, "kind")),
    "reordered.tsv": _reordered,
    "no-suffix": lambda path: write_tsv(path, ROWS),
    "mark.tsv": lambda path: path.write_bytes(b"\xef\xbb\xbf" + write_tsv(path, ROWS, ()).read_bytes()),
    "p.csv": _csv,
    "p.jsonl": _jsonl,
    "p.json": _json,
    "p.parquet": _parquet,
    "p.tsv.gz": _gz,
}


@pytest.mark.parametrize("name", list(FORMATS))
def test_pairs_are_the_same_in_every_format(name: str, tmp_path: Path) -> None:
    FORMATS[name](tmp_path / name)
    task = load_task(str(tmp_path / name), None)
    assert isinstance(task, LoadedPairs)
    assert list(zip(task.pairs.scores, task.pairs.first, task.pairs.second, strict=True)) == ROWS
    assert task.warnings() == ()


def test_a_table_with_tabs_scores_as_the_data_folders_files_do(tmp_path: Path) -> None:
    path = write_tsv(tmp_path / "p.tsv", ROWS)
    task = load_task(str(path), None)
    assert isinstance(task, LoadedPairs)
    assert task.pairs == read_pairs(path)


@pytest.mark.parametrize(
    ("rows", "header", "message"),
    [
        ([*ROWS, ("3,5", "a", "b")], NAMES, r"p.tsv, line 6: the score '3,5' is not a number; write one such as 3.5"),
        ([*ROWS, ("1_0", "a", "b")], NAMES, r"p.tsv, line 6: the score '1_0' is not a number"),
        ([*ROWS, (1, "a", "")], NAMES, r"p.tsv, line 6: an empty sentence"),
        ([*ROWS, (1, "a", "b", "c")], NAMES, r"p.tsv, line 6: 4 cells, but the first row has 3"),
        ([("", "a", "b")] * 3, NAMES, r"p.tsv: none of the 3 rows has a score; write one"),
        ([(1, "a")], (), r"p.tsv: its columns are 1, a; expected columns score, sentence1, sentence2"),
        ([("a", "b", 1)], ("sentence1", "sentence2", "grade of mine"), r"its columns are sentence1, sentence2, grade of mine"),
        ([("a", 1)], ("text", "score"), "expected columns"),
        ([], (), "no row in it"),
        ([("  ", "")], (), "its first row is empty; expected columns score"),
        ([], NAMES, "no row in it"),
        ([(1, "a", "b")], NAMES, "1 graded pairs; a correlation needs at least two"),
        ([(1, "a", "b")] * 2, NAMES, "all scores are 1"),
    ],
)
def test_pairs_that_cannot_be_scored_are_named(rows: list[Any], header: tuple[str, ...], message: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=message):
        load_task(str(write_tsv(tmp_path / "p.tsv", rows, header)), None)


def test_pairs_without_a_score_are_left_out_and_said(tmp_path: Path) -> None:
    path = write_tsv(tmp_path / "p.tsv", [*ROWS, *[("", f"a {number}", "b") for number in range(7)], ("", "", "")])
    task = load_task(str(path), None)
    assert isinstance(task, LoadedPairs)
    assert len(task.pairs) == len(ROWS)
    [warning] = task.warnings()
    assert warning.message == f"{path}, line 6, 7, 8, 9, 10, ...: no score; 7 of 11 rows have none and are left out"


def labels_file(path: Path, rows: list[tuple[str, str]]) -> str:
    write_tsv(path, rows, ("text", "label"))
    return str(path)


@pytest.fixture
def labelled(sentences: list[str]) -> list[tuple[str, str]]:
    """Sentences labelled by whether they are long: learnable, and not perfectly."""
    return [(text, "long" if len(text) > 60 else "short") for text in sentences[:120]]


def test_labels_are_scored_by_the_transfer_protocol(labelled: list[tuple[str, str]], tiny_backbone: Path, tmp_path: Path) -> None:
    model = load_encoder(str(tiny_backbone))
    name = labels_file(tmp_path / "mine.tsv", labelled)
    found = augcse.evaluate(model, [name])
    # SentEval's order: by words, then class.
    ordered = sorted(labelled, key=lambda row: (len(row[0].split()), row[1] == "short"))
    embeddings, row_of = encode_distinct(model, [text for text, _ in labelled])
    features = embeddings[[row_of[text] for text, _ in ordered]]
    classes = np.array([label == "short" for _, label in ordered]).astype(int)
    expected = nested_folds(LbfgsClassifier(), features, classes, 10)
    most = 100 * max(classes.mean(), 1 - classes.mean())
    assert found.details["mine"] == {"accuracy": expected.test, "dev accuracy": expected.dev, "largest class": round(most, 2)}
    interval = found.intervals["mine"]
    assert interval.low < expected.test < interval.high
    right = float((expected.predicted == classes).mean())
    assert interval.high - interval.low == pytest.approx(100 * 3.92 * np.sqrt(right * (1 - right) / 120), rel=0.15)


def test_a_second_file_is_tested_on(labelled: list[tuple[str, str]], tmp_path: Path) -> None:
    train, test = labels_file(tmp_path / "train.tsv", labelled[:80]), labels_file(tmp_path / "test.tsv", labelled[79:])
    task = load_task(f"{train}+{test}", None)
    assert isinstance(task, LoadedLabels)
    assert {name: len(rows) for name, rows in task.splits.items()} == {"train": 80, "test": 41}
    assert task.scheme == "folds, test split"
    [warning] = task.warnings()
    assert "1 of 41 rows are in" in warning.message
    dev = load_task(f"{train}+{test}", None, EvaluationOptions(protocol="dev"))
    assert isinstance(dev, LoadedLabels)
    assert list(dev.splits) == ["train"]


@pytest.mark.parametrize(("rows_each", "folds"), [(12, 10), (11, 5), (7, 5), (6, None)])
def test_a_small_class_takes_fewer_folds_or_is_refused(rows_each: int, folds: int | None, tmp_path: Path) -> None:
    rows = [(f"sentence {number}", "ab"[number % 2]) for number in range(2 * rows_each)] + [(f"more {number}", "a") for number in range(30)]
    name = labels_file(tmp_path / "mine.tsv", rows)
    if folds is None:
        with pytest.raises(UserError, match="the label 'b' has 6 rows; give 7 or more"):
            load_task(name, None)
        return
    task = load_task(name, None)
    assert isinstance(task, LoadedLabels)
    assert task.folds == folds
    assert [warning.kind for warning in task.warnings()] == ["few_rows"] * (folds == 5)
    row_of = {text: row for row, text in enumerate(dict.fromkeys(task.sentences()))}
    # Every fold, inner ones included, has every class: scikit-learn would warn, which is an error here.
    assert 0 <= task.score(np.random.default_rng(0).normal(size=(len(row_of), 4)), row_of) <= 100


def test_labelled_pairs_are_classified_as_pairs(tmp_path: Path) -> None:
    rows = [(str(number % 2), f"first {number}", f"second {number}") for number in range(40)]
    task = load_task(str(write_tsv(tmp_path / "p.tsv", rows, ("label", "sentence1", "sentence2"))), None)
    assert isinstance(task, LoadedLabels)
    row_of = {text: row for row, text in enumerate(dict.fromkeys(task.sentences()))}
    figures = task.measure(np.random.default_rng(0).normal(size=(80, 3)), row_of)
    assert list(figures) == ["accuracy", "dev accuracy", "F1", "largest class"]
    assert figures["largest class"] == 50.0


@pytest.mark.parametrize(
    ("train", "test", "message"),
    [
        ([("a", "x"), ("b", "x")], None, "all labels are 'x'"),
        ([(f"t{number}", str(number)) for number in range(20)], None, "the label '0' has 1 row; give 7 or more of each"),
        (
            [(f"t{number}", "xy"[number % 2]) for number in range(40)],
            [("u", "z")],
            r"test.tsv, line 2: no row of .*train.tsv has the label",
        ),
    ],
)
def test_labels_that_cannot_be_scored_are_named(train: list[Any], test: list[Any] | None, message: str, tmp_path: Path) -> None:
    names = [labels_file(tmp_path / "train.tsv", train)] + ([] if test is None else [labels_file(tmp_path / "test.tsv", test)])
    with pytest.raises(UserError, match=message):
        load_task("+".join(names), None)


def test_a_pipe_is_refused_as_one(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.tsv")
    with pytest.raises(UserError, match="is a pipe or a device, and a file of pairs or labels is read more than once; write it to a file"):
        load_task(str(tmp_path / "p.tsv"), None)


def test_pairs_are_not_trained_on(tmp_path: Path) -> None:
    one, two = write_tsv(tmp_path / "one.tsv", ROWS), write_tsv(tmp_path / "two.tsv", ROWS)
    with pytest.raises(UserError, match=r"one\.tsv holds graded pairs"):
        load_task(f"{one}+{two}", None)
    with pytest.raises(UserError, match="names 3 files"):
        load_task(f"{one}+{two}+{two}", None)


def test_titles_are_short_and_never_those_of_tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["STSB", "a/pairs.tsv", "b/pairs.tsv", "sts.csv", "avg.tsv", "c/more.tsv.gz", "./CR"]
    assert task_titles(names) == {
        "STSB": "STSB",
        "a/pairs.tsv": "a/pairs.tsv",
        "b/pairs.tsv": "b/pairs.tsv",
        "sts.csv": "sts.csv",
        "avg.tsv": "avg.tsv",
        "c/more.tsv.gz": "more",
        "./CR": "./CR",
    }


def test_a_plus_in_a_files_name_is_part_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_tsv(Path("C++.tsv"), ROWS)
    assert task_titles(["C++.tsv"]) == {"C++.tsv": "C++"}
    assert isinstance(load_task("C++.tsv", None), LoadedPairs)


@pytest.fixture
def pairs(sentences: list[str], tmp_path: Path) -> Path:
    rows = [(number % 6, sentences[number], sentences[number * 7 % 80]) for number in range(1, 60)]
    return write_tsv(tmp_path / "mine.tsv", rows)


def test_python_and_the_command_give_the_same(pairs: Path, labelled: list[Any], tiny_backbone: Path, tmp_path: Path) -> None:
    names = [str(pairs), labels_file(tmp_path / "classes.tsv", labelled)]
    document = augcse.evaluate(str(tiny_backbone), names).as_json()
    assert list(document["scores"]) == ["mine", "classes"]
    assert list(document["intervals"]) == ["mine", "classes"]
    assert [entry["path"] for entry in document["files"]["mine"]] == [str(pairs)]
    result = CliRunner().invoke(app, ["evaluate", str(tiny_backbone), "--tasks", ",".join(names), "--json"])
    assert json.loads(result.stdout) == json.loads(json.dumps(document))
    assert augcse.evaluate(str(tiny_backbone), pairs).scores == {"mine": document["scores"]["mine"]}


def test_two_models_are_compared_on_files(pairs: Path, labelled: list[Any], tiny_backbone: Path, tmp_path: Path) -> None:
    names = [str(pairs), labels_file(tmp_path / "classes.tsv", labelled)]
    first, second = load_encoder(str(tiny_backbone), "mean"), load_encoder(str(tiny_backbone), "cls")
    found = compare_models(first, second, names, None, resamples=300)
    scores = [augcse.evaluate(model, names).scores for model in (first, second)]
    for name in ("mine", "classes"):
        assert found[name].difference == pytest.approx(scores[1][name] - scores[0][name], abs=0.05)
        assert found[name].interval.low <= found[name].difference <= found[name].interval.high


def test_files_select_with_weights(pairs: Path, labelled: list[Any], tiny_backbone: Path, tmp_path: Path) -> None:
    name = labels_file(tmp_path / "classes.tsv", labelled)
    dev = f"{pairs}=2,{name}=0.5"
    measure = read_selection(dev).measure(None)
    assert measure is not None
    found = measure(load_encoder(str(tiny_backbone))).figures
    assert found["selection"] == pytest.approx(2 * found["mine"] + 0.5 * found["classes"])
    alone = read_selection(name).measure(None)
    assert alone is not None
    assert alone(load_encoder(str(tiny_backbone))).figures == {"classes": found["classes"]}
    inputs = selection_inputs(dev)
    assert inputs["weights"] == {"mine": 2.0, "classes": 0.5}
    assert len(inputs["files"]["mine"][0]["sha256"]) == 64


def test_a_run_records_its_own_tests_without_a_data_folder(pairs: Path, corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    options: dict[str, Any] = {"corpus": corpus, "model": str(tiny_backbone), "workers": 1, "batch_size": 40, "max_steps": 2}
    run = augcse.train("simcse-mini", output=tmp_path / "run", dev=str(pairs), test=[str(pairs)], **options)
    assert run.record["test"] == [str(pairs)]
    expected = augcse.evaluate(run.model, [pairs]).as_json()
    assert {key: run.record[key] for key in ("scores", "intervals", "files")} == {
        key: expected[key] for key in ("scores", "intervals", "files")
    }
    pairs.write_text(pairs.read_text("utf-8").replace("\n1\t", "\n1.5\t", 1), "utf-8")
    with pytest.raises(UserError, match=r"test\.1\.files\.1\.sha256"):
        augcse.train("simcse-mini", output=tmp_path / "run", test=[str(pairs)], resume=True, **options)


def test_a_registered_tasks_pairs_as_a_file_give_its_score(data_folder: Path, tiny_backbone: Path) -> None:
    found = augcse.evaluate(str(tiny_backbone), ["STSB-dev", str(data_folder / "sts" / "STSB" / "dev.tsv")], data_folder)
    assert found.scores["dev"] == found.scores["STSB-dev"]


def test_a_registered_tasks_labels_as_a_file_give_its_scores(data_folder: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    registered = load_task("CR", data_folder, EvaluationOptions(protocol="fast"))
    assert isinstance(registered, LoadedTransfer)
    # Two of its texts are empty, which one would not label: both read a dash in their place.
    examples = [LabelledExample(example.label, (example.texts[0] or "-",)) for example in registered.splits["all"]]
    path = labels_file(tmp_path / "reviews.tsv", [(example.texts[0], ("bad", "good")[example.label]) for example in examples])
    own = load_task(path, None, registered.options)
    embedded = encode_distinct(load_encoder(str(tiny_backbone)), own.sentences())
    expected = replace(registered, splits={"all": senteval_order(examples)})
    figures = own.measure(*embedded)
    assert {name: figures[name] for name in ("accuracy", "dev accuracy")} == expected.measure(*embedded)
