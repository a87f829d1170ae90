"""One training run: from a resolved recipe to a model folder and its record."""

from __future__ import annotations

import copy
import gc
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sentence_transformers import SentenceTransformer
from transformers import set_seed

from augcse.config import Recipe
from augcse.corpus.files import Corpus
from augcse.encoding.own_modules import described_modules
from augcse.encoding.static.training import RowTokenizer, is_static
from augcse.errors import UserError
from augcse.files import whole_folder
from augcse.objectives.base import find_objective
from augcse.objectives.gather import launched_processes, world_size
from augcse.objectives.sentence_loss import describe_negatives
from augcse.objectives.weights import WeightCounts, count_weights
from augcse.sections import TrainingSection
from augcse.training.checkpoints import BEST, BEST_SCORE, ResumePoint, best_record, latest_intact_checkpoint
from augcse.training.encoder import Encoder, build_encoder
from augcse.training.fit import build_trainer, fit, total_steps
from augcse.training.inputs import Inputs
from augcse.training.manifest import MANIFEST
from augcse.training.objective import add_task, build_objective, set_discriminator_steps
from augcse.training.precision import Precision, resolve_precision
from augcse.training.processes import check_gathers, connect_processes, first_process_first, is_first_process, wait_for_all
from augcse.training.run_folder import CHECKPOINTS, MODEL, PREPARED, begin, digest_of_run, record_resume, resumed_from
from augcse.training.start import build_start
from augcse.training.store.build import prepare
from augcse.training.store.files import TokenStore
from augcse.training.store.judge import mini_bert_judge
from augcse.training.store.plan import Plan
from augcse.training.store.size import check_batch_size, check_size
from augcse.training.teachers import TEACHERS, check_static_teachers, load_teachers, with_teacher_vectors
from augcse.training.trainer import ObjectiveTrainer, Score
from augcse.training.watcher import NO_WATCHER, Watcher

if TYPE_CHECKING:
    from augcse.objectives.sentence_loss import SentenceLoss


@dataclass(frozen=True)
class Trained:
    """The result of training: the model folder, the log history, and facts for the record."""

    model: Path
    history: list[dict[str, float]]
    steps: int
    # The step whose model was the best; None if there was no evaluation while training.
    best_step: int | None
    precision: Precision
    store_meta: dict[str, Any]
    modules: list[str]
    # Whether the model was a sentence-transformers folder, not a bare backbone.
    own_modules: bool
    weights: WeightCounts
    # The folder of the initial model, if the recipe builds one.
    start: str | None = None
    negatives_per_anchor: dict[str, int] = field(default_factory=dict)
    resumed_from_steps: list[int] = field(default_factory=list)


def train_recipe(
    recipe: Recipe,
    corpus: Corpus,
    output: Path,
    *,
    inputs: Inputs,
    score: Score | None = None,
    held_out: frozenset[str] = frozenset(),
    resume: bool = False,
    workers: int = 1,
    watcher: Watcher = NO_WATCHER,
) -> Trained:
    """Prepare the corpus without the held-out sentences, train, and save the best model (the last one without `score`).

    It is saved as `output/model`, unless the recipe interpolates weights, which `augcse.evaluation.interpolation` does afterwards.

    All input and settings are checked before the first step. With `resume` training continues from the latest intact checkpoint, and
    finished parts are not repeated. SIGINT and SIGTERM stop it after the current step. `inputs` are those of `describe_inputs`.

    Raises:
        UserError: bad input or settings, a full disk, a loss that is not finite, or no intact checkpoint to resume from.
        Interrupted: a signal stopped the training; a checkpoint is written.
    """
    prepared = _prepare_training(recipe, corpus, output, inputs, held_out, resume, workers, watcher)
    # Only after all checks, so that an error is the only line of output.
    for remark in prepared.encoder.remarks:
        watcher.note(remark)
    if resume:
        _record_resume(output, prepared.point, watcher)
    store, encoder = prepared.store, prepared.encoder
    set_discriminator_steps(prepared.loss, total_steps(len(store), recipe.training))
    loss = add_task(recipe, prepared.loss, store)
    negatives = loss.negatives_per_anchor(recipe.training.batch_size, world_size())
    weights = count_weights(loss)
    watcher.note(describe_negatives(negatives))
    watcher.note(str(weights))
    about = {"run": prepared.run, "prepared": store.digest_of_all}
    trainer = build_trainer(recipe.training, loss, store, output / CHECKPOINTS, prepared.precision, score, watcher, about, encoder)
    _fit(trainer, output, prepared.point, recipe, watcher)
    history, steps = trainer.history, trainer.state.global_step
    del trainer
    # Trainer and callbacks form a reference cycle, which would keep model and optimizer in memory until the next full collection.
    gc.collect()
    best = best_record(output / CHECKPOINTS)
    return Trained(
        model=output / MODEL,
        history=history,
        steps=steps,
        best_step=None if best is None else best["step"],
        precision=prepared.precision,
        store_meta=store.meta,
        modules=described_modules(encoder.given if best is not None and best["step"] == 0 else encoder.model),
        own_modules=encoder.modules_file is not None,
        weights=weights,
        start=prepared.start,
        negatives_per_anchor=negatives,
        resumed_from_steps=resumed_from(output),
    )


@dataclass(frozen=True)
class _Prepared:
    """The checked parts of a training.

    Args:
        run: the digest of the inputs that the run began with.
        precision: the number format of the computations.
        point: the checkpoint to resume from; None: the training starts from the beginning.
        start: the folder of the initial model, if the recipe builds one.
        encoder: the encoder to train.
        loss: the objective, still without a labelled task.
        store: the rows.
    """

    run: str
    precision: Precision
    point: ResumePoint | None
    start: str | None
    encoder: Encoder
    loss: SentenceLoss
    store: TokenStore


