"""Labelled lines one by one, SentEval's order and layout, pair features, the orderings of ANLI by hand, options from end to end."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from augcse import evaluate
from augcse.cli.app import app
from augcse.errors import UserError
from augcse.evaluation.base import TASKS, EvaluationOptions
from augcse.evaluation.labelled import (
    LabelledExample,
    LabelledFile,
    Parse,
    acceptability,
    all_of,
    content_sha256,
    inference_pair,
    paraphrase_pair,
    sentence_then_label,
    senteval_order,
    trec_question,
)
from augcse.evaluation.scores import Scores
from augcse.evaluation.tasks.cases import LoadedANLI
from augcse.evaluation.tasks.transfer import LoadedTransfer


@pytest.mark.parametrize(
    ("parse", "line", "label", "texts"),
    [
        (all_of(1), "  one\t two ", 1, ("one two",)),
        (all_of(0), "", 0, ("",)),
        (sentence_then_label, "so  good \t1", 1, ("so good",)),
        (trec_question, "NUM:dist How far : is it ?", 5, ("How far : is it ?",)),
        (trec_question, "ABBR:exp What is it", 0, ("What is it",)),
        (paraphrase_pair, "0\t1\t2\tfirst  one\tsecond", 0, ("first one", "second")),
        (acceptability, "gj04\t0\t*\tThem ran.", 0, ("Them ran.",)),
        (inference_pair, "contradiction\tA  b.\tC.", 2, ("A b.", "C.")),
    ],
)
def test_a_line_is_read_as_senteval_reads_it(parse: Parse, line: str, label: int, texts: tuple[str, ...]) -> None:
    assert parse(line) == LabelledExample(label, texts)


@pytest.mark.parametrize(
    ("parse", "line", "message"),
    [
        (sentence_then_label, "no label", "line 2: 1 columns; expected sentence TAB label"),
        (sentence_then_label, "text\t2", "line 2: the label '2' is neither 0 nor 1"),
        (trec_question, "WHO:x y", "line 2: expected CLASS:kind question"),
        (trec_question, "NUM:count", "line 2: expected CLASS:kind question"),
        (paraphrase_pair, "1\ta\tb\tc", "line 2: 4 columns"),
        (inference_pair, "maybe\ta\tb", "line 2: the label 'maybe' is none of entailment"),
    ],
)
def test_a_bad_line_is_named(parse: Parse, line: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "f").write_text("header\n" + line + "\n", "utf-8")
    with pytest.raises(UserError, match=message):
        LabelledFile("f", parse, 1, "", header=True).read(tmp_path)


def test_latin_1_is_read_and_bad_utf8_named(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes("DESC:manner Où est-il\n".encode("latin-1"))
    examples = [trec_question("DESC:manner Où est-il")]
    file = LabelledFile("f", trec_question, 1, content_sha256(examples), encoding="latin-1")
    assert file.read(tmp_path) == examples
    with pytest.raises(UserError, match="not UTF-8"):
        replace(file, encoding="utf-8").read(tmp_path)


def test_a_line_ends_at_a_line_feed_only(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("a\x85b\u2028c\r\nd\n", "utf-8")
    file = LabelledFile("f", all_of(1), 2, content_sha256([LabelledExample(1, ("a b c",)), LabelledExample(1, ("d",))]))
    assert [example.texts[0] for example in file.read(tmp_path)] == ["a b c", "d"]


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "f.xz").write_bytes(b"not xz")
    with pytest.raises(UserError, match="cannot read"):
        LabelledFile("f.xz", all_of(1), 1, "").read(tmp_path)


def test_sentevals_order_is_words_then_label_and_stable() -> None:
    rows = [LabelledExample(1, ("a b",)), LabelledExample(0, ("c d",)), LabelledExample(1, ("e",)), LabelledExample(0, ("f g",))]
    assert [row.texts[0] for row in senteval_order(rows)] == ["e", "c d", "f g", "a b"]
    pairs = [LabelledExample(0, ("a", "b c")), LabelledExample(1, ("d", "e"))]
    assert [row.label for row in senteval_order(pairs)] == [1, 0]


def test_pairs_become_difference_and_product() -> None:
    loaded = LoadedTransfer({"train": [LabelledExample(1, ("a", "b"))], "test": []}, "folds, test split", EvaluationOptions())
    features = loaded.features(np.array([[1.0, -2.0], [3.0, 4.0]]), {"a": 0, "b": 1})
    assert features.tolist() == [[2.0, 6.0, 3.0, -8.0]]


def test_anli_orderings_by_hand() -> None:
    # One premise: entailed e at 45 degrees; c nearer by dot product only, d farther; n (neutral) ties with e. Other premises do not mix in.
    rows = [LabelledExample(label, ("p", text)) for label, text in ((0, "e"), (2, "c"), (2, "d"), (1, "n"))]
    rows.append(LabelledExample(2, ("q", "x")))
    vectors = {"p": (1, 0), "e": (1, 1), "c": (3, 9), "d": (-1, 0), "n": (1, 1)}
    row_of = {text: row for row, text in enumerate(vectors)}
    loaded = LoadedANLI({"R1": rows})
    assert set(loaded.sentences()) == set(vectors)
    figures = loaded.measure(np.array(list(vectors.values()), dtype=float), row_of)
    assert figures == pytest.approx({"cosine, contradiction": 100.0, "dot product, contradiction or neutral": 50.0, "R1": 100.0})


@pytest.mark.parametrize("options", [{"classifier": "lbfg"}, {"protocol": "tset"}])
def test_an_unknown_option_is_refused_with_near_matches(options: dict[str, str]) -> None:
    with pytest.raises(UserError, match=r"did you mean (lbfgs|test)"):
        EvaluationOptions(**options)  # type: ignore[arg-type]


def test_details_are_in_the_document_only_where_there_are_any() -> None:
    assert "details" not in Scores("m", {"A": 1.0}).as_json()
    assert Scores("m", {"A": 1.0}, details={"A": {"accuracy": 1.0, "F1": 2.0}}).as_json()["details"]["A"]["F1"] == 2.0


def test_sentevals_own_layout_is_read_too(data_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(data_folder / "transfer" / "TREC", tmp_path / "downstream" / "TREC")
    shutil.copytree(data_folder / "transfer" / "SST2", tmp_path / "downstream" / "SST" / "binary")
    for name in ("TREC", "SST2"):
        assert TASKS.get(name).load(tmp_path).sentences() == TASKS.get(name).load(data_folder).sentences()


def test_evaluation_from_end_to_end_leaves_the_generators_alone(data_folder: Path, tiny_backbone: Path) -> None:
    import torch

    before = torch.get_rng_state()
    scores = evaluate(str(tiny_backbone), ("TREC", "STSB-dev"), data_folder, protocol="fast")
    assert torch.equal(before, torch.get_rng_state())
    assert set(scores.details) == {"TREC", "STSB-dev"}
    assert scores.details["TREC"]["accuracy"] == scores.scores["TREC"] > 20


def test_the_command_takes_classifier_and_protocol(data_folder: Path, tiny_backbone: Path) -> None:
    arguments = ["evaluate", str(tiny_backbone), "--tasks", "ANLI", "--data", str(data_folder), "--classifier", "lbfgs", "--json"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout[result.stdout.index("{") :])
    assert document["details"]["ANLI"]["cosine, contradiction"] == document["scores"]["ANLI"]
    table = CliRunner().invoke(app, [*arguments[:-1], "--protocol", "fast"])
    assert "R1 " in table.stdout


def test_the_command_refuses_an_unknown_classifier(tiny_backbone: Path) -> None:
    result = CliRunner().invoke(app, ["evaluate", str(tiny_backbone), "--classifier", "svm"])
    assert isinstance(result.exception, UserError) or result.exit_code == 2
