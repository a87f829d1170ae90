"""A mkdocs hook: the order of pages, the reference of the package, and links that leave docs/."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
INDEX = DOCS / "index.md"
# Pages that lie beside docs/, and what they are called on the site.
_BESIDE = {"CHANGELOG.md": "changes.md", "CONTRIBUTING.md": "contributing.md"}
# Section of the reference: its page, and what stands on it.
_REFERENCE = {
    "The package": ("reference/package.md", "augcse"),
    "Losses": ("reference/losses.md", "augcse.objectives"),
}
_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s#:]+)(?:#[^)\s]*)?\)")
# In the tables of samples a token, which mkdocstrings takes for a reference.
_TOKEN = re.compile(r"\[([A-Z]+)\](?![(\[`])")


def on_config(config: Any) -> Any:
    """Take the navigation from the sections and links of docs/index.md."""
    navigation: list[Any] = ["index.md"]
    for section in re.split(r"^## ", INDEX.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        title, _, text = section.partition("\n")
        links = re.findall(r"\[([^\]]+)\]\(([^)\s#]+\.md)\)", text)
        navigation.append({title: [{_title(name): _BESIDE.get(link.removeprefix("../"), link)} for name, link in links]})
    navigation.append({"Reference": [{title: page} for title, (page, _) in _REFERENCE.items()]})
    config.nav = navigation
    return config


def _title(name: str) -> str:
    """Return a link's text as a title: it may stand within a sentence, and hold code."""
    return name[0].upper() + name[1:].replace("`", "")


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that lie under docs/ nowhere: those beside it and the reference."""
    for name, page in _BESIDE.items():
        files.append(File.generated(config, page, content=(ROOT / name).read_text("utf-8").replace("](docs/", "](")))
    for title, (page, module) in _REFERENCE.items():
        files.append(File.generated(config, page, content=_reference(title, module)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead links to the pages beside docs/ to theirs; show as text what the site does not hold: folders, and the rest out of docs/."""
    here = DOCS / page.file.src_uri

    def replaced(match: re.Match[str]) -> str:
        target = (here.parent / match[2]).resolve()
        if target.parent == ROOT and target.name in _BESIDE:
            return f"[{match[1]}]({'../' * page.file.src_uri.count('/')}{_BESIDE[target.name]})"
        return match[1] if target.is_dir() or DOCS not in target.parents else match[0]

    linked = _LINK.sub(replaced, markdown)
    return _TOKEN.sub(r"&#91;\1&#93;", linked) if page.file.src_uri.startswith("samples/") else linked


def _reference(title: str, module: str) -> str:
    import importlib

    names = [name for name in importlib.import_module(module).__all__ if not name.startswith("__")]
    return f"# {title}\n\n`import {module}`\n\n" + "\n\n".join(f"::: {module}.{name}" for name in names) + "\n"
