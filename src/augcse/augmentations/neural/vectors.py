"""Static word vectors and their nearest neighbours: exact, computed in blocks of words, cached per word."""

from __future__ import annotations

import functools
import hashlib
import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from augcse.disk_cache import cache_folder
from augcse.errors import UserError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float32]

BUNDLED_VECTORS = "mini-bert"
_BLOCK = 256
_ROUND = 5


class WordVectors:
    """Words and their vectors, of unit length; (words, dimensions) float32, possibly memory-mapped."""

    def __init__(self, words: Sequence[str], vectors: Array) -> None:
        self.words = list(words)
        self.vectors = vectors
        self._row = {word: row for row, word in enumerate(self.words)}
        self._neighbours: dict[tuple[str, int], list[str]] = {}

    def __contains__(self, word: str) -> bool:
        return word in self._row

    def neighbours(self, words: Iterable[str], number: int) -> dict[str, list[str]]:
        """Return, for each word with a vector, the `number` words of highest cosine, nearest first, ties in vocabulary order.

        Cosines are rounded to five decimals, so that a word's neighbours do not depend on the other words of its block.
        """
        wanted = sorted({word for word in words if word in self._row})
        missing = [word for word in wanted if (word, number) not in self._neighbours]
        for start in range(0, len(missing), _BLOCK):
            block = missing[start : start + _BLOCK]
            for word, rows in zip(block, self._nearest([self._row[word] for word in block], number), strict=True):
                self._neighbours[word, number] = [self.words[row] for row in rows]
        return {word: self._neighbours[word, number] for word in wanted}

    def _nearest(self, rows: list[int], number: int) -> Iterator[list[int]]:
        """Yield the rows of the nearest words to each row, without itself."""
        import numpy as np

        cosines = np.round(self.vectors[rows] @ self.vectors.T, _ROUND)
        cosines[np.arange(len(rows)), rows] = -np.inf
        for row in cosines:
            bound = np.partition(row, -number)[-number] if number < len(row) else -1.0
            near = np.flatnonzero(row >= max(bound, -1.0))
            yield near[np.argsort(-row[near], kind="stable")][:number].tolist()


def check_vectors_name(source: str) -> str:
    """Return the source of vectors; raises `UserError` unless it is `mini-bert` or an existing file."""
    if source != BUNDLED_VECTORS and not Path(source).expanduser().is_file():
        raise UserError(f"no vectors file {source}; give a text file with a word and its numbers per line (GloVe), or {BUNDLED_VECTORS}")
    return source


@functools.lru_cache(maxsize=2)
def load_vectors(source: str = BUNDLED_VECTORS) -> WordVectors:
    """Load vectors once per process: `mini-bert`, the bundled model's input embeddings of whole words, or a text file in GloVe's format.

    A text file is read once and saved as float32 in the cache folder, from where later runs and other processes map it into memory; with
    the cache off each process reads it. Raises `UserError` as `read_word_vectors` does.
    """
    if source == BUNDLED_VECTORS:
        return _bundled()
    path = Path(check_vectors_name(source)).expanduser()
    status = path.stat()
    key = hashlib.sha256(f"1|{path.resolve()}|{status.st_size}|{status.st_mtime_ns}".encode()).hexdigest()[:24]
    cache = cache_folder()
    if cache is None:
        return _read_text_vectors(path)
    folder = cache / "vectors" / key
    return _open_saved(folder) or _saved(_read_text_vectors(path), folder)


def _bundled() -> WordVectors:
    """Return the input embeddings of mini-bert's whole words, without their common part."""
    import numpy as np
    from safetensors import safe_open

    from augcse.augmentations.neural.wordpiece import WORD, load_vocabulary
    from augcse.resources import MINI_BERT

    vocabulary = load_vocabulary(BUNDLED_VECTORS)
    rows = [number for number, kind in enumerate(vocabulary.writable) if kind == WORD]
    with safe_open(str(MINI_BERT / "model.safetensors"), framework="numpy") as weights:
        name = next(key for key in weights.keys() if key.endswith("word_embeddings.weight"))  # noqa: SIM118 - not a dict
        table = weights.get_tensor(name)
    # The mean and the three directions of most variance encode how frequent a word is (Mu and Viswanath 2018); if they stayed, a few rare
    # words would be neighbours of half the vocabulary.
    centred = table[rows].astype(np.float64) - table[rows].astype(np.float64).mean(axis=0)
    # Eigenvectors of the small covariance: the same directions as from the whole table, in a fraction of the time.
    directions = np.linalg.eigh(centred.T @ centred)[1][:, -3:]
    return WordVectors([vocabulary.pieces[row] for row in rows], _unit(centred - (centred @ directions) @ directions.T))


def _read_text_vectors(path: Path) -> WordVectors:
    from augcse.lexicon.word_vectors import read_word_vectors

    words, vectors = read_word_vectors(path)
    return WordVectors(words, _unit(vectors))


def _unit(vectors: Array) -> Array:
    import numpy as np

    vectors = vectors.astype(np.float32)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    return vectors


def _open_saved(folder: Path) -> WordVectors | None:
    """Open what an earlier run saved; None if it is missing or incomplete."""
    import numpy as np

    try:
        words = json.loads((folder / "words.json").read_text("utf-8"))
        vectors = np.load(folder / "vectors.npy", mmap_mode="r")
    except (OSError, ValueError):
        return None
    return WordVectors(words, vectors) if len(words) == len(vectors) and vectors.dtype == np.float32 else None


def _saved(vectors: WordVectors, folder: Path) -> WordVectors:
    """Save vectors for later runs, if the cache can be written, and return them."""
    import numpy as np

    with suppress(OSError):
        folder.parent.mkdir(parents=True, exist_ok=True)
        # First into a temporary folder, which is then renamed: another process may do the same at the same time.
        with tempfile.TemporaryDirectory(dir=folder.parent, ignore_cleanup_errors=True) as partial:
            np.save(Path(partial) / "vectors.npy", vectors.vectors)
            (Path(partial) / "words.json").write_text(json.dumps(vectors.words), "utf-8")
            Path(partial).rename(folder)
    return vectors
