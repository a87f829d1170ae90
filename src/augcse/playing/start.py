"""Check the inputs of the page, then load the models and encode the corpus."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from augcse.annotation.pipeline import BUNDLED_PARSER, parser_language
from augcse.corpus.files import Corpus
from augcse.corpus.lines import EncodingErrors
from augcse.corpus.read import CorpusReport, no_sentence
from augcse.errors import MissingDependencyError, UserError
from augcse.model_folder import local_model_folder

if TYPE_CHECKING:
    from augcse.playing.session import Session

Advance = Callable[[int], None]


@dataclass(frozen=True)
class PlayInputs:
    """Checked inputs of the page.

    Args:
        models: one or two names.
        sentences: the distinct sentences of the corpus, in order.
        source: the corpus' files, for display.
        parser: the spaCy pipeline for augmentations that need a parse.
    """

    models: tuple[str, ...]
    sentences: Sequence[str]
    source: str
    parser: str


def _check_gradio() -> None:
    if importlib.util.find_spec("gradio") is None:
        raise MissingDependencyError("the page needs Gradio; install it with: pip install 'augcse[play]'")


def check_inputs(
    model: str,
    corpus: Sequence[Path] = (),
    *,
    beside: str | None = None,
    column: str | None = None,
    encoding_errors: EncodingErrors = "strict",
    parser: str = BUNDLED_PARSER,
    warn: Callable[[str], None] = lambda message: None,
) -> PlayInputs:
    """Check the inputs and read the corpus; only the parser is loaded.

    Raises:
        UserError: a folder that holds no model, the same model twice, a corpus that cannot be read or has no sentence, no such parser,
            no Gradio.
    """
    models = (model,) if beside is None else (model, beside)
    for name in models:
        local_model_folder(name)
    if len(set(models)) < len(models):
        raise UserError(f"--beside {beside} is the model itself; give another one")
    files = Corpus.of(corpus, column, encoding_errors) if corpus else None
    _check_gradio()
    parser_language(parser)
    sentences, source = _read_corpus(files, warn) if files else ([], "")
    return PlayInputs(models, sentences, source, parser)


def _read_corpus(corpus: Corpus, warn: Callable[[str], None]) -> tuple[list[str], str]:
    report = CorpusReport()
    sentences = list(dict.fromkeys(corpus.sentences(report)))
    if not sentences:
        raise no_sentence(corpus.paths)
    for line in report.warnings():
        warn(line)
    return sentences, ", ".join(path.name for path in corpus.paths)


def open_session(inputs: PlayInputs, *, batch_size: int = 128, advance: Advance = lambda rows: None) -> Session:
    """Load the models and encode the corpus under each.

    Args:
        inputs: from `check_inputs`.
        batch_size: of encoding.
        advance: called with the number of newly encoded sentences, per model.

    Raises:
        UserError: a model that cannot be loaded.
    """
    from augcse.encoding.model import load_encoder
    from augcse.playing.session import Session, encode_corpus

    models = {name: load_encoder(name) for name in inputs.models}
    vectors = {name: encode_corpus(model, inputs.sentences, batch_size, advance) for name, model in models.items() if inputs.sentences}
    return Session(models, inputs.sentences, vectors, inputs.parser, inputs.source)
