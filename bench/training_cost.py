"""The cost of a training step by model size: processor seconds, operations, memory. One single-threaded process per size.

The encoders have random weights and the shapes of known models; time does not depend on the weights. A step of `simcse-mini` is forward,
backward, clipping and the optimiser on 64 sentences of 32 tokens, padding none, each encoded twice, in float32.

python bench/training_cost.py [--shapes mini-bert,MiniLM-L6,BERT-base] [--steps 3] [--record docs/results/training_cost.json]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from measuring import peak_mb, timed

# Layers, width, heads, pieces of the vocabulary; feed-forward layers are four times as wide.
SHAPES = {"mini-bert": (4, 256, 4, 12_288), "MiniLM-L6": (6, 384, 12, 30_522), "BERT-base": (12, 768, 12, 30_522)}
BATCH_SIZE, TOKENS = 64, 32
# Of a forward and a backward pass: a multiplication and an addition per weight and token forward, twice as many backward.
OPERATIONS_PER_WEIGHT = 6


def main() -> None:
    arguments = _arguments()
    if arguments.one:
        print(json.dumps(measure(arguments.one, arguments.steps)))
        return
    by_shape = {}
    for shape in arguments.shapes.split(","):
        command = [sys.executable, __file__, "--one", shape, "--steps", str(arguments.steps)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
        by_shape[shape] = json.loads(done.stdout.splitlines()[-1])
        print(shape, by_shape[shape], flush=True)
    if arguments.record:
        from augcse.training.record import hardware, versions

        about = {"batch_size": BATCH_SIZE, "tokens": TOKENS, "steps": arguments.steps, "precision": "fp32", "threads": 1}
        record = {**about, "hardware": hardware(), "versions": versions(), "shapes": by_shape}
        arguments.record.write_text(json.dumps(record, indent=2) + "\n", "utf-8")


def measure(shape: str, steps: int) -> dict[str, Any]:
    """Return the cost of a step with a model of the given shape, after a warm-up step."""
    import torch

    from augcse.config import load_recipe
    from augcse.training.encoder import build_encoder
    from augcse.training.objective import build_objective

    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        _save_backbone(shape, Path(folder))
        encoder = build_encoder(load_recipe("simcse-mini", {"model.backbone": folder})).model
    loss = build_objective(load_recipe("simcse-mini"), encoder).train()
    optimizer = torch.optim.AdamW(loss.parameters(), lr=1e-5)
    ids = torch.randint(1000, 9000, (BATCH_SIZE, TOKENS))
    features = [{"input_ids": ids, "attention_mask": torch.ones_like(ids)}]

    def step() -> None:
        torch.stack(list(loss(features, None).values())).sum().backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(loss.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()

    step()
    seconds = statistics.median(timed(step)[0]["cpu_s"] for _ in range(steps))
    weights = {name: parameter.numel() for name, parameter in encoder.named_parameters()}
    layers = sum(number for name, number in weights.items() if "embeddings" not in name)
    operations = OPERATIONS_PER_WEIGHT * layers * 2 * BATCH_SIZE * TOKENS
    return {
        "weights": sum(weights.values()),
        "weights_without_embeddings": layers,
        "cpu_s_per_step": round(seconds, 3),
        "operations_per_step": operations,
        "operations_per_s": round(operations / seconds),
        "peak_memory_mb": peak_mb(),
    }


def _save_backbone(shape: str, folder: Path) -> None:
    from transformers import AutoTokenizer, BertConfig, BertModel

    from augcse.resources import MINI_BERT

    layers, width, heads, pieces = SHAPES[shape]
    tokenizer = AutoTokenizer.from_pretrained(str(MINI_BERT))
    config = BertConfig(
        vocab_size=pieces,
        num_hidden_layers=layers,
        hidden_size=width,
        num_attention_heads=heads,
        intermediate_size=4 * width,
    )
    BertModel(config, add_pooling_layer=False).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shapes", default=",".join(SHAPES))
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--record", type=Path)
    parser.add_argument("--one", choices=list(SHAPES), help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
