"""The page of what scripts/evaluation_tables.py measured: published scores, baselines, classifiers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from augcse.evaluation.base import TASKS
from augcse.report.runs import STS_COLUMNS
from augcse.report.table import Table
from docs_pages.layout import NOTE, RESULTS

EVALUATION = RESULTS / "evaluation"
BASELINES = {
    "cls": "untrained, [CLS]",
    "mean": "untrained, mean of the last layer",
    "first-last-0": "untrained, first-last average, layer 0",
    "first-last-1": "untrained, first-last average, layer 1",
    "whitening": "whitened (first-last average, layer 1)",
    "flow": "flow (first-last average, layer 1)",
    "static": "average of static word vectors, stop words left out",
    "static-all-words": "average of static word vectors",
}


def evaluation() -> str:
    """Return the page of what scripts/evaluation_tables.py measured; what it has not measured shows as a dash."""
    reference = _document("reference/all-MiniLM-L6-v2")
    rows = [
        ["measured", *_scores(reference, STS_COLUMNS)],
        ["published", *_scores({"scores": reference.get("published", {})}, STS_COLUMNS)],
    ]
    baselines = [[label, *_scores(_document(f"baselines/{name}"), STS_COLUMNS)] for name, label in BASELINES.items()]
    text = (
        "# Evaluation\n\nFrom the JSON files under [evaluation/](evaluation), made by `python scripts/evaluation_tables.py --data DIR`."
        " A dash: not measured.\n\n## A model with published scores\n\n`all-MiniLM-L6-v2`, Spearman x 100; published: its model card,"
        " from MTEB.\n\n"
        + Table(["", *STS_COLUMNS], rows).markdown()
        + "\n\n## Baselines\n\n`mini-bert`, Spearman x 100."
        + _fitted_on()
        + " The static vectors are the backbone's own input embeddings, looked up by whole words.\n\n"
        + Table(["model", *STS_COLUMNS], baselines).markdown()
        + "\n\n## Classifiers\n\n`mini-bert`, mean of tokens, test accuracy x 100 under the protocol test. Seconds are the processor's, on"
        " the same embeddings.\n\n" + _classifiers_table() + "\n\n" + _convergence()
    )
    return NOTE + text + "\n"


def _fitted_on() -> str:
    fitted = _document("baselines/whitening").get("fitted_on")
    return f" Whitening and flow are fitted on {fitted['sentences']:,} sentences." if fitted else ""


def _classifiers_table() -> str:
    names = [task.name for task in TASKS if "transfer" in task.suites]
    pairs = {name: [_document(f"classifiers/{name}-{classifier}") for classifier in ("lbfgs", "senteval")] for name in names}
    rows = []
    for name, (exact, loop) in pairs.items():
        both = "scores" in exact and "scores" in loop
        difference = f"{exact['scores'][name] - loop['scores'][name]:+.2f}" if both else "-"
        ratio = f"{loop['scoring']['cpu_s'] / max(exact['scoring']['cpu_s'], 0.01):.0f}" if both else "-"
        rows.append([name, *_scores(exact, [name]), *_scores(loop, [name]), difference, _seconds(exact), _seconds(loop), ratio])
    whole = [
        [found["scores"][name] for found in found_both] for name, found_both in pairs.items() if all("scores" in f for f in found_both)
    ]
    if len(whole) == len(pairs):
        exact_mean, loop_mean = (sum(column) / len(column) for column in zip(*whole, strict=True))
        exact_s, loop_s = (sum(found_both[side]["scoring"]["cpu_s"] for found_both in pairs.values()) for side in (0, 1))
        seconds = [f"{exact_s:.1f}", f"{loop_s:.1f}", f"{loop_s / exact_s:.0f}"]
        rows.append(["mean; seconds in all", f"{exact_mean:.2f}", f"{loop_mean:.2f}", f"{exact_mean - loop_mean:+.2f}", *seconds])
    header = ["task", "lbfgs", "senteval", "difference", "lbfgs (s)", "senteval (s)", "times faster"]
    return Table(header, rows).markdown()


def _convergence() -> str:
    """What SentEval's loop does without its early stopping, beside the optimum."""
    documents = {task: _document(f"convergence/{task}") for task in ("TREC", "SST2")}
    available = {task: document for task, document in documents.items() if document}
    rows = [
        [task, f"{penalty:g}", *(f"{accuracies[index]:.2f}" for accuracies in document["scores"].values())]
        for task, document in available.items()
        for index, penalty in enumerate(document["penalties"])
    ]
    steps = [name for document in list(available.values())[:1] for name in document["scores"]]
    header = ["task", "penalty", *(f"{name} passes" if name.isdigit() else f"{name} (lbfgs)" for name in steps)]
    text = (
        "### Why the two differ\n\nSentEval stops early: after six rounds of four passes that were no better on its validation rows than"
        " an earlier one, or after 204 passes. Its own loop without that, here with the same training rows, goes towards where `lbfgs` is."
        " `lbfgs` compares models; `senteval` compares with published figures.\n\n"
    )
    return text + Table(header, rows).markdown()


def _document(name: str) -> dict[str, Any]:
    path = EVALUATION / f"{name}.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def _scores(document: dict[str, Any], tasks: Sequence[str]) -> list[str]:
    scores = document.get("scores", {})
    return [f"{scores[task]:.2f}" if task in scores else "-" for task in tasks]


def _seconds(document: dict[str, Any]) -> str:
    return f"{document['scoring']['cpu_s']:.1f}" if "scoring" in document else "-"
