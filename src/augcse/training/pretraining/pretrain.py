"""A backbone from plain text: tokenizer, embedding table from co-occurrence, masked language model. Read this first.

Devlin et al. 2019 (BERT: masked language modelling, section 3.1), Liu et al. 2019 (RoBERTa: packed blocks, masks drawn anew each time, no
sentence pairs).
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augcse.corpus.files import Corpus
from augcse.corpus.lines import EncodingErrors
from augcse.encoding.static.build import check_is_absent
from augcse.encoding.static.progress import Progress
from augcse.errors import UserError
from augcse.model_folder import local_model_folder
from augcse.training.inputs import Inputs, described_corpus, described_recipe, described_system, inputs_digest
from augcse.training.pretraining.options import RECORD, PretrainOptions, pretrain_options
from augcse.training.reporting import log_watcher
from augcse.training.run_folder import CHECKPOINTS, PREPARED, begin, check_output, check_run, held_run_folder, note_resume, resumed_from
from augcse.training.watcher import Watcher

if TYPE_CHECKING:
    from augcse.training.pretraining.stage import Stage

# Beside the model's folder, until the model is there.
_RUN_SUFFIX = ".run"
MASKED_LM = "masked-lm"


@dataclass(frozen=True)
class Pretrained:
    """A finished backbone: its folder, an ordinary transformers one, and its record (what `pretrain.json` holds)."""

    folder: Path
    record: dict[str, Any] = field(repr=False)


def pretrain(
    corpus: str | Path | Sequence[str | Path],
    *,
    output: str | Path,
    resume: bool = False,
    column: str | None = None,
    encoding_errors: EncodingErrors = "strict",
    watcher: Watcher | None = None,
    **settings: Any,
) -> Pretrained:
    """Pretrain a small backbone on plain text and write it to `output`: what `--model` and `--backbone` take everywhere.

    While it works, checkpoints and prepared data lie in `output.run`, which is removed when the model is there.

    Args:
        corpus: one or more text files, one sentence per line, or tables.
        output: the model's folder, which does not exist yet.
        resume: go on from the last checkpoint in `output.run`, with what the run began with; a finished model is left as it is.
        column: the text's column, where the files are tables.
        encoding_errors: what to do with bytes that are not UTF-8: "strict" or "replace".
        watcher: receives progress and warnings; None writes them to the log "augcse" (`logging`).
        **settings: fields of `augcse.training.pretraining.options.PretrainOptions`, e.g. `layers=6`, `tokenizer="mini-bert"`.

    Raises:
        UserError: anything the user can fix, before the first step as far as it can be known then.
        Interrupted: a `KeyboardInterrupt`; SIGINT or SIGTERM came, and a checkpoint of the current step is written.
    """
    started = time.time()
    options = pretrain_options(settings)
    folder = Path(output).expanduser()
    for name in {options.backbone, options.tokenizer} - {None}:
        local_model_folder(str(name))
    text = Corpus.of(corpus, column, encoding_errors)
    watcher = watcher or log_watcher(*options.speed)
    work = _Work(options, text, folder, watcher, started)
    if resume and (finished := work.finished()) is not None:
        return finished
    check_is_absent(folder)
    check_output(work.run, options, resume)
    with held_run_folder(work.run):
        check_run(work.run, options, work.inputs, resume, watcher.warn)
        return work.do(resume)


@dataclass(frozen=True)
class _Work:
    """A pretraining: what it works with, all of it checked."""

    options: PretrainOptions
    text: Corpus
    folder: Path
    watcher: Watcher
    started: float

    @property
    def run(self) -> Path:
        """The folder of what is needed until the model is there."""
        return self.folder.with_name(self.folder.name + _RUN_SUFFIX)

    @cached_property
    def inputs(self) -> Inputs:
        """All that decides the result, as `describe_inputs` does of a recipe's run."""
        document = {
            "recipe": described_recipe(self.options),
            "models": _model_digests(self.options),
            "corpus": described_corpus(self.text),
            **described_system(self.options.precision),
        }
        return dict(json.loads(json.dumps(document)))

    def finished(self) -> Pretrained | None:
        """Return the model that lies there, if it came of the same; None where there is something left to do.

        Raises:
            UserError: it came of something else.
        """
        try:
            record = json.loads((self.folder / RECORD).read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return None
        if record.get("inputs_sha256") != inputs_digest(self.inputs):
            raise UserError(f"{self.folder} holds a model of another text, other settings or versions; choose another --output")
        self.watcher.note(f"{self.folder} holds a finished model; there is nothing to do")
        shutil.rmtree(self.run, ignore_errors=True)
        return Pretrained(self.folder, record)

    def do(self, resume: bool) -> Pretrained:
        """Prepare, train and write, or do what is left of it. The run's folder is locked by the caller."""
        from augcse.training.pretraining.prepared import prepare_pretraining
        from augcse.training.pretraining.stage import finished_curve, train_stage
        from augcse.training.processes import first_process_first, is_first_process, meet_other_processes, wait_for_all

        inputs = self.inputs
        digest = inputs_digest(inputs)
        meet_other_processes()
        if is_first_process():
            begin(self.run, self.options, inputs, resume)
        with first_process_first():
            facts = prepare_pretraining(self.options, self.text, self.run / PREPARED, digest, _static_progress(self.watcher))
        stages = self.stages()
        curves: dict[str, list[dict[str, float]]] = {}
        for name, stage in stages.items():
            curve = finished_curve(stage, digest, self.watcher.warn) if resume else None
            if curve is None:
                if resume and is_first_process():
                    note_resume(self.run, last_step(stage.checkpoints))
                curve = train_stage(stage, self.options, digest, resume=resume, watcher=self.watcher)
            curves[name] = curve
        if is_first_process():
            self._write(list(stages.values())[-1].finished, facts, curves, digest)
        wait_for_all()
        return Pretrained(self.folder, json.loads((self.folder / RECORD).read_text("utf-8")))

    def stages(self) -> dict[str, Stage]:
        """Return what is trained one after another, each from the model of the one before."""
        from augcse.objectives.auxiliary_mlm import MaskedLanguageModelLoss
        from augcse.objectives.retromae import RetroMAELoss
        from augcse.training.pretraining.prepared import BLOCKS, SENTENCES, START
        from augcse.training.pretraining.stage import Stage
        from augcse.training.store.files import TokenStore

        options, prepared = self.options, self.run / PREPARED
        masked = Stage(
            start=prepared / START,
            store=TokenStore.open(prepared / BLOCKS),
            loss=lambda encoder: MaskedLanguageModelLoss(encoder, options.mask_rate, whole_words=options.whole_words),
            training=options.training,
            checkpoints=self.run / CHECKPOINTS,
            finished=self.run / MASKED_LM,
        )
        if options.sentence_stage == "none":
            return {MASKED_LM: masked}
        rates = options.encoder_mask_rate, options.decoder_mask_rate
        sentences = Stage(
            start=masked.finished,
            store=TokenStore.open(prepared / SENTENCES),
            loss=lambda encoder: RetroMAELoss(encoder, *rates, enhanced=options.enhanced_decoding, whole_words=options.whole_words),
            training=options.sentence_training,
            checkpoints=self.run / f"{CHECKPOINTS}-{options.sentence_stage}",
            finished=self.run / options.sentence_stage,
        )
        return {MASKED_LM: masked, options.sentence_stage: sentences}

    def _write(self, trained: Path, facts: dict[str, Any], curves: dict[str, list[dict[str, float]]], digest: str) -> None:
        """Put the model under its final name, and remove what it was made with."""
        from augcse.training.pretraining.folder import write_model

        record = {
            "kind": "pretraining",
            "corpus": self.text.described(),
            **facts,
            "inputs_sha256": digest,
            "steps": {name: max(int(entry["step"]) for entry in curve) for name, curve in curves.items()},
            "resumed_from_steps": resumed_from(self.run),
            "curves": curves,
        }
        write_model(self.folder, trained, self.options, record, self.started)
        shutil.rmtree(self.run, ignore_errors=True)


def last_step(folder: Path) -> int:
    """Return the step of the last checkpoint, 0 where there is none."""
    from augcse.training.checkpoints import checkpoints

    kept = checkpoints(folder)
    return int(kept[-1].name.rpartition("-")[2]) if kept else 0


def _static_progress(watcher: Watcher) -> Progress:
    return Progress(watcher.start, lambda count: watcher.advance(count, {}), watcher.warn)


def _model_digests(options: PretrainOptions) -> dict[str, str]:
    """Return a digest of each model that is named and lies in a folder."""
    from augcse.files import reported_read
    from augcse.model_folder import BUNDLED_BACKBONES, holds_model
    from augcse.training.manifest import folder_digest

    named = {key: value for key, value in (("backbone", options.backbone), ("tokenizer", options.tokenizer)) if value is not None}
    folders = {key: BUNDLED_BACKBONES.get(value, Path(value).expanduser()) for key, value in named.items()}
    with reported_read():
        return {key: folder_digest(folder) for key, folder in folders.items() if holds_model(folder)}
