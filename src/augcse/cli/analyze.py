"""`augcse analyze`: the details of a score, models compared, and the geometry of their spaces."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from augcse.cli import completion
from augcse.cli.console import print_json, print_table, require_command, warn
from augcse.cli.train import check_encoding_errors
from augcse.errors import UserError
from augcse.options import MAX_RESAMPLES, MAX_SEED

if TYPE_CHECKING:
    from augcse.corpus.files import Corpus
    from augcse.evaluation.detail import Correlations

app = typer.Typer(help="Look closer: intervals, comparisons, neighbours, geometry.", invoke_without_command=True, callback=require_command)
_DATA = typer.Option(None, help="Data folder with sts/ in it (or AUGCSE_DATA); without it, the hub.")
_TASKS = typer.Option(
    "sts",
    help="Comma-separated STS tasks or suites (see: augcse list tasks), or files of your own graded pairs.",
    autocompletion=completion.task_list,
)
_JSON = typer.Option(False, "--json", help="Print one JSON document.")


@app.command("scores", short_help="Score STS tasks per subset, with intervals.")
def scores(
    model: str = typer.Argument(help="A model folder, mini-bert, or a hub name."),
    tasks: str = _TASKS,
    data: Path | None = _DATA,
    resamples: int = typer.Option(1000, min=1, max=MAX_RESAMPLES, help="Of the bootstrap."),
    seed: int = typer.Option(0, min=0, max=MAX_SEED, help="Of the bootstrap."),
    as_json: bool = _JSON,
) -> None:
    """Score STS tasks per subset, with Pearson, a 95 % interval, and warnings."""
    from augcse.analysis.spaces import check_models
    from augcse.encoding.model import load_encoder
    from augcse.evaluation.data_folder import find_data
    from augcse.evaluation.detail import score_in_detail

    check_models([model])
    _check_own_files(tasks)
    details = score_in_detail(load_encoder(model), _task_names(tasks), find_data(data), resamples=resamples, seed=seed)
    if as_json:
        print_json({name: detail.as_json() for name, detail in details.items()})
        return
    rows = []
    for name, detail in details.items():
        interval = f"{detail.interval.low:.2f} to {detail.interval.high:.2f}" if detail.interval else ""
        rows.append(_figure_cells(name, detail.all, interval))
        rows += [_figure_cells(f"  {subset}", figures, "") for subset, figures in detail.subsets.items()]
        for warning in detail.warnings:
            warn(f"{name}: {warning.message}")
    print_table(["task", "pairs", "Spearman x 100", "95 % interval", "Pearson x 100"], rows)


@app.command("compare", short_help="Compare two models with the paired bootstrap.")
def compare(
    first: str = typer.Argument(help="A model."),
    second: str = typer.Argument(help="Another; differences are second minus first."),
    tasks: str = typer.Option(
        "sts",
        help="Comma-separated STS or transfer tasks or suites (see: augcse list tasks), or files of your own pairs or labels.",
        autocompletion=completion.task_list,
    ),
    data: Path | None = _DATA,
    resamples: int = typer.Option(1000, min=1, max=MAX_RESAMPLES, help="Of the bootstrap."),
    seed: int = typer.Option(0, min=0, max=MAX_SEED, help="Of the bootstrap."),
    as_json: bool = _JSON,
) -> None:
    """Compare two models on the same pairs, or the same labelled rows, with the paired bootstrap."""
    from dataclasses import asdict

    from augcse.analysis.spaces import check_models
    from augcse.encoding.model import load_encoder
    from augcse.evaluation.data_folder import find_data
    from augcse.evaluation.detail import compare_models
    from augcse.training.outcome import signed

    check_models([first, second])
    _check_own_files(tasks)
    comparisons = compare_models(
        load_encoder(first), load_encoder(second), _task_names(tasks), find_data(data), resamples=resamples, seed=seed
    )
    if as_json:
        print_json({name: asdict(comparison) for name, comparison in comparisons.items()})
        return
    rows = [
        [name, signed(result.difference), f"{signed(result.interval.low)} to {signed(result.interval.high)}", f"{result.p_value:.3f}"]
        for name, result in comparisons.items()
    ]
    print_table(["task", "difference", "95 % interval", "p"], rows)


@app.command("neighbours", short_help="Show the nearest sentences of queries.")
def show_neighbours(
    models: list[str] = typer.Argument(help="One or more models."),
    query: list[str] = typer.Option(..., help="A query sentence; repeatable. A line of the corpus is not its own neighbour."),
    corpus: Path | None = typer.Option(None, help="Text file, one sentence per line, or a table; without it, the STS-B test sentences."),
    k: int = typer.Option(3, min=1, max=1_000_000, help="Neighbours per query."),
    column: str | None = typer.Option(None, help="The text's column in a table; a number from 1 if a .csv or .tsv has no header."),
    encoding_errors: str = typer.Option("strict", help="Bytes that are not UTF-8: strict stops, replace continues."),
    data: Path | None = _DATA,
    as_json: bool = _JSON,
) -> None:
    """Show the nearest sentences of queries, the models side by side (DiffCSE, table 9)."""
    from dataclasses import asdict

    from augcse.analysis.neighbours import side_by_side
    from augcse.analysis.spaces import find_neighbours
    from augcse.corpus.files import Corpus
    from augcse.evaluation.data_folder import find_data

    text = Corpus.of(corpus, column, check_encoding_errors(encoding_errors)) if corpus else None
    neighbours_of = find_neighbours(models, query, k, corpus=text, data=None if text else find_data(data))
    if as_json:
        print_json({text: {name: list(map(asdict, nearest)) for name, nearest in lists.items()} for text, lists in neighbours_of.items()})
        return
    print_table(["query", "rank", *models], side_by_side(neighbours_of), whole_columns=0)


@app.command("geometry", short_help="Measure alignment, uniformity and isotropy.")
def show_geometry(
    models: list[str] = typer.Argument(help="One or more models."),
    data: Path | None = _DATA,
    as_json: bool = _JSON,
) -> None:
    """Measure alignment, uniformity, isotropy, anisotropy and recall on STS-B's test sentences, and cosines by human rating."""
    from augcse.analysis.spaces import measure_geometry
    from augcse.evaluation.data_folder import find_data

    geometries = measure_geometry(models, find_data(data))
    if as_json:
        print_json({name: geometry.as_json() for name, geometry in geometries.items()})
        return
    figures = {name: geometry.figures for name, geometry in geometries.items()}
    measures = list(next(iter(figures.values())))
    print_table(["measure", *models], [[measure, *(_shown_measure(figures[name][measure]) for name in models)] for measure in measures])
    rows = [
        [f"{group.low:g} to {group.high:g}", f"{group.pairs:,}", *(_shown_measure(geometries[name].groups[index].mean) for name in models)]
        for index, group in enumerate(geometries[models[0]].groups)
    ]
    print_table(["human rating", "pairs", *(f"mean cosine, {name}" for name in models)], rows)


