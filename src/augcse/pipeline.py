"""The flow, top to bottom: recipe and corpus in; model, scores and record out. Read this first."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augcse.clock import CpuClock
from augcse.config import Recipe, load_recipe
from augcse.corpus.files import Corpus
from augcse.corpus.lines import EncodingErrors
from augcse.errors import UserError
from augcse.evaluation.baselines import baselines_of_run
from augcse.evaluation.data_folder import find_data
from augcse.evaluation.encoded_once import EncodedOnce
from augcse.evaluation.gain import gain_over_start
from augcse.evaluation.run_scores import RunEvaluation, final_scores, kept_resamples
from augcse.evaluation.selection import score_of
from augcse.files import write_json, write_text
from augcse.model_folder import local_model_folder
from augcse.training.inputs import Inputs, describe_inputs
from augcse.training.outcome import Outcome, outcome_of, warnings_of, with_interpolation, with_test_scores
from augcse.training.record import Run, described_run, effort
from augcse.training.reporting import reporting_to
from augcse.training.run_folder import MODEL, RECORD, check_inputs, check_output, check_run, finished_record, locked_run_folder
from augcse.training.watcher import Watcher

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from transformers import TrainerCallback

    from augcse.evaluation.samples import Measured
    from augcse.evaluation.selection import Measure, Score
    from augcse.training.run import Trained

_UNSCORED = "no --data: nothing is scored while training, and the last model is kept (--dev pairs.tsv scores your own pairs)"


def train(
    recipe: str | Recipe,
    *,
    corpus: str | Path | Sequence[str | Path],
    output: str | Path,
    model: str | None = None,
    data: str | Path | None = None,
    dev: str = "auto",
    test: str | Sequence[str] = "auto",
    resume: bool = False,
    workers: int | None = None,
    encoding_errors: EncodingErrors = "strict",
    column: str | None = None,
    callbacks: Sequence[TrainerCallback | type[TrainerCallback]] = (),
    report_to: str | Sequence[str] = "none",
    watcher: Watcher | None = None,
    **overrides: Any,
) -> Run:
    """Train a recipe on text and write model, record and resolved recipe to `output`.

    Args:
        recipe: a bundled recipe's name, a TOML file, or a `Recipe`.
        corpus: one or more text files, one sentence per line (.gz and .xz too).
        output: the run's folder; `output/model` is an ordinary sentence-transformers model.
        model: replaces the recipe's backbone: `mini-bert`, a folder, or a hub name.
        data: evaluation data folder; `AUGCSE_DATA` is taken when it is set and this is None.
        dev: what to evaluate on while training: "auto" (where there is a data folder what the recipe states, which is STS-B dev
            unless it says otherwise; else nothing, or what it states for that), "stsb", "none", "probe" (docs/adapt.md), a file of
            graded pairs or labels (docs/own-data.md), or tasks, suites and files with weights, e.g. "STSB-dev=1,transfer=0.5": the
            weighted sum selects the model, a suite counting as the mean of its tasks, transfer tasks by their development rows.
        test: what the finished model is scored on: "auto" (what the recipe states, which is "sts" unless it says otherwise), tasks or
            suites as in `augcse list tasks`, which need a data folder, and files of graded pairs or labels; () or "none": nothing.
        resume: go on from the last checkpoint in `output`, with what the run began with; a finished run is left as it is.
        workers: processes for augmentation; None takes all cores. Results do not depend on it.
        encoding_errors: what to do with bytes that are not UTF-8: "strict" or "replace".
        column: the text's column, where the corpus is a table (.csv, .tsv, .jsonl, .parquet).
        callbacks: of transformers' `TrainerCallback`, called while training; what they draw or encode changes nothing (docs/python.md).
        report_to: trackers that the curves go to while training: "tensorboard", "trackio", "wandb", or several.
        watcher: receives progress and warnings; None writes them to the log "augcse" (`logging`).
        **overrides: recipe keys, e.g. `batch_size=32`, or `**{"objective.alpha": 1.0}`.

    Raises:
        UserError: anything the user can fix, before the first step as far as it can be known then.
        Interrupted: a `KeyboardInterrupt`; SIGINT or SIGTERM came, and a checkpoint of the current step is written.
    """
    started = time.time()
    resolved = _resolved(recipe, model, overrides)
    folder = Path(output).expanduser()
    data_folder = find_data(data)
    watcher = reporting_to(watcher, resolved.training.batch_size, callbacks, report_to)
    evaluation = RunEvaluation.stated(resolved, dev, test, data_folder)
    text = Corpus.of(corpus, column, encoding_errors)
    check_names(resolved)
    messages = evaluation.check()
    check_output(folder, resolved, resume)
    # Torch takes seconds to import: what can be refused without it has been.
    from augcse.training.run import train_recipe

    measure = evaluation.load()
    inputs = describe_inputs(resolved, text, **evaluation.inputs())
    if resume and (finished := _finished_run(folder, resolved, inputs, watcher)) is not None:
        return finished
    with locked_run_folder(folder):
        check_run(folder, resolved, inputs, resume, watcher.warn)
        if dev == "auto" and evaluation.selects_nothing:
            watcher.note(_UNSCORED)
        for message in messages:
            watcher.warn(message)
        clock = CpuClock()
        by, held_out = _held_out(resolved, text, clock) if evaluation.selection.by_probe else (_By(measure, measure), frozenset())
        work = _Work(resolved, text, folder, evaluation, by, inputs, watcher, clock)
        with clock.part("training"):
            trained = train_recipe(
                resolved,
                text,
                folder,
                inputs=inputs,
                score=work.score,
                held_out=held_out,
                resume=resume,
                workers=workers or os.cpu_count() or 1,
                watcher=watcher,
            )
        run = _finish(work, trained, started)
    watcher.finish(run)
    return run


@dataclass(frozen=True)
class _By:
    """What measures a model: while it trains, and where mixes of start and trained weights are compared; None where nothing does."""

    training: Measure | None
    mixes: Measure | None


@dataclass(frozen=True)
class _Work:
    """What a run works with, all of it checked."""

    recipe: Recipe
    corpus: Corpus
    folder: Path
    evaluation: RunEvaluation
    by: _By
    inputs: Inputs
    watcher: Watcher
    clock: CpuClock

    @property
    def score(self) -> Score | None:
        """What training evaluates with."""
        measure = self._timed(self.by.training)
        return None if measure is None else score_of(measure)

    @property
    def mixes(self) -> Measure | None:
        """What compares the start, mixes of start and trained weights, and the model that is kept."""
        return self._timed(self.by.mixes)

    def _timed(self, measure: Measure | None) -> Measure | None:
        if measure is None:
            return None

        def timed(model: SentenceTransformer) -> Measured:
            with self.clock.part("choosing"):
                return measure(model)

        return timed


def _resolved(recipe: str | Recipe, model: str | None, overrides: Mapping[str, Any]) -> Recipe:
    backbone = {} if model is None else {"model.backbone": model}
    return load_recipe(recipe, {**overrides, **backbone}) if isinstance(recipe, str) else recipe


def check_names(recipe: Recipe) -> None:
    """Raise `UserError` for a backbone that is a path to nothing, an unknown augmentation, or a start that cannot be built."""
    from augcse.augmentations.spec import parse_specs

    local_model_folder(recipe.model.backbone)
    if recipe.start is not None:
        check_start(recipe)
    if recipe.training.average_decay is not None and recipe.interpolation.weights:
        raise UserError("training.average_decay and interpolation.weights both say which weights are kept; leave one of them out")
    if recipe.augmentation.named:
        parse_specs(recipe.augmentation.named)


def check_start(recipe: Recipe) -> None:
    """Raise `UserError` for a start of unknown steps, or whose pooling would be exchanged again."""
    from augcse.encoding.step import parse_steps

    try:
        parse_steps(recipe.start.steps if recipe.start else ())
    except UserError as error:
        raise UserError(f"start.steps: {error}") from error
    if recipe.model.pooling != "own":
        raise UserError(f"model.pooling is {recipe.model.pooling}, and [start] builds a model with its own; leave model.pooling out")


def _finished_run(folder: Path, recipe: Recipe, inputs: Inputs, watcher: Watcher) -> Run | None:
    """Return the run that the folder holds, if it is finished and began with the same."""
    record = finished_record(folder)
    if record is None:
        return None
    check_inputs(folder, recipe, inputs, watcher.warn)
    watcher.note(f"{folder} holds a finished run of {record['steps']} steps; there is nothing to do")
    return Run(folder, folder / MODEL, record)


def _held_out(recipe: Recipe, corpus: Corpus, clock: CpuClock) -> tuple[_By, frozenset[str]]:
    """Return the checks without labels as what measures a model, and the sentences of the corpus that are held out for them.

    Where mixes are compared afterwards, on all of them, fewer are enough while the model trains.
    """
    from augcse.analysis.probe.held_out import hold_out_of_run

    with clock.part("choosing"):
        held_out = hold_out_of_run(recipe, corpus)
    measure = held_out.measure()
    fewer = held_out.measure_of_first(recipe.evaluation.moment_sentences) if recipe.interpolation.weights else measure
    return _By(fewer, measure), held_out.sentences


def _finish(work: _Work, trained: Trained, started: float) -> Run:
    """Make the model that is kept, score it, and write its card and the record; the first process alone scores and writes."""
    from augcse.evaluation.interpolation import interpolate_run
    from augcse.training.processes import is_first_process

    outcome = outcome_of(trained.history, trained.steps, trained.best_step)
    if work.recipe.interpolation.weights:
        outcome = with_interpolation(outcome, interpolate_run(work.recipe, trained, work.mixes, work.watcher))
    model = _loaded(trained.model) if is_first_process() else None
    outcome = _scored(work, trained, outcome, model)
    described = described_run(work.recipe, work.corpus, trained, work.inputs["data"])
    tested = {"dev": work.evaluation.dev, "test": list(work.evaluation.tests)}
    run = Run(work.folder, trained.model, {**described, **tested, **effort(trained, started, work.clock), **outcome})
    if model is not None:
        _write(run, model)
    return run


def _loaded(folder: Path) -> SentenceTransformer:
    import torch

    from augcse.encoding.model import load_encoder

    # Loading draws where a checkpoint lacks a pooler.
    with torch.random.fork_rng(devices=[]):
        return load_encoder(str(folder))


def _scored(work: _Work, trained: Trained, outcome: Outcome, model: SentenceTransformer | None) -> Outcome:
    """Return the outcome with baselines and test scores; warn where training did not help. Without a model nothing is scored."""
    if model is None:
        return {**with_test_scores(outcome, {}, {}), "gain": None, "baselines": {}, "scores": {}}
    recipe, evaluation = work.recipe, work.evaluation
    if recipe.evaluation.baselines and (work.score or evaluation.tests):
        work.watcher.start("scoring what costs nothing", None)
    finished = EncodedOnce(model)
    baselines = baselines_of_run(
        recipe, work.corpus, work.score, evaluation.tests, evaluation.data, work.inputs, finished, work.watcher.note
    )
    if evaluation.tests:
        work.watcher.start("evaluating", None)
    tested = evaluation.test_scores(finished)
    scores = final_scores(tested)
    start = recipe.beginning_with(trained.start)
    before = evaluation.scores_of_start(start, work.inputs) if outcome["kept_step"] else scores["scores"]
    gain = gain_over_start(recipe, outcome, work.mixes, model)
    free = {name: {"dev": found.dev, "test": found.test} for name, found in baselines.items()}
    outcome = {**with_test_scores(outcome, before, scores["scores"]), "gain": gain, "baselines": free}
    for warning in warnings_of(outcome, recipe, trained.own_modules):
        work.watcher.warn(warning)
    return {**outcome, **scores, **kept_resamples(recipe.evaluation.kept_resamples, tested, baselines)}


def _write(run: Run, model: SentenceTransformer) -> None:
    """Write the run's model card and record."""
    from augcse.evaluation.base import TASKS
    from augcse.training.card import model_card

    measures = {task.name: str(task.card()["score"]) for task in TASKS}
    write_text(run.model / "README.md", model_card(run.record, model, measures))
    write_json(run.folder / RECORD, run.record)
