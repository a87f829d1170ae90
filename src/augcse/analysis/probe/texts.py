"""All texts of the checks, made once for any number of models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.analysis.probe.edits import Edits, Triples, make_edits, make_triples
from augcse.analysis.probe.sample import Sample
from augcse.analysis.probe.surface import tokens
from augcse.annotation.pipeline import BUNDLED_PARSER

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class ProbeTexts:
    """A sample with everything that is compared with it.

    Attributes:
        sample: the sentences.
        edits: what augmentations make of them.
        triples: per altering augmentation, pairs of edits of about the same size.
        lengths_tokens: of the sentences, (n,).
    """

    sample: Sample
    edits: Edits
    triples: dict[str, Triples]
    lengths_tokens: Array

    def recased(self, change: Callable[[str], str]) -> list[str | None]:
        """Return the sentences in another case, None for those that have none or are in it."""
        return [text if (text := change(sentence)) != sentence else None for sentence in self.sample.sentences]

    def all(self) -> list[str]:
        """Return every distinct text that a model has to encode."""
        columns = [*self.edits.preserving.values(), *self.edits.altering.values(), self.recased(str.lower), self.recased(str.upper)]
        texts = [*self.sample.sentences, *self.sample.following, *(text for column in columns for text in column)]
        return list(dict.fromkeys(text for text in texts if text is not None))


def prepare(sample: Sample, *, language: str | None = None, parser: str = BUNDLED_PARSER, seed: int = 0) -> ProbeTexts:
    """Return the texts of a sample's checks; arguments and errors as in `make_edits`."""
    edits = make_edits(sample.sentences, language=language, parser=parser, seed=seed)
    lengths = np.array([len(tokens(sentence)) for sentence in sample.sentences])
    return ProbeTexts(sample, edits, make_triples(sample.sentences, edits), lengths)
