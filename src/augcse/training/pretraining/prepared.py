"""What a pretraining prepares before its first step: the model to begin with, and the corpus as blocks."""

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
# A tokenizer learns no more from a larger sample; half as many to so many are taken.
_TOKENIZER_SENTENCES = 200_000
_FACTS = "facts"


def prepare_pretraining(options: PretrainOptions, text: Corpus, folder: Path, run: str, progress: Progress) -> dict[str, Any]:
    """Write start and blocks into `folder`, or take what lies there where the same run made it; return what a record says of the corpus.

    Args:
        options: of the pretraining.
        text: the corpus.
        folder: of both, written whole or not at all.
        run: the digest of what the run began with.
        progress: of what takes long.

    Raises:
        UserError: a corpus that is empty, too short for one step or in another script than the tokenizer's; a vocabulary larger than it
            allows; a model that cannot serve.
    """
    facts = _whole_facts(folder, run, progress.warn)
    if facts is not None:
        return facts
    progress.start("reading", None)
    found = survey(text, _TOKENIZER_SENTENCES, 1, progress.advance)
    for warning in found.report.warnings():
        progress.warn(warning)
    # A model that is there is looked at first, which takes seconds.
    set_seed(options.seed)
    backbone = load_backbone(options)
    progress.start("tokenizer", None)
    tokenizer = tokenizer_of_start(options, found.sample)
    backend: Any = copied(tokenizer.backend_tokenizer)
    progress.start("tokenising", found.sentences)
    sentences = tokenize_sentences(backend, text.sentences(), progress.advance)
    unknown = unknown_share(options.backbone or options.tokenizer, backend, sentences)
    blocks = blocks_of(sentences, tokenizer, options)
    model = new_model(options, tokenizer, sentences, progress) if backbone is None else backbone
    facts = {
        "sentences": found.sentences,
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


def _whole_facts(folder: Path, run: str, warn: Callable[[str], None]) -> dict[str, Any] | None:
    """Return what was found in the corpus where both parts lie there whole, of this run; None where they are to be made."""
    if not folder.exists():
        return None
    try:
        about = check_folder(folder).about
        for store in (folder / BLOCKS, folder / SENTENCES):
            if store == folder / BLOCKS or store.exists():
                check_folder(store)
    except DamagedFolderError as error:
        warn(f"{error}; preparing the corpus again")
        return None
    return dict(about[_FACTS]) if about.get("run") == run else None
