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
from transformers import TrainerState, set_seed

from augcse.config import Recipe
from augcse.corpus.files import Corpus
from augcse.encoding.dropout import use_fast_dropout
from augcse.encoding.first_token import compute_first_token_only
from augcse.encoding.mini_batches import encode_in_mini_batches
from augcse.encoding.own_modules import described_modules
from augcse.encoding.static.training import RowTokenizer, is_static
from augcse.errors import UserError
from augcse.files import whole_folder
from augcse.objectives.augcse import AugCSELoss
from augcse.objectives.base import find_objective
from augcse.objectives.checks import require
from augcse.objectives.denoising import DenoisingLoss
from augcse.objectives.discriminated import AUGMENTED, DiscriminatedLoss
from augcse.objectives.gather import launched_processes, world_size
from augcse.objectives.joint import JointSupervisedLoss
from augcse.objectives.sentence_loss import describe_negatives
from augcse.objectives.weights import WeightCounts, count_weights
from augcse.sections import TrainingSection
from augcse.training.checkpoints import BEST, BEST_SCORE, ResumePoint, best_record, newest_whole
from augcse.training.encoder import Encoder, build_encoder
from augcse.training.fit import build_trainer, fit, total_steps
from augcse.training.inputs import Inputs, inputs_digest
from augcse.training.manifest import MANIFEST
from augcse.training.precision import Precision, resolve_precision
from augcse.training.processes import check_gathers, first_process_first, is_first_process, meet_other_processes, wait_for_all
from augcse.training.run_folder import CHECKPOINTS, MODEL, PREPARED, begin, note_resume, resumed_from
from augcse.training.start import build_start
from augcse.training.store.build import prepare
from augcse.training.store.files import TokenStore
from augcse.training.store.judge import mini_bert_judge
from augcse.training.store.plan import Plan
from augcse.training.store.size import check_batch_size, check_size
from augcse.training.teachers import TEACHERS, load_teachers, taught
from augcse.training.trainer import ObjectiveTrainer, Score
from augcse.training.watcher import NOBODY, Watcher

if TYPE_CHECKING:
    from augcse.objectives.sentence_loss import SentenceLoss


@dataclass(frozen=True)
class Trained:
    """What a run made."""

    model: Path
    history: list[dict[str, float]]
    steps: int
    # The step whose model was the best; None where nothing was scored while training.
    best_step: int | None
    precision: Precision
    store_meta: dict[str, Any]
    modules: list[str]
    # Whether the model came with them; a bare backbone is given its pooling.
    own_modules: bool
    weights: WeightCounts
    # The folder of the model that it began with, where the recipe builds one.
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
    watcher: Watcher = NOBODY,
) -> Trained:
    """Prepare the corpus but for the sentences that are held out, train, and save the best model (the last one without `score`).

    It is saved as `output/model`, unless the recipe interpolates: then that is made from it (`augcse.evaluation.interpolation`).

    Everything that can be refused is refused before the first step. With `resume` it goes on from the last checkpoint that is whole;
    what is done is not done again. SIGINT and SIGTERM end it after the current step. `inputs` is what `describe_inputs` says of the run.

    Raises:
        UserError: bad input or settings, a full disk, a loss that is not finite, checkpoints none of which is whole.
        Interrupted: a signal ended the training; its checkpoint is written.
    """
    find_objective(recipe.objective.name).check_options(recipe.objective.options())
    precision = resolve_precision(recipe.training.precision)
    meet_other_processes()
    start = newest_whole(output / CHECKPOINTS, inputs_digest(inputs), watcher.warn) if resume else None
    built, encoder = _begun(recipe, corpus, held_out, output, inputs, watcher)
    loss = build_objective(recipe, encoder.model)
    check_gathers(loss)
    plan = Plan.of(recipe, corpus, loss, held_out)
    check_size(plan, recipe.training.batch_size)
    teachers = load_teachers(loss.traits.teachers, output)
    if is_first_process():
        begin(output, recipe, inputs, resume)
    watcher.start("preparing", None)
    store = _prepare_taught(plan, recipe.training, loss, teachers, output, workers, watcher)
    del teachers
    check_same_rows(start, store, output / PREPARED)
    # Once nothing of the corpus is refused: a refusal is one line.
    for remark in encoder.remarks:
        watcher.note(remark)
    if resume:
        _note_resume(output, start, watcher)
    loss = add_task(recipe, loss, store)
    negatives = loss.negatives_per_anchor(recipe.training.batch_size, world_size())
    weights = count_weights(loss)
    watcher.note(describe_negatives(negatives))
    watcher.note(str(weights))
    about = {"run": inputs_digest(inputs), "prepared": store.digest_of_all}
    trainer = build_trainer(recipe.training, loss, store, output / CHECKPOINTS, precision, score, watcher, about, encoder)
    state = _fit(trainer, output, start, recipe, watcher)
    del trainer
    # Trainer and callbacks refer to each other: model and optimiser would lie in memory until Python's next full collection.
    gc.collect()
    best = best_record(output / CHECKPOINTS)
    return Trained(
        model=output / MODEL,
        history=state.log_history,
        steps=state.global_step,
        best_step=None if best is None else best["step"],
        precision=precision,
        store_meta=store.meta,
        modules=described_modules(encoder.given if best is not None and best["step"] == 0 else encoder.model),
        own_modules=encoder.modules_file is not None,
        weights=weights,
        start=built,
        negatives_per_anchor=negatives,
        resumed_from_steps=resumed_from(output),
    )


