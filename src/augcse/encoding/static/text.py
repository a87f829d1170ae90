"""The first pass over the text of a static encoder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from augcse.corpus.files import Corpus
from augcse.corpus.read import CorpusReport, no_sentence
from augcse.errors import UserError

_ADVANCE_EVERY = 1000


@dataclass(frozen=True)
class Survey:
    """The results of the first pass.

    Attributes:
        sentences: their number.
        sample: evenly spaced sentences, from the first on.
        report: other observations.
    """

    sentences: int
    sample: list[str]
    report: CorpusReport


def survey(text: Corpus, sample_size: int, least_distinct: int, advance: Callable[[int], None]) -> Survey:
    """Read a text once, check all of it, and keep a sample.

    Args:
        text: the files.
        sample_size: the sample has at most this many sentences, and at least half of that if the text has as many.
        least_distinct: the required number of distinct sentences.
        advance: receives the numbers of sentences read since the last call.

    Raises:
        UserError: text that cannot be read, with file and line; no sentence, or too few distinct ones.
    """
    report = CorpusReport()
    sample: list[str] = []
    step, number = 1, 0
    distinct: set[str] = set()
    for sentence in text.sentences(report):
        if number % step == 0:
            sample.append(sentence)
        number += 1
        if len(sample) > sample_size:
            # Keep every second one, so that the sample is evenly spaced for any length of text.
            sample, step = sample[::2], 2 * step
        if len(distinct) < least_distinct:
            distinct.add(sentence)
        if number % _ADVANCE_EVERY == 0:
            advance(_ADVANCE_EVERY)
    advance(number % _ADVANCE_EVERY)
    if not number:
        raise no_sentence(text.paths)
    if len(distinct) < least_distinct:
        raise UserError(
            f"{', '.join(map(str, text.paths))}: {len(distinct)} sentences that differ, and whitening needs {least_distinct} at least,"
            " better 10,000; give more text"
        )
    return Survey(number, sample, report)
