"""A thin `SentenceTransformerTrainer` for losses that own modules.

The stock trainer saves, restores, clips and switches the mode of the encoder only. This subclass does the same for the loss's own modules
(projection, discriminator), reads batches from a token store, evaluates through a callable, and writes checkpoints atomically. Everything
else is inherited from sentence-transformers.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from safetensors.torch import save_file
from sentence_transformers import SentenceTransformer, SentenceTransformerTrainer, SentenceTransformerTrainingArguments
from torch import Tensor, nn
from torch.utils.data import DataLoader
from transformers import PrinterCallback, TrainerCallback, TrainerControl, TrainerState
from transformers.trainer import TRAINER_STATE_NAME

from augcse.encoding.saving import EncoderSaver
from augcse.errors import UserError
from augcse.files import replace_folder, reported_write, whole_folder
from augcse.library_output import quiet_transformers
from augcse.objectives.gather import average_gradients, broadcast_from_first, world_size
from augcse.objectives.views import pad_id_of
from augcse.training.average import AverageUpdate, WeightAverage
from augcse.training.batches import BatchKind, StoreBatchSampler, StoreCollator, StoreDataset
from augcse.training.checkpoints import BEST, BEST_SCORE, best_record, checkpoint_path, remove_other_checkpoints
from augcse.training.isolated_callbacks import IsolatedCallbacks
from augcse.training.manifest import write_manifest
from augcse.training.monitor import CollapseMonitor
from augcse.training.processes import check_gathers, seed_per_process, wait_for_all
from augcse.training.state import (
    load_figures,
    load_generators,
    load_optimizer,
    load_own_state,
    own_state,
    save_figures,
    save_generators,
    save_optimizer,
)
from augcse.training.step_requests import Advance, StepRequests
from augcse.training.stopping import StopRequest
from augcse.training.store.files import TokenStore

if TYPE_CHECKING:
    from augcse.objectives.sentence_loss import SentenceLoss

LOSS_WEIGHTS = "loss.safetensors"
_STAGING = ".staging"
_LOSS_SUM = "loss"
_METRIC = "metric."
_COMPONENT = "component."
Score = Callable[[SentenceTransformer], Mapping[str, float]]


class ObjectiveTrainer(SentenceTransformerTrainer):  # type: ignore[misc]
    """Trains a `SentenceLoss` on a `TokenStore`.

    Args:
        loss: the objective, which holds the encoder.
        store: the prepared rows.
        args: training arguments; checkpoints are written to `output_dir`.
        batches: which rows share a batch, see `StoreBatchSampler`.
        score: evaluates the encoder; its first value selects the best model. None: no evaluation.
        scored_steps: the steps after which to evaluate, in addition to the start.
        average_decay: evaluate and save a moving average of the encoder's weights, see `WeightAverage`; None: the weights themselves.
        patience_scores: stop after this many evaluations in a row without a new best score; 0: never.
        given: the model before the recipe's changes, which is evaluated and saved as step 0; None: the encoder itself.
        modules_file: the modules.json of `given`, see `EncoderSaver`.
        advance: called after each step with the step number and, when there are any, new figures.
        checkpoint_every_minutes: for checkpoints by time, in addition to those by steps; 0: none.
        about: identifies the run in the manifests of its checkpoints.
        callbacks: the user's callbacks.
        trackers: callbacks that send figures to experiment trackers, with their names.
    """

    def __init__(
        self,
        loss: SentenceLoss,
        store: TokenStore,
        args: SentenceTransformerTrainingArguments,
        *,
        batches: BatchKind = "equal-length",
        score: Score | None = None,
        scored_steps: frozenset[int] = frozenset(),
        average_decay: float | None = None,
        patience_scores: int = 0,
        given: SentenceTransformer | None = None,
        modules_file: Path | None = None,
        advance: Advance = lambda step, logs: None,
        checkpoint_every_minutes: float = 0,
        about: Mapping[str, Any] | None = None,
        callbacks: Sequence[TrainerCallback] = (),
        trackers: Sequence[tuple[str, TrainerCallback]] = (),
    ) -> None:
        self.stop_request = StopRequest()
        self._encoder = EncoderSaver(loss.model, modules_file)
        self._given = (given, EncoderSaver(given, modules_file)) if given is not None and given is not loss.model else None
        self._about = dict(about or {})
        self._store = store
        self._batches: BatchKind = batches
        self._score = score
        self._metric_sums: dict[str, Tensor] = {}
        self._metric_steps = 0
        self._monitor = CollapseMonitor(loss.model)
        check_gathers(loss)
        # The stock trainer would wrap the model in DataParallel when it sees several GPUs and no launcher.
        args._n_gpu = min(args.n_gpu, 1)
        others = [IsolatedCallbacks(loss.model, callbacks, trackers)] if callbacks or trackers else []
        super().__init__(model=loss.model, args=args, loss=loss, callbacks=others)
        broadcast_from_first([*loss.parameters(), *loss.buffers()])
        seed_per_process(args.seed)
        self.remove_callback(PrinterCallback)
        self._average = WeightAverage(loss.model, average_decay) if average_decay is not None else None
        if self._average is not None:
            self.add_callback(AverageUpdate(self._average))
        requests = StepRequests(
            scored_steps if score else frozenset(), advance, checkpoint_every_minutes * 60, self.stop_request, patience_scores
        )
        self.add_callback(requests)

    @property
    def history(self) -> list[dict[str, float]]:
        """The entries of the log, without transformers' summary at its end, which leaves out what a resumed run did before."""
        return [entry for entry in self.state.log_history if "train_runtime" not in entry]

    def load_finished(self, checkpoint: Path) -> None:
        """Load encoder, log history and the state of random generators from the last checkpoint of a finished training."""
        self._load_from_checkpoint(str(checkpoint))
        load_generators(checkpoint, self.args.process_index)
        self.state = TrainerState.load_from_json(str(checkpoint / TRAINER_STATE_NAME))

    def train(self, resume_from_checkpoint: str | None = None, *arguments: Any, **options: Any) -> Any:
        """Train from a checkpoint, or from the start, which is evaluated first."""
        self.args.eval_on_start = self._score is not None and resume_from_checkpoint is None
        return super().train(resume_from_checkpoint, *arguments, **options)

    @contextmanager
    def kept_weights(self) -> Iterator[None]:
        """Give the encoder, inside the block, the weights that are evaluated and saved: their average, if there is one."""
        with self._average.swapped_in() if self._average is not None else nullcontext():
            yield

    def save_encoder(self, folder: Path) -> None:
        """Write the encoder in its current state; before the first step, the given model."""
        saver = self._encoder if self._given is None or self.state.global_step else self._given[1]
        saver.save(folder)

    def get_train_dataloader(self) -> DataLoader[Any]:
        """Return a loader that fetches whole batches of rows from the store."""
        lengths = self._store.views["original"].lengths
        # Batches are composed for all processes together and split among them, so that they equal the large batches of one process.
        rows = self.args.train_batch_size * world_size()
        sampler = StoreBatchSampler(lengths, rows, self.args.seed, self._store.epochs, self._batches)
        self.accelerator.dataloader_config.split_batches = world_size() > 1
        collator = StoreCollator(self._store, pad_id_of(self.model))
        loader: DataLoader[Any] = DataLoader(StoreDataset(len(self._store)), batch_sampler=sampler, collate_fn=collator)
        self.accelerator.even_batches = False
        prepared: DataLoader[Any] = self.accelerator.prepare(loader)
        return prepared

    def compute_loss(self, model: nn.Module, inputs: dict[str, Any], *arguments: Any, **options: Any) -> Any:
        """Compute the loss and add its metrics to the sums for the log; raise `UserError` if it is not finite or embeddings collapsed."""
        result = super().compute_loss(model, inputs, *arguments, **options)
        loss = result[0] if isinstance(result, tuple) else result
        if not torch.isfinite(loss):
            raise UserError(
                f"the loss is {loss.item()} at step {self.state.global_step + 1}; lower training.learning_rate, or raise"
                " objective.temperature"
            )
        rows = next(len(value) for name, value in inputs.items() if name.endswith("input_ids"))
        figures = {**self.loss.metrics, **self._monitor.check(self.state.global_step + 1, rows)}
        for name, value in figures.items():
            self._metric_sums[name] = self._metric_sums.get(name, torch.zeros((), device=value.device)) + value
        self._metric_steps += 1
        return result

    def log(self, logs: dict[str, float], start_time: float | None = None) -> None:
        """Log, with the means of the loss's metrics since the last log added."""
        if "loss" in logs and self._metric_steps:
            logs.update({name: float(total) / self._metric_steps for name, total in self._metric_sums.items()})
            self._metric_sums, self._metric_steps = {}, 0
        super().log(logs, start_time)

    def evaluate(self, *arguments: Any, metric_key_prefix: str = "eval", **options: Any) -> dict[str, float]:
        """Evaluate the encoder; save it as the best if its first score is strictly higher than any before."""
        if self._score is None:
            return {}
        self.loss.eval()
        if self._given is not None and self.state.global_step == 0:
            scores = self._score(self._given[0].to(self.args.device))
        else:
            with _without_autocast(self.model), self.kept_weights():
                scores = self._score(self.model)
        self.loss.train()
        metrics = {f"{metric_key_prefix}_{name}": value for name, value in scores.items()}
        self.log(dict(metrics))
        self._keep_if_best(next(iter(scores.values())))
        # Resets `should_evaluate`, which would cause another evaluation at the end of the epoch.
        self.control: TrainerControl = self.callback_handler.on_evaluate(self.args, self.state, self.control, metrics)
        return metrics

    def _keep_if_best(self, score: float) -> None:
        """Save the encoder as the best one if no score before was as high."""
        root = Path(self.args.output_dir)
        best = best_record(root)
        if self.args.should_save and (best is None or score > best["score"]):
            with whole_folder(root / BEST) as partial, self.kept_weights():
                self.save_encoder(partial)
                record = {"score": score, "step": self.state.global_step}
                (partial / BEST_SCORE).write_text(json.dumps(record), "utf-8")
                write_manifest(partial, {**self._about, **record})

    def _clip_grad_norm(self, model: nn.Module) -> Tensor:
        # Called once per optimizer step. DDP averages the gradients of the encoder only, not those of the loss's own modules.
        encoder_ids = {id(parameter) for parameter in self.model.parameters()}
        average_gradients([parameter for parameter in self.loss.parameters() if id(parameter) not in encoder_ids])
        norm: Tensor = self.accelerator.clip_grad_norm_(self.loss.parameters(), self.args.max_grad_norm)
        return norm

    def _get_output_dir(self, trial: Any) -> str:
        # Checkpoints are written here and moved when complete; the stock code's own rotation then finds an empty folder.
        return str(Path(super()._get_output_dir(trial)) / _STAGING)

    def _save_checkpoint(self, model: nn.Module, trial: Any) -> None:
        root, step = Path(self.args.output_dir), self.state.global_step
        path = checkpoint_path(root, step)
        if self.args.should_save:
            # Files left by a killed process would become part of this checkpoint.
            shutil.rmtree(root / _STAGING, ignore_errors=True)
        wait_for_all()
        try:
            with reported_write(path):
                super()._save_checkpoint(model, trial)
                # Every process writes the state of its random generators.
                wait_for_all()
                if self.args.should_save:
                    write_manifest(root / _STAGING / path.name, {**self._about, "step": step, "best": best_record(root)})
                    replace_folder(root / _STAGING / path.name, path)
        finally:
            if self.args.should_save:
                shutil.rmtree(root / _STAGING, ignore_errors=True)
        if self.args.should_save:
            remove_other_checkpoints(root, step)
        wait_for_all()

    def _save(self, output_dir: str | None = None, state_dict: Any = None) -> None:
        folder = Path(output_dir or self.args.output_dir)
        folder.mkdir(parents=True, exist_ok=True)
        self.save_encoder(folder)
        save_file(own_state(self.loss), folder / LOSS_WEIGHTS)
        if self._average is not None:
            self._average.save(folder)

    def _save_optimizer_and_scheduler(self, output_dir: str) -> None:
        if self.args.should_save:
            save_optimizer(self.optimizer, self.lr_scheduler, Path(output_dir))

    def _load_optimizer_and_scheduler(self, checkpoint: str | None) -> None:
        if checkpoint is not None:
            load_optimizer(self.optimizer, self.lr_scheduler, Path(checkpoint))

    def _save_rng_state(self, output_dir: str) -> None:
        save_generators(Path(output_dir), self.args.process_index)
        sums = {_LOSS_SUM: self._tr_loss}
        sums |= {f"{_METRIC}{name}": total for name, total in self._metric_sums.items()}
        sums |= {f"{_COMPONENT}{name}": total for name, total in self.accum_loss_components["train"].items()}
        document = {"logged_step": self._globalstep_last_logged, "steps": self._metric_steps, "window": list(self._monitor.window)}
        save_figures(Path(output_dir), self.args.process_index, sums, document)

    def _load_rng_state(self, checkpoint: str | None) -> None:
        # Called once, before the first step.
        if checkpoint is not None:
            load_generators(Path(checkpoint), self.args.process_index)
            sums, document = load_figures(Path(checkpoint), self.args.process_index)
            sums = {name: value.to(self.args.device) for name, value in sums.items()}
            self._tr_loss = sums.pop(_LOSS_SUM)
            self._metric_sums = _with_prefix(_METRIC, sums)
            self.accum_loss_components["train"] = _with_prefix(_COMPONENT, sums)
            self._globalstep_last_logged, self._metric_steps = document["logged_step"], document["steps"]
            self._monitor.window.extend(document["window"])

    def _load_from_checkpoint(self, checkpoint_path: str, model: nn.Module | None = None) -> None:
        with quiet_transformers():
            super()._load_from_checkpoint(checkpoint_path)
        load_own_state(self.loss, Path(checkpoint_path) / LOSS_WEIGHTS)
        if self._average is not None:
            self._average.load(Path(checkpoint_path))


def saved_history(checkpoint: Path) -> list[dict[str, Any]]:
    """Return the log history up to a checkpoint."""
    return list(TrainerState.load_from_json(str(checkpoint / TRAINER_STATE_NAME)).log_history)


def _with_prefix(prefix: str, sums: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): total for name, total in sums.items() if name.startswith(prefix)}


@contextmanager
def _without_autocast(model: nn.Module) -> Iterator[None]:
    """Remove accelerate's autocast wrapper of `forward` inside the block, so that the scored embeddings are those of the saved model."""
    wrapped = model.__dict__.pop("forward", None)
    try:
        yield
    finally:
        if wrapped is not None:
            model.forward = wrapped
