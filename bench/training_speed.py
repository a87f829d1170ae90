"""Sentences per second of `simcse-mini` against a stock SentenceTransformerTrainer with MultipleNegativesRankingLoss on (s, s).

Same model, batch size, length limit and sentences, one process after the other in one run, rounds alternating. Ours includes
preparing the token store; the stock trainer tokenises as it goes. In bf16 where the machine has it, else in fp32; `--precision bf16`
also times both under emulation.

    python bench/training_speed.py CORPUS [--sentences 3200] [--batch-size 64] [--rounds 3] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from augcse.training.precision import Precision

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
MAX_LEN_TOKENS = 32


def main() -> None:
    arguments = _arguments()
    if arguments.engine:
        seconds = {"ours": time_ours, "stock": time_stock}[arguments.engine](arguments)
        print(json.dumps({"sentences_per_s": arguments.sentences / seconds}))
        return
    rates: dict[str, list[float]] = {"ours": [], "stock": []}
    for _ in range(arguments.rounds):
        for engine in rates:
            rates[engine].append(_run_in_subprocess(engine, arguments))
    ratios = [ours / stock for ours, stock in zip(rates["ours"], rates["stock"], strict=True)]
    result = {
        "precision": _precision(arguments),
        "batch_size": arguments.batch_size,
        "sentences": arguments.sentences,
        "sentences_per_s": {engine: {"median": statistics.median(values), "all": values} for engine, values in rates.items()},
        "ratio": {"median": statistics.median(ratios), "min": min(ratios), "max": max(ratios)},
    }
    if arguments.json:
        print(json.dumps(result, indent=2))
        return
    print(f"precision {result['precision']}, batch {arguments.batch_size}, {arguments.sentences} sentences, {arguments.rounds} rounds")
    for engine, values in rates.items():
        print(f"  {engine:6} {statistics.median(values):7.1f} sentences/s  (all: {', '.join(f'{rate:.1f}' for rate in values)})")
    print(f"  ratio  {statistics.median(ratios):7.2f}  (min {min(ratios):.2f}, max {max(ratios):.2f})")


def time_ours(arguments: argparse.Namespace) -> float:
    """Seconds to prepare and train one epoch with our trainer."""
    from augcse.config import load_recipe
    from augcse.corpus.files import Corpus
    from augcse.training.encoder import build_encoder
    from augcse.training.fit import build_trainer
    from augcse.training.objective import build_objective
    from augcse.training.store.build import prepare
    from augcse.training.store.plan import Plan

    overrides = {"batch_size": arguments.batch_size, "checkpoint_every_steps": 10**9}
    recipe = load_recipe("simcse-mini", overrides)
    loss = build_objective(recipe, build_encoder(recipe).model)
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus.txt"
        corpus.write_text("\n".join(_sentences(arguments)) + "\n", "utf-8")
        started = time.perf_counter()
        store = prepare(Plan.of(recipe, Corpus.of(corpus), loss), loss.model.tokenizer, Path(folder) / "store")
        trainer = build_trainer(recipe.training, loss, store, Path(folder) / "checkpoints", _precision(arguments))
        trainer._save_checkpoint = lambda *_: None  # type: ignore[method-assign] # the stock side saves nothing either
        trainer.train()
        return time.perf_counter() - started


def time_stock(arguments: argparse.Namespace) -> float:
    """Seconds to train one epoch with the stock trainer."""
    from datasets import Dataset
    from sentence_transformers import SentenceTransformerTrainer, SentenceTransformerTrainingArguments
    from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss

    from augcse.encoding.model import load_encoder

    model = load_encoder("mini-bert", "cls")
    model.max_seq_length = MAX_LEN_TOKENS
    sentences = _sentences(arguments)
    with tempfile.TemporaryDirectory() as folder:
        settings = SentenceTransformerTrainingArguments(
            output_dir=folder,
            per_device_train_batch_size=arguments.batch_size,
            num_train_epochs=1,
            learning_rate=3e-4,
            bf16=_precision(arguments) == "bf16",
            use_cpu=True,
            save_strategy="no",
            logging_steps=10,
            report_to="none",
            disable_tqdm=True,
        )
        dataset = Dataset.from_dict({"first": sentences, "second": sentences})
        started = time.perf_counter()
        SentenceTransformerTrainer(
            model=model, args=settings, train_dataset=dataset, loss=MultipleNegativesRankingLoss(model, scale=20.0)
        ).train()
        return time.perf_counter() - started


def _run_in_subprocess(engine: str, arguments: argparse.Namespace) -> float:
    command = [sys.executable, __file__, str(arguments.corpus), "--engine", engine, "--sentences", str(arguments.sentences)]
    command += ["--batch-size", str(arguments.batch_size)]
    command += ["--precision", arguments.precision] if arguments.precision else []
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(json.loads(done.stdout.strip().splitlines()[-1])["sentences_per_s"])


def _sentences(arguments: argparse.Namespace) -> list[str]:
    from itertools import islice

    from augcse.corpus.read import read_sentences

    return list(islice(read_sentences([arguments.corpus]), arguments.sentences))


def _precision(arguments: argparse.Namespace) -> Precision:
    from augcse.training.precision import resolve_precision

    return resolve_precision(arguments.precision or "auto")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--sentences", type=int, default=3200)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--precision", choices=["bf16", "fp32"])
    parser.add_argument("--engine", choices=["ours", "stock"], help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
