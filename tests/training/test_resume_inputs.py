"""What a run began with is what it goes on with: a difference is named, a finished run is left alone, one folder has one writer."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from augcse import train
from augcse.errors import UserError
from augcse.locks import locked_folder
from augcse.training.inputs import differences
from augcse.training.progress import TRAINING
from augcse.training.record import Run
from augcse.training.trainer import ObjectiveTrainer
from augcse.training.watcher import Watcher

STEPS = 3
SETTINGS: dict[str, Any] = {"batch_size": 40, "max_steps": STEPS, "training.precision": "fp32"}
PAIRS = "".join(f"{grade % 6}\tA cat sat on mat {grade}.\tThe cat was sitting on mat {grade % 4}.\n" for grade in range(12))


def _train(output: Path, corpus: Path | list[Path], backbone: Path, dev: str, **more: Any) -> Run:
    return train("simcse-mini", corpus=corpus, output=output, model=str(backbone), workers=1, dev=dev, **{**SETTINGS, **more})


@pytest.fixture(scope="module")
def dev(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("dev") / "pairs.tsv"
    path.write_text(PAIRS, "utf-8")
    return str(path)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, corpus: Path, tiny_backbone: Path, dev: str) -> Path:
    return _train(tmp_path_factory.mktemp("finished") / "run", corpus, tiny_backbone, dev).folder


def _all_bytes(folder: Path) -> dict[str, tuple[bytes, int]]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def _other_corpus(corpus: Path, folder: Path) -> dict[str, Any]:
    (folder / "corpus.txt").write_text(corpus.read_text("utf-8") + "One more sentence.\n", "utf-8")
    return {"corpus": folder / "corpus.txt"}


def _more_corpora(corpus: Path, folder: Path) -> dict[str, Any]:
    (folder / "more.txt").write_text("One more sentence.\n", "utf-8")
    return {"corpus": [corpus, folder / "more.txt"]}


def _other_pairs(corpus: Path, folder: Path) -> dict[str, Any]:
    (folder / "pairs.tsv").write_text(PAIRS.replace("cat", "dog"), "utf-8")
    return {"dev": str(folder / "pairs.tsv")}


CHANGES: dict[str, tuple[Callable[[Path, Path], dict[str, Any]], str]] = {
    "corpus": (_other_corpus, r"corpus.1.sha256 = \w+... \(now \w+...\)"),
    "a further corpus": (_more_corpora, r"corpus.2.encoding_errors = nothing \(now strict\)"),
    "pairs": (_other_pairs, r"dev.files.pairs.1.sha256 = \w+... \(now \w+...\)"),
    "no pairs": (lambda corpus, folder: {"dev": "none"}, r"dev.files.pairs.1.sha256 = \w+... \(now nothing\)"),
    "encoding errors": (lambda corpus, folder: {"encoding_errors": "replace"}, r"corpus.1.encoding_errors = strict \(now replace\)"),
    "a setting": (lambda corpus, folder: {"learning_rate": 5e-5}, r"training.learning_rate = \S+ \(now 5e-05\)"),
    "an option": (lambda corpus, folder: {"objective.temperature": 0.5}, r"objective.temperature = 0.1 \(now 0.5\)"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_difference_is_refused_by_name(change: str, finished: Path, corpus: Path, tiny_backbone: Path, dev: str, tmp_path: Path) -> None:
    make, named = CHANGES[change]
    before = _all_bytes(finished)
    arguments = {"corpus": corpus, "dev": dev, **make(corpus, tmp_path)}
    with pytest.raises(UserError, match=rf"holds a run with .*{named}.*; resume with the same, or choose another --output") as caught:
        _train(finished, arguments.pop("corpus"), tiny_backbone, resume=True, **arguments)
    assert "\n" not in str(caught.value)
    assert _all_bytes(finished) == before


def test_another_content_of_the_backbone_is_refused(finished: Path, corpus: Path, tiny_backbone: Path, dev: str, tmp_path: Path) -> None:
    output = shutil.copytree(finished, tmp_path / "run")
    vocabulary = tiny_backbone / "tokenizer_config.json"
    content = vocabulary.read_bytes()
    vocabulary.write_bytes(content + b"\n")
    try:
        with pytest.raises(UserError, match=r"models.model.backbone = \w+... \(now"):
            _train(output, corpus, tiny_backbone, dev, resume=True)
    finally:
        vocabulary.write_bytes(content)


@pytest.mark.parametrize("written", ["keep_words({file}, RandomSwap)", "RandomWordEmbAugmentation:vectors={file}"])
def test_another_content_of_a_file_that_an_augmentation_names_is_refused(
    written: str, corpus: Path, tiny_backbone: Path, tmp_path: Path
) -> None:
    file = tmp_path / "words.txt"
    file.write_text("the 0.1 0.2 0.3\nold 0.2 0.1 0.5\nriver 0.4 0.2 0.1\n", "utf-8")
    settings = {**SETTINGS, "augmentation.names": [written.format(file=file)], "max_steps": 1, "dev": "none", "workers": 1}
    arguments = {"corpus": corpus, "output": tmp_path / "run", "model": str(tiny_backbone), **settings}
    train("augcse-mini", **arguments)
    train("augcse-mini", resume=True, **arguments)
    file.write_text("a 0.1 0.2 0.3\n", "utf-8")
    with pytest.raises(UserError, match=r"augmentation_files\..* = \w+... \(now \w+...\)"):
        train("augcse-mini", resume=True, **arguments)


def test_a_moved_corpus_is_the_same_corpus(finished: Path, corpus: Path, tiny_backbone: Path, dev: str, tmp_path: Path) -> None:
    moved = shutil.copy(corpus, tmp_path / "elsewhere.txt")
    assert _train(finished, Path(moved), tiny_backbone, dev, resume=True).record["steps"] == STEPS


@pytest.mark.parametrize(
    "key", ["precision", "processes", "versions.torch", "versions.transformers", "versions.sentence-transformers", "versions.augcse"]
)
def test_what_computes_other_bits_is_refused(key: str, finished: Path) -> None:
    began = json.loads((finished / "inputs.json").read_text("utf-8"))
    now = json.loads(json.dumps(began))
    *tables, leaf = key.split(".")
    entry = now
    for table in tables:
        entry = entry[table]
    entry[leaf] = "other"
    [refused], remarks = differences(began, now)
    assert refused.startswith(f"{key} = ")
    assert refused.endswith("(now other)")
    assert remarks == []


def test_a_data_folder_that_one_of_two_runs_lacks_is_one_difference(finished: Path, tmp_path: Path) -> None:
    without = json.loads((finished / "inputs.json").read_text("utf-8")) | {"data": None}
    folder = f"{tmp_path}/{'long' * 12}"
    given = without | {"data": {"folder": folder, "sha256": {f"sts/{name}.tsv": "0" * 64 for name in "abcd"}}}
    assert differences(given, without) == ([f"--data (or AUGCSE_DATA) = {folder} (now nothing)"], [])
    assert differences(without, given) == ([f"--data (or AUGCSE_DATA) = nothing (now {folder})"], [])
    moved = given | {"data": {**given["data"], "folder": "elsewhere"}}
    assert differences(given, moved) == ([], [])


@pytest.mark.parametrize("key", ["threads", "device", "instructions"])
def test_what_may_change_the_last_bits_is_said(key: str, finished: Path) -> None:
    began = json.loads((finished / "inputs.json").read_text("utf-8"))
    now = {**began, "machine": {**began["machine"], key: "other"}}
    refused, [remark] = differences(began, now)
    assert refused == []
    assert remark.startswith(f"{key} = ")


def test_another_number_of_threads_is_said_once(
    finished: Path, corpus: Path, tiny_backbone: Path, dev: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.get_num_threads", lambda: 63)
    warnings: list[str] = []
    _train(finished, corpus, tiny_backbone, dev, resume=True, watcher=Watcher(warn=warnings.append))
    assert len(warnings) == 1
    assert "threads = " in warnings[0]
    assert "(now 63): its result may differ in the last bits" in warnings[0]


def test_an_edited_recipe_is_refused(finished: Path, corpus: Path, tiny_backbone: Path, dev: str, tmp_path: Path) -> None:
    output = shutil.copytree(finished, tmp_path / "run")
    with (output / "recipe.toml").open("a", encoding="utf-8") as file:
        file.write("# mine\n")
    with pytest.raises(UserError, match=r"recipe.toml was changed after the run began; delete it"):
        _train(output, corpus, tiny_backbone, dev, resume=True)


def test_a_finished_run_is_left_as_it_is(finished: Path, corpus: Path, tiny_backbone: Path, dev: str) -> None:
    before, notes = _all_bytes(finished), list[str]()
    run = _train(finished, corpus, tiny_backbone, dev, resume=True, watcher=Watcher(note=notes.append))
    assert notes == [f"{finished} holds a finished run of {STEPS} steps; there is nothing to do"]
    assert run.record == json.loads((finished / "run.json").read_text("utf-8"))
    assert _all_bytes(finished) == before


@pytest.mark.parametrize("scored", [True, False], ids=["scored", "not scored"])
def test_a_run_killed_while_its_model_was_written_only_finishes(
    scored: bool, corpus: Path, tiny_backbone: Path, dev: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    chosen = dev if scored else "none"
    whole = _train(tmp_path / "whole", corpus, tiny_backbone, chosen)
    with monkeypatch.context() as killed:
        killed.setattr("augcse.training.run._export", lambda trainer, output: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            _train(folder, corpus, tiny_backbone, chosen)
    monkeypatch.setattr(ObjectiveTrainer, "train", lambda *arguments, **options: pytest.fail("it trained"))
    run = _train(folder, corpus, tiny_backbone, chosen, resume=True)
    assert run.record["steps"] == STEPS
    assert run.record["resumed_from_steps"] == [STEPS]
    assert whole.record["curves"] == run.record["curves"]
    for file in [path for path in whole.model.rglob("*") if path.is_file()]:
        assert (run.model / file.relative_to(whole.model)).read_bytes() == file.read_bytes()


def test_a_run_that_begins_again_is_prepared_anew(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    backbone = shutil.copytree(tiny_backbone, tmp_path / "backbone")

    def prepared_rows(folder: Path) -> bytes:
        """Begin a run that ends before its first checkpoint."""
        with pytest.raises(ZeroDivisionError):
            _train(folder, corpus, backbone, "none", watcher=Watcher(start=lambda stage, total: 1 // (stage != TRAINING)))
        return (folder / "prepared" / "original.tokens").read_bytes()

    first = prepared_rows(tmp_path / "run")
    tokenizer = json.loads((backbone / "tokenizer.json").read_text("utf-8"))
    words = tokenizer["model"]["vocab"]
    words["the"], words["and"] = words["and"], words["the"]
    (backbone / "tokenizer.json").write_text(json.dumps(tokenizer), "utf-8")
    assert prepared_rows(tmp_path / "run") == prepared_rows(tmp_path / "other") != first


def test_a_second_run_into_the_folder_is_refused(corpus: Path, tiny_backbone: Path, dev: str, tmp_path: Path) -> None:
    refusals: list[str] = []

    def meanwhile(step: int, figures: object) -> None:
        if step == 1 and not refusals:
            with pytest.raises(UserError, match=r"run is being written by process \d+ on .* \(started .*\)") as caught:
                _train(tmp_path / "run", corpus, tiny_backbone, dev)
            refusals.append(str(caught.value))

    run = _train(tmp_path / "run", corpus, tiny_backbone, dev, watcher=Watcher(advance=meanwhile))
    assert len(refusals) == 1
    assert run.record["steps"] == STEPS


def test_resuming_beside_the_first_run_is_refused(finished: Path, corpus: Path, tiny_backbone: Path, dev: str, tmp_path: Path) -> None:
    output = shutil.copytree(finished, tmp_path / "run")
    (output / "run.json").unlink()
    with locked_folder(output), pytest.raises(UserError, match="is being written by process"):
        _train(output, corpus, tiny_backbone, dev, resume=True)


def test_a_run_of_an_older_kind_is_refused(finished: Path, corpus: Path, tiny_backbone: Path, dev: str, tmp_path: Path) -> None:
    output = shutil.copytree(finished, tmp_path / "run")
    (output / "inputs.json").unlink()
    with pytest.raises(UserError, match=r"holds no run to continue \(inputs.json is missing\); choose another --output"):
        _train(output, corpus, tiny_backbone, dev, resume=True)
