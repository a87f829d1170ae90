"""The flow, top to bottom: recipe and corpus in; model, scores and record out. Read this first."""

from __future__ import annotations

import html
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augcse.config import Recipe, load_recipe
from augcse.corpus.lines import EncodingErrors
from augcse.corpus.read import check_corpus_paths
from augcse.errors import UserError
from augcse.evaluation.data_folder import find_data as find_data
from augcse.evaluation.run_scores import check_test_data, final_scores, scores_of_start, tasks_to_test
from augcse.evaluation.selection import NOTHING, Selection, own_file_warnings, read_selection, score_of, selection_inputs
from augcse.evaluation.static_baseline import baselines_of_run
from augcse.files import file_sha256, write_json, write_text
from augcse.model_folder import local_model_folder
from augcse.training.outcome import outcome_rows
from augcse.training.reporting import reporting_to
from augcse.training.run_folder import MODEL, RECORD, check_inputs, check_output, check_run, finished_record, held_run_folder
from augcse.training.watcher import Watcher

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from transformers import TrainerCallback

    from augcse.encoding.model import Pooling
    from augcse.evaluation.base import ClassifierName, ProtocolName
    from augcse.evaluation.scores import Scores
    from augcse.evaluation.selection import Measure, Score
    from augcse.training.inputs import CorpusFiles, Inputs
    from augcse.training.run import Trained

_UNSCORED = "no --data: nothing is scored while training, and the last model is kept (--dev pairs.tsv scores your own pairs)"
# The parts of a data folder that scores are computed from.
_SCORED_DATA = ("sts", "transfer")


@dataclass(frozen=True)
class Run:
    """A finished run: its folder, its model's folder, and its record (what `run.json` holds)."""

    folder: Path
    model: Path
    record: dict[str, Any] = field(repr=False)

    def __str__(self) -> str:
        """Where the model lies, and the scores before training, of the best step and of the last."""
        header, rows = outcome_rows(self.record)
        lines = ["  ".join(row) for row in [header, *rows]] if rows else []
        return "\n".join([f"{self.record['steps']} steps; model: {self.model}", *lines])

    def _repr_html_(self) -> str:
        """The same as a table, for notebooks."""
        header, rows = outcome_rows(self.record)
        cells = ["".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in ([header, *rows] if rows else [])]
        table = "".join(f"<tr>{row}</tr>" for row in cells)
        return f"<p>{self.record['steps']} steps; model: <code>{html.escape(str(self.model))}</code></p><table>{table}</table>"


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
        UserError: anything the user can fix, before the first step wherever it can be known then.
        Interrupted: a `KeyboardInterrupt`; SIGINT or SIGTERM came, and a checkpoint of the current step is written.
    """
    started = time.time()
    resolved = _resolved(recipe, model, overrides)
    folder = Path(output).expanduser()
    data_folder = find_data(data)
    watcher = reporting_to(watcher, resolved.training.batch_size, callbacks, report_to)
    selected_by, tests = stated_evaluation(resolved, dev, test, data_folder)
    paths = check_corpus_paths([corpus] if isinstance(corpus, (str, Path)) else corpus)
    selection = read_selection(selected_by)
    check_settings(resolved, selection)
    check_output(folder, resolved, resume)
    # Torch takes seconds to import: what can be refused without it has been.
    from augcse.training.inputs import CorpusFiles
    from augcse.training.processes import is_first_process
    from augcse.training.run import train_recipe

    measure = _checked_data(selection, tests, data_folder)
    files = CorpusFiles.read(paths, encoding_errors, column)
    inputs = _inputs(resolved, files, selected_by, tests, data_folder)
    if resume and (finished := _finished_run(folder, resolved, inputs, watcher)) is not None:
        return finished
    with held_run_folder(folder):
        check_run(folder, resolved, inputs, resume, watcher.warn)
        _say_what_is_scored(selection, tests, watcher, unscored=dev == "auto" and selected_by == NOTHING)
        measure, score, held_out = _measured_by(selection, measure, resolved, files)
        trained = train_recipe(
            resolved,
            files,
            folder,
            inputs=inputs,
            score=score,
            held_out=held_out,
            resume=resume,
            workers=workers or os.cpu_count() or 1,
            watcher=watcher,
        )
        described = {**_described(resolved, trained, files, inputs["data"]), "dev": selected_by, "test": list(tests)}
        baselines = baselines_of_run(resolved, files, score, tests, data_folder, watcher.note) if is_first_process() else {}
        outcome = _outcome(resolved, trained, measure, tests, data_folder, inputs, baselines, watcher)
        run = _written(Run(folder, trained.model, {**described, **_effort(trained, started), **outcome}))
    watcher.finish(run)
    return run


def _written(run: Run) -> Run:
    """Write the run's model card and record, in the first process alone; return the run."""
    import torch

    from augcse.encoding.model import load_encoder
    from augcse.evaluation.base import TASKS
    from augcse.training.card import model_card
    from augcse.training.processes import is_first_process

    if is_first_process():
        measures = {task.name: str(task.card()["score"]) for task in TASKS}
        # Loading draws where a checkpoint lacks a pooler.
        with torch.random.fork_rng(devices=[]):
            encoder = load_encoder(str(run.model), device="cpu")
        write_text(run.model / "README.md", model_card(run.record, encoder, measures))
        write_json(run.folder / RECORD, run.record)
    return run


