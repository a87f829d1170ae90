"""Generated pages are fresh; the README keeps its promises."""

from __future__ import annotations

import functools
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from augcse.cli.app import app
from augcse.objectives.base import OBJECTIVES
from generate_docs import PAGES as GENERATED
from generate_docs import is_stale

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
PAGES = [README, ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("name", GENERATED)
def test_generated_page_is_fresh(name: str) -> None:
    assert not is_stale(name), "run: make docs"


@pytest.mark.parametrize("name", OBJECTIVES.names())
def test_every_objective_has_a_recipe_a_test_and_a_record(name: str) -> None:
    page = (ROOT / "docs" / "objectives.md").read_text("utf-8")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line.startswith("|")]
    assert [row[0] for row in rows].count(f"[{name}](#{name})") == 1, "run: make docs"
    [row] = [row for row in rows if row[0] == f"[{name}](#{name})"]
    assert "-mini" in row[3], f"no recipe trains it on the bundled backbone: add src/augcse/recipes/{name}-mini.toml"
    assert re.search(r"tests/objectives/test_\w+\.py", row[4]), "no file of tests/objectives names its class"
    after = [row for row in rows if row[1] == name and row[2] == "200"]
    not_run = re.search(r"^Not run yet, .*: (.*)\.$", page, re.MULTILINE)
    named = not_run.group(1).split(", ") if not_run else []
    assert bool(after) != (name in named), "no run of 200 steps, and not said: scripts/objective_runs.py"


GLOSSARY = ROOT / "docs" / "glossary.md"
TERMS = [term for term in re.findall(r"^\| ([^|]+?) \|", GLOSSARY.read_text("utf-8"), re.MULTILINE) if term not in ("term", "---")]


@functools.cache
def _all_prose() -> str:
    """Pages and source, but for the glossary, in one text of words."""
    files = [*(page for page in PAGES if page != GLOSSARY), *(ROOT / "src").rglob("*.py")]
    return " ".join(" ".join(file.read_text("utf-8") for file in files).replace("_", " ").split())


@pytest.mark.parametrize("term", TERMS)
def test_a_term_of_the_glossary_is_used(term: str) -> None:
    assert re.search(rf"\b{re.escape(term)}", _all_prose(), re.IGNORECASE)


def test_the_glossary_explains_a_term_once() -> None:
    assert len(TERMS) > 50
    assert len(set(TERMS)) == len(TERMS)


def test_readme_is_short() -> None:
    assert len(README.read_text("utf-8").splitlines()) <= 150


def _slug(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if "://" in link or (target.exists() and not anchor):
            continue
        headings = re.findall(r"^#+ (.+)$", target.read_text("utf-8"), re.MULTILINE) if target.exists() else []
        if anchor not in map(_slug, headings):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_lists_are_lists_on_the_site_too(page: Path) -> None:
    """GitHub begins a list after any line and nests by two blanks; the site's Markdown wants an empty line before, and four blanks."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    item = r"(?:[-*]|\d+\.) "
    assert re.findall(rf"^(?![-*] |\d+\. |\s|$).+\n{item}.*$", text, re.MULTILINE) == []
    assert re.findall(rf"^ {{1,3}}{item}.*$", text, re.MULTILINE) == []


def _linked_pages(page: Path) -> set[Path]:
    links = re.findall(r"\]\(([^)\s#]+\.md)(?:#[^)\s]*)?\)", page.read_text("utf-8"))
    return {(page.parent / link).resolve() for link in links if "://" not in link}


def test_every_page_is_reachable_from_the_index() -> None:
    index = ROOT / "docs" / "index.md"
    assert index in _linked_pages(README)
    found, new = {index}, {index}
    while new:
        new = {page for known in new for page in _linked_pages(known)} - found
        found |= new
    assert sorted(path.name for path in (ROOT / "docs").rglob("*.md") if path not in found) == []


@pytest.mark.parametrize("name", ["tutorial.md", "choosing.md", "cost.md", "faq.md", "splitting.md"])
def test_the_reader_s_pages_are_on_the_index_itself(name: str) -> None:
    assert ROOT / "docs" / name in _linked_pages(ROOT / "docs" / "index.md")


def _commands(page: Path) -> list[list[str]]:
    """The command lines in a page's blocks and spans of code, without comments; a line that ends with a backslash goes on."""
    text = re.sub(r"\\\n\s*", " ", page.read_text("utf-8"))
    blocks = re.findall(r"^(?:\$ )?(augcse [a-z].*)$", "\n".join(re.findall(r"```(?:bash|text)\n(.*?)```", text, re.DOTALL)), re.MULTILINE)
    spans = re.findall(r"`(augcse [a-z][^`|]*)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    return [shlex.split(line.replace("...", ""), comments=True)[1:] for line in [*blocks, *spans]]


# The reference is made from the commands themselves, and quotes a default that reads like one.
@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "command-line.md"], ids=lambda page: page.name)
def test_commands_and_options_exist(page: Path) -> None:
    unknown = []
    for words in _commands(page):
        command: Any = typer.main.get_command(app)
        while words and words[0] in getattr(command, "commands", {}):
            command, words = command.commands[words[0]], words[1:]
        options = {option for parameter in command.params for option in [*parameter.opts, *parameter.secondary_opts]} | {"--help"}
        unknown += [word for word in words if word.startswith("--") and word.partition("=")[0] not in options]
        unknown += words[:1] if hasattr(command, "commands") else []
    assert unknown == []


