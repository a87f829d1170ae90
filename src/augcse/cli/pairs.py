"""`augcse pairs`."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from augcse.cli.console import note, print_json, print_line, warn
from augcse.cli.train import check_encoding_errors
from augcse.options import MAX_SEED

if TYPE_CHECKING:
    from augcse.analysis.pair_draw import DrawnPairs

HEADER = ("score", "sentence1", "sentence2")
# The grades of SemEval's STS tasks (Agirre et al. 2012), reworded.
GRADES = {
    5: "they mean the same",
    4: "they mean the same, except for details that do not matter",
    3: "they mean nearly the same, but something that matters differs or is missing",
    2: "they do not mean the same, but have some details in common",
    1: "they do not mean the same, but are about the same thing",
    0: "they have nothing to do with each other",
}
ADVICE = (
    "Grade what the sentences mean, not how they look. Halves such as 3.5 are allowed, and so is any other scale of numbers.",
    "Go from the top: the pairs are shuffled, so that the first half is as good a sample as any. Rows without a score are left out.",
    "Do not look at what a model says about a pair. If two people grade the same pairs, write the mean of their grades.",
)
_SUFFIXES = (".tsv", ".csv")
# A typical correlation of a good general model.
_USUAL_CORRELATION = 70


def pairs(
    corpus: list[Path] = typer.Argument(
        help="Text files, one sentence per line, or tables (.csv .tsv .jsonl .json .parquet), also .gz .xz .bz2 .zst; - is standard input."
    ),
    output: Path = typer.Option(..., help="The file to write, .tsv or .csv; never one that exists: it may hold grades."),
    model: str = typer.Option(..., help="The pairs are spread over its cosines, so give the best you have: a model folder or a hub name."),
    number: int = typer.Option(100, min=4, max=2_000, help="Pairs to draw."),
    sample: int = typer.Option(10_000, min=8, max=50_000, help="Sentences drawn from the corpus, from which the pairs are made."),
    max_characters: int = typer.Option(300, min=1, max=10_000, help="Leave out longer sentences, which nobody likes to grade."),
    seed: int = typer.Option(0, min=0, max=MAX_SEED, help="Seed of everything that is drawn."),
    column: str | None = typer.Option(None, help="The text's column in a table; a number from 1 if a .csv or .tsv has no header."),
    encoding_errors: str = typer.Option("strict", help="Bytes that are not UTF-8: strict stops, replace continues."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress on stderr; warnings and errors only."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Draw pairs of sentences of a corpus to be graded by hand, over the whole range of a model's similarity, and say how to grade them."""
    from augcse.analysis.pair_draw import sample_sentences, without_near_duplicates
    from augcse.corpus.pipes import as_given, corpus_files
    from augcse.corpus.read import CorpusReport, check_corpus_paths, no_sentence, read_sentences
    from augcse.files import write_text
    from augcse.model_folder import local_model_folder

    check_new_table(output)
    local_model_folder(model)
    report = CorpusReport()
    with corpus_files(corpus) as files:
        check_corpus_paths(files)
        sentences = read_sentences(files, check_encoding_errors(encoding_errors), report, column)
        sampled = sample_sentences((sentence for sentence in sentences if len(sentence) <= max_characters), sample, seed)
        if not report.sentences:
            raise no_sentence(files)
    warnings = [as_given(corpus, files)(warning) for warning in report.warnings()]
    distinct = without_near_duplicates(sampled)
    check_enough(len(distinct), number, max_characters)
    if not quiet:
        note(f"encoding {len(distinct):,} sentences")
    drawn = _encode_and_draw(distinct, model, number, seed)
    if len(drawn.pairs) < number:
        warnings.append(f"only {len(drawn.pairs):,} of {number:,} pairs have no sentence in common; a larger corpus has more")
    for warning in warnings:
        warn(warning)
    write_text(output, table_text(drawn.pairs, output.suffix.lower()))
    if as_json:
        print_json(_document(output, drawn, len(distinct)))
        return
    for line in instructions(output, len(drawn.pairs)):
        print_line(line)
    if not quiet:
        note(f"{len(drawn.pairs):,} pairs from {len(distinct):,} sentences in {output}")


def check_new_table(output: Path) -> None:
    """Raise `UserError` if the file exists or does not end in .tsv or .csv."""
    from augcse.errors import UserError
    from augcse.files import check_can_be_folder

    if output.suffix.lower() not in _SUFFIXES:
        raise UserError(f"--output {output}: the table is written as .tsv or .csv; end its name in one of them")
    if output.exists() or output.is_symlink():
        raise UserError(f"--output {output} exists, and may hold grades; choose another")
    check_can_be_folder(output.absolute().parent)


def check_enough(sentences: int, number: int, max_characters: int) -> None:
    """Raise `UserError` if there are too few sentences for the pairs."""
    from augcse.errors import UserError

    if sentences < 2 * number:
        raise UserError(
            f"{number:,} pairs need {2 * number:,} sentences of {max_characters} characters or fewer that are not near-repeats, and there"
            f" are {sentences:,}; give a larger corpus, raise --sample or --max-characters, or lower --number"
        )


def _encode_and_draw(sentences: Sequence[str], model: str, number: int, seed: int) -> DrawnPairs:
    """Draw the pairs over the cosines of a model, which is loaded here."""
    from augcse.analysis.pair_draw import draw_pairs
    from augcse.encoding.model import encode_distinct, load_encoder
    from augcse.evaluation.base import check_finite

    embeddings, _ = encode_distinct(load_encoder(model), sentences)
    check_finite(embeddings)
    return draw_pairs(sentences, embeddings, number, seed)


def table_text(pairs: Sequence[tuple[str, str]], suffix: str) -> str:
    """Return the table with an empty score in each row; only a .csv has quoting."""
    rows = [HEADER, *(("", first, second) for first, second in pairs)]
    if suffix == ".tsv":
        return "".join("\t".join(row) + "\n" for row in rows)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def instructions(output: Path, number: int) -> list[str]:
    """Return how to grade the pairs, line by line, and how precise the result will be."""
    from augcse.evaluation.precision import expected_interval

    low, high = expected_interval(_USUAL_CORRELATION, number)
    return [
        f"Write into the column score of {output} how alike the two sentences of each row are in meaning:",
        *(f"  {grade}  {meaning}" for grade, meaning in GRADES.items()),
        *ADVICE,
        f"Over {number:,} pairs a correlation of {_USUAL_CORRELATION} has a 95 % interval of about {low:.0f} to {high:.0f}.",
        f"Then: augcse evaluate MODEL --tasks {output}",
    ]


def _document(output: Path, drawn: DrawnPairs, distinct: int) -> dict[str, object]:
    from dataclasses import asdict

    from augcse.evaluation.precision import expected_interval

    return {
        "output": str(output),
        "pairs": len(drawn.pairs),
        "sentences": distinct,
        "strata": [asdict(stratum) for stratum in drawn.strata],
        "expected_interval": dict(zip(("low", "high"), expected_interval(_USUAL_CORRELATION, len(drawn.pairs)), strict=True)),
        "instructions": instructions(output, len(drawn.pairs)),
    }
