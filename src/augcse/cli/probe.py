"""`augcse probe`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from augcse.cli.console import note, print_json, print_line, print_table, warn
from augcse.cli.train import check_encoding_errors
from augcse.options import MAX_BATCH_ROWS, MAX_RESAMPLES, MAX_SEED

if TYPE_CHECKING:
    from augcse.analysis.probe.checks import Check, Key
    from augcse.analysis.probe.run import Probe
    from augcse.evaluation.bootstrap import Interval


def probe(
    models: list[str] = typer.Argument(
        metavar="MODEL... [CORPUS]", help="Model folders, mini-bert, or hub names; then the corpus, unless --corpus names it."
    ),
    corpus: list[Path] = typer.Option([], "--corpus", help="A sentence per line, a blank line between documents; or a table; repeatable."),
    sample: int = typer.Option(1000, min=50, max=5000, help="Distinct sentences drawn from the corpus."),
    pooling: str | None = typer.Option(
        None, help="For a bare backbone: cls, mean (default), first-last-0, first-last-1. For a sentence-transformers folder: its own."
    ),
    language: str | None = typer.Option(None, help="Language of the corpus, e.g. de; without it, the parser's, if the text looks like it."),
    parser: str = typer.Option("en_ewt", help="spaCy pipeline: en_ewt (bundled), an installed one, or a folder; jieba for Chinese."),
    column: str | None = typer.Option(None, help="The text's column in a table; a number from 1 if a .csv or .tsv has no header."),
    encoding_errors: str = typer.Option("strict", help="Bytes that are not UTF-8: strict stops, replace continues."),
    resamples: int = typer.Option(1000, min=1, max=MAX_RESAMPLES, help="Resamples of the bootstrap over sentences."),
    seed: int = typer.Option(0, min=0, max=MAX_SEED, help="Seed of the sample, the edits and the bootstrap."),
    batch_size: int = typer.Option(128, min=1, max=MAX_BATCH_ROWS, help="Sentences encoded at a time."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress on stderr; warnings and errors only."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Check models without labels: do edits that keep the meaning stay near, and those that change it move away; the space's biases."""
    from augcse.analysis.probe.run import probe as run
    from augcse.corpus.pipes import corpus_files

    names, corpus_paths = _models_and_corpus(models, corpus)
    with corpus_files(corpus_paths) as files:
        result = run(
            names,
            files,
            sample=sample,
            pooling=pooling,  # type: ignore[arg-type] # validated by probe
            language=language,
            parser=parser,
            column=column,
            encoding_errors=check_encoding_errors(encoding_errors),
            resamples=resamples,
            seed=seed,
            batch_size=batch_size,
            notify=(lambda line: None) if quiet else note,
        )
    for model in result.models:
        for warning in model.warnings:
            warn(f"{model.model}: {warning.message}")
    if as_json:
        print_json(result.as_json())
        return
    _print_probe(result)


def _models_and_corpus(models: list[str], corpus: list[Path]) -> tuple[list[str], list[Path]]:
    """Split the arguments into models and corpus: without --corpus, the last one is the corpus."""
    from augcse.errors import UserError
    from augcse.model_folder import BUNDLED_BACKBONES, holds_model

    if corpus:
        return models, corpus
    *others, last = models
    if not others or last in BUNDLED_BACKBONES or holds_model(Path(last)):
        raise UserError(f"{last}: a corpus is needed after the models; give augcse probe MODEL... CORPUS")
    return others, [Path(last)]


def _print_probe(result: Probe) -> None:
    names = [model.model for model in result.models]
    header = [*names, *(["difference"] if result.differences else [])]
    _print_checks(result, header)
    _print_preserving_edits(result, header)
    _print_altering_edits(result, header)
    _print_remarks(result)


def _print_checks(result: Probe, header: list[str]) -> None:
    from augcse.analysis.probe.checks import CHECKS

    shown = [check for check in CHECKS if any((check.name, "") in model.figures for model in result.models)]
    rows = [[check.name, check.better, *_figure_cells(result, (check.name, ""), check)] for check in shown]
    print_table(["check", "better", *header], rows)
    print_line("")


def _print_preserving_edits(result: Probe, header: list[str]) -> None:
    """Print the recall of each augmentation that keeps the meaning, if there are any."""
    rows = [
        [name, f"{sum(text is not None for text in column):,}", *_figure_cells(result, ("recall@1", name), _check_named("recall@1"))]
        for name, column in result.texts.edits.preserving.items()
    ]
    if rows:
        print_table(["keeps the meaning: recall@1", "sentences", *header], rows)
        print_line("")


def _print_altering_edits(result: Probe, header: list[str]) -> None:
    """Print the triples of each augmentation that changes the meaning, if there are any."""
    rows = []
    for name, triples in result.texts.triples.items():
        distances = f"{triples.preserving_distance:.1f}, {triples.altering_distance:.1f}"
        rows.append([name, f"{len(triples.rows):,}", distances, *_figure_cells(result, ("triples", name), _check_named("triples"))])
    if rows:
        print_table(["changes the meaning: triples", "triples", "token edits: keeps, changes", *header], rows)
        print_line("")


def _check_named(name: str) -> Check:
    from augcse.analysis.probe.checks import CHECKS

    return next(check for check in CHECKS if check.name == name)


def _figure_cells(result: Probe, key: Key, check: Check) -> list[str]:
    """Return the figure and its interval for each model, and for the difference if there is one."""
    figures = [model.figures.get(key) for model in result.models]
    cells = ["-" if figure is None else _figure_cell(figure.value, figure.interval, check.decimals) for figure in figures]
    if result.differences:
        difference = result.differences.get(key)
        cells.append("-" if difference is None else _figure_cell(difference.difference, difference.interval, check.decimals, "+"))
    return cells


def _figure_cell(value: float, interval: Interval, decimals: int, sign: str = "") -> str:
    # Adding 0 turns -0.0 into 0.0.
    shown, low, high = (format(round(figure, decimals) + 0.0, f"{sign}.{decimals}f") for figure in (value, interval.low, interval.high))
    return f"{shown} ({low} to {high})"


def _print_remarks(result: Probe) -> None:
    """Print the size of the sample, truncated sentences, and what is left out."""
    sample = result.texts.sample
    following = sum(text is not None for text in sample.following)
    print_line(
        f"{len(sample.sentences):,} distinct sentences of {sample.of_sentences:,}, {following:,} with a next one;"
        " in brackets: 95 % intervals; chance: 50 for triples and next-sentence"
    )
    for model in result.models:
        if model.truncated is not None and model.truncated.sentences:
            print_line(f"{model.model}: {model.truncated}")
    if not result.texts.edits.preserving:
        print_line(
            "no augmentation that keeps the meaning changes enough of this text: recall@1, mrr, triples and alignment are left out;"
            " --parser takes a parser of its language"
        )
    left_out = result.texts.edits.left_out
    for reason in dict.fromkeys(left_out.values()):
        print_line(f"left out: {', '.join(name for name in left_out if left_out[name] == reason)}: {reason}")
