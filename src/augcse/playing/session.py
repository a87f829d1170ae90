"""The state behind the page: the models, and the sentences of a corpus with their embeddings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from augcse.annotation.pipeline import BUNDLED_PARSER
from augcse.encoding.model import encode_distinct
from augcse.encoding.unit_rows import unit_rows

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Array = npt.NDArray[Any]
_CHUNK_SENTENCES = 2048


@dataclass(frozen=True)
class Session:
    """The models, by display name, and the corpus to search.

    Args:
        models: one or two; the first orders the results.
        sentences: the distinct sentences of the corpus; empty without a corpus.
        vectors: per model, the sentences' embeddings: float32 unit rows, (sentences, dim).
        parser: the spaCy pipeline for augmentations that need a parse.
        source: the corpus' files, for display.
    """

    models: Mapping[str, SentenceTransformer]
    sentences: Sequence[str] = ()
    vectors: Mapping[str, Array] = field(default_factory=dict)
    parser: str = BUNDLED_PARSER
    source: str = ""

    def encode(self, name: str, texts: Sequence[str]) -> Array:
        """Return unit embeddings of texts under a model: float32, (texts, dim); each distinct text is encoded once."""
        embeddings, row_of = encode_distinct(self.models[name], texts)
        unit = unit_rows(embeddings).astype(np.float32)
        return unit[[row_of[text] for text in texts]]


def encode_corpus(model: SentenceTransformer, sentences: Sequence[str], batch_size: int, advance: Callable[[int], None]) -> Array:
    """Return unit embeddings of distinct sentences: float32, (sentences, dim).

    Args:
        model: encodes them.
        sentences: distinct sentences.
        batch_size: of encoding.
        advance: called with the number of newly encoded sentences.
    """
    embeddings = []
    for start in range(0, len(sentences), _CHUNK_SENTENCES):
        chunk = sentences[start : start + _CHUNK_SENTENCES]
        embeddings.append(unit_rows(encode_distinct(model, chunk, batch_size)[0]).astype(np.float32))
        advance(len(chunk))
    return np.concatenate(embeddings)