@app.command("isomorphism", short_help="Measure how alike spaces are in shape.")
def show_isomorphism(
    first: str = typer.Argument(help="A model."),
    second: str | None = typer.Argument(None, help="Another; without it, two or more texts are compared in one model."),
    corpus: list[Path] = typer.Option(
        [], help="Text, a sentence per line, or a table; repeatable. For two models one, or none: STS-B's test sentences."
    ),
    column: list[str] = typer.Option([], help="The text's column in a table; repeatable: each column of each table is then a text."),
    sentences: int = typer.Option(1000, min=3, max=100_000, help="Distinct sentences drawn from each text, the same number from all."),
    data: Path | None = _DATA,
    sample: int = typer.Option(100, min=3, max=150, help="Sentences drawn for the Gromov-Hausdorff estimate."),
    seed: int = typer.Option(0, min=0, max=MAX_SEED, help="Of the draw; both spaces get the same rows."),
    encoding_errors: str = typer.Option("strict", help="Bytes that are not UTF-8: strict stops, replace continues."),
    as_json: bool = _JSON,
) -> None:
    """Measure how alike spaces are in shape: SVG, COND-HM, Gromov-Hausdorff (AugCSE, appendix A.13).

    Two models are compared on the same sentences; in one model, every two texts are compared, such as the columns of a table (table 15).
    """
    from dataclasses import asdict

    from augcse.analysis.spaces import compare_spaces, compare_texts
    from augcse.evaluation.data_folder import find_data

    texts = _texts_by_name(corpus, column, encoding_errors)
    draw = {"sentences": sentences, "sample": sample, "seed": seed}
    if second is None:
        shapes = [{"texts": list(pair), **asdict(shape)} for pair, shape in compare_texts(first, texts, **draw).items()]
        document: dict[str, Any] = {"model": first, "pairs": shapes}
    else:
        figures = asdict(compare_spaces(first, second, texts=texts, data=None if texts else find_data(data), **draw))
        document = {"models": [first, second], **figures}
        shapes = [figures]
    if as_json:
        print_json(document)
        return
    header = [" and ".join(shape["texts"]) if "texts" in shape else "value" for shape in shapes]
    measures = [name for name in shapes[0] if name != "texts"]
    print_table(["measure", *header], [[name, *(f"{shape[name]:.4f}" for shape in shapes)] for name in measures])


def _texts_by_name(files: Sequence[Path], columns: Sequence[str], encoding_errors: str) -> dict[str, Corpus]:
    """Return the texts by name: each file, or each column of each file if several columns are named."""
    from augcse.corpus.files import Corpus

    errors = check_encoding_errors(encoding_errors)
    if columns and not files:
        raise UserError("--column without --corpus; give the table as --corpus")
    for option, given in (("--corpus", files), ("--column", columns)):
        if len(set(given)) < len(given):
            raise UserError(f"{option}: one is given twice; give each once")
    if len(columns) < 2:
        return {str(file): Corpus.of(file, columns[0] if columns else None, errors) for file in files}
    return {f"{file}:{column}": Corpus.of(file, column, errors) for file in files for column in columns}


def _figure_cells(name: str, figures: Correlations, interval: str) -> list[str]:
    return [name, f"{figures.pairs:,}", f"{figures.spearman:.2f}", interval, f"{figures.pearson:.2f}"]


def _shown_measure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _check_own_files(tasks: str) -> None:
    """Print warnings about the user's own files; raises `UserError` for one that cannot be scored."""
    from augcse.evaluation.base import own_files
    from augcse.evaluation.selection import own_file_warnings

    for message in own_file_warnings(own_files(_task_names(tasks))):
        warn(message)


def _task_names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]
