"""`augcse.sweep`: recipes, a grid of settings, seeds; every run in a process of its own, the best cell by dev."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from augcse.corpus.files import Corpus
from augcse.corpus.lines import EncodingErrors
from augcse.errors import Interrupted
from augcse.evaluation.data_folder import find_data
from augcse.evaluation.run_scores import RunEvaluation
from augcse.files import write_json, write_text
from augcse.locks import locked_folder
from augcse.pipeline import check_names
from augcse.report.table import Table
from augcse.sweeping.asked import Asked, Corpora, read_corpora
from augcse.sweeping.cost import LEAST_STEPS, Cost, Rate, cost_of, keep_rate, known_rates, needed_sentences
from augcse.sweeping.differences import ABOUT, differences_table
from augcse.sweeping.file import read_plan
from augcse.sweeping.folder import (
    LOGS,
    MARKDOWN,
    REPORT,
    RUNS,
    TABLE,
    check_run_folder,
    check_sweep_folder,
    finished,
    remove_what_was_for_resuming,
    write_sweep,
)
from augcse.sweeping.grid import Grid
from augcse.sweeping.plan import check_seeds
from augcse.sweeping.progress import SweepProgress
from augcse.sweeping.results import Document, best_in_words, closing_words, failed_runs, results, table
from augcse.training.stopping import signals_interrupt

Notify = Callable[[str], None]
_log = logging.getLogger("augcse.sweeping")

_UNSCORED = "no --dev and no --data: nothing is scored while training, and no cell will be best (--dev pairs.tsv scores your own pairs)"


@dataclass(frozen=True)
class Sweep:
    """A sweep that has been made: its folder, and the document that its table.json holds."""

    folder: Path
    document: Document

    @property
    def best(self) -> str | None:
        """The name of the best cell by dev; None where none is."""
        best: str | None = self.document["best"]
        return best

    @property
    def failed(self) -> dict[str, str]:
        """The failed runs and why."""
        return failed_runs(self.document)

    def table(self) -> Table:
        """One row per cell."""
        return table(self.document)


def sweep(
    recipe: str,
    *,
    corpus: Corpora,
    output: str | Path,
    grid: Grid | None = None,
    seeds: Sequence[int] | None = None,
    rows: Sequence[str] = (),
    published: bool = False,
    model: str | None = None,
    data: str | Path | None = None,
    dev: str = "auto",
    test: str | Sequence[str] = "auto",
    workers: int | None = None,
    column: str | None = None,
    encoding_errors: EncodingErrors = "strict",
    yes: bool = False,
    notify: Notify = _log.info,
    **overrides: Any,
) -> Sweep:
    """Train every cell of a grid with every seed, several runs at a time, and choose the best cell by its mean dev score.

    Every run is a folder of `augcse.train` under `output/runs`. What is finished is kept, and what is half done goes on where it stopped:
    the same call again, after whatever interrupted it, ends with the same table. A run that fails is a row with its reason; the others go
    on. A script that calls this must do so under `if __name__ == "__main__":`, as with all of Python's processes.

    Args:
        recipe: a bundled recipe's or sweep's name, or a TOML file of either (docs/sweep.md).
        corpus: files as in `augcse.train`; of a sweep with several texts {name: files}.
        output: the sweep's folder.
        grid: recipe keys and several values for each; every combination is a cell.
        seeds: of every cell; None: those of the sweep file, else `seeds` of the recipe, else its one seed.
        rows: of a sweep file, the names of the rows to make; none: all. The table holds these.
        published: of a sweep that stands for a paper's table, train the recipes of the paper's size.
        model: replaces the recipes' backbone.
        data: evaluation data folder; `AUGCSE_DATA` is taken when it is set and this is None.
        dev: as in `augcse.train`; "auto": what the sweep file or the recipe states.
        test: as in `augcse.train`.
        workers: runs at a time, each on one core, or on one GPU where there are some; None: as many as there are.
        column: the text's column, where a corpus is a table.
        encoding_errors: "strict" or "replace".
        yes: make more than a thousand runs without being asked.
        notify: receives lines of progress; left out, the log "augcse.sweeping" does.
        **overrides: recipe keys for all cells, e.g. `max_steps=100`.

    Raises:
        UserError: anything the user can fix, before any work.
        Interrupted: a signal; the runs have written their checkpoints.
    """
    asked = Asked(
        read_plan(recipe, grid or {}, rows, published),
        {**overrides, **({} if model is None else {"model.backbone": model})},
        () if seeds is None else check_seeds(seeds),
        find_data(data),
        dev,
        test if test == "auto" or not isinstance(test, str) else tuple(name.strip() for name in test.split(",")),
        workers,
    )
    if not yes:
        asked.check_size()
    folder = Path(output).expanduser()
    work = _Work(asked, read_corpora(asked.plan, corpus, column, encoding_errors), folder, notify)
    work.check()
    try:
        with locked_folder(folder), signals_interrupt():
            return work.do()
    except Interrupted as stop:
        raise Interrupted(f"{stop}; {work.kept_in_words()}, the same command goes on", stop.signal_number) from None


class _Work:
    """A sweep with its texts and its folder."""

    def __init__(self, asked: Asked, corpora: Mapping[str, Corpus], folder: Path, notify: Notify) -> None:
        self.asked, self.corpora, self.folder, self.notify = asked, corpora, folder, notify
        self.runs = {cell.run_name(seed): (cell, seed) for cell in asked.cells for seed in cell.seeds}

    def check(self) -> None:
        """Refuse what can be refused before any work; raises `UserError`."""
        check_sweep_folder(self.folder, self.asked.plan)
        scored: dict[RunEvaluation, Mapping[str, Any]] = {}
        said: dict[str, None] = {}
        for cell in self.asked.cells:
            check_names(cell.recipe)
            evaluation = self.asked.evaluation(cell)
            if evaluation not in scored:
                said.update(dict.fromkeys(evaluation.check()))
                evaluation.load()
                scored[evaluation] = evaluation.inputs()
            for seed in cell.seeds:
                folder = self.folder / RUNS / cell.run_name(seed)
                check_run_folder(folder, cell.recipe_of(seed), self.corpora[cell.corpus], scored[evaluation])
        if self.asked.dev == self.asked.plan.dev == "auto" and all(evaluation.selects_nothing for evaluation in scored):
            said[_UNSCORED] = None
        for message in said:
            self.notify(message)

    def do(self) -> Sweep:
        """Make the runs that are not finished, and the table."""
        from augcse.sweeping.runs import Ended, Order, run_orders

        write_sweep(self.folder, self.asked.plan, list(self.runs))
        records = {name: record for name in self.runs if (record := finished(self.folder / RUNS / name)) is not None}
        for name in records:
            remove_what_was_for_resuming(self.folder / RUNS / name)
        left = [name for name in self.runs if name not in records]
        failures: dict[str, str] = {}
        workers, devices = workers_and_devices(self.asked.workers, len(left))
        cost = self._cost(left, workers)
        progress = SweepProgress(len(self.runs), len(records), cost.steps or 0, self.notify)
        if left:
            progress.begin(cost, workers)
        # Written now too, so that a sweep that is killed says what there is.
        self._write(records, failures)

        def done(order: Order, ended: Ended) -> None:
            record = None if ended.failure else finished(order.folder)
            if record is None:
                failures[order.name] = ended.failure or "it left no record"
            else:
                records[order.name] = record
                remove_what_was_for_resuming(order.folder)
                if ended.steps == record["steps"] and ended.steps >= LEAST_STEPS:
                    keep_rate(order.recipe, Rate(ended.training_s / ended.steps, ended.wall_s - ended.training_s))
            progress.run_done(order.name, failures.get(order.name, ""))
            self._write(records, failures)

        run_orders([self._order(name) for name in left], workers, devices=devices, advance=progress.steps_done, finished=done)
        document = self._write(records, failures)
        self._write_page(document, list(records))
        self.notify(best_in_words(document))
        return Sweep(self.folder, document)

    def kept_in_words(self) -> str:
        """Say how many runs are finished."""
        count = sum(finished(self.folder / RUNS / name) is not None for name in self.runs)
        return f"{count} of {len(self.runs)} runs are finished"

    def _order(self, name: str) -> Any:
        from augcse.sweeping.runs import Order

        cell, seed = self.runs[name]
        evaluation = self.asked.evaluation(cell)
        return Order(
            name,
            cell.recipe_of(seed),
            self.corpora[cell.corpus],
            self.folder / RUNS / name,
            self.folder / LOGS / f"{name}.log",
            evaluation.data,
            evaluation.dev,
            evaluation.tests,
        )

    @cached_property
    def _sentences(self) -> dict[str, int]:
        """How many sentences each text has, counted no further than the runs on it need."""
        found = {}
        for name, corpus in self.corpora.items():
            needed = [needed_sentences(cell.recipe.training) for cell in self.asked.cells if cell.corpus == name]
            most = None if None in needed else max(filter(None, needed), default=0)
            found[name] = sum(1 for _ in islice(corpus.sentences(), most))
        return found

    def _cost(self, names: Sequence[str], workers: int) -> Cost:
        cells: dict[str, list[int]] = {}
        for name in names:
            cell, seed = self.runs[name]
            cells.setdefault(cell.name, []).append(seed)
        left = [replace(cell, seeds=tuple(cells[cell.name])) for cell in self.asked.cells if cell.name in cells]
        return cost_of(left, self._sentences, known_rates(), workers)

    def _write(self, records: Mapping[str, Any], failures: Mapping[str, str]) -> Document:
        plan = self.asked.plan
        document = results(plan.name, self.asked.cells, records, failures, plan.compare_to)
        compared = differences_table(document["differences"])
        parts = [table(document).markdown(), *closing_words(document), *([ABOUT, compared.markdown()] if compared else [])]
        write_json(self.folder / TABLE, document)
        write_text(self.folder / MARKDOWN, "\n\n".join(parts) + "\n")
        return document

    def _write_page(self, document: Document, names: Sequence[str]) -> None:
        from augcse.sweeping.page import sweep_page

        order = [name for name in self.runs if name in names]
        page = sweep_page(self.asked.plan.name, document, [self.folder / RUNS / name for name in order])
        write_text(self.folder / REPORT, page)


def workers_and_devices(workers: int | None, runs: int) -> tuple[int, list[str]]:
    """Return how many runs are made at a time, and the GPUs that they are shared out over; none: the processor's cores."""
    import torch

    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    count = torch.cuda.device_count()
    named = [device for device in visible.split(",") if device]
    devices = (named or [str(number) for number in range(count)])[:count]
    wanted = workers or len(devices) or os.cpu_count() or 1
    return max(1, min(wanted, runs)), devices
