"""One contract for every recipe: it loads, says what it is, and trains two steps on a tiny backbone of its own shape."""

from __future__ import annotations

import csv
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from safetensors.torch import load_file

from augcse import train
from augcse.augmentations.base import AUGMENTATIONS
from augcse.augmentations.sets import SETS
from augcse.config import load_recipe, recipe_header, recipe_names, recipe_path, validate
from augcse.recipe_toml import to_toml

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
# Their checkpoints are not available offline.
NEURAL = {
    "PegasusParaphrase": "ContractionExpansions",
    "DiverseParaphrase": "RandomDeletion",
    "Casual2Formal": "ContractionExpansions",
}
# Of this project, not of a paper's row: for the bundled backbone, and the same for a larger one.
BEST = ("augcse-best", "augcse-best-bert")
PUBLISHED = [name for name in NAMES if not name.endswith("-mini") and not name.startswith("adapt") and name not in BEST]
# AugCSE (Tang et al. 2022): table, row, the set it used, and the figures printed there: Tables 4 and 5 with the mean and standard deviation
# of Table 12, Tables 6 to 9 with STS-B dev and transfer dev.
AUGCSE_ROWS = {
    "augcse-bert-sts": ("Table 4", "8-aug", "77.98", "77.27", "0.63"),
    "augcse-roberta-sts": ("Table 4", "8-aug", "76.83", "75.54", "1.67"),
    "augcse-bert-transfer": ("Table 5", "8-aug", "87.07", "86.74", "0.29"),
    "augcse-roberta-transfer": ("Table 5", "8-aug", "86.27", "86.07", "0.21"),
    "augcse-bert-original": ("Table 6", "8-aug", "84.52", "85.44"),
    "augcse-bert-positive": ("Table 6", "8-aug", "84.54", "85.78"),
    "augcse-bert-no-discriminator": ("Table 6", "8-aug", "84.91", "85.25"),
    "augcse-bert-collaborative-100": ("Table 7", "8-aug", "60.47", "85.68"),
    "augcse-bert-collaborative-10": ("Table 7", "8-aug", "72.33", "85.67"),
    "augcse-bert-collaborative": ("Table 7", "8-aug", "80.85", "85.78"),
    "augcse-bert-antagonistic-10": ("Table 7", "8-aug", "84.68", "85.68"),
    "augcse-bert-antagonistic-100": ("Table 7", "8-aug", "80.54", "85.67"),
    "augcse-bert-4aug": ("Table 8", "4-aug", "84.97", "85.79"),
    "augcse-bert-12aug": ("Table 8", "12-aug", "84.63", "85.73"),
    "augcse-bert-16aug": ("Table 8", "16-aug", "84.83", "85.92"),
    "augcse-bert-8aug-2": ("Table 9", "8-aug-2", "85.31", "85.74"),
    "augcse-bert-12aug-2": ("Table 9", "12-aug-2", "84.83", "85.83"),
    "augcse-bert-16aug-2": ("Table 9", "16-aug-2", "84.84", "85.78"),
}
# Lists of sentences of one length teach less (docs/results/choice/rankcse-mini.jsonl).
RANDOM_MINIS = {*BEST, "rankcse-discriminator-mini", "rankcse-mini"}
# The averages printed for the other rows.
AVERAGES = {
    "denosent-bert": "79.33",
    "diffcse-bert-sts": "78.49",
    "diffcse-roberta-sts": "78.21",
    "diffcse-bert-transfer": "86.86",
    "diffcse-roberta-transfer": "87.04",
    "esimcse-bert": "78.27",
    "esimcse-roberta": "77.44",
    "mixcse-bert": "77.66",
    "modals-extrapolation-bert": "75.99",
    "modals-gaussian-bert": "76.14",
    "modals-interpolation-bert": "76.30",
    "modals-linear-bert": "75.82",
    "pca-jitter-bert": "75.88",
    "rankcse-bert": "80.05",
    "sda-aa-bert": "77.00",
    "sda-aa-roberta": "78.16",
    "sda-dn-bert": "75.99",
    "sda-dn-roberta": "77.78",
    "sda-pi-bert": "77.35",
    "sda-pi-roberta": "77.90",
    "simcse-anli-bert": "75.99",
    "simcse-anli-entailment-bert": "78.66",
    "simcse-bert": "76.25",
    "simcse-nli-contradiction-bert": "79.55",
    "simcse-nli-entailment-bert": "83.60",
    "simcse-nli-reversed-bert": "67.16",
    "simcse-nli-sampled-bert": "83.82",
    "simcse-plus-plus-bert": "78.05",
    "simcse-roberta": "76.57",
    "simcse-supervised-bert": "81.57",
    "simcse-supervised-roberta": "82.52",
    "sncse-bert": "78.97",
    "tsdae-bert": "59.4",
    "una-bert": "76.14",
    "una-paraphrase-bert": "77.67",
    "una-paraphrase-roberta": "78.20",
    "una-roberta": "76.74",
}
ABSENT = re.compile(r"to come|not there|so far|not yet|do(es)? not exist|are missing|is missing|not available")


