"""`augcse.train`: takes a recipe and a corpus, and writes a model, its scores and a record. Read this first."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, InstanceOf

from augcse.arguments import FileOrName, FilePath, FilePaths, FilesOrNames, ModelName, Settings, Workers
from augcse.clock import CpuClock
from augcse.config import Recipe, load_recipe, with_overrides
from augcse.corpus.files import Corpus
from augcse.corpus.lines import EncodingErrors
from augcse.errors import UserError
from augcse.evaluation.baselines import DevScore, baselines_of_run
from augcse.evaluation.data_folder import find_data
from augcse.evaluation.encoded_once import EncodedOnce
from augcse.evaluation.gain import gain_over_start
from augcse.evaluation.run_scores import RunEvaluation, final_scores, kept_resamples
from augcse.evaluation.selection import score_of
from augcse.files import write_json, write_text
from augcse.model_folder import local_model_folder
from augcse.options import checks_arguments
from augcse.training.inputs import Inputs, describe_inputs
from augcse.training.outcome import Outcome, outcome_of, with_interpolation, with_test_scores
from augcse.training.record import Run, described_run, effort
from augcse.training.reporting import Reporters, reporting_to
from augcse.training.run_folder import MODEL, RECORD, check_inputs, check_output, check_run, finished_record, locked_run_folder
from augcse.training.run_warnings import warnings_of
from augcse.training.store.used_roles import check_known, check_used_roles
from augcse.training.watcher import Watcher

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from transformers import TrainerCallback

    from augcse.evaluation.samples import Measured
    from augcse.evaluation.selection import Measure, Score
    from augcse.training.run import Trained

_UNSCORED = "no --data: nothing is scored while training, and the last model is kept (--dev pairs.tsv scores your own pairs)"
RecipeOrName = Annotated[str | Path | InstanceOf[Recipe], Field(description="a recipe's name, a TOML file or a Recipe")]


@checks_arguments
def train(
    recipe: RecipeOrName,
    *,
    corpus: FilePaths,
    output: FilePath,
    model: ModelName | None = None,
    data: FilePath | None = None,
    dev: FileOrName = "auto",
    test: FilesOrNames = "auto",
    settings: Settings | None = None,
    resume: bool = False,
    workers: Workers | None = None,
    encoding_errors: EncodingErrors = "strict",
    column: str | None = None,
    callbacks: Sequence[TrainerCallback | type[TrainerCallback]] = (),
    report_to: Reporters = "none",
    watcher: InstanceOf[Watcher] | None = None,
    **overrides: Any,
) -> Run:
    """Train a recipe on text and write model, record and resolved recipe to `output`.

    Args:
        recipe: the name of a bundled recipe, a TOML file, or a `Recipe`.
        corpus: one or more text files, one sentence per line (.gz and .xz too), or tables.
        output: the folder of the run; `output/model` is an ordinary sentence-transformers model.
        model: replaces the recipe's backbone: `mini-bert`, a folder, or a hub name.
        data: the folder with evaluation data; None: the environment variable `AUGCSE_DATA`, if set.
        dev: the task that selects the best model while training: "auto" (the recipe's setting; by default STS-B dev if there is a data
            folder, else none), "stsb", "none", "probe" (docs/adapt.md), a file of graded pairs or labels (docs/own-data.md), or tasks,
            suites and files with weights, e.g. "STSB-dev=1,transfer=0.5", whose weighted sum is the score. A suite counts as the mean of
            its tasks; transfer tasks are scored on their development rows.
        test: the tasks that the finished model is scored on: "auto" (the recipe's setting, by default "sts"), tasks or suites of
            `augcse list tasks`, which need a data folder, and files of graded pairs or labels; () or "none": nothing.
        settings: values by recipe key that replace those of the recipe, as `--set` does, e.g. {"training.batch_size": 32}.
        resume: continue from the latest checkpoint in `output`, with the same inputs; a finished run is not changed.
        workers: the number of processes for augmentation; None: one per core. Results do not depend on it.
        encoding_errors: how to treat bytes that are not UTF-8: "strict" or "replace".
        column: the column with the text, if the corpus is a table (.csv, .tsv, .jsonl, .parquet).
        callbacks: instances or classes of transformers' `TrainerCallback`; random draws and encoding in them do not affect the result
            (docs/python.md).
        report_to: trackers to send training curves to: "tensorboard", "trackio", "wandb", or several.
        watcher: receives progress and warnings; None writes them to the log "augcse" (`logging`).
        **overrides: as `settings`, whose values they replace, e.g. `batch_size=32`.

    Raises:
        UserError: invalid input or settings, before the first step wherever possible.
        Interrupted: SIGINT or SIGTERM was received (a `KeyboardInterrupt`); a checkpoint of the current step is written.
    """
    started = time.time()
    resolved = _resolve_recipe(recipe, model, {**(settings or {}), **overrides})
    folder = Path(output).expanduser()
    data_folder = find_data(data)
    watcher = reporting_to(watcher, resolved.training.batch_size, callbacks, report_to)
    evaluation = RunEvaluation.stated(resolved, dev, test, data_folder)
    text = Corpus.of(corpus, column, encoding_errors)
    check_names(resolved)
    messages = evaluation.check()
    check_output(folder, resolved, resume)
    check_used_roles(resolved)
    # Imported after all checks that do not need torch, whose import takes seconds.
    from augcse.encoding.untouched import kept_generators

    measure = evaluation.load()
    inputs = describe_inputs(resolved, text, **evaluation.inputs())
    if resume and (finished := _finished_run(folder, resolved, inputs, watcher)) is not None:
        return finished
    # Training seeds the generators of the process, which are the caller's.
    with locked_run_folder(folder), kept_generators():
        check_run(folder, resolved, inputs, resume, watcher.warn)
        if dev == "auto" and evaluation.selects_nothing:
            watcher.note(_UNSCORED)
        for message in messages:
            watcher.warn(message)
        clock = CpuClock()
        measures = _choose_measures(evaluation, measure, resolved, text, clock)
        context = _RunContext(resolved, text, folder, evaluation, measures, evaluation.measures(), inputs, watcher, clock)
        trained = _train(context, resume, workers or os.cpu_count() or 1)
        run = _finish(context, trained, started)
    watcher.finish(run)
    return run


@dataclass(frozen=True)
class _Measures:
    """What models of a run are measured by.

    Args:
        training: the measure of a model while it trains; None: no evaluation.
        interpolation: the measure to compare interpolated weights by.
        held_out: sentences of the corpus for measuring; nothing is trained or fitted on them.
        about: what determines the measure while training, in addition to the run's inputs, as JSON.
    """

    training: Measure | None
    interpolation: Measure | None
    held_out: frozenset[str] = frozenset()
    about: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class _RunContext:
    """The checked settings and inputs of a run, and where it reports to."""

    recipe: Recipe
    corpus: Corpus
    folder: Path
    evaluation: RunEvaluation
    measures: _Measures
    # "dev" or "test" -> name of a score -> what it measures, in words.
    measures_in_words: Mapping[str, Mapping[str, str]]
    inputs: Inputs
    watcher: Watcher
    clock: CpuClock

    @property
    def score(self) -> Score | None:
        """The function that scores the encoder while training."""
        measure = self._timed(self.measures.training)
        return None if measure is None else score_of(measure)

    @property
    def dev(self) -> DevScore:
        """The same function, with everything that determines its result, and the sentences that are held out for it."""
        return DevScore(self.score, {**self.inputs["dev"], **self.measures.about}, self.measures.held_out)

    @property
    def interpolation_measure(self) -> Measure | None:
        """The measure to compare the start, interpolated models and the saved model by."""
        return self._timed(self.measures.interpolation)

    def _timed(self, measure: Measure | None) -> Measure | None:
        """Return the measure with its CPU time counted as "choosing"; None for None."""
        if measure is None:
            return None

        def timed(model: SentenceTransformer) -> Measured:
            with self.clock.part("choosing"):
                return measure(model)

        return timed


def _resolve_recipe(recipe: str | Path | Recipe, model: str | Path | None, overrides: Mapping[str, Any]) -> Recipe:
    settings = {**overrides, **({} if model is None else {"model.backbone": str(model)})}
    return with_overrides(recipe, settings) if isinstance(recipe, Recipe) else load_recipe(str(recipe), settings)


def check_names(recipe: Recipe) -> None:
    """Raise `UserError` for a backbone folder that does not exist, an unknown augmentation, or a start that cannot be built."""
    local_model_folder(recipe.model.backbone)
    if recipe.start is not None:
        check_start(recipe)
    if recipe.training.average_decay is not None and recipe.interpolation.weights:
        raise UserError("training.average_decay and interpolation.weights both decide which weights are kept; leave one of them out")
    check_known(recipe.augmentation)


def check_start(recipe: Recipe) -> None:
    """Raise `UserError` for a section [start] with unknown steps, or together with a pooling that would replace its own."""
    from augcse.encoding.step import parse_steps

    try:
        parse_steps(recipe.start.steps if recipe.start else ())
    except UserError as error:
        raise UserError(f"start.steps: {error}") from error
    if recipe.model.pooling != "own":
        raise UserError(f"model.pooling is {recipe.model.pooling}, and [start] builds a model with its own; leave model.pooling out")


def _finished_run(folder: Path, recipe: Recipe, inputs: Inputs, watcher: Watcher) -> Run | None:
    """Return the run in the folder if it is finished, else None; raises `UserError` if it had other inputs."""
    record = finished_record(folder)
    if record is None:
        return None
    check_inputs(folder, recipe, inputs, watcher.warn)
    watcher.note(f"{folder} holds a finished run of {record['steps']} steps; there is nothing to do")
    return Run(folder, folder / MODEL, record)


def _choose_measures(evaluation: RunEvaluation, measure: Measure | None, recipe: Recipe, corpus: Corpus, clock: CpuClock) -> _Measures:
    """Return what to measure models by: `measure`, or the label-free checks of `augcse.probe` on held-out sentences of the corpus.

    If interpolated weights are compared on all held-out sentences afterwards, a part of them is used while training, for speed.
    """
    if not evaluation.selection.by_probe:
        return _Measures(measure, measure)
    from augcse.analysis.probe.held_out import hold_out_of_run

    with clock.part("choosing"):
        held_out = hold_out_of_run(recipe, corpus)
    probe = held_out.measure()
    first = recipe.evaluation.moment_sentences if recipe.interpolation.weights else None
    while_training = probe if first is None else held_out.measure_of_first(first)
    about = {"held_out_sha256": held_out.prepared.digest(), "first_sentences": first}
    return _Measures(while_training, probe, held_out.sentences, about)


def _train(context: _RunContext, resume: bool, workers: int) -> Trained:
    from augcse.training.run import train_recipe

    with context.clock.part("training"):
        return train_recipe(
            context.recipe,
            context.corpus,
            context.folder,
            inputs=context.inputs,
            score=context.score,
            held_out=context.measures.held_out,
            resume=resume,
            workers=workers,
            watcher=context.watcher,
        )


def _finish(context: _RunContext, trained: Trained, started: float) -> Run:
    """Interpolate weights if the recipe sets any, score the model, and write its card and the record (in the process of rank 0)."""
    from augcse.encoding.model import load_encoder
    from augcse.evaluation.interpolation import interpolate_run
    from augcse.training.processes import is_first_process

    outcome = outcome_of(trained.history, trained.steps, trained.best_step)
    if context.recipe.interpolation.weights:
        outcome = with_interpolation(outcome, interpolate_run(context.recipe, trained, context.interpolation_measure, context.watcher))
    model = load_encoder(str(trained.model)) if is_first_process() else None
    outcome = _score_model(context, trained, outcome, model)
    described = described_run(context.recipe, context.corpus, trained, context.inputs["data"])
    tested = {"dev": context.evaluation.dev, "test": list(context.evaluation.tests)}
    run = Run(context.folder, trained.model, {**described, **tested, **effort(trained, started, context.clock), **outcome})
    if model is not None:
        _write_run(run, model, context.measures_in_words)
    return run


def _score_model(context: _RunContext, trained: Trained, outcome: Outcome, model: SentenceTransformer | None) -> Outcome:
    """Return the outcome with baselines and test scores, and warn if training did not help. Without a model nothing is scored."""
    if model is None:
        return {**with_test_scores(outcome, {}, {}), "gain": None, "baselines": {}, "scores": {}}
    recipe, evaluation = context.recipe, context.evaluation
    if recipe.evaluation.baselines and (context.score or evaluation.tests):
        context.watcher.start("scoring the baselines", None)
    finished = EncodedOnce(model)
    baselines = baselines_of_run(recipe, context.corpus, context.dev, evaluation, context.inputs, finished, context.watcher.note)
    if evaluation.tests:
        context.watcher.start("evaluating", None)
    tested = evaluation.test_scores(finished)
    scores = final_scores(tested)
    start = recipe.beginning_with(trained.start)
    start_scores = evaluation.scores_of_start(start, context.inputs) if outcome["kept_step"] else scores["scores"]
    gain = gain_over_start(start, outcome, context.interpolation_measure, model)
    baseline_scores = {name: {"dev": baseline.dev, "test": baseline.test} for name, baseline in baselines.items()}
    outcome = {**with_test_scores(outcome, start_scores, scores["scores"]), "gain": gain, "baselines": baseline_scores}
    text, folder = context.corpus.originals(recipe.corpus.columns).command_words, shlex.quote(str(trained.model))
    for warning in warnings_of(outcome, recipe, trained.own_modules, text, folder, dev_weight=evaluation.selection.total_weight):
        context.watcher.warn(warning)
    return {**outcome, **scores, **kept_resamples(recipe.evaluation.kept_resamples, tested, baselines)}


def _write_run(run: Run, model: SentenceTransformer, measures: Mapping[str, Mapping[str, str]]) -> None:
    """Write the model card and the record of a run."""
    from augcse.training.card import model_card

    write_text(run.model / "README.md", model_card(run.record, model, measures))
    write_json(run.folder / RECORD, run.record)
