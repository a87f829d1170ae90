"""`augcse doctor`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from augcse.cli.console import note, print_json, print_table
from augcse.options import MAX_BATCH_ROWS

if TYPE_CHECKING:
    from augcse.analysis.doctor import Diagnosis


def doctor(
    corpus: list[Path] = typer.Argument(
        help="Text files, one sentence per line, or tables (.csv .tsv .jsonl .json .parquet), also .gz .xz .bz2 .zst; - is standard input."
    ),
    model: str = typer.Option("mini-bert", help="Its tokeniser counts the tokens: mini-bert, a folder or a hub name."),
    max_len_tokens: int = typer.Option(32, min=3, max=100_000, help="Where training cuts a sentence, special tokens included."),
    batch_size: int = typer.Option(
        64, min=2, max=MAX_BATCH_ROWS, help="The batch size of training, for the share of batches with a repeat."
    ),
    column: str | None = typer.Option(None, help="The text's column in a table; a number from 1 if a .csv or .tsv has no header."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Examine a corpus: repeats, near-repeats, lengths, encoding trouble, truncation, unknown tokens."""
    from dataclasses import asdict

    from augcse.analysis.doctor import diagnose, token_counter
    from augcse.corpus.pipes import as_given, corpus_files
    from augcse.corpus.read import CorpusReport, check_corpus_paths, no_sentence, read_sentences, row_locations

    report = CorpusReport()
    # The corpus is read twice, but only the first pass fills the report.
    reports = iter([report])
    with corpus_files(corpus) as files:
        check_corpus_paths(files)
        diagnosis = diagnose(
            lambda: read_sentences(files, "replace", next(reports, None), column, keep_blank=True),
            token_counter(model),
            max_len_tokens,
            batch_size,
        )
        if not diagnosis.sentences:
            raise no_sentence(files)
        with_given_names = as_given(corpus, files)
        places = row_locations(files, "replace", column, {example["row"] for example in diagnosis.encoding_examples})
    for example in diagnosis.encoding_examples:
        example["where"] = with_given_names(places[example["row"]])
    diagnosis.advice += map(with_given_names, report.warnings())
    if as_json:
        print_json(asdict(diagnosis))
        return
    _print_diagnosis(diagnosis)


def _print_diagnosis(diagnosis: Diagnosis) -> None:
    rows = [
        ["rows", f"{diagnosis.rows:,}"],
        ["blank", f"{diagnosis.blank:,}"],
        ["repeats", _count_and_share(diagnosis.duplicates)],
        ["near-repeats", _count_and_share(diagnosis.near_duplicates)],
        ["batches with a repeat", f"{diagnosis.duplicates['batches_with_repeat']:.1%}"],
        ["words", _quantile_range(diagnosis.lengths["words"])],
        ["characters", _quantile_range(diagnosis.lengths["characters"])],
        ["tokens", _quantile_range(diagnosis.tokens["lengths"])],
        [f"cut at {diagnosis.tokens['max_len_tokens']} tokens", f"{diagnosis.tokens['truncated_share']:.1%}"],
        ["unknown tokens", f"{diagnosis.tokens['unknown_share']:.2%}"],
        *[[f"rows with {name.replace('_', ' ')}", f"{count:,}"] for name, count in diagnosis.encoding.items()],
    ]
    print_table(["", ""], rows)
    for kind, pairs in (("repeat", diagnosis.duplicates["examples"]), ("near-repeat", diagnosis.near_duplicates["examples"])):
        for pair in pairs:
            note(f"{kind}: {pair['first'][:100]!r} - {pair['again'][:100]!r}")
    for example in diagnosis.encoding_examples:
        note(f"{example['trouble'].replace('_', ' ')}, {example['where']}: {example['text'][:100]!r}")
    for line in diagnosis.advice or ["nothing to worry about"]:
        note(f"advice: {line}")


def _count_and_share(pairs: dict[str, Any]) -> str:
    return f"{pairs['count']:,} ({pairs['share']:.1%})"


def _quantile_range(quantiles: dict[str, float]) -> str:
    return (
        f"median {quantiles['median']:g}; 90 % within {quantiles['p5']:g} to {quantiles['p95']:g}; {quantiles['min']:g} to"
        f" {quantiles['max']:g}"
    )
