"""Neighbours, map and cosines of a report, against naive loops; and the whole command on a trained run."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from augcse.analysis.projection import align_to
from augcse.cli.app import app
from augcse.report.local_files import start_model
from augcse.report.runs import load_runs
from augcse.report.space import AugmentedRows, Space, _cosines, _neighbour_overlap, _neighbours, draw_edits, space_sections
from augcse.report.svg import MapPoint, histogram, point_map
from augcse.report.texts import Texts, read_texts

GENERATOR = np.random.default_rng(0)


def test_a_turned_map_keeps_its_distances_and_finds_the_other() -> None:
    points = GENERATOR.normal(size=(30, 2))
    angle = 1.1
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ np.diag([1, -1])
    assert np.allclose(align_to(points @ turn, points), points)
    other = GENERATOR.normal(size=(30, 2))
    found = align_to(other, points)
    assert np.allclose(np.linalg.norm(found[:, None] - found, axis=2), np.linalg.norm(other[:, None] - other, axis=2))
    assert np.linalg.norm(found - points) <= np.linalg.norm(other - points)


def test_kept_neighbours_are_counted_as_a_loop_counts_them() -> None:
    sentences = [f"sentence {row}" for row in range(20)]
    spaces = {name: Space(GENERATOR.normal(size=(20, 4)), np.empty((0, 4))) for name in ("before", "run")}
    same = 0
    for row in range(20):
        nearest = []
        for space in spaces.values():
            unit = space.originals / np.linalg.norm(space.originals, axis=1, keepdims=True)
            ranked = sorted((other for other in range(20) if other != row), key=lambda other: -(unit[row] @ unit[other]))
            nearest.append(set(ranked[:3]))
        same += len(nearest[0] & nearest[1])
    found = {name: _neighbours(sentences, space) for name, space in spaces.items()}
    assert _neighbour_overlap("run", "before", found) == f"run keeps {same / 60:.0%} of the neighbours of “before”."


def test_cosines_are_of_all_pairs_and_of_each_edit() -> None:
    space = Space(GENERATOR.normal(size=(6, 3)), GENERATOR.normal(size=(2, 3)))
    found = _cosines(space, AugmentedRows([4, 1], ["x", "y"], ["a", "b"]))

    def cosine(left: np.ndarray, right: np.ndarray) -> float:
        return float(left @ right / np.linalg.norm(left) / np.linalg.norm(right))

    pairs = [cosine(space.originals[row], space.originals[other]) for row in range(6) for other in range(row + 1, 6)]
    assert found["two sentences"] == pytest.approx(pairs)
    edits = [cosine(space.originals[4], space.augmented[0]), cosine(space.originals[1], space.augmented[1])]
    assert found["a sentence and its augmentation"] == pytest.approx(edits)


def test_a_map_point_tells_its_text_escaped() -> None:
    drawn = point_map([MapPoint(0, 0, '<b> & "x"', 3, 0), MapPoint(1, 1, "y", 3, 1)], title="t")
    assert "<title>&lt;b&gt; &amp; &quot;x&quot;</title>" in drawn
    assert drawn.count('data-row="3"') == 2


def test_a_histogram_has_a_step_per_bin() -> None:
    drawn = histogram({"a": [0.25, 0.75]}, [0, 1, 2], title="t", x_label="x")
    points = drawn.split('polygon points="')[1].split('"')[0]
    assert len(points.split()) == 6


def test_an_edit_is_the_drawn_augmentation_where_it_changes_the_sentence(trained_at: Path) -> None:
    runs = load_runs([trained_at / "run"])
    texts = read_texts(runs[0], runs, [], 100)
    edits = draw_edits(texts)
    assert 0 < len(edits.rows) < 100
    for row, text, name in zip(edits.rows, edits.texts, edits.names, strict=True):
        assert texts.augmented[name][row] == text != texts.sentences[row]


def test_too_few_sentences_are_said(trained_at: Path) -> None:
    runs = load_runs([trained_at / "run"])
    left_out: list[str] = []
    assert space_sections(Texts(runs[0], [], ["a", "b"]), runs, left_out) == []
    assert left_out == ["map and neighbours: the corpus has 2 distinct sentences; they need 10"]


def _report(home: Path, *arguments: str) -> str:
    output = ["--output", str(home / "out.html"), "--force"]
    result = CliRunner().invoke(app, ["report", str(home / "run"), *output, "--paired-sentences", "0", *arguments])
    assert result.exit_code == 0, result.exception
    return (home / "out.html").read_text("utf-8")


@pytest.fixture
def home(trained_at: Path, tmp_path: Path) -> Path:
    target = tmp_path / "home"
    shutil.copytree(trained_at, target, symlinks=True, ignore=shutil.ignore_patterns("checkpoints", "prepared"))
    return target


def test_a_run_whose_parts_are_here_has_all_sections(home: Path) -> None:
    page = _report(home)
    for heading in ("Nearest neighbours", "Map", "Cosines", "Augmentations", "Corpus", "Curves", "Test scores"):
        assert f">{heading}</h2>" in page
    assert ">Left out</h2>" not in page
    assert page.count("<div data-map>") == 1
    assert page.count("<script>") == 1
    assert page == _report(home)


@pytest.fixture
def of_another_start(home: Path) -> Path:
    """The folder of a run of another start beside the run in `home`, which kept that start."""
    folder = home / "other"
    shutil.copytree(home / "run", folder)
    record = json.loads((folder / "run.json").read_text("utf-8"))
    record["recipe"]["model"]["backbone"] = "mini-bert"
    (folder / "run.json").write_text(json.dumps(record), "utf-8")
    shutil.rmtree(folder / "model")
    start_model(load_runs([folder])[0]).save_pretrained(str(folder / "model"))
    return folder


def test_each_run_is_beside_the_model_that_it_started_from(home: Path, of_another_start: Path) -> None:
    page = _report(home, str(of_another_start), "--sample", "40")
    assert "other keeps 100% of the neighbours of “before other”." in page
    assert re.search(r"run keeps \d+% of the neighbours of “before run”\.", page)
    assert "“before training”" not in page
    for name in ("before run", "run", "before other", "other"):
        assert page.count(f"<small>{name}</small>") == 5
    for heading in ("Map", "Cosines"):
        section = page.split(f">{heading}</h2>")[1].split("<h2")[0]
        assert all(title in section for title in ("before run", "before other"))


def test_runs_of_one_start_share_it(home: Path) -> None:
    shutil.copytree(home / "run", home / "other")
    record = json.loads((home / "other" / "run.json").read_text("utf-8"))
    record["recipe"]["training"]["learning_rate"] = 0.5
    (home / "other" / "run.json").write_text(json.dumps(record), "utf-8")
    page = _report(home, str(home / "other"), "--sample", "40")
    assert len(re.findall(r"\w+ keeps \d+% of the neighbours of “before training”\.", page)) == 2
    assert page.count("<small>before training</small>") == 5


def test_no_sentence_stands_on_a_page_without_a_sample(home: Path) -> None:
    sentences = (home / "corpus.txt").read_text("utf-8").splitlines()
    page = _report(home, "--sample", "0")
    assert not any(sentence in page for sentence in sentences)
    assert any(sentence in _report(home) for sentence in sentences)


@pytest.mark.parametrize(
    ("gone", "line"),
    [
        ("corpus.txt", "what needs the corpus (neighbours, map, cosines, augmentations): corpus.txt is not here any more; put it back"),
        ("run/model", "map and neighbours of run: no model folder"),
    ],
)
def test_what_is_missing_is_said_once_and_the_rest_is_there(gone: str, line: str, home: Path) -> None:
    path = home / gone
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    page = _report(home)
    assert page.count(line) == 1
    assert ">Curves</h2>" in page


def test_sentences_are_escaped_wherever_they_stand(home: Path) -> None:
    hostile = '<script>alert(1)</script><img src=x onerror=alert(2)> & "it\'s" number'
    (home / "other.txt").write_text("\n".join(f"{hostile} {number}" for number in range(30)), "utf-8")
    page = _report(home, "--corpus", str(home / "other.txt"))
    assert "<img" not in page
    assert page.count("<script") == 1
    assert "&lt;script&gt;" in page


def test_a_run_without_augmentations_has_a_map_of_its_sentences(home: Path) -> None:
    record = json.loads((home / "run" / "run.json").read_text("utf-8"))
    record["recipe"]["augmentation"]["names"] = []
    (home / "run" / "run.json").write_text(json.dumps(record), "utf-8")
    page = _report(home)
    assert ">Map</h2>" in page
    assert ">Augmentations</h2>" not in page
