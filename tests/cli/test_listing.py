"""`augcse list`: what programs read of it, names that stay whole, and what the tab key offers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.text import Text
from typer.testing import CliRunner

from augcse.augmentations.base import AUGMENTATIONS
from augcse.augmentations.sets import PUBLISHED_CHECKPOINTS, SETS
from augcse.cli import completion, table
from augcse.cli.app import app
from augcse.cli.table import table_lines
from augcse.config import load_recipe, recipe_names


def cards(kind: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(CliRunner().invoke(app, ["list", kind, "--json"]).stdout)
    return found


@pytest.mark.parametrize("kind", ["augmentations", "sets", "objectives", "tasks", "recipes", "steps"])
def test_every_member_is_one_line_of_a_pipe_and_begins_with_its_name(kind: str) -> None:
    lines = [line.split() for line in CliRunner().invoke(app, ["list", kind]).stdout.splitlines()]
    for card in cards(kind):
        assert sum(words[0] == card["name"] for words in lines) == 1


@pytest.mark.parametrize("kind", ["augmentations", "sets", "objectives", "tasks", "recipes", "steps"])
def test_no_name_is_broken_at_80_columns(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "table_lines", lambda rows, width, whole: table_lines(rows, 80, whole))
    lines = CliRunner().invoke(app, ["list", kind]).stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert {card["name"] for card in cards(kind)} <= {line.split()[0] for line in lines if line.strip()}


def test_an_augmentation_says_what_its_options_may_be() -> None:
    [card] = [card for card in cards("augmentations") if card["name"] == "RandomDeletion"]
    [rate] = [option for option in card["options"] if option["name"] == "rate"]
    assert rate == {"name": "rate", "type": "float", "default": rate["default"], "allowed": "a number from 0 to 1"}
    assert card["module"].startswith("augcse.augmentations.rules.")
    assert 0 < card["changes"]["share"] <= 1
    assert card["changes"]["rows"] == 10_000


@pytest.mark.parametrize("kind", ["augmentations", "objectives"])
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_plugin_that_does_not_load_is_a_line_on_stderr_beside_the_others(kind: str, options: list[str], tmp_path: Path) -> None:
    package = tmp_path / "broken-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n", "utf-8")
    (package / "entry_points.txt").write_text(f"[augcse.{kind}]\nBroken = nowhere_at_all:Rule\n", "utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, str(tmp_path)])}
    command = [sys.executable, "-m", "augcse", "list", kind, *options]
    listed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert listed.stdout == CliRunner().invoke(app, ["list", kind, *options]).stdout
    [line] = listed.stderr.splitlines()
    point = f"Broken = nowhere_at_all:Rule (augcse.{kind})"
    assert line.startswith(f"augcse: warning: entry point {point} does not load: ModuleNotFoundError: ")


def test_what_was_not_measured_has_no_change_rate() -> None:
    assert {card["name"] for card in cards("augmentations") if card["changes"] is None} >= {"DiverseParaphrase", "BackTranslation"}


def test_a_set_says_what_it_downloads() -> None:
    found = {card["name"]: card for card in cards("sets")}
    assert set(found) == set(SETS)
    assert found["12-aug"]["downloads"] == ["DiverseParaphrase", "Casual2Formal"]
    assert found["12-aug-2"]["downloads"] == []
    assert len(found["12-aug-2"]["members"]) == 10


def test_published_checkpoints_are_those_of_the_cards() -> None:
    assert set(PUBLISHED_CHECKPOINTS) == {member.name for member in AUGMENTATIONS if "seq2seq" in member.needs}


@pytest.mark.parametrize("card", cards("recipes"), ids=lambda card: card["name"])
def test_a_recipe_stands_in_the_group_of_what_it_needs(card: dict[str, Any]) -> None:
    backbone = load_recipe(card["name"]).model.backbone
    assert card["group"] == ("offline" if backbone == "mini-bert" else "paper")
    assert (backbone in card["downloads"]) == (card["group"] == "paper")
    assert card["gpu_advised"] == (card["group"] == "paper")


@pytest.mark.parametrize("card", cards("objectives"), ids=lambda card: card["name"])
def test_an_objectives_options_say_what_they_may_be(card: dict[str, Any]) -> None:
    assert card["options"]
    assert all(option.keys() == {"name", "type", "default", "allowed"} and option["allowed"] for option in card["options"])


@pytest.mark.parametrize(
    ("complete", "incomplete", "expected"),
    [
        (completion.recipe, "simcse-min", ["simcse-mini"]),
        (completion.recipe, "nothing", []),
        (completion.augmentation_list, "RandomDel", ["RandomDeletion"]),
        (completion.augmentation_list, "RandomSwap,12-aug-", ["RandomSwap,12-aug-2"]),
        (completion.step, "w", ["whiten"]),
        (completion.task_list, "STSB-d", ["STSB-dev", "STSB-dev-moses"]),
        (completion.task_list, "STSB,transf", ["STSB,transfer"]),
    ],
)
def test_names_are_completed(complete: Any, incomplete: str, expected: list[str]) -> None:
    assert complete(incomplete) == expected


def test_files_complete_a_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").mkdir()
    for name in ("mine/pairs.tsv", "mine/labels.csv.gz", "mine/.hidden.tsv", "mine/thesis.pdf", "pairs.jsonl"):
        (tmp_path / name).write_text("", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert completion.task_list("sts,mi") == ["sts,mine/"]
    assert completion.task_list("sts,mine/") == ["sts,mine/labels.csv.gz", "sts,mine/pairs.tsv"]
    assert completion.task_list("pai") == ["pairs.jsonl"]
    assert completion.task_list("nowhere/") == []


def test_the_shell_is_answered() -> None:
    environment = {"_AUGCSE_COMPLETE": "complete_bash", "COMP_WORDS": "augcse train simcse-min", "COMP_CWORD": "2"}
    assert CliRunner().invoke(app, [], env=environment, prog_name="augcse").stdout.split() == ["simcse-mini"]


def test_all_recipes_are_listed() -> None:
    assert sorted(card["name"] for card in cards("recipes")) == recipe_names()


def test_an_empty_table_is_no_line() -> None:
    assert table_lines([], 80) == []
    assert [line.plain for line in table_lines([[Text("")]], 80)] == [""]
