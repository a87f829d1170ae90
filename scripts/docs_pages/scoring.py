"""The page of the scores by `augcse score` and the set by `augcse select` on Wikipedia."""

from __future__ import annotations

import json
from typing import Any

from augcse.analysis.scoring.select import Limits, select
from augcse.report.table import Table
from docs_pages.layout import NOTE, RESULTS

FOLDER = RESULTS / "scoring"
_SIZE = 8
_HEADER = ["augmentation", "changes %", "similarity", "by chance", "perplexity", "COND-HM", "SVG", "told apart", "words %", "chosen"]


def scoring() -> str:
    """Return the page with a row per augmentation, those that were chosen first."""
    document = json.loads((FOLDER / "scores.json").read_text("utf-8"))
    selection = select(FOLDER, _SIZE)
    scores = {score["name"]: score for score in document["scores"]}
    rows = [[*_cells(scores[choice.name]), choice.reason] for choice in selection.choices]
    names = ",".join(scores)
    settings = document["settings"]
    [corpus] = settings["corpus"]
    text = (
        "# Scores of augmentations on Wikipedia\n\n"
        f"Every augmentation that runs offline and needs no corpus of its own, three also at the rates of AugCSE's Figure 6,"
        f" on {settings['sentences']:,} distinct sentences of"
        f" {settings['of_sentences']:,} (`{corpus['name']}`, SHA-256 {corpus['sha256'][:8]}); similarity under"
        f" {settings['model']}, perplexity (median difference) under {settings['lm']}. What each figure is: [scoring](../scoring.md). The"
        f" first {len(selection.names)} are what `augcse select --size {_SIZE}` takes of them; the last column has the reason for each."
        " The rules were those of 23 November 2026; what today's change is in [augmentations](../augmentations.md).\n\n"
        f"A small encoder that was trained for nothing of the kind tells little of meaning: similarity to the original is above"
        f" {_least_similar(scores.values()):.0f} for nine in ten, while two sentences that have nothing to do with one another have about"
        f" {_median_by_chance(scores.values()):.0f}.\n\n"
    )
    commands = f"```bash\naugcse score wiki50k.txt --with {names} --output scores\naugcse select scores --size {_SIZE}\n```\n"
    limits = Limits()
    said = f"Limits: at least {limits.least_changed:.0%} changed, told apart at most {limits.most_told_apart:.0f} %.\n\n"
    return NOTE + text + said + Table(_HEADER, rows).markdown() + "\n\n" + commands


def _cells(score: dict[str, Any]) -> list[str]:
    cells = [score["name"], f"{100 * score['changed'] / score['sentences']:.1f}"]
    if score["similarity"] is None:
        return [*cells, *["-"] * 7]
    return [
        *cells,
        *(f"{100 * score['similarity'][pair]:.1f}" for pair in ("own_pair", "random_pair")),
        f"{score['perplexity']['median_difference']:+,.1f}" if score["perplexity"] else "-",
        *(f"{score['shape'][figure]:.2f}" for figure in ("cond_hm", "svg")),
        f"{score['surface']['told_apart']:.0f}",
        f"{100 * score['surface']['words_changed']:.0f}",
    ]


def _similarities(scores: Any, pair: str) -> list[float]:
    return sorted(100 * score["similarity"][pair] for score in scores if score["similarity"] is not None)


def _least_similar(scores: Any) -> float:
    values = _similarities(scores, "own_pair")
    return values[len(values) // 10]


def _median_by_chance(scores: Any) -> float:
    values = _similarities(scores, "random_pair")
    return values[len(values) // 2]