def test_promised_recipes_are_there() -> None:
    assert set(NAMES) >= PROMISED


@pytest.mark.parametrize("name", NAMES)
def test_header_names_paper_expectation_and_deviations(name: str) -> None:
    header = recipe_header(name)
    assert "Paper:" in header
    assert "Deviations:" in header
    assert "Expect:" in header or name not in PUBLISHED


def _part(name: str, label: str) -> str:
    """Return one labelled part of a header, in one line."""
    header = " ".join(recipe_header(name).splitlines())
    found = re.search(rf"{label}: (.*?)(?= (?:Paper|Expect|(?:As|Not as) published|Deviations|Corpus|Needs): |$)", header)
    return found.group(1) if found else ""


@pytest.mark.parametrize("name", NAMES)
def test_header_calls_nothing_absent_that_is_registered(name: str) -> None:
    header = " ".join(recipe_header(name).splitlines())
    sentences = [sentence for sentence in re.split(r"(?<=[.;]) ", header) if ABSENT.search(sentence)]
    known = {card.name for card in AUGMENTATIONS} | set(SETS) | {"augmentation"}
    assert [sentence for sentence in sentences if any(word in sentence for word in known)] == []


def test_every_augcse_row_of_tables_4_to_9_has_its_recipe() -> None:
    assert {name for name in PUBLISHED if name.startswith("augcse-")} == set(AUGCSE_ROWS)


@pytest.mark.parametrize("name", AUGCSE_ROWS)
def test_an_augcse_row_names_its_table_its_set_and_its_figures(name: str) -> None:
    table, augmentation_set, *figures = AUGCSE_ROWS[name]
    document = tomllib.loads(recipe_path(name).read_text("utf-8"))
    assert document["augmentation"]["names"] == [augmentation_set]
    assert table in _part(name, "Paper")
    expect = _part(name, "Expect")
    assert [figure for figure in figures if figure not in expect] == []


@pytest.mark.parametrize("name", [name for name in PUBLISHED if name not in AUGCSE_ROWS])
def test_a_header_expects_the_published_figure(name: str) -> None:
    assert re.search(r"\d\d\.\d+", _part(name, "Expect")).group() == AVERAGES[name]  # type: ignore[union-attr]


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_row_is_trained_and_selected_as_published(name: str) -> None:
    recipe = load_recipe(name)
    constant = name in ("una-roberta", "una-paraphrase-roberta", "tsdae-bert", "denosent-bert")
    # Where nothing is contrasted there are no negatives to keep.
    kept = "mask" if name == "tsdae-bert" else "keep"
    assert (recipe.training.batches, recipe.objective.repeated_texts) == ("random", kept)
    assert recipe.training.schedule == ("constant" if constant else "linear")
    assert "batches at random" in _part(name, "As published")
    of_transfer = "transfer average" in _part(name, "Expect")
    assert recipe.evaluation.dev == ("transfer" if of_transfer else "stsb")
    assert ("transfer" in recipe.evaluation.test) == of_transfer


