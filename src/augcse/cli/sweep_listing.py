"""`augcse sweep --list`: the bundled sweeps, or the cells of one, with their cost."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from augcse.cli.console import print_json, print_line, print_table
from augcse.errors import UserError

if TYPE_CHECKING:
    from augcse.sweeping.cost import Cost
    from augcse.sweeping.plan import Cell, SweepPlan
    from augcse.sweeping.request import Corpora


def list_cells(recipe: str, corpus: Corpora | None, reading: Mapping[str, Any], given: Mapping[str, Any], as_json: bool) -> None:
    """List the cells of a sweep or recipe; their steps are those for the corpus, if it is given.

    Args:
        recipe: the name of either, or a TOML file.
        corpus: as `augcse.sweep` takes it.
        reading: its column and encoding errors.
        given: the other arguments of `SweepRequest.of`.
        as_json: whether to print JSON.
    """
    from augcse.sweeping.request import SweepRequest, count_sentences, read_corpora

    request = SweepRequest.of(recipe, **given)
    request.check_recipes()
    for cell in request.cells:
        request.evaluation(cell).check()
    if corpus is not None:
        sentences = count_sentences(request.cells, read_corpora(request.plan, corpus, **reading))
    else:
        sentences = _published_sizes(request.cells) if given["published"] else {}
    at_a_time = request.workers or os.cpu_count() or 1
    cost = _cost(request.cells, sentences, at_a_time)
    if as_json:
        print_json([_sweep_card(request.plan, request.cells, cost, at_a_time)])
        return
    _print_cells(request.cells)
    print_line(f"{len(request.cells)} cells, {cost} on {at_a_time} processes")


def _print_cells(cells: Sequence[Cell]) -> None:
    header = ["cell", "recipe", "text", "seeds", "published"]
    print_table(
        header, [[cell.name, cell.recipe.name, cell.corpus, ", ".join(map(str, cell.seeds)), _published_figures(cell)] for cell in cells]
    )
    for line in dict.fromkeys(cell.published.of for cell in cells if cell.published):
        print_line(f"published: {line}")


def list_all(corpus: Sequence[str], workers: int | None, as_json: bool) -> None:
    """List the bundled sweeps with their cost on the bundled backbone and, for a paper's table, at the paper's size."""
    from augcse.sweeping.file import has_published, read_plan, sweep_names
    from augcse.sweeping.plan import cells_of

    if corpus:
        raise UserError("--list lists all sweeps, whatever --corpus is; name the sweep that it is for, or leave it out")
    at_a_time = workers or os.cpu_count() or 1
    cards, lines = [], []
    for name in sweep_names():
        plan = read_plan(name, {})
        cells = cells_of(plan, {})
        cost = _cost(cells, {}, at_a_time)
        published = cells_of(read_plan(name, {}, published=True), {}) if has_published(name) else []
        full = _cost(published, _published_sizes(published), at_a_time) if published else None
        full_size = {"published_steps": full.steps if full else None, "published_seconds": full.seconds if full else None}
        cards.append({**_sweep_card(plan, cells, cost, at_a_time), **full_size})
        times = [cost.time, full.time if full else "-"]
        lines.append([name, f"{len(cells)}", f"{cost.runs:,}", *times, plan.header.split("\n")[0]])
    if as_json:
        print_json(cards)
        return
    print_table(["sweep", "cells", "runs", "time", "--published", "what it is for"], lines)
    rates = "by what runs took on this machine, or by a measured step of such a model"
    print_line(f"times on {at_a_time} processes, {rates}; --published: the paper's size, on 1,000,000 sentences")


def _cost(cells: Sequence[Cell], sentences: Mapping[str, int], workers: int) -> Cost:
    from augcse.sweeping.cost import cost_of, known_rates

    return cost_of(cells, sentences, known_rates(), workers)


def _published_sizes(cells: Sequence[Cell]) -> dict[str, int]:
    """Return the number of sentences that the papers train on, for every cell."""
    from augcse.sweeping.cost import PUBLISHED_SENTENCES

    return {cell.name: PUBLISHED_SENTENCES for cell in cells}


def _published_figures(cell: Cell) -> str:
    return ", ".join(f"{column} {value:g}" for column, value in cell.published.figures.items()) if cell.published else ""


def _sweep_card(plan: SweepPlan, cells: Sequence[Cell], cost: Cost, workers: int) -> dict[str, Any]:
    return {
        "name": plan.name,
        "description": plan.header,
        "texts": list(plan.corpora),
        "cells": [_cell_card(cell) for cell in cells],
        "runs": cost.runs,
        "steps": cost.steps,
        "seconds": cost.seconds,
        "processes": workers,
    }


def _cell_card(cell: Cell) -> dict[str, Any]:
    stated = {"published": dict(cell.published.figures)} if cell.published else {}
    return {"name": cell.name, "recipe": cell.recipe.name, "text": cell.corpus, "seeds": list(cell.seeds), **stated}
