"""The model that a run begins with, where its recipe builds one: the backbone, post-processed by steps fitted on the text of the run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from augcse.config import Recipe
from augcse.corpus.files import Corpus
from augcse.corpus.read import no_sentence
from augcse.corpus.sample import sample_sentences
from augcse.encoding.own_modules import load_as_given
from augcse.encoding.postprocess import apply_steps
from augcse.encoding.saving import EncoderSaver
from augcse.errors import UserError
from augcse.files import whole_folder
from augcse.sections import StartSection
from augcse.training.manifest import DamagedFolderError, check_folder, recorded_digest, write_manifest
from augcse.training.run_folder import START
from augcse.training.watcher import Watcher

_STEPS, _RUN = "steps", "run"


def build_start(recipe: Recipe, corpus: Corpus, held_out: frozenset[str], output: Path, run: str, watcher: Watcher) -> str | None:
    """Build the recipe's start into the run's folder, or take what lies there where the same run made it; None where it has none.

    Args:
        recipe: the resolved one.
        corpus: the run's files, on whose sentences the steps are fitted.
        held_out: sentences of it that nothing is fitted on.
        output: the run's folder.
        run: the digest of what the run began with.
        watcher: receives the stage, and warnings.

    Returns:
        The folder of a sentence-transformers model.

    Raises:
        UserError: a step that does not fit the backbone or the sentences.
    """
    section, folder = recipe.start, output / START
    if section is None:
        return None
    if not _is_current(folder, run, watcher):
        watcher.start("building the start", None)
        text = replace(corpus, column=recipe.corpus.columns.get("original", corpus.column))
        sentences = sample_sentences((sentence for sentence in text.sentences() if sentence not in held_out), section.sentences)
        if not sentences:
            raise no_sentence(corpus.paths)
        _write(recipe, section, sentences, folder, run)
    return str(folder)


def described_start(output: Path, section: StartSection | None) -> dict[str, Any] | None:
    """Return what a record says of the start that was built: its steps with their options and figures, and a digest; None without one."""
    if section is None:
        return None
    return {_STEPS: check_folder(output / START).about[_STEPS], "digest": recorded_digest(output / START)}


def _write(recipe: Recipe, section: StartSection, sentences: list[str], folder: Path, run: str) -> None:
    # Loading draws where a checkpoint lacks a pooler, and a flow begins at random: as in `augcse postprocess`.
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        encoder = load_as_given(recipe.model.backbone, recipe.model.bare_pooling)
        saver = EncoderSaver(encoder)
        try:
            finished, done = apply_steps(encoder, sentences, section.steps)
        except UserError as error:
            raise UserError(f"start.steps: {error}") from error
        with whole_folder(folder) as partial:
            saver.save(partial, finished)
            write_manifest(partial, {_RUN: run, _STEPS: done})


def _is_current(folder: Path, run: str, watcher: Watcher) -> bool:
    if not folder.exists():
        return False
    try:
        return bool(check_folder(folder).about.get(_RUN) == run)
    except DamagedFolderError as error:
        watcher.warn(f"{error}; building it again")
        return False
