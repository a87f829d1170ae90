"""Edits of a sample by every augmentation that is declared to keep or to change the meaning, and triples of them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.analysis.probe.surface import edit_distance, tokens
from augcse.annotation.pipeline import BUNDLED_PARSER, parser_language
from augcse.augmentations.base import ANY_LANGUAGE, AUGMENTATIONS, Augmentation, Meaning
from augcse.augmentations.run.apply import Job, Request, apply_requests, fit_all
from augcse.augmentations.run.other_language import language_of
from augcse.rng import derive_seed

Array = npt.NDArray[Any]
# Minimum number of changed sentences per augmentation; with fewer, a share says little.
FEWEST_EDITS = 20
_MODELS = frozenset({"seq2seq", "mlm", "vectors"})
_CHUNK = 250


@dataclass(frozen=True)
class ProbeEdits:
    """Augmented texts of a sample: per augmentation, one text or None for each sentence.

    Attributes:
        preserving: by augmentations that keep the meaning ("highly_preserving" on the card).
        altering: by those that change it ("alteration").
        left_out: the other augmentations of these two kinds, each with the reason.
    """

    preserving: dict[str, list[str | None]]
    altering: dict[str, list[str | None]]
    left_out: dict[str, str]


@dataclass(frozen=True)
class Triples:
    """Sentences with an edit that keeps the meaning and one, by a certain augmentation, that changes it.

    Attributes:
        rows: indices of the sentences in the sample, (n,).
        preserving: the edits that keep the meaning.
        altering: the edits that change it.
        preserving_distance: mean edit distance of the former, in tokens.
        altering_distance: mean edit distance of the latter.
    """

    rows: Array
    preserving: list[str]
    altering: list[str]
    preserving_distance: float
    altering_distance: float

    def thinned(self, sentences: int, most: int) -> Triples:
        """Return at most `most` triples of the first sentences, evenly spaced; the distances stay those of all triples."""
        chosen = spread_evenly(np.flatnonzero(self.rows < sentences), most)
        preserving, altering = ([texts[index] for index in chosen] for texts in (self.preserving, self.altering))
        return replace(self, rows=self.rows[chosen], preserving=preserving, altering=altering)


def make_edits(sentences: Sequence[str], *, language: str | None = None, parser: str = BUNDLED_PARSER, seed: int = 0) -> ProbeEdits:
    """Apply every augmentation that keeps or changes the meaning and needs no model; each sentence is parsed once.

    The random stream of an edit depends only on the seed, the augmentation and the sentence. Augmentations that need corpus
    statistics take them from the sentences.

    Args:
        sentences: distinct sentences.
        language: of the sentences, ISO 639-1; None takes the parser's, and for the English parser asks whether they are English.
        parser: as in `augcse.annotation.pipeline.parse_sentences`.
        seed: of the random streams.

    Raises:
        UserError: no such parser.
    """
    parser_reads = parser_language(parser)
    text_language = parser_reads if parser_reads != "en" else language_of(sentences)
    members, left_out = _usable_augmentations(language or text_language, parser_reads)
    results = _apply_augmentations(members, sentences, parser, seed) if members else {}
    edits_by_meaning: dict[Meaning, dict[str, list[str | None]]] = {"highly_preserving": {}, "alteration": {}}
    for member in members:
        changed = sum(text is not None for text in results[member.name])
        if changed >= FEWEST_EDITS:
            edits_by_meaning[member.meaning][member.name] = results[member.name]
        else:
            few = f"changes {changed:,} of {len(sentences):,} sentences; {FEWEST_EDITS} are needed"
            left_out[member.name] = few if changed else member.why_unchanged(parser_reads)
    return ProbeEdits(edits_by_meaning["highly_preserving"], edits_by_meaning["alteration"], dict(sorted(left_out.items())))


def _usable_augmentations(language: str, parser_reads: str) -> tuple[list[Augmentation], dict[str, str]]:
    """Return the augmentations to apply, and the reason for each one left out."""
    members, left_out = [], {}
    for member in AUGMENTATIONS:
        if member.meaning == "possible_alteration":
            continue
        if _MODELS & set(member.needs):
            left_out[member.name] = "runs a model of its own"
        elif not member.reads(language):
            readable = " and ".join(known for known in member.languages if known != ANY_LANGUAGE)
            spaced = " and languages with spaces between words" if ANY_LANGUAGE in member.languages else ""
            left_out[member.name] = f"works on {readable}{spaced}; the text is {language}"
        elif member.needs_parse and language != parser_reads:
            left_out[member.name] = f"needs a parser of {language}; this one reads {parser_reads}"
        else:
            members.append(member)
    return members, left_out


def _apply_augmentations(members: Sequence[Augmentation], sentences: Sequence[str], parser: str, seed: int) -> dict[str, list[str | None]]:
    """Return the results of each augmentation by name, one per sentence; None if it does not change the sentence."""
    names = tuple(member.name for member in members)
    results: list[list[str | None]] = []
    with tempfile.TemporaryDirectory(prefix="augcse-") as folder:
        job = Job(seed, parser, fit_all(names, lambda: sentences, Path(folder)))
        requests = [Request(derive_seed(seed, "probe", sentence), sentence, names) for sentence in sentences]
        for start in range(0, len(requests), _CHUNK):
            results += apply_requests(requests[start : start + _CHUNK], job)
    return {name: [row[index] for row in results] for index, name in enumerate(names)}


def spread_evenly(rows: Array, most: int) -> Array:
    """Return at most `most` of the rows, evenly spaced: (min(n, most),).

    >>> spread_evenly(np.arange(10), 4)
    array([0, 2, 5, 7])
    """
    count = min(len(rows), most)
    chosen: Array = rows[np.arange(count) * len(rows) // max(count, 1)]
    return chosen


def make_triples(sentences: Sequence[str], edits: ProbeEdits) -> dict[str, Triples]:
    """Return, per altering augmentation, a triple for each sentence that it and a preserving one change.

    Of several preserving edits, the one whose edit distance is closest to that of the altering edit is taken; in a tie, the one that
    changes more.
    """
    words = [tokens(sentence) for sentence in sentences]
    changes = [_preserving_changes(words[row], edits.preserving, row) for row in range(len(sentences))]
    triples = {name: _triples_of(words, changes, texts) for name, texts in edits.altering.items()}
    return {name: of_name for name, of_name in triples.items() if len(of_name.rows) >= FEWEST_EDITS}


def _preserving_changes(words: Sequence[str], preserving: Mapping[str, Sequence[str | None]], row: int) -> list[tuple[int, str]]:
    """Return (edit distance, text) of each distinct edit of a sentence that keeps the meaning."""
    texts = dict.fromkeys(column[row] for column in preserving.values())
    return [(edit_distance(words, tokens(text)), text) for text in texts if text is not None]


def _triples_of(words: Sequence[Sequence[str]], changes: Sequence[Iterable[tuple[int, str]]], texts: Sequence[str | None]) -> Triples:
    """Return the triples of one altering augmentation, whose edits are `texts`."""
    rows, preserving, altering, distances = [], [], [], []
    for row, text in enumerate(texts):
        if text is None or not changes[row]:
            continue
        altering_change = edit_distance(words[row], tokens(text))
        distance, preserving_text = min(changes[row], key=lambda candidate: (abs(candidate[0] - altering_change), -candidate[0]))
        rows.append(row)
        preserving.append(preserving_text)
        altering.append(text)
        distances.append((distance, altering_change))
    means = np.mean(distances, axis=0) if distances else (0.0, 0.0)
    return Triples(np.array(rows, dtype=np.int64), preserving, altering, float(means[0]), float(means[1]))
