"""One stage of pretraining: trains the model of one folder with one loss, with checkpoints, and writes it to another folder."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from transformers import set_seed

from augcse.encoding.dropout import use_fast_dropout
from augcse.encoding.model import load_encoder, load_tokenizer
from augcse.files import whole_folder
from augcse.objectives.masked_lm import load_masked_lm
from augcse.training.checkpoints import latest_intact_checkpoint
from augcse.training.encoder import set_dropout
from augcse.training.fit import build_trainer, fit
from augcse.training.manifest import DamagedFolderError, check_folder, write_manifest
from augcse.training.precision import resolve_precision
from augcse.training.pretraining.start import save_transformers
from augcse.training.processes import is_first_process, wait_for_all
from augcse.training.run import check_same_rows
from augcse.training.watcher import Watcher

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from augcse.objectives.language_head import LanguageModelHead
    from augcse.objectives.sentence_loss import SentenceLoss
    from augcse.sections import TrainingSection
    from augcse.training.pretraining.options import PretrainOptions
    from augcse.training.store.files import TokenStore


_CURVE = "curve"


@dataclass(frozen=True)
class Stage:
    """The inputs and output folders of a stage.

    Args:
        start: the transformers folder to start from, with a masked-language-model head.
        store: the training rows.
        loss: creates the loss for an encoder; the loss has a `head`.
        training: the settings of the optimizer.
        checkpoints: the folder of the checkpoints.
        finished: the folder that the trained model is written to.
    """

    start: Path
    store: TokenStore
    loss: Callable[[SentenceTransformer], SentenceLoss]
    training: TrainingSection
    checkpoints: Path
    finished: Path


def finished_curve(stage: Stage, run: str, warn: Callable[[str], None]) -> list[dict[str, float]] | None:
    """Return the training curve of a stage that the same run has finished and whose model is intact, else None."""
    if not stage.finished.exists():
        return None
    try:
        about = check_folder(stage.finished).about
    except DamagedFolderError as error:
        warn(f"{error}; making it again")
        return None
    return list(about[_CURVE]) if about.get("run") == run else None


def train_stage(stage: Stage, options: PretrainOptions, run: str, *, resume: bool, watcher: Watcher) -> list[dict[str, float]]:
    """Train a stage from its start or a checkpoint, write its model in float32, and return its training curve.

    Args:
        stage: the stage to train.
        options: the settings of the pretraining.
        run: the digest of the run's inputs.
        resume: continue from the latest checkpoint.
        watcher: receives progress.

    Raises:
        UserError: all checkpoints are damaged, or the loss is not finite.
        Interrupted: a signal was received; a checkpoint is written.
    """
    point = latest_intact_checkpoint(stage.checkpoints, run, watcher.warn) if resume else None
    check_same_rows(point, stage.store, stage.start.parent)
    set_seed(options.seed)
    encoder = load_encoder(str(stage.start), "cls", seed=None)
    set_dropout(encoder, options.dropout_rate, report=False)
    loss: Any = stage.loss(encoder)
    use_fast_dropout(loss)
    about = {"run": run, "prepared": stage.store.digest_of_all}
    precision = resolve_precision(options.precision)
    trainer = build_trainer(stage.training, loss, stage.store, stage.checkpoints, precision, watcher=watcher, about=about)
    fit(trainer, point, 0, watcher)
    curve = trainer.history
    if is_first_process():
        write_stage_model(encoder, loss.head, stage, {"run": run, _CURVE: curve})
    wait_for_all()
    del trainer
    # Trainer and callbacks form a reference cycle.
    gc.collect()
    return curve


def write_stage_model(encoder: SentenceTransformer, head: LanguageModelHead, stage: Stage, about: dict[str, Any]) -> None:
    """Write a trained encoder and its head as a transformers folder like that of the stage's start."""
    model = load_masked_lm(str(stage.start))
    state = head.whole_state(encoder)
    model.load_state_dict({name: state[name] for name in model.state_dict()})
    with whole_folder(stage.finished) as partial:
        save_transformers(model, load_tokenizer(str(stage.start)), partial)
        write_manifest(partial, about)
