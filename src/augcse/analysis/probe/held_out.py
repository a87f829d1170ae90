"""Model selection by the checks without labels, on held-out sentences of the training corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from augcse.analysis.probe.checks import ModelChecks
from augcse.analysis.probe.edits import FEWEST_EDITS
from augcse.analysis.probe.texts import BATCH_TEXTS, ProbeTexts, prepare
from augcse.analysis.sample import SMALLEST_SAMPLE, draw_sample
from augcse.encoding.model import encode_distinct
from augcse.errors import UserError
from augcse.evaluation.base import check_finite
from augcse.evaluation.bootstrap import resample_counts
from augcse.evaluation.samples import Measured

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from augcse.config import Recipe
    from augcse.corpus.files import Corpus
    from augcse.evaluation.selection import Measure

Array = npt.NDArray[Any]
Lines = Callable[[], Iterable[str]]
# At most one of this many sentences is held out.
_SHARE = 5
# Per augmentation, at most one edit per this many sentences is used.
_EDITS_SHARE = 5
_NAME = "probe"


@dataclass(frozen=True)
class HeldOut:
    """Held-out sentences with their edits, prepared once per run.

    Args:
        prepared: the texts of all held-out sentences.
    """

    prepared: ProbeTexts = field(repr=False)

    @property
    def sentences(self) -> frozenset[str]:
        """The held-out sentences, to be excluded from training."""
        return frozenset(self.prepared.sample.sentences)

    def measure(self) -> Measure:
        """Return a scorer of models on all held-out sentences, named "probe"."""
        return _measure(_NAME, self.prepared, len(self.prepared.sample.sentences))

    def measure_of_first(self, sentences: int) -> Measure:
        """Return a scorer on the first `sentences` of them, a random subset, named "probe_N"; the full one if there are no more."""
        if sentences >= len(self.prepared.sample.sentences):
            return self.measure()
        return _measure(f"{_NAME}_{sentences}", self.prepared, sentences)


def _measure(name: str, prepared: ProbeTexts, sentences: int) -> Measure:
    """Return a scorer of models by the summary on the first `sentences` held-out sentences."""
    thinned = prepared.thinned(sentences, -(-sentences // _EDITS_SHARE))
    texts = thinned.of_summary()

    def measure(model: SentenceTransformer) -> Measured:
        embeddings, row_of = encode_distinct(model, texts, BATCH_TEXTS)
        check_finite(embeddings)
        sample = ProbeSample(ModelChecks(thinned, embeddings, row_of).summary(), sentences)
        return Measured({name: sample.value}, sample)

    return measure


@dataclass(frozen=True)
class ProbeSample:
    """A model's summary as a function of bootstrap counts per sentence."""

    statistic: Callable[[Array], Array] = field(repr=False)
    sentences: int

    @property
    def value(self) -> float:
        """The summary of the original sample."""
        return float(self.statistic(np.ones((1, self.sentences), dtype=np.int64))[0])

    def draws(self, generator: np.random.Generator, resamples: int) -> Array:
        """Return the summaries of bootstrap resamples of the sentences."""
        return self.statistic(self._counts(generator, resamples))

    def differences(self, other: ProbeSample, generator: np.random.Generator, resamples: int) -> tuple[float, Array]:
        """Return the other model's summary minus this one, for the sample and for each shared resample."""
        counts = self._counts(generator, resamples)
        return other.value - self.value, other.statistic(counts) - self.statistic(counts)

    def _counts(self, generator: np.random.Generator, resamples: int) -> Array:
        return np.concatenate(list(resample_counts(self.sentences, resamples, generator)))


def hold_out(lines: Lines, size: int, *, parser: str, seed: int) -> HeldOut:
    """Draw held-out sentences from a corpus and prepare their texts.

    Args:
        lines: returns a new iterator over the corpus: sentences, "" between documents.
        size: number of sentences; from a small corpus a fifth, but at least 50.
        parser: for the language of the corpus.
        seed: of the draw and the edits.

    Raises:
        UserError: too few sentences, or too few that an augmentation changes.
    """
    total = sum(1 for line in lines() if line)
    try:
        sample = draw_sample(lines(), min(size, max(SMALLEST_SAMPLE, total // _SHARE)), seed)
        prepared = prepare(sample, parser=parser, seed=seed)
        if not prepared.edits.preserving:
            raise UserError(
                f"no augmentation that keeps the meaning changes {FEWEST_EDITS} of the {len(prepared.sample.sentences):,} sentences;"
                " give whole sentences, more of them, or a parser for their language (augmentation.parser)"
            )
        return HeldOut(prepared)
    except UserError as error:
        raise UserError(f"--dev probe: {error}; or give --dev a file of your own pairs or labels, or --dev none") from error


def hold_out_of_run(recipe: Recipe, corpus: Corpus) -> HeldOut:
    """Hold out sentences of a run's corpus as its recipe says; errors as `hold_out`, and for a corpus without a sentence."""
    originals = corpus.originals(recipe.corpus.columns)
    originals.check_has_sentence()
    size, parser = recipe.evaluation.held_out_sentences, recipe.augmentation.parser
    return hold_out(originals.sentences_by_document, size, parser=parser, seed=recipe.training.seed)
