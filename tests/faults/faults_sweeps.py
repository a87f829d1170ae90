"""Sweeps: grids, seeds, sweep files, folders. All refused before anything is trained."""

from __future__ import annotations

import json
from pathlib import Path

from fault import Fault, Write, write

_SWEEP = ("sweep", "simcse-mini", "--corpus", "{corpus}", "--model", "{model}")
_OUT = ("--output", "{work}/out")

_ARGUMENTS: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = [
    (
        "a misspelt key in the grid",
        ("--grid", "temprature=0.1"),
        ("--grid temprature=0.1", "did you mean objective.temperature"),
    ),
    ("published recipes of a recipe", ("--published",), ("--published", "simcse-mini is a recipe")),
    ("a value of the wrong type", ("--grid", "batch_size=32,many"), ("--grid batch_size=many", "training.batch_size is 'many'")),
    ("a value out of range", ("--grid", "batch_size=1"), ("--grid batch_size=1", "from 2 to 1000000")),
    ("an option of another objective", ("--grid", "objective.alpha=1"), ("--grid objective.alpha=1", "alpha")),
    ("no values", ("--grid", "batch_size="), ("batch_size=", "key=value,value")),
    ("no key", ("--grid", "32,64"), ("32,64", "key=value,value")),
    ("a key twice", ("--grid", "batch_size=2", "--grid", "batch_size=3"), ("batch_size is given twice",)),
    ("a value twice", ("--grid", "batch_size=32,32"), ("batch_size", "32 is given twice")),
    ("the seed as a key", ("--grid", "training.seed=1,2"), ("training.seed", "--seeds")),
    ("the seeds as a setting", ("--set", "seeds=[1]"), ("--set seeds", "--seeds")),
    ("a key in grid and settings", ("--grid", "batch_size=2", "--set", "batch_size=3"), ("batch_size", "give it once")),
    (
        "a grid of 10,000 cells",
        ("--grid", f"batch_size={','.join(map(str, range(2, 102)))}", "--grid", f"max_steps={','.join(map(str, range(1, 101)))}"),
        ("10,000 cells", "10,000 runs", "--yes"),
    ),
    ("seeds that are none", ("--seeds", "1,one"), ("--seeds", "'one'")),
    ("a seed twice", ("--seeds", "1,1"), ("1 is given twice",)),
    ("no seed", ("--seeds", ""), ("--seeds",)),
    ("a backbone that is not there", ("--model", "./nothing"), ("./nothing",)),
    ("an unknown test", ("--test", "STSX"), ("STSX",)),
    ("a dev file that is not there", ("--dev", "{work}/pairs.tsv"), ("pairs.tsv",)),
    ("an augmentation that is none", ("--set", 'names=["RandomSwop"]'), ("RandomSwop", "RandomSwap")),
]

_FILE = '[[row]]\nrecipe = "simcse-mini"\n'
_FILES: list[tuple[str, str, tuple[str, ...]]] = [
    ("no rows", "row = []\n", ("row is []",)),
    ("a row without a recipe", "[[row]]\n", ("row 1: recipe is missing",)),
    ("an unknown recipe", '[[row]]\nrecipe = "simcse-mni"\n', ("'simcse-mni'", "simcse-mini")),
    ("a misspelt key", f"sedes = [1]\n{_FILE}", ("'sedes'", "did you mean seeds")),
    ("an unknown setting", f"{_FILE}settings = {{ temprature = 1 }}\n", ("'temprature'", "objective.temperature")),
    ("a grid that is no list", f"{_FILE}grid = {{ temperature = 0.1 }}\n", ("row.1.grid.temperature is 0.1",)),
    ("a text that no list names", f'corpora = ["wiki"]\n{_FILE}corpora = ["wikis"]\n', ("'wikis'", "wiki")),
    ("two rows of one name", f"{_FILE}settings = {{ batch_size = 8 }}\n{_FILE}", ("two rows are called",)),
    ("the same row twice", f'{_FILE}name = "a"\n{_FILE}name = "b"\n', ("a and b are the same setting",)),
    ("a published figure that is none", f'published_of = "A"\n{_FILE}published = {{ STS = "high" }}\n', ("row.1.published.STS is 'high'",)),
    ("a published figure beyond 100", f'published_of = "A"\n{_FILE}published = {{ STS = 101 }}\n', ("row.1.published.STS is 101", "100")),
    ("published figures of no table", f"{_FILE}published = {{ STS = 70 }}\n", ("row 1: it has published figures", "published_of")),
    (
        "published figures of a grid",
        f'published_of = "A"\n{_FILE}published = {{ STS = 70 }}\ngrid = {{ temperature = [0.1, 0.2] }}\n',
        ("row 1: it has published figures and a grid", "a row for each"),
    ),
    ("a comparison to no row", f'compare_to = ["simcs-mini"]\n{_FILE}', ("compare_to", "'simcs-mini'", "simcse-mini")),
    ("a comparison without resamples", f'compare_to = ["simcse-mini"]\n{_FILE}', ("compare_to", "evaluation.kept_resamples")),
    ("rows at the paper's size alone", '[[row]]\npublished_recipe = "simcse-bert"\n', ("no row has a recipe", "--published")),
    ("no TOML", "[[row]\n", ("not a TOML file",)),
]


