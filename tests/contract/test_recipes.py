"""One contract for every recipe: it loads, says what it is, and trains two steps on a tiny backbone of its own shape."""

from __future__ import annotations

import csv
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
    *(f"simcse-nli-{row}-{size}" for row in ("entailment", "contradiction", "reversed") for size in ("bert", "mini")),
    "simcse-nli-sampled-bert",
    "simcse-anli-bert",
    "simcse-anli-entailment-bert",
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


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory, sentences: list[str]) -> Path:
    """80 rows with every column that a bundled recipe reads: each text another sentence, and labels of three classes."""
    path = tmp_path_factory.mktemp("table") / "table.csv"
    recipes = [load_recipe(name) for name in NAMES]
    texts = sorted({column for recipe in recipes for column in recipe.corpus.columns.values()})
    labels = sorted({recipe.task.label for recipe in recipes if recipe.task is not None})
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*texts, *labels])
        for row in range(80):
            writer.writerow([*(sentences[row + place] for place in range(len(texts))), *(f"class {row % 3}" for _ in labels)])
    return path


@pytest.mark.parametrize("name", NAMES)
def test_trains_two_steps(name: str, tmp_path: Path, corpus: Path, table: Path, tiny_backbone: Path) -> None:
    overrides: dict[str, Any] = {**_offline(name), "batch_size": 8, "max_steps": 2, "log_every_steps": 1}
    if "generator" in load_recipe(name).objective.options():
        overrides["objective.generator"] = str(tiny_backbone)
    recipe = load_recipe(name)
    used = table if recipe.corpus.columns or recipe.task else corpus
    run = train(name, corpus=used, output=tmp_path / "run", model=str(tiny_backbone), workers=1, **overrides)
    assert run.record["steps"] == 2
    assert (run.folder / "run.json").is_file()
    assert (run.folder / "recipe.toml").is_file()
    assert not list(run.model.rglob("*.bin"))
    assert (run.model / "model.safetensors").is_file()
    assert validate(run.record["recipe"], "record").name == name
    assert isinstance(run.record["negatives_per_anchor"], dict)
