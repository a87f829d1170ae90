"""Tables, pictures, pages: well-formed, escaped, and showing what they are given."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from augcse.analysis.projection import mean_pair_distance, principal_plane, project_groups
from augcse.report.curves import curves_section
from augcse.report.html import Section, figure, page
from augcse.report.page import runs_page
from augcse.report.runs import ReportedRun, smoothed
from augcse.report.scores import scored_rows
from augcse.report.svg import Frame, line_chart, scatter, ticks
from augcse.report.table import Table, median_and_spread, scores_table

SVG = "{http://www.w3.org/2000/svg}"


def _run(record: dict[str, Any], name: str = "run") -> ReportedRun:
    return ReportedRun(name, Path(name), record, {})


def _record(seed: int, alpha: float = -1.0, name: str = "augcse-mini") -> dict[str, Any]:
    return {
        "recipe": {"name": name, "objective": {"name": "augcse", "alpha": alpha}, "training": {"seed": seed}},
        "scores": {"STSB": 60.0 + seed, "avg": 50.0 + seed},
        "curves": [{"step": step, "discriminator_accuracy": step / 10, "contrastive": 1 / step} for step in range(1, 6)],
        "steps": 5,
        "precision": "fp32",
        "wall_time_s": 1.0,
        "peak_memory_mb": 2.0,
        "hardware": {"processor": "a <fast> one"},
    }


def test_mixes_are_drawn_by_weight_with_a_ring_at_the_one_that_is_kept() -> None:
    mixes = [{"weight": weight, "dev": {"mine": score}} for weight, score in ((0.0, 70.0), (0.5, 72.0), (1.0, 71.0))]
    mixed = _run({**_record(1), "interpolation": {"weight": 0.5, "curve": mixes}}, "mixed")
    section = curves_section([_run(_record(2), "plain"), mixed])
    assert section is not None
    [chart] = [svg for svg in re.findall(r"<svg.*?</svg>", "".join(section.parts), re.DOTALL) if "mine by the trained model" in svg]
    [line] = re.findall(r'points="([^"]*)"', chart)
    points = [tuple(map(float, point.split(","))) for point in line.split()]
    [ring] = re.findall(r'<circle cx="([^"]*)" cy="([^"]*)" r="5" fill="none"', chart)
    assert tuple(map(float, ring)) == points[1]
    assert points[1][1] < points[2][1] < points[0][1]
    assert "the ring is the mix" in section.text
    unmixed = curves_section([_run(_record(2), "plain")])
    assert unmixed is not None
    assert "mix" not in unmixed.text


def test_line_chart_draws_each_finite_point_inside_the_frame() -> None:
    svg = ET.fromstring(line_chart({"a & b": [(0, 1.0), (1, math.nan), (2, 3.0)], "c": [(0, 2.0)]}, title="<t>", x_label="x", y_label="y"))
    lines = svg.findall(f"{SVG}polyline")
    assert [len(line.attrib["points"].split()) for line in lines] == [2, 1]
    for point in lines[0].attrib["points"].split():
        x, y = map(float, point.split(","))
        assert 0 <= x <= 760
        assert 0 <= y <= 340
    assert "a & b" in [text.text for text in svg.findall(f"{SVG}text")]


def test_what_is_pointed_at_tells_its_name_and_values() -> None:
    svg = ET.fromstring(
        line_chart({"a & b": [(0, 1.0), (10, 2.5)], "long": [(x, 1.0) for x in range(61)]}, title="t", x_label="", y_label="")
    )
    assert [line.findtext(f"{SVG}title") for line in svg.findall(f"{SVG}polyline")] == ["a & b", "long"]
    assert [spot.findtext(f"{SVG}title") for spot in svg.findall(f"{SVG}circle")] == ["a & b: 0, 1", "a & b: 10, 2.5"]
    points = ET.fromstring(scatter({"x": [(0, 0), (1, 1)], "y": [(2, 2)]}, title="t", tooltips={"x": ["first <", "second"]}))
    assert [point.findtext(f"{SVG}title") for point in points.findall(f"{SVG}circle")] == [None, "first <", "second"]


def test_scatter_draws_each_point() -> None:
    svg = ET.fromstring(scatter({"original": [(0, 0), (1, 1)], "other": [(2, 2)]}, title="t"))
    assert len(svg.findall(f"{SVG}circle")) == 3


def test_nothing_to_draw_is_said() -> None:
    assert "nothing to draw" in line_chart({}, title="t", x_label="", y_label="")
    assert "nothing to draw" in scatter({"a": []}, title="t")


def test_one_constant_point_has_a_range() -> None:
    ET.fromstring(line_chart({"a": [(1, 5.0)]}, title="t", x_label="", y_label=""))


def test_frame_maps_low_left_and_high_right() -> None:
    frame = Frame(620, 340, (0.0, 10.0), (0.0, 1.0))
    assert frame.x(0) < frame.x(10)
    assert frame.y(0) > frame.y(1)


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (3.0, 97.0), (-0.2, 0.013), (1e-6, 2e-6)])
def test_ticks_are_few_and_inside(low: float, high: float) -> None:
    found = ticks(low, high)
    assert 2 <= len(found) <= 8
    assert all(low - 1e-12 <= tick <= high + 1e-12 for tick in found)


def test_tables() -> None:
    table = Table(["a", "b"], [["x<y", "1"]])
    assert table.markdown() == "| a | b |\n| --- | ---: |\n| x<y | 1 |"
    assert "x&lt;y" in table.html()


def test_spread_is_the_sample_standard_deviation() -> None:
    assert median_and_spread([1.0, 2.0, 3.0, 6.0]) == "2.50 ± 2.16"


def test_a_task_that_a_run_lacks_is_a_dash_not_a_partial_mean() -> None:
    table = scores_table({"m": [{"A": 1.0, "B": 2.0}, {"A": 3.0}]}, ["A", "B"])
    assert table.rows == [["m", "2", "2.00 ± 1.41", "-"]]


def test_one_runs_score_has_its_interval_and_a_median_of_seeds_has_none() -> None:
    intervals = {"one": {"A": {"low": 0.5, "high": 1.25}}, "two": {"A": {"low": 2.0, "high": 4.0}}}
    table = scores_table({"one": [{"A": 1.0}], "two": [{"A": 2.0}, {"A": 3.0}]}, ["A"], intervals)
    assert [row[2] for row in table.rows] == ["1.00 (0.50 to 1.25)", "2.50 ± 0.71"]


def test_whatever_was_scored_has_a_column_and_a_curve() -> None:
    record = _record(1)
    record["scores"] = {"mine": 40.0, "STSB": 61.0}
    record["intervals"] = {"mine": {"low": 20.0, "high": 60.0}}
    record["curves"] = [{"step": step, "eval_mine": 30.0 + step, "eval_odd": "high"} for step in range(3)]
    assert scored_rows([_run(record)]).tasks() == ["STSB", "mine"]
    text = runs_page([_run(record)])
    assert "40.00 <small>(20.0 to 60.0)</small>" in text
    assert "mine while training, x 100" in text
    assert "odd while training" not in text


def test_page_is_self_contained_and_escaped() -> None:
    text = page("a < b", [Section("h & h", "t", [figure("<svg/>", "c < d")])])
    assert "a &lt; b" in text
    assert "h &amp; h" in text
    assert "<script" not in text
    assert "://" not in text
    assert "src=" not in text
    assert "href=" not in text.replace('href="#', "")


def test_smoothing_is_a_running_mean() -> None:
    assert smoothed([(1, 1.0), (2, 3.0), (3, 5.0)], window=2) == [(1, 1.0), (2, 2.0), (3, 4.0)]


def test_plane_finds_the_two_long_directions() -> None:
    generator = np.random.default_rng(0)
    points = generator.normal(size=(500, 6)) * np.array([0.1, 5.0, 0.1, 2.0, 0.1, 0.1])
    _, axes = principal_plane(points)
    assert np.abs(axes).argmax(axis=1).tolist() == [1, 3]
    assert np.allclose(axes @ axes.T, np.eye(2), atol=1e-9)


def test_groups_share_one_plane() -> None:
    rows = np.random.default_rng(1).normal(size=(20, 5))
    projected = project_groups({"a": rows, "b": rows})
    assert np.allclose(projected["a"], projected["b"])
    assert projected["a"].shape == (20, 2)


def test_distance_is_zero_for_copies_and_one_for_strangers() -> None:
    rows = np.random.default_rng(2).normal(size=(200, 30))
    assert mean_pair_distance(rows, rows * 3) == pytest.approx(0.0, abs=1e-9)
    assert mean_pair_distance(rows, np.roll(rows, 5, axis=0)) == pytest.approx(1.0, abs=0.05)


def test_scatter_draws_axes_where_they_have_labels() -> None:
    points = {"a": [(0.0, 10.0), (1.0, 20.0)]}
    assert "speed" not in scatter(points, title="t")
    assert ">speed</text>" in scatter(points, title="t", x_label="speed", y_label="score")
