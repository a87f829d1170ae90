"""The oldest baseline: a sentence is the average of its words' static vectors, read from a text file in GloVe's format.

Built from sentence-transformers' `WordEmbeddings` and mean `Pooling`, which is how the "GloVe average" row of the papers was computed
(Reimers and Gurevych 2019): split at spaces, punctuation stripped at the edges, lower case tried last, unknown words left out.
"""

from __future__ import annotations

import string
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from augcse.lexicon.word_vectors import read_word_vectors

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

# Word embeddings pad with row 0; padding is masked, so this vector is never read.
_PADDING = "[PAD]"


def word_vector_model(path: str | Path, *, stop_words: bool = True, words: Collection[str] | None = None) -> SentenceTransformer:
    """Return a sentence-transformers model that averages the vectors of `path`. A sentence without a known word gets the zero vector.

    Args:
        path: a text file in GloVe's, word2vec's or fastText's format.
        stop_words: leave out the stop words of sentence-transformers, as the published baseline does.
        words: keep only these (see `needed_words`); None keeps all.

    Raises:
        UserError: see `read_word_vectors`.
    """
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, WordEmbeddings
    from sentence_transformers.sentence_transformer.modules.tokenizer import ENGLISH_STOP_WORDS, WhitespaceTokenizer

    from augcse.encoding.untouched import kept_generators

    vocabulary, vectors = read_word_vectors(Path(path).expanduser(), words)
    tokenizer = WhitespaceTokenizer([_PADDING, *vocabulary], stop_words=ENGLISH_STOP_WORDS if stop_words else ())
    padded = np.concatenate([np.zeros((1, vectors.shape[1]), dtype=np.float32), vectors])
    del vectors
    # The module draws a random table before it gets the given one.
    with kept_generators(()):
        embeddings = WordEmbeddings(tokenizer, padded)
    return SentenceTransformer(modules=[embeddings, Pooling(padded.shape[1], pooling_mode="mean")])


def needed_words(sentences: Iterable[str]) -> set[str]:
    """Return every form in which the model's tokeniser may look up a token of the sentences: as it is, stripped, in lower case."""
    tokens = {token for sentence in sentences for token in sentence.split()}
    stripped = {token.strip(string.punctuation) for token in tokens}
    return (tokens | stripped | {token.lower() for token in stripped}) - {""}
