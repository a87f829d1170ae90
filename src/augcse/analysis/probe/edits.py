"""The edits of a sample by every augmentation whose card says what it does to the meaning, and triples of them."""

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
from augcse.errors import UserError
from augcse.rng import derive_seed

Array = npt.NDArray[Any]
# Sentences that an augmentation has to change; the share of fewer says little.
FEWEST_EDITS = 20
_MODELS = frozenset({"seq2seq", "mlm", "vectors"})
_CHUNK = 250


@dataclass(frozen=True)
class Edits:
    """What augmentations make of a sample, per name one text or None for each sentence.

    Attributes:
        preserving: by augmentations that keep the meaning ("highly_preserving" on the card).
        altering: by those that change it ("alteration").
        left_out: the others of these two kinds, and why each is not here.
    """

    preserving: dict[str, list[str | None]]
    altering: dict[str, list[str | None]]
    left_out: dict[str, str]


@dataclass(frozen=True)
class Triples:
    """Sentences with an edit that keeps the meaning and one, by a certain augmentation, that changes it.

    Attributes:
        rows: of the sentences in the sample, (n,).
        preserving: the edits that keep it.
        altering: the edits that change it.
        preserving_distance: token edits of the former, a mean over the triples.
        altering_distance: of the latter.
    """

    rows: Array
    preserving: list[str]
    altering: list[str]
    preserving_distance: float
    altering_distance: float

    def thinned(self, sentences: int, most: int) -> Triples:
        """Return at most so many triples of the first sentences, spread evenly over them; the distances stay those of all."""
        chosen = spread_evenly(np.flatnonzero(self.rows < sentences), most)
        preserving, altering = ([texts[index] for index in chosen] for texts in (self.preserving, self.altering))
        return replace(self, rows=self.rows[chosen], preserving=preserving, altering=altering)


def make_edits(sentences: Sequence[str], *, language: str | None = None, parser: str = BUNDLED_PARSER, seed: int = 0) -> Edits:
    """Apply every augmentation that keeps the meaning, or changes it, and needs no model; a sentence is parsed once for all.

    The random stream of an edit depends on the seed, the augmentation and the sentence alone. Augmentations that depend on a corpus take
    their statistics from the sentences.

    Args:
        sentences: distinct.
        language: of the sentences, ISO 639-1; None: the parser's.
        parser: as in `augcse.annotation.pipeline.parse_sentences`.
        seed: of the random streams.

    Raises:
        UserError: no augmentation that keeps the meaning changes `FEWEST_EDITS` sentences; no such parser.
    """
    read = parser_language(parser)
    members, left_out = _usable(language or read, read)
    results = _apply(members, sentences, parser, seed) if members else {}
    kinds: dict[Meaning, dict[str, list[str | None]]] = {"highly_preserving": {}, "alteration": {}}
    for member in members:
        changed = sum(text is not None for text in results[member.name])
        if changed >= FEWEST_EDITS:
            kinds[member.meaning][member.name] = results[member.name]
        else:
            few = f"changes {changed:,} of {len(sentences):,} sentences; {FEWEST_EDITS} are needed"
            left_out[member.name] = few if changed else member.why_unchanged(read)
    if not kinds["highly_preserving"]:
        raise UserError(
            f"no augmentation that keeps the meaning changes {FEWEST_EDITS} of the {len(sentences):,} sentences;"
            " give whole sentences, more of them, or their language (--language) and a parser for it (--parser)"
        )
    return Edits(kinds["highly_preserving"], kinds["alteration"], dict(sorted(left_out.items())))


def _usable(language: str, read: str) -> tuple[list[Augmentation], dict[str, str]]:
    """Return the augmentations to apply, and of the others of these meanings why not."""
    members, left_out = [], {}
    for member in AUGMENTATIONS:
        if member.meaning == "possible_alteration":
            continue
        if _MODELS & set(member.needs):
            left_out[member.name] = "runs a model of its own"
        elif not member.reads(language):
            read_ones = " and ".join(known for known in member.languages if known != ANY_LANGUAGE)
            blanks = " and what has blanks between words" if ANY_LANGUAGE in member.languages else ""
            left_out[member.name] = f"works on {read_ones}{blanks}; the text is {language}"
        elif member.needs_parse and language != read:
            left_out[member.name] = f"needs a parser of {language}; this one reads {read}"
        else:
            members.append(member)
    return members, left_out


def _apply(members: Sequence[Augmentation], sentences: Sequence[str], parser: str, seed: int) -> dict[str, list[str | None]]:
    names = tuple(member.name for member in members)
    results: list[list[str | None]] = []
    with tempfile.TemporaryDirectory(prefix="augcse-") as folder:
        job = Job(seed, parser, fit_all(names, lambda: sentences, Path(folder)))
        requests = [Request(derive_seed(seed, "probe", sentence), sentence, names) for sentence in sentences]
        for start in range(0, len(requests), _CHUNK):
            results += apply_requests(requests[start : start + _CHUNK], job)
    return {name: [row[index] for row in results] for index, name in enumerate(names)}


def spread_evenly(rows: Array, most: int) -> Array:
    """Return at most so many of the rows, as far apart as they can be: (min(n, most),).

    >>> spread_evenly(np.arange(10), 4)
    array([0, 2, 5, 7])
    """
    count = min(len(rows), most)
    chosen: Array = rows[np.arange(count) * len(rows) // max(count, 1)]
    return chosen


def make_triples(sentences: Sequence[str], edits: Edits) -> dict[str, Triples]:
    """Return, per altering augmentation, a triple for each sentence that it and a preserving one change.

    Of several preserving edits of a sentence the one is taken that changes as many tokens as the altering one, or nearly so; of two that
    are equally near to it, the one that changes more.
    """
    words = [tokens(sentence) for sentence in sentences]
    changes = [_preserving_changes(words[row], edits.preserving, row) for row in range(len(sentences))]
    triples = {name: _triples(words, changes, texts) for name, texts in edits.altering.items()}
    return {name: found for name, found in triples.items() if len(found.rows) >= FEWEST_EDITS}


def _preserving_changes(words: Sequence[str], preserving: Mapping[str, Sequence[str | None]], row: int) -> list[tuple[int, str]]:
    texts = dict.fromkeys(text for edited in preserving.values() if (text := edited[row]) is not None)
    return [(edit_distance(words, tokens(text)), text) for text in texts]


def _triples(words: Sequence[Sequence[str]], changes: Sequence[Iterable[tuple[int, str]]], texts: Sequence[str | None]) -> Triples:
    rows, kept, altered, distances = [], [], [], []
    for row, text in enumerate(texts):
        if text is None or not changes[row]:
            continue
        change = edit_distance(words[row], tokens(text))
        distance, other = min(changes[row], key=lambda found: (abs(found[0] - change), -found[0]))
        rows.append(row)
        kept.append(other)
        altered.append(text)
        distances.append((distance, change))
    means = np.mean(distances, axis=0) if distances else (0.0, 0.0)
    return Triples(np.array(rows, dtype=np.int64), kept, altered, float(means[0]), float(means[1]))
