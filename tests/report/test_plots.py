"""Pictures of runs: what is drawn is what the records hold, and what cannot be drawn is refused in a line."""

from __future__ import annotations

import copy
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from test_runs import RECORD

import augcse
from augcse.analysis.rating_groups import RatingGroup
from augcse.errors import UserError
from augcse.report.plots.kinds import KINDS
from augcse.report.plots.ratings import _density
from augcse.report.plots.sheet import sheet
from augcse.report.runs import load_runs
from augcse.report.single_augmentation import scores_by_augmentation

SVG = "{http://www.w3.org/2000/svg}"
Change = Callable[[dict[str, Any]], None]


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Path]:
    """Writes the record of a run, changed, into a folder of that name."""

    def write(name: str, **changes: Any) -> Path:
        record = copy.deepcopy(RECORD)
        for path, value in changes.items():
            *parents, last = path.split("__")
            target = record
            for parent in parents:
                target = target.setdefault(parent, {})
            target[last] = value
        folder = tmp_path / name
        folder.mkdir(parents=True)
        (folder / "run.json").write_text(json.dumps(record), "utf-8")
        return folder

    return write


def _texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_every_kind_is_listed_in_the_docs_and_the_help() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "plot.md").read_text("utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == list(KINDS)


def test_curves_have_a_line_per_run_and_a_ring_at_the_kept_step(run: Callable[..., Path]) -> None:
    longer = [{"step": step, "eval_stsb_dev": 58.0 + step} for step in (0, 2, 4)]
    svg = augcse.plot("curves", [run("one"), run("two", curves=longer, kept_step=2)])
    root = ElementTree.fromstring(svg)
    assert [len(line.get("points", "").split()) for line in root.iter(f"{SVG}polyline")] == [2, 3]
    assert len([circle for circle in root.iter(f"{SVG}circle") if circle.get("fill") == "none"]) == 2
    assert {"STS-B dev, Spearman x 100", "one", "two"} <= set(_texts(svg))


def test_one_source_is_a_list_of_one(run: Callable[..., Path]) -> None:
    folder = run("one")
    drawn = augcse.plot("curves", [folder])
    assert augcse.plot("curves", str(folder)) == augcse.plot("curves", folder) == drawn
    with pytest.raises(UserError, match="plot: sources is 5; give a path, or a list of paths"):
        augcse.plot("curves", 5)  # type: ignore[arg-type]


def test_a_figure_is_named_or_refused(run: Callable[..., Path]) -> None:
    folder = run("one")
    assert "Contrastive loss (smoothed)" in _texts(augcse.plot("curves", [folder], figure="contrastive"))
    assert "STS-B dev, Spearman x 100" in _texts(augcse.plot("curves", [folder], figure="stsb_dev"))
    with pytest.raises(UserError, match="unknown figure 'contrastiv'; did you mean contrastive"):
        augcse.plot("curves", [folder], figure="contrastiv")


def test_scores_are_medians_over_seeds_beside_what_cost_nothing(run: Callable[..., Path], tmp_path: Path) -> None:
    for seed, score in ((1, 60.0), (2, 61.0), (3, 65.0)):
        run(
            f"sweep/runs/cell-seed{seed}",
            recipe__training__seed=seed,
            scores={"STSB": score},
            baselines={"static": {"test": {"STSB": 70.0}}},
        )
    (tmp_path / "sweep" / "runs" / "cell-seed4").mkdir()
    texts = _texts(augcse.plot("scores", [tmp_path / "sweep"]))
    found = [text for text in texts if re.match(r"\d+\.\d\d  ", text)]
    assert found == ["70.00  static", "61.00  cell, 3 seeds", "55.00  before training"]


def test_what_cost_nothing_is_named_by_its_runs_where_it_differs(run: Callable[..., Path]) -> None:
    def baselines(**scores: float) -> dict[str, Any]:
        return {name: {"test": {"STSB": score}} for name, score in scores.items()}

    runs = [
        run("one", baselines=baselines(static=70.0, sif=50.001, hybrid=71.0)),
        run("two", recipe__training__learning_rate=1.0, baselines=baselines(static=70.004, sif=50.0, hybrid=72.0)),
        run("three", recipe__model__backbone="b", before__test={"STSB": 30.0}, baselines=baselines(static=40.0, sif=50.0)),
    ]
    found = {text for text in _texts(augcse.plot("scores", runs)) if re.match(r"\d+\.\d\d  ", text)}
    assert found == {
        *("60.00  one", "60.00  two", "60.00  three", "55.00  before training (one, two)", "30.00  before training (three)"),
        *("70.00  static (one, two)", "40.00  static (three)", "50.00  sif"),
    }


def test_a_hybrid_of_several_seeds_is_their_median(run: Callable[..., Path]) -> None:
    runs = [
        run(f"cell-seed{seed}", recipe__training__seed=seed, baselines={"hybrid": {"test": {"STSB": score}}})
        for seed, score in ((1, 61.0), (2, 63.0), (3, 62.0))
    ]
    assert "62.00  hybrid, 3 seeds" in _texts(augcse.plot("scores", runs))


def test_the_discriminator_is_beside_chance(run: Callable[..., Path]) -> None:
    logged = {"discriminator_balanced_accuracy": 0.5, "discriminator_chance": 0.25}
    svg = augcse.plot("discriminator", [run("one", curves=[{"step": 1, **logged}, {"step": 2, **logged}])])
    assert "chance 0.25" in _texts(svg)
    with pytest.raises(UserError, match="none of these runs has a discriminator"):
        augcse.plot("discriminator", [run("two")])


def test_the_discriminator_of_several_seeds_is_one_line(run: Callable[..., Path]) -> None:
    def logged(*values: float) -> list[dict[str, float]]:
        return [{"step": step, "discriminator_balanced_accuracy": value} for step, value in enumerate(values, 1)]

    runs = [
        run(f"cell-seed{seed}", recipe__training__seed=seed, curves=logged(*values)) for seed, values in ((1, (0.2, 0.4)), (2, (0.4, 0.8)))
    ]
    single = run("mean", recipe__training__batch_size=7, curves=logged(0.3, 0.6))
    svg = augcse.plot("discriminator", [*runs, single])
    lines = [line.get("points") for line in ElementTree.fromstring(svg).iter(f"{SVG}polyline")]
    assert len(lines) == 2
    assert lines[0] == lines[1]
    assert {"cell", "mean"} <= set(_texts(svg))


def test_a_record_under_a_name_of_its_own_names_its_run(run: Callable[..., Path], tmp_path: Path) -> None:
    for seed in (1, 2):
        run(f"one-seed{seed}", recipe__training__seed=seed, scores={"STSB": 60.0 + seed})
        (tmp_path / f"one-seed{seed}" / "run.json").rename(tmp_path / f"one-seed{seed}.json")
    assert "61.50  one, 2 seeds" in _texts(augcse.plot("scores", sorted(tmp_path.glob("*.json"))))


def test_a_correlation_is_that_of_the_augmentations_that_stood_alone(run: Callable[..., Path], tmp_path: Path) -> None:
    figures = {"A": 0.5, "B": 0.7, "C": 0.9, "D": None, "E": 0.1}
    scores = {"scores": [{"name": name, "similarity": value and {"own_pair": value}} for name, value in figures.items()]}
    (tmp_path / "scores.json").write_text(json.dumps(scores), "utf-8")
    runs = [
        run(f"{name}-{seed}", recipe__augmentation={"names": [name]}, recipe__training__seed=seed, scores={"STSB": score + seed})
        for name, score in (("A", 50.0), ("B", 51.0), ("C", 53.0), ("D", 10.0))
        for seed in (1, 2)
    ]
    runs.append(run("both", recipe__augmentation={"names": ["A", "E"]}))
    svg = augcse.plot("correlation", [tmp_path / "scores.json", *runs])
    # x = 0.5, 0.7, 0.9 and y = 51.5, 52.5, 54.5: covariance 0.6, variances 0.08 and 14/3.
    assert "told apart: Pearson +0.98, Spearman +1.00, 3 augmentations" in _texts(svg)
    with pytest.raises(UserError, match="2 augmentations have both"):
        augcse.plot("correlation", [tmp_path / "scores.json", *runs[:4]])
    with pytest.raises(UserError, match="is not a table of augcse score"):
        augcse.plot("correlation", [runs[0] / "run.json", *runs])


def test_an_augmentation_scores_for_itself_as_a_positive_and_as_a_negative(run: Callable[..., Path]) -> None:
    folders = [
        run(f"{role}-{name}-{seed}", recipe__augmentation={role: [name]}, recipe__training__seed=seed, scores={"STSB": score + seed})
        for role, name, score in (("positives", "A", 50.0), ("negatives", "A", 30.0), ("positives", "B", 60.0))
        for seed in (1, 2)
    ]
    folders.append(run("two", recipe__augmentation={"positives": ["A", "B"]}))
    found = scores_by_augmentation(load_runs(folders), lambda one: one.record["scores"].get("STSB"))
    assert found == {"positive": {"A": 51.5, "B": 61.5}, "negative": {"A": 31.5}}


def test_a_map_has_every_sentence_and_edit_before_and_after(trained_at: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(trained_at)
    for method in ("pca", "tsne"):
        svg = augcse.plot("map", ["run"], sample=40, method=method)  # type: ignore[arg-type]
        first, second = list(ElementTree.fromstring(svg).findall(f"{SVG}svg"))
        points = [len(list(drawing.iter(f"{SVG}circle"))) for drawing in (first, second)]
        assert points[0] == points[1] > 40
        assert {"before training", "after run", "original"} <= set(_texts(svg))
        assert svg == augcse.plot("map", ["run"], sample=40, method=method)  # type: ignore[arg-type]


def test_a_map_has_every_start_of_its_runs(trained_at: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    shutil.copytree(trained_at, home, symlinks=True, ignore=shutil.ignore_patterns("checkpoints", "prepared"))
    shutil.copytree(home / "run", home / "other")
    record = json.loads((home / "other" / "run.json").read_text("utf-8"))
    record["recipe"]["model"]["backbone"] = "mini-bert"
    (home / "other" / "run.json").write_text(json.dumps(record), "utf-8")
    monkeypatch.chdir(home)
    texts = _texts(augcse.plot("map", ["run", "other"], sample=40))
    assert [text for text in texts if text.startswith(("before", "after"))] == ["before run", "after run", "before other", "after other"]


def test_a_density_keeps_its_area() -> None:
    density = tuple([0.0] * 10 + [1.0, 3.0, 1.0] + [0.0] * 10)
    edges = tuple(index / 23 for index in range(24))
    group = RatingGroup(0.0, 1.0, 5, 0.5, (), density, edges)
    assert sum(value for _, value in _density(group)) == pytest.approx(sum(density))


def test_drawings_stand_in_rows_of_two() -> None:
    root = ElementTree.fromstring(sheet(["<svg xmlns='http://www.w3.org/2000/svg'/>"] * 3, 100, 50, ["a", "b"]))
    assert [(part.get("x"), part.get("y")) for part in root.findall(f"{SVG}svg")] == [("0", "0"), ("112", "0"), ("0", "62")]


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("curvs", {}, "unknown kind of picture 'curvs'; did you mean curves"),
        ("map", {"method": "umap"}, "plot: method is 'umap'; give one of: pca, tsne"),
        ("map", {"sample": 3}, "a sample of 3; give 10 to 5,000"),
        ("scores", {"figure": "STSC"}, "unknown score 'STSC'; did you mean STSB"),
        ("correlation", {"figure": "similarty"}, "unknown figure 'similarty'; did you mean similarity"),
    ],
)
def test_what_cannot_be_drawn_is_refused(run: Callable[..., Path], kind: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=re.escape(message)):
        augcse.plot(kind, [run("one")], **options)
