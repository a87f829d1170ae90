"""The model card of a pretrained backbone, from its record."""

from __future__ import annotations

from typing import Any

from augcse.encoding.front_matter import front_matter
from augcse.training.pretraining.options import NEW_MODEL_SETTINGS

# Settings that do not affect the model, or that are shown elsewhere.
_NOT_SHOWN = (
    "backbone_name", "tokenizer_name", "precision", "stored_precision", "log_every_steps", "checkpoint_every_steps",
    "checkpoint_every_minutes",
)  # fmt: skip
_SENTENCE_STAGE_SETTINGS = (
    "sentence_tokens", "sentence_batch_size", "sentence_epochs", "sentence_max_steps", "sentence_learning_rate", "encoder_mask_rate",
    "decoder_mask_rate", "enhanced_decoding",
)  # fmt: skip


def backbone_card(record: dict[str, Any]) -> str:
    """Return the README.md of the model folder, with the metadata that the Hugging Face hub reads."""
    licence = record["licence"]
    lines = [
        front_matter(use="fill-mask", licence=licence.lower() if licence.startswith("CC-") else None),
        "# A small backbone",
        "",
        f"{_origin(record)} with augcse {record['augcse']} from plain text, without labels: a masked language model of"
        f" {shape_in_words(record)}, {record['parameters']:,} parameters. It is a start for"
        " sentence encoders, not one by itself.",
        "",
        "```bash",
        "augcse train simcse-mini --model path/to/this/folder --corpus sentences.txt --output my-run",
        "```",
        "",
        "```python",
        "from transformers import pipeline",
        "",
        'pipeline("fill-mask", "path/to/this/folder")("The mill was [MASK] by the river.")',
        "```",
        "",
        "| | |",
        "| --- | --- |",
        *(f"| {name} | {value} |" for name, value in _facts(record).items()),
        "",
        f"Licence: {licence}.",
    ]
    return "\n".join(lines) + "\n"


def shape_in_words(record: dict[str, Any]) -> str:
    """Return the number of layers and the width of a pretrained backbone.

    >>> shape_in_words({"layers": 1, "hidden_size": 32})
    '1 layer, 32 wide'
    """
    return f"{record['layers']} {_plural('layer', record['layers'])}, {record['hidden_size']} wide"


def _origin(record: dict[str, Any]) -> str:
    name = record["settings"]["backbone_name"]
    return "Made" if name is None else f"Made of {name}"


def _plural(noun: str, number: int) -> str:
    return noun if number == 1 else f"{noun}s"


def _steps_and_loss(steps: int, curve: list[dict[str, float]]) -> str:
    """Return the number of steps of a stage, and its loss at the start and at the end."""
    losses = [entry["loss"] for entry in curve if "loss" in entry]
    counted_steps = f"{steps:,} {_plural('step', steps)}"
    if not losses:
        return counted_steps
    if len(losses) == 1:
        return f"{counted_steps}, mean loss {losses[0]:.3f}"
    return f"{counted_steps}, loss {losses[0]:.3f} in the first ones, {losses[-1]:.3f} in the last"


def _facts(record: dict[str, Any]) -> dict[str, str]:
    """Return the cells of the card's table by their names."""
    settings = record["settings"]
    left_out = set(_NOT_SHOWN)
    if settings["backbone_name"] is not None:
        left_out.update(NEW_MODEL_SETTINGS)
    if settings["sentence_stage"] == "none":
        left_out.update(_SENTENCE_STAGE_SETTINGS)
    shown = {key: value for key, value in settings.items() if key not in left_out}
    tokenizer = settings["backbone_name"] or settings["tokenizer_name"]
    return {
        "corpus": ", ".join(f"`{file['name']}` (SHA-256 `{file['sha256']}`)" for file in record["corpus"]),
        "sentences": f"{record['sentences']:,}",
        "tokens": f"{record['tokens']:,}, {record['unknown_share']:.2%} of them unknown, in {record['blocks']:,} blocks",
        "tokenizer": f"of {tokenizer}" if tokenizer else "trained on the corpus",
        "vocabulary": f"{record['vocabulary']:,}",
        **{name: _steps_and_loss(record["steps"][name], curve) for name, curve in record["curves"].items()},
        "size": f"{record['megabytes']} MB, {settings['stored_precision']}",
        "settings": ", ".join(f"{key} {str(value).lower()}" for key, value in shown.items()),
    }
