"""`augcse analyze`: tables for people, one JSON document for programs, refusals in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from augcse.cli.analyze import app
from augcse.errors import UserError


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=True)
    if isinstance(result.exception, UserError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result


def document(*arguments: object) -> Any:
    return json.loads(run(*arguments, "--json").stdout)


def test_scores_show_subsets_and_an_interval(tiny_backbone: Path, data_folder: Path) -> None:
    options = ("scores", tiny_backbone, "--tasks", "STS16", "--data", data_folder, "--resamples", 20)
    found = document(*options)["STS16"]
    assert found["interval"]["low"] < found["all"]["spearman"] < found["interval"]["high"]
    assert len(found["subsets"]) == 5
    lines = run(*options).stdout
    assert "plagiarism" in lines
    assert "95 % interval" in lines


def test_a_model_does_not_differ_from_itself(tiny_backbone: Path, data_folder: Path) -> None:
    options = ("compare", tiny_backbone, tiny_backbone, "--tasks", "STS16", "--data", data_folder, "--resamples", 20)
    found = document(*options)["STS16"]
    assert (found["difference"], found["p_value"]) == (0.0, 1.0)
    assert "+0.00" in run(*options).stdout


def test_neighbours_of_two_models(tiny_backbone: Path, corpus: Path) -> None:
    options = ("neighbours", tiny_backbone, "mini-bert", "--query", "A query.", "--corpus", corpus, "--k", 2)
    found = document(*options)["A query."]
    assert {name: len(near) for name, near in found.items()} == {str(tiny_backbone): 2, "mini-bert": 2}
    assert "A query." in run(*options).stdout


def test_geometry_of_the_test_sentences(tiny_backbone: Path, data_folder: Path) -> None:
    options = ("geometry", tiny_backbone, "--data", data_folder)
    found = document(*options)[str(tiny_backbone)]
    assert found["alignment"] > 0 > found["uniformity"]
    assert found["recall@1"] <= found["recall@5"] <= found["recall@10"]
    assert sum(group["pairs"] for group in found["rating_groups"]) == 1379
    assert "4 to 5" in run(*options).stdout


def test_a_space_has_its_own_shape(tiny_backbone: Path, data_folder: Path) -> None:
    options = ("isomorphism", tiny_backbone, tiny_backbone, "--data", data_folder, "--sample", 20)
    found = document(*options)
    assert (found["svg"], found["gromov_hausdorff_h0"], found["gromov_hausdorff_h1"]) == (0.0, 0.0, 0.0)
    assert found["cond_hm"] >= 1
    assert "cond_hm" in run(*options).stdout


def test_only_the_words_of_the_tasks_are_kept(tmp_path: Path, data_folder: Path) -> None:
    from augcse.encoding.model import load_encoder

    (tmp_path / "glove.txt").write_text("girl 1 2\nzyzzyva 3 4\nxylyl 5 6\n", "utf-8")
    (tmp_path / "more.txt").write_text("A zyzzyva.\n", "utf-8")
    options = ("--tasks", "STSB", "--data", data_folder, "--corpus", tmp_path / "more.txt")
    run("word-vectors", tmp_path / "glove.txt", "--output", tmp_path / "model", *options)
    assert load_encoder(str(tmp_path / "model")).tokenizer.vocab == ["[PAD]", "girl", "zyzzyva"]


@pytest.mark.parametrize("kind", ["plain", "whitening", "flow"])
def test_baselines_are_model_folders(kind: str, tiny_backbone: Path, corpus: Path, tmp_path: Path) -> None:
    from augcse.encoding.model import load_encoder

    run("baseline", kind, "--model", tiny_backbone, "--pooling", "mean", "--corpus", corpus, "--output", tmp_path / "model")
    # The backbone's last normalisation takes one of its 32 directions away, and whitening leaves it out.
    dim = 31 if kind == "whitening" else 32
    assert load_encoder(str(tmp_path / "model")).encode(["One sentence."]).shape == (1, dim)
    with pytest.raises(UserError, match="exists"):
        run("baseline", kind, "--model", tiny_backbone, "--pooling", "mean", "--corpus", corpus, "--output", tmp_path / "model")


def test_the_flows_folder_says_what_it_needs(tiny_backbone: Path, corpus: Path, tmp_path: Path) -> None:
    run("baseline", "flow", "--model", tiny_backbone, "--pooling", "mean", "--corpus", corpus, "--output", tmp_path / "model")
    assert "load_encoder" in (tmp_path / "model" / "README.md").read_text("utf-8")


def test_a_fitted_baseline_needs_sentences(tiny_backbone: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="give --corpus FILE"):
        run("baseline", "flow", "--model", tiny_backbone, "--output", tmp_path / "model")


def test_word_vectors_become_a_model(tmp_path: Path) -> None:
    from augcse.encoding.model import load_encoder

    (tmp_path / "glove.txt").write_text("cat 1 2\nsat 3 4\n", "utf-8")
    run("word-vectors", tmp_path / "glove.txt", "--output", tmp_path / "model")
    assert load_encoder(str(tmp_path / "model")).encode(["The cat sat"])[0].tolist() == [2.0, 3.0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["scores", "./no"], "no model folder ./no"),
        (["compare", "mini-bert", "./no"], "no model folder ./no"),
        (["neighbours", "./no", "--query", "x"], "no model folder ./no"),
        (["geometry", "mini-bert", "./no"], "no model folder ./no"),
        (["isomorphism", "./no", "mini-bert"], "no model folder ./no"),
        (["baseline", "plain", "--output", "."], "exists; choose another --output"),
        (["baseline", "whitening", "--output", "new", "--corpus", "no.txt"], "no corpus file no.txt"),
        (["word-vectors", "no.txt", "--output", "."], "exists; choose another --output"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_loaded(arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("augcse.encoding.model.load_encoder", lambda *arguments: pytest.fail("a model was loaded"))
    monkeypatch.setattr("augcse.evaluation.detail.load_pair_tasks", lambda *arguments: pytest.fail("data was loaded"))
    with pytest.raises(UserError, match=message):
        run(*arguments)


@pytest.mark.parametrize(
    "command", [["scores", "m"], ["compare", "m", "m"], ["isomorphism", "m", "m"], ["baseline", "flow", "--output", "o"]]
)
def test_a_negative_seed_is_wrong_usage(command: list[str]) -> None:
    assert CliRunner().invoke(app, [*command, "--seed", "-1"]).exit_code == 2


@pytest.mark.parametrize("command", [["baseline", "whitening", "--output", "new"], ["neighbours", "mini-bert", "--query", "x"]])
def test_a_corpus_without_a_sentence_is_refused(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "blank.txt").write_text("\n \n", "utf-8")
    with pytest.raises(UserError, match=r"blank\.txt: no sentence in it"):
        run(*command, "--corpus", tmp_path / "blank.txt")
