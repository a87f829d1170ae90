"""The checks of `augcse probe`, and their computation from the embeddings of one model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from augcse.analysis.probe.edits import FEWEST_EDITS, Triples
from augcse.analysis.probe.resampling import Statistic, mean_of, mean_over, pair_mean, rank_correlation, transformed
from augcse.analysis.probe.texts import ProbeTexts
from augcse.encoding.unit_rows import unit_rows

Array = npt.NDArray[Any]
# The checks that have a right answer.
SUMMARISED = ("mrr", "triples", "next-sentence")
# (check, augmentation); "" stands for the mean over augmentations.
Key = tuple[str, str]
_COSINE_TOLERANCE = 1e-12
_BLOCK_ROWS = 1024
# Norms that differ by a smaller share are equal up to float32 rounding.
_NORM_TOLERANCE = 1e-4


@dataclass(frozen=True)
class Check:
    """A check: its name, direction, meaning in one line, and number of decimals to show."""

    name: str
    better: Literal["higher", "lower", "-"]
    meaning: str
    decimals: int = 1


CHECKS = (
    Check("summary", "higher", "mean of mrr, triples and next-sentence, each rescaled so that chance is 0 and no error 100"),
    Check("recall@1", "higher", "share x 100 of edits that keep the meaning whose nearest sentence of the sample is their own"),
    Check("mrr", "higher", "mean of 1 / rank x 100 of the own sentence, of the same edits"),
    Check("triples", "higher", "share x 100 of sentences nearer to an edit that keeps the meaning than to one that changes it"),
    Check("next-sentence", "higher", "share x 100 of pairs in which the next sentence is nearer than the next of another (AUC)"),
    Check("alignment", "lower", "mean squared distance between a sentence and its edits that keep the meaning, on the unit sphere", 3),
    Check("uniformity", "lower", "log of the mean of exp(-2 d^2) over all pairs of different sentences, on the unit sphere", 3),
    Check("anisotropy", "lower", "mean cosine of all pairs of different sentences", 3),
    Check("length-cosine", "-", "Spearman x 100 of cosine and length similarity over random pairs; 0 is no bias"),
    Check("length-norm", "-", "Spearman x 100 of the embedding's norm and the sentence's length"),
    Check("lower-case", "higher", "mean cosine of a sentence and itself in lower case; 1 is no bias", 3),
    Check("upper-case", "higher", "mean cosine of a sentence and itself in upper case; 1 is no bias", 3),
)


class ModelChecks:
    """The statistics of one model, by check and augmentation.

    Args:
        texts: the encoded texts.
        embeddings: (distinct, dim), finite.
        row_of: text -> row of `embeddings`.
    """

    def __init__(self, texts: ProbeTexts, embeddings: Array, row_of: dict[str, int]) -> None:
        self._texts = texts
        self._unit = unit_rows(embeddings)
        self._row_of = row_of
        self._sentences = self._rows(texts.sample.sentences)
        self._norms = np.linalg.norm(embeddings[[row_of[text] for text in texts.sample.sentences]].astype(np.float64), axis=1)

    def statistics(self) -> dict[Key, Statistic]:
        """Return every statistic that can be computed from the texts, those over all augmentations first.

        Without an edit that keeps the meaning, only the checks of the sentences themselves are left; the summary covers what is left.
        """
        by_augmentation = self._preserving_statistics() | self._triple_statistics()
        overall = _mean_over_augmentations(by_augmentation) | self._next_sentence_statistics()
        if not overall.keys().isdisjoint(SUMMARISED):
            overall["summary"] = summary(overall, len(self._sentences))
        overall |= self._space_statistics() | self._length_statistics() | self._case_statistics()
        return {(check.name, ""): overall[check.name] for check in CHECKS if check.name in overall} | by_augmentation

    def summary(self) -> Statistic:
        """Return only the summary, for which the texts of `ProbeTexts.of_summary` suffice."""
        by_augmentation = self._preserving_statistics() | self._triple_statistics()
        return summary(_mean_over_augmentations(by_augmentation) | self._next_sentence_statistics(), len(self._sentences))

    def _rows(self, texts: Sequence[str]) -> Array:
        return self._unit[[self._row_of[text] for text in texts]]

    def _preserving_statistics(self) -> dict[Key, Statistic]:
        """Return recall, reciprocal rank and alignment of each augmentation that keeps the meaning."""
        statistics: dict[str, dict[Key, Statistic]] = {"recall@1": {}, "mrr": {}, "alignment": {}}
        for name, column in self._texts.edits.preserving.items():
            rows = [row for row, text in enumerate(column) if text is not None]
            edits = self._rows([text for text in column if text is not None])
            hits, reciprocal = ranks_of(edits, self._sentences, np.array(rows))
            distances = 2 - 2 * np.einsum("nd,nd->n", edits, self._sentences[rows])
            for check, values in (("recall@1", 100 * hits), ("mrr", 100 * reciprocal), ("alignment", distances)):
                statistics[check][check, name] = mean_of(self._scatter(rows, values))
        return statistics["recall@1"] | statistics["mrr"] | statistics["alignment"]

    def _triple_statistics(self) -> dict[Key, Statistic]:
        return {("triples", name): mean_of(self._triple_wins(triples)) for name, triples in self._texts.triples.items()}

    def _triple_wins(self, triples: Triples) -> Array:
        sentences = self._sentences[triples.rows]
        preserving = np.einsum("nd,nd->n", sentences, self._rows(triples.preserving))
        altering = np.einsum("nd,nd->n", sentences, self._rows(triples.altering))
        return self._scatter(triples.rows, 100 * _wins(preserving, altering))

    def _next_sentence_statistics(self) -> dict[str, Statistic]:
        """Return how often the next sentence is nearer than those of other sentences, identical texts excluded; {} for too few."""
        sample = self._texts.sample
        rows = [row for row, text in enumerate(sample.following) if text is not None]
        if len(rows) < FEWEST_EDITS:
            return {}
        following = [text for text in sample.following if text is not None]
        texts = np.array([self._row_of[text] for text in following])
        sentence_texts = np.array([self._row_of[sample.sentences[row]] for row in rows])
        shares = next_sentence_shares(self._sentences[rows], self._rows(following), texts, sentence_texts)
        return {"next-sentence": mean_of(self._scatter(rows, 100 * shares))}

    def _space_statistics(self) -> dict[str, Statistic]:
        spread = pair_mean(self._sentences, lambda cosines: np.exp(4 * (cosines - 1)))
        return {"uniformity": transformed(spread, np.log), "anisotropy": pair_mean(self._sentences, lambda cosines: cosines)}

    def _length_statistics(self) -> dict[str, Statistic]:
        """Return the correlations of length with cosine and norm; the latter is left out if all norms are equal."""
        lengths = self._texts.lengths_tokens.astype(np.float64)
        # The sample is in random order, so adjacent sentences are random pairs; every sentence is in two of them.
        partner_lengths = np.roll(lengths, -1)
        partners = np.roll(self._sentences, -1, axis=0)
        cosines = np.einsum("nd,nd->n", self._sentences, partners)
        similarity = np.minimum(lengths, partner_lengths) / np.maximum(np.maximum(lengths, partner_lengths), 1)
        statistics = {"length-cosine": transformed(rank_correlation(cosines, similarity), _percent)}
        if np.ptp(self._norms) > _NORM_TOLERANCE * self._norms.max(initial=0.0):
            statistics["length-norm"] = transformed(rank_correlation(self._norms, lengths), _percent)
        return statistics

    def _case_statistics(self) -> dict[str, Statistic]:
        lower = self._case_statistic("lower-case", self._texts.recased(str.lower))
        return lower | self._case_statistic("upper-case", self._texts.recased(str.upper))

    def _case_statistic(self, check: str, column: Sequence[str | None]) -> dict[str, Statistic]:
        rows = [row for row, text in enumerate(column) if text is not None]
        if len(rows) < FEWEST_EDITS:
            return {}
        cosines = np.einsum("nd,nd->n", self._rows([text for text in column if text is not None]), self._sentences[rows])
        return {check: mean_of(self._scatter(rows, cosines))}

    def _scatter(self, rows: Sequence[int] | Array, values: Array) -> Array:
        """Scatter values of some sentences into a column of all: (n,), NaN for the others."""
        column = np.full(len(self._sentences), np.nan)
        column[np.asarray(rows)] = values
        return column


def summary(overall: dict[str, Statistic], sentences: int) -> Statistic:
    """Return the mean of the checks that have a right answer, each as (share - chance) / (1 - chance) x 100; missing checks are left out.

    Args:
        overall: at least one of `SUMMARISED`, x 100.
        sentences: number of candidates in the ranking.
    """
    chance_rank = 100 * float((1 / np.arange(1, sentences + 1)).mean())
    chances = dict(zip(SUMMARISED, (chance_rank, 50.0, 50.0), strict=True))

    def rescaled(name: str, chance: float) -> Statistic:
        return transformed(overall[name], lambda values: 100 * (values - chance) / (100 - chance))

    return mean_over([rescaled(name, chance) for name, chance in chances.items() if name in overall])


def ranks_of(queries: Array, candidates: Array, targets: Array) -> tuple[Array, Array]:
    """Return the probability that the target ranks first, and its expected reciprocal rank, ties broken at random.

    Args:
        queries: (m, dim), unit rows.
        candidates: (n, dim), unit rows.
        targets: (m,) index of each query's target among the candidates.

    Returns:
        hits: (m,) in [0, 1].
        reciprocal: (m,) in (0, 1].
    """
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, len(candidates) + 1))])
    hits, reciprocal = np.empty(len(queries)), np.empty(len(queries))
    for start in range(0, len(queries), _BLOCK_ROWS):
        rows = slice(start, start + _BLOCK_ROWS)
        cosines = queries[rows] @ candidates.T
        target_cosines = cosines[np.arange(len(cosines)), targets[rows]][:, None]
        higher = (cosines > target_cosines + _COSINE_TOLERANCE).sum(axis=1)
        tied = (np.abs(cosines - target_cosines) <= _COSINE_TOLERANCE).sum(axis=1)
        hits[rows] = np.where(higher == 0, 1 / tied, 0.0)
        reciprocal[rows] = (harmonic[higher + tied] - harmonic[higher]) / tied
    return hits, reciprocal


def next_sentence_shares(sentences: Array, following: Array, following_texts: Array, own_texts: Array) -> Array:
    """Return, per sentence, the share of the others' next sentences that are less similar than its own; ties count half.

    Args:
        sentences: (m, dim), unit rows.
        following: (m, dim), unit rows.
        following_texts: (m,) text ids of the next sentences.
        own_texts: (m,) text ids of the sentences.

    Returns:
        (m,); NaN for a sentence without competitors.
    """
    shares = np.empty(len(sentences))
    for start in range(0, len(sentences), _BLOCK_ROWS):
        rows = slice(start, start + _BLOCK_ROWS)
        cosines = sentences[rows] @ following.T
        own = np.arange(start, start + len(cosines))
        wins = _wins(cosines[np.arange(len(cosines)), own][:, None], cosines)
        competes = (following_texts[None] != following_texts[own][:, None]) & (following_texts[None] != own_texts[own][:, None])
        total = competes.sum(axis=1)
        shares[rows] = np.divide((wins * competes).sum(axis=1), total, out=np.full(len(total), np.nan), where=total > 0)
    return shares


def _wins(left: Array, right: Array) -> Array:
    """Return 1 where left is larger, 0 where right is, and 0.5 for a tie."""
    difference = left - right
    return np.where(np.abs(difference) <= _COSINE_TOLERANCE, 0.5, (difference > 0).astype(np.float64))


def _mean_over_augmentations(by_augmentation: dict[Key, Statistic]) -> dict[str, Statistic]:
    """Return the mean of each check over its augmentations."""
    checks = dict.fromkeys(check for check, _ in by_augmentation)
    return {check: mean_over([statistic for (name, _), statistic in by_augmentation.items() if name == check]) for check in checks}


def _percent(values: Array) -> Array:
    return 100 * values
