"""`augcse report`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from augcse.cli.console import note, print_json

if TYPE_CHECKING:
    from augcse.report.html import Section
    from augcse.report.runs import ReportedRun


def report(
    runs: list[Path] = typer.Argument(
        help="Run folders or run.json files; also other models: folders with a score.json, or files that augcse evaluate --json printed."
    ),
    output: Path = typer.Option(..., help="The HTML file to write."),
    title: str = typer.Option("augcse runs", help="Heading of the page."),
    baseline: str = typer.Option(
        "before", help="What scores are compared to: before (each run's own start), a run, or another model given."
    ),
    data: Path | None = typer.Option(None, help="Data folder of the tests, if it is not where the records say."),
    paired_sentences: int = typer.Option(
        6000, min=0, max=1_000_000, help="The most test sentences that each model encodes, for paired intervals; 0: none."
    ),
    corpus: list[Path] = typer.Option([], "--corpus", help="The runs' corpus, if it is not where the records say; repeatable."),
    sample: int = typer.Option(
        300, min=0, max=2000, help="Sentences of the corpus for neighbours, map and examples; 0: the page shows no sentence of it."
    ),
    force: bool = typer.Option(False, "--force", help="Replace --output even if it is not a report."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Write an HTML page about finished runs: before and after in words, scores with intervals, curves, settings, texts and pictures."""
    from augcse.corpus.read import check_corpus_paths
    from augcse.evaluation.data_folder import find_data
    from augcse.files import write_text
    from augcse.report.page import Further, runs_page
    from augcse.report.paired import compare
    from augcse.report.scores import scored_rows

    check_output(output, force)
    if corpus:
        check_corpus_paths(corpus)
    folder = None if data is None else find_data(data)
    loaded, others = _read_arguments(runs)
    scored = scored_rows(loaded, others, baseline)
    paired = compare(scored, loaded, folder, sentences=paired_sentences, notify=note)
    further = Further(paired.comparisons, *_corpus_sections(loaded, corpus, sample, paired.left_out))
    write_text(output, runs_page(loaded, title, scored, further))
    for line in further.left_out:
        note(f"left out: {line}")
    if as_json:
        print_json(
            {
                "report": str(output),
                "runs": [_run_entry(run) for run in loaded],
                "beside": [{"name": name, **document} for name, document in others],
            }
        )
        return
    note(f"report: {output}")


def _read_arguments(paths: Sequence[Path]) -> tuple[list[ReportedRun], list[tuple[str, dict[str, Any]]]]:
    """Return the runs, and the names and scores of the other models."""
    from augcse.errors import UserError
    from augcse.files import names_by_folder
    from augcse.report.record import load_scores, scores_path
    from augcse.report.runs import load_runs

    run_paths: list[Path] = []
    run_names: list[str] = []
    others: dict[Path, tuple[str, dict[str, Any]]] = {}
    for path, name in zip(paths, names_by_folder([_naming_path(path) for path in paths]), strict=True):
        scores_file = scores_path(path)
        if scores_file is None:
            run_paths.append(path)
            run_names.append(name)
        else:
            others[path] = (name, _with_local_model(load_scores(scores_file), path, scores_file))
    if not run_paths:
        raise UserError(f"{paths[0]} is not a run; give a run's folder in addition to scores of models")
    return load_runs(run_paths, run_names), list(others.values())


def _corpus_sections(
    runs: Sequence[ReportedRun], corpus: Sequence[Path], sample: int, left_out: list[str]
) -> tuple[list[Section], list[str]]:
    """Return the sections that need the corpus, and the lines about what is left out."""
    from augcse.errors import UserError
    from augcse.report.space import space_sections
    from augcse.report.texts import read_texts, texts_sections
    from augcse.report.words import leading_run

    if not sample:
        return [], left_out
    sections: list[Section] = []
    try:
        texts = read_texts(leading_run(runs), runs, corpus, sample)
        sections += space_sections(texts, runs, left_out, note)
        sections += texts_sections(texts, runs)
    except UserError as error:
        left_out.append(f"what needs the corpus (neighbours, map, cosines, augmentations): {error}")
    return sections, left_out


def _naming_path(path: Path) -> Path:
    """Return the path that names a row: a folder, or a scores file without its suffix."""
    if path.is_dir():
        return path.resolve()
    return path.resolve().parent if path.name == "run.json" else path.resolve().with_suffix("")


def _with_local_model(document: dict[str, Any], path: Path, file: Path) -> dict[str, Any]:
    """Return scores with the local path of their model, if it is in their folder or next to the file."""
    from augcse.model_folder import holds_model

    local = next((folder for folder in (path, file.parent / document["model"]) if folder.is_dir() and holds_model(folder)), None)
    return document if local is None else {**document, "model": str(local)}


def _run_entry(run: ReportedRun) -> dict[str, Any]:
    record = run.record
    return {
        "run": str(run.folder),
        "name": run.name,
        "seed": run.seed,
        **{key: record[key] for key in ("scores", "intervals", "kept", "gain") if key in record},
        **{moment: record.get(moment) for moment in ("before", "best", "last")},
    }


def check_output(output: Path, force: bool) -> None:
    """Raise `UserError` if the output is a folder, cannot be written, or exists and is not a report, unless forced."""
    from augcse.errors import UserError
    from augcse.files import check_can_be_folder
    from augcse.report.html import GENERATOR

    if output.is_dir():
        raise UserError(f"--output {output} is a folder; give a file, e.g. {output / 'runs.html'}")
    check_can_be_folder(output.absolute().parent)
    if force or not output.exists():
        return
    try:
        with output.open("rb") as file:
            is_report = GENERATOR.encode() in file.read(1000)
    except OSError as error:
        raise UserError(f"--output {output} cannot be read: {error.strerror}; choose another") from error
    if not is_report:
        raise UserError(f"--output {output} exists and is not a report; choose another, or replace it with --force")
