"""The cost of scoring the STS tasks and of counting truncated sentences, relative to encoding.

One process, in this order: encode every distinct sentence of the tasks once, sorted by length; count the sentences that were cut; score
all tasks on the embeddings, with subsets and Pearson's correlations. CPU seconds stand beside wall seconds, since wall time says little on
a machine that does other work as well.

    python bench/sts_speed.py DATA [--model mini-bert] [--tasks sts] [--threads 2] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

from measuring import peak_mb, timed

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")


def main() -> None:
    arguments = _arguments()
    result = measure(arguments)
    if arguments.json:
        print(json.dumps(result, indent=2))
        return
    print(f"{result['sentences']:,} sentences, {result['distinct']:,} of them distinct, {result['threads']} threads")
    print(f"  encoding        {_show(result['encoding'])}, {result['distinct'] / result['encoding']['wall_s']:,.0f} sentences/s")
    for name, label in (("counting", "counting cut"), ("scoring", "scoring")):
        print(f"  {label:15} {_show(result[name])} = {result['added_percent'][name]:.2f} % of encoding (CPU)")
    print("  " + "  ".join(f"{task} {score:.2f}" for task, score in result["scores"].items()))
    print(f"  peak memory     {result['peak_memory_mb']:,} MB, {result['added_memory_mb']:,} MB of it after encoding")


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    """Run everything once."""
    import torch

    from augcse.encoding.length import truncated_sentences
    from augcse.encoding.model import encode_distinct, load_encoder
    from augcse.evaluation.base import expand_suites, load_task

    torch.set_num_threads(arguments.threads)
    model = load_encoder(arguments.model)
    names = [name for group in expand_suites(arguments.tasks.split(",")).values() for name in group]
    tasks: dict[str, Any] = {name: load_task(name, arguments.data) for name in names}
    sentences = [sentence for task in tasks.values() for sentence in task.sentences()]
    encoding, (embeddings, row_of) = timed(lambda: encode_distinct(model, sentences))
    after_encoding = peak_mb()
    counting, cut = timed(lambda: truncated_sentences(model, list(row_of)))
    scoring, figures = timed(lambda: {name: task.measure(embeddings, row_of) for name, task in tasks.items()})
    peak = peak_mb()
    return {
        "sentences": len(sentences),
        "distinct": len(row_of),
        "truncated": None if cut is None else len(cut),
        "threads": arguments.threads,
        "encoding": encoding,
        "counting": counting,
        "scoring": scoring,
        "added_percent": {name: 100 * spent["cpu_s"] / encoding["cpu_s"] for name, spent in (("counting", counting), ("scoring", scoring))},
        "scores": {name: next(iter(values.values())) for name, values in figures.items()},
        "peak_memory_mb": peak,
        "added_memory_mb": peak - after_encoding,
    }


def _show(seconds: dict[str, float]) -> str:
    return f"{seconds['wall_s']:7.2f} s ({seconds['cpu_s']:.2f} s CPU)"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--model", default="mini-bert")
    parser.add_argument("--tasks", default="sts", help="STS tasks or suites, comma-separated")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