def _inputs(recipe: Recipe, corpus: CorpusFiles, dev: str, tests: Sequence[str], data: Path | None) -> Inputs:
    from augcse.evaluation.base import test_inputs
    from augcse.objectives.gather import launched_processes
    from augcse.training.inputs import describe_inputs
    from augcse.training.precision import resolve_precision

    return describe_inputs(
        recipe,
        corpus,
        dev=selection_inputs(dev),
        test=test_inputs(tests),
        data=_data_record(data),
        precision=resolve_precision(recipe.training.precision),
        processes=launched_processes(),
    )


def _finished_run(folder: Path, recipe: Recipe, inputs: Inputs, watcher: Watcher) -> Run | None:
    """Return the run that the folder holds, if it is finished and began with the same."""
    record = finished_record(folder)
    if record is None:
        return None
    check_inputs(folder, recipe, inputs, watcher.warn)
    watcher.note(f"{folder} holds a finished run of {record['steps']} steps; there is nothing to do")
    return Run(folder, folder / MODEL, record)


def _resolved(recipe: str | Recipe, model: str | None, overrides: Mapping[str, Any]) -> Recipe:
    backbone = {} if model is None else {"model.backbone": model}
    return load_recipe(recipe, {**overrides, **backbone}) if isinstance(recipe, str) else recipe


def evaluate(
    model: str | Path | SentenceTransformer,
    tasks: str | Path | Sequence[str | Path] = ("sts",),
    data: str | Path | None = None,
    *,
    pooling: Pooling | None = None,
    batch_size: int = 128,
    classifier: ClassifierName = "lbfgs",
    protocol: ProtocolName = "test",
    mteb_results: str | Path | None = None,
) -> Scores:
    """Score a model on tasks or suites.

    Args:
        model: a `SentenceTransformer`, a folder or a name.
        tasks: as in `augcse list tasks`; "sts" is the seven STS tasks, "transfer" SentEval's seven transfer tasks. Or files of graded
            pairs or labels of your own (docs/own-data.md).
        data: a folder with `sts/`, `transfer/`; `AUGCSE_DATA` is taken when it is set and this is None; else the hub.
        pooling: for a bare backbone (default: mean).
        batch_size: of encoding.
        classifier: of the transfer tasks: "lbfgs" (exact, fast) or "senteval" (SentEval's own training loop, slow).
        protocol: of the transfer tasks: "test" as the papers report, "fast" with fewer folds, or "dev": as "fast", the accuracy on
            development rows, by which a model may be selected.
        mteb_results: a folder in which MTEB keeps the results of its own tasks (`mteb:NAME`), as its leaderboard takes them.
    """
    from augcse.encoding.model import check_pooling, load_encoder
    from augcse.evaluation.base import EvaluationOptions, own_files
    from augcse.evaluation.mteb_tasks import KeptResults, split_names
    from augcse.evaluation.scores import check_names, evaluate_model

    options = EvaluationOptions(classifier, protocol)
    names = [str(task) for task in ([tasks] if isinstance(tasks, (str, Path)) else tasks)]
    check_names(names)
    ours, theirs = split_names(names)
    own_file_warnings(own_files(ours), options)
    if mteb_results is not None and not (theirs and isinstance(model, (str, Path))):
        raise UserError(f"{mteb_results} is for results of MTEB's own tasks; give --tasks mteb:NAME and a model by its folder or hub name")
    folder = find_data(data)
    check_pooling(pooling)
    if isinstance(model, (str, Path)):
        local_model_folder(str(model))

    # Torch takes seconds to import: what can be refused without it has been.
    import torch

    # Loading draws where a checkpoint lacks a pooler: whoever evaluates between two steps of his own gets his generator back.
    with torch.random.fork_rng(devices=[]):
        encoder = load_encoder(str(model), pooling) if isinstance(model, (str, Path)) else model
    name = str(model) if isinstance(model, (str, Path)) else type(model).__name__
    keep = None if mteb_results is None else KeptResults.of(Path(mteb_results).expanduser(), str(model))
    return evaluate_model(encoder, names, folder, name, batch_size, options, keep)


def stated_evaluation(recipe: Recipe, dev: str, test: str | Sequence[str], data: Path | None) -> tuple[str, tuple[str, ...]]:
    """Return what to select by and what to test on: what was asked for or, where that is "auto", what the recipe states.

    Without data no task is scored, only files of the user's own, or what the recipe states for that.

    Raises:
        UserError: a name of a test that is neither a task nor a suite.
    """
    from augcse.evaluation.base import own_files

    if dev == "auto":
        dev = recipe.evaluation.dev_without_data if data is None else recipe.evaluation.dev
    tests = tasks_to_test(recipe.evaluation.test if test == "auto" else test)
    return dev, tests if data is not None else tuple(own_files(tests))


