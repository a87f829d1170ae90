"""`augcse evaluate` on bad input: exit code 2, one line that names what is wrong, no figure; and what it says beside the scores."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from augcse.cli import app as app_module
from augcse.encoding.model import load_encoder
from augcse.encoding.word_vectors import word_vector_model


class Done(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def augcse(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Run the command as a process would, in this one."""
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: object) -> Done:
        monkeypatch.setattr(sys, "argv", ["augcse", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            app_module.main()
        return Done(int(stop.value.code or 0), *capsys.readouterr())

    return run


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory, sentences: list[str]) -> Path:
    """Files in the size of STS16, STSB-dev and SICKR-trial."""
    folder = tmp_path_factory.mktemp("data")
    files = {"STS16/answer-answer": 254, "STS16/headlines": 249, "STS16/plagiarism": 230, "STS16/postediting": 244}
    for file, rows in {**files, "STS16/question-question": 209, "SICK/trial": 500, "STSB/dev": 1500}.items():
        path = folder / "sts" / f"{file}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{row % 6}\t{sentences[row % 90]}\t{sentences[row * 7 % 80]}\n" for row in range(rows)), "utf-8")
    return folder


def refused(done: Done) -> str:
    assert done.code == 2
    assert done.out == ""
    # A process of its own shows no bar: it is switched off before the libraries are imported.
    lines = [line for line in done.err.splitlines() if line and not line.startswith("Loading weights")]
    assert len(lines) == 1, done.err
    assert lines[0].startswith("augcse: error: ")
    return lines[0]


def replaced(old: str, new: str) -> Callable[[str], str]:
    return lambda text: text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (None, "no file {path}; give a file with lines of score TAB sentence TAB sentence"),
        (lambda text: text.rsplit("\n", 2)[0] + "\n", "SICKR-trial in {data} has 499 pairs, not 500; the score would not compare"),
        (replaced("\n1\t", "\nhigh\t"), "{path}, line 2: the score 'high' is not a number"),
        (replaced("\n1\t", "\nnan\t"), "{path}, line 2: the score 'nan' is not a number"),
        (replaced("\n1\t", "\n1 "), "{path}, line 2: 2 columns; expected score TAB sentence TAB sentence"),
    ],
)
def test_bad_pairs_are_refused_and_nothing_else_is_printed(
    change: Callable[[str], str] | None, message: str, data: Path, tmp_path: Path, tiny_backbone: Path, augcse: Callable[..., Done]
) -> None:
    copy = shutil.copytree(data, tmp_path / "copy")
    path = copy / "sts" / "SICK" / "trial.tsv"
    path.write_text(change(path.read_text("utf-8")), "utf-8") if change else path.unlink()
    # The first task is whole: its score, and an average over what could be scored, must not appear.
    line = refused(augcse("evaluate", tiny_backbone, "--tasks", "STSB-dev,SICKR-trial", "--data", copy))
    assert message.format(path=path, data=copy) in line
    assert refused(augcse("evaluate", tiny_backbone, "--tasks", "STSB-dev,SICKR-trial", "--data", copy, "--json")) == line


def test_a_suite_that_lacks_a_task_has_no_average(data: Path, tiny_backbone: Path, augcse: Callable[..., Done]) -> None:
    assert f"no file {data}/sts/STS12/MSRpar.tsv" in refused(augcse("evaluate", tiny_backbone, "--tasks", "sts", "--data", data))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: lines[:-1], "2,406 rows, not 2,407; the score would not compare; give the whole file"),
        (lambda lines: [*lines[:-1], b"more " + lines[-1]], "2,407 rows, but not the canonical file's content (SHA-256)"),
    ],
)
def test_changed_transfer_data_is_refused(
    change: Callable[[list[bytes]], list[bytes]],
    message: str,
    data_folder: Path,
    tmp_path: Path,
    tiny_backbone: Path,
    augcse: Callable[..., Done],
) -> None:
    shutil.copytree(data_folder / "transfer" / "CR", tmp_path / "transfer" / "CR")
    path = tmp_path / "transfer" / "CR" / "custrev.pos"
    path.write_bytes(b"\n".join(change(path.read_bytes().removesuffix(b"\n").split(b"\n"))) + b"\n")
    line = refused(augcse("evaluate", tiny_backbone, "--tasks", "CR", "--data", tmp_path))
    assert f"{path}: " in line
    assert message in line


