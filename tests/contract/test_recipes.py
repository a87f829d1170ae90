"""One contract for every recipe: it loads, says what it is, and trains two steps on a tiny backbone of its own shape."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from augcse import train
from augcse.config import load_recipe, recipe_header, recipe_names, to_toml, validate

NAMES = recipe_names()
PROMISED = {
    "simcse-mini",
    "augcse-mini",
    "simcse-bert",
    "augcse-bert-sts",
    "augcse-bert-transfer",
    "augcse-roberta-sts",
    "augcse-roberta-transfer",
    "una-bert",
    "una-roberta",
    "una-paraphrase-bert",
    "una-paraphrase-roberta",
    *(f"sda-{rule}-{size}" for rule in ("pi", "aa", "dn") for size in ("bert", "roberta", "mini")),
    "esimcse-bert",
    "esimcse-roberta",
    "simcse-roberta",
    "simcse-supervised-bert",
    "simcse-supervised-roberta",
    "una-mini",
    "una-paraphrase-mini",
    "esimcse-mini",
    "simcse-supervised-mini",
    "modals-mini",
    "pca-jitter-mini",
}
# Their checkpoints are not to be had offline.
NEURAL = {"PegasusParaphrase": "ContractionExpansions"}


def test_promised_recipes_are_there() -> None:
    assert set(NAMES) >= PROMISED


@pytest.mark.parametrize("name", NAMES)
def test_header_names_paper_expectation_and_deviations(name: str) -> None:
    header = recipe_header(name)
    assert "Paper:" in header
    assert "Deviations:" in header
    assert "Expect:" in header or name.endswith("-mini")


@pytest.mark.parametrize("name", NAMES)
def test_resolved_copy_reads_back_equal(name: str, tmp_path: Path) -> None:
    recipe = load_recipe(name)
    path = tmp_path / "copy.toml"
    path.write_text(to_toml(recipe), "utf-8")
    assert load_recipe(str(path)) == recipe


def _offline(name: str) -> dict[str, list[str]]:
    """Return settings that put a rule in the place of each augmentation that needs a downloaded model."""
    section = load_recipe(name).augmentation.model_dump()
    roles = {role: section[role] for role in ("names", "positives", "negatives") if set(section.get(role, ())) & set(NEURAL)}
    return {f"augmentation.{role}": [NEURAL.get(one, one) for one in members] for role, members in roles.items()}


@pytest.mark.parametrize("name", NAMES)
def test_trains_two_steps(name: str, tmp_path: Path, corpus: Path, tiny_backbone: Path) -> None:
    overrides: dict[str, Any] = {**_offline(name), "batch_size": 8, "max_steps": 2, "log_every_steps": 1}
    if "generator" in load_recipe(name).objective.options():
        overrides["objective.generator"] = str(tiny_backbone)
    run = train(name, corpus=corpus, output=tmp_path / "run", model=str(tiny_backbone), workers=1, **overrides)
    assert run.record["steps"] == 2
    assert (run.folder / "run.json").is_file()
    assert (run.folder / "recipe.toml").is_file()
    assert not list(run.model.rglob("*.bin"))
    assert (run.model / "model.safetensors").is_file()
    assert validate(run.record["recipe"], "record").name == name