def test_pages_show_commands() -> None:
    assert {page.name for page in PAGES if _commands(page)} >= {"README.md", "evaluating.md", "labelled.md", "your-own.md"}


def test_the_design_page_gives_the_recorded_figures_of_the_batches() -> None:
    record = json.loads((ROOT / "docs" / "results" / "batch_lengths.json").read_text("utf-8"))
    page = " ".join((ROOT / "docs" / "design.md").read_text("utf-8").split())
    equal, random = record["equal-length"], record["random"]
    assert f"{equal['negatives_of_equal_length']} of the 63 negatives have the anchor's length" in page
    assert f"in random ones {random['negatives_of_equal_length']} " in page
    assert f"its weight is {random['positions_per_token']} times as large per real token" in page
    assert f"its first {record['corpus']['sentences']:,} sentences" in page


def test_the_postprocessing_page_says_what_its_record_says() -> None:
    record = json.loads((ROOT / "docs" / "results" / "postprocess" / "mixed_text.json").read_text("utf-8"))
    scores, by_size = record["scores"], record["by_size"][""]
    assert max(scores, key=scores.__getitem__) == "sif:a=0.0001"
    assert all(2 <= scores[step] - scores[""] < 3 for step in ("whiten", "flow"))
    assert all(scores[f"sif:a=0.001 + {step}"] <= scores["sif:a=0.001"] for step in ("whiten", "whiten:exponent=0.75", "flow"))
    assert all(scores[f"{prefix}remove-components:k=1"] < scores[other] for prefix, other in (("", ""), ("sif:a=0.001 + ", "sif:a=0.001")))
    assert all(by_size["oas"][size] >= by_size["none"][size] for size in by_size["none"])
    assert record["text"]["files"][0]["sha256"] == json.loads((ROOT / "docs" / "results" / "mixed_text.json").read_text("utf-8"))["sha256"]


def test_the_adapt_page_states_the_grid_of_each_record() -> None:
    page = " ".join((ROOT / "docs" / "adapt.md").read_text("utf-8").split())
    assert "all-MiniLM-L6-v2, and no others, have the weights 0, 0.25, 0.5, 0.75 and 1 in place of 0, 0.1, ..., 1" in page
    for path in (ROOT / "docs" / "results" / "adapt").glob("*.json"):
        steps = 4 if path.name.startswith("all-MiniLM-L6-v2") else 10
        weights = json.loads(path.read_text("utf-8"))["recipe"]["interpolation"]["weights"]
        assert weights == [step / steps for step in range(steps + 1)], path.name
