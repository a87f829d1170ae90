"""Transfer data out of the archive on the hub, which is made up here: its layout, its checks, what is said where it cannot be had."""

from __future__ import annotations

import io
import tarfile
from dataclasses import replace
from pathlib import Path

import huggingface_hub
import pytest

from augcse.errors import UserError
from augcse.evaluation.base import TASKS
from augcse.evaluation.labelled import Example, LabelledFile, all_of, content_sha256
from augcse.evaluation.senteval_archive import FILE, REPOSITORY, SentEvalArchive
from augcse.evaluation.tasks.transfer import TransferTask

EXAMPLES = [Example(1, ("one two",)), Example(1, ("three",))]
POSITIVE = LabelledFile("transfer/CR/custrev.pos", all_of(1), 2, content_sha256(EXAMPLES), senteval="CR/custrev.pos")
TASK = TransferTask("made-up", {"all": (POSITIVE,)}, "nested folds")


def pack(path: Path, files: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A hub that has the archive at this path."""

    def download(repository: str, file: str, repo_type: str) -> str:
        assert (repository, file, repo_type) == (REPOSITORY, FILE, "dataset")
        return str(tmp_path / FILE)

    monkeypatch.setattr(huggingface_hub, "hf_hub_download", download)
    return tmp_path / FILE


@pytest.mark.parametrize("folder", ["", "./", "downstream/"])
def test_files_are_found_whatever_the_archive_calls_its_top(folder: str, hub: Path) -> None:
    # macOS puts a file of its own beside each, and another folder may end alike.
    others = {f"{folder}CR/._custrev.pos": b"x", f"{folder}OTHERCR/custrev.pos": b"y"}
    pack(hub, {**others, f"{folder}CR/custrev.pos": b"one  two \nthree\n"})
    assert TASK.load(None).sentences() == ["three", "one two"]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"CR/custrev.pos": b"one two\n"}, r"CR/custrev\.pos: 1 rows, not 2"),
        ({"CR/custrev.pos": b"one two\nthree four\n"}, r"not the canonical file's content"),
        ({"CR/custrev.neg": b"one two\nthree\n"}, r"holds no file CR/custrev\.pos"),
        (None, r"cannot read .*senteval\.tar"),
    ],
)
def test_an_archive_with_other_content_is_refused_with_the_remedy(files: dict[str, bytes] | None, message: str, hub: Path) -> None:
    pack(hub, files) if files else hub.write_bytes(b"cut off" * 200)
    with pytest.raises(UserError, match=f"^made-up: .*{message}.*; give --data DIR with DIR/transfer/CR/custrev.pos") as refusal:
        TASK.load(None)
    assert "\n" not in str(refusal.value)


def test_an_archive_that_cannot_be_had_is_named() -> None:
    with pytest.raises(UserError, match=rf"cannot load {FILE} of {REPOSITORY} from the hub \("):
        SentEvalArchive.fetch()


def test_the_dev_protocol_leaves_test_rows_in_the_archive(hub: Path) -> None:
    pack(hub, {"CR/custrev.pos": b"one two\nthree\n"})
    task = TransferTask("made-up", {"train": (POSITIVE,), "test": (replace(POSITIVE, senteval="absent"),)}, "folds, test split")
    assert set(task.configured(replace(task.options, protocol="dev")).load(None).splits) == {"train"}
    with pytest.raises(UserError, match="holds no file absent"):
        task.load(None)


@pytest.mark.parametrize("task", [pytest.param(task, id=task.name) for task in TASKS if isinstance(task, TransferTask)])
def test_the_archive_gives_what_the_folder_gives(task: TransferTask, data_folder: Path, hub: Path) -> None:
    files = [file for members in task.files.values() for file in members]
    pack(hub, {f"./{file.senteval}": (data_folder / file.path).read_bytes() for file in files})
    assert task.load(None) == task.load(data_folder)
