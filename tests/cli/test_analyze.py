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
    assert run(*options).stdout.splitlines()[1].split() == ["STS16", "0.00", "0.00", "to", "0.00", "1.000"]


def test_neighbours_of_two_models(tiny_backbone: Path, corpus: Path) -> None:
    options = ("neighbours", tiny_backbone, "mini-bert", "--query", "A query.", "--corpus", corpus, "--k", 2)
    found = document(*options)["A query."]
    assert {name: len(near) for name, near in found.items()} == {str(tiny_backbone): 2, "mini-bert": 2}
    assert "A query." in run(*options).stdout


def test_neighbours_in_the_column_of_a_table_with_a_byte_that_is_no_text(tiny_backbone: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_bytes(b"id,body\n1,The mill was built.\n2,Rain fell.\n3,A caf\xe9 opened.\n")
    options = ("neighbours", tiny_backbone, "--query", "A query.", "--corpus", table, "--k", 2, "--column", "body")
    with pytest.raises(UserError, match=r"table\.csv, line 4.*--encoding-errors replace"):
        run(*options)
    found = document(*options, "--encoding-errors", "replace")["A query."][str(tiny_backbone)]
    assert {one["sentence"] for one in found} < {"The mill was built.", "Rain fell.", "A caf\N{REPLACEMENT CHARACTER} opened."}


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


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Anchors; what says the same, but for one word; other sentences."""
    rows = [
        f"The mill number {row} was built by the river.\tThe mill number {row} stood by the river.\tRain, {row} times." for row in range(30)
    ]
    (tmp_path / "table.tsv").write_text("\n".join(["anchor\tlike\tunlike", *rows]) + "\n", "utf-8")
    return tmp_path / "table.tsv"


def test_columns_of_a_table_are_texts_whose_shapes_are_compared(table: Path) -> None:
    columns = [part for column in ("anchor", "like", "unlike") for part in ("--column", column)]
    options = ("isomorphism", "mini-bert", "--corpus", table, *columns, "--sample", 20)
    pairs = {tuple(name.rpartition(":")[2] for name in pair["texts"]): pair for pair in document(*options)["pairs"]}
    assert list(pairs) == [("anchor", "like"), ("anchor", "unlike"), ("like", "unlike")]
    assert pairs["anchor", "like"]["svg"] < pairs["anchor", "unlike"]["svg"]
    assert "table.tsv:anchor and" in run(*options).stdout


def test_two_models_are_compared_on_a_text(table: Path, tiny_backbone: Path) -> None:
    options = ("--corpus", table, "--column", "unlike", "--sample", 20)
    assert document("isomorphism", tiny_backbone, tiny_backbone, *options)["svg"] == 0.0


def test_as_many_sentences_are_taken_of_a_long_text_as_of_a_short_one(table: Path, tmp_path: Path) -> None:
    lines = table.read_text("utf-8").splitlines()[1:]
    (tmp_path / "long.txt").write_text("\n".join(line.split("\t")[0] for line in lines), "utf-8")
    (tmp_path / "short.txt").write_text("\n".join(line.split("\t")[2] for line in lines[:12] * 2), "utf-8")
    texts = ("--corpus", tmp_path / "long.txt", "--corpus", tmp_path / "short.txt")
    [one] = document("isomorphism", "mini-bert", *texts, "--sample", 12)["pairs"]
    [same] = document("isomorphism", "mini-bert", *texts, "--sample", 12, "--sentences", 12)["pairs"]
    assert one == same


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "give another model, or two texts or more"),
        (("--column", "anchor"), "give another model, or two texts or more"),
        (
            ("--column", "anchor", "--column", "like"),
            r"table\.tsv:anchor has 30 distinct sentences, and the estimate draws 100; .*--sample",
        ),
        (("--column", "anchor", "--column", "anchor"), "--column: one is given twice"),
        (("mini-bert", "--column", "anchor", "--column", "like"), "two models are compared on one text, and there are 2"),
        (("--column", "anchor", "--column", "like", "--sentences", "20"), "the estimate draws 100 of 20 sentences; raise --sentences"),
        (("--column", "anchor", "--column", "absent"), "unknown column 'absent'; known: anchor, like, unlike"),
    ],
)
def test_texts_that_cannot_be_compared_are_refused(
    arguments: tuple[str, ...], message: str, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("augcse.analysis.spaces.load_encoder", lambda *arguments: pytest.fail("a model was loaded"))
    with pytest.raises(UserError, match=message):
        run("isomorphism", "mini-bert", *arguments, "--corpus", table)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["scores", "./no"], "no model folder ./no"),
        (["compare", "mini-bert", "./no"], "no model folder ./no"),
        (["neighbours", "./no", "--query", "x"], "no model folder ./no"),
        (["neighbours", "mini-bert", "--query", "x", "--query", " "], "a query is blank; give a sentence"),
        (["geometry", "mini-bert", "./no"], "no model folder ./no"),
        (["isomorphism", "./no", "mini-bert"], "no model folder ./no"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_loaded(arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("augcse.analysis.spaces.load_encoder", lambda *arguments: pytest.fail("a model was loaded"))
    monkeypatch.setattr("augcse.encoding.model.load_encoder", lambda *arguments: pytest.fail("a model was loaded"))
    monkeypatch.setattr("augcse.analysis.spaces.load_pair_tasks", lambda *arguments: pytest.fail("data was loaded"))
    with pytest.raises(UserError, match=message):
        run(*arguments)


def test_a_column_without_a_table_is_refused() -> None:
    with pytest.raises(UserError, match="--column without --corpus"):
        run("isomorphism", "mini-bert", "mini-bert", "--column", "anchor")


@pytest.mark.parametrize("command", [["scores", "m"], ["compare", "m", "m"], ["isomorphism", "m", "m"]])
def test_a_negative_seed_is_wrong_usage(command: list[str]) -> None:
    assert CliRunner().invoke(app, [*command, "--seed", "-1"]).exit_code == 2


def test_a_corpus_without_a_sentence_is_refused(tmp_path: Path) -> None:
    (tmp_path / "blank.txt").write_text("\n \n", "utf-8")
    with pytest.raises(UserError, match=r"blank\.txt: no sentence in it"):
        run("neighbours", "mini-bert", "--query", "x", "--corpus", tmp_path / "blank.txt")
