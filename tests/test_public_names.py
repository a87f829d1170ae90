"""What `import augcse` gives: the names of the documentation, typed for checkers, listed for people, and nothing imported before use."""

from __future__ import annotations

import pydoc
import re
import subprocess
import sys
from pathlib import Path

import pytest
from mypy import api

import augcse
from augcse.training.record import Run

SOURCE = Path(augcse.__file__).parent
NAMES = [
    "adapt",
    "augment",
    "augmentation",
    "evaluate",
    "hybrid",
    "plot",
    "postprocess",
    "probe",
    "score",
    "split",
    "static",
    "sweep",
    "train",
]
# As docs/python.md shows it.
TRAINING = 'augcse.train(pathlib.Path("r.toml"), corpus=["c"], output="o", dev=pathlib.Path("p"), settings={"training.max_steps": 20})'


@pytest.fixture(scope="module")
def revealed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What mypy reads in the package's own files, those of others left out: seconds in place of a minute."""
    script = tmp_path_factory.mktemp("mypy") / "script.py"
    lines = ["import augcse", *(f"reveal_type(augcse.{name})" for name in NAMES), "augcse.absent", "import pathlib", TRAINING]
    script.write_text("\n".join(lines) + "\n", "utf-8")
    homes = [
        "arguments.py",
        "options.py",
        "adaptation.py",
        "pipeline.py",
        "augmentations/run/apply.py",
        "augmentations/base.py",
        "analysis/probe/run.py",
        "analysis/scoring/run.py",
        "annotation/segment.py",
        "encoding/postprocess.py",
        "encoding/static/build.py",
        "evaluation/evaluate.py",
        "evaluation/hybrid.py",
        "report/plots/kinds.py",
        "training/record.py",
        "sweeping/sweep.py",
    ]
    files = [SOURCE / name for name in ("__init__.py", *homes)]
    options = ["--config-file=", "--follow-imports=skip", f"--cache-dir={script.parent}", "--no-error-summary"]
    return api.run([*options, *map(str, files), str(script)])[0]


@pytest.mark.parametrize(
    ("name", "start", "end"),
    [
        ("adapt", "def (corpus: ", "-> augcse.training.record.Run"),
        ("augment", "def (sentences: typing.Iterable[str | None], name: str, ", "-> list[str | None]"),
        ("augmentation", "def (name: str, ", ""),
        ("evaluate", "def (model: ", ""),
        ("hybrid", "def (models: ", "-> augcse.encoding.postprocess.Built"),
        ("postprocess", "def (model: ", "-> augcse.encoding.postprocess.Built"),
        ("probe", "def (models: ", "-> augcse.analysis.probe.run.Probe"),
        ("score", "def (corpus: ", "-> augcse.analysis.scoring.run.AugmentationScores"),
        ("split", "def (documents: typing.Iterable[str | None], ", "-> typing.Iterator[str]"),
        ("static", "def (corpus: ", "-> augcse.encoding.static.build.StaticModel"),
        ("sweep", "def (recipe: str | pathlib.Path, ", "-> augcse.sweeping.sweep.Sweep"),
        ("train", "def (recipe: ", "-> augcse.training.record.Run"),
    ],
)
def test_a_checker_sees_the_signature(name: str, start: str, end: str, revealed: str) -> None:
    [found] = re.findall(rf'script\.py:{NAMES.index(name) + 2}: note: Revealed type is "(.*)"', revealed.replace("builtins.", ""))
    assert found.startswith(start)
    assert found.endswith(end)


def test_a_checker_refuses_a_name_that_is_not_there(revealed: str) -> None:
    assert f'script.py:{len(NAMES) + 2}: error: Module has no attribute "absent"' in revealed


def test_a_checker_accepts_settings_by_their_full_keys(revealed: str) -> None:
    assert f"script.py:{len(NAMES) + 4}:" not in revealed


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_listed_and_explained(name: str) -> None:
    assert name in dir(augcse)
    assert callable(getattr(augcse, name))
    assert re.search(rf"^    {name}\(", pydoc.plaintext.document(augcse), re.MULTILINE)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'augcse' has no attribute 'absent'"):
        _ = augcse.absent  # type: ignore[attr-defined]


def test_importing_and_listing_imports_nothing() -> None:
    code = (
        "import sys, augcse\nassert 'train' in dir(augcse)\nfound = {'torch', 'numpy', 'pydantic', 'spacy'} & set(sys.modules)\n"
        "assert not found, found\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_run_is_shown_in_one_line() -> None:
    run = Run(Path("out"), Path("out/model"), {"curves": [{"loss": 1.0}] * 1000})
    assert repr(run) == f"Run(folder={Path('out')!r}, model={Path('out/model')!r})"
