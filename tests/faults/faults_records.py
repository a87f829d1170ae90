"""Records of runs that `report` cannot read."""

from __future__ import annotations

import json
from typing import Any

from fault import Fault, write

_RECIPE = {"name": "mine", "objective": {"name": "simcse"}, "training": {"seed": 1}}
_WHOLE: dict[str, Any] = {
    "recipe": _RECIPE,
    "hardware": {"processor": "x86_64"},
    "precision": "fp32",
    "steps": 2,
    "wall_time_s": 1.0,
    "peak_memory_mb": 100.0,
    "curves": [{"step": 1, "contrastive": 3.0}],
    "scores": {"STSB": 50.0, "avg": 50.0},
}
_TEXTS: dict[str, str | bytes] = {
    "empty": "",
    "cut short": json.dumps(_WHOLE)[:80],
    "a list": "[]",
    "a number": "3",
    "null": "null",
    "binary": bytes(range(256)),
    "utf-16": json.dumps(_WHOLE).encode("utf-16"),
    "latin-1": json.dumps(_WHOLE | {"precision": "é"}, ensure_ascii=False).encode("latin-1"),
    "nested deeply": "[" * 100_000,
    "of nothing": "{}",
    "a number of 5,000 digits": '{"steps": ' + "9" * 5000 + "}",
}
_VALUES: dict[str, tuple[Any, ...]] = {
    "recipe": (None, 3, [], {}, "augcse", {"name": 3, "objective": {}, "training": {}}),
    "scores": (None, 3, [1], "high", {"STSB": "high"}, {"STSB": None}, {"STSB": [1]}),
    "curves": (None, 3, {"step": 1}, "high", [3], [{"contrastive": 1}], [{"step": "one", "contrastive": 1}],
               [{"step": 1, "contrastive": "x"}]),
    "wall_time_s": ("long", [1]),
    "peak_memory_mb": ("much", {}),
}  # fmt: skip

RECORDS = [
    Fault(f"report: run.json {kind}", ("report", "{work}/run", "--output", "{work}/out.html"), ("run.json",), write("run/run.json", text))
    for kind, text in _TEXTS.items()
]
RECORDS += [
    Fault(
        f"report: {key} is {json.dumps(value)}",
        ("report", "{work}/run", "--output", "{work}/out.html"),
        ("run.json", key),
        write("run/run.json", json.dumps(_WHOLE | {key: value})),
    )
    for key, values in _VALUES.items()
    for value in values
]
RECORDS += [
    Fault("plot: a misspelt kind", ("plot", "curvs", "{run}", "--output", "{work}/out.svg"), ("curvs", "curves")),
    Fault("plot: a file that is no SVG", ("plot", "curves", "{run}", "--output", "{work}/out.png"), ("out.png", ".svg")),
    Fault("plot: no run", ("plot", "curves", "{work}/absent", "--output", "{work}/out.svg"), ("absent", "run.json")),
    Fault(
        "plot: a figure that no run has",
        ("plot", "curves", "{run}", "--figure", "contrastiv", "--output", "{work}/out.svg"),
        ("contrastiv", "contrastive"),
    ),
    Fault(
        "report: a model without scores",
        ("report", "{run}", "{model}", "--output", "{work}/out.html"),
        ("{model}", "without scores", "augcse evaluate", "score.json"),
    ),
    Fault("report: a run not finished", ("report", "{work}/run", "--output", "{work}/out.html"), ("run.json",), write("run/x", "")),
    Fault("report: a run twice", ("report", "{run}", "{run}/run.json", "{work}/absent", "--output", "{work}/out.html"), ("absent",)),
]
_SCORES = json.dumps({"model": "m", "scores": {"STSB": 50.0}})
_BESIDE: dict[str, tuple[str, tuple[str, ...]]] = {
    "no model": ('{"scores": {"STSB": 50.0}}', ("model",)),
    "a score that is text": ('{"model": "m", "scores": {"STSB": "high"}}', ("scores.STSB",)),
    "a score that is not finite": ('{"model": "m", "scores": {"STSB": NaN}}', ("scores.STSB",)),
    "an interval of one end": ('{"model": "m", "scores": {}, "intervals": {"STSB": {"low": 1.0}}}', ("intervals.STSB.high",)),
    "cut short": (_SCORES[:20], ("score.json",)),
    "not JSON": ("STSB 50", ("score.json",)),
    "nested deeply": ("[" * 100_000, ("score.json",)),
}
RECORDS += [
    Fault(
        f"report: score.json: {kind}",
        ("report", "{run}", "{work}/static", "--output", "{work}/out.html"),
        ("score.json", *names),
        write("static/score.json", text),
    )
    for kind, (text, names) in _BESIDE.items()
]
RECORDS += [
    Fault(
        "report: scores and no run",
        ("report", "{work}/static.json", "--output", "{work}/out.html"),
        ("static.json", "is not a run"),
        write("static.json", _SCORES),
    ),
    Fault("report: no such corpus", ("report", "{run}", "--corpus", "{work}/none.txt", "--output", "{work}/out.html"), ("none.txt",)),
    Fault("report: no such data folder", ("report", "{run}", "--data", "{work}/none", "--output", "{work}/out.html"), ("none",)),
    Fault(
        "report: an unknown baseline",
        ("report", "{run}", "--baseline", "none-such", "--output", "{work}/out.html"),
        ("none-such", "before"),
    ),
]
