"""SNCSE's margins from the similarity that `augcse score` measured, against a loop over the pairs that it kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import augcse
from augcse.config import load_recipe
from augcse.errors import UserError
from augcse.objectives.measured_gaps import measured_gaps

NAMES = ["RandomSwap", "PigLatin"]


@pytest.fixture(scope="module")
def scores(tiny_backbone: Path, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("measured") / "scores"
    augcse.score(corpus, [*NAMES, "ColorTransformation"], model=str(tiny_backbone), lm=None, output=folder, sample=60)
    return folder


def _quartile(values: list[float], share: float) -> float:
    """The value `share` of the way through the sorted ones, on the line between the two that are nearest."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def test_the_margins_are_a_loop_over_the_pairs(scores: Path) -> None:
    chance = {one["name"]: one["similarity"]["random_pair"] for one in _table(scores)["scores"][:2]}
    expected = []
    for name in NAMES:
        cosines = [row["similarity"] for row in pq.read_table(scores / "pairs.parquet").to_pylist() if row["augmentation"] == name]
        gaps = [(1 - cosine) / (1 - chance[name]) for cosine in cosines]
        expected.append([_quartile(gaps, 0.25), _quartile(gaps, 0.75)])
    found = measured_gaps(str(scores), NAMES)
    assert found[0] == pytest.approx(expected[0], abs=1e-4)
    assert found[1] == pytest.approx(expected[1], abs=1e-4)
    assert 0 < found[0][0] < found[0][1]
    assert measured_gaps(str(scores), NAMES[::-1]) == found[::-1]


def test_the_resolved_recipe_holds_the_margins(scores: Path) -> None:
    recipe = load_recipe("sncse-mini", {"gaps": str(scores), "augmentation.names": NAMES})
    assert recipe.objective.options()["gaps"] == measured_gaps(str(scores), NAMES)


def test_a_run_goes_on_with_the_record_that_it_began_with_alone(
    scores: Path, tiny_backbone: Path, corpus: Path, tmp_path: Path, run_with: Any
) -> None:
    settings = {"gaps": str(scores), "augmentation.names": NAMES}
    run_with(settings)
    document = _table(scores)
    document["scores"][0]["similarity_quartiles"][0] -= 0.1
    other = tmp_path / "other"
    other.mkdir()
    (other / "scores.json").write_text(json.dumps(document), "utf-8")
    with pytest.raises(UserError, match=r"objective\.gaps = .* \(now "):
        run_with({**settings, "gaps": str(other)})


@pytest.fixture
def run_with(tiny_backbone: Path, corpus: Path, tmp_path: Path) -> Any:
    """Train for a step, or go on with what that left."""

    def run(settings: dict[str, Any]) -> None:
        fixed = {"model.backbone": str(tiny_backbone), "max_steps": 1, "batch_size": 4}
        recipe = load_recipe("sncse-mini", {**fixed, **settings})
        augcse.train(recipe, corpus=corpus, output=tmp_path / "run", dev="none", test=(), resume=(tmp_path / "run").exists(), workers=1)

    return run


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"similarity": {"own_pair": 0.9, "random_pair": 1.0}}, "all sentences are alike"),
        ({"similarity": {}}, "is not what augcse score writes; write it again"),
        ({"similarity_quartiles": [0.5]}, "is not what augcse score writes; write it again"),
        ({"similarity_quartiles": [0.5, float("nan")]}, "is not what augcse score writes; write it again"),
        ({"similarity_quartiles": "ab"}, "is not what augcse score writes; write it again"),
    ],
)
def test_a_record_that_says_nothing_of_margins_is_refused_in_a_line(
    change: dict[str, Any], message: str, scores: Path, tmp_path: Path
) -> None:
    document = _table(scores)
    document["scores"][0] |= change
    (tmp_path / "scores.json").write_text(json.dumps(document), "utf-8")
    with pytest.raises(UserError, match=message) as refused:
        measured_gaps(str(tmp_path), NAMES)
    assert "\n" not in str(refused.value)


def test_what_the_record_lacks_is_named(scores: Path) -> None:
    with pytest.raises(UserError, match=r"does not have RandomCrop; score it too: augcse score CORPUS --with RandomSwap,"):
        measured_gaps(str(scores), ["RandomCrop"])
    with pytest.raises(UserError, match=r"has \d+ pairs of ColorTransformation, too few to be measured; score a larger --sample"):
        measured_gaps(str(scores), ["ColorTransformation"])


def _table(folder: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((folder / "scores.json").read_text("utf-8"))
    return document
