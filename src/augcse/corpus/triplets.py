"""Labelled rows: several views of one row, each in a column of a table, as SimCSE's NLI triplets are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from augcse.corpus.formats import file_format
from augcse.corpus.lines import EncodingErrors
from augcse.corpus.read import CorpusReport, check_corpus_paths, read_sentences
from augcse.errors import UserError

# View -> column of SimCSE's nli_for_simcse.csv: a premise, a sentence it entails, one it contradicts.
TRIPLET_COLUMNS = {"original": "sent0", "positive": "sent1", "negative": "hard_neg"}


def read_views(
    paths: Sequence[str | Path],
    columns: Mapping[str, str] = TRIPLET_COLUMNS,
    encoding_errors: EncodingErrors = "strict",
    report: CorpusReport | None = None,
) -> Iterator[dict[str, str]]:
    """Yield one {view: text} per row of all files in order; a row with a blank cell is left out and counted as a blank line.

    The files are read as `read_sentences` reads them, once per view. SimCSE's code puts a blank in place of a missing cell, and so
    trains on it.

    Args:
        paths: .csv, .tsv, .jsonl or .parquet files, .gz and .xz among them.
        columns: view -> the column that holds it; numbers from 1 for a table without a header.
        encoding_errors: "strict" raises on bytes that are not UTF-8; "replace" puts U+FFFD in their place.
        report: filled along the way; `sentences` counts rows.

    Raises:
        UserError: plain text, a missing path or column, or unreadable bytes, with file and line.
    """
    report = report if report is not None else CorpusReport()
    for path in check_corpus_paths(paths):
        if file_format(path) == "text":
            named = ", ".join(columns.values())
            raise UserError(f"{path} is plain text; rows of {len(columns)} sentences need a table (.csv, .jsonl) with columns {named}")
        parts = [CorpusReport() for _ in columns]
        texts = [
            read_sentences([path], encoding_errors, part, column, keep_blank=True)
            for column, part in zip(columns.values(), parts, strict=True)
        ]
        for row in zip(*texts, strict=True):
            if all(row):
                report.sentences += 1
                yield dict(zip(columns, row, strict=True))
            else:
                report.blank_lines += 1
        report.cut_lines += [line for part in parts for line in part.cut_lines]
