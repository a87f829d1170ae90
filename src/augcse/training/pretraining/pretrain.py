"""A backbone from plain text: tokenizer, embedding table from co-occurrence, masked language model. Read this first.

Devlin et al. 2019 (BERT: masked language modelling, section 3.1), Liu et al. 2019 (RoBERTa: packed blocks, masks drawn anew each time, no
sentence pairs).
"""

from __future__ import annotations

import json
import shutil
import time
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import InstanceOf

from augcse.arguments import FilePath, FilePaths
from augcse.corpus.files import Corpus
from augcse.corpus.lines import EncodingErrors
from augcse.encoding.static.progress import Progress
from augcse.errors import UserError
from augcse.files import check_is_absent
from augcse.model_folder import local_model_folder
from augcse.options import checks_arguments
from augcse.training.inputs import Inputs, described_corpus, described_recipe, described_system, inputs_digest
from augcse.training.pretraining.options import RECORD, PretrainOptions, pretrain_options
from augcse.training.reporting import log_watcher
from augcse.training.run_folder import CHECKPOINTS, PREPARED, begin, check_output, check_run, locked_run_folder, record_resume, resumed_from
from augcse.training.watcher import Watcher

if TYPE_CHECKING:
    from augcse.training.pretraining.stage import Stage

# Suffix of the folder for checkpoints and prepared data, which is removed when the model is written.
_RUN_SUFFIX = ".run"
MASKED_LM = "masked-lm"


@dataclass(frozen=True)
class Pretrained:
    """A finished backbone: its folder, an ordinary transformers one, and its record (what `pretrain.json` holds)."""

    folder: Path
    record: dict[str, Any] = field(repr=False)


@checks_arguments
def pretrain(
    corpus: FilePaths,
    *,
    output: FilePath,
    resume: bool = False,
    column: str | None = None,
    encoding_errors: EncodingErrors = "strict",
    watcher: InstanceOf[Watcher] | None = None,
    **settings: Any,
) -> Pretrained:
    """Pretrain a small backbone on plain text and write it to `output`, a folder for `--model` and `--backbone` of all commands.

    Checkpoints and prepared data are in `output.run` until the model is finished.

    Args:
        corpus: one or more text files, one sentence per line, or tables.
        output: the folder of the model, which must not exist.
        resume: continue from the latest checkpoint in `output.run`, with the same inputs; a finished model is not changed.
        column: the column with the text, where the files are tables.
        encoding_errors: how to treat bytes that are not UTF-8: "strict" or "replace".
        watcher: receives progress and warnings; None writes them to the log "augcse" (`logging`).
        **settings: fields of `augcse.training.pretraining.options.PretrainOptions`, e.g. `layers=6`, `tokenizer="mini-bert"`.

    Raises:
        UserError: invalid input or settings, before the first step wherever possible.
        Interrupted: SIGINT or SIGTERM was received (a `KeyboardInterrupt`); a checkpoint of the current step is written.
    """
    started = time.time()
    options = pretrain_options(settings)
    folder = Path(output).expanduser()
    for name in {options.backbone, options.tokenizer} - {None}:
        local_model_folder(str(name))
    text = Corpus.of(corpus, column, encoding_errors)
    watcher = watcher or log_watcher(*options.speed)
    run = _PretrainingRun(options, text, folder, watcher, started)
    if resume and (finished := run.finished()) is not None:
        return finished
    check_is_absent(folder)
    check_output(run.run_folder, options, resume)
    # Imported after all checks that do not need torch, whose import takes seconds.
    from augcse.encoding.untouched import kept_generators

    # Training seeds the generators of the process, which are the caller's.
    with locked_run_folder(run.run_folder), kept_generators():
        check_run(run.run_folder, options, run.inputs, resume, watcher.warn)
        return run.execute(resume)


