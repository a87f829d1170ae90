"""A hybrid's weights: on a grid by graded pairs, given, or equal; the folder and its card; what is refused."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import augcse
from augcse.cli.app import app
from augcse.encoding.front_matter import CARD, ModelOrigin, origin_of
from augcse.encoding.hybrid import hybrid_model
from augcse.encoding.model import load_encoder
from augcse.errors import UserError
from augcse.evaluation.hybrid import GRID, Tried, best, hybrid, try_weights
from augcse.evaluation.pairs import read_pairs
from augcse.evaluation.tasks.sts import LoadedPairs
from augcse.resources import DEMO_PAIRS


@pytest.fixture(scope="module")
def pair_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first 39 of the demo's graded pairs, below the names of their columns."""
    path = tmp_path_factory.mktemp("pairs") / "pairs.tsv"
    path.write_text("".join(DEMO_PAIRS.read_text("utf-8").splitlines(keepends=True)[:40]), "utf-8")
    return path


@pytest.fixture(scope="module")
def whitened(tiny_backbone: Path, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return augcse.postprocess(
        tiny_backbone, corpus, steps="whiten:dim=8", output=tmp_path_factory.mktemp("white") / "whitened", sample=80
    ).folder


def test_every_combination_is_scored_as_its_model_would_be(tiny_backbone: Path, whitened: Path, pair_file: Path) -> None:
    pairs = LoadedPairs(read_pairs(pair_file))
    parts = [load_encoder(str(tiny_backbone)), load_encoder(str(whitened))]
    tried = try_weights(parts, pairs)
    assert [one.weights for one in tried] == [(1.0, weight) for weight in GRID]
    for one in tried[::4]:
        model = hybrid_model(parts, one.weights)
        sentences = pairs.sentences()
        rows = {sentence: row for row, sentence in enumerate(sentences)}
        assert one.score == pytest.approx(pairs.score(model.encode(sentences), rows), abs=0.02)


def test_the_best_is_the_highest_and_of_equal_ones_the_nearest_to_equal_weights() -> None:
    tried = [Tried((1.0, 0.25), 50.0), Tried((1.0, 1.0), 50.0), Tried((1.0, 2.0), 49.0), Tried((1.0, 0.5), 50.0)]
    assert best(tried).weights == (1.0, 1.0)
    assert best([*tried, Tried((1.0, 4.0), 51.0)]).weights == (1.0, 4.0)


def test_dev_pairs_choose_and_the_whole_grid_is_recorded(tiny_backbone: Path, whitened: Path, pair_file: Path, tmp_path: Path) -> None:
    built = augcse.hybrid([tiny_backbone, whitened], output=tmp_path / "m", dev=str(pair_file))
    grid = {tuple(one["weights"]): one["score"] for one in built.record["grid"]}
    assert len(grid) == len(GRID)
    assert grid[tuple(built.record["weights"])] == max(grid.values())
    assert (built.record["weights_from"], built.record["dev"]["files"][0]["name"]) == ("dev", "pairs.tsv")
    card = (built.folder / "README.md").read_text("utf-8")
    for said in ("load_encoder", "Hybrid", "part-1", "whitened", "chosen among 9", built.record["dev"]["files"][0]["sha256"], "Licence"):
        assert said in card
    assert str(tmp_path) not in card
    assert load_encoder(str(built.folder)).encode(["One."]).shape == (1, 40)


def test_weights_may_be_an_array(tiny_backbone: Path, whitened: Path, tmp_path: Path) -> None:
    assert augcse.hybrid([tiny_backbone, whitened], output=tmp_path / "m", weights=np.array([1.0, 0.5])).record["weights"] == [1.0, 0.5]


def test_three_models_try_every_pair_of_weights(tiny_backbone: Path, whitened: Path, pair_file: Path, tmp_path: Path) -> None:
    built = hybrid([tiny_backbone, whitened, tiny_backbone], output=tmp_path / "m", dev=str(pair_file))
    assert len(built.record["grid"]) == len(GRID) ** 2


def test_models_of_one_name_are_told_apart_by_their_folders(tiny_backbone: Path, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("js/model", "dd/model", "old/static", "new/static")]
    for folder in folders:
        shutil.copytree(tiny_backbone, folder)
    built = augcse.hybrid([*folders, "mini-bert"], output=tmp_path / "m")
    assert built.record["models"] == ["js", "dd", "old/static", "new/static", "mini-bert"]
    assert str(tmp_path) not in (built.folder / "README.md").read_text("utf-8")


def _labelled(folder: Path, backbone: Path, licence: str, language: str) -> Path:
    """Return a copy of a model with these in its card."""
    shutil.copytree(backbone, folder)
    (folder / CARD).write_text(f"---\nlicense: {licence}\nlanguage: {language}\n---\n", "utf-8")
    return folder


def test_its_card_states_what_all_parts_agree_on(tiny_backbone: Path, tmp_path: Path) -> None:
    parts = [_labelled(tmp_path / str(number), tiny_backbone, "mit", language) for number, language in enumerate(("de", "en"))]
    assert origin_of(str(augcse.hybrid(parts, output=tmp_path / "m").folder)) == ModelOrigin("m", licence="mit")
    assert origin_of(str(augcse.hybrid(parts[:1] * 2, output=tmp_path / "n").folder)) == ModelOrigin("n", licence="mit", languages=("de",))


def test_the_command_prints_the_grid(tiny_backbone: Path, whitened: Path, pair_file: Path, tmp_path: Path) -> None:
    command = ["hybrid", str(tiny_backbone), str(whitened), "--dev", str(pair_file), "--output", str(tmp_path / "m")]
    done = CliRunner().invoke(app, command)
    lines = done.stdout.splitlines()
    assert lines[0].split() == [tiny_backbone.name, "whitened", "score", "x", "100"]
    assert [float(line.split()[1]) for line in lines[1:]] == list(GRID)
    assert "choosing the weights among 9 on 78 sentences of --dev" in done.stderr


def test_given_weights_and_equal_ones(tiny_backbone: Path, whitened: Path, tmp_path: Path) -> None:
    command = ["hybrid", str(tiny_backbone), str(whitened), "--json", "--quiet", "--output"]
    given = json.loads(CliRunner().invoke(app, [*command, str(tmp_path / "one"), "--weights", "1,0.5"]).stdout)
    equal = json.loads(CliRunner().invoke(app, [*command, str(tmp_path / "two")]).stdout)
    assert (given["weights"], given["weights_from"], given["grid"]) == ([1.0, 0.5], "given", [])
    assert (equal["weights"], equal["weights_from"]) == ([1.0, 1.0], "default")
    lengths = [np.linalg.norm(load_encoder(document["output"]).encode(["One."])) for document in (given, equal)]
    assert lengths == pytest.approx([math.sqrt(1.25), math.sqrt(2)], abs=1e-5)


def test_the_same_command_makes_the_same_bytes(whitened: Path, tmp_path: Path) -> None:
    folders = [hybrid(["mini-bert", whitened], output=tmp_path / name).folder for name in ("one", "two")]
    files = [{path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()} for folder in folders]
    assert files[0] == files[1]


def test_a_write_that_is_cut_short_leaves_nothing(whitened: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("augcse.files.sync_tree", lambda folder: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        hybrid([whitened, whitened], output=tmp_path / "m")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("models", "options", "message"),
    [
        (1, {}, "two models or more"),
        (2, {"weights": [1.0]}, "1 numbers for 2 models"),
        (2, {"weights": [1.0, 0.0]}, "0 is no weight"),
        (2, {"weights": [1.0, math.nan]}, "nan is no weight"),
        (2, {"weights": [1.0, 1.0], "dev": "stsb"}, "give one of the two"),
        (2, {"dev": "STSB-dev=1"}, "give stsb, or a file"),
        (2, {"dev": "probe"}, "give stsb, or a file"),
        (2, {"dev": "absent.tsv"}, "no file absent.tsv"),
        (5, {"dev": "stsb"}, "too many combinations"),
    ],
)
def test_what_cannot_be_is_refused_before_a_model_is_loaded(
    models: int, options: dict[str, object], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("augcse.encoding.model.load_encoder", lambda *given: pytest.fail("a model was loaded"))
    with pytest.raises(UserError, match=message):
        hybrid(["mini-bert"] * models, output=tmp_path / "m", **options)  # type: ignore[arg-type]
