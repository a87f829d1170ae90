"""The user's own objectives: a decorated class in a file or in an installed package."""

from __future__ import annotations

import importlib.metadata
import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from augcse.cli.app import run
from augcse.config import Recipe, load_recipe
from augcse.encoding.model import load_encoder
from augcse.errors import UserError
from augcse.objectives.base import OBJECTIVES, ObjectiveCard, _from_entry_point, find_objective
from augcse.registry import Registry
from augcse.training.objective import build_objective

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "your-own.md").read_text("utf-8").partition("## An objective")[2]
[PROGRAM] = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
[COMMAND] = re.findall(r"^```bash\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


_VIEW = r"my_losses\.py: SpreadLoss: views: unknown view 'orginal'; did you mean original"


@pytest.fixture
def losses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The page's file, in the working folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "my_losses.py"
    path.write_text(PROGRAM, "utf-8")
    return path


def test_the_pages_objective_trains_as_the_page_says(losses: Path, corpus: Path, tiny_backbone: Path) -> None:
    (losses.parent / "sentences.txt").write_text(corpus.read_text("utf-8"), "utf-8")
    quick = ["--model", str(tiny_backbone), "--workers", "1", "--quiet", "--dev", "none", "--set", "training.max_steps=2"]
    assert run([*shlex.split(COMMAND)[1:], *quick, "--set", "training.batch_size=8"]) == 0
    record = json.loads((losses.parent / "my-run" / "run.json").read_text("utf-8"))
    assert record["recipe"]["objective"] == {
        "name": "my_losses.py:SpreadLoss", "temperature": 0.1, "projection": "batchnorm", "spread_weight": 0.2, "repeated_texts": "mask",
        "discriminator": None,
    }  # fmt: skip
    assert "my_losses.SpreadLoss" in (losses.parent / "my-run" / "model" / "README.md").read_text("utf-8")


def test_its_card_is_read_without_running_the_file(losses: Path) -> None:
    losses.write_text("raise RuntimeError\n" + PROGRAM, "utf-8")
    card = find_objective(f"{losses}:SpreadLoss")
    assert (card.name, card.class_name, list(card.options)) == ("spread", "SpreadLoss", ["temperature", "projection", "spread_weight"])
    with pytest.raises(UserError, match=r"objective spread failed: RuntimeError|my_losses\.py cannot be imported: RuntimeError"):
        card.load()


def test_its_options_are_checked_and_kept(losses: Path, tiny_backbone: Path) -> None:
    name = f"{losses}:SpreadLoss"
    with pytest.raises(UserError, match="objective spread: spread_weight is -1; give a number from 0 to 1000000"):
        load_recipe("simcse-mini", {"objective.name": name, "objective.spread_weight": -1})
    loss = build_objective(load_recipe("simcse-mini", {"objective.name": name}), load_encoder(str(tiny_backbone), "cls"))
    assert loss.get_config_dict() == {"temperature": 0.1, "projection": "batchnorm", "spread_weight": 0.1}
    # A model card has no entry for a loss without a paper.
    assert not hasattr(loss, "citation")


def test_none_is_kept_by_a_recipe_that_is_written_and_read_again(losses: Path) -> None:
    head, found, rest = PROGRAM.partition("spread_weight: Weight = ")
    assert found
    losses.write_text(f"{head}spread_weight: Weight | None = {rest}", "utf-8")
    recipe = load_recipe("simcse-mini", {"objective.name": f"{losses}:SpreadLoss", "objective.spread_weight": "none"})
    again = Recipe.model_validate(recipe.model_dump(exclude_none=True)).objective.options()
    assert find_objective(f"{losses}:SpreadLoss").check_options(again)["spread_weight"] is None


def test_a_file_alone_names_no_objective(losses: Path) -> None:
    with pytest.raises(UserError, match=r"names a file and no objective in it; give path/to/file\.py:Name"):
        find_objective(str(losses))


def test_an_edited_file_is_another_run(losses: Path) -> None:
    before = find_objective(f"{losses}:SpreadLoss").code_sha256()
    losses.write_text(PROGRAM + "# edited\n", "utf-8")
    assert find_objective(f"{losses}:SpreadLoss").code_sha256() != before
    assert find_objective("simcse").code_sha256() is None


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (PROGRAM, "SpraedLoss", "unknown objective 'SpraedLoss'; did you mean SpreadLoss"),
        (PROGRAM.replace('"spread", paper', "NAME, paper"), "SpreadLoss", "cannot be read: .*take literals"),
        (PROGRAM.replace('views=("original",)', 'view=("original",)'), "SpreadLoss", "cannot be read: .*view"),
        (PROGRAM.replace('views=("original",)', 'views=("orginal",)'), "SpreadLoss", _VIEW),
        (PROGRAM.replace("Traits(gathers=True)", 'Traits(views=("orginal",))'), "SpreadLoss", _VIEW),
        (PROGRAM.replace('views=("original",)', 'views=("original")'), "SpreadLoss", r"SpreadLoss: views is 'original'; write a tuple"),
        ("x = (", "SpreadLoss", "cannot be read: "),
        (PROGRAM.replace("(ProjectedLoss)", ""), "SpreadLoss", "SpreadLoss is no SentenceLoss"),
        (
            PROGRAM.replace("self.spread_weight = spread_weight", "1 / 0"),
            "SpreadLoss",
            r"failed: ZeroDivisionError.*line 22",
        ),
    ],
    ids=[
        "misspelt",
        "no literal",
        "unknown argument",
        "a view",
        "a view of its settings",
        "a text as views",
        "no Python",
        "no loss",
        "a constructor that fails",
    ],
)
def test_what_is_no_objective_is_refused_in_a_line(content: str, name: str, message: str, losses: Path, tiny_backbone: Path) -> None:
    losses.write_text(content, "utf-8")
    with pytest.raises(UserError, match=message) as refused:
        build_objective(load_recipe("simcse-mini", {"objective.name": f"{losses}:{name}"}), load_encoder(str(tiny_backbone), "cls"))
    assert "\n" not in str(refused.value)


