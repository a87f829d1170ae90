"""Build or load the encoder: always a plain sentence-transformers model, so that what we save anyone can load."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from augcse.encoding.trust import uses_only_our_modules
from augcse.encoding.whole import check_whole
from augcse.errors import UserError, unknown_name
from augcse.resources import MINI_BERT

if TYPE_CHECKING:
    import numpy as np
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers import PreTrainedTokenizerBase

Pooling = Literal["cls", "mean", "first-last-0", "first-last-1"]
BUNDLED_BACKBONES = {"mini-bert": MINI_BERT}


def load_encoder(name: str, pooling: Pooling | None = None, device: str | None = None) -> SentenceTransformer:
    """Load a sentence-transformers model, or a bare backbone with `pooling` put on top.

    Args:
        name: `mini-bert` (bundled), a folder, or a hub name.
        pooling: `cls`, `mean`, or `first-last-L`: the mean over tokens of the average of hidden state L and the last one, where
            L = 0 is the embedding output (DiffCSE, ESimCSE, early SimCSE) and L = 1 the first layer's (SimCSE since its fix).
            None keeps what a sentence-transformers folder says, and means `mean` for a bare backbone, as sentence-transformers does.
        device: torch device; None lets sentence-transformers choose.

    Raises:
        UserError: the folder does not exist or holds no model, the name is neither a folder nor to be had from the hub, or files are
            damaged, or weights that are read, or the tokeniser's words, are in none of them.
    """
    if pooling is not None and pooling not in get_args(Pooling):
        raise unknown_name("pooling", pooling, get_args(Pooling))
    source = locate(name)
    whole = pooling is None and _is_sentence_transformer(source)
    model = _load_folder(source, device) if whole else _put_pooling_on(source, pooling or "mean", device)
    check_whole(model, source)
    return model


def locate(name: str) -> str:
    """Return the bundled folder for a bundled name, the path of an existing folder, or the name itself as a hub name."""
    if name in BUNDLED_BACKBONES:
        return str(BUNDLED_BACKBONES[name])
    path = Path(name).expanduser()
    if path.is_dir():
        if not any((path / file).exists() for file in ("modules.json", "config.json")):
            raise UserError(f"{name} holds no model: neither modules.json nor config.json is in it")
        return str(path)
    if path.exists():
        raise UserError(f"{name} is a file; a model is a folder (or a hub name)")
    if path.is_absolute() or name.startswith((".", "~")) or name.count("/") > 1:
        raise UserError(f"no model folder {name}; give an existing folder, a hub name, or one of: {', '.join(BUNDLED_BACKBONES)}")
    return name


def load_tokenizer(name: str) -> PreTrainedTokenizerBase:
    """Load the tokeniser of a model, by bundled name, folder or hub name. Raises `UserError` if there is none to be had."""
    from transformers import AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(locate(name))
    except (OSError, ValueError) as error:
        raise UserError(f"no tokeniser of {name}: {str(error).splitlines()[0]}") from error


def encode_distinct(model: SentenceTransformer, sentences: Sequence[str], batch_size: int = 128) -> tuple[np.ndarray, dict[str, int]]:
    """Encode every distinct sentence once (sentence-transformers sorts them by length) and say which row is whose.

    Returns:
        embeddings: float32, (distinct, dim).
        row_of: sentence -> row of `embeddings`.
    """
    row_of = {sentence: row for row, sentence in enumerate(dict.fromkeys(sentences))}
    embeddings = model.encode(
        list(row_of), batch_size=batch_size, show_progress_bar=False, convert_to_numpy=True, normalize_embeddings=False
    )
    return embeddings, row_of


def _is_sentence_transformer(source: str) -> bool:
    # A hub name is left to sentence-transformers, which knows both kinds.
    return not Path(source).is_dir() or (Path(source) / "modules.json").exists()


def _load_folder(source: str, device: str | None) -> SentenceTransformer:
    from safetensors import SafetensorError
    from sentence_transformers import SentenceTransformer

    try:
        return SentenceTransformer(source, device=device, trust_remote_code=uses_only_our_modules(Path(source)))
    # RuntimeError: weights of other shapes or names, as torch reports them.
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        raise _not_loadable(source, error) from error


def _put_pooling_on(source: str, pooling: Pooling, device: str | None) -> SentenceTransformer:
    import torch
    from safetensors import SafetensorError
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling as PoolingModule
    from sentence_transformers.sentence_transformer.modules import Transformer, WeightedLayerPooling

    first_last = pooling.startswith("first-last")
    try:
        # float32 whatever the file holds: the bundled weights are stored in half precision to stay small.
        backbone = Transformer(
            source,
            model_kwargs={"dtype": torch.float32},
            config_kwargs={"output_hidden_states": True} if first_last else {},
        )
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        raise _not_loadable(source, error) from error
    dim = backbone.get_embedding_dimension()
    modules: list[torch.nn.Module] = [backbone]
    if first_last:
        layers = backbone.auto_model.config.num_hidden_layers
        modules.append(_first_last_average(WeightedLayerPooling, dim, layers, int(pooling[-1])))
    modules.append(PoolingModule(dim, pooling_mode="cls" if pooling == "cls" else "mean"))
    return SentenceTransformer(modules=modules, device=device)


def _first_last_average(layer_pooling: type, dim: int, layers: int, first: int) -> torch.nn.Module:
    """Return the stock layer-pooling module with weight on the first and the last layer only, and frozen."""
    import torch

    weights = torch.zeros(layers + 1 - first)
    weights[0] = weights[-1] = 1.0
    module: torch.nn.Module = layer_pooling(
        dim,
        num_hidden_layers=layers,
        layer_start=first,
        layer_weights=torch.nn.Parameter(weights, requires_grad=False),
    )
    return module


def _not_loadable(source: str, error: Exception) -> UserError:
    reason = " ".join(line.strip() for line in str(error).strip().split("\n")[:2])
    if "ignore_mismatched_sizes" in reason:
        reason = "its weights have other shapes than its config.json says"
    if Path(source).is_dir():
        remedy = "a file of the folder is damaged, absent or of another model"
    elif os.environ.get("HF_HUB_OFFLINE") == "1":
        remedy = "the hub is switched off here (HF_HUB_OFFLINE=1): give a local folder"
    else:
        remedy = "check the name"
    return UserError(f"cannot load the model {source}: {reason} ({remedy})")
