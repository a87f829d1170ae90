"""The page of the discriminator with any objective, from the records of scripts/discriminator_runs.py."""

from __future__ import annotations

import statistics

from augcse.report.curves import BALANCED, CHANCE, PLAIN
from augcse.report.record import Record, load_record
from augcse.report.runs import curve
from augcse.report.table import Table
from docs_pages.layout import NOTE, RESULTS

# The figures are means over this share of a run, its end.
_LAST = 0.25
_FIGURES = (BALANCED, CHANCE, PLAIN)


def discriminator() -> str:
    """Return the page: how to put the term beside an objective, and what it did where augmentations are easy to tell apart."""
    return (
        NOTE
        + "# The discriminator beside any objective\n\n"
        + "AugCSE's discriminator tells from a sentence's embedding and that of its augmentation which augmentation made it; a gradient"
        " reversal lets the encoder forget it (alpha below 0), or keep it (above 0). It is a term, not an objective: every objective but"
        " `augcse`, which has its own, can carry it.\n\n"
        "```toml\n[objective.discriminator]      # or --set objective.discriminator.alpha=-1 ...\nweight = 0.005                 # lambda\n"
        'alpha = -1.0\nalpha_schedule = "dann"        # alpha * (2 / (1 + exp(-10 p)) - 1); or "constant"\n'
        "warmup_share = 0.1             # of the steps, with alpha = 0: the discriminator learns alone\n"
        'rows = "balanced"              # every class of a batch counts the same; or "all", or "augmented": no class "none"\n'
        "learning_rate = 1e-3           # its own; left out: the encoder's\n```\n\n"
        "`[augmentation] names` say what it has to tell apart. It costs one encoder pass, of the augmented texts. Training logs"
        " `discriminator_accuracy`; beside it, since always naming the commonest label is right often,"
        " `discriminator_balanced_accuracy`, the mean over the classes of a batch, and `discriminator_chance`, what guessing gets there."
        " Bundled: `simcse-discriminator-mini`, `rankcse-discriminator-mini`.\n" + _measured()
    )


def _measured() -> str:
    """The records as a table; nothing where there is none."""
    records = sorted((load_record(path) for path in RESULTS.glob("discriminator/*/run.json")), key=_order)
    if not records:
        return ""
    first = records[0]["recipe"]
    names = ", ".join(first["augmentation"]["names"])
    steps, sentences = records[0]["steps"], records[0]["steps"] * first["training"]["batch_size"]
    header = ["lambda", "alpha", "balanced accuracy", "chance", "accuracy", "STS-B dev before", "after"]
    return (
        "\n## Where augmentations are easy to tell apart\n\n"
        f"`simcse-discriminator-mini` with {names}, rows that none of them changed left out, {steps:,} steps ({sentences:,} sentences of"
        f" mixed text), one seed (`scripts/discriminator_runs.py`; the records are in [results/discriminator](results/discriminator))."
        f" Accuracies are means over the last {_LAST:.0%} of the steps. At alpha = 0 the discriminator looks on."
        " One seed ranks no scores.\n\n" + Table(header, list(map(_row, records))).markdown() + "\n"
    )


def _order(record: Record) -> tuple[float, float]:
    section = record["recipe"]["objective"]["discriminator"]
    return -section["weight"], section["alpha"]


def _row(record: Record) -> list[str]:
    section = record["recipe"]["objective"]["discriminator"]
    accuracies = [f"{at_the_end(record, name):.3f}" for name in _FIGURES]
    scores = [f"{record[moment]['dev']['stsb_dev']:.2f}" for moment in ("before", "last")]
    return [f"{section['weight']:g}", f"{section['alpha']:g}", *accuracies, *scores]


def at_the_end(record: Record, name: str) -> float:
    """Return the mean of a figure over the last quarter of a run's steps."""
    points = [value for step, value in curve(record, name) if step > (1 - _LAST) * record["steps"]]
    return statistics.mean(points)