def _with_points(monkeypatch: pytest.MonkeyPatch, **points: str) -> Registry[ObjectiveCard]:
    """Return a registry of our own objectives and of such entry points, given as name=value."""
    found = [importlib.metadata.EntryPoint(name, value, "augcse.objectives") for name, value in points.items()]
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: found)
    # That of another test.
    monkeypatch.delitem(sys.modules, "my_losses", raising=False)
    registry: Registry[ObjectiveCard] = Registry("objective", "augcse.report", "augcse.objectives", _from_entry_point, lambda module: None)
    for card in OBJECTIVES:
        registry.add(card.name, card, card.module)
    return registry


def test_an_entry_point_is_listed_without_being_imported(losses: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(losses.parent))
    found = _with_points(monkeypatch, spread="my_losses:SpreadLoss")
    assert [(card.name, card.module) for card in found if card.name not in OBJECTIVES] == [("spread", "my_losses")]
    assert found.failures() == []
    assert found.get("spread").load().__name__ == "SpreadLoss"


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("gone", "no_such_module:Loss", "ModuleNotFoundError: no module no_such_module"),
        ("gone", "string:Template", r".*string\.py has no class Template decorated with @objective"),
        ("gone", "my_losses:SpraedLoss", r".*my_losses\.py: unknown objective 'SpraedLoss'; did you mean SpreadLoss\?; decorate its class"),
        ("gone", "my_losses", "it names a module and nothing in it; write my_losses:Name"),
        ("wide", "my_losses:SpreadLoss", "what it gives is registered as 'spread'; give the entry point that name"),
    ],
)
def test_an_entry_point_that_gives_no_objective_is_one_line_and_leaves_the_others(
    name: str, value: str, message: str, losses: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(losses.parent))
    found = _with_points(monkeypatch, **{name: value})
    assert found.names() == OBJECTIVES.names()
    where = re.escape(f"entry point {name} = {value} (augcse.objectives) does not load: ")
    with pytest.raises(UserError, match=f"^{where}{message}") as refused:
        found.get(name)
    assert found.failures() == [str(refused.value)]


def test_an_entry_point_with_a_name_of_ours_is_a_warning_and_ours_stays(losses: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    losses.write_text(PROGRAM.replace('"spread", paper', '"simcse", paper'), "utf-8")
    monkeypatch.syspath_prepend(str(losses.parent))
    found = _with_points(monkeypatch, simcse="my_losses:SpreadLoss")
    with pytest.warns(UserWarning, match="entry point simcse = my_losses:SpreadLoss .*there is another objective 'simcse'"):
        assert found.get("simcse") is OBJECTIVES.get("simcse")
