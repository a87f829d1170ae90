"""The laws of the folders: a stage imports only those to its left, a rule's folder holds what it alone uses; files stay small."""

from __future__ import annotations

import ast
import functools
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src" / "augcse"
STAGES = ["corpus", "lexicon", "annotation", "augmentations", "encoding", "objectives", "training", "evaluation", "analysis", "report"]
# Below every stage, whose modules they do not import. config and sections may ask for the objectives' options and the augmentation sets,
# both torch-free.
BASE = {
    "errors",
    "registry",
    "rng",
    "clock",
    "files",
    "exchange",
    "locks",
    "resources",
    "hardware",
    "allowed_values",
    "plain_values",
    "arguments",
    "options",
    "own_files",
    "foreign_code",
    "model_folder",
    "library_output",
    "config",
    "sections",
    "recipe_toml",
    "disk_cache",
    "assignments",
    "__init__",
}
# Above every stage: they combine them.
TOP = {"pipeline", "adaptation", "sweeping", "playing", "demo", "cli", "__main__"}
TEXT_STAGES = ["corpus", "lexicon", "annotation", "augmentations"]
FILES = sorted(SOURCE.rglob("*.py"))
AUGMENTATIONS = SOURCE / "augmentations"
# What several rules use, and the rooms and files that each of them may import.
SHARED = {"text": {"text"}, "english": {"text", "english", "refusals"}, "chinese": {"text", "chinese"}}
SHARED_FILES = sorted(path for room in SHARED for path in (AUGMENTATIONS / room).glob("*.py") if path.name != "__init__.py")
RULE_FILES = sorted(path for path in (AUGMENTATIONS / "rules").rglob("*.py") if path.name != "__init__.py")
WORD_LISTS = sorted(path for path in AUGMENTATIONS.rglob("*") if path.suffix in (".tsv", ".txt", ".json"))


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


@functools.cache
def _importers() -> dict[Path, set[Path]]:
    """Return, for each file of augcse, the files that import it or a name of it."""
    files = {".".join(("augcse", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__"): path for path in FILES}
    found: dict[Path, set[Path]] = {path: set() for path in FILES}
    for path in FILES:
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    name = f"{node.module}.{alias.name}"
                    found.get(files.get(name, files.get(node.module, path)), set()).add(path)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    found.get(files.get(alias.name, path), set()).add(path)
    return {path: importers - {path} for path, importers in found.items()}


def _room(path: Path) -> tuple[str, ...]:
    """Return the room of a file under augmentations/, of a rule's its family and its own: ("rules", "syntax", "summarization")."""
    parts = path.relative_to(AUGMENTATIONS).with_suffix("").parts
    return parts[:3] if parts[0] == "rules" else parts[:1]


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
    if part in ("config", "sections"):
        allowed |= {"objectives", "augmentations"}
    assert _imports(path) <= allowed


@pytest.mark.parametrize("path", sorted((SOURCE / "training" / "store").glob("*.py")), ids=lambda path: path.name)
def test_the_store_knows_nothing_of_the_training_that_reads_it(path: Path) -> None:
    training = SOURCE / "training"
    imported = {other for other, importers in _importers().items() if path in importers and other.is_relative_to(training)}
    assert {other for other in imported if other.parent != training / "store"} <= {training / "manifest.py"}


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


@pytest.mark.parametrize("path", RULE_FILES, ids=lambda path: str(path.relative_to(AUGMENTATIONS)))
def test_what_one_rule_uses_lies_in_its_folder(path: Path) -> None:
    importers = _importers()[path]
    assert {_room(importer) if importer.is_relative_to(AUGMENTATIONS) else importer for importer in importers} <= {_room(path)}
    # What registers is found by the registry; all else serves the rule that it stands beside.
    registers = len(path.relative_to(AUGMENTATIONS).parts) == 3 or path.stem == "rule"
    assert registers or importers


@pytest.mark.parametrize("path", SHARED_FILES, ids=lambda path: str(path.relative_to(AUGMENTATIONS)))
def test_what_several_share_serves_two_rules_or_its_own_room(path: Path) -> None:
    users = {_room(importer) for importer in _importers()[path] if importer.is_relative_to(AUGMENTATIONS)}
    assert _room(path) in users or len(users) > 1


@pytest.mark.parametrize("path", SHARED_FILES, ids=lambda path: str(path.relative_to(AUGMENTATIONS)))
def test_grammar_knows_no_rule_and_text_no_grammar(path: Path) -> None:
    imported = [other for other, importers in _importers().items() if path in importers and other.is_relative_to(AUGMENTATIONS)]
    assert {_room(other)[0] for other in imported} <= SHARED[_room(path)[0]]


@pytest.mark.parametrize("path", WORD_LISTS, ids=lambda path: str(path.relative_to(AUGMENTATIONS)))
def test_a_word_list_stands_beside_the_code_that_reads_it(path: Path) -> None:
    assert any(
        f'"{path.name}"' in code or f'"{path.stem}"' in code for code in (file.read_text("utf-8") for file in path.parent.glob("*.py"))
    )


def test_no_two_test_files_have_one_name() -> None:
    """Pytest imports them by their names alone here, and refuses the second only where both are collected."""
    files = list(Path(__file__).parent.rglob("test_*.py"))
    assert len({file.name for file in files}) == len(files)
