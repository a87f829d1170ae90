"""The texts of the checks, prepared once for any number of models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.analysis.probe.edits import ProbeEdits, Triples, make_edits, make_triples, spread_evenly
from augcse.analysis.probe.surface import tokens
from augcse.analysis.sample import SentenceSample
from augcse.annotation.pipeline import BUNDLED_PARSER
from augcse.training.manifest import digest_of

Array = npt.NDArray[Any]
# The batch size of encoding. On a CPU, one batch of 128 texts of 50 tokens takes 2.5 times as long as four batches of 32, because its
# activations exceed the cache and are freed to the system after each layer. For short texts the two are equally fast.
BATCH_TEXTS = 32


@dataclass(frozen=True)
class ProbeTexts:
    """A sample with all texts that are compared with it.

    Attributes:
        sample: the sentences.
        edits: their augmentations.
        triples: per altering augmentation, pairs of edits of about the same size.
        lengths_tokens: lengths of the sentences, (n,).
    """

    sample: SentenceSample
    edits: ProbeEdits
    triples: dict[str, Triples]
    lengths_tokens: Array

    def digest(self) -> str:
        """Return a digest of the sentences and their edits, on which the summary of a model depends."""
        triples = {name: [of_name.rows.tolist(), of_name.preserving, of_name.altering] for name, of_name in self.triples.items()}
        return digest_of([self.sample.sentences, self.sample.following, self.edits.preserving, triples])

    def recased(self, change: Callable[[str], str]) -> list[str | None]:
        """Return the sentences in another case, None for those that it does not change."""
        changed = [change(sentence) for sentence in self.sample.sentences]
        return [new if new != old else None for old, new in zip(self.sample.sentences, changed, strict=True)]

    def thinned(self, sentences: int, most: int) -> ProbeTexts:
        """Return the texts of the first sentences, with at most `most` edits per augmentation.

        The summary is a mean over augmentations, so its error is dominated by those that change few sentences; fewer edits of the others
        cost little precision. Altering edits remain only in triples.
        """
        preserving = {name: _thinned(column[:sentences], most) for name, column in self.edits.preserving.items()}
        triples = {name: triples.thinned(sentences, most) for name, triples in self.triples.items()}
        sample = replace(self.sample, sentences=self.sample.sentences[:sentences], following=self.sample.following[:sentences])
        return ProbeTexts(
            sample,
            replace(self.edits, preserving={name: column for name, column in preserving.items() if any(column)}, altering={}),
            {name: of_name for name, of_name in triples.items() if len(of_name.rows)},
            self.lengths_tokens[:sentences],
        )

    def of_summary(self) -> list[str]:
        """Return every distinct text that the summary needs."""
        columns: list[Sequence[str | None]] = [self.sample.sentences, self.sample.following, *self.edits.preserving.values()]
        columns += [side for triples in self.triples.values() for side in (triples.preserving, triples.altering)]
        return list(dict.fromkeys(text for column in columns for text in column if text is not None))

    def all(self) -> list[str]:
        """Return every distinct text that a model has to encode."""
        columns = [*self.edits.preserving.values(), *self.edits.altering.values(), self.recased(str.lower), self.recased(str.upper)]
        texts = [*self.sample.sentences, *self.sample.following, *(text for column in columns for text in column)]
        return list(dict.fromkeys(text for text in texts if text is not None))


def prepare(sample: SentenceSample, *, language: str | None = None, parser: str = BUNDLED_PARSER, seed: int = 0) -> ProbeTexts:
    """Prepare the texts of the checks on a sample; arguments and errors as in `make_edits`."""
    edits = make_edits(sample.sentences, language=language, parser=parser, seed=seed)
    lengths = np.array([len(tokens(sentence)) for sentence in sample.sentences])
    return ProbeTexts(sample, edits, make_triples(sample.sentences, edits), lengths)


def _thinned(column: Sequence[str | None], most: int) -> list[str | None]:
    """Keep at most `most` texts of a column, evenly spaced, and set the others to None."""
    rows = np.array([row for row, text in enumerate(column) if text is not None], dtype=np.int64)
    kept = set(spread_evenly(rows, most).tolist())
    return [text if row in kept else None for row, text in enumerate(column)]