@pytest.mark.parametrize("name", [name for name in NAMES if name not in PUBLISHED])
def test_a_mini_recipe_says_that_its_batches_are_not_as_published(name: str) -> None:
    recipe = load_recipe(name)
    batches = "random" if name in RANDOM_MINIS else "equal-length"
    assert (recipe.training.batches, recipe.objective.repeated_texts, recipe.training.schedule) == (batches, "mask", "linear")
    assert ("batches=random" in _part(name, "Not as published")) == (batches == "equal-length")


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("sda-")])
def test_an_sda_header_gives_the_shares_of_the_page(name: str) -> None:
    [rule] = load_recipe(name).augmentation.positives
    page = (Path(__file__).resolve().parents[2] / "docs" / "sda.md").read_text("utf-8")
    [cells] = [line.split("|")[2:5] for line in page.splitlines() if re.match(rf"\| `{rule}` \| \d+\.\d\d ", line)]
    default, printed, published = (float(cell) for cell in cells)
    said = re.search(r"changes ([\d.]+) %, as printed ([\d.]+) %, the paper's ([\d.]+) %", _part(name, "Deviations"))
    assert said is not None
    assert [float(share) for share in said.groups()] == pytest.approx([default, printed, published], abs=0.0501)


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
def few(tmp_path_factory: pytest.TempPathFactory, sentences: list[str]) -> Path:
    """As many sentences as the table has rows."""
    path = tmp_path_factory.mktemp("few") / "corpus.txt"
    path.write_text("\n".join(sentences[:80]) + "\n", "utf-8")
    return path


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


@pytest.fixture(scope="session")
def paragraphs(tmp_path_factory: pytest.TempPathFactory, sentences: list[str]) -> Path:
    """Documents of four lines, three sentences in each, parted by blank lines."""
    lines = [" ".join(sentences[start : start + 3]) for start in range(0, 120, 3)]
    path = tmp_path_factory.mktemp("paragraphs") / "documents.txt"
    path.write_text("\n\n".join("\n".join(lines[start : start + 4]) for start in range(0, 40, 4)) + "\n", "utf-8")
    return path


@pytest.mark.parametrize("name", NAMES)
def test_trains_two_steps(name: str, tmp_path: Path, few: Path, paragraphs: Path, table: Path, tiny_backbone: Path) -> None:
    overrides: dict[str, Any] = {**_offline(name), "batch_size": 8, "max_steps": 2, "log_every_steps": 1}
    if "generator" in load_recipe(name).objective.options():
        overrides["objective.generator"] = str(tiny_backbone)
    if "teachers" in load_recipe(name).objective.options():
        # No hub here, and too few sentences for a static encoder, which tests/training/test_teachers.py trains with.
        changing = [] if load_recipe(name).objective.options().get("rank_sentences") else ["ema"]
        overrides |= {"objective.teachers": [*changing, str(tiny_backbone)]}
    recipe = load_recipe(name)
    plain = paragraphs if recipe.objective.name == "documents" else few
    used = table if recipe.corpus.columns or recipe.task else plain
    run = train(name, corpus=used, output=tmp_path / "run", model=str(tiny_backbone), workers=1, **overrides)
    assert run.record["steps"] == 2
    assert (run.folder / "run.json").is_file()
    assert (run.folder / "recipe.toml").is_file()
    assert not list(run.model.rglob("*.bin"))
    assert (run.model / "model.safetensors").is_file()
    assert validate(run.record["recipe"], "record").name == name
    assert isinstance(run.record["negatives_per_anchor"], dict)
    saved = [tensor for file in run.model.rglob("*.safetensors") for tensor in load_file(file).values()]
    assert run.record["weights"]["model"] == sum(tensor.numel() for tensor in saved)
