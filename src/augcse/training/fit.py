"""The steps of a training: how many, by which trainer, from where; begun, gone on with, stopped by a signal."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from sentence_transformers import SentenceTransformerTrainingArguments

from augcse.objectives.gather import launched_processes
from augcse.sections import TrainingSection
from augcse.training.checkpoints import ResumePoint
from augcse.training.encoder import Encoder
from augcse.training.moments import no_more_to_gain, scored_steps
from augcse.training.precision import Precision
from augcse.training.reporting import tracker_callbacks
from augcse.training.stopping import deferred_signals, interrupted
from augcse.training.store.files import TokenStore
from augcse.training.trainer import ObjectiveTrainer, Score, saved_history
from augcse.training.watcher import NOBODY, Watcher

if TYPE_CHECKING:
    from augcse.objectives.sentence_loss import SentenceLoss

# transformers' names; what it calls "constant" has no warm-up.
SCHEDULES = {"linear": "linear", "cosine": "cosine", "constant": "constant_with_warmup"}


def total_steps(rows: int, training: TrainingSection) -> int:
    """Return the number of steps: `epochs` over the full batches of the corpus, at most `max_steps` where that is set.

    A step takes a batch in each of the processes that train together.
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
    watcher: Watcher = NOBODY,
    about: Mapping[str, Any] | None = None,
    encoder: Encoder | None = None,
) -> ObjectiveTrainer:
    """Translate a recipe's [training] into the trainer's arguments; `about` is what checkpoints say of the run that they belong to.

    `encoder` says what the loss's model was before the recipe changed it; None: what it is now, without modules of its own.
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
        # An encoder's buffers never change, and processes differ in how often they call it in a step.
        ddp_broadcast_buffers=False,
        dataloader_drop_last=True,
        disable_tqdm=True,
        # Trackers come as callbacks, which know the run by its folder's name.
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
    """Train what is left to train after `start`: all of it, or nothing where that is the last step.

    Raises:
        Interrupted: a signal ended it after its current step; the checkpoint is written.
    """
    total = trainer.args.max_steps
    if start is not None and (start.step >= total or no_more_to_gain(saved_history(start.path), patience_scores)):
        trainer.load_finished(start.path)
    else:
        watcher.start("training", total)
        with deferred_signals(trainer.stop_request):
            trainer.train(resume_from_checkpoint=str(start.path) if start else None)
    if trainer.stop_request.signal_number is not None:
        raise interrupted(trainer.stop_request.signal_number)
