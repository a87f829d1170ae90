"""`augcse probe`: the corpus last or by --corpus, tables for people, one document for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from augcse.cli.app import app
from augcse.errors import UserError


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(app, ["probe", *map(str, arguments)], catch_exceptions=True)
    if isinstance(result.exception, UserError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result


def test_one_model_and_a_corpus(tiny_backbone: Path, corpus: Path) -> None:
    done = run(tiny_backbone, corpus, "--sample", 60, "--resamples", 20)
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["check", "better", str(tiny_backbone)]
    assert [line.split()[0] for line in lines[1:4]] == ["summary", "recall@1", "mrr"]
    assert any(line.startswith("SentenceNegation") for line in lines)
    assert "left out: BackTranslation, Casual2Formal, Formal2Casual, MultilingualBackTranslation: runs a model of its own" in lines
    assert "60 distinct sentences of 400, 60 with a next one; in brackets: 95 % intervals" in done.stdout
    assert "augmenting 60 sentences" in done.stderr


def test_two_models_get_a_difference_and_quiet_is_quiet(tiny_backbone: Path, corpus: Path) -> None:
    options = ("--corpus", corpus, "--sample", 60, "--resamples", 20, "--quiet")
    done = run(tiny_backbone, tiny_backbone, *options)
    assert done.stdout.splitlines()[0].split()[-1] == "difference"
    assert "+0.0 (+0.0 to +0.0)" in done.stdout
    assert "augmenting" not in done.stderr
    document = json.loads(run(tiny_backbone, tiny_backbone, *options, "--json").stdout)
    assert [model["model"] for model in document["models"]] == [str(tiny_backbone)] * 2
    assert document["differences"]["triples"]["difference"] == 0.0


@pytest.mark.parametrize("models", [("mini-bert",), ("{model}",), ("{model}", "mini-bert"), ("mini-bert", "{model}")])
def test_models_without_a_corpus_are_no_probe(models: tuple[str, ...], tiny_backbone: Path) -> None:
    with pytest.raises(UserError, match=r"a corpus is needed after the models; give augcse probe MODEL\.\.\. CORPUS"):
        run(*(model.format(model=tiny_backbone) for model in models))
