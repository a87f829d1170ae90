"""Build the trainer of a run and run it: from the start or a checkpoint, until the last step or a signal."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from sentence_transformers import SentenceTransformerTrainingArguments

from augcse.library_output import quiet_distributed
from augcse.objectives.gather import launched_processes
from augcse.sections import TrainingSection
from augcse.training.checkpoints import ResumePoint
from augcse.training.encoder import Encoder
from augcse.training.moments import patience_exhausted, scored_steps
from augcse.training.precision import Precision
from augcse.training.reporting import tracker_callbacks
from augcse.training.stopping import deferred_signals, interrupted
from augcse.training.store.files import TokenStore
from augcse.training.trainer import ObjectiveTrainer, Score, saved_history
from augcse.training.watcher import NO_WATCHER, Watcher

if TYPE_CHECKING:
    from augcse.objectives.sentence_loss import SentenceLoss

# transformers' names; what it calls "constant" has no warm-up.
SCHEDULES = {"linear": "linear", "cosine": "cosine", "constant": "constant_with_warmup"}


def total_steps(rows: int, training: TrainingSection) -> int:
    """Return the number of optimizer steps: `epochs` over the full batches of the corpus, at most `max_steps` if that is set.

    Each process of a distributed training takes one batch per step.
    """
    steps = max(1, round(rows // (training.batch_size * launched_processes()) * training.epochs))
    return min(steps, training.max_steps) if training.max_steps > 0 else steps


def build_trainer(
    training: TrainingSection,
    loss: SentenceLoss,
    store: TokenStore,
    folder: Path,
    precision: Precision,
    score: Score | None = None,
    watcher: Watcher = NO_WATCHER,
    about: Mapping[str, Any] | None = None,
    encoder: Encoder | None = None,
) -> ObjectiveTrainer:
    """Create the trainer for the [training] section of a recipe.

    Args:
        training: the section.
        loss: the objective, which holds the encoder.
        store: the prepared rows.
        folder: the folder of the checkpoints.
        precision: the number format of the computations.
        score: evaluates the encoder; None: no evaluation.
        watcher: receives progress, and brings callbacks and trackers.
        about: identifies the run in the manifests of its checkpoints.
        encoder: the encoder and the model that it was made from; None: a bare backbone without changes.
    """
    total = total_steps(len(store), training)
    args = SentenceTransformerTrainingArguments(
        output_dir=str(folder),
        per_device_train_batch_size=training.batch_size,
        max_steps=total,
        learning_rate=training.learning_rate * (encoder.rate_scale if encoder else 1.0),
        learning_rate_mapping=dict(loss.traits.learning_rates),
        lr_scheduler_type=SCHEDULES[training.schedule],
        warmup_steps=round(training.warmup_ratio * total),
        weight_decay=training.weight_decay,
        max_grad_norm=training.max_grad_norm,
        bf16=precision == "bf16",
        use_cpu=not torch.cuda.is_available(),
        seed=training.seed,
        eval_strategy="no",
        save_strategy="steps",
        save_steps=training.checkpoint_every_steps,
        logging_steps=training.log_every_steps,
        logging_nan_inf_filter=False,
        # The encoder's buffers never change, and processes call it different numbers of times in a step, where a broadcast would hang.
        ddp_broadcast_buffers=False,
        dataloader_drop_last=True,
        disable_tqdm=True,
        # Trackers are passed as callbacks below.
        report_to="none",
        run_name=folder.parent.name,
    )
    return ObjectiveTrainer(
        loss,
        store,
        args,
        batches=training.batches,
        score=score,
        scored_steps=scored_steps(total, training),
        average_decay=training.average_decay,
        patience_scores=training.patience_scores,
        given=encoder.given if encoder else None,
        modules_file=encoder.modules_file if encoder else None,
        advance=watcher.advance,
        checkpoint_every_minutes=training.checkpoint_every_minutes,
        about=about,
        callbacks=watcher.callbacks,
        trackers=tracker_callbacks(watcher.report_to, folder.parent),
    )


def fit(trainer: ObjectiveTrainer, start: ResumePoint | None, patience_scores: int, watcher: Watcher) -> None:
    """Train from `start`, or from the beginning if it is None; if it is the checkpoint of a finished training, only load it.

    The watcher receives a note if the training stopped early because its scores did not rise.

    Raises:
        Interrupted: a signal stopped the training after the current step; a checkpoint is written.
    """
    total = trainer.args.max_steps
    if start is not None and (start.step >= total or patience_exhausted(saved_history(start.path), patience_scores)):
        trainer.load_finished(start.path)
    else:
        watcher.start("training", total)
        with deferred_signals(trainer.stop_request), quiet_distributed():
            trainer.train(resume_from_checkpoint=str(start.path) if start else None)
    if trainer.stop_request.signal_number is not None:
        raise interrupted(trainer.stop_request.signal_number)
    done = trainer.state.global_step
    if done < total and patience_exhausted(trainer.state.log_history, patience_scores):
        watcher.note(describe_early_stop(done, total, patience_scores))


def describe_early_stop(done: int, total: int, patience_scores: int) -> str:
    """Describe after which step, of how many, a training stopped, and why.

    >>> describe_early_stop(14, 16, 3)
    'stopped early, after step 14 of 16: none of the last 3 scores is above the best before them (training.patience_scores=3)'
    """
    why = f"none of the last {patience_scores} scores is above the best before them"
    if patience_scores == 1:
        why = "the last score is not above the best before it"
    return f"stopped early, after step {done:,} of {total:,}: {why} (training.patience_scores={patience_scores})"
