"""The text that a static encoder is made of: files that are gone through more than once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from augcse.corpus.lines import EncodingErrors
from augcse.corpus.read import CorpusReport, check_corpus_paths, no_sentence, read_sentences
from augcse.errors import UserError
from augcse.files import file_sha256

_ADVANCE_EVERY = 1000


@dataclass(frozen=True)
class Text:
    """Files in order, and how they are read."""

    paths: tuple[Path, ...]
    encoding_errors: EncodingErrors = "strict"
    column: str | None = None

    @classmethod
    def of(cls, paths: str | Path | Sequence[str | Path], encoding_errors: EncodingErrors, column: str | None) -> Text:
        """Return the files, checked. Raises `UserError` for one that cannot be read."""
        return cls(tuple(check_corpus_paths([paths] if isinstance(paths, (str, Path)) else paths)), encoding_errors, column)

    def sentences(self, report: CorpusReport | None = None) -> Iterator[str]:
        """Yield the sentences. Raises `UserError` as `read_sentences`."""
        return read_sentences(self.paths, self.encoding_errors, report, self.column)

    def described(self) -> list[dict[str, str]]:
        """Return name, without folders, and SHA-256 of each file."""
        return [{"name": path.name, "sha256": file_sha256(path)} for path in self.paths]


@dataclass(frozen=True)
class Survey:
    """What a first pass over a text found.

    Attributes:
        sentences: how many there are.
        sample: sentences at equal distances, from the first on.
        report: what else was noticed.
    """

    sentences: int
    sample: list[str]
    report: CorpusReport


def survey(text: Text, sample_size: int, least_distinct: int, advance: Callable[[int], None]) -> Survey:
    """Go through a text once, check all of it, and keep a sample.

    Args:
        text: the files.
        sample_size: sentences of the sample, from half as many to all of so many where there are that many.
        least_distinct: sentences that differ which there must be.
        advance: receives numbers of further sentences.

    Raises:
        UserError: what cannot be read, with file and line; no sentence, or too few that differ.
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
            # Every other one: the distances stay equal, whatever the length of the text.
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
