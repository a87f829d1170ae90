"""What can be refused without torch is refused before torch, which takes seconds to import, and before anything is written."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from augcse.errors import UserError
from augcse.model_folder import check_is_no_path

TRAIN = ["train", "simcse-mini", "--corpus", "corpus.txt", "--output", "new"]
ADAPT = ["adapt", "corpus.txt", "--model", "mini-bert", "--output", "new"]
EVALUATE = ["evaluate", "mini-bert"]
POSTPROCESS = ["postprocess", "mini-bert", "corpus.txt", "--output", "new"]
REFUSED = {
    "corpus": (["train", "simcse-mini", "--corpus", "corpsu.txt", "--output", "new"], "no corpus file corpsu.txt"),
    "recipe": (["train", "simcse-mni", "--corpus", "corpus.txt"], "did you mean simcse-mini"),
    "output": ([*TRAIN[:-1], "used"], "used is not empty; choose another --output"),
    "recipe key": ([*TRAIN, "--set", "training.epoch=1"], "did you mean training.epochs"),
    "seed and its key": ([*TRAIN, "--seed", "2", "--set", "training.seed=3"], "--seed 2 and --set training.seed=3 differ"),
    "model and its key": ([*TRAIN, "--model", "a", "--set", "backbone=b"], "--model a and --set backbone='b' differ"),
    "seed and its key in adapt": ([*ADAPT, "--seed", "2", "--set", "seed=3"], "--seed 2 and --set seed=3 differ"),
    "layers and their key": ([*ADAPT, "--last-layers", "2", "--set", "last_layers=1"], "--last-layers 2 and --set last_layers=1 differ"),
    "option of the loss": ([*TRAIN, "--set", "objective.temprature=1"], "did you mean temperature"),
    "augmentation": ([*TRAIN, "--set", "augmentation.names=['RandomSwop']"], "did you mean RandomSwap"),
    "backbone": ([*TRAIN, "--model", "./my-modle"], "no model folder ./my-modle; did you mean my-model?"),
    "dev file": ([*TRAIN, "--dev", "pairs.tsv"], "no file pairs.tsv"),
    "dev task": ([*TRAIN, "--dev", "STSX=1"], "unknown task 'STSX'"),
    "test task": ([*TRAIN, "--test", "STSX"], "unknown task 'STSX'"),
    "tracker": ([*TRAIN, "--report-to", "tensorbord"], "did you mean tensorboard"),
    "training data": ([*TRAIN, "--data", "nowhere"], "no data folder nowhere"),
    "task": ([*EVALUATE, "--tasks", "STSX"], "unknown task 'STSX'"),
    "data": ([*EVALUATE, "--data", "nowhere"], "no data folder nowhere"),
    "pooling": ([*EVALUATE, "--pooling", "max"], "unknown pooling 'max'"),
    "protocol": ([*EVALUATE, "--protocol", "tset"], "did you mean test"),
    "MTEB's results": ([*EVALUATE, "--tasks", "STSB", "--mteb-results", "new"], "give --tasks mteb:NAME"),
    "model path": (["evaluate", "./my-modle"], "no model folder ./my-modle; did you mean my-model?"),
    "model in a folder": (["evaluate", "used/rnu/model"], "no model folder used/rnu/model; did you mean used/run/model?"),
    "static corpus": (["static", "corpsu.txt", "--output", "new"], "no corpus file corpsu.txt"),
    "static small corpus": (["static", "corpus.txt", "--output", "new", "--quiet"], "2 sentences that differ"),
    "static output": (["static", "corpus.txt", "--output", "used"], "used exists; choose another --output"),
    "static rows": (["static", "corpus.txt", "--output", "new", "--rows", "both"], "no backbone to take them from"),
    "static setting": (["static", "corpus.txt", "--output", "new", "--set", "windw=3"], "did you mean window"),
    "static backbone": (["static", "corpus.txt", "--output", "new", "--backbone", "./my-modle"], "did you mean my-model?"),
    "static whitening": (["static", "corpus.txt", "--output", "new", "--whiten-on", "corpsu.txt"], "no corpus file corpsu.txt"),
    "model of a page": (["play", "./my-modle"], "did you mean my-model?"),
    "corpus of a page": (["play", "mini-bert", "corpsu.txt"], "no corpus file corpsu.txt"),
    "run folder": (["evaluate", "used/run"], "did you mean used/run/model?"),
    "step": ([*POSTPROCESS, "--with", "whitn"], "did you mean whiten"),
    "option of a step": ([*POSTPROCESS, "--with", "whiten:exponent=2"], "give a number from 0 to 1"),
    "steps out of order": ([*POSTPROCESS, "--with", "whiten", "--with", "sif"], "give sif first"),
    "no text for a step": (["postprocess", "mini-bert", "--with", "sif", "--output", "new"], "sif is fitted on text"),
    "no step for a text": (POSTPROCESS, "no step is given"),
    "text of a step": (["postprocess", "mini-bert", "no.txt", "--with", "sif", "--output", "new"], "no corpus file no.txt"),
    "output of a step": (["postprocess", "mini-bert", "--output", "used"], "used exists; choose another --output"),
    "weights of a hybrid": (["hybrid", "mini-bert", "mini-bert", "--weights", "1,2,3", "--output", "new"], "3 numbers for 2 models"),
    "pairs of a hybrid": (["hybrid", "mini-bert", "mini-bert", "--dev", "pairs.tsv", "--output", "new"], "no file pairs.tsv"),
    "model of a hybrid": (["hybrid", "mini-bert", "./my-modle", "--output", "new"], "did you mean my-model?"),
    "output of a hybrid": (["hybrid", "mini-bert", "mini-bert", "--output", "used"], "used exists; choose another --output"),
    "model of a step": (["postprocess", "./my-modle", "--output", "new"], "did you mean my-model?"),
}
SCRIPT = """
import json, sys
from augcse.cli.app import app
from augcse.errors import UserError
found = {}
for name, arguments in json.loads(sys.argv[1]).items():
    try:
        app(arguments, standalone_mode=False)
    except UserError as error:
        found[name] = [str(error), "torch" in sys.modules]
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def refusals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, bool]]:
    """One process that is asked for everything that is wrong: message, and whether torch was there when it came."""
    folder = tmp_path_factory.mktemp("work")
    (folder / "corpus.txt").write_text("One sentence.\nAnother one.\n", "utf-8")
    for model in ("my-model", "used/run/model"):
        (folder / model).mkdir(parents=True)
        (folder / model / "config.json").write_text("{}", "utf-8")
    commands = json.dumps({name: arguments for name, (arguments, _) in REFUSED.items()})
    done = subprocess.run([sys.executable, "-c", SCRIPT, commands], capture_output=True, text=True, cwd=folder, timeout=120, check=True)
    assert sorted(entry.name for entry in folder.iterdir()) == ["corpus.txt", "my-model", "used"]
    assert done.stderr == ""
    found: dict[str, tuple[str, bool]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", list(REFUSED))
def test_it_is_refused_before_torch_is_imported(name: str, refusals: dict[str, tuple[str, bool]]) -> None:
    message, has_torch = refusals[name]
    assert REFUSED[name][1] in message
    assert not has_torch


@pytest.mark.parametrize("name", ["owner/name", "bert-base-uncased", "google-bert/bert-base-uncased"])
def test_a_hub_name_is_no_path(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    check_is_no_path(name)


@pytest.mark.parametrize("name", ["./x", "../x", "~/x", "/x/y", "a/b/c", "runs/x", "runs\\x", ""])
def test_what_looks_like_a_path_or_starts_in_this_folder_is_one(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    with pytest.raises(UserError, match="no model folder"):
        check_is_no_path(name)
