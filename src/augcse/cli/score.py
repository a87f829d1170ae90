"""`augcse score`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from augcse.cli import completion
from augcse.cli.console import note, print_json, print_line, print_table, warn
from augcse.cli.train import check_encoding_errors
from augcse.options import MAX_BATCH_ROWS, MAX_SEED

if TYPE_CHECKING:
    from augcse.analysis.scoring.measure import AugmentationScore
    from augcse.analysis.scoring.run import AugmentationScores

_NO_LM = "none"
_HEADER = ["augmentation", "changes", "similarity", "by chance", "perplexity", "COND-HM", "SVG", "GH", "told apart", "words", "per second"]


def score(
    corpus: list[Path] = typer.Argument(help="Text files, one sentence per line, or tables; - is standard input."),
    names: str = typer.Option(
        "rule-based",
        "--with",
        help="Comma-separated: NAME, NAME:option=value, a set (12-aug-2), or 'chain(a, b)'.",
        autocompletion=completion.augmentation_list,
    ),
    model: str = typer.Option("mini-bert", help="Encoder for the similarities: mini-bert, a folder or a hub name."),
    lm: str = typer.Option("mini-bert", help="Causal or masked language model for the perplexities; none: no perplexity."),
    output: Path | None = typer.Option(None, help="New folder for scores.json and pairs.parquet, which augcse select reads."),
    sample: int = typer.Option(1000, min=50, max=5000, help="Distinct sentences drawn from the corpus."),
    fidelity: str = typer.Option("paper", help="paper, or repo: perplexity and similarity as AugCSE's code computes them."),
    pooling: str | None = typer.Option(None, help="For a bare backbone: cls, mean (default), first-last-0, first-last-1."),
    parser: str = typer.Option("en_ewt", help="spaCy pipeline: en_ewt (bundled), an installed one, or a folder."),
    column: str | None = typer.Option(None, help="The text's column in a table; a number from 1 if a .csv or .tsv has no header."),
    encoding_errors: str = typer.Option("strict", help="Bytes that are not UTF-8: strict stops, replace continues."),
    seed: int = typer.Option(0, min=0, max=MAX_SEED, help="Seed of the sample, the augmentations and the bootstrap."),
    batch_size: int = typer.Option(128, min=1, max=MAX_BATCH_ROWS, help="Sentences encoded at a time."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress on stderr."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Measure what augmentations make of a corpus: how often they apply, how alike, how fluent, how visible, how fast."""
    from augcse.analysis.scoring.run import score as run
    from augcse.augmentations.composition import split_names
    from augcse.corpus.pipes import corpus_files

    with corpus_files(corpus) as files:
        scores = run(
            files,
            split_names(names),
            model=model,
            lm=None if lm == _NO_LM else lm,
            output=output,
            sample=sample,
            fidelity=fidelity,  # type: ignore[arg-type] # checked where it is read
            pooling=pooling,  # type: ignore[arg-type] # checked where the poolings are
            parser=parser,
            column=column,
            encoding_errors=check_encoding_errors(encoding_errors),
            seed=seed,
            batch_size=batch_size,
            notify=(lambda line: None) if quiet else note,
            warn=warn,
        )
    if as_json:
        print_json(scores.as_json())
        return
    _print_scores(scores, output)


def _print_scores(scores: AugmentationScores, output: Path | None) -> None:
    print_table(_HEADER, [_score_cells(score) for score in scores.scores])
    settings = scores.settings
    perplexity = "not measured" if settings["lm"] is None else f"median difference under {settings['lm']}"
    print_line(
        f"{settings['sentences']:,} distinct sentences of {settings['of_sentences']:,}; similarity: mean cosine x 100 of a sentence and its"
        f" augmentation under {settings['model']}, by chance: and that of another; perplexity: {perplexity};"
        " told apart: by surface features, chance 50; words: share changed"
    )
    if output is not None:
        print_line(f"written to {output}; choose among them: augcse select {output}")


def _score_cells(score: AugmentationScore) -> list[str]:
    cells = [score.name, f"{score.changed_share:.1%}"]
    if score.similarity is None or score.shape is None or score.surface is None:
        return [*cells, *["-"] * 8, f"{score.sentences_per_s:,.0f}"]
    return [
        *cells,
        f"{100 * score.similarity.own_pair:.1f}",
        f"{100 * score.similarity.random_pair:.1f}",
        "-" if score.perplexity is None else f"{score.perplexity.median_difference:+.1f}",
        f"{score.shape.cond_hm:.2f}",
        f"{score.shape.svg:.2f}",
        f"{max(score.shape.gromov_hausdorff_h0, score.shape.gromov_hausdorff_h1):.2f}",
        f"{score.surface.told_apart:.0f}",
        f"{score.surface.words_changed:.0%}",
        f"{score.sentences_per_s:,.0f}",
    ]
