"""`augcse preview` of texts of any length."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from augcse.augmentations.run.apply import Preview
from augcse.cli.app import app
from augcse.cli.preview import _reason, difference
from augcse.errors import UserError

SENTENCE = "The old man did not sell 12 cars. "


def test_a_text_that_is_longer_than_any_sentence_is_cut_and_it_is_said() -> None:
    found = CliRunner().invoke(app, ["preview", "a" * 125_000, "--with", "RandomSwap,PigLatin", "--json"])
    assert found.exit_code == 0, found.output
    assert "the text has 125,000 characters; as in a corpus, the first 10,000 are used" in found.stderr
    assert all(len(row["augmented"]) <= 10_010 for row in json.loads(found.stdout))


def test_a_text_with_half_a_character_is_refused() -> None:
    # What Python makes of an argument that is not UTF-8.
    found = CliRunner().invoke(app, ["preview", "It isn't \udcff.", "--with", "TenseTransformation"])
    with pytest.raises(UserError, match=r"the text holds U\+DCFF, half a character"):
        raise found.exception or AssertionError(found.output)


def test_a_sentence_is_not_warned_of() -> None:
    assert CliRunner().invoke(app, ["preview", SENTENCE, "--with", "RandomSwap"]).stderr == ""


@pytest.mark.parametrize("old", [SENTENCE * 290, '"' * 10_000, "a " * 5_000], ids=["sentences", "marks", "words"])
def test_the_difference_of_a_long_text_says_what_is_new(old: str) -> None:
    assert "NEW" in difference(old, old[:5_000] + " NEW" + old[5_000:]).plain


def test_why_names_what_is_left_alone_or_what_the_rule_needs() -> None:
    found = CliRunner().invoke(app, ["preview", "Yes.", "--with", "NumericToWord", "--why"])
    assert "(does not apply)" in found.stdout
    assert "needs a text with a number" in " ".join(found.stdout.split())


def test_an_empty_text_of_an_own_rule_is_named(tmp_path: Path) -> None:
    rules = tmp_path / "my_rules.py"
    rules.write_text("def nothing(sentence, rng):\n    return ''\n\n\ndef none(sentence, rng):\n    return None\n", "utf-8")
    found = CliRunner().invoke(app, ["preview", "Yes.", "--with", f"{rules}:nothing,{rules}:none", "--why", "--json"])
    assert [row["why_unchanged"] for row in json.loads(found.stdout)] == ["it returned an empty text", "no text fits"]


def test_refusals_stand_before_what_the_rule_needs() -> None:
    assert _reason(Preview("Rule", None, ("question", "reflexive object"), "no text fits")) == "left alone: question, reflexive object"
    assert _reason(Preview("Rule", None, (), "no text fits")) == "no text fits"
