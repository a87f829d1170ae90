"""All texts of the checks, made once for any number of models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.analysis.probe.edits import Edits, Triples, make_edits, make_triples, spread_evenly
from augcse.analysis.probe.surface import tokens
from augcse.analysis.sample import Sample
from augcse.annotation.pipeline import BUNDLED_PARSER

Array = npt.NDArray[Any]
# Texts of one pass of the model. On a processor, 128 of 50 tokens take 2.5 times the time of four passes of 32: what they leave between
# layers is larger than its cache, and is given back to the system after each. Of short texts neither is faster.
ENCODED_TOGETHER = 32


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

    def thinned(self, sentences: int, most: int) -> ProbeTexts:
        """Return the texts of the first sentences, of which each augmentation counts with at most so many edits.

        The summary is a mean over augmentations, so that its error is that of those that change few sentences: what is left out of the
        others costs little of its precision. Altering edits stay as parts of triples alone.
        """
        preserving = {name: _thinned(column[:sentences], most) for name, column in self.edits.preserving.items()}
        triples = {name: triples.thinned(sentences, most) for name, triples in self.triples.items()}
        sample = replace(self.sample, sentences=self.sample.sentences[:sentences], following=self.sample.following[:sentences])
        return ProbeTexts(
            sample,
            replace(self.edits, preserving={name: column for name, column in preserving.items() if any(column)}, altering={}),
            {name: found for name, found in triples.items() if len(found.rows)},
            self.lengths_tokens[:sentences],
        )

    def of_summary(self) -> list[str]:
        """Return every distinct text that the summary is computed from."""
        columns: list[Sequence[str | None]] = [self.sample.sentences, self.sample.following, *self.edits.preserving.values()]
        columns += [side for triples in self.triples.values() for side in (triples.preserving, triples.altering)]
        return list(dict.fromkeys(text for column in columns for text in column if text is not None))

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


def _thinned(column: Sequence[str | None], most: int) -> list[str | None]:
    """Leave at most so many texts of a column, spread evenly over its rows."""
    kept = set(spread_evenly(np.array([row for row, text in enumerate(column) if text is not None], dtype=np.int64), most).tolist())
    return [text if row in kept else None for row, text in enumerate(column)]
