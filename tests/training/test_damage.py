"""Damaged checkpoints, best models and prepared data: the file is named in one line, and there is never another result in silence."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from transformers import AutoTokenizer, PreTrainedTokenizerBase

from augcse import train
from augcse.errors import UserError
from augcse.training.checkpoints import ResumePoint, checkpoints, latest_intact_checkpoint
from augcse.training.inputs import INPUTS, inputs_digest, read_inputs
from augcse.training.manifest import MANIFEST, DamagedFolderError, check_folder, write_manifest
from augcse.training.store.build import prepare
from augcse.training.store.plan import Plan
from augcse.training.watcher import Watcher
from plans import small_plan

SETTINGS: dict[str, Any] = {
    "batch_size": 40, "max_steps": 4, "checkpoint_every_steps": 2, "eval_every_steps": 2, "training.precision": "fp32",
    "augmentation.names": ["RandomSwap", "RandomDeletion"],
}  # fmt: skip
CHECKPOINT_FILES = [
    "model.safetensors", "loss.safetensors", "optimizer.safetensors", "optimizer.json", "scheduler.json", "generators-0.json",
    "generators-0.safetensors", "figures-0.json", "figures-0.safetensors", "trainer_state.json", "config.json", "modules.json",
    "tokenizer.json", "1_Pooling/config.json", MANIFEST,
]  # fmt: skip
BEST_FILES = ["model.safetensors", "score.json", "tokenizer.json", MANIFEST]
PREPARED_FILES = ["original.tokens", "original.offsets", "augmented.tokens", "augmented.offsets", "labels", "store.json", MANIFEST]


def _flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


DAMAGES: dict[str, Callable[[Path], Any]] = {
    "missing": Path.unlink,
    "empty": lambda path: path.write_bytes(b""),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:-2]),
    "flipped": _flip,
    "renamed": lambda path: path.rename(path.with_name("other")),
    "folder": lambda path: (path.unlink(), path.mkdir()),
}


def _train(output: Path, corpus: Path, backbone: Path, dev: str, **more: Any) -> None:
    train("augcse-mini", corpus=corpus, output=output, model=str(backbone), workers=1, dev=dev, **{**SETTINGS, **more})


@pytest.fixture(scope="module")
def dev(tmp_path_factory: pytest.TempPathFactory) -> str:
    from augcse.resources import DEMO_PAIRS

    path = tmp_path_factory.mktemp("dev") / "pairs.tsv"
    path.write_text("\n".join(DEMO_PAIRS.read_text("utf-8").split("\n")[:21]), "utf-8")
    return str(path)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, corpus: Path, tiny_backbone: Path, dev: str) -> Path:
    output = tmp_path_factory.mktemp("finished") / "run"
    _train(output, corpus, tiny_backbone, dev)
    return output


@pytest.fixture
def folder(finished: Path, tmp_path: Path) -> Path:
    """The run's checkpoints, 2 and 4, and its best model."""
    return shutil.copytree(finished / "checkpoints", tmp_path / "checkpoints")


def _resume(folder: Path, finished: Path) -> tuple[ResumePoint | None, list[str]]:
    warnings: list[str] = []
    return latest_intact_checkpoint(folder, inputs_digest(read_inputs(finished)), warnings.append), warnings


def test_whole_checkpoints_pass(folder: Path, finished: Path) -> None:
    found, warnings = _resume(folder, finished)
    assert found is not None
    assert (found.step, warnings) == (4, [])
    assert {str(path.relative_to(found.path)) for path in found.path.rglob("*") if path.is_file()} >= set(CHECKPOINT_FILES)


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", CHECKPOINT_FILES)
def test_a_damaged_checkpoint_is_named_and_the_one_before_taken(name: str, damage: str, folder: Path, finished: Path) -> None:
    DAMAGES[damage](folder / "checkpoint-4" / name)
    found, [warning] = _resume(folder, finished)
    assert found is not None
    assert found.step == 2
    assert name in warning
    assert "checkpoint-4 is damaged" in warning
    assert "continuing from checkpoint-2" in warning


@pytest.mark.parametrize("extra", ["pytorch_model.bin", "adapter/adapter_config.json"])
def test_a_foreign_file_in_a_checkpoint_is_damage(extra: str, folder: Path, finished: Path) -> None:
    path = folder / "checkpoint-4" / extra
    path.parent.mkdir(exist_ok=True)
    path.write_text("{}", "utf-8")
    found, [warning] = _resume(folder, finished)
    assert found is not None
    assert found.step == 2
    assert f"{extra} does not belong to it" in warning


def test_what_a_file_manager_leaves_is_no_damage(folder: Path, finished: Path) -> None:
    (folder / "checkpoint-4" / ".DS_Store").write_text("", "utf-8")
    assert _resume(folder, finished)[1] == []


def test_a_checkpoint_under_another_name_is_damage(folder: Path, finished: Path) -> None:
    (folder / "checkpoint-4").rename(folder / "checkpoint-3")
    found, [warning] = _resume(folder, finished)
    assert found is not None
    assert found.step == 2
    assert "checkpoint-3 is damaged: it holds step 4" in warning


def test_a_checkpoint_of_another_run_is_damage(folder: Path, finished: Path) -> None:
    about = check_folder(folder / "checkpoint-4").about
    write_manifest(folder / "checkpoint-4", {**about, "run": "another"})
    found, [warning] = _resume(folder, finished)
    assert found is not None
    assert found.step == 2
    assert "belongs to another run" in warning


