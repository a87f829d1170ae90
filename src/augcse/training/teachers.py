"""What a run's teachers say of its sentences: computed once, kept beside the prepared data, memory-mapped."""

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
from augcse.corpus.sample import sample_sentences
from augcse.encoding.model import load_encoder
from augcse.encoding.static.of_text import static_encoder
from augcse.errors import UserError
from augcse.files import whole_folder
from augcse.model_folder import model_folder
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


def load_teachers(names: Mapping[str, float], output: Path) -> dict[str, SentenceTransformer | None]:
    """Load the teachers that lie in folders or on the hub, and have each embed a sentence; None for a static one, which is made later.

    Raises:
        UserError: one that is not there, that lies in the run's own folder, or whose embedding is not finite.
    """
    return {name: None if parse_teacher(name)[0] == STATIC else _loaded(name, output) for name in names}


def _loaded(name: str, output: Path) -> SentenceTransformer:
    if Path(name).expanduser().resolve().is_relative_to(output.resolve()):
        raise UserError(f"the teacher {name} lies in {output}, which this run writes; give another teacher, or another --output")
    with _said_of(name):
        teacher = load_encoder(name)
    _check_finite(name, _encoded(teacher, ["One sentence."]))
    return teacher


def taught(
    store: TokenStore,
    weights: Mapping[str, float],
    teachers: Mapping[str, SentenceTransformer | None],
    plan: Plan,
    folder: Path,
    watcher: Watcher,
    ranks: int = 0,
) -> TokenStore:
    """Return the store with its rows' teacher vectors, as `teacher_vectors` makes them; itself without teachers."""
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
    """Return every row's teacher vectors: (rows, dimensions of all) float16, unit vectors times the root of the teacher's weight.

    Side by side they are such that the product of two rows is the weighted mean of the teachers' cosines. What lies in `folder` is taken
    where it was made by the same teachers from the same text.

    Args:
        weights: by teacher; they add up to 1 at most.
        teachers: those of `load_teachers`.
        plan: what the sentences are read by; its backbone is the student's.
        rows: of the store.
        folder: where they are kept.
        watcher: receives the stage, its progress and warnings.
        ranks: put in the place of a vector its ranks (`rank_vectors`) of so many sentences of the corpus; 0: no.

    Raises:
        UserError: a vector that is not finite, a static teacher that the text is too short for, or rows that are not the corpus'.
    """
    described: list[Any] = [plan.fingerprint(), [[_digest(name, plan), weight] for name, weight in weights.items()]]
    fingerprint = digest_of([*described, ranks] if ranks else described)
    if _is_current(folder, fingerprint, watcher):
        return _opened(folder)
    # Loading and building may draw, and what lies there already would not.
    with whole_folder(folder) as partial, torch.random.fork_rng(devices=[]):
        found = {name: teachers[name] or _static_teacher(name, plan) for name in weights}
        watcher.start(TEACHERS, rows * len(weights))
        sample = sample_sentences(plan.read_originals(), ranks) if ranks else []
        dims = [len(sample) or embedding_dim(teacher) for teacher in found.values()]
        vectors = np.lib.format.open_memmap(partial / _VECTORS, mode="w+", dtype=np.float16, shape=(rows, sum(dims)))
        done, start = 0, 0
        for (name, teacher), dim in zip(found.items(), dims, strict=True):
            against = _encoded(teacher, sample) if sample else None
            for first, embedded in _embedded(name, teacher, plan, rows):
                embedded = embedded if against is None else rank_vectors(embedded @ against.T)
                vectors[first : first + len(embedded), start : start + dim] = weights[name] ** 0.5 * embedded
                done += len(embedded)
                watcher.advance(done, {})
            start += dim
        vectors.flush()
        del vectors
        write_manifest(partial, {"fingerprint": fingerprint})
    return _opened(folder)


def rank_vectors(cosines: Array) -> Array:
    """Return unit vectors whose products are Spearman's correlations of the rows: their ranks, less the mean. (rows, n) -> the same.

    Equal cosines are ranked in the order of the columns, which is the same for all rows.
    """
    ranks = cosines.argsort(axis=1, kind="stable").argsort(axis=1, kind="stable").astype(np.float32)
    ranks -= (cosines.shape[1] - 1) / 2
    scaled: Array = ranks / np.linalg.norm(ranks, axis=1, keepdims=True)
    return scaled


def _opened(folder: Path) -> Array:
    vectors: Array = np.load(folder / _VECTORS, mmap_mode="r")
    return vectors


def _is_current(folder: Path, fingerprint: str, watcher: Watcher) -> bool:
    if not folder.exists():
        return False
    try:
        return bool(check_folder(folder).about.get("fingerprint") == fingerprint)
    except DamagedFolderError as error:
        watcher.warn(f"{error}; asking the teachers again")
        return False


def _digest(name: str, plan: Plan) -> Any:
    """Return what decides a teacher: the content of its folder, or of a static one its settings and where its rows come from."""
    kind, settings = parse_teacher(name)
    if kind != STATIC:
        return folder_digest(model_folder(name))
    return [__version__, settings, folder_digest(model_folder(plan.model.backbone))]


def _static_teacher(name: str, plan: Plan) -> SentenceTransformer:
    with _said_of(name):
        return static_encoder(plan.read_originals(), plan.model.backbone, parse_teacher(name)[1])


@contextmanager
def _said_of(name: str) -> Iterator[None]:
    try:
        yield
    except UserError as error:
        raise UserError(f"the teacher {name}: {error}") from error


def _embedded(name: str, teacher: SentenceTransformer, plan: Plan, rows: int) -> Iterator[tuple[int, Array]]:
    """Yield the first row and the unit vectors of each chunk of the corpus."""
    sentences, first = iter(plan.read_originals()), 0
    while chunk := list(islice(sentences, _CHUNK_SENTENCES)):
        if first + len(chunk) > rows:
            break
        embedded = _encoded(teacher, chunk)
        _check_finite(name, embedded)
        yield first, embedded
        first += len(chunk)
    if first != rows or chunk:
        raise UserError(
            f"teachers rank every sentence of the corpus, and this recipe leaves some out ({rows:,} rows are prepared); set"
            ' augmentation.unaugmented to "keep"'
        )


def _encoded(teacher: SentenceTransformer, sentences: list[str]) -> Array:
    encoded: Array = teacher.encode(
        sentences, batch_size=_ENCODED_AT_A_TIME, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True
    )
    return encoded


def _check_finite(name: str, embedded: Array) -> None:
    if not np.isfinite(embedded).all():
        raise UserError(f"the teacher {name} embeds a sentence as NaN or infinity; give a whole model")
