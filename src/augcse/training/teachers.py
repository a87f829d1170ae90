"""The teachers' vectors of a run's sentences: computed once, saved with the prepared data, memory-mapped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import torch

from augcse import __version__
from augcse.config import Recipe
from augcse.corpus.files import Corpus
from augcse.corpus.sample import sample_sentences
from augcse.encoding.model import load_encoder
from augcse.encoding.static.backbone import fast_tokenizer
from augcse.encoding.static.of_text import static_encoder
from augcse.encoding.static.tokenizer import OtherScriptError, check_knows, unknown_token
from augcse.encoding.static.tokens import tokenize_sentences
from augcse.errors import FailedWorkError, UserError
from augcse.files import whole_folder
from augcse.model_folder import model_folder
from augcse.objectives.base import find_objective
from augcse.objectives.checks import embedding_dim
from augcse.objectives.option_types import parse_teacher
from augcse.training.manifest import DamagedFolderError, check_folder, digest_of, folder_digest, write_manifest
from augcse.training.store.files import TokenStore
from augcse.training.store.plan import Plan
from augcse.training.watcher import Watcher

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Array = npt.NDArray[Any]
STATIC = "static"
TEACHERS = "teachers"
_VECTORS = "vectors.npy"
_CHUNK_SENTENCES = 4_096
_ENCODED_AT_A_TIME = 128
_OTHER_BACKBONE = "give a model of this language (--model), pretrain one (augcse pretrain), or make an encoder with augcse static"


def load_teachers(names: Mapping[str, float], output: Path) -> dict[str, SentenceTransformer | None]:
    """Load the teachers from folders or the hub, and test each on a sentence; None for a static one, which is built later.

    Raises:
        UserError: a teacher that does not exist, that is in the run's own folder, or whose embedding is not finite.
    """
    return {name: None if parse_teacher(name)[0] == STATIC else _load_teacher(name, output) for name in names}


def check_static_teachers(recipe: Recipe, corpus: Corpus) -> None:
    """Check, by the first sentences, that static teachers can read the corpus: called before a start is fitted and rows are prepared.

    Raises:
        UserError: the tokenizer of a static teacher was made for another script.
    """
    if find_objective(recipe.objective.name).file is not None:
        return  # a user's own option may have this name and another meaning
    for name in recipe.objective.options().get(TEACHERS, ()):
        kind, settings = parse_teacher(name)
        if kind == STATIC:
            with _errors_about(name):
                _check_tokenizer(settings.get("tokenizer") or recipe.model.backbone, corpus.originals(recipe.corpus.columns))


def _check_tokenizer(model: str, corpus: Corpus) -> None:
    """Raise `OtherScriptError` if too many tokens of the first sentences are unknown to the model's tokenizer."""
    tokenizer = fast_tokenizer(load_encoder(model, device="cpu"))
    unknown = unknown_token(tokenizer) if tokenizer else None
    if tokenizer and unknown is not None:
        ids = tokenize_sentences(tokenizer, islice(corpus.sentences(), _CHUNK_SENTENCES)).ids
        check_knows(model, 0, float((ids == unknown).mean()) if len(ids) else 0.0, _OTHER_BACKBONE)


def _load_teacher(name: str, output: Path) -> SentenceTransformer:
    if Path(name).expanduser().resolve().is_relative_to(output.resolve()):
        raise UserError(f"the teacher {name} lies in {output}, which this run writes; give another teacher, or another --output")
    with _errors_about(name):
        teacher = load_encoder(name)
    _check_finite(name, _encode(teacher, ["One sentence."]))
    return teacher


def with_teacher_vectors(
    store: TokenStore,
    weights: Mapping[str, float],
    teachers: Mapping[str, SentenceTransformer | None],
    plan: Plan,
    folder: Path,
    watcher: Watcher,
    ranks: int = 0,
) -> TokenStore:
    """Return the store with the `teacher_vectors` of its rows; the store itself without teachers."""
    return replace(store, teacher=teacher_vectors(weights, teachers, plan, len(store), folder, watcher, ranks)) if teachers else store