def check_settings(recipe: Recipe, selection: Selection) -> None:
    """Check what a recipe and `--dev` name, as far as that can be done before torch is imported.

    Raises:
        UserError: a backbone that is a path to nothing, an unknown augmentation, a file that cannot be scored, an unknown task.
    """
    from augcse.augmentations.spec import parse_specs

    local_model_folder(recipe.model.backbone)
    section = recipe.augmentation
    named = [*section.names, *section.positives, *section.negatives, *section.neutral]
    if named:
        parse_specs(named)
    selection.check()


def _say_what_is_scored(selection: Selection, tests: Sequence[str], watcher: Watcher, unscored: bool) -> None:
    """Note where nothing is scored while training, and warn of what there is to say of the user's own files."""
    from augcse.evaluation.base import own_files

    if unscored:
        watcher.note(_UNSCORED)
    for message in dict.fromkeys([*selection.check(), *own_file_warnings(own_files(tests))]):
        watcher.warn(message)


def _described(recipe: Recipe, trained: Trained, corpus: CorpusFiles, data: dict[str, Any] | None) -> dict[str, Any]:
    """Return what was run, on what, with what: the part of the record that is not its outcome."""
    from augcse.training.record import hardware, versions

    return {
        "recipe": recipe.model_dump(),
        "versions": versions(),
        "hardware": hardware(),
        "precision": trained.precision,
        "corpus": corpus.described(),
        "data": data,
        "prepared": trained.store_meta,
        "modules": trained.modules,
        "negatives_per_anchor": trained.negatives_per_anchor,
    }


def _checked_data(selection: Selection, tests: Sequence[str], data: Path | None) -> Measure | None:
    """Load what models are scored on, so that bad data is refused before anything is done; return what measures one while training."""
    measure = selection.measure(data)
    check_test_data(tests, data)
    return measure


def _measured_by(
    selection: Selection, measure: Measure | None, recipe: Recipe, files: CorpusFiles
) -> tuple[Measure | None, Score | None, frozenset[str]]:
    """Return what measures a model, the same as a score (None for nothing), and the sentences of the corpus that are held out for it."""
    if not selection.by_probe:
        return measure, measure and score_of(measure), frozenset()
    from augcse.analysis.probe.held_out import hold_out_of_run

    held_out = hold_out_of_run(recipe, files)
    return held_out.measure, score_of(held_out.measure), held_out.sentences


def _outcome(
    recipe: Recipe,
    trained: Trained,
    measure: Measure | None,
    tests: Sequence[str],
    data: Path | None,
    inputs: Inputs,
    baselines: dict[str, Any],
    watcher: Watcher,
) -> dict[str, Any]:
    """Return before, best, last and baselines, and the test scores of the model that is kept; warn where training did not help.

    The model is made first where the recipe interpolates. The first process alone scores on the test tasks.
    """
    from augcse.evaluation.interpolation import interpolate_run
    from augcse.training.outcome import outcome_of, warnings_of, with_interpolation, with_test_scores
    from augcse.training.processes import is_first_process

    outcome = outcome_of(trained.history, trained.steps, trained.best_step)
    if recipe.interpolation.weights:
        outcome = with_interpolation(outcome, interpolate_run(recipe, trained, measure, watcher))
    scores: dict[str, Any] = {"scores": {}}
    before: dict[str, float] = {}
    if is_first_process() and tests:
        watcher.start("evaluating", None)
        scores = final_scores(evaluate(trained.model, tests, data))
        before = scores_of_start(recipe, tests, data, inputs) if outcome["kept_step"] else scores["scores"]
    outcome = {**with_test_scores(outcome, before, scores["scores"]), "baselines": baselines}
    for warning in warnings_of(outcome, recipe, trained.own_modules) if is_first_process() else []:
        watcher.warn(warning)
    return {**outcome, **scores}


def _effort(trained: Trained, started: float) -> dict[str, Any]:
    """Return what the training took, since `started`, and its curves."""
    from augcse.training.record import peak_memory_mb

    return {
        "steps": trained.steps,
        "resumed_from_steps": trained.resumed_from_steps,
        # Of this process, after the last resume.
        "wall_time_s": round(time.time() - started, 1),
        "peak_memory_mb": peak_memory_mb(),
        "curves": trained.history,
    }


def _data_record(data: Path | None) -> dict[str, Any] | None:
    if data is None:
        return None
    files = sorted(file for part in _SCORED_DATA for file in (data / part).rglob("[!.]*") if file.is_file())
    return {"folder": str(data), "sha256": {file.relative_to(data).as_posix(): file_sha256(file) for file in files}}
