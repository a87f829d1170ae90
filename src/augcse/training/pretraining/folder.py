"""The folder of a pretrained backbone: transformers' files, a model card and a record, written atomically."""

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
        folder: the folder to write.
        trained: the transformers folder of the trained model, in float32.
        options: the settings of the pretraining.
        record: the record of corpus and training.
        started: the start of this process, in seconds since the epoch.

    Raises:
        UserError: the folder cannot be written.
    """
    model, tokenizer = load_masked_lm(str(trained)), load_tokenizer(str(trained))
    parameters = sum(parameter.numel() for parameter in model.parameters())
    with whole_folder(folder) as partial:
        save_transformers(model.to(_STORED[options.stored_precision]), tokenizer, partial)
        megabytes = sum(file.stat().st_size for file in partial.iterdir()) / 1e6
        shape = {"parameters": parameters, "megabytes": round(megabytes, 1), "layers": model.config.num_hidden_layers}
        origin = {"augcse": __version__, "licence": _licence(options), "settings": _recorded_settings(options)}
        facts = {**origin, **record, **shape, "hidden_size": model.config.hidden_size}
        write_text(partial / "README.md", backbone_card(facts))
        # Since the last resume. Not in the card, which is the same however often a run was resumed.
        cost = {"wall_time_s": round(time.time() - started, 1), "peak_memory_mb": peak_memory_mb()}
        write_json(partial / RECORD, {**facts, **cost, "versions": versions(), "hardware": hardware()})


def _recorded_settings(options: PretrainOptions) -> dict[str, Any]:
    """Return the settings, with the names of models under keys that no loader takes for a reference to another model (foreign_code.py)."""
    settings = options.model_dump()
    named = {f"{key}_name": settings.pop(key) for key in ("backbone", "tokenizer")}
    return {key: None if value is None else shown_name(value) for key, value in named.items()} | settings


def _licence(options: PretrainOptions) -> str:
    """Return the licence of the model: that of the backbone it continues from, else that of the corpus alone."""
    if options.backbone is None:
        return "as your text"
    return BUNDLED_LICENCES.get(options.backbone, f"that of {shown_name(options.backbone)}, which it goes on from")