def _sweep_of(name: str) -> Write:
    return write("out/sweep.json", json.dumps({"sweep": name}))


def _run_of_another_recipe(work: Path) -> None:
    from augcse.training.inputs import write_inputs

    _sweep_of("simcse-mini")(work)
    folder = work / "out" / "runs" / "simcse-mini-seed42"
    folder.mkdir(parents=True)
    write_inputs(folder, {"recipe": {"name": "augcse-mini"}, "corpus": [], "dev": {}, "test": [], "data": None})


def _damaged_run(work: Path) -> None:
    _sweep_of("simcse-mini")(work)
    write("out/runs/simcse-mini-seed42/inputs.json", "{")(work)


_FOLDERS: list[tuple[str, tuple[str, ...], Write]] = [
    ("a file", ("out", "is a file"), write("out", "a letter")),
    ("a folder with other things", ("out", "holds no sweep"), write("out/letter.txt", "a letter")),
    ("the sweep of another recipe", ("holds the sweep of augcse-mini, not of simcse-mini",), _sweep_of("augcse-mini")),
    ("a damaged sweep.json", ("sweep.json is damaged",), write("out/sweep.json", "[1")),
    ("a run of another recipe", ("simcse-mini-seed42", "holds a run with"), _run_of_another_recipe),
    ("a damaged inputs.json", ("inputs.json is damaged",), _damaged_run),
]

SWEEPS = [Fault(f"sweep: {name}", (*_SWEEP, *_OUT, *arguments), names) for name, arguments, names in _ARGUMENTS]
SWEEPS += [
    Fault(f"sweep: file: {name}", ("sweep", "{work}/study.toml", "--corpus", "{corpus}", *_OUT), names, write("study.toml", text))
    for name, text, names in _FILES
]
SWEEPS += [Fault(f"sweep: output: {name}", (*_SWEEP, *_OUT), names, prepare) for name, names, prepare in _FOLDERS]
SWEEPS += [
    Fault("sweep: nothing named", ("sweep", "--corpus", "{corpus}", *_OUT), ("no recipe or sweep named",)),
    Fault("sweep: no output", _SWEEP, ("--output",)),
    Fault("sweep: no corpus", ("sweep", "simcse-mini", *_OUT), ("--corpus",)),
    Fault("sweep: a corpus that is not there", ("sweep", "simcse-mini", "--corpus", "{work}/gone.txt", *_OUT), ("gone.txt",)),
    Fault("sweep: a misspelt name", ("sweep", "benchmark-mni", "--corpus", "{corpus}", *_OUT), ("benchmark-mni", "benchmark-mini")),
    Fault(
        "sweep: a misspelt row", ("sweep", "benchmark-mini", "--row", "Simcse", "--corpus", "{corpus}", *_OUT), ("row 'Simcse'", "SimCSE")
    ),
    Fault("sweep: a text without its name", ("sweep", "benchmark-mini", "--corpus", "{corpus}", *_OUT), ("wiki, mixed", "NAME=FILE")),
    Fault("sweep: a text left out", ("sweep", "benchmark-mini", "--corpus", "wiki={corpus}", *_OUT), ("mixed", "--corpus mixed=FILE")),
]
SWEEPS += [
    Fault("soup: one model", ("soup", "{model}", *_OUT), ("two models or more",)),
    Fault("soup: a model twice", ("soup", "{model}", "{model}", *_OUT), ("named twice",)),
    Fault("soup: other shapes", ("soup", "{model}", "mini-bert", *_OUT), ("not of one architecture", "mini-bert")),
    Fault("soup: output: a file", ("soup", "{model}", "mini-bert", *_OUT), ("out", "is a file"), write("out", "a letter")),
    Fault("soup: output: a folder that is there", ("soup", "{model}", "mini-bert", *_OUT), ("out exists",), write("out/a.txt", "a")),
    Fault("soup: no model", ("soup", "{model}", "{work}/gone", *_OUT), ("gone",)),
]
