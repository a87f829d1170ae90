"""SentEval's own files, from a folder and from the archive on the hub, both made up here: layouts, checks, what is said of trouble."""

from __future__ import annotations

import io
import tarfile
from dataclasses import replace
from pathlib import Path

import huggingface_hub
import pytest

from augcse.errors import UserError
from augcse.evaluation.base import TASKS
from augcse.evaluation.labelled import LabelledExample, LabelledFile, all_of, content_sha256
from augcse.evaluation.pairs import read_pairs
from augcse.evaluation.senteval_files import FILE, REPOSITORY, SentEvalArchive
from augcse.evaluation.tasks.sts import STSTask
from augcse.evaluation.tasks.transfer import TransferTask

EXAMPLES = [LabelledExample(1, ("one two",)), LabelledExample(1, ("three",))]
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


def test_the_files_of_sentevals_folder_are_named(tmp_path: Path) -> None:
    unpack({"CR/custrev.pos": b"one two\nthree\n"}, tmp_path / "downstream")
    assert TASK.load(tmp_path).sentences() == ["three", "one two"]
    assert TASK.data_files(tmp_path) == [tmp_path / "downstream" / "CR" / "custrev.pos"]


# Graded pairs: SentEval has sentences and scores of STS12 to STS16 apart, and two tables with columns in other places.

STS_TASKS = [pytest.param(task, id=task.name) for task in TASKS if isinstance(task, STSTask) and task.senteval]


def as_senteval(task: STSTask, folder: Path) -> dict[str, bytes]:
    """The files of a task as SentEval has them; after every second pair of STS12 to STS16 stands one that was not graded."""
    files = {}
    for file, name in zip(task.files, task.senteval, strict=True):
        pairs = read_pairs(folder / task.folder / file)
        rows = [(str(score), first, second) for score, first, second in zip(pairs.scores, pairs.first, pairs.second, strict=True)]
        if "STS.input." not in name:
            sick = name.startswith("SICK")
            lines = [f"1\t{a}\t{b}\t{score}\tNEUTRAL" if sick else f"genre\tfile\tyear\t1\t{score}\t{a}\t{b}" for score, a, b in rows]
            files[name] = "\n".join((["pair_ID\tsentence_A\tsentence_B\trelatedness_score\tjudgment"] if sick else []) + lines).encode()
            continue
        mixed = [line for place, row in enumerate(rows) for line in ([row, ("", "not", "graded")] if place % 2 else [row])]
        files[name] = "".join(f"{a}\t{b}\n" for _, a, b in mixed).encode()
        files[name.replace("STS.input.", "STS.gs.")] = "".join(f"{score}\n" for score, *_ in mixed).encode()
    return files


def unpack(files: dict[str, bytes], folder: Path) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


@pytest.mark.parametrize("task", STS_TASKS)
def test_sentevals_pairs_are_the_tables(task: STSTask, data_folder: Path, tmp_path: Path, hub: Path) -> None:
    expected = task.load(data_folder)
    files = as_senteval(task, data_folder)
    assert task.load(unpack(files, tmp_path / "downstream").parent) == expected
    assert set(task.data_files(tmp_path)) == {tmp_path / "downstream" / name for name in files}
    pack(hub, files)
    assert task.load(None) == expected


def test_senteval_names_its_files_like_this() -> None:
    names = {name for task in TASKS if isinstance(task, STSTask) for name in task.senteval}
    assert {name.removeprefix("STS/STS12-en-test/STS.input.") for name in names if "STS12" in name} == {
        *("MSRpar.txt", "MSRvid.txt", "SMTeuroparl.txt", "surprise.OnWN.txt", "surprise.SMTnews.txt")
    }
    assert {name for name in names if "-en-test" not in name} == {
        *("STS/STSBenchmark/sts-test.csv", "STS/STSBenchmark/sts-dev.csv", "SICK/SICK_test_annotated.txt", "SICK/SICK_trial.txt")
    }


@pytest.mark.parametrize(
    ("sentences", "scores", "message"),
    [
        ("a\tb\nc\td\n", "1\n", r"STS\.input\.MSRpar\.txt has 2 lines, .*STS\.gs\.MSRpar\.txt 1; line by line"),
        ("a\tb\nc\n", "1\n2\n", r"STS\.input\.MSRpar\.txt, line 2: 2 columns; expected sentence TAB sentence, and a score in STS\.gs"),
        ("a\tb\nc\td\n", "1\nhigh\n", r"line 2: the score 'high' is not a number"),
        ("a\tb\nc\td\n", "1\n2\n", r"cannot read .*STS\.input\.MSRvid\.txt: No such file"),
    ],
)
def test_bad_senteval_pairs_are_named(sentences: str, scores: str, message: str, tmp_path: Path) -> None:
    name = "STS/STS12-en-test/STS.input.MSRpar.txt"
    unpack({name: sentences.encode(), name.replace("input", "gs"): scores.encode()}, tmp_path)
    with pytest.raises(UserError, match=message):
        TASKS.get("STS12-moses").load(tmp_path)


def test_raw_tasks_do_not_take_sentevals_tokenised_text(tmp_path: Path) -> None:
    unpack({"SICK/SICK_trial.txt": b"x", "STS/STSBenchmark/sts-dev.csv": b"x"}, tmp_path)
    with pytest.raises(UserError, match=r"has no folder sts; .*; that of SentEval has the tokenised text: --tasks sts_moses"):
        TASKS.get("SICKR-trial").load(tmp_path)
    with pytest.raises(UserError, match=r"SICK_trial\.txt"):
        TASKS.get("SICKR-trial-moses").load(tmp_path)