def _begun(
    recipe: Recipe, corpus: Corpus, held_out: frozenset[str], output: Path, inputs: Inputs, watcher: Watcher
) -> tuple[str | None, Encoder]:
    """Return the folder of the start, where the recipe builds one, and the encoder to train; the generators are seeded."""
    with first_process_first():
        built = build_start(recipe, corpus, held_out, output, inputs_digest(inputs), watcher)
    set_seed(recipe.training.seed)
    return built, build_encoder(recipe.beginning_with(built))


def _note_resume(output: Path, start: ResumePoint | None, watcher: Watcher) -> None:
    if is_first_process():
        note_resume(output, start.step if start else 0)
    if start is None:
        watcher.warn("no checkpoint to resume from; training from the start")


def _prepare_taught(
    plan: Plan,
    training: TrainingSection,
    loss: SentenceLoss,
    teachers: Mapping[str, SentenceTransformer | None],
    output: Path,
    workers: int,
    watcher: Watcher,
) -> TokenStore:
    """Return the store with what the teachers say of its rows; raises `UserError` where the objective cannot use them."""
    with first_process_first():
        store = _prepare(plan, training, loss.model, output / PREPARED, workers, watcher)
        store = taught(store, loss.traits.teachers, teachers, plan, output / PREPARED / TEACHERS, watcher, loss.traits.teacher_ranks)
    loss.check_lengths(store.views["original"].lengths)
    return store