def test_without_a_whole_checkpoint_nothing_is_begun_in_silence(folder: Path, finished: Path) -> None:
    for path in checkpoints(folder):
        _flip(path / "model.safetensors")
    with pytest.raises(UserError, match=r"checkpoint-4 is damaged: .*model.safetensors has changed, .*delete .* from the start"):
        _resume(folder, finished)


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", BEST_FILES)
def test_a_damaged_best_model_is_refused(name: str, damage: str, folder: Path, finished: Path) -> None:
    DAMAGES[damage](folder / "best" / name)
    with pytest.raises(UserError, match=f"best is damaged: .*{name}.*; it cannot be restored from here: delete"):
        _resume(folder, finished)


def test_a_best_model_that_is_gone_is_refused(folder: Path, finished: Path) -> None:
    shutil.rmtree(folder / "best")
    with pytest.raises(UserError, match=r"best is damaged: manifest.json is missing"):
        _resume(folder, finished)


def test_a_best_model_of_another_run_is_refused(folder: Path, finished: Path) -> None:
    write_manifest(folder / "best", {**check_folder(folder / "best").about, "run": "another"})
    with pytest.raises(UserError, match="best is damaged: it belongs to another run"):
        _resume(folder, finished)


def test_a_best_model_that_was_stepping_aside_comes_back(folder: Path, finished: Path) -> None:
    (folder / "best").rename(folder / "best.old")
    assert _resume(folder, finished)[1] == []
    assert (folder / "best" / "score.json").exists()


def test_a_damaged_best_model_that_no_checkpoint_counts_on_is_removed(folder: Path, finished: Path) -> None:
    for path in checkpoints(folder):
        shutil.rmtree(path)
    _flip(folder / "best" / "score.json")
    found, [warning] = _resume(folder, finished)
    assert found is None
    assert "the content of score.json has changed; it is removed" in warning
    assert not (folder / "best").exists()


def test_a_run_goes_on_from_the_checkpoint_before_to_the_same_bytes(
    finished: Path, corpus: Path, tiny_backbone: Path, dev: str, tmp_path: Path
) -> None:
    output = shutil.copytree(finished, tmp_path / "run")
    (output / "run.json").unlink()
    shutil.rmtree(output / "model")
    _flip(output / "checkpoints" / "checkpoint-4" / "optimizer.safetensors")
    _flip(output / "prepared" / "original.tokens")
    warnings: list[str] = []
    _train(output, corpus, tiny_backbone, dev, resume=True, watcher=Watcher(warn=warnings.append))
    # What else it warns of are scores, which are the processor's.
    first, second = (warning for warning in warnings if "is damaged" in warning)
    assert "checkpoint-4 is damaged" in first
    assert "prepared is damaged" in second
    for file in [path for path in (finished / "model").rglob("*") if path.is_file()]:
        assert (output / file.relative_to(finished)).read_bytes() == file.read_bytes()
    assert json.loads((output / "run.json").read_text("utf-8"))["resumed_from_steps"] == [2]


def test_other_rows_than_the_checkpoint_saw_are_refused(
    finished: Path, corpus: Path, tiny_backbone: Path, dev: str, tmp_path: Path
) -> None:
    output = shutil.copytree(finished, tmp_path / "run")
    (output / "run.json").unlink()
    _flip(output / "prepared" / "original.tokens")
    write_manifest(output / "prepared", {})
    with pytest.raises(UserError, match=r"checkpoint-4 was trained on other rows than .*prepared holds now"):
        _train(output, corpus, tiny_backbone, dev, resume=True)


@pytest.fixture(scope="module")
def tokenizer(tiny_backbone: Path) -> PreTrainedTokenizerBase:
    return AutoTokenizer.from_pretrained(str(tiny_backbone))


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory, corpus: Path, tokenizer: PreTrainedTokenizerBase) -> Path:
    folder = tmp_path_factory.mktemp("prepared") / "prepared"
    prepare(_plan(corpus), tokenizer, folder)
    return folder


def _plan(corpus: Path) -> Plan:
    return small_plan(corpus, names=("RandomSwap",), max_len_tokens=16)


# Every kind of damage to every file is found in checkpoints above, by the same check.
PREPARED_DAMAGES = {*((name, "flipped") for name in PREPARED_FILES), *(("labels", damage) for damage in DAMAGES)}


@pytest.mark.parametrize(("name", "damage"), sorted(PREPARED_DAMAGES))
def test_damaged_prepared_data_are_named_and_prepared_again(
    name: str, damage: str, prepared: Path, corpus: Path, tokenizer: PreTrainedTokenizerBase, tmp_path: Path
) -> None:
    folder = shutil.copytree(prepared, tmp_path / "prepared")
    whole = check_folder(folder).digest
    DAMAGES[damage](folder / name)
    warnings: list[str] = []
    store = prepare(_plan(corpus), tokenizer, folder, warn=warnings.append)
    assert len(warnings) == 1
    assert name in warnings[0]
    assert "preparing the corpus again" in warnings[0]
    assert store.digest == check_folder(folder).digest == whole


@pytest.mark.parametrize("content", ["[]", "null", "[" * 100_000, '{"about": {}, "files": [], "sha256": 1}', "\udcff"])
def test_a_manifest_of_another_shape_is_damage(content: str, folder: Path) -> None:
    (folder / "best" / MANIFEST).write_text(content, "utf-8", errors="surrogateescape")
    with pytest.raises(DamagedFolderError, match=f"{MANIFEST} (cannot be read|has changed)"):
        check_folder(folder / "best")


@pytest.mark.parametrize("content", ["", "[]", "{}", "{"])
def test_damaged_inputs_are_refused(content: str, tmp_path: Path) -> None:
    (tmp_path / INPUTS).write_text(content, "utf-8")
    with pytest.raises(UserError, match=r"inputs.json is damaged"):
        read_inputs(tmp_path)
