"""The cost of scoring the seven transfer tasks relative to encoding, and the speed of the exact classifier relative to SentEval's.

One process, in this order: encode every distinct sentence of the seven tasks; score all seven with `lbfgs` on those embeddings; score the
tasks named by `--senteval` (one by default: all seven take SentEval's loop the better part of an hour) with `senteval` on the same
embeddings. CPU seconds stand beside wall seconds, since wall time says little on a machine that does other work as well.

    python bench/transfer_speed.py DATA [--model mini-bert] [--senteval MRPC] [--protocol test] [--threads 2] [--json]
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
    print(f"{result['sentences']:,} distinct sentences, {result['threads']} threads, protocol {result['protocol']}")
    print(f"  encoding        {_show(result['encoding'])}")
    print(f"  lbfgs, all      {_show(result['lbfgs_all'])} = {result['added_percent']['cpu_s']:.1f} % of encoding (CPU)")
    for task, timing in result["lbfgs"].items():
        print(f"    {task:5} {timing['figures']['accuracy']:6.2f}  {_show(timing)}")
    for task, timing in result["senteval"].items():
        print(f"  senteval {task:5} {timing['figures']['accuracy']:6.2f}  {_show(timing)} = {timing['times_lbfgs_cpu']:.1f} x lbfgs (CPU)")
    print(f"  peak memory     {result['peak_memory_mb']:,} MB, {result['added_memory_mb']:,} MB of it after encoding")


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    """Run everything once."""
    import torch

    from augcse.encoding.model import encode_distinct, load_encoder
    from augcse.evaluation.base import ClassifierName, EvaluationOptions, expand_suites, load_task

    torch.set_num_threads(arguments.threads)
    model = load_encoder(arguments.model)

    def load(classifier: ClassifierName) -> dict[str, Any]:
        options = EvaluationOptions(classifier, arguments.protocol)
        return {name: load_task(name, arguments.data, options) for name in expand_suites(["transfer"])["transfer"]}

    exact, loop = load("lbfgs"), load("senteval")
    sentences = [sentence for task in exact.values() for sentence in task.sentences()]
    encoding, (embeddings, row_of) = timed(lambda: encode_distinct(model, sentences))
    after_encoding = peak_mb()
    lbfgs = {name: _scored(task, embeddings, row_of) for name, task in exact.items()}
    total = {unit: sum(timing[unit] for timing in lbfgs.values()) for unit in encoding}
    peak = peak_mb()
    senteval = {name: _scored(loop[name], embeddings, row_of) for name in arguments.senteval}
    for name, timing in senteval.items():
        timing["times_lbfgs_cpu"] = timing["cpu_s"] / lbfgs[name]["cpu_s"]
    return {
        "sentences": len(row_of),
        "threads": arguments.threads,
        "protocol": arguments.protocol,
        "encoding": encoding,
        "lbfgs_all": total,
        "added_percent": {unit: 100 * total[unit] / encoding[unit] for unit in encoding},
        "lbfgs": lbfgs,
        "senteval": senteval,
        "peak_memory_mb": peak,
        "added_memory_mb": peak - after_encoding,
    }


def _scored(task: Any, embeddings: Any, row_of: dict[str, int]) -> dict[str, Any]:
    seconds, figures = timed(lambda: task.measure(embeddings, row_of))
    return {"figures": figures, **seconds}


def _show(seconds: dict[str, float]) -> str:
    return f"{seconds['wall_s']:7.1f} s ({seconds['cpu_s']:.1f} s CPU)"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--model", default="mini-bert")
    parser.add_argument("--senteval", nargs="*", default=["MRPC"], help="tasks to score with SentEval's loop as well")
    parser.add_argument("--protocol", choices=["test", "fast"], default="test")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