def _prepare(plan: Plan, training: TrainingSection, model: SentenceTransformer, folder: Path, workers: int, watcher: Watcher) -> TokenStore:
    """Write or open the store, with one more per later epoch where augmentations are drawn anew."""
    judge = mini_bert_judge(plan) if plan.judges_rows() else None
    # Calling a tokeniser changes it, and this one is saved with the model.
    tokenizer = RowTokenizer(model) if is_static(model) else copy.deepcopy(model.tokenizer)

    def of_epoch(epoch: int) -> TokenStore:
        return prepare(
            replace(plan, epoch=epoch),
            tokenizer,
            folder / f"epoch-{epoch}" if epoch else folder,
            workers=workers,
            progress=lambda rows: watcher.advance(rows, {}),
            # What is to be said of the corpus has been said of its first epoch.
            warn=watcher.warn if epoch == 0 else lambda message: None,
            judge=judge,
        )

    store = of_epoch(0)
    check_batch_size(training.batch_size, len(store))
    if not plan.augmentation.resample_every_epoch or not plan.slots():
        return store
    steps_per_epoch = len(store) // (training.batch_size * launched_processes())
    epochs = -(-total_steps(len(store), training) // steps_per_epoch)
    return replace(store, later=tuple(of_epoch(epoch) for epoch in range(1, epochs)))


def check_same_rows(start: ResumePoint | None, store: TokenStore, folder: Path) -> None:
    """Raise `UserError` where the prepared corpus is not the one that the checkpoint was trained on."""
    if start is not None and start.prepared != store.digest_of_all:
        raise UserError(
            f"{start.path} was trained on other rows than {folder} holds now, which was prepared again by other versions of the libraries"
            " or models that augment; go back to those, or choose another --output"
        )


def build_objective(recipe: Recipe, model: SentenceTransformer) -> SentenceLoss:
    """Build the recipe's loss around the encoder, with the cheap dropout."""
    card = find_objective(recipe.objective.name)
    options = recipe.objective.options()
    pool = recipe.augmentation.pool
    if "augmented" in card.views:
        if not pool:
            raise UserError(f"objective {card.name} needs augmentations; name some under [augmentation] names")
        if card.takes_labels:
            options["num_augmentations"] = len(pool)
    loss = card.build(model, options)
    if "augmented" in loss.traits.views and not pool:
        raise UserError(f"objective {card.name} draws from all augmentations; name some under [augmentation] positives or negatives")
    loss.choose_repeated_texts(recipe.objective.repeated_texts)
    loss = _discriminated(recipe, loss, loss.traits.views or card.views)
    use_fast_dropout(loss)
    if recipe.training.mini_batch_size:
        require(
            not loss.traits.reaches_into_encoder,
            f"objective {card.name} adds its noise inside the encoder, to rows of the whole batch; set training.mini_batch_size to 0",
        )
        encode_in_mini_batches(model, recipe.training.mini_batch_size)
    if not loss.traits.reads_tokens:
        compute_first_token_only(model)
    return loss


def _discriminated(recipe: Recipe, loss: SentenceLoss, views: tuple[str, ...]) -> SentenceLoss:
    """Put the recipe's discriminator beside its loss; the loss itself where none is asked for."""
    section = recipe.objective.discriminator
    if section is None:
        return loss
    name = recipe.objective.name
    require(
        not isinstance(loss, DenoisingLoss) or loss.contrastive_weight > 0,
        f"objective {name} encodes no originals for a discriminator to compare with; set objective.contrastive_weight above 0",
    )
    require(
        not (isinstance(loss, AugCSELoss) and loss.discriminator is not None),
        f'objective {name} has a discriminator; leave [objective.discriminator] out, or set objective.discriminate to "none"',
    )
    require(
        AUGMENTED not in views or loss.traits.label_kind == "augmentation",
        f"objective {name} labels its augmentations as positives and negatives, and a discriminator needs to know which made a row; leave"
        " [objective.discriminator] out, or take other settings of the objective",
    )
    return DiscriminatedLoss(loss, views, len(recipe.augmentation.pool), **section.model_dump())


def add_task(recipe: Recipe, loss: SentenceLoss, store: TokenStore) -> SentenceLoss:
    """Put the recipe's labelled task beside its loss, with a head for the classes that the corpus has; the loss itself without one.

    A discriminator learns how many steps there will be.
    """
    if isinstance(loss, DiscriminatedLoss):
        loss.steps = total_steps(len(store), recipe.training)
    if recipe.task is None:
        return loss
    num_labels = 1 if recipe.task.kind == "regression" else len(store.meta["task"]["classes"])
    return JointSupervisedLoss(loss, num_labels, pair=recipe.task.pair is not None, weight=recipe.task.weight)


def _fit(trainer: ObjectiveTrainer, output: Path, start: ResumePoint | None, recipe: Recipe, watcher: Watcher) -> TrainerState:
    """Train what is left to train, and put the model under its final name, unless it is still to be interpolated."""
    fit(trainer, start, recipe.training.patience_scores, watcher)
    if is_first_process() and not recipe.interpolation.weights:
        _export(trainer, output)
    wait_for_all()
    return trainer.state


def _export(trainer: ObjectiveTrainer, output: Path) -> None:
    """Put the best model, which may be the one that was given, or the last where nothing was evaluated, under its final name."""
    best = Path(trainer.args.output_dir) / BEST
    with whole_folder(output / MODEL) as partial:
        if best.exists():
            shutil.copytree(best, partial, dirs_exist_ok=True, ignore=shutil.ignore_patterns(MANIFEST, BEST_SCORE))
        else:
            with trainer.kept_weights():
                trainer.save_encoder(partial)
