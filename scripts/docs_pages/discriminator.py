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
    """Return the page: how to add the term to an objective, and its effect on augmentations that are easy to distinguish."""
    return (
        NOTE
        + "# The discriminator with any objective\n\n"
        + "AugCSE's discriminator predicts from the embeddings of a sentence and of its augmentation which augmentation was applied. A"
        " gradient reversal makes the encoder remove this information (alpha < 0) or keep it (alpha > 0). It is an extra loss term that"
        " combines with every objective but `augcse`, which has its own.\n\n"
        "```toml\n[objective.discriminator]      # or --set objective.discriminator.alpha=-1 ...\nweight = 0.005                 # lambda\n"
        'alpha = -1.0\nalpha_schedule = "dann"        # alpha * (2 / (1 + exp(-10 p)) - 1); default: "constant"\n'
        "warmup_share = 0.1             # of the steps, with alpha = 0: only the discriminator learns; default: 0\n"
        'rows = "balanced"              # every class of a batch has the same weight; default: "all"; or "augmented": no class "none"\n'
        "learning_rate = 1e-3           # of the discriminator; default: the encoder's\n```\n\n"
        "`[augmentation] names` lists its classes. It costs one encoder pass over the augmented texts. Training logs"
        " `discriminator_accuracy`;"
        " `discriminator_balanced_accuracy`, the mean over the classes of a batch, since always predicting the commonest class is often"
        " correct; and `discriminator_chance`, the balanced accuracy of guessing."
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
        "\n## On augmentations that are easy to distinguish\n\n"
        f"`simcse-discriminator-mini` with {names}, without unchanged rows, {steps:,} steps ({sentences:,} sentences of"
        f" mixed text), one seed (`scripts/discriminator_runs.py`; the records are in [results/discriminator](results/discriminator))."
        f" Accuracies are means over the last {_LAST:.0%} of the steps. At alpha = 0 the discriminator does not affect the"
        " encoder. One seed is too few to rank the scores.\n\n" + Table(header, list(map(_row, records))).markdown() + "\n"
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