@dataclass(frozen=True)
class _PretrainingRun:
    """Prepares, trains and writes a backbone from checked settings."""

    options: PretrainOptions
    text: Corpus
    folder: Path
    watcher: Watcher
    started: float

    @property
    def run_folder(self) -> Path:
        """The folder for checkpoints and prepared data."""
        return self.folder.with_name(self.folder.name + _RUN_SUFFIX)

    @cached_property
    def inputs(self) -> Inputs:
        """Everything that determines the result, like `describe_inputs` for the run of a recipe."""
        document = {
            "recipe": described_recipe(self.options),
            "models": _model_digests(self.options),
            "corpus": described_corpus(self.text),
            **described_system(self.options.precision),
        }
        return dict(json.loads(json.dumps(document)))

    def finished(self) -> Pretrained | None:
        """Return the finished model if it exists and has the same inputs, else None.

        Raises:
            UserError: a finished model with other inputs.
        """
        try:
            record = json.loads((self.folder / RECORD).read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return None
        if record.get("inputs_sha256") != inputs_digest(self.inputs):
            raise UserError(f"{self.folder} holds a model of another text, other settings or versions; choose another --output")
        self.watcher.note(f"{self.folder} holds a finished model; there is nothing to do")
        shutil.rmtree(self.run_folder, ignore_errors=True)
        return Pretrained(self.folder, record)

    def execute(self, resume: bool) -> Pretrained:
        """Prepare, train and write the model, skipping finished parts. The run's folder is locked by the caller."""
        from augcse.training.checkpoints import last_step
        from augcse.training.pretraining.prepared import prepare_pretraining
        from augcse.training.pretraining.stage import finished_curve, train_stage
        from augcse.training.processes import connect_processes, first_process_first, is_first_process, wait_for_all

        inputs = self.inputs
        digest = inputs_digest(inputs)
        connect_processes()
        if is_first_process():
            begin(self.run_folder, self.options, inputs, resume)
        with first_process_first():
            facts = prepare_pretraining(self.options, self.text, self.run_folder / PREPARED, digest, _static_progress(self.watcher))
        stages = self.stages()
        curves: dict[str, list[dict[str, float]]] = {}
        for name, stage in stages.items():
            curve = finished_curve(stage, digest, self.watcher.warn) if resume else None
            if curve is None:
                if resume and is_first_process():
                    record_resume(self.run_folder, last_step(stage.checkpoints))
                curve = train_stage(stage, self.options, digest, resume=resume, watcher=self.watcher)
            curves[name] = curve
        if is_first_process():
            self._write_model(list(stages.values())[-1].finished, facts, curves, digest)
        wait_for_all()
        return Pretrained(self.folder, json.loads((self.folder / RECORD).read_text("utf-8")))

    def stages(self) -> dict[str, Stage]:
        """Return the stages by name, in order; each starts from the model of the previous one."""
        from augcse.objectives.auxiliary_mlm import MaskedLanguageModelLoss
        from augcse.objectives.retromae import RetroMAELoss
        from augcse.training.pretraining.prepared import BLOCKS, SENTENCES, START
        from augcse.training.pretraining.stage import Stage
        from augcse.training.store.files import TokenStore

        options, prepared = self.options, self.run_folder / PREPARED
        masked = Stage(
            start=prepared / START,
            store=TokenStore.open(prepared / BLOCKS),
            loss=lambda encoder: MaskedLanguageModelLoss(encoder, options.mask_rate, whole_words=options.whole_words),
            training=options.training,
            checkpoints=self.run_folder / CHECKPOINTS,
            finished=self.run_folder / MASKED_LM,
        )
        if options.sentence_stage == "none":
            return {MASKED_LM: masked}
        rates = options.encoder_mask_rate, options.decoder_mask_rate
        sentences = Stage(
            start=masked.finished,
            store=TokenStore.open(prepared / SENTENCES),
            loss=lambda encoder: RetroMAELoss(encoder, *rates, enhanced=options.enhanced_decoding, whole_words=options.whole_words),
            training=options.sentence_training,
            checkpoints=self.run_folder / f"{CHECKPOINTS}-{options.sentence_stage}",
            finished=self.run_folder / options.sentence_stage,
        )
        return {MASKED_LM: masked, options.sentence_stage: sentences}

    def _write_model(self, trained: Path, facts: dict[str, Any], curves: dict[str, list[dict[str, float]]], digest: str) -> None:
        """Write the model to its final folder, and remove checkpoints and prepared data."""
        from augcse.training.pretraining.folder import write_model

        record = {
            "kind": "pretraining",
            "corpus": self.text.described(),
            **facts,
            "inputs_sha256": digest,
            "steps": {name: max(int(entry["step"]) for entry in curve) for name, curve in curves.items()},
            "resumed_from_steps": resumed_from(self.run_folder),
            "curves": curves,
        }
        write_model(self.folder, trained, self.options, record, self.started)
        shutil.rmtree(self.run_folder, ignore_errors=True)


def _static_progress(watcher: Watcher) -> Progress:
    return Progress(watcher.start, lambda count: watcher.advance(count, {}), watcher.warn)


def _model_digests(options: PretrainOptions) -> dict[str, str]:
    """Return a digest of each given model that is a local folder."""
    from augcse.files import reported_read
    from augcse.model_folder import BUNDLED_BACKBONES, holds_model
    from augcse.training.manifest import folder_digest

    named = {key: value for key, value in (("backbone", options.backbone), ("tokenizer", options.tokenizer)) if value is not None}
    folders = {key: BUNDLED_BACKBONES.get(value, Path(value).expanduser()) for key, value in named.items()}
    with reported_read():
        return {key: folder_digest(folder) for key, folder in folders.items() if holds_model(folder)}
