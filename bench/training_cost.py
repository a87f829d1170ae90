"""The cost of a training step by model size: seconds, operations, memory. One process, of one thread, per size and precision.

The encoders have random weights and the shapes of known models; time does not depend on the weights. A step of `simcse-mini` is forward,
backward, clipping and the optimiser on 64 sentences of 32 tokens, padding none, each encoded twice. On a CPU in float32, timed in
processor seconds; with `--device cuda`, also under bf16 autocast as in training, timed on the clock until the GPU has finished.

python bench/training_cost.py [--shapes mini-bert,MiniLM-L6,BERT-base] [--steps 3] [--record docs/results/training_cost.json]
python bench/training_cost.py --device cuda --steps 50 --record docs/results/training_cost_gpu.json
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
        print(json.dumps(measure(arguments.one, arguments.steps, arguments.device, arguments.precision)))
        return
    by_precision = {
        precision: {shape: _in_process(shape, precision, arguments) for shape in arguments.shapes.split(",")}
        for precision in (("fp32", "bf16") if arguments.device == "cuda" else ("fp32",))
    }
    if arguments.record:
        from augcse.training.record import hardware, versions

        about = {"batch_size": BATCH_SIZE, "tokens": TOKENS, "steps": arguments.steps, "threads": 1}
        if arguments.device == "cpu":
            measured = {"precision": "fp32", "hardware": hardware(), "versions": versions(), "shapes": by_precision["fp32"]}
        else:
            measured = {"hardware": hardware(), "versions": versions(), "precisions": by_precision}
        arguments.record.write_text(json.dumps({**about, **measured}, indent=2) + "\n", "utf-8")


def _in_process(shape: str, precision: str, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the cost of a step, measured in a process of its own."""
    options = ["--steps", str(arguments.steps), "--device", arguments.device, "--precision", precision]
    command = [sys.executable, __file__, "--one", shape, *options]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    cost: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    print(shape, precision, cost, flush=True)
    return cost


def measure(shape: str, steps: int, device: str, precision: str) -> dict[str, Any]:
    """Return the cost of a step with a model of the given shape, after a warm-up step."""
    import torch

    from augcse.config import load_recipe
    from augcse.training.encoder import build_encoder
    from augcse.training.objective import build_objective

    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        _save_backbone(shape, Path(folder))
        encoder = build_encoder(load_recipe("simcse-mini", {"model.backbone": folder})).model
    loss = build_objective(load_recipe("simcse-mini"), encoder).train().to(device)
    optimizer = torch.optim.AdamW(loss.parameters(), lr=1e-5)
    ids = torch.randint(1000, 9000, (BATCH_SIZE, TOKENS), device=device)
    features = [{"input_ids": ids, "attention_mask": torch.ones_like(ids)}]

    def step() -> None:
        with torch.autocast(device, torch.bfloat16, enabled=precision == "bf16"):
            total = torch.stack(list(loss(features, None).values())).sum()
        total.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(loss.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        if device == "cuda":
            torch.cuda.synchronize()

    step()
    clock = "cpu_s" if device == "cpu" else "wall_s"
    seconds = statistics.median(timed(step)[0][clock] for _ in range(steps))
    weights = {name: parameter.numel() for name, parameter in encoder.named_parameters()}
    layers = sum(number for name, number in weights.items() if "embeddings" not in name)
    operations = OPERATIONS_PER_WEIGHT * layers * 2 * BATCH_SIZE * TOKENS
    return {
        "weights": sum(weights.values()),
        "weights_without_embeddings": layers,
        f"{clock}_per_step": round(seconds, 3 if device == "cpu" else 5),
        "operations_per_step": operations,
        "operations_per_s": round(operations / seconds),
        "peak_memory_mb": peak_mb() if device == "cpu" else round(torch.cuda.max_memory_allocated() / 2**20),
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
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--record", type=Path)
    parser.add_argument("--precision", choices=["fp32", "bf16"], default="fp32", help=argparse.SUPPRESS)
    parser.add_argument("--one", choices=list(SHAPES), help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