def teacher_vectors(
    weights: Mapping[str, float],
    teachers: Mapping[str, SentenceTransformer | None],
    plan: Plan,
    rows: int,
    folder: Path,
    watcher: Watcher,
    ranks: int = 0,
) -> Array:
    """Return the teachers' vectors of each row, concatenated: (rows, sum of dimensions) float16.

    Each is a unit vector times the square root of its teacher's weight, so that the dot product of two rows is the weighted mean of the
    teachers' cosines. The vectors in `folder` are reused if they belong to the same teachers and corpus.

    Args:
        weights: by teacher; their sum is at most 1.
        teachers: those of `load_teachers`.
        plan: reads the sentences; its backbone is the student's.
        rows: the number of rows of the store.
        folder: the folder for the vectors.
        watcher: receives the stage, its progress and warnings.
        ranks: replace each vector by the ranks (`rank_vectors`) of its similarities to this many sentences of the corpus; 0: no.

    Raises:
        UserError: a vector that is not finite, too small a corpus for a static teacher, or rows that are not those of the corpus.
    """
    described: list[Any] = [plan.fingerprint(), [[_teacher_identity(name, plan), weight] for name, weight in weights.items()]]
    fingerprint = digest_of([*described, ranks] if ranks else described)
    if _is_up_to_date(folder, fingerprint, watcher):
        return _open_vectors(folder)
    # Building a teacher may use the random generator, which must not differ from a run that reuses the vectors.
    with whole_folder(folder) as partial, torch.random.fork_rng(devices=[]):
        encoders = {name: teachers[name] or _static_teacher(name, plan) for name in weights}
        watcher.start(TEACHERS, rows * len(weights))
        sample = sample_sentences(plan.read_originals(), ranks) if ranks else []
        dims = [len(sample) or embedding_dim(teacher) for teacher in encoders.values()]
        vectors = np.lib.format.open_memmap(partial / _VECTORS, mode="w+", dtype=np.float16, shape=(rows, sum(dims)))
        encoded_sentences = first_column = 0
        for (name, teacher), dim in zip(encoders.items(), dims, strict=True):
            references = _encode(teacher, sample) if sample else None
            for first, embedded in _embed_chunks(name, teacher, plan, rows):
                embedded = embedded if references is None else rank_vectors(embedded @ references.T)
                vectors[first : first + len(embedded), first_column : first_column + dim] = weights[name] ** 0.5 * embedded
                encoded_sentences += len(embedded)
                watcher.advance(encoded_sentences, {})
            first_column += dim
        vectors.flush()
        del vectors
        write_manifest(partial, {"fingerprint": fingerprint})
    return _open_vectors(folder)


def rank_vectors(cosines: Array) -> Array:
    """Return unit vectors whose dot products are Spearman's correlations of the rows: the centred ranks. (rows, n) -> the same shape.

    Equal cosines are ranked in the order of the columns.
    """
    ranks = cosines.argsort(axis=1, kind="stable").argsort(axis=1, kind="stable").astype(np.float32)
    ranks -= (cosines.shape[1] - 1) / 2
    scaled: Array = ranks / np.linalg.norm(ranks, axis=1, keepdims=True)
    return scaled


def _open_vectors(folder: Path) -> Array:
    vectors: Array = np.load(folder / _VECTORS, mmap_mode="r")
    return vectors


def _is_up_to_date(folder: Path, fingerprint: str, watcher: Watcher) -> bool:
    """Return whether the folder has intact vectors with this fingerprint; warn if it is damaged."""
    if not folder.exists():
        return False
    try:
        return bool(check_folder(folder).about.get("fingerprint") == fingerprint)
    except DamagedFolderError as error:
        watcher.warn(f"{error}; computing the vectors again")
        return False


def _teacher_identity(name: str, plan: Plan) -> Any:
    """Return what identifies a teacher: a digest of its folder or, for a static one, version, settings and a digest of the backbone."""
    kind, settings = parse_teacher(name)
    if kind != STATIC:
        return folder_digest(model_folder(name))
    return [__version__, settings, folder_digest(model_folder(plan.model.backbone))]


def _static_teacher(name: str, plan: Plan) -> SentenceTransformer:
    with _errors_about(name):
        return static_encoder(plan.read_originals(), plan.model.backbone, parse_teacher(name)[1])


@contextmanager
def _errors_about(name: str) -> Iterator[None]:
    """Add the name of the teacher to the errors of the block."""
    try:
        yield
    except OtherScriptError as error:
        raise UserError(f"the teacher {name}: {error.reason}; {_OTHER_BACKBONE}") from error
    except FailedWorkError:
        raise
    except UserError as error:
        raise UserError(f"the teacher {name}: {error}") from error


def _embed_chunks(name: str, teacher: SentenceTransformer, plan: Plan, rows: int) -> Iterator[tuple[int, Array]]:
    """Yield the first row and the unit vectors of each chunk of the corpus."""
    sentences, first = iter(plan.read_originals()), 0
    while chunk := list(islice(sentences, _CHUNK_SENTENCES)):
        if first + len(chunk) > rows:
            break
        embedded = _encode(teacher, chunk)
        _check_finite(name, embedded)
        yield first, embedded
        first += len(chunk)
    if first != rows or chunk:
        raise UserError(
            f"teachers rank every sentence of the corpus, and this recipe leaves some out ({rows:,} rows are prepared); set"
            ' augmentation.unaugmented to "keep"'
        )


def _encode(teacher: SentenceTransformer, sentences: list[str]) -> Array:
    encoded: Array = teacher.encode(
        sentences, batch_size=_ENCODED_AT_A_TIME, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True
    )
    return encoded


def _check_finite(name: str, embedded: Array) -> None:
    if not np.isfinite(embedded).all():
        raise UserError(f"the teacher {name} embeds a sentence as NaN or infinity; give an undamaged model")
