"""What is installed: every import is declared, every bundled file's licence is named, nothing is loaded that could run code."""

from __future__ import annotations

import ast
import lzma
import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from packaging.licenses import canonicalize_license_expression
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "augcse"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
NOTICE = (ROOT / "NOTICE").read_text("utf-8")
# Code is under the project's own licence; recipes are named as a folder.
CODE = {".py", ".toml", ".typed"}
DATA_FILES = sorted(
    path.relative_to(ROOT) for path in SOURCE.rglob("*") if path.is_file() and path.suffix not in CODE and "__pycache__" not in path.parts
)


@cache
def _imported() -> set[str]:
    """Return the third-party modules that any file of the package imports, wherever in the file."""
    found: set[str] = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.split(".")[0])
    return found - {"augcse"} - sys.stdlib_module_names


@cache
def _installed() -> dict[str, list[str]]:
    """Return the distributions of each importable module; that reads every installed file list, so once."""
    return dict(metadata.packages_distributions())


def _distributions(module: str) -> set[str]:
    return {canonicalize_name(name) for name in _installed().get(module, [module])}


def _names(requirements: list[str]) -> set[str]:
    return {canonicalize_name(Requirement(requirement).name) for requirement in requirements}


@pytest.mark.parametrize("module", sorted(_imported()))
def test_an_imported_package_is_declared(module: str) -> None:
    extras = PROJECT["optional-dependencies"]
    declared = _names(PROJECT["dependencies"]).union(*(_names(extras[extra]) for extra in extras if extra != "dev"))
    assert _distributions(module) & declared, f"{module} is imported and neither a dependency nor in an extra"


@pytest.mark.parametrize("name", sorted(_names(PROJECT["dependencies"])))
def test_a_dependency_is_imported(name: str) -> None:
    assert name in set[str]().union(*map(_distributions, _imported()))


@pytest.mark.parametrize("path", DATA_FILES, ids=str)
def test_notice_names_a_data_file_or_its_folder(path: Path) -> None:
    named = set(NOTICE.split())
    texts = set(PROJECT["license-files"])
    assert str(path) in named | texts or any(str(folder) in named for folder in path.parents if folder != Path("src/augcse"))


@pytest.mark.parametrize("name", sorted(set(re.findall(r"^src/augcse\S+", NOTICE, re.MULTILINE))))
def test_what_notice_names_is_there(name: str) -> None:
    assert (ROOT / name).exists()


def test_licence_is_an_expression_of_all_that_notice_names() -> None:
    licences = PROJECT["license"].split(" AND ")
    assert canonicalize_license_expression(PROJECT["license"]) == PROJECT["license"]
    assert set(licences) == set(re.findall(r"^ +Licence: ([\w.-]+\w)", NOTICE, re.MULTILINE))


@pytest.mark.parametrize("path", PROJECT["license-files"])
def test_a_licence_text_is_shipped(path: str) -> None:
    assert (ROOT / path).stat().st_size > 500


def test_pronunciations_come_with_their_licence() -> None:
    text = (SOURCE / "resources" / "CMUdict.txt").read_text("utf-8")
    with lzma.open(SOURCE / "resources" / "pronunciations.tsv.xz", "rt", encoding="utf-8") as file:
        head = file.read(5000)
    assert text in head.replace("# ", "").replace("#\n", "\n")


def test_rules_unpickle_nothing() -> None:
    """Parse, and apply every rule that runs without a model, where unpickling is an error."""
    code = """
import _pickle, pickle

class Refused(pickle.Unpickler):
    def load(self):
        raise AssertionError("something is unpickled")

def refused(*arguments, **options):
    raise AssertionError("something is unpickled")

for module in (pickle, _pickle):
    module.load = module.loads = refused
    module.Unpickler = Refused
from augcse import augment
from augcse.augmentations.base import AUGMENTATIONS

sentences = ["She didn't buy 3 old cars in Paris, however, because the blorfier man was sleeping.", "The big dog chased a red cat."]
changed = 0
for card in AUGMENTATIONS:
    if not set(card.needs) - {"parse"}:
        changed += sum(text is not None for text in augment(sentences, card.name, seed=1))
assert changed > 30, changed
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
