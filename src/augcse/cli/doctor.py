"""`augcse doctor`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from augcse.cli.console import note, print_json, print_table
from augcse.options import MAX_BATCH_ROWS

if TYPE_CHECKING:
    from augcse.analysis.doctor import CountTokens, Diagnosis


def doctor(
    corpus: list[Path] = typer.Argument(
        help="Text files, one sentence per line, or tables (.csv .tsv .jsonl .json .parquet), also .gz .xz .bz2 .zst; - is standard input."
    ),
    model: str = typer.Option("mini-bert", help="Whose tokeniser counts: mini-bert, a folder or a hub name."),
    max_len_tokens: int = typer.Option(32, min=3, max=100_000, help="Where training cuts a sentence, special tokens included."),
    batch_size: int = typer.Option(64, min=2, max=MAX_BATCH_ROWS, help="Of training, for the share of batches that hold a repeat."),
    column: str | None = typer.Option(None, help="The text's column in a table; a number from 1 where a .csv or .tsv has no header."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Examine a corpus: repeats, near-repeats, lengths, encoding trouble, truncation, unknown tokens."""
    from dataclasses import asdict

    from augcse.analysis.doctor import diagnose
    from augcse.corpus.pipes import corpus_files
    from augcse.corpus.read import CorpusReport, check_corpus_paths, no_sentence, read_sentences

    report = CorpusReport()
    # The corpus is read twice, and reported once.
    reports = iter([report])
    with corpus_files(corpus) as files:
        check_corpus_paths(files)
        found = diagnose(
            lambda: read_sentences(files, "replace", next(reports, None), column, keep_blank=True),
            _counter(model),
            max_len_tokens,
            batch_size,
        )
    if not found.sentences:
        raise no_sentence(corpus)
    found.advice += report.warnings()
    if as_json:
        print_json(asdict(found))
        return
    _print(found)


def _counter(model: str) -> CountTokens:
    """Return a counter on the model's tokeniser; the bundled one's is read without importing torch."""
    from augcse.encoding.model import load_tokenizer
    from augcse.model_folder import BUNDLED_BACKBONES

    if model not in BUNDLED_BACKBONES:
        tokenizer = load_tokenizer(model)

        def count(sentences: Sequence[str]) -> list[tuple[int, int]]:
            ids = tokenizer(list(sentences), truncation=False, verbose=False)["input_ids"]
            return [(len(row), sum(token == tokenizer.unk_token_id for token in row)) for row in ids]

        return count
    from tokenizers import Tokenizer

    fast = Tokenizer.from_file(str(BUNDLED_BACKBONES[model] / "tokenizer.json"))
    fast.no_truncation()
    unknown = fast.token_to_id("[UNK]") or 0

    def count_fast(sentences: Sequence[str]) -> list[tuple[int, int]]:
        return [(len(row.ids), row.ids.count(unknown)) for row in fast.encode_batch(list(sentences))]

    return count_fast


def _print(found: Diagnosis) -> None:
    rows = [
        ["rows", f"{found.rows:,}"],
        ["blank", f"{found.blank:,}"],
        ["repeats", _share(found.duplicates)],
        ["near-repeats", _share(found.near_duplicates)],
        ["batches with a repeat", f"{found.duplicates['batches_with_repeat']:.1%}"],
        ["words", _range(found.lengths["words"])],
        ["characters", _range(found.lengths["characters"])],
        ["tokens", _range(found.tokens["lengths"])],
        [f"cut at {found.tokens['max_len_tokens']} tokens", f"{found.tokens['truncated_share']:.1%}"],
        ["unknown tokens", f"{found.tokens['unknown_share']:.2%}"],
        *[[f"rows with {name.replace('_', ' ')}", f"{count:,}"] for name, count in found.encoding.items()],
    ]
    print_table(["", ""], rows)
    for kind, pairs in (("repeat", found.duplicates["examples"]), ("near-repeat", found.near_duplicates["examples"])):
        for pair in pairs:
            note(f"{kind}: {pair['first'][:100]!r} - {pair['again'][:100]!r}")
    for line in found.advice or ["nothing to worry about"]:
        note(f"advice: {line}")


def _share(pairs: dict[str, Any]) -> str:
    return f"{pairs['count']:,} ({pairs['share']:.1%})"


def _range(quantiles: dict[str, float]) -> str:
    return (
        f"median {quantiles['median']:g}; 90 % within {quantiles['p5']:g} to {quantiles['p95']:g}; {quantiles['min']:g} to"
        f" {quantiles['max']:g}"
    )
