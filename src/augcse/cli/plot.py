"""`augcse plot`."""

from __future__ import annotations

from pathlib import Path

import typer

from augcse.cli.console import note, print_json
from augcse.options import MAX_SEED


def plot(
    kind: str = typer.Argument(help="curves, discriminator, map, scores, correlation, or ratings."),
    sources: list[str] = typer.Argument(
        help="Run folders, or a sweep's; for ratings: models; for correlation: the output of augcse score --output, then runs."
    ),
    output: Path = typer.Option(..., help="The SVG file to write."),
    figure: str | None = typer.Option(
        None, help="Which curve (curves), score (scores), or figure of augcse score (correlation: similarity, perplexity, ...)."
    ),
    corpus: list[Path] = typer.Option([], "--corpus", help="For map: the runs' text, if it is not where the records say; repeatable."),
    data: Path | None = typer.Option(None, help="For ratings: data folder with sts/ in it (or AUGCSE_DATA)."),
    sample: int = typer.Option(300, min=10, max=5000, help="For map: number of sentences of the corpus."),
    method: str = typer.Option("pca", help="For map: pca or tsne."),
    seed: int = typer.Option(0, min=0, max=MAX_SEED, help="Seed of map with tsne."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Draw finished runs, or models, as an SVG file: the papers' figures from your own records and models."""
    from augcse.errors import UserError
    from augcse.report.plots.kinds import plot as run

    if output.suffix.lower() != ".svg":
        raise UserError(f"--output {output}: pictures are SVG; give a name that ends in .svg")
    run(kind, sources, output=output, figure=figure, corpus=corpus, data=data, sample=sample, method=method, seed=seed)  # type: ignore[arg-type] # checked where it is read
    if as_json:
        print_json({"kind": kind, "picture": str(output)})
        return
    note(f"picture: {output}")
