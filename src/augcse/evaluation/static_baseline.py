"""What costs nothing beside a run: a static encoder of the model's own word embeddings, fitted on the run's text in seconds."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from augcse.corpus.read import read_sentences
from augcse.corpus.sample import sample_sentences
from augcse.errors import UserError
from augcse.files import write_text

if TYPE_CHECKING:
    from augcse.config import Recipe
    from augcse.training.inputs import CorpusFiles
    from augcse.training.trainer import Score

# What whitening takes at most; words are weighted by their share of these.
SENTENCES = 30_000


def baselines_of_run(
    recipe: Recipe,
    corpus: CorpusFiles,
    dev: Score | None,
    tests: Sequence[str],
    data: Path | None,
    note: Callable[[str], None],
) -> dict[str, dict[str, dict[str, float]]]:
    """Return {"static": `static_baseline(...)`}; {} where nothing is scored, the recipe wants none, or, with a note, none can be made."""
    if not recipe.evaluation.static_baseline or (dev is None and not tests):
        return {}
    try:
        return {"static": static_baseline(recipe.model.backbone, corpus, dev, tests, data)}
    except UserError as error:
        note(f"no static encoder to compare with: {error}")
        return {}


def static_baseline(
    backbone: str,
    corpus: CorpusFiles,
    dev: Score | None,
    tests: Sequence[str],
    data: Path | None,
) -> dict[str, dict[str, float]]:
    """Return {"dev", "test"}: the scores of the static encoder from a backbone's embedding table and up to 30,000 of the sentences.

    Args:
        backbone: mini-bert, a folder or a hub name.
        corpus: the run's files.
        dev: what the run is scored with while training.
        tests: tasks, suites or files that the finished model is scored on.
        data: the folder of the tasks' data.

    Raises:
        UserError: fewer than 100 distinct sentences, or a backbone without embedding table or with a tokenizer of another script.
    """
    from augcse.encoding.model import load_encoder
    from augcse.encoding.static.build import Progress, static
    from augcse.evaluation.scores import evaluate_model

    with tempfile.TemporaryDirectory() as name:
        text, folder = Path(name) / "corpus.txt", Path(name) / "model"
        sentences = read_sentences(corpus.paths, corpus.encoding_errors, column=corpus.column)
        write_text(text, "".join(f"{' '.join(sentence.splitlines())}\n" for sentence in sample_sentences(sentences, SENTENCES)))
        try:
            # Without a word: what it would tell is of a file that is gone when it is read.
            static(text, output=folder, backbone=backbone, rows="backbone", progress=Progress())
        except UserError as error:
            raise UserError(str(error).replace(str(text), "the corpus")) from error
        encoder = load_encoder(str(folder), device="cpu")
    scores = evaluate_model(encoder, tests, data).as_json()["scores"] if tests else {}
    return {"dev": {} if dev is None else dict(dev(encoder)), "test": scores}
