"""Recipes: strict keys, overrides, resolved copies."""

from __future__ import annotations

from pathlib import Path

import pytest

from augcse.assignments import parse_assignments
from augcse.config import RECIPES, comment_at_top, load_recipe, recipe_names, with_overrides
from augcse.errors import UserError
from augcse.recipe_toml import to_toml


def test_override_by_dotted_key_by_last_part_and_of_the_objective() -> None:
    recipe = load_recipe("augcse-mini", parse_assignments(["training.batch_size=16", "learning_rate=1e-4", "alpha=1", "seed=7"]))
    assert recipe.training.batch_size == 16
    assert recipe.training.learning_rate == 1e-4
    assert recipe.training.seed == 7
    assert recipe.objective.options()["alpha"] == 1


@pytest.mark.parametrize("name", recipe_names())
def test_a_resolved_recipe_is_overridden_as_its_file_is(name: str) -> None:
    overrides = {"seed": 7, "model.backbone": "mini-bert", "repeated_texts": "keep"}
    recipe = load_recipe(name)
    assert with_overrides(recipe, overrides) == load_recipe(name, overrides)
    assert with_overrides(recipe, {}) is recipe


def test_strings_need_no_quotes() -> None:
    assert parse_assignments(["model.pooling=mean", 'name="x=y"']) == {"model.pooling": "mean", "name": "x=y"}


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("training.batchsize=3", "did you mean training.batch_size"),
        ("aplha=1", "did you mean objective.alpha"),
        ("nonsense", "write key=value"),
        ("training.batch_size=ten", "batch_size is 'ten'; give a whole number from 2"),
        ("training.learning_rate=0", "learning_rate is 0; give a number above 0"),
        ("model.pooling=cl", "pooling is 'cl'; give one of: own, cls, mean"),
    ],
)
def test_a_wrong_setting_is_one_clear_line(assignment: str, message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        load_recipe("augcse-mini", parse_assignments([assignment]))
    assert "\n" not in str(caught.value)


def test_misspelt_key_in_a_file_names_the_file_and_the_near_key(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(to_toml(load_recipe("simcse-mini")).replace("batch_size", "bacth_size"), "utf-8")
    with pytest.raises(UserError, match=r"mine.toml: unknown key 'training.bacth_size'; did you mean training.batch_size") as caught:
        load_recipe(str(path))
    assert "\n" not in str(caught.value)


def test_missing_key_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[model]\nbackbone = "mini-bert"\n[objective]\nname = "simcse"\n[training]\nbatch_size = 8\n', "utf-8")
    with pytest.raises(UserError, match=r"training.learning_rate is missing; give a number above 0"):
        load_recipe(str(path))


def test_not_toml_and_not_there(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[model\n", "utf-8")
    with pytest.raises(UserError, match="not a TOML file"):
        load_recipe(str(path))
    with pytest.raises(UserError, match="no recipe file"):
        load_recipe(str(tmp_path / "other.toml"))
    with pytest.raises(UserError, match="did you mean augcse-mini"):
        load_recipe("augcse-mni")


def test_a_byte_order_mark_is_no_part_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f"# What it is for.\n{(RECIPES / 'simcse-mini.toml').read_text('utf-8')}", "utf-8-sig")
    assert load_recipe(str(path)).objective == load_recipe("simcse-mini").objective
    assert comment_at_top(path).startswith("What it is for.")


def test_copy_keeps_quotes_and_backslashes(tmp_path: Path) -> None:
    recipe = load_recipe("simcse-mini", {"model.backbone": 'a "b" \\c'})
    path = tmp_path / "copy.toml"
    path.write_text(to_toml(recipe), "utf-8")
    assert load_recipe(str(path)).model.backbone == 'a "b" \\c'
