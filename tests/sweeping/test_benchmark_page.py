"""The page of a sweep: from records alone, what was not run is said, a record of other settings is refused."""

from __future__ import annotations

import json
import shutil
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from augcse.report.record import load_record
from augcse.sweeping.file import read_plan
from augcse.sweeping.plan import Cell, cells_of

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from docs_pages.sweeps import sweep_page
from keep_sweep import keep as keep_records

NAME = "benchmark-mini"
CELLS = {cell.name: cell for cell in cells_of(read_plan(NAME, {}), {})}


def keep(results: Path, cell: Cell, seed: int, average: float, **training: Any) -> None:
    recipe = cell.recipe_of(seed).model_dump(mode="json")
    recipe["training"].update(training)
    record = {
        "recipe": recipe,
        "scores": {"avg_sts": average, "avg_transfer": 70.0},
        "resampled": {"model": {"sts": [average - 1, average, average + 1]}},
        "curves": [],
        "steps": 400,
        "precision": "fp32",
        "wall_time_s": 100.0,
        "peak_memory_mb": 900.0,
        "hardware": {"processor": "x86-64"},
        "corpus": [{"path": f"{cell.corpus}.txt", "sha256": "ab" * 32}],
        "best": {"step": 300, "dev": {"stsb_dev": average + 5}, "test": {}},
        "kept_step": 300,
    }
    folder = results / NAME
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{cell.run_name(seed)}.json").write_text(json.dumps(record), "utf-8")


def test_without_records_every_cell_is_named_as_not_run(tmp_path: Path) -> None:
    page = sweep_page(NAME, tmp_path)
    assert f"**0 of {5 * len(CELLS)} runs are finished.**" in page
    assert f"| all | {'; '.join(CELLS)} |" in page


def test_the_table_and_the_differences_are_those_of_the_records(tmp_path: Path) -> None:
    for seed, base, gain in ((1, 60.0, 1.0), (11, 61.0, 3.0)):
        keep(tmp_path, CELLS["SimCSE, mixed"], seed, base)
        keep(tmp_path, CELLS["UNA, mixed"], seed, base + gain)
    page = sweep_page(NAME, tmp_path)
    assert f"**4 of {5 * len(CELLS)} runs are finished.**" in page
    assert "| 42, 68, 421 | SimCSE, mixed; UNA, mixed |" in page
    assert "| UNA, mixed | 2/5 | 67.50 ± 2.12 | 69.00 | 62.50 ± 2.12 | 70.00 ± 0.00 |" in page
    assert "| cell | seeds | sts: to SimCSE |" in page
    assert "| UNA, mixed | 2 | +2.00 (+1.00 to +3.00) |" in page
    assert "no cell is best: none has all its runs" in page
    assert "| TSDAE, mixed |" not in page
    assert "mixed.txt (abababab)" in page
    assert "trained in fp32 (4)" in page


def test_the_page_tells_which_runs_were_made_again(tmp_path: Path) -> None:
    keep(tmp_path, CELLS["SimCSE, wiki"], 1, 60.0)
    assert "trained again" not in sweep_page(NAME, tmp_path)
    (tmp_path / "reproduced").mkdir()
    run = {"draw": 3, "commit": "0a1b2c3d", "processor": "x86-64", "differing": []}
    made = {"runs": {"one-seed1": run, "two-seed11": {**run, "differing": ["curves", "scores"]}}}
    (tmp_path / "reproduced" / f"{NAME}.json").write_text(json.dumps(made), "utf-8")
    page = sweep_page(NAME, tmp_path)
    assert "one-seed1 (seed 3 of the draw, package of commit 0a1b2c3d): the same;" in page
    assert "two-seed11 (seed 3 of the draw, package of commit 0a1b2c3d): differing in curves, scores." in page


