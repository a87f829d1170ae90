"""The table of training-free and trained models, from the records of scripts/free_models.py and scripts/measure_mini.py."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from augcse.report.record import load_record
from augcse.report.runs import STS_COLUMNS
from augcse.report.table import Table, median_and_spread
from docs_pages.layout import RESULTS

# In the order of the table: the record's name, and what the model is.
FREE = {
    "untrained-cls": "mini-bert untouched, [CLS]",
    "untrained-mean": "mini-bert untouched, mean of tokens",
    "whitened": "BERT-whitening: average of first and last layer, whitened",
    "sif": "mini-bert untouched, SIF-weighted mean of tokens",
    "sif-whitened": "the same, whitened",
    "layers-whitened": "0.8 of the embedding output and 0.2 of the last layer, SIF-weighted and whitened",
    "static-from-zero": "static, from 300,000 sentences alone",
    "static": "static, with mini-bert's rows too",
    "static-256": "the same, 256 dimensions",
    "static-no-letters": "static with mini-bert's rows, no vectors from letters",
    "static-once": "static, each token of a sentence once",
    "static-synonyms": "static, drawn to a lexicon's synonyms",
    "static-once-synonyms": "static, each token once, drawn to a lexicon's synonyms",
}
TRAINED = {
    "trained": "simcse-mini on mixed text, the model of the hybrid",
    "hybrid": "hybrid: static and simcse-mini",
    "hybrid-synonyms": "hybrid: static drawn to a lexicon's synonyms, and simcse-mini",
}
# What a model that nothing trained is called where training begins with it.
FREE_STARTS = {"layers-whitened": "the weighted, whitened layers"}
# Variants that a first look can do without.
IN_FULL_ALONE = ("sif-whitened", "static-no-letters", "static-once", "static-synonyms", "hybrid")
DEV, TRANSFER = "STSB-dev", "transfer_avg"
Scores = Mapping[str, Sequence[float]]


def short_table() -> str:
    """Return the README's table: development, test and transfer scores."""
    return _table({DEV: "STS-B dev", "avg": "seven STS", TRANSFER: "seven transfer"}, left_out=IN_FULL_ALONE)


def full_table() -> str:
    """Return the table with every STS task, size and time."""
    columns = {DEV: "STS-B dev", **{task: task for task in STS_COLUMNS}, TRANSFER: "transfer"}
    return _table(columns, sizes=True)


def commands_table() -> str:
    """Return a table of the command of each model."""
    rows = [[text, f"`augcse {record['command']}`"] for text, record in _free()]
    return Table(["model", "command"], rows).markdown()


def _table(columns: Mapping[str, str], sizes: bool = False, left_out: Collection[str] = ()) -> str:
    """Return the table, without the columns that no record has."""
    models = [*_free_rows(left_out), *_mini_rows()]
    columns = {task: title for task, title in columns.items() if any(task in scores for _, _, _, scores in models)}
    rows = [[text, seeds, *(size if sizes else []), *_cells(scores, columns)] for text, seeds, size, scores in models]
    header = ["model", "seeds", *(["dim", "MB", "seconds"] if sizes else []), *columns.values()]
    return Table(header, rows).markdown()


def _free_rows(left_out: Collection[str]) -> list[tuple[str, str, list[str], Scores]]:
    return [
        (
            text,
            "-",
            [f"{record['dim']:,}", f"{record['megabytes']:.1f}", f"{record['seconds']:.0f}"],
            {task: [score] for task, score in record["scores"].items()},
        )
        for text, record in _free(left_out)
    ]


def _mini_rows() -> list[tuple[str, str, list[str], Scores]]:
    return [
        (text, str(len(records)), ["256", "-", f"{_median_seconds(records):.0f}"], _scores(records)) for text, records in _mini().items()
    ]


def _free(left_out: Collection[str] = ()) -> list[tuple[str, dict[str, Any]]]:
    models = []
    for name, text in {**FREE, **TRAINED}.items():
        path = RESULTS / "free" / f"{name}.json"
        if name not in left_out and path.exists():
            models.append((text, json.loads(path.read_text("utf-8"))))
    return models


def _mini() -> dict[str, list[dict[str, Any]]]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for record in (load_record(path) for path in sorted(RESULTS.glob("mini/*/run.json"))):
        corpus = record["corpus"][0]["path"].removesuffix(".txt")
        start = record["recipe"]["model"]["backbone"]
        name = record["recipe"]["name"] + ("" if start == "mini-bert" else f" from {FREE_STARTS[start]}")
        groups.setdefault(f"{name}, {corpus}, {record['steps']} steps", []).append(record)
    return groups


def _median_seconds(records: Sequence[Mapping[str, Any]]) -> float:
    seconds = sorted(record["wall_time_s"] for record in records)
    return float(seconds[len(seconds) // 2])


def _scores(records: Sequence[Mapping[str, Any]]) -> Scores:
    """Return task -> score of each run; the development score is that of the model kept."""
    scores = {task: [record["scores"][task] for record in records] for task in records[0]["scores"]}
    return {**scores, DEV: [max(point["eval_stsb_dev"] for point in record["curves"] if "eval_stsb_dev" in point) for record in records]}


def _cells(scores: Scores, columns: Mapping[str, str]) -> list[str]:
    return [median_and_spread(scores[task]) if task in scores else "-" for task in columns]
