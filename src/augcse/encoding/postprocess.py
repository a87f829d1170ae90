"""Post-processing: modules appended to a trained encoder and fitted on plain text; the encoder's weights do not change."""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from augcse.arguments import BatchSize, FilePath, FilePaths, Model, Notify, Specs, listed
from augcse.corpus.files import Corpus
from augcse.corpus.lines import EncodingErrors
from augcse.corpus.sample import sample_corpus
from augcse.encoding.model import check_pooling
from augcse.encoding.step import StepSpec, parse_steps
from augcse.errors import UserError
from augcse.files import check_is_absent, exists, names_by_folder, whole_folder
from augcse.model_folder import local_model_folder
from augcse.options import checks_arguments

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from augcse.encoding.model import Pooling

_log = logging.getLogger(__name__)
# Sentences on which steps are fitted; docs/postprocess.md shows the effect of the number.
SAMPLE_SIZE = 10_000


@dataclass(frozen=True)
class Built:
    """A model that was built: its folder, and the record that `--json` prints."""

    folder: Path
    record: dict[str, Any] = field(repr=False)


@checks_arguments
def postprocess(
    model: Model,
    corpus: FilePaths = (),
    *,
    output: FilePath,
    steps: Specs = (),
    pooling: Pooling | None = None,
    sample: Annotated[int, Field(ge=2)] = SAMPLE_SIZE,
    batch_size: BatchSize = 128,
    encoding_errors: EncodingErrors = "strict",
    column: str | None = None,
    stop_words: bool | None = None,
    words: Collection[str] | None = None,
    note: Notify = _log.info,
) -> Built:
    """Append post-processing steps to a trained encoder and write it to `output`, an ordinary sentence-transformers folder.

    Args:
        model: a folder, `mini-bert`, a hub name, a text file of word vectors (GloVe's format), or a `SentenceTransformer`.
        corpus: text files or tables on which the steps are fitted; none if there are no steps.
        output: the new model's folder, which must not exist.
        steps: as listed by `augcse list steps`, in order: "sif", "whiten:exponent=0.5,dim=256". Without any, only the pooling is added.
        pooling: for a bare backbone (default: mean); for a sentence-transformers folder it replaces all modules after the backbone.
        sample: number of distinct sentences of the corpus to fit on; the sample depends only on the text.
        batch_size: of encoding.
        encoding_errors: what to do with bytes that are not UTF-8: "strict" or "replace".
        column: the column with the text, if the corpus is a table.
        stop_words: exclude stop words from a mean of word vectors (default: true, as in the published baseline).
        words: keep only these of a file of word vectors.
        note: receives progress messages and warnings about the corpus (default: the log).

    Raises:
        UserError: invalid input, detected before torch is imported wherever possible.
    """
    started = time.time()
    folder = Path(output).expanduser()
    specs = parse_steps(listed(steps))
    files = listed(corpus)
    vectors = word_vector_file(model)
    check_pooling(pooling)
    _check_model(model, vectors, pooling, stop_words, words)
    check_is_absent(folder)
    if not specs and files:
        raise UserError("nothing is fitted on the corpus: no step is given; give --with STEP (see: augcse list steps), or leave it out")
    if specs and not files:
        raise UserError(f"{specs[0].step.name} is fitted on text; give a corpus, a text file with one sentence per line")
    text = sample_corpus(Corpus.of(files, column, encoding_errors), sample) if files else None

    # These import torch, which takes seconds; the input is checked before.
    from augcse.encoding.card import postprocess_card
    from augcse.encoding.front_matter import origin_of
    from augcse.encoding.saving import EncoderSaver

    if text is not None:
        names = ", ".join(spec.step.name for spec in specs)
        note(f"fitting {names} on {len(text.sentences):,} distinct sentences of the {text.read:,} in the corpus")
    encoder = _model_to_extend(model, vectors, pooling, stop_words, words)
    saver = EncoderSaver(encoder)
    finished, done = apply_steps(encoder, text.sentences if text else [], specs, batch_size)
    record = {
        "model": name_of(model),
        "pooling": pooling,
        "steps": done,
        "text": text.described() if text else None,
        "dim_before": encoder.get_embedding_dimension(),
        "dim": finished.get_embedding_dimension(),
    }
    origins = [origin_of(str(model))] if vectors is None and isinstance(model, (str, Path)) else []
    with whole_folder(folder) as partial:
        saver.save(partial, finished)
        (partial / "README.md").write_text(postprocess_card(record, finished, origins), "utf-8", errors="backslashreplace")
    return Built(folder, record | {"warnings": list(text.warnings) if text else [], "wall_time_s": round(time.time() - started, 1)})


