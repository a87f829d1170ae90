"""Differences between cells from records alone: against naive loops, and what a reader of the table must see."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augcse.config import recipe_path
from augcse.errors import UserError
from augcse.evaluation.run_scores import KEPT_MODEL
from augcse.sweeping.differences import differences, differences_table, hierarchical_bootstrap, holm
from augcse.sweeping.plan import Cell, SweepPlan, SweepRow, cells_of
from augcse.sweeping.references import check_references, reference_of, suite_notes
from augcse.sweeping.sweep import sweep

SEEDS = (1, 2, 3, 4)
RECIPES = {"base": "simcse-mini", "other": "augcse-mini"}
GRID = {"batch_size": [8, 16]}
KEEPING = {"evaluation.kept_resamples": 9}
ROWS = (SweepRow("base", "simcse-mini", corpora=("a", "b")), SweepRow("other", "augcse-mini", corpora=("a",)))
CELLS = {cell.name: cell for cell in cells_of(SweepPlan("study", ROWS, SEEDS, names_corpora=True), {})}


def kept(average: float, seed: int, spread: float = 1.0) -> tuple[float, list[float]]:
    """An average, and resamples around it that every model shares: the same pairs are drawn."""
    return average, [round(average + spread * each, 2) for each in np.random.default_rng(seed).normal(size=50)]


def record(sts: float, static: float = 65.0, pairs: int = 0) -> dict[str, Any]:
    average, draws = kept(sts, pairs)
    free, free_draws = kept(static, pairs)
    return {
        "scores": {"STSB": 1.0, "avg_sts": average, "avg_transfer": 70.0},
        "baselines": {"static": {"dev": {}, "test": {"avg_sts": free}}},
        "resampled": {"model": {"sts": draws}, "static": {"sts": free_draws}},
    }


def records(cell: Cell, averages: list[float]) -> dict[str, Any]:
    return {cell.run_name(seed): record(average) for seed, average in zip(cell.seeds, averages, strict=False)}


def test_each_cell_is_compared_to_the_row_of_its_text_and_to_its_baseline() -> None:
    found = {
        **records(CELLS["base, a"], [60, 61, 62, 63]),
        **records(CELLS["other, a"], [61, 62, 63, 65]),
        **records(CELLS["base, b"], [50]),
    }
    entries = {(each["cell"], each["to"]): each for each in differences(list(CELLS.values()), found, ["base", "static"])}
    # The reference is not compared to itself, nor a cell to that of another text.
    assert set(entries) == {("base, a", "static"), ("base, b", "static"), ("other, a", "base"), ("other, a", "static")}
    own = entries["other, a", "base"]
    assert (own["seeds"], own["difference"]) == (4, 1.25)
    # The pairs move both alike, so that only the seeds differ: three gains of 1 and one of 2.
    assert (own["low"], own["high"]) == pytest.approx((1.0, 1.75), abs=0.02)
    assert entries["other, a", "static"]["difference"] == pytest.approx(62.75 - 65)
    assert entries["base, b", "static"]["p_value"] is None


def test_seeds_and_pairs_are_drawn_as_in_a_loop() -> None:
    generator = np.random.default_rng(0)
    gains = generator.normal(0.5, 1.0, size=5)
    resampled = gains[:, None] + generator.normal(0, 0.7, size=(1, 300)) + generator.normal(0, 0.2, size=(5, 300))
    found = hierarchical_bootstrap(list(gains), resampled, np.random.default_rng(1))
    drawn = []
    for _ in range(4000):
        column = generator.integers(300)
        drawn.append(np.mean([resampled[generator.integers(5), column] for _ in range(5)]))
    assert found.difference == pytest.approx(gains.mean())
    assert (found.interval.low, found.interval.high) == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.1)
    # Wider than by either alone.
    assert found.interval.high - found.interval.low > 3.92 * max(resampled.mean(axis=0).std(), gains.std() / 5**0.5) * 0.9


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_rejects_what_its_step_down_procedure_rejects(p_values: list[float]) -> None:
    corrected = holm(p_values)
    order, rejecting = sorted(range(len(p_values)), key=lambda index: p_values[index]), True
    for rank, index in enumerate(order):
        rejecting = rejecting and p_values[index] * (len(p_values) - rank) < 0.05
        assert (corrected[index] < 0.05) is rejecting


def test_a_clear_difference_has_a_star_and_what_is_missing_an_empty_cell() -> None:
    found = {**records(CELLS["base, a"], [60, 61, 62, 63]), **records(CELLS["base, b"], [50])}
    table = differences_table(differences(list(CELLS.values()), found, ["base", "static"]))
    assert table is not None
    assert list(table.header) == ["cell", "seeds", "sts: to static"]
    assert [row[:2] for row in table.rows] == [["base, a", "4"], ["base, b", "1"]]
    assert table.rows[0][2].startswith("-3.50 (")
    assert table.rows[0][2].endswith(" *")
    assert not table.rows[1][2].endswith("*")


def test_records_without_resamples_have_no_differences() -> None:
    bare = {name: {"scores": each["scores"], "baselines": {}} for name, each in records(CELLS["other, a"], [61, 62, 63, 65]).items()}
    assert differences(list(CELLS.values()), bare, ["base", "static"]) == []
    assert differences_table([]) is None


def test_with_a_grid_for_all_rows_each_cell_is_compared_to_the_one_of_its_values() -> None:
    grid = {"temperature": [0.05, 0.1]}
    cells = cells_of(SweepPlan("study", tuple(SweepRow(name, recipe, grid=grid) for name, recipe in RECIPES.items()), SEEDS), {})
    averages = {"base, temperature=0.05": 50, "base, temperature=0.1": 60, "other, temperature=0.05": 51, "other, temperature=0.1": 63}
    found: dict[str, Any] = {}
    for cell in cells:
        found |= records(cell, [averages[cell.name]] * len(SEEDS))
    gains = {(each["cell"], each["to"]): each["difference"] for each in differences(cells, found, ["base"])}
    assert gains == {("other, temperature=0.05", "base"): 1, ("other, temperature=0.1", "base"): 3}


ROWS_OF_FILE = """
[[row]]
name = "SimCSE"
recipe = "simcse-mini"
published_recipe = "simcse-mini"
[[row]]
name = "wide"
recipe = "una-mini"
published_recipe = "una-mini"
grid = { batch_size = [8, 16] }
"""
KEPT = '[settings]\n"evaluation.kept_resamples" = 9\n'


@pytest.mark.parametrize(
    ("text", "arguments", "parts"),
    [
        (f'compare_to = ["SimCS"]\n{KEPT}', {}, ("'SimCS'", "SimCSE")),
        ('compare_to = ["SimCSE"]\n', {}, ("compare_to", "kept_resamples")),
        (f'compare_to = ["SimCSE"]\n{KEPT}', {"settings": {"kept_resamples": 0}}, ("compare_to", "kept_resamples is 0")),
        (f'compare_to = ["SimCSE"]\npublished_settings = {{}}\n{KEPT}', {"published": True}, ("kept_resamples is 0", "published_settings")),
        (f'compare_to = ["wide"]\n{KEPT}', {}, ("wide has a grid",)),
        (f'compare_to = ["SimCSE"]\n{KEPT}', {"rows": ["wide"]}, ("compare_to", "(--row) SimCSE")),
        (f'compare_to = ["static"]\n{KEPT}', {"settings": {"baselines": ["mean"]}}, ("no cell", "static", "evaluation.baselines")),
    ],
)
def test_what_cannot_be_compared_to_is_refused(tmp_path: Path, text: str, arguments: dict[str, Any], parts: tuple[str, ...]) -> None:
    path, own = tmp_path / "study.toml", tmp_path / "own.tsv"
    own.write_text("4\tA cat sleeps.\tA cat naps.\n1\tIt rains.\tThe sun shines.\n2\tHe ran.\tHe walked.\n", "utf-8")
    path.write_text(f"{text}{ROWS_OF_FILE}", "utf-8")
    given = {key: str(own) if value == "{own}" else value for key, value in arguments.items()}
    with pytest.raises(UserError) as refusal:
        sweep(path, corpus=own, output=tmp_path / "out", **given)
    assert all(part in str(refusal.value) for part in parts)
    assert not (tmp_path / "out").exists()


def test_rows_of_one_grid_and_rows_without_it_are_compared_to_their_like() -> None:
    one, same, wide = (SweepRow(name, "simcse-mini", grid=grid) for name, grid in (("one", {}), ("same", GRID), ("wide", GRID)))
    cells = list(cells_of(SweepPlan("study", (one, replace(same, recipe="una-mini"), replace(wide, recipe="esimcse-mini"))), KEEPING))
    check_references(["one"], cells)
    check_references(["wide"], [cell for cell in cells if cell.row != "one"])
    with pytest.raises(UserError, match="wide has a grid, and no cell of it has the values of one"):
        check_references(["wide"], cells)


def test_runs_without_a_suite_are_told_that_nothing_will_be_compared() -> None:
    (note,) = suite_notes(["SimCSE", "static"], ["own.tsv"])
    assert "SimCSE and static" in note
    assert "own.tsv" in note
    assert "--data" in note
    assert "nothing;" in next(suite_notes(["SimCSE"], []))
    assert not list(suite_notes(["SimCSE"], ["sts"]))
    assert not list(suite_notes([], []))


def test_a_grid_may_be_spelt_in_two_ways() -> None:
    short, full = (
        SweepRow("short", "simcse-mini", grid={"batch_size": [8, 16]}),
        SweepRow("full", "una-mini", grid={"training.batch_size": [8, 16]}),
    )
    cells = list(cells_of(SweepPlan("study", (short, full)), KEEPING))
    check_references(["short"], cells)
    assert [reference_of(cell, "short", cells)[0].settings for cell in cells[2:]] == [cell.settings for cell in cells[:2]]  # type: ignore[index]


def test_rows_of_an_own_recipe_file_are_compared(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(recipe_path("simcse-mini").read_text("utf-8"), "utf-8")
    rows = (SweepRow("mine", str(path), grid={"batch_size": [8, 16]}), SweepRow("other", "una-mini", grid={"batch_size": [8, 16]}))
    cells = list(cells_of(SweepPlan("study", rows), KEEPING))
    check_references(["mine"], cells)
    assert [reference_of(cell, "mine", cells) for cell in cells[2:]] == [(cell, KEPT_MODEL) for cell in cells[:2]]


def test_seeds_that_differ_are_refused() -> None:
    rows = [cells_of(SweepPlan("study", (SweepRow(name, RECIPES[name]),), (seed,)), KEEPING)[0] for seed, name in enumerate(RECIPES)]
    with pytest.raises(UserError, match="other and base have no seed in common"):
        check_references(["base"], rows)
