"""`augcse split`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from augcse.cli.console import note, print_json, row_progress, warn
from augcse.cli.train import check_encoding_errors
from augcse.corpus.read import MAX_SENTENCE_CHARACTERS, CorpusReport, check_corpus_paths, no_sentence, note_header

if TYPE_CHECKING:
    from augcse.corpus.lines import EncodingErrors
    from augcse.errors import UserError

# Progress is reported per chunk: a call per line would cost more than the line.
_REPORT_ROWS = 10_000
# A text with more lines that continue in lower case, and a larger share of them, looks hard-wrapped.
_WRAPPED_LINES, _WRAPPED_SHARE = 2, 0.2


@dataclass
class Counts:
    """The counts of `augcse split`."""

    lines: int = 0
    blank: int = 0
    sentences: int = 0
    too_short: int = 0
    too_long: int = 0
    # Lines that begin with a lower-case letter after a non-empty line.
    continuation_lines: int = 0

    @property
    def found(self) -> int:
        """Sentences of any length."""
        return self.sentences + self.too_short + self.too_long

    def read(self, lines: Iterable[str]) -> Iterator[str]:
        """Count lines while passing them on."""
        previous = ""
        for line in lines:
            text = line.strip()
            self.lines += 1
            if not text:
                self.blank += 1
            if previous and text[:1].islower():
                self.continuation_lines += 1
            previous = text
            yield line

    def filter_lengths(self, sentences: Iterable[str], least: int, most: int) -> Iterator[str]:
        """Pass on the sentences within the length limits, and count all of them."""
        for sentence in sentences:
            if len(sentence) < least:
                self.too_short += 1
            elif len(sentence) > most:
                self.too_long += 1
            else:
                self.sentences += 1
                yield sentence


def split(
    documents: list[Path] = typer.Argument(
        help="Text files, or tables (.csv .tsv .jsonl .json .parquet) of a text per row, also .gz .xz .bz2 .zst; - is standard input."
    ),
    output: Path = typer.Option(..., help="The file to write, one sentence per line; never one that exists."),
    language: str = typer.Option("en", help="Language whose abbreviations count: a code such as en, de or zh; xx for one without a list."),
    wrapped: bool = typer.Option(False, "--wrapped", help="Lines are broken at a width: join those between empty lines."),
    min_characters: int = typer.Option(1, min=1, max=10_000, help="Leave out shorter sentences."),
    max_characters: int = typer.Option(
        MAX_SENTENCE_CHARACTERS, min=1, max=MAX_SENTENCE_CHARACTERS, help="Leave out longer ones: lists, tables and text without marks."
    ),
    column: str | None = typer.Option(None, help="The text's column in a table; a number from 1 if a .csv or .tsv has no header."),
    encoding_errors: str = typer.Option("strict", help="Bytes that are not UTF-8: strict stops, replace continues."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress on stderr; warnings and errors only."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Split documents into sentences, one per line, in order; a line's end ends a sentence, unless lines are wrapped."""
    from augcse.annotation.segment import sentence_ends, split_lines
    from augcse.corpus.pipes import corpus_files
    from augcse.errors import UserError
    from augcse.files import whole_file

    check_output(output)
    if min_characters > max_characters:
        raise UserError(f"--min-characters {min_characters} is more than --max-characters {max_characters}; lower it")
    errors = check_encoding_errors(encoding_errors)
    counts, report = Counts(), CorpusReport()
    with corpus_files(documents) as files:
        check_corpus_paths(files)
        ends = sentence_ends(language)
        with (
            whole_file(output) as partial,
            partial.open("w", encoding="utf-8", newline="\n") as target,
            row_progress("lines", quiet) as progress,
        ):
            lines = (line for document in _documents(files, errors, column, report) for line in chain(counts.read(document), [""]))
            sentences = counts.filter_lengths(split_lines(lines, ends, wrapped), min_characters, max_characters)
            reported = 0
            for number, sentence in enumerate(sentences):
                target.write(sentence + "\n")
                if number % _REPORT_ROWS == 0:
                    progress.advance(counts.lines - reported)
                    reported = counts.lines
            if not counts.sentences:
                raise no_sentence(files) if counts.blank == counts.lines else _none_of_length(counts, min_characters, max_characters)
    for warning in (*report.warnings(), *_warnings(counts, wrapped, max_characters)):
        warn(warning)
    _print_result(counts, output, quiet, as_json)


def check_output(output: Path) -> None:
    """Raise `UserError` if the name is not that of a plain text file, or the file exists."""
    from augcse.corpus.formats import file_format
    from augcse.corpus.unpack import COMPRESSIONS
    from augcse.errors import UserError
    from augcse.files import check_can_be_folder

    if file_format(output) != "text" or output.suffix.lower() in COMPRESSIONS:
        raise UserError(f"--output {output}: plain text is written, one sentence per line; end its name in .txt")
    if output.exists() or output.is_symlink():
        raise UserError(f"--output {output} exists; choose another, or delete it")
    check_can_be_folder(output.absolute().parent)


def _none_of_length(counts: Counts, least: int, most: int) -> UserError:
    from augcse.errors import UserError

    return UserError(
        f"no sentence with a letter and {least:,} to {most:,} characters ({counts.too_short:,} shorter, {counts.too_long:,} longer); lower"
        " --min-characters or raise --max-characters"
    )


def _documents(files: list[Path], errors: EncodingErrors, column: str | None, report: CorpusReport) -> Iterator[Iterable[str]]:
    """Yield the lines of each text file, and of each row of a table."""
    from augcse.corpus.formats import file_format, located_texts
    from augcse.corpus.lines import text_lines

    for file in files:
        note_header(file, errors, column, report)
        texts = (text for _, text in located_texts(file, errors, column))
        yield from [texts] if file_format(file) == "text" else map(text_lines, texts)


def _warnings(counts: Counts, wrapped: bool, most: int) -> Iterator[str]:
    """Yield a warning about hard-wrapped text, and one about sentences left out as too long."""
    if not wrapped and counts.continuation_lines > max(_WRAPPED_LINES, _WRAPPED_SHARE * (counts.lines - counts.blank)):
        yield "many lines begin in lower case after another, as if broken at a width; --wrapped joins the lines between empty ones"
    if counts.too_long and most == MAX_SENTENCE_CHARACTERS:
        yield (
            f"left out, as longer than {most:,} characters: {counts.too_long:,} of {counts.found:,} sentences; break text without marks"
            " that end a sentence into lines"
        )


def _print_result(counts: Counts, output: Path, quiet: bool, as_json: bool) -> None:
    if as_json:
        print_json({"output": str(output), **{name: count for name, count in asdict(counts).items() if name != "continuation_lines"}})
    elif not quiet:
        left_out = f"; {counts.too_short:,} too short, {counts.too_long:,} too long" if counts.too_short or counts.too_long else ""
        note(f"{counts.sentences:,} sentences from {counts.lines - counts.blank:,} lines in {output}{left_out}")
        note(f"next: augcse doctor {output}")