def test_the_page_tells_which_rules_made_the_rows_of_a_cell(tmp_path: Path) -> None:
    keep(tmp_path, CELLS["AugCSE, 8-aug-2, mixed"], 1, 60.0)
    keep(tmp_path, CELLS["SDA, punctuation, mixed"], 1, 60.0)
    assert "another output today" not in sweep_page(NAME, tmp_path)
    path = tmp_path / NAME / f"{CELLS['AugCSE, 8-aug-2, mixed'].run_name(1)}.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "rules_commit": "22222222"}), "utf-8")
    corpus = {"path": "mixed.txt", "sha256": "ab", "rows": 5600, "every": 5}
    commits = {"11111111": {"RandomSwap": 0, "YodaPerturbation": 1156}, "22222222": {"RandomSwap": 0, "YodaPerturbation": 0}}
    (tmp_path / "changed").mkdir()
    (tmp_path / "changed" / f"{NAME}.json").write_text(json.dumps({"corpus": corpus, "commits": commits}), "utf-8")
    page = sweep_page(NAME, tmp_path)
    assert "Rules of commit 11111111 or later (all other cells): YodaPerturbation 1,156; of other rules none." in page
    assert "Rules of commit 22222222 (AugCSE, 8-aug-2, mixed): none of any rule." in page


def test_a_record_of_other_settings_is_no_cell(tmp_path: Path) -> None:
    keep(tmp_path, CELLS["SimCSE, wiki"], 1, 60.0, max_steps=2)
    with pytest.raises(ValueError, match=r"SimCSE-wiki-seed1 has another recipe \(training\.max_steps\)"):
        sweep_page(NAME, tmp_path)


def test_what_else_a_record_was_scored_beside_makes_it_no_other_cell(tmp_path: Path) -> None:
    keep(tmp_path, CELLS["SimCSE, wiki"], 1, 60.0)
    path = tmp_path / NAME / f"{CELLS['SimCSE, wiki'].run_name(1)}.json"
    record = json.loads(path.read_text("utf-8"))
    record["recipe"]["evaluation"]["baselines"] = True  # as before baselines had names
    path.write_text(json.dumps(record), "utf-8")
    assert "| SimCSE, wiki | 1/5 |" in sweep_page(NAME, tmp_path)


def test_records_of_rows_made_by_several_commands_are_all_kept(tmp_path: Path) -> None:
    sweep = tmp_path / "made"
    names = [CELLS["UNA, mixed"].run_name(1), CELLS["TSDAE, mixed"].run_name(11)]
    keep(tmp_path, CELLS["UNA, mixed"], 1, 60.0)
    for name in [*names, "another-sweep-seed1"]:
        (sweep / "runs" / name).mkdir(parents=True)
        shutil.copy(tmp_path / NAME / f"{names[0]}.json", sweep / "runs" / name / "run.json")
        (sweep / "runs" / name / "model").mkdir()
        (sweep / "runs" / name / "model" / "model.safetensors").write_bytes(b"weights")
    spaces = {name: {"alignment": 0.2, "uniformity": -2.5, "probe": 40.0 + len(name)} for name in ("model", "static")}
    (sweep / "runs" / names[0] / "spaces.json").write_text(json.dumps(spaces), "utf-8")
    (sweep / "sweep.json").write_text(json.dumps({"sweep": NAME, "runs": names[1:]}), "utf-8")
    kept = keep_records(sweep, tmp_path / "results", "0a1b2c3d")
    assert sorted(path.stem for path in kept) == sorted(names)
    assert all(path.is_file() for path in kept)
    assert load_record(kept[0])["weights_sha256"] == {"model.safetensors": sha256(b"weights").hexdigest()}
    assert load_record(kept[0])["rules_commit"] == "0a1b2c3d"
    kept[1].unlink()
    page = sweep_page(NAME, tmp_path / "results")
    assert "| UNA, mixed | 0.200 | -2.500 | 45.000 |" in page
    assert "| a static encoder of its word embeddings, mixed | 0.200 | -2.500 | 46.000 |" in page
