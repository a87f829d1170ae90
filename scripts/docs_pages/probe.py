"""The page of the checks without labels: what each figure means, and what scripts/probe_correlation.py measured."""

from __future__ import annotations

import json
from typing import Any

from augcse.analysis.probe.checks import CHECKS
from augcse.report.svg import scatter
from augcse.report.table import Table
from demo_figures import side_by_side
from docs_pages.layout import DOCS, RESULTS

RECORD = RESULTS / "probe" / "correlation.json"
PAGE = DOCS / "probe.md"
SHOWN = ("summary", "mrr", "triples", "next-sentence")


def probe() -> str:
    """Return the page with the tables of today between their marks; its prose is written by hand."""
    record = json.loads(RECORD.read_text("utf-8"))
    text = PAGE.read_text("utf-8")
    parts = {
        "checks": Table(["check", "better", "what it is"], [[check.name, check.better, check.meaning] for check in CHECKS]).markdown(),
        "correlations": f"{_measured_on(record)}:\n\n{_correlations(record)}",
        "altering": _altering(record),
        "models": _models(record),
    }
    for name, part in parts.items():
        start, end = f"<!-- {name}:start -->", f"<!-- {name}:end -->"
        before, rest = text.split(start)
        text = f"{before}{start}\n\n{part}\n\n{end}{rest.split(end)[1]}"
    return text


def figure() -> str:
    """Return one plot per check of the summary: a point per model, its figure and its score."""
    record = json.loads(RECORD.read_text("utf-8"))
    families = list(dict.fromkeys(model["family"] for model in record["models"]))
    plots = [
        scatter(
            {
                family: [(model["figures"][check], model["scores"]["STSB-dev"]) for model in record["models"] if model["family"] == family]
                for family in families
            },
            title=check,
            x_label=check,
            y_label="STS-B dev, Spearman x 100",
            width=430,
            height=300,
        )
        for check in SHOWN
    ]
    return side_by_side(plots, columns=2)


def _correlations(record: dict[str, Any]) -> str:
    tasks = list(record["correlations"])
    families = list(next(iter(record["correlations"][tasks[0]].values()))["within"])
    rows = []
    for check in (check.name for check in CHECKS):
        correlations = [record["correlations"][task].get(check) for task in tasks]
        if correlations[0] is None:
            continue
        whole = [f"{one['spearman']:.0f} ({one['interval'][0]:.0f} to {one['interval'][1]:.0f})" for one in correlations]
        rows.append([check, *whole, *(f"{correlations[0]['within'][family]:.0f}" for family in families)])
    header = ["check", *tasks, *(f"{tasks[0]} within: {family}" for family in families)]
    return Table(header, rows).markdown()


def _altering(record: dict[str, Any]) -> str:
    tasks = list(record["correlations"])
    names = [name for name in record["correlations"][tasks[0]] if name.startswith("triples/")]
    rows = []
    for name in names:
        shares = [model["figures"][name] for model in record["models"]]
        correlations = [record["correlations"][task][name] for task in tasks]
        figures = [f"{one['spearman']:.0f} ({one['interval'][0]:.0f} to {one['interval'][1]:.0f})" for one in correlations]
        rows.append([name.removeprefix("triples/"), f"{min(shares):.0f} to {max(shares):.0f}", *figures])
    return Table(["augmentation", "shares of the models", *tasks], rows).markdown()


def _models(record: dict[str, Any]) -> str:
    tasks = list(record["correlations"])
    best_first = sorted(record["models"], key=lambda model: -model["figures"]["summary"])
    rows = [
        [model["model"], *(f"{model['figures'][check]:.1f}" for check in SHOWN), *(f"{model['scores'][task]:.2f}" for task in tasks)]
        for model in best_first
    ]
    return Table(["model", *SHOWN, *tasks], rows).markdown()


def _measured_on(record: dict[str, Any]) -> str:
    files = ", ".join(part["file"].removesuffix(".txt.xz") for part in record["corpus"])
    return f"{len(record['models'])} models, {record['sample']} sentences of {files}, {record['with_next_sentence']} with a next one"
