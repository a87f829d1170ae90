"""AugCSE's Figures 5, 6 and 7 from the records of bundled sweeps and of `augcse score`: the pictures, and the page that shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from textwrap import fill

from augcse.report.plots.correlation import FIGURES, correlations, points_by_role
from augcse.report.plots.kinds import plot
from augcse.report.runs import ReportedRun, load_runs
from augcse.report.single_augmentation import scores_by_augmentation, single_augmentation
from augcse.report.table import Table
from docs_pages.layout import NOTE, RESULTS

_ALPHAS, _ALONE = RESULTS / "augcse-table7", RESULTS / "augcse-figure6"
_SCORES = RESULTS / "scoring" / "scores.json"
_SCORE = "STSB"
_STEPS = 100
# Section 6.1: Pearson's correlation with STS-B where augmentations are positives.
_PUBLISHED = {"similarity": "+0.72", "perplexity": "-0.53"}
_ROLES = ("positive", "negative")
_PAGE = """# AugCSE's figures on mini-bert

Figures 5, 6 and 7 of Tang et al. 2022, drawn by `augcse plot` from kept records: the runs of [Table 7](augcse-table7.md) and of
[Figure 6](augcse-figure6.md), and what `augcse score` measured ([scores](scoring.md)).

## Does the discriminator learn? (Figure 5)

![balanced accuracy of the discriminator over the steps](figures/discriminator.svg)

A line per alpha, the mean of its seeds. The strongly collaborative discriminator (alpha 100) ends highest, the strongly
antagonistic one (-100) lowest; between -10 and 10 they cannot be told apart. All are little above chance.

## What is one augmentation worth? (Figure 6)

{alone}

![STS-B by augmentation, as positive or as negative](figures/alone.svg)

## Could one have told without training? (Figure 7)

Correlation, over augmentations, of what `augcse score` measures without training and the STS-B test score of training with that
augmentation alone. Published: Pearson's, BERT-base, as positives. RandomDeletion at rate 0.6, far from all others, rules Pearson's here;
Spearman's, of ranks, it does not.

{table}

![STS-B by similarity](figures/similarity.svg)

![STS-B by perplexity](figures/perplexity.svg)
"""


def figures() -> dict[str, Callable[[], str]]:
    """Return the page and its pictures, by file under docs/."""
    drawn = {
        "discriminator": partial(plot, "discriminator", _records(_ALPHAS)),
        "alone": partial(plot, "scores", _records(_ALONE), figure=_SCORE),
        **{name: partial(plot, "correlation", [_SCORES, *_records(_ALONE)], figure=name) for name in _PUBLISHED},
    }
    pictures = {f"results/figures/{name}.svg": partial(_with_end, draw) for name, draw in drawn.items()}
    return {"results/augcse-figures.md": _page, **pictures}


def _with_end(draw: Callable[[], str]) -> str:
    return draw() + "\n"


def _records(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.json"))


@cache
def _runs() -> Sequence[ReportedRun]:
    return load_runs(_records(_ALONE))


def _page() -> str:
    return NOTE + _PAGE.format(alone=_alone_in_words(), table=_correlations().markdown())


def _alone_in_words() -> str:
    """Say which augmentations help and harm most in each role, and where SimCSE's dropout alone would stand."""
    scores_by_role = scores_by_augmentation(_runs(), lambda run: run.record["scores"].get(_SCORE))
    parts = []
    for role in _ROLES:
        ranked = sorted(scores_by_role[role].items(), key=lambda item: -item[1])
        (best, high), (worst, low) = ranked[0], ranked[-1]
        parts.append(f"As a {role}, {best} is best ({high:.2f}) and {worst} worst ({low:.2f}), of {len(ranked)}.")
    short = {run.record["steps"]: used[1] for run in _runs() if (used := single_augmentation(run)) and run.record["steps"] < _STEPS}
    parts.append(f"Rows that stay as they are are dropped: of {_STEPS} steps {short[min(short)]} has text for {min(short)} only.")
    return fill(" ".join(parts), 140)


def _correlations() -> Table:
    rows = []
    for figure, (_, title) in FIGURES.items():
        points = points_by_role(_SCORES, _runs(), figure, _SCORE)
        cells = [f"{value:+.2f}" for role in _ROLES for value in correlations(list(points[role].values()))]
        rows.append([title, *cells, _PUBLISHED.get(figure, "-")])
    header = [f"{role}: {kind}" for role in _ROLES for kind in ("Pearson", "Spearman")]
    return Table(["figure", *header, "published"], rows)
