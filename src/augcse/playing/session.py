"""What a page is made with: the models, and the sentences of a corpus with their embeddings, computed once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from augcse.annotation.pipeline import BUNDLED_PARSER
from augcse.encoding.model import encode_distinct
from augcse.evaluation.tasks.retrieval import unit_rows

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Array = npt.NDArray[Any]
_ENCODED_AT_ONCE = 2048


@dataclass(frozen=True)
class Session:
    """The models by the names to show, the first one first, and what is searched.

    Args:
        models: one or two.
        sentences: distinct ones, of the corpus; none at all where there is no corpus.
        vectors: per model, the sentences' embeddings: float32 rows of length 1, (sentences, dim).
        parser: the spaCy pipeline for augmentations that need a parse.
        source: the corpus' files, for display.
    """

    models: Mapping[str, SentenceTransformer]
    sentences: Sequence[str] = ()
    vectors: Mapping[str, Array] = field(default_factory=dict)
    parser: str = BUNDLED_PARSER
    source: str = ""

    def encode(self, name: str, texts: Sequence[str]) -> Array:
        """Return the unit vectors of texts under a model: float32, (texts, dim); each distinct text is encoded once."""
        embeddings, row_of = encode_distinct(self.models[name], texts)
        unit = unit_rows(embeddings).astype(np.float32)
        return unit[[row_of[text] for text in texts]]


def encoded_corpus(model: SentenceTransformer, sentences: Sequence[str], batch_size: int, advance: Callable[[int], None]) -> Array:
    """Return the unit vectors of distinct sentences: float32, (sentences, dim).

    Args:
        model: encodes them.
        sentences: distinct ones.
        batch_size: of encoding.
        advance: called with the number of further sentences that are done.
    """
    parts = []
    for start in range(0, len(sentences), _ENCODED_AT_ONCE):
        part = sentences[start : start + _ENCODED_AT_ONCE]
        parts.append(unit_rows(encode_distinct(model, part, batch_size)[0]).astype(np.float32))
        advance(len(part))
    return np.concatenate(parts)
