"""`augcse.sweep`: train every cell of a grid of settings with every seed, and select the best cell by its dev score."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augcse.arguments import FileOrName, FilePath, FilesOrNames, ModelName, Notify, Settings, Specs, Workers
from augcse.corpus.files import Corpus
from augcse.corpus.lines import EncodingErrors
from augcse.errors import Interrupted
from augcse.evaluation.run_scores import RunEvaluation
from augcse.files import write_json, write_text
from augcse.locks import locked_folder
from augcse.options import checks_arguments
from augcse.report.table import Table
from augcse.sweeping.cost import MIN_STEPS_FOR_RATE, Cost, Rate, cost_of, known_rates, save_rate
from augcse.sweeping.differences import DIFFERENCES_NOTE, differences_table
from augcse.sweeping.folder import (
    LOGS,
    MARKDOWN,
    REPORT,
    RUNS,
    TABLE,
    check_run_folder,
    check_sweep_folder,
    remove_resume_data,
    write_sweep,
)
from augcse.sweeping.grid import Grid
from augcse.sweeping.progress import SweepProgress
from augcse.sweeping.references import suite_notes
from augcse.sweeping.request import Corpora, SweepRequest, count_sentences, read_corpora
from augcse.sweeping.results import Document, failed_runs, notes_below_table, results, table
from augcse.training.checkpoints import last_step
from augcse.training.run_folder import CHECKPOINTS, finished_record
from augcse.training.stopping import signals_interrupt

if TYPE_CHECKING:
    from augcse.sweeping.runs import RunResult, RunSpec

_log = logging.getLogger("augcse.sweeping")

_UNSCORED = "no --dev and no --data: nothing is scored while training, and no cell will be best (--dev pairs.tsv scores your own pairs)"


@dataclass(frozen=True)
class Sweep:
    """A finished sweep: its folder, and its results as saved in table.json."""

    folder: Path
    document: Document

    @property
    def best(self) -> str | None:
        """The name of the best cell by dev score; None if no cell has all its scores."""
        best: str | None = self.document["best"]
        return best

    @property
    def failed(self) -> dict[str, str]:
        """The reasons of the failed runs, by name."""
        return failed_runs(self.document)

    def table(self) -> Table:
        """Return the results as a table with a row per cell."""
        return table(self.document)


@checks_arguments
def sweep(
    recipe: FileOrName,
    *,
    corpus: Corpora,
    output: FilePath,
    grid: Grid | None = None,
    seeds: Sequence[int] | None = None,
    rows: Specs = (),
    published: bool = False,
    model: ModelName | None = None,
    data: FilePath | None = None,
    dev: FileOrName = "auto",
    test: FilesOrNames = "auto",
    settings: Settings | None = None,
    workers: Workers | None = None,
    column: str | None = None,
    encoding_errors: EncodingErrors = "strict",
    yes: bool = False,
    notify: Notify = _log.info,
    **overrides: Any,
) -> Sweep:
    """Train every cell of a grid with every seed, several runs at a time, and choose the best cell by its mean dev score.

    Every run is a folder of `augcse.train` under `output/runs`, trained in a process of its own. After an interruption the same call keeps
    finished runs, resumes the others from their checkpoints, and gives the same table. A run that fails does not stop the others; the table
    has its reason. As with `multiprocessing` in general, a script must call this under `if __name__ == "__main__":`.

    Args:
        recipe: a bundled recipe's or sweep's name, or a TOML file of either (docs/sweep.md).
        corpus: files as in `augcse.train`; for a sweep with several corpora {name: files}.
        output: the folder of the sweep.
        grid: several values by recipe key; every combination is a cell. One text is one value.
        seeds: the seeds of every cell; None: those of the sweep file, else `seeds` of the recipe, else its one seed.
        rows: the names of the rows of a sweep file to train; the table has only these. Empty: all.
        published: train the recipes of the paper's size, in a sweep that reproduces a paper's table.
        model: replaces the backbone of all recipes.
        data: the folder with evaluation data; None: the environment variable `AUGCSE_DATA`, if set.
        dev: as in `augcse.train`; "auto": as set in the sweep file or the recipe.
        test: as in `augcse.train`.
        settings: values by recipe key that replace those of every recipe, e.g. {"training.max_steps": 100}.
        workers: the number of parallel runs, each on one GPU or, without GPUs, one core; None: the number of GPUs or cores.
        column: the column with the text, where a corpus is a table.
        encoding_errors: "strict" or "replace".
        yes: allow more than a thousand runs.
        notify: receives progress messages; default: the logger "augcse.sweeping".
        **overrides: as `settings`, whose values they replace, e.g. `max_steps=100`.

    Raises:
        UserError: invalid input or settings, before any run starts.
        Interrupted: a signal was received; the runs have written their checkpoints.
    """
    request = SweepRequest.of(
        recipe,
        grid=grid,
        seeds=seeds,
        rows=rows,
        published=published,
        model=model,
        data=data,
        dev=dev,
        test=test,
        settings=settings,
        workers=workers,
        **overrides,
    )
    if not yes:
        request.check_size()
    folder = Path(output).expanduser()
    runner = _SweepRunner(request, read_corpora(request.plan, corpus, column, encoding_errors), folder, notify)
    runner.check()
    try:
        with locked_folder(folder), signals_interrupt():
            return runner.run()
    except Interrupted as stop:
        raise Interrupted(f"{stop}; {runner.describe_finished()}, the same command continues", stop.signal_number) from None


class _SweepRunner:
    """Checks and executes a sweep, and writes its results.

    Args:
        request: the cells and settings.
        corpora: the corpora by name.
        folder: the folder of the sweep.
        notify: receives progress messages.
    """

    def __init__(self, request: SweepRequest, corpora: Mapping[str, Corpus], folder: Path, notify: Notify) -> None:
        self.request = request
        self.corpora = corpora
        self.folder = folder
        self.notify = notify
        self.runs = {cell.run_name(seed): (cell, seed) for cell in request.cells for seed in cell.seeds}

    def check(self) -> None:
        """Check all settings, evaluation data and folders before any run starts; raises `UserError`."""
        check_sweep_folder(self.folder, self.request.plan)
        self.request.check_recipes()
        inputs: dict[RunEvaluation, Mapping[str, Any]] = {}
        messages: dict[str, None] = {}
        for cell in self.request.cells:
            evaluation = self.request.evaluation(cell)
            messages.update(dict.fromkeys(suite_notes(self.request.plan.compare_to, evaluation.tests)))
            if evaluation not in inputs:
                messages.update(dict.fromkeys(evaluation.check()))
                evaluation.load()
                inputs[evaluation] = evaluation.inputs()
            for seed in cell.seeds:
                folder = self.folder / RUNS / cell.run_name(seed)
                check_run_folder(folder, cell.recipe_of(seed), self.corpora[cell.corpus], inputs[evaluation])
        if self.request.dev == self.request.plan.dev == "auto" and all(evaluation.selects_nothing for evaluation in inputs):
            messages[_UNSCORED] = None
        for message in messages:
            self.notify(message)

    def run(self) -> Sweep:
        """Execute the runs that are not finished, and write the results."""
        from augcse.sweeping.runs import run_all

        write_sweep(self.folder, self.request.plan, list(self.runs))
        records = self._finished_records()
        for name in records:
            remove_resume_data(self.folder / RUNS / name)
        unfinished = [name for name in self.runs if name not in records]
        failures: dict[str, str] = {}
        workers, devices = workers_and_devices(self.request.workers, len(unfinished))
        cost = self._cost(unfinished, workers)
        progress = SweepProgress(len(self.runs), len(records), cost.steps or 0, self.notify)
        if unfinished:
            progress.begin(cost, workers)
        # Written before the first run too, so that a killed sweep has a table of its finished runs.
        self._write_table(records, failures)

        def finish(spec: RunSpec, result: RunResult) -> None:
            record = None if result.failure else finished_record(spec.folder)
            if record is None:
                failures[spec.name] = result.failure or "it left no record"
            else:
                records[spec.name] = record
                remove_resume_data(spec.folder)
                if result.steps == record["steps"] and result.steps >= MIN_STEPS_FOR_RATE:
                    save_rate(spec.recipe, Rate(result.training_s / result.steps, result.wall_s - result.training_s))
            progress.finish_run(spec.name, failures.get(spec.name, ""))
            self._write_table(records, failures)

        run_all([self._run_spec(name) for name in unfinished], workers, devices=devices, advance=progress.advance, finished=finish)
        document = self._write_table(records, failures)
        self._write_page(document, list(records))
        return Sweep(self.folder, document)

    def describe_finished(self) -> str:
        """Return how many runs are finished, for a message."""
        return f"{len(self._finished_records())} of {len(self.runs)} runs are finished"

    def _finished_records(self) -> dict[str, Any]:
        """Return the records of the finished runs, by name."""
        records = {name: finished_record(self.folder / RUNS / name) for name in self.runs}
        return {name: record for name, record in records.items() if record is not None}

    def _run_spec(self, name: str) -> RunSpec:
        """Return the arguments of a run by its name."""
        from augcse.sweeping.runs import RunSpec

        cell, seed = self.runs[name]
        evaluation = self.request.evaluation(cell)
        return RunSpec(
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
        """The number of sentences by cell, counted only as far as the runs of that text need."""
        return count_sentences(self.request.cells, self.corpora)

    def _cost(self, names: Sequence[str], workers: int) -> Cost:
        """Return the estimated cost of these runs."""
        seeds: dict[str, list[int]] = {}
        for name in names:
            cell, seed = self.runs[name]
            seeds.setdefault(cell.name, []).append(seed)
        cells = [replace(cell, seeds=tuple(seeds[cell.name])) for cell in self.request.cells if cell.name in seeds]
        steps_done = {name: last_step(self.folder / RUNS / name / CHECKPOINTS) for name in names}
        return cost_of(cells, self._sentences, known_rates(), workers, steps_done)

    def _write_table(self, records: Mapping[str, Any], failures: Mapping[str, str]) -> Document:
        """Write the results as JSON and Markdown, and return them."""
        plan = self.request.plan
        document = results(plan.name, self.request.cells, records, failures, plan.compare_to)
        compared = differences_table(document["differences"])
        differences = [DIFFERENCES_NOTE, compared.markdown()] if compared else []
        paragraphs = [table(document).markdown(), *notes_below_table(document), *differences]
        write_json(self.folder / TABLE, document)
        write_text(self.folder / MARKDOWN, "\n\n".join(paragraphs) + "\n")
        return document

    def _write_page(self, document: Document, names: Sequence[str]) -> None:
        from augcse.sweeping.page import sweep_page

        folders = [self.folder / RUNS / name for name in self.runs if name in names]
        write_text(self.folder / REPORT, sweep_page(self.request.plan.name, document, folders))


def workers_and_devices(workers: int | None, runs: int) -> tuple[int, list[str]]:
    """Return the number of parallel runs, and the GPUs that they are distributed over; without GPUs there is one run per core."""
    import torch

    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    count = torch.cuda.device_count()
    named = [device for device in visible.split(",") if device]
    devices = (named or [str(number) for number in range(count)])[:count]
    requested = workers or len(devices) or os.cpu_count() or 1
    return max(1, min(requested, runs)), devices