@pytest.mark.parametrize(
    ("tasks", "message"),
    [
        ("CR", "give --data DIR with DIR/transfer/CR/custrev.pos and so on, or SentEval's own data folder (data/ of github.com/"),
        ("CoLA", "give --data DIR with transfer/CoLA/in_domain_train.tsv, "),
        ("ANLI", "give --data DIR with nli/ANLI/R1_dev.tsv.xz, "),
        ("SICKR", "give --data DIR with sts/SICK/test.tsv in it, 4,927 lines of score, sentence, sentence"),
        ("mteb:STS16", "mteb:STS16 needs MTEB: pip install 'augcse[mteb]'"),
        ("STBS", "did you mean"),
    ],
)
def test_data_that_cannot_be_had_comes_with_the_remedy(
    tasks: str, message: str, tiny_backbone: Path, augcse: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mteb", None)
    assert message in refused(augcse("evaluate", tiny_backbone, "--tasks", tasks))


def test_a_model_that_cannot_be_scored_is_refused(data: Path, tiny_backbone: Path, tmp_path: Path, augcse: Callable[..., Done]) -> None:
    folder = shutil.copytree(tiny_backbone, tmp_path / "model")
    weights = load_file(folder / "model.safetensors")
    name = next(name for name in weights if name.endswith("1.output.LayerNorm.weight"))
    save_file(weights | {name: torch.full_like(weights[name], torch.nan)}, folder / "model.safetensors", metadata={"format": "pt"})
    assert "not finite" in refused(augcse("evaluate", folder, "--tasks", "SICKR-trial", "--data", data))
    kept = {key: value for key, value in weights.items() if "layer.1." not in key}
    save_file(kept, folder / "model.safetensors", metadata={"format": "pt"})
    assert "would be random" in refused(augcse("evaluate", folder, "--tasks", "SICKR-trial", "--data", data))
    (folder / "model.safetensors").unlink()
    assert "cannot load the model" in refused(augcse("evaluate", folder, "--tasks", "SICKR-trial", "--data", data))


def test_the_share_of_cut_sentences_is_reported(data: Path, tiny_backbone: Path, tmp_path: Path, augcse: Callable[..., Done]) -> None:
    model = load_encoder(str(tiny_backbone))
    sentences = {text for line in (data / "sts/SICK/trial.tsv").read_text("utf-8").splitlines() for text in line.split("\t")[1:]}
    cut = sum(len(model.tokenizer(text)["input_ids"]) > 20 for text in sentences)
    assert 0 < cut < len(sentences)
    model.max_seq_length = 20
    model.save_pretrained(str(tmp_path / "short"), create_model_card=False)
    arguments = ("evaluate", tmp_path / "short", "--tasks", "SICKR-trial", "--data", data)
    document = json.loads(augcse(*arguments, "--json").out)
    assert document["truncated"] == {
        "share": round(cut / len(sentences), 6),
        "sentences": cut,
        "of_sentences": len(sentences),
        "max_len_tokens": 20,
    }
    share = f"{100 * cut / len(sentences):.2f} %"
    assert augcse(*arguments).out.splitlines()[-1] == f"{cut} of {len(sentences)} sentences ({share}) were cut at the model's 20 tokens"


def test_zero_vectors_and_ties_are_reported(data: Path, sentences: list[str], tmp_path: Path, augcse: Callable[..., Done]) -> None:
    words = sorted({word for sentence in sentences[:40] for word in sentence.split()})
    generator = np.random.default_rng(0)
    lines = [f"{word} {' '.join(map(str, generator.normal(size=4)))}\n" for word in words[:9]]
    (tmp_path / "glove.txt").write_text("".join(lines), "utf-8")
    word_vector_model(tmp_path / "glove.txt").save_pretrained(str(tmp_path / "words"), create_model_card=False)
    done = augcse("evaluate", tmp_path / "words", "--tasks", "SICKR-trial", "--data", data)
    assert done.code == 0
    assert "sentences have a zero vector; their cosine counts as 0" in done.err
    assert "zero_vectors" in done.out
    assert "tied_pairs" in done.out
    assert done.out.splitlines()[-1] == "no sentence was cut: the model has no maximum length"
    document = json.loads(augcse("evaluate", tmp_path / "words", "--tasks", "SICKR-trial", "--data", data, "--json").out)
    assert document["truncated"] is None
    assert [warning["kind"] for warning in document["warnings"]] == ["other_content", "zero_vectors"]
    assert "sts/SICK/trial.tsv: not the content" in done.err
    assert document["warnings"][1]["count"] == document["details"]["SICKR-trial"]["zero_vectors"]


def test_a_constant_encoder_is_named_so(data: Path, tmp_path: Path, augcse: Callable[..., Done]) -> None:
    (tmp_path / "glove.txt").write_text("absent 1 2\n", "utf-8")
    word_vector_model(tmp_path / "glove.txt").save_pretrained(str(tmp_path / "words"), create_model_card=False)
    done = augcse("evaluate", tmp_path / "words", "--tasks", "SICKR-trial", "--data", data)
    assert "all embeddings are equal" in done.err
    assert " 0.00 " in done.out
