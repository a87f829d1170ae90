"""Choose the settings of simcse-mini on STS-B dev alone, and keep a log of all that was tried.

    python scripts/choose_mini.py CORPUS --data DIR [--steps 400] [--seeds 1 11 42] [--log FILE]

One factor at a time from START; then the best value of each factor together, and RIVAL. The choice is the settings with the highest
mean over seeds of a run's best STS-B dev score, which is the score that keeps its model. No test score is ever computed. In float32, so
that the log is comparable between machines.

The log has a JSON line per run: settings, seed, steps, the dev curve, the corpus's hash, versions and commit. Runs that it holds are not
run again, so the command can be stopped and repeated; runs of other steps or another corpus stay in it and do not count.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
ROOT = Path(__file__).resolve().parents[1]
LOG = ROOT / "docs" / "results" / "choice" / "simcse-mini.jsonl"
RECIPE = "simcse-mini"
FACTORS = {
    "objective.temperature": (0.05, 0.1, 0.2),
    "model.dropout_rate": (0.0, 0.05, 0.1),
    "training.learning_rate": (1e-4, 3e-4, 1e-3),
}
# SimCSE's temperature and dropout; for the small backbone ten times its learning rate.
START = {"objective.temperature": 0.05, "model.dropout_rate": 0.1, "training.learning_rate": 3e-4}
# The recipe's settings before this choice, found in pilot runs whose test scores were seen too; they stand the same comparison.
RIVAL = {"objective.temperature": 0.1, "model.dropout_rate": 0.05, "training.learning_rate": 3e-4}
Settings = dict[str, float]
Trial = dict[str, Any]


def main() -> None:
    arguments = _arguments()
    trials = Trials(arguments.log, arguments.corpus, arguments.data, arguments.steps, arguments.seeds)
    for settings in one_at_a_time():
        trials.run(settings)
    trials.run(best_together(trials))
    trials.run(dict(RIVAL))
    print(table(trials))


def one_at_a_time() -> Iterator[Settings]:
    """Give the start, and it with each other value of each factor."""
    yield dict(START)
    for factor, values in FACTORS.items():
        for value in values:
            if value != START[factor]:
                yield {**START, factor: value}


def best_together(trials: Trials) -> Settings:
    """Return the values that did best one at a time, together."""
    return {factor: max(values, key=lambda value: trials.mean({**START, factor: value})) for factor, values in FACTORS.items()}


def table(trials: Trials) -> str:
    """Return what was tried, the choice first."""
    from augcse.report.table import Table

    tried = sorted(trials.settings(), key=trials.mean, reverse=True)
    rows = []
    for settings in tried:
        scores = trials.scores(settings)
        spread = f"{statistics.stdev(scores):.2f}" if len(scores) > 1 else "-"
        rows.append([*(f"{settings[factor]:g}" for factor in FACTORS), str(len(scores)), f"{statistics.mean(scores):.2f}", spread])
    return Table([*(factor.split(".")[1] for factor in FACTORS), "seeds", "STS-B dev", "sd"], rows).markdown()


class Trials:
    """The log, and the runs that are not in it yet.

    Args:
        log: JSON lines.
        corpus: text, one sentence per line.
        data: the evaluation data; STS-B dev of it is scored.
        steps: of a run.
        seeds: every setting is run with each.
    """

    def __init__(self, log: Path, corpus: Path, data: Path, steps: int, seeds: Sequence[int]) -> None:
        from augcse.files import file_sha256

        self.log, self.corpus, self.data, self.steps, self.seeds = log, corpus, data, steps, list(seeds)
        self.corpus_sha256 = file_sha256(corpus)
        log.parent.mkdir(parents=True, exist_ok=True)
        logged = [json.loads(line) for line in log.read_text("utf-8").splitlines()] if log.exists() else []
        same = {"steps": steps, "corpus_sha256": self.corpus_sha256}
        self._done: list[Trial] = [trial for trial in logged if same.items() <= trial.items() and trial["seed"] in self.seeds]

    def run(self, settings: Settings) -> None:
        """Train with each seed that the log lacks."""
        known = {trial["seed"] for trial in self._done if trial["settings"] == settings}
        for seed in self.seeds:
            if seed not in known:
                self._keep(self._train(settings, seed))

    def settings(self) -> list[Settings]:
        """Return what was tried, each once."""
        return list({json.dumps(trial["settings"]): trial["settings"] for trial in self._done}.values())

    def scores(self, settings: Settings) -> list[float]:
        """Return each seed's best dev score."""
        return [max(score for _, score in trial["dev"]) for trial in self._done if trial["settings"] == settings]

    def mean(self, settings: Settings) -> float:
        """Return the mean over seeds of the best dev score."""
        return statistics.mean(self.scores(settings))

    def _train(self, settings: Settings, seed: int) -> Trial:
        from augcse.pipeline import train

        with tempfile.TemporaryDirectory() as folder:
            more: dict[str, Any] = {
                **settings,
                "training.seed": seed,
                "training.max_steps": self.steps,
                "training.precision": "fp32",
            }
            run = train(RECIPE, corpus=self.corpus, output=Path(folder) / "run", data=self.data, dev="stsb", test="none", **more)
        curve = [(point["step"], point["eval_stsb_dev"]) for point in run.record["curves"] if "eval_stsb_dev" in point]
        return {
            "settings": settings,
            "seed": seed,
            "steps": self.steps,
            "dev": curve,
            "corpus_sha256": self.corpus_sha256,
            "precision": run.record["precision"],
            "versions": run.record["versions"],
            "commit": _commit(),
        }

    def _keep(self, trial: Trial) -> None:
        with self.log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(trial) + "\n")
        # Read back, so that pairs are lists as in a log that was read.
        self._done.append(json.loads(json.dumps(trial)))
        print(json.dumps({key: trial[key] for key in ("settings", "seed", "dev")}), file=sys.stderr, flush=True)


def _commit() -> str:
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 11, 42])
    parser.add_argument("--log", type=Path, default=LOG)
    return parser.parse_args()


if __name__ == "__main__":
    main()
