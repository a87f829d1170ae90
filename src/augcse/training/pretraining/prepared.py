"""The preparation of a pretraining: the initial model, and the corpus as blocks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from transformers import set_seed

from augcse.corpus.files import Corpus
from augcse.encoding.static.progress import Progress
from augcse.encoding.static.text import survey
from augcse.encoding.static.tokenizer import copied
from augcse.encoding.static.tokens import tokenize_sentences
from augcse.files import whole_folder
from augcse.training.manifest import DamagedFolderError, check_folder, write_manifest
from augcse.training.pretraining.blocks import blocks_of, write_blocks, write_sentences
from augcse.training.pretraining.options import PretrainOptions
from augcse.training.pretraining.start import load_backbone, new_model, save_transformers, tokenizer_of_start, unknown_share

START, BLOCKS, SENTENCES = "start", "blocks", "sentences"
# The largest sample to train a tokenizer on; a larger one does not improve it.
_TOKENIZER_SENTENCES = 200_000
_FACTS = "facts"


def prepare_pretraining(options: PretrainOptions, text: Corpus, folder: Path, run: str, progress: Progress) -> dict[str, Any]:
    """Write initial model and blocks into `folder`, or reuse those of the same run; return the facts on the corpus for the record.

    Args:
        options: the settings of the pretraining.
        text: the corpus.
        folder: the folder to write, atomically.
        run: the digest of the run's inputs.
        progress: receives the progress of long operations.

    Raises:
        UserError: a corpus that is empty, too short for one step or in another script than the tokenizer's; a model that is not a
            suitable backbone.
    """
    facts = _intact_facts(folder, run, progress.warn)
    if facts is not None:
        return facts
    # Loaded first, since errors of a given backbone show within seconds.
    set_seed(options.seed)
    backbone = load_backbone(options)
    progress.start("reading", None)
    corpus = survey(text, _TOKENIZER_SENTENCES, 1, progress.advance)
    for warning in corpus.report.warnings():
        progress.warn(warning)
    progress.start("tokenizer", None)
    tokenizer = tokenizer_of_start(options, corpus.sample, progress.warn)
    backend: Any = copied(tokenizer.backend_tokenizer)
    progress.start("tokenising", corpus.sentences)
    sentences = tokenize_sentences(backend, text.sentences(), progress.advance)
    unknown = unknown_share(options, backend, sentences)
    blocks = blocks_of(sentences, tokenizer, options)
    model = new_model(options, tokenizer, sentences, progress) if backbone is None else backbone
    facts = {
        "sentences": corpus.sentences,
        "tokens": len(sentences.ids),
        "unknown_share": round(unknown, 6),
        "blocks": len(blocks),
        "vocabulary": len(tokenizer),
    }
    with whole_folder(folder) as partial:
        write_blocks(blocks, partial / BLOCKS)
        if options.sentence_stage != "none":
            write_sentences(sentences, tokenizer, options, partial / SENTENCES)
        save_transformers(model, tokenizer, partial / START)
        write_manifest(partial, {"run": run, _FACTS: facts})
    return facts


def _intact_facts(folder: Path, run: str, warn: Callable[[str], None]) -> dict[str, Any] | None:
    """Return the facts on the corpus if the prepared folders are intact and of this run, else None."""
    if not folder.exists():
        return None
    try:
        about = check_folder(folder).about
        check_folder(folder / BLOCKS)
        if (folder / SENTENCES).exists():
            check_folder(folder / SENTENCES)
    except DamagedFolderError as error:
        warn(f"{error}; preparing the corpus again")
        return None
    return dict(about[_FACTS]) if about.get("run") == run else None