def _prepare_training(
    recipe: Recipe,
    corpus: Corpus,
    output: Path,
    inputs: Inputs,
    held_out: frozenset[str],
    resume: bool,
    workers: int,
    watcher: Watcher,
) -> _Prepared:
    """Check input and settings, load the models and prepare the corpus; arguments and errors as in `train_recipe`."""
    find_objective(recipe.objective.name).check_options(recipe.objective.options())
    precision = resolve_precision(recipe.training.precision)
    connect_processes()
    run = digest_of_run(output, inputs, resume)
    point = latest_intact_checkpoint(output / CHECKPOINTS, run, watcher.warn) if resume else None
    check_static_teachers(recipe, corpus)
    start, encoder = _build_start_and_encoder(recipe, corpus, held_out, output, run, watcher)
    loss = build_objective(recipe, encoder.model)
    check_gathers(loss)
    plan = Plan.of(recipe, corpus, loss, held_out)
    check_size(plan, recipe.training.batch_size)
    teachers = load_teachers(loss.traits.teachers, output)
    if is_first_process():
        begin(output, recipe, inputs, resume)
    watcher.start("preparing", None)
    store = _prepare_with_teachers(plan, recipe.training, loss, teachers, output, workers, watcher)
    check_same_rows(point, store, output / PREPARED)
    return _Prepared(run, precision, point, start, encoder, loss, store)


def _build_start_and_encoder(
    recipe: Recipe, corpus: Corpus, held_out: frozenset[str], output: Path, run: str, watcher: Watcher
) -> tuple[str | None, Encoder]:
    """Return the folder of the initial model, if the recipe builds one, and the encoder to train; seed the random generators."""
    with first_process_first():
        built = build_start(recipe, corpus, held_out, output, run, watcher)
    set_seed(recipe.training.seed)
    return built, build_encoder(recipe.beginning_with(built))


def _record_resume(output: Path, start: ResumePoint | None, watcher: Watcher) -> None:
    if is_first_process():
        record_resume(output, start.step if start else 0)
    if start is None:
        watcher.warn("no checkpoint to resume from; training from the start")


def _prepare_with_teachers(
    plan: Plan,
    training: TrainingSection,
    loss: SentenceLoss,
    teachers: Mapping[str, SentenceTransformer | None],
    output: Path,
    workers: int,
    watcher: Watcher,
) -> TokenStore:
    """Return the store with the teachers' vectors of its rows; raises `UserError` if the rows do not suit the objective."""
    with first_process_first():
        store = _prepare_epochs(plan, training, loss, output / PREPARED, workers, watcher)
        return with_teacher_vectors(
            store, loss.traits.teachers, teachers, plan, output / PREPARED / TEACHERS, watcher, loss.traits.teacher_ranks
        )


def _prepare_epochs(plan: Plan, training: TrainingSection, loss: SentenceLoss, folder: Path, workers: int, watcher: Watcher) -> TokenStore:
    """Write or open the store, with another for each later epoch if augmentations are resampled."""
    judge = mini_bert_judge(plan) if plan.judges_rows() else None
    # A call changes the truncation and padding of a tokenizer, and the model's own is saved with it.
    tokenizer = RowTokenizer(loss.model) if is_static(loss.model) else copy.deepcopy(loss.model.tokenizer)

    def check(rows: TokenStore) -> None:
        check_batch_size(training.batch_size, len(rows))
        loss.check_lengths(rows.views["original"].lengths)

    def of_epoch(epoch: int) -> TokenStore:
        return prepare(
            replace(plan, epoch=epoch),
            tokenizer,
            folder / f"epoch-{epoch}" if epoch else folder,
            workers=workers,
            progress=lambda rows: watcher.advance(rows, {}),
            # The warnings of later epochs would repeat those of the first.
            warn=watcher.warn if epoch == 0 else lambda message: None,
            judge=judge,
            check=check,
        )

    store = of_epoch(0)
    if not plan.augmentation.resample_every_epoch or not plan.slots():
        return store
    steps_per_epoch = len(store) // (training.batch_size * launched_processes())
    epochs = -(-total_steps(len(store), training) // steps_per_epoch)
    return replace(store, later=tuple(of_epoch(epoch) for epoch in range(1, epochs)))


def check_same_rows(start: ResumePoint | None, store: TokenStore, folder: Path) -> None:
    """Raise `UserError` if the prepared corpus differs from the one that the checkpoint was trained on."""
    if start is not None and start.prepared != store.digest_of_all:
        raise UserError(
            f"{start.path} was trained on other rows than {folder} holds now: it was prepared again with other versions of the libraries"
            " or models that augment; go back to those, or choose another --output"
        )


def _fit(trainer: ObjectiveTrainer, output: Path, start: ResumePoint | None, recipe: Recipe, watcher: Watcher) -> None:
    """Train, and write the model to its final folder, unless it is still to be interpolated."""
    fit(trainer, start, recipe.training.patience_scores, watcher)
    if is_first_process() and not recipe.interpolation.weights:
        _export(trainer, output)
    wait_for_all()


def _export(trainer: ObjectiveTrainer, output: Path) -> None:
    """Write the best model, which may be the initial one, or without evaluation the last, to its final folder."""
    best = Path(trainer.args.output_dir) / BEST
    with whole_folder(output / MODEL) as partial:
        if best.exists():
            shutil.copytree(best, partial, dirs_exist_ok=True, ignore=shutil.ignore_patterns(MANIFEST, BEST_SCORE))
        else:
            with trainer.kept_weights():
                trainer.save_encoder(partial)
