"""The tables of docs/choosing.md, from the records under docs/results and the augmentations' cards; the rest is written by hand."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from augcse.augmentations.base import AUGMENTATIONS
from augcse.report.record import load_record
from augcse.report.runs import curve
from augcse.report.table import Table
from docs_pages.benchmark import short_table
from docs_pages.layout import DOCS, RESULTS, between
from docs_pages.static_settings import LOG
from docs_pages.sweeps import objectives_table

BATCH_SIZE = 64
_PARTS = {"cooccurrence+spelling": "from the text alone", "backbone+cooccurrence+spelling": "with mini-bert's rows"}
_CORPORA = {"wiki": "Wikipedia", "movie_reviews": "film reviews", "abc_news": "news"}


def choosing() -> str:
    """Return the page with the tables of today between their marks."""
    text = (DOCS / "choosing.md").read_text("utf-8")
    tables = {
        "methods": short_table(),
        "static-size": _static_by_size(),
        "steps": _by_steps(),
        "objectives": objectives_table(),
        "languages": _languages(),
    }
    for name, table in tables.items():
        text = between(text, name, table)
    return text


def _static_by_size() -> str:
    """STS-B dev by kind and number of sentences, of the tries that made all of a model from one text."""
    trials = [json.loads(line) for line in LOG.read_text("utf-8").splitlines()]
    scores: dict[tuple[str, int], dict[str, float]] = {}
    for trial in trials:
        settings = trial["settings"]
        name, _, number = settings["corpus"].partition(":")
        if settings["parts"] in _PARTS and settings["whiten_on"].partition(":")[0] == name and "+" not in settings["whiten_on"]:
            scores.setdefault((name, int(number)), {})[settings["parts"]] = trial["stock"][0]
    order = list(_CORPORA)
    rows = [
        [_CORPORA[name], f"{number:,}", *(f"{by_parts[parts]:.2f}" if parts in by_parts else "-" for parts in _PARTS)]
        for (name, number), by_parts in sorted(scores.items(), key=lambda item: (order.index(item[0][0]), item[0][1]))
    ]
    return Table(["text", "sentences", *_PARTS.values()], rows).markdown()


def _by_steps() -> str:
    """STS-B dev along the runs of 200 steps or more, one column per number of sentences seen."""
    curves = {name: _curve(load_record(RESULTS / path / "run.json")) for name, path in _RUNS.items()}
    steps = sorted({step for points in curves.values() for step in points if step % 100 == 0 and step <= 800})
    rows = [[name, *(f"{points[step]:.2f}" if step in points else "-" for step in steps)] for name, points in curves.items()]
    return Table(["run", *(f"{step * BATCH_SIZE:,}" for step in steps)], rows).markdown()


_RUNS = {
    "simcse-mini, mixed text, seed 1": "mini/simcse-mini-mixed-seed1",
    "augcse-mini, mixed text, seed 1": "mini/augcse-mini-mixed-seed1",
    "augcse-mini, Wikipedia, lambda 1, alpha 0": "alpha/lambda1-alpha0",
    "augcse-mini, Wikipedia, lambda 1, alpha 1": "alpha/lambda1-alpha1",
}


def _curve(record: dict[str, Any]) -> dict[int, float]:
    return {int(step): score for step, score in curve(record, "eval_stsb_dev")}


def _languages() -> str:
    """How many augmentations there are for a language, and what they need."""
    cards = [member.card() for member in AUGMENTATIONS]
    counts = Counter((language, "parse" in card["needs"]) for card in cards for language in card["languages"])
    names = {"en": "English", "zh": "Chinese", "any": "any other"}
    rows = [[names[code], str(counts[code, False]), str(counts[code, True])] for code in names]
    return Table(["language", "augmentations that need no parser", "that need one"], rows).markdown()
