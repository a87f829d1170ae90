"""`augcse postprocess`: a table for people, one document for programs, and what it says on the way."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner, Result

from augcse.cli.app import app
from augcse.encoding.model import load_encoder


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(app, ["postprocess", *map(str, arguments)])
    assert result.exit_code == 0, result.exception
    return result


def test_a_table_and_the_size_of_the_sample(tiny_backbone: Path, corpus: Path, tmp_path: Path) -> None:
    done = run(tiny_backbone, corpus, "--with", "sif", "--with", "whiten:dim=5", "--sample", 60, "--output", tmp_path / "m")
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["step", "sif", "whiten"]
    assert "fitting sif, whiten on 60 distinct sentences of the 400" in done.stderr
    assert f"model of 5 dimensions in {tmp_path / 'm'}; fitted on 60 distinct sentences of 400" in done.stderr
    assert load_encoder(str(tmp_path / "m")).encode(["One."]).shape == (1, 5)


def test_one_document_and_nothing_else(tiny_backbone: Path, corpus: Path, tmp_path: Path) -> None:
    done = run(tiny_backbone, corpus, "--with", "whiten", "--sample", 60, "--output", tmp_path / "m", "--json", "--quiet")
    document = json.loads(done.stdout)
    # In a process of its own the libraries' bars are off too.
    assert [word for word in ("fitting", "model of") if word in done.stderr] == []
    assert document["output"] == str(tmp_path / "m")
    assert document["text"]["distinct"] == 60
    assert document["text"]["files"][0]["name"] == "corpus.txt"
    assert [step["name"] for step in document["steps"]] == ["whiten"]


def test_word_vectors_become_a_model(tmp_path: Path) -> None:
    (tmp_path / "glove.txt").write_text("cat 1 2\nsat 3 4\nthe 9 9\n", "utf-8")
    run(tmp_path / "glove.txt", "--output", tmp_path / "plain")
    assert load_encoder(str(tmp_path / "plain")).encode(["The cat sat"])[0].tolist() == [2.0, 3.0]
    run(tmp_path / "glove.txt", "--all-words", "--output", tmp_path / "all")
    assert load_encoder(str(tmp_path / "all")).encode(["The cat"])[0].tolist() == [5.0, 5.5]


def test_only_the_words_of_tasks_and_texts_are_kept(tmp_path: Path, data_folder: Path) -> None:
    (tmp_path / "glove.txt").write_text("girl 1 2\nzyzzyva 3 4\nxylyl 5 6\n", "utf-8")
    (tmp_path / "more.txt").write_text("A zyzzyva.\n", "utf-8")
    options = ("--tasks", "STSB-dev", "--data", data_folder, "--words", tmp_path / "more.txt")
    run(tmp_path / "glove.txt", *options, "--output", tmp_path / "model")
    assert load_encoder(str(tmp_path / "model")).tokenizer.vocab == ["[PAD]", "girl", "zyzzyva"]


def test_a_table_of_texts_is_read_by_its_column(tiny_backbone: Path, sentences: list[str], tmp_path: Path) -> None:
    rows = "".join(f"{number}\t{text.replace(chr(9), ' ')}\n" for number, text in enumerate(sentences[:60]))
    (tmp_path / "table.tsv").write_text("id\tbody\n" + rows.replace('"', ""), "utf-8")
    done = run(tiny_backbone, tmp_path / "table.tsv", "--column", "body", "--with", "sif", "--output", tmp_path / "m", "--json", "--quiet")
    assert json.loads(done.stdout)["text"]["read"] == 60
