"""The folder of a pretrained backbone: transformers' files, a model card and a record, written whole or not at all."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import torch

from augcse import __version__
from augcse.encoding.front_matter import shown_name
from augcse.encoding.model import load_tokenizer
from augcse.files import whole_folder, write_json, write_text
from augcse.model_folder import BUNDLED_LICENCES
from augcse.objectives.masked_lm import load_masked_lm
from augcse.training.pretraining.card import backbone_card
from augcse.training.pretraining.options import RECORD, PretrainOptions
from augcse.training.pretraining.start import save_transformers
from augcse.training.record import hardware, peak_memory_mb, versions

_STORED = {"fp16": torch.float16, "fp32": torch.float32}


def write_model(folder: Path, trained: Path, options: PretrainOptions, record: dict[str, Any], started: float) -> None:
    """Write model, card and record to a folder that does not exist yet.

    Args:
        folder: of the model.
        trained: a transformers folder, in float32.
        options: what it was made with.
        record: what was done.
        started: when this process began, in seconds since the epoch.

    Raises:
        UserError: the folder cannot be written.
    """
    model, tokenizer = load_masked_lm(str(trained)), load_tokenizer(str(trained))
    parameters = sum(parameter.numel() for parameter in model.parameters())
    with whole_folder(folder) as partial:
        save_transformers(model.to(_STORED[options.stored_precision]), tokenizer, partial)
        megabytes = sum(file.stat().st_size for file in partial.iterdir()) / 1e6
        shape = {"parameters": parameters, "megabytes": round(megabytes, 1), "layers": model.config.num_hidden_layers}
        made_with = {"augcse": __version__, "licence": _licence(options), "settings": _described(options)}
        whole = {**made_with, **record, **shape, "hidden_size": model.config.hidden_size}
        write_text(partial / "README.md", backbone_card(whole))
        # Of this process, after the last resume; the card has nothing of it, so that it is the same however often a run was resumed.
        spent = {"wall_time_s": round(time.time() - started, 1), "peak_memory_mb": peak_memory_mb()}
        write_json(partial / RECORD, {**whole, **spent, "versions": versions(), "hardware": hardware()})


def _described(options: PretrainOptions) -> dict[str, Any]:
    """Return the settings; models by names, under keys that no loader takes for a model of another's (foreign_code.py)."""
    settings = options.model_dump()
    named = {f"{key}_name": settings.pop(key) for key in ("backbone", "tokenizer")}
    return {key: None if value is None else shown_name(value) for key, value in named.items()} | settings


def _licence(options: PretrainOptions) -> str:
    """Say under what the model may be used: that of the one it goes on from, else nobody's but the text's."""
    if options.backbone is None:
        return "as your text"
    return BUNDLED_LICENCES.get(options.backbone, f"that of {shown_name(options.backbone)}, which it goes on from")
