"""The oldest baseline: a sentence is the average of its words' static vectors, read from a text file in GloVe's format.

Built from sentence-transformers' `WordEmbeddings` and mean `Pooling`, which is how the "GloVe average" row of the papers came about
(Reimers and Gurevych 2019): split at blanks, punctuation stripped at the edges, lower case tried last, unknown words left out.
"""

from __future__ import annotations

import string
from array import array
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from augcse.errors import UserError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Array = npt.NDArray[Any]
# Word embeddings pad with row 0; a padded place is masked, so its vector is never read.
_PADDING = "[PAD]"
_WORD2VEC_HEADER = 2


def word_vector_model(path: str | Path, *, stop_words: bool = True, words: Collection[str] | None = None) -> SentenceTransformer:
    """Return a sentence-transformers model that averages the vectors of `path`. A sentence without a known word gets the zero vector.

    Args:
        path: lines of word, blank, numbers; a first line of two whole numbers (word2vec's header) is skipped.
        stop_words: leave out the stop words of sentence-transformers, as the published baseline does.
        words: keep only these (see `needed_words`); None keeps all. The file is read line by line, so that memory holds what is kept.

    Raises:
        UserError: no such file, a line that is not a word and as many numbers as in the first, with file and line, or fewer lines
            than the header says.
    """
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, WordEmbeddings
    from sentence_transformers.sentence_transformer.modules.tokenizer import ENGLISH_STOP_WORDS, WhitespaceTokenizer

    from augcse.encoding.untouched import kept_generators

    vocabulary, vectors = read_word_vectors(Path(path).expanduser(), words)
    tokenizer = WhitespaceTokenizer([_PADDING, *vocabulary], stop_words=ENGLISH_STOP_WORDS if stop_words else ())
    padded = np.concatenate([np.zeros((1, vectors.shape[1]), dtype=np.float32), vectors])
    del vectors
    # The module draws a table of its own before it takes the given one.
    with kept_generators(()):
        embeddings = WordEmbeddings(tokenizer, padded)
    return SentenceTransformer(modules=[embeddings, Pooling(padded.shape[1], pooling_mode="mean")])


def needed_words(sentences: Iterable[str]) -> set[str]:
    """Return every word under which the model's tokeniser may look up a token of the sentences: as it is, stripped, in lower case."""
    tokens = {token for sentence in sentences for token in sentence.split()}
    stripped = {token.strip(string.punctuation) for token in tokens}
    return (tokens | stripped | {token.lower() for token in stripped}) - {""}


def read_word_vectors(path: Path, words: Collection[str] | None = None) -> tuple[list[str], Array]:
    """Read words and their vectors, float32 (words, dim). Of a word that comes twice, the first vector counts.

    Numbers are counted from the end of the line, because some published files have words with blanks in them. A line whose word is not
    among `words` is checked for its number of columns only.

    Raises:
        UserError: see `word_vector_model`.
    """
    if not path.is_file():
        raise UserError(f"no file {path}; give a text file with lines of a word and its numbers, by blanks (GloVe's format)")
    chosen = None if words is None else set(words)
    kept: dict[str, None] = {}
    values = array("f")
    dim = lines = promised = 0
    for number, line in _numbered_lines(path):
        if number == 1 and (header := _header(line)):
            promised, dim = header
            continue
        lines += 1
        blanks = line.count(" ")
        dim = dim or blanks
        if not dim or blanks < dim or line.startswith(" "):
            raise UserError(f"{path}, line {number}: {blanks} numbers; expected a word and {dim or 'some'} numbers")
        # The first piece of a word with blanks in it is no whole word, so that nothing wanted is missed here.
        if chosen is not None and line[: line.index(" ")] not in chosen and blanks == dim:
            continue
        word, *columns = line.rsplit(" ", dim)
        if word not in kept and (chosen is None or word in chosen):
            kept[word] = None
            values.frombytes(_vector(columns, path, number).tobytes())
    if lines < promised:
        raise UserError(f"{path}: {lines:,} vectors, not the {promised:,} that its first line says; give the whole file")
    if not kept:
        asked = " of the words asked for" if chosen is not None else ""
        raise UserError(f"{path}: no word vectors{asked}; give a file with lines of a word and its numbers")
    return list(kept), np.frombuffer(values, dtype=np.float32).reshape(len(kept), dim)


def _header(line: str) -> tuple[int, int] | None:
    """Return the number of lines and of dimensions where a first line gives them (word2vec, fastText), else None."""
    columns = line.split(" ")
    whole = len(columns) == _WORD2VEC_HEADER and all(column.isdigit() for column in columns)
    return (int(columns[0]), int(columns[1])) if whole else None


def _numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    # Only "\n" ends a line: some words are other separators of Unicode's.
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield number, line.rstrip("\r\n ")
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not UTF-8: {error.reason} at byte {error.start} of a block; convert the file to UTF-8") from error


def _vector(columns: list[str], path: Path, number: int) -> Array:
    try:
        vector = np.array(columns, dtype=np.float32)
    except ValueError as error:
        raise UserError(f"{path}, line {number}: {error}; expected a word and {len(columns)} numbers") from error
    if not np.isfinite(vector).all():
        raise UserError(f"{path}, line {number}: a number is not finite; take the line out")
    return vector
