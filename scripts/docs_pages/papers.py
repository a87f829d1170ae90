"""The page of the papers: every table and figure, the command that makes it, what was made here, what it needs.

From papers.toml, the bundled sweeps and the records of their runs (docs/results/NAME).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from augcse.report.table import Table
from augcse.sweeping.cost import PUBLISHED_SENTENCES, cost_of, duration
from augcse.sweeping.file import has_published, read_plan
from augcse.sweeping.plan import cells_of
from docs_pages.layout import NOTE, RESULTS

PAPERS = Path(__file__).with_name("papers.toml")
_TEXT = """# The papers' tables, by command

Every table and figure of the four papers that this package began with. A sweep is made by

```bash
augcse sweep NAME --corpus sentences.txt --data DATA --output DIR
```

on the bundled mini-bert, hours of a few cores, and with `--published` by the recipes of the paper's size. Its table has the published
figure beside ours; they are of different backbones unless `--published` was said. Times are of one core, by [a measured step](cost.md);
those of the paper's size are for a text of 1,000,000 sentences: they need GPUs. `augcse sweep --list` says them for your machine,
`augcse sweep NAME --list` the cells. [Sweeps](sweep.md).
"""


def papers() -> str:
    """Return the page."""
    papers = tomllib.loads(PAPERS.read_text("utf-8"))["paper"]
    return NOTE + "\n".join([_TEXT, *map(_paper, papers)])


def _paper(paper: Mapping[str, Any]) -> str:
    """Return the section of a paper: the table, then what each sweep's file says of itself."""
    header = ["", "what it shows", "command", "mini-bert", "--published", "made here", "needs beside"]
    rows = [_sweep_row(item) if "sweep" in item else _other_row(item) for item in paper["item"]]
    names = dict.fromkeys(item["sweep"] for item in paper["item"] if "sweep" in item)
    notes = "\n".join(f"- `{name}`: {rest}" for name in names if (rest := _question_and_rest(name)[1]))
    return f"## {paper['name']}\n\n{paper['cite']}.\n\n{Table(header, rows).markdown()}\n\n{notes}\n"


def _sweep_row(item: Mapping[str, Any]) -> list[str]:
    name = item["sweep"]
    cells = cells_of(read_plan(name, {}), {})
    cost = cost_of(cells, {}, {}, 1)
    made = "; ".join(filter(None, [_made(name), item.get("made")]))
    runs = f"{cost.runs} runs, {_time(cost.seconds)}"
    return [item["item"], _question_and_rest(name)[0], f"`augcse sweep {name}`", runs, _published(name), made, item.get("needs", "")]


def _other_row(item: Mapping[str, Any]) -> list[str]:
    command = f"`{item['command']}`" if "command" in item else "-"
    return [item["item"], item["shows"], command, "-", "-", item.get("made", ""), item.get("needs", "")]


def _published(name: str) -> str:
    """Return the runs and the time at the paper's size."""
    if not has_published(name):
        return "-"
    cells = cells_of(read_plan(name, {}, published=True), {})
    cost = cost_of(cells, {cell.name: PUBLISHED_SENTENCES for cell in cells}, {}, 1)
    return f"{cost.runs} runs, {_time(cost.seconds)}"


def _time(seconds: float | None) -> str:
    return "time not known" if seconds is None else duration(seconds)


def _made(name: str) -> str:
    """Return how many runs of a sweep have a record, with its page."""
    planned = {cell.run_name(seed) for cell in cells_of(read_plan(name, {}), {}) for seed in cell.seeds}
    recorded = {path.stem for path in (RESULTS / name).glob("*.json")} & planned
    return f"[{len(recorded)} of {len(planned)} runs](results/{name}.md)" if recorded else "no run of it yet"


def _question_and_rest(name: str) -> tuple[str, str]:
    """Return the first line of a sweep's file after the table's name, and the other lines as one."""
    first, *rest = read_plan(name, {}).header.split("\n")
    return first.partition(": ")[2], " ".join(rest)
