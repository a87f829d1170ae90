"""A corpus: files in order, and how they are read."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Self, TypeVar

from augcse.corpus.columns import Column
from augcse.corpus.lines import EncodingErrors
from augcse.corpus.read import CorpusReport, check_corpus_paths, no_sentence, read_sentences
from augcse.corpus.rows import Row, read_rows
from augcse.files import file_sha256, reported_read

Item = TypeVar("Item")


@dataclass(frozen=True)
class Corpus:
    """Text files or tables in a fixed order, and the options for reading them.

    Args:
        paths: text files, one sentence per line, or tables.
        column: the text column of tables; None takes "sentence" or "text", or the only one. A number (from 1) means no header.
        encoding_errors: "strict" raises on bytes that are not UTF-8, NUL and lone surrogates; "replace" puts U+FFFD in their place.
    """

    paths: tuple[Path, ...]
    column: Column = None
    encoding_errors: EncodingErrors = "strict"

    @classmethod
    def of(cls, files: str | Path | Sequence[str | Path], column: Column = None, encoding_errors: EncodingErrors = "strict") -> Self:
        """Return the corpus of one or more files; raises `UserError` for one that is missing, a folder, a pipe or a URL."""
        paths = check_corpus_paths([files] if isinstance(files, (str, Path)) else files)
        return cls(tuple(paths), column, encoding_errors)

    @property
    def names(self) -> str:
        """The files, for messages."""
        return ", ".join(map(str, self.paths))

    @property
    def command_words(self) -> str:
        """The files and how they are read, as words of a command line."""
        column = [] if self.column is None else ["--column", self.column]
        errors = [] if self.encoding_errors == "strict" else ["--encoding-errors", self.encoding_errors]
        return shlex.join([*map(str, self.paths), *column, *errors])

    @cached_property
    def sha256(self) -> tuple[str, ...]:
        """The digest of each file's content, computed once; raises `UserError` for a file that cannot be read."""
        with reported_read():
            return tuple(map(file_sha256, self.paths))

    def described(self) -> list[dict[str, str]]:
        """Return the name (without folders) and digest of each file, for records."""
        return [{"name": path.name, "sha256": digest} for path, digest in zip(self.paths, self.sha256, strict=True)]

    def originals(self, columns: Mapping[str, str]) -> Corpus:
        """Return the corpus with the column of the original sentences as its text.

        Args:
            columns: view -> column, as in a recipe's `corpus.columns`; without the view "original", the column stays the same.
        """
        return replace(self, column=columns.get("original", self.column))

    def sentences(self, report: CorpusReport | None = None, *, keep_blank: bool = False) -> Iterator[str]:
        """Yield the sentences, see `read_sentences`."""
        return read_sentences(self.paths, self.encoding_errors, report, self.column, keep_blank)

    def sentences_by_document(self, report: CorpusReport | None = None) -> Iterator[str]:
        """Yield the sentences, and "" where a document ends: for a blank row, and between two files."""
        files = (read_sentences([path], self.encoding_errors, report, self.column, keep_blank=True) for path in self.paths)
        return _with_separator("", files)

    def rows(self, columns: Mapping[str, Column], report: CorpusReport | None = None, *, values: Collection[str] = ()) -> Iterator[Row]:
        """Yield rows of several cells, see `read_rows`; `columns` names all columns to read."""
        return read_rows(self.paths, columns, self.encoding_errors, report, values=values)

    def rows_by_document(
        self, columns: Mapping[str, Column], report: CorpusReport | None = None, *, values: Collection[str] = ()
    ) -> Iterator[Row]:
        """Yield rows as `rows`, and one without cells where a document ends: for a blank row, and between two files."""
        files = (read_rows([path], columns, self.encoding_errors, report, values=values, keep_blank=True) for path in self.paths)
        return _with_separator(Row({}), files)

    def check_has_sentence(self) -> None:
        """Raise `UserError` for a corpus without a sentence, or one that cannot be read."""
        if next(self.sentences(), None) is None:
            raise no_sentence(self.paths)


def _with_separator(separator: Item, groups: Iterable[Iterable[Item]]) -> Iterator[Item]:
    """Yield the items of all groups, with `separator` between two groups."""
    for number, group in enumerate(groups):
        if number:
            yield separator
        yield from group
