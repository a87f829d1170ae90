"""The initial model of a run whose recipe has [start]: the backbone, post-processed by steps that are fitted on the run's corpus."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from augcse.config import Recipe
from augcse.corpus.files import Corpus
from augcse.corpus.read import no_sentence
from augcse.corpus.sample import sample_sentences
from augcse.encoding.fitting import NotMeanPooledError
from augcse.encoding.own_modules import load_as_given, own_modules_file
from augcse.encoding.postprocess import apply_steps
from augcse.encoding.saving import EncoderSaver
from augcse.encoding.step import parse_steps
from augcse.errors import UserError
from augcse.files import whole_folder
from augcse.sections import StartSection
from augcse.training.manifest import DamagedFolderError, check_folder, read_digest, write_manifest
from augcse.training.run_folder import START
from augcse.training.watcher import Watcher

_STEPS, _RUN = "steps", "run"


def build_start(recipe: Recipe, corpus: Corpus, held_out: frozenset[str], output: Path, run: str, watcher: Watcher) -> str | None:
    """Build the recipe's initial model in the run's folder, or reuse that of the same run; return None if the recipe has no [start].

    Args:
        recipe: the resolved recipe.
        corpus: the corpus, on whose sentences the steps are fitted.
        held_out: sentences that are not used.
        output: the folder of the run.
        run: the digest of the run's inputs.
        watcher: receives the stage, and warnings.

    Returns:
        The folder of a sentence-transformers model.

    Raises:
        UserError: a step that does not fit the backbone or the sentences.
    """
    section, folder = recipe.start, output / START
    if section is None:
        return None
    if not _is_up_to_date(folder, run, watcher):
        watcher.start("building the start", None)
        originals = corpus.originals(recipe.corpus.columns)
        sentences = sample_sentences((sentence for sentence in originals.sentences() if sentence not in held_out), section.sentences)
        if not sentences:
            raise no_sentence(corpus.paths)
        _write_start(recipe, section, sentences, folder, run)
    return str(folder)


def described_start(output: Path, section: StartSection | None) -> dict[str, Any] | None:
    """Return the record of the initial model: its steps with options and figures, and a digest; None without [start]."""
    if section is None:
        return None
    return {_STEPS: check_folder(output / START).about[_STEPS], "digest": read_digest(output / START)}


def _write_start(recipe: Recipe, section: StartSection, sentences: list[str], folder: Path, run: str) -> None:
    """Fit the steps on the sentences and write the post-processed backbone; raises `UserError` if a step does not fit."""
    encoder = load_as_given(recipe.model.backbone, recipe.model.bare_pooling)
    saver = EncoderSaver(encoder)
    try:
        finished, done = apply_steps(encoder, sentences, section.steps)
    except NotMeanPooledError as error:
        raise UserError(f"start.steps: {error.reason}; {_pooling_remedy(recipe.model.backbone, section.steps)}") from error
    except UserError as error:
        raise UserError(f"start.steps: {error}") from error
    with whole_folder(folder) as partial:
        saver.save(partial, finished)
        write_manifest(partial, {_RUN: run, _STEPS: done})


def _pooling_remedy(backbone: str, steps: Sequence[str]) -> str:
    """Return what to set if the backbone does not pool by the mean: the pooling, or steps on sentence embeddings alone."""
    if own_modules_file(backbone) is None:
        return "give --set model.bare_pooling=mean"
    on_sentences = [text for text in steps if parse_steps([text])[0].step.reads == "sentences"]
    return f"leave the steps on tokens out: --set start.steps='{json.dumps(on_sentences or ['whiten'])}'"


def _is_up_to_date(folder: Path, run: str, watcher: Watcher) -> bool:
    """Return whether the folder has the intact initial model of this run; warn if it is damaged."""
    if not folder.exists():
        return False
    try:
        return bool(check_folder(folder).about.get(_RUN) == run)
    except DamagedFolderError as error:
        watcher.warn(f"{error}; building it again")
        return False
