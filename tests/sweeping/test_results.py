"""The table of a sweep: means, spread, the best by dev; failed and missing runs; bytes that do not depend on the order of runs."""

from __future__ import annotations

import json
import random
import statistics
from typing import Any

import pytest

from augcse.sweeping.plan import Published, SweepPlan, SweepRow, cells_of
from augcse.sweeping.results import describe_best, failed_runs, notes_below_table, results, table

CELLS = cells_of(SweepPlan("study", (SweepRow("study", "simcse-mini", grid={"temperature": [0.05, 0.1]}),), (1, 2)), {})


def record(dev: float, average: float) -> dict[str, Any]:
    return {
        "scores": {"STSB": average + 1, "avg": average},
        "kept_step": 3,
        "best": {"step": 3, "dev": {"stsb_dev": dev}},
        "wall_time_s": random.Random().random(),
        "baselines": {"mean": {"dev": {"stsb_dev": 40.0}, "test": {"avg": 41.0}}, "hybrid": {"dev": {"stsb_dev": dev}, "test": {}}},
    }


def test_mean_spread_and_maximum_are_those_of_the_runs() -> None:
    values = {CELLS[0].run_name(1): (60.0, 50.0), CELLS[0].run_name(2): (63.0, 52.0)}
    document = results("study", CELLS[:1], {name: record(*pair) for name, pair in values.items()}, {})
    cell = document["cells"][0]
    assert cell["dev"] == {"name": "stsb_dev", "mean": 61.5, "sd": round(statistics.stdev([60.0, 63.0]), 4), "max": 63.0, "runs": 2}
    assert cell["test"]["avg"]["mean"] == 51.0
    assert document["best"] == CELLS[0].name
    assert describe_best(document) == "best by stsb_dev (dev, mean of 2 seeds): study, temperature=0.05, 61.50"


@pytest.mark.parametrize(("kept", "said"), [((0, 0), True), ((0, 3), False)])
def test_a_best_cell_whose_runs_all_kept_the_start_says_so(kept: tuple[int, int], said: bool) -> None:
    records = {CELLS[0].run_name(seed): {**record(60.0, 1.0), "kept_step": step} for seed, step in zip((1, 2), kept, strict=True)}
    assert ("all its runs kept the start" in describe_best(results("study", CELLS, records, {}))) is said


def test_the_best_has_all_its_runs() -> None:
    records = {CELLS[0].run_name(1): record(60.0, 1.0), CELLS[0].run_name(2): record(61.0, 1.0), CELLS[1].run_name(1): record(90.0, 1.0)}
    missing = results("study", CELLS, records, {})
    assert missing["best"] == CELLS[0].name
    assert missing["cells"][1]["runs"][1]["state"] == "not run yet"
    failed = results("study", CELLS, records, {CELLS[1].run_name(2): "the loss is nan at step 3"})
    assert failed["best"] == CELLS[0].name
    assert failed_runs(failed) == {CELLS[1].run_name(2): "the loss is nan at step 3"}
    whole = results("study", CELLS, {**records, CELLS[1].run_name(2): record(10.0, 1.0)}, {})
    assert whole["best"] == CELLS[0].name
    higher = results("study", CELLS, {**records, CELLS[1].run_name(2): record(62.0, 1.0)}, {})
    assert higher["best"] == CELLS[1].name


def test_the_table_has_a_row_for_cells_for_what_costs_nothing_and_for_failures() -> None:
    document = results("study", CELLS, {CELLS[0].run_name(1): record(60.0, 50.0)}, {CELLS[1].run_name(1): "killed <b>"})
    shown = table(document)
    assert list(shown.header) == ["cell", "runs", "stsb_dev (dev)", "max", "avg"]
    assert [row[:2] for row in shown.rows] == [
        ["study, temperature=0.05", "1/2"],
        ["study, temperature=0.1", "0/2"],
        ["the untouched backbone's mean of tokens", "-"],
        [f"{CELLS[1].run_name(1)}: killed <b>", "failed"],
    ]
    assert shown.rows[0][2:] == ["60.00", "60.00", "50.00"]
    assert shown.rows[2][2:] == ["40.00", "", "41.00"]
    assert '<span class="bad">' in table(document, html=True).html()
    assert "killed &lt;b&gt;" in table(document, html=True).html()


def test_a_baseline_is_the_mean_over_seeds_as_a_cell_is() -> None:
    # As under --dev probe, where each seed holds out other sentences.
    records = {cell.run_name(seed): record(60.0, 50.0) for cell in CELLS for seed in cell.seeds}
    for cell in CELLS:
        records[cell.run_name(2)]["baselines"]["mean"] = {"dev": {"stsb_dev": 43.0}, "test": {"avg": 41.0}}
    document = results("study", CELLS, records, {})
    [baseline] = document["cost_nothing"]
    assert (baseline["dev"], baseline["test"]) == ({"stsb_dev": 41.5}, {"avg": 41.0})
    assert table(document).rows[len(CELLS)][2:] == ["41.50", "", "41.00"]


def test_nothing_is_best_without_a_dev_score() -> None:
    bare = {**record(1.0, 50.0), "best": None, "last": {"step": 3, "dev": {}}, "baselines": {}}
    document = results("study", CELLS, {CELLS[0].run_name(1): bare}, {})
    assert document["best"] is None
    assert document["chosen_by"] is None
    assert "no run is finished that was scored while training" in describe_best(document)
    assert describe_best(results("study", CELLS, {CELLS[0].run_name(1): record(1.0, 1.0)}, {})) == "no cell is best: none has all its runs"


def test_neither_order_nor_time_of_the_runs_changes_a_byte() -> None:
    names = [cell.run_name(seed) for cell in CELLS for seed in cell.seeds]
    texts = []
    for order in (names, names[::-1]):
        records = {name: record(60.0 + names.index(name), 50.0) for name in order}
        texts.append(json.dumps(results("study", CELLS, records, {})))
    assert texts[0] == texts[1]


def test_published_figures_stand_beside_ours_and_are_called_so() -> None:
    stated = Published("A, Table 1, BERT-base", {"STS avg": 76.25, "transfer": 85.8})
    rows = (SweepRow("one", "simcse-mini", published=stated), SweepRow("two", "simcse-mini", ({"temperature": 0.05},)))
    cells = cells_of(SweepPlan("table", rows, (1,)), {})
    document = results("table", cells, {cells[0].run_name(1): record(60.0, 50.0)}, {cells[1].run_name(1): "killed"})
    assert [cell["published"] for cell in document["cells"]] == [stated.figures, {}]
    assert document["published_of"] == stated.of
    shown = table(document)
    assert list(shown.header[-2:]) == ["published STS avg", "published transfer"]
    assert [row[-2:] for row in shown.rows] == [["76.25", "85.8"], ["-", "-"], ["", ""], ["", ""]]
    assert len({len(row) for row in shown.rows} | {len(shown.header)}) == 1
    assert notes_below_table(document)[1].startswith("published: A, Table 1, BERT-base")
    assert notes_below_table(results("study", CELLS, {}, {})) == [describe_best(results("study", CELLS, {}, {}))]
