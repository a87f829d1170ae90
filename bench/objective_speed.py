"""Step time of every objective's mini recipe relative to simcse-mini's, on the same sentences.

Every measurement is paired with one of simcse-mini on the same batches right before it, so that a busy machine hits both. A step is
forward, backward, clipping and the optimiser, on batches drawn as in training. Aimed at: AugCSE 1.6, UNA 1.2, DiffCSE 3, RankCSE
1.3, denoising 1.7, SimCSE++ 1.5; what was measured is in docs/speed.md, where SimCSE++ and some recipes miss it.

    python bench/objective_speed.py CORPUS [--recipes diffcse-mini augcse-mini ...] [--steps 4] [--rounds 5] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
BASELINE = "simcse-mini"


def main() -> None:
    from augcse.corpus.read import read_sentences
    from augcse.errors import UserError

    arguments = _arguments()
    sentences = list(islice(read_sentences([arguments.corpus]), arguments.sentences))
    steppers: dict[str, Stepper] = {}
    for name in [BASELINE, *(name for name in arguments.recipes or _mini_recipes() if name != BASELINE)]:
        try:
            steppers[name] = Stepper(name, sentences, json.loads(arguments.set))
        except UserError as error:
            print(f"{name}: left out: {error}", file=sys.stderr)
    pairs: dict[str, list[tuple[float, float]]] = {name: [] for name in steppers}
    for start in range(0, arguments.rounds * arguments.steps, arguments.steps):
        for name, stepper in steppers.items():
            base = steppers[BASELINE].seconds_per_step(start, arguments.steps)
            pairs[name].append((base, stepper.seconds_per_step(start, arguments.steps)))
    result = {
        name: {
            "ms_per_step": round(1000 * statistics.median(own for _, own in times), 1),
            "relative": round(statistics.median(own / base for base, own in times), 2),
            "least": round(min(own / base for base, own in times), 2),
            "most": round(max(own / base for base, own in times), 2),
        }
        for name, times in pairs.items()
    }
    if arguments.json:
        print(json.dumps(result, indent=2))
        return
    for name, figures in result.items():
        spread = f"({figures['least']} to {figures['most']})"
        print(f"{name:36} {figures['ms_per_step']:9.1f} ms/step  {figures['relative']:5.2f} x {BASELINE} {spread}")


class Stepper:
    """Trains a recipe step by step over batches held in memory."""

    def __init__(self, name: str, sentences: list[str], overrides: dict[str, Any]) -> None:
        import torch

        from augcse.config import load_recipe
        from augcse.training.encoder import build_encoder
        from augcse.training.objective import build_objective
        from augcse.training.precision import resolve_precision

        recipe = load_recipe(name, overrides if name != BASELINE else {})
        torch.manual_seed(recipe.training.seed)
        self.loss = build_objective(recipe, build_encoder(recipe).model)
        self.loss.train()
        self.bf16 = resolve_precision("auto") == "bf16"
        self.optimizer = torch.optim.AdamW([p for p in self.loss.parameters() if p.requires_grad], lr=recipe.training.learning_rate)
        self.batches = _batches(recipe, self.loss, sentences)
        self.seconds_per_step(0, 2)

    def seconds_per_step(self, start: int, steps: int) -> float:
        import torch

        device = next(self.loss.parameters()).device
        # The processor's time where it does the work: other processes disturb it less.
        clock = time.perf_counter if device.type == "cuda" else time.process_time
        started = clock()
        for step in range(start, start + steps):
            features, labels = self.batches[step % len(self.batches)]
            with torch.autocast(device.type, dtype=torch.bfloat16, enabled=self.bf16):
                terms = self.loss(features, labels)
            torch.stack(list(terms.values())).sum().backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(self.loss.parameters(), 1.0)
            self.optimizer.step()
            self.optimizer.zero_grad()
        if device.type == "cuda":
            torch.cuda.synchronize()
        return (clock() - started) / steps


def _batches(recipe: Any, loss: Any, sentences: list[str]) -> list[tuple[list[dict[str, Any]], Any]]:
    """Return the recipe's batches as a training makes them: the views' features, in order, and the labels."""
    from augcse.corpus.files import Corpus
    from augcse.training.batches import StoreBatchSampler, StoreCollator
    from augcse.training.store.build import prepare
    from augcse.training.store.plan import Plan
    from augcse.training.teachers import load_teachers, with_teacher_vectors
    from augcse.training.watcher import NO_WATCHER

    device = next(loss.parameters()).device
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus.txt"
        corpus.write_text("\n".join(sentences) + "\n", "utf-8")
        plan = Plan.of(recipe, Corpus.of(corpus), loss)
        store = prepare(plan, loss.model.tokenizer, Path(folder) / "store")
        teachers = load_teachers(loss.traits.teachers, Path(folder))
        store = with_teacher_vectors(store, loss.traits.teachers, teachers, plan, Path(folder) / "teachers", NO_WATCHER)
        sampler = StoreBatchSampler(store.views["original"].lengths, recipe.training.batch_size, 0, kind=recipe.training.batches)
        collate = StoreCollator(store, loss.model.tokenizer.pad_token_id or 0)
        batches = [{key: value.to(device) for key, value in collate(rows).items()} for rows in sampler]
    return [(_views(batch, plan.stored_views), batch.get("label")) for batch in batches]


def _views(batch: dict[str, Any], views: tuple[str, ...]) -> list[dict[str, Any]]:
    return [{key.removeprefix(f"{view}_"): value for key, value in batch.items() if key.startswith(f"{view}_")} for view in views]


def _mini_recipes() -> list[str]:
    from augcse.config import recipe_names

    return [name for name in recipe_names() if name.endswith("-mini")]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--recipes", nargs="*", help="default: all mini recipes")
    parser.add_argument("--set", default="{}", help="overrides for all but the baseline, as JSON by dotted key")
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