def apply_steps(
    model: SentenceTransformer, sentences: Sequence[str], steps: Sequence[StepSpec | str], batch_size: int = 128
) -> tuple[SentenceTransformer, list[dict[str, Any]]]:
    """Return a model with the steps appended, which shares the modules of `model`, and name, options and figures of each step.

    Args:
        model: the encoder.
        sentences: on which the steps are fitted; duplicates are removed.
        steps: parsed, or as text.
        batch_size: of encoding.

    Raises:
        UserError: a step cannot be applied to the model or fitted on the sentences.
    """
    from augcse.encoding.fitting import Fitting
    from augcse.encoding.untouched import kept_generators

    specs = [parse_steps([step])[0] if isinstance(step, str) else step for step in steps]
    if not specs:
        return model, []
    fitting = Fitting(model, sentences, batch_size)
    # Modules draw random weights before they get the fitted ones.
    with kept_generators(()):
        done = [{**spec.described(), "figures": spec.step.function(fitting, **spec.options)} for spec in specs]
    return fitting.model, done


def word_vector_file(model: object) -> Path | None:
    """Return the path if the model is a file of word vectors, else None."""
    path = Path(model).expanduser() if isinstance(model, (str, Path)) and str(model).strip() else None
    try:
        return path if path is not None and path.is_file() else None
    except OSError:
        # Not a valid file name.
        return None


def name_of(model: object) -> str:
    """Return the name of a model for records, without its parent folders, which are private."""
    if not isinstance(model, (str, Path)):
        return type(model).__name__
    path = Path(model).expanduser()
    return path.resolve().name if exists(path) else str(model)


def model_names(models: Sequence[str | Path]) -> list[str]:
    """Return names of several models for records: those of `name_of`, with as many parent folders as are needed to distinguish them.

    The model of a run has the name of the run.
    """
    names = names_by_folder([_naming_path(model) for model in models])
    return [name if exists(Path(model).expanduser()) else str(model) for name, model in zip(names, models, strict=True)]


def _naming_path(model: str | Path) -> Path:
    """Return the folder that names a model: its own, or for the model of a run that of the run."""
    path = Path(model).expanduser()
    if not exists(path):
        return path
    folder = path.resolve()
    return folder.parent if folder.is_dir() and folder.name == "model" else folder


def _check_model(model: object, vectors: Path | None, pooling: str | None, stop_words: bool | None, words: object) -> None:
    """Raise `UserError` if the path has no model, or an option does not apply to this kind of model."""
    if vectors is None and isinstance(model, (str, Path)):
        local_model_folder(str(model))
    if vectors is None and (stop_words is not None or words is not None):
        raise UserError(f"{name_of(model)} is no file of word vectors, and words are chosen of these alone; leave that option out")
    if pooling is not None and (vectors is not None or not isinstance(model, (str, Path))):
        raise UserError(f"{name_of(model)} has its pooling already (word vectors are averaged); leave --pooling out")


def _model_to_extend(
    model: str | Path | SentenceTransformer,
    vectors: Path | None,
    pooling: Pooling | None,
    stop_words: bool | None,
    words: Collection[str] | None,
) -> SentenceTransformer:
    """Return the model to extend: of word vectors, as given, or loaded by its name."""
    from augcse.encoding.model import load_sound_encoder
    from augcse.encoding.word_vectors import word_vector_model

    if vectors is not None:
        return word_vector_model(vectors, stop_words=stop_words is not False, words=words)
    if not isinstance(model, (str, Path)):
        return model
    return load_sound_encoder(str(model), pooling)
