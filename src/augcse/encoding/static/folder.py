"""The folder of a static encoder: an ordinary sentence-transformers model, a model card and a record, written whole or not at all."""

from __future__ import annotations

import platform
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from augcse import __version__
from augcse.encoding.static.card import static_card
from augcse.encoding.static.options import StaticOptions
from augcse.files import whole_folder, write_json, write_text
from augcse.model_folder import BUNDLED_BACKBONES, BUNDLED_LICENCES

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from tokenizers import Tokenizer

RECORD = "static.json"
_PACKAGES = ("sentence-transformers", "tokenizers", "torch", "numpy", "scipy")


def write_model(
    folder: Path, tokenizer: Tokenizer, rows: npt.NDArray[Any], options: StaticOptions, facts: dict[str, Any]
) -> dict[str, Any]:
    """Write model, card and record to a folder that does not exist yet; return the record.

    Args:
        folder: of the model.
        tokenizer: whose numbers are the rows'.
        rows: (vocabulary, dim), whose mean is a sentence's embedding.
        options: what it was made with.
        facts: what was counted while building.

    Raises:
        UserError: the folder cannot be written.
    """
    rows = rows.astype(np.float16 if options.precision == "fp16" else np.float32)
    record = {
        "augcse": __version__,
        "kind": "static",
        **facts,
        "vocabulary": rows.shape[0],
        "dim": rows.shape[1],
        "megabytes": round(rows.nbytes / 1e6, 1),
        "licence": licence(options),
        "settings": described_settings(options),
        "versions": {"python": platform.python_version()} | {name: metadata.version(name) for name in _PACKAGES},
    }
    model = encoder_of_rows(tokenizer, rows, tokens_once=options.tokens_once)
    with whole_folder(folder) as partial:
        model.save_pretrained(str(partial), create_model_card=False)
        write_text(partial / "README.md", static_card(record))
        write_json(partial / RECORD, record)
    return record


def encoder_of_rows(tokenizer: Tokenizer, rows: npt.NDArray[Any], *, tokens_once: bool = False) -> SentenceTransformer:
    """Return a model whose embedding of a sentence is the mean of its tokens' rows, (vocabulary, dim)."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding

    from augcse.encoding.static.once import TokensOnce

    kind = TokensOnce if tokens_once else StaticEmbedding
    return SentenceTransformer(modules=[kind(tokenizer, embedding_weights=torch.from_numpy(rows))], device="cpu")


def described_settings(options: StaticOptions) -> dict[str, Any]:
    """Return the settings, with `rows` resolved and only the last part of folders' names."""
    settings = asdict(options) | {"rows": "both" if len(options.sources) > 1 else options.sources[0]}
    # Under another key: a model with a file that names a backbone is refused (foreign_code.py).
    named = {"backbone_name": _shown_name(settings.pop("backbone")), "tokenizer_name": _shown_name(settings.pop("tokenizer"))}
    return named | settings


def licence(options: StaticOptions) -> str:
    """Return the licence of the model: its backbone's if rows come from it, otherwise that of the text alone."""
    if "backbone" not in options.sources:
        return "as your text"
    return BUNDLED_LICENCES.get(str(options.backbone), f"that of {_shown_name(options.backbone)}, whose embedding table it is made of")


def _shown_name(name: str | None) -> str | None:
    if name is None or name in BUNDLED_BACKBONES or not Path(name).expanduser().is_dir():
        return name
    return Path(name).expanduser().resolve().name
