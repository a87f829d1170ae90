"""Stream sentences from files of any size: one per line, or one column of a table."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from augcse.corpus.columns import USUAL_COLUMNS
from augcse.corpus.delimited import first_row
from augcse.corpus.formats import file_format, located_texts, location
from augcse.corpus.lines import EncodingErrors
from augcse.errors import UserError
from augcse.files import refuse_pipe

MAX_SENTENCE_CHARACTERS = 10_000
_REMEDY = "give a text file with one sentence per line, or a table (write sentences to a file first)"
STANDARD_INPUT = "-"
_SHOWN_CHARACTERS = 60


@dataclass
class CorpusReport:
    """Counts and problems of a corpus, updated while its stream is consumed."""

    sentences: int = 0
    blank_lines: int = 0
    # Rows of a table with some of their texts missing.
    incomplete_rows: int = 0
    cut_lines: int = 0
    # The location and length of the first cut line.
    first_cut: str = ""
    # Files whose header may be a sentence.
    doubtful_headers: int = 0
    first_header: str = ""

    def warnings(self) -> list[str]:
        """Return one line per kind of problem that the user should know about."""
        lines = []
        if self.cut_lines:
            lines.append(
                f"{self.cut_lines:,} lines are longer than {MAX_SENTENCE_CHARACTERS:,} characters (first: {self.first_cut});"
                " only their beginning is used; one sentence per line is expected"
            )
        if self.incomplete_rows:
            lines.append(f"{self.incomplete_rows:,} rows have an empty cell among their texts; they are left out")
        if self.doubtful_headers:
            others = f", and so in {self.doubtful_headers - 1:,} more files" if self.doubtful_headers > 1 else ""
            lines.append(f"{self.first_header} is taken as the header{others}; --column 1 if it is a sentence")
        return lines


def check_corpus_paths(paths: Sequence[str | Path]) -> list[Path]:
    """Return the paths as files; raises `UserError` for one that is missing, a folder, a pipe or a URL, or that is not a path."""
    if not isinstance(paths, Sequence | Iterator):
        raise _not_paths(paths)
    if not paths:
        raise UserError("no corpus given; name a text file with one sentence per line, e.g. --corpus sentences.txt")
    return [_check_path(path) for path in paths]


def read_sentences(
    paths: Sequence[str | Path],
    encoding_errors: EncodingErrors = "strict",
    report: CorpusReport | None = None,
    column: str | None = None,
    keep_blank: bool = False,
) -> Iterator[str]:
    """Yield the sentences of all files in order, stripped, without blank ones.

    A text file has one sentence per line; tables (`augcse.corpus.formats`) have one per row, in a column. Memory grows neither with
    the file nor with a line. A text over `MAX_SENTENCE_CHARACTERS` is cut and reported.

    Args:
        paths: the files.
        encoding_errors: "strict" raises on bytes that are not UTF-8, NUL and lone surrogates; "replace" puts U+FFFD in their place.
        report: updated while reading.
        column: the text column of tables; None takes "sentence" or "text", or the only one. A number (from 1) means no header.
        keep_blank: yield "" for blank rows, so that row i of the output is row i of the input.

    Raises:
        UserError: a path that is not a file, a missing column, bytes that are not UTF-8 text, or a line over `MAX_LINE_BYTES`, with file
            and line.
    """
    report = report if report is not None else CorpusReport()
    for path in check_corpus_paths(paths):
        note_header(path, encoding_errors, column, report)
        for number, text in located_texts(path, encoding_errors, column):
            sentence = text.strip()
            if not sentence:
                report.blank_lines += 1
                if keep_blank:
                    yield ""
                continue
            sentence = cut_to_length(sentence, path, number, report)
            report.sentences += 1
            yield sentence


def row_locations(paths: Sequence[Path], encoding_errors: EncodingErrors, column: str | None, rows: Collection[int]) -> dict[int, str]:
    """Return the file and line of some rows, by their numbers from 1 over all files, blank ones counted."""
    places = ((path, number) for path in paths for number, _ in located_texts(path, encoding_errors, column))
    numbered = enumerate(islice(places, max(rows, default=0)), start=1)
    return {row: location(path, number) for row, (path, number) in numbered if row in rows}


def note_header(path: Path, encoding_errors: EncodingErrors, column: str | None, report: CorpusReport) -> None:
    """Add the header of a table to the report if it may be a sentence: that of its only column, called neither "sentence" nor "text"."""
    kind = file_format(path)
    if column is None and kind in ("csv", "tsv"):
        header = first_row(path, encoding_errors, tabs=kind == "tsv")
        if len(header) == 1 and header[0].lower() not in USUAL_COLUMNS:
            report.doubtful_headers += 1
            report.first_header = report.first_header or f"{path}: {header[0][:_SHOWN_CHARACTERS]!r}"


def cut_to_length(sentence: str, path: Path, number: int, report: CorpusReport) -> str:
    """Return the first `MAX_SENTENCE_CHARACTERS` of a sentence; a cut is added to the report with its location."""
    if len(sentence) <= MAX_SENTENCE_CHARACTERS:
        return sentence
    report.cut_lines += 1
    report.first_cut = report.first_cut or f"{location(path, number)}: {len(sentence):,} characters"
    return sentence[:MAX_SENTENCE_CHARACTERS]


def no_sentence(paths: Sequence[str | Path]) -> UserError:
    """Return the error for a corpus without a sentence."""
    return UserError(f"{', '.join(map(str, paths))}: no sentence in it; give a text file with one sentence per line")


def _not_paths(given: object) -> UserError:
    return UserError(f"the corpus is of type {type(given).__name__}; give files: a path or several (write sentences to a file first)")


def _check_path(path: str | Path) -> Path:
    """Return a path as a file that can be read; raises `UserError` for any other."""
    if not isinstance(path, str | os.PathLike):
        raise _not_paths(path)
    text = str(path)
    # `Path` has turned the two slashes of "https://" into one.
    if re.match(r"[A-Za-z][\w+.-]+:/", text):
        raise UserError(f"{text} is a URL; download it first and give the file")
    try:
        file = Path(text).expanduser()
        mode = file.stat().st_mode if text != STANDARD_INPUT else stat.S_IFIFO
    except FileNotFoundError as error:
        raise UserError(f"no corpus file {text}; {_REMEDY}") from error
    except (OSError, RuntimeError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        # A sentence given instead of a path may be too long for a message.
        raise UserError(f"cannot read {text:.200}: {reason}; {_REMEDY}") from error
    if stat.S_ISDIR(mode):
        raise UserError(f"{file} is a folder; give its files, e.g. {file}/*.txt")
    refuse_pipe(file, mode, "a corpus")
    if not os.access(file, os.R_OK):
        raise UserError(f"cannot read {file}: permission denied; give a file that you may read")
    return file
