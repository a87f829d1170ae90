"""The law of the stages: each imports only those to its left, text stages never import torch, files and functions stay small."""

from __future__ import annotations

import ast
import functools
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src" / "augcse"
STAGES = ["corpus", "annotation", "lexicon", "augmentations", "encoding", "objectives", "training", "evaluation", "analysis", "report"]
# Below every stage, whose modules they do not import. config may ask for the objectives' options and the augmentation sets, both
# torch-free.
BASE = {
    "errors",
    "registry",
    "rng",
    "files",
    "exchange",
    "locks",
    "resources",
    "hardware",
    "options",
    "foreign_code",
    "model_folder",
    "library_output",
    "config",
    "assignments",
    "__init__",
}
# Above every stage: they combine them.
TOP = {"pipeline", "adaptation", "demo", "cli", "__main__"}
TEXT_STAGES = ["corpus", "annotation", "lexicon", "augmentations"]
FILES = sorted(SOURCE.rglob("*.py"))


@functools.cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _imports(path: Path) -> set[str]:
    """Return the parts of augcse that a file imports, wherever in the file."""
    found: set[str] = set()
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "augcse":
            found.add(([*node.module.split("."), "__init__"])[1])
        elif isinstance(node, ast.Import):
            found |= {([*alias.name.split("."), "__init__"])[1] for alias in node.names if alias.name.split(".")[0] == "augcse"}
    return found


def _part(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_stage_imports_only_stages_to_its_left(path: Path) -> None:
    part = _part(path)
    # The package itself hands out names of later stages, lazily.
    if part in {*TOP, "__init__"}:
        return
    allowed = set(BASE)
    if part in STAGES:
        allowed |= set(STAGES[: STAGES.index(part) + 1])
    if part == "config":
        allowed |= {"objectives", "augmentations"}
    assert _imports(path) <= allowed


def test_every_part_is_a_stage_below_them_or_above_them() -> None:
    assert {_part(path) for path in FILES} == set(STAGES) | BASE | TOP


@pytest.mark.parametrize("stage", TEXT_STAGES)
def test_text_stages_never_import_torch(stage: str) -> None:
    for path in (SOURCE / stage).rglob("*.py"):
        tree = _tree(path)
        # At module level: a neural rule imports torch when it is called.
        names = {alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names}
        names |= {node.module or "" for node in tree.body if isinstance(node, ast.ImportFrom)}
        assert not any(name.split(".")[0] in ("torch", "transformers", "sentence_transformers") for name in names), path


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_files_and_functions_stay_small(path: Path) -> None:
    assert path.read_text("utf-8").count("\n") <= 400
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.FunctionDef):
            docstring = ast.get_docstring(node, clean=False) or ""
            assert (node.end_lineno or 0) - node.lineno + 1 - docstring.count("\n") <= 60, node.name


@pytest.mark.parametrize(
    "arguments", [["--help"], ["list", "augmentations"], ["list", "objectives"], ["list", "recipes"], ["list", "tasks"], ["list", "steps"]]
)
def test_quick_commands_never_import_torch(arguments: list[str]) -> None:
    heavy = {"torch", "transformers", "spacy", "sentence_transformers", "lemminflect", "numpy"}
    code = (
        "import sys\nfrom augcse.cli.app import app\n"
        f"try:\n    app({arguments!r})\nexcept SystemExit as stop:\n    assert not stop.code, stop.code\n"
        f"heavy = {heavy!r} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, timeout=60)
