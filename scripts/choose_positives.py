"""Choose by STS-B dev alone which augmentation makes the positives of augcse-positive-mini, and keep a log of all that was tried.

    python scripts/choose_positives.py CORPUS --data DIR --runs DIR [--commit COMMIT]

Every pool of POOLS is trained on two seeds that the benchmark does not use; without a pool it is simcse-mini. The choice is the pool with
the highest mean of a run's best STS-B dev score. No test score is ever computed. The log, docs/results/choice/positives-mini.jsonl, has a
line per run: pool, seed, dev, the share of rows that the pool changed, precision, the corpus's hash and `--commit`, that of the package
that trained, whose rules made the rows. A run that the log has of the same corpus, or whose folder is in --runs, is not made again.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from statistics import mean
from typing import Any

from keep_sweep import RULES_COMMIT

LOG = Path(__file__).resolve().parents[1] / "docs" / "results" / "choice" / "positives-mini.jsonl"
SEEDS = (7, 13)
POOLS: tuple[tuple[str, ...], ...] = (
    (),
    ("AffirmativeAuxiliary",),
    ("DoubleNegation",),
    ("FactiveVerbTransformation",),
    ("ModalVerbs",),
    ("PunctuationInsertion",),
    ("SynonymSubstitution",),
    ("TenseTransformation",),
    ("AffirmativeAuxiliary", "DoubleNegation", "ModalVerbs"),
    ("WordRepetition",),
    ("YodaPerturbation",),
    ("DoubleNegation", "ModalVerbs"),
    ("chain(ModalVerbs, DoubleNegation)",),
    ("chain(ModalVerbs, PunctuationInsertion)",),
    ("chain(ModalVerbs, WordRepetition)",),
    ("one_of(AffirmativeAuxiliary, DoubleNegation, ModalVerbs, TenseTransformation)",),
    ("chain(ModalVerbs, DoubleNegation, PunctuationInsertion)",),
    ("chain(one_of(AffirmativeAuxiliary, DoubleNegation, ModalVerbs, TenseTransformation), PunctuationInsertion)",),
)


def main() -> None:
    from augcse.files import file_sha256, write_text

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, help="one sentence per line")
    parser.add_argument("--data", type=Path, required=True, help="the evaluation data")
    parser.add_argument("--runs", type=Path, required=True, help="a folder for the runs")
    parser.add_argument("--commit", help="of the package that trained the runs")
    arguments = parser.parse_args()
    log = LOG.read_text("utf-8") if LOG.exists() else ""
    entries, logged = [], logged_entries(log, file_sha256(arguments.corpus))
    for pool, seed in ((pool, seed) for pool in POOLS for seed in SEEDS):
        made = logged.get((pool, seed)) or {**entry(pool, seed, run_record(pool, seed, arguments)), RULES_COMMIT: arguments.commit}
        entries.append(made)
        print(json.dumps(made), flush=True)
    write_text(LOG, "".join(json.dumps(each) + "\n" for each in entries))
    print("chosen:", ", ".join(best(entries)))


def logged_entries(log: str, corpus_sha256: str) -> dict[tuple[tuple[str, ...], int], dict[str, Any]]:
    """Return the lines of a log that were trained on a corpus, by pool and seed."""
    lines = map(json.loads, log.splitlines())
    return {(tuple(line["pool"]), line["seed"]): line for line in lines if line["corpus_sha256"] == corpus_sha256}


def run_record(pool: tuple[str, ...], seed: int, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the record of a run, which is made if its folder has none."""
    from augcse.pipeline import train
    from augcse.report.record import load_record

    folder = arguments.runs / f"{'+'.join(pool) or 'none'}-{seed}"
    if not (folder / "run.json").exists():
        settings: dict[str, Any] = {"training.seed": seed, "evaluation.baselines": False}
        if pool:
            settings["augmentation.names"] = list(pool)
        recipe = "augcse-positive-mini" if pool else "simcse-mini"
        train(recipe, corpus=arguments.corpus, data=arguments.data, dev="stsb", test="none", output=folder, **settings)
    return load_record(folder / "run.json")


def entry(pool: tuple[str, ...], seed: int, record: dict[str, Any]) -> dict[str, Any]:
    """Return the line of the log."""
    counts = record["prepared"].get("label_counts") or {}
    changed = sum(counts.get(name, 0) for name in pool) / max(sum(counts.values()), 1)
    return {
        "pool": list(pool),
        "seed": seed,
        "dev": round(record["best"]["dev"]["stsb_dev"], 2),
        "changed_share": round(changed, 4),
        "precision": record["precision"],
        "corpus_sha256": record["corpus"][0]["sha256"],
    }


def best(entries: list[dict[str, Any]]) -> tuple[str, ...]:
    """Return the pool with the highest mean of dev over its seeds.

    >>> best([{"pool": ["A"], "dev": 70.0}, {"pool": ["A"], "dev": 72.0}, {"pool": ["B"], "dev": 71.5}])
    ('B',)
    """
    pools = {tuple(each["pool"]) for each in entries}
    return max(pools, key=lambda pool: mean(each["dev"] for each in entries if tuple(each["pool"]) == pool))


if __name__ == "__main__":
    main()
