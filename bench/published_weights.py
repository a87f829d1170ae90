"""How many weights the papers' models have while training and afterwards (AugCSE, table 13; DiffCSE, table 14), counted in our recipes.

The encoders have random weights and the shapes of BERT-base, RoBERTa-base and their distilled generators; nothing is downloaded.

python bench/published_weights.py [--record docs/results/published_weights.json]
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

# The model, its recipe, what is set of it, and what the paper states: millions of weights while training and afterwards.
# AugCSE's discriminator is built as its text has it (fidelity "paper"), and as its code does.
PUBLISHED: tuple[tuple[str, str, dict[str, Any], int, int], ...] = (
    ("SimCSE, BERT", "simcse-bert", {}, 110, 110),
    ("SimCSE, RoBERTa", "simcse-roberta", {}, 125, 125),
    ("DiffCSE, BERT", "diffcse-bert-sts", {}, 220, 110),
    ("DiffCSE, RoBERTa", "diffcse-roberta-sts", {}, 250, 125),
    ("AugCSE, BERT", "augcse-bert-sts", {"fidelity": "paper"}, 117, 110),
    ("AugCSE, BERT", "augcse-bert-sts", {"fidelity": "repo"}, 117, 110),
    ("AugCSE, RoBERTa", "augcse-roberta-sts", {"fidelity": "paper"}, 132, 125),
    ("AugCSE, RoBERTa", "augcse-roberta-sts", {"fidelity": "repo"}, 132, 125),
)
BERT_PIECES, ROBERTA_PIECES, ROBERTA_POSITIONS = 30_522, 50_265, 514


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", type=Path)
    arguments = parser.parse_args()
    records = [
        {"model": model, "recipe": recipe, "set": overrides}
        | {"weights": counted(recipe, overrides), "published_millions": {"trained": trained, "model": kept}}
        for model, recipe, overrides, trained, kept in PUBLISHED
    ]
    text = json.dumps(records, indent=2) + "\n"
    print(text, end="")
    if arguments.record:
        arguments.record.write_text(text, "utf-8")


def counted(name: str, settings: Mapping[str, Any]) -> dict[str, int]:
    """Return how many weights a recipe's training and its model have."""
    from augcse.config import load_recipe
    from augcse.objectives.weights import count_weights
    from augcse.training.encoder import build_encoder
    from augcse.training.objective import build_objective

    family = "roberta" if "roberta" in name else "bert"
    with tempfile.TemporaryDirectory() as folder:
        encoder, generator = Path(folder) / "encoder", Path(folder) / "generator"
        save_random(family, 12, encoder)
        overrides = {**settings, "model.backbone": str(encoder)}
        if "generator" in load_recipe(name).objective.options():
            # Half as many layers, as the distilled models have.
            save_random(family, 6, generator)
            overrides["objective.generator"] = str(generator)
        recipe = load_recipe(name, overrides)
        return asdict(count_weights(build_objective(recipe, build_encoder(recipe).model)))


def save_random(family: str, layers: int, folder: Path) -> None:
    """Save a masked language model of a base model's shape, with random weights and the bundled tokenizer."""
    from transformers import AutoTokenizer, BertConfig, BertForMaskedLM, RobertaConfig, RobertaForMaskedLM

    from augcse.resources import MINI_BERT

    if family == "bert":
        model: Any = BertForMaskedLM(BertConfig(vocab_size=BERT_PIECES, num_hidden_layers=layers))
    else:
        shape = {"max_position_embeddings": ROBERTA_POSITIONS, "type_vocab_size": 1}
        model = RobertaForMaskedLM(RobertaConfig(vocab_size=ROBERTA_PIECES, num_hidden_layers=layers, **shape))
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(str(MINI_BERT)).save_pretrained(folder)


if __name__ == "__main__":
    main()
