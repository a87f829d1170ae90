"""Choose the settings of `augcse static` on STS-B dev alone, and keep a log of all that was tried.

    python scripts/choose_static.py --data DIR --cache DIR [--log FILE] [--set KEY=VALUE ... [--set ...]]

Each `--set` is one try: START with the values given, e.g. `--set window=10 a=1e-3`; values are JSON, or else text. A try that the log holds
is not run again. No test score is ever computed.

The log has a JSON line per try: settings, Spearman x 100 on STS-B dev of the plain mean of a sentence's rows and of the mean of its
distinct tokens, both for the whole set and its halves (even and odd rows), seconds, the texts' hashes, versions and commit. Token numbers,
tables of counts and factors are kept in `--cache`, so that most tries take seconds.

A text is named by files of DIR/corpora: "wiki:300000+brown:4000" is the first so many lines of each; `wiki` are all files of wiki_sent.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")

import numpy as np

from static_choice.refine import refined
from static_choice.rows import Sources
from static_choice.sentences import fold_parts, weights_of
from static_choice.texts import Texts

ROOT = Path(__file__).resolve().parents[1]
LOG = ROOT / "docs" / "results" / "choice" / "static.jsonl"
OPEN = "brown:4000+tatoeba_en:4000+abc_news:4000+movie_reviews:4000+masc:4000"
START: dict[str, Any] = {
    "tokenizer": "mini-bert",
    "corpus": "wiki:300000",
    "frequencies": "corpus",
    "a": 3e-4,
    "whiten_on": f"{OPEN}+wiki:8000",
    "whitening_exponent": 0.5,
    "shrinkage": 0.0,
    "parts": "cooccurrence",
    "scale": 1.0,
    "window": 5,
    "decay": "none",
    "contexts": 4000,
    "context_exponent": 1.0,
    "shift": 0.0,
    "value_exponent": 0.5,
    "dim": 512,
    "norm": "unit",
    "draw": "none",
    "draw_share": 0.5,
    "draw_cosine": 0.4,
    "refine": "none",
    "refine_views": "halves",
    "refine_on": "wiki:300000",
    "refine_steps": 300,
    "refine_rate": 0.02,
    "refine_temperature": 0.05,
    "joint": False,
    "names_dim": 512,
    "names_scale": 0.5,
    "cut": 0,
}


class Trials:
    """The log, and the tries that are not in it yet."""

    def __init__(self, log: Path, data: Path, cache: Path) -> None:
        self.log = log
        log.parent.mkdir(parents=True, exist_ok=True)
        lines = log.read_text("utf-8").splitlines() if log.exists() else []
        self.done = [json.loads(line) for line in lines]
        self.texts = Texts(data, cache)
        self.sources = Sources(self.texts, cache)
        self.pairs = Pairs(data)

    def run(self, changes: dict[str, Any]) -> None:
        """Build and score one setting, unless the log has it; print its line."""
        settings = {**START, **changes}
        known = next((trial for trial in self.done if {**START, **trial["settings"]} == settings), None)
        trial = known or self._measure(settings)
        if not known:
            with self.log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(trial) + "\n")
            self.done.append(trial)
        print(json.dumps(changes), trial["stock"], trial["once"], trial["dim"], f"{trial['seconds']}s", file=sys.stderr, flush=True)

    def _measure(self, settings: dict[str, Any]) -> dict[str, Any]:
        start = time.monotonic()
        tokenizer = self.texts.tokenizer(settings["tokenizer"])
        rows = fold_parts(self.texts, self.sources.parts(settings), weights_of(self.texts, settings), settings)
        if settings["refine"] != "none":
            rows = refined(rows, self.texts.tokens(settings["tokenizer"], settings["refine_on"]), settings)
        return {
            "settings": {key: value for key, value in settings.items()},
            "stock": self.pairs.scores(tokenizer, rows, distinct=False),
            "once": self.pairs.scores(tokenizer, rows, distinct=True),
            "dim": rows.shape[1],
            "seconds": round(time.monotonic() - start, 1),
            "texts_sha256": {spec: self.texts.sha256(spec) for spec in sorted({settings["corpus"], settings["whiten_on"]})},
            "versions": {"numpy": np.__version__},
            "commit": _commit(),
        }


class Pairs:
    """The pairs of STS-B dev, and the scores of a table of rows on them."""

    def __init__(self, data: Path) -> None:
        text = (data / "sts" / "STSB" / "dev.tsv").read_text("utf-8")
        lines = [line.split("\t") for line in text.splitlines()]
        self.gold = np.array([float(line[0]) for line in lines])
        self.sentences = [line[1] for line in lines], [line[2] for line in lines]

    def scores(self, tokenizer: Any, rows: Any, distinct: bool) -> list[float]:
        """Return Spearman x 100 over all pairs, the even ones and the odd ones."""
        from scipy.stats import spearmanr

        from augcse.encoding.static.fold import sentence_means
        from augcse.encoding.static.tokens import tokenize_sentences
        from augcse.encoding.unit_rows import unit_rows

        sides = []
        for side in self.sentences:
            tokens = tokenize_sentences(tokenizer, side)
            sides.append(unit_rows(sentence_means(tokens.distinct_tokens() if distinct else tokens, rows), rows.dtype))
        cosines = (sides[0] * sides[1]).sum(axis=1)
        return [
            round(100 * float(spearmanr(cosines[part], self.gold[part]).statistic), 2)
            for part in (slice(None), slice(0, None, 2), slice(1, None, 2))
        ]


def _commit() -> str:
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--log", type=Path, default=LOG)
    parser.add_argument("--set", action="append", nargs="*", default=[], metavar="KEY=VALUE", dest="tries")
    return parser.parse_args()


def main() -> None:
    arguments = _arguments()
    trials = Trials(arguments.log, arguments.data, arguments.cache)
    for changes in arguments.tries:
        pairs = (change.partition("=") for change in changes)
        trials.run({key: _value(value) for key, _, value in pairs})


if __name__ == "__main__":
    main()
