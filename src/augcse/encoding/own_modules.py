"""Load a sentence-transformers model with its own modules, describe them, and replace its pooling."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from augcse.encoding.length import maximum_tokens
from augcse.encoding.model import Pooling, check_pooling, first_last_average, load_encoder
from augcse.encoding.saving import MODULES
from augcse.errors import UserError
from augcse.model_folder import model_folder

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


def own_modules_file(name: str) -> Path | None:
    """Return the modules.json of a sentence-transformers model; None for a bare backbone."""
    path = model_folder(name) / MODULES
    return path if path.is_file() else None


def load_as_given(name: str, bare_pooling: Pooling, *, seed: int | None = 0) -> SentenceTransformer:
    """Load a sentence-transformers model with all its modules, or a bare backbone with `bare_pooling` added.

    `seed` and errors are those of `load_encoder`.
    """
    return load_encoder(name, None if own_modules_file(name) else bare_pooling, seed=seed)


def replace_pooling(model: SentenceTransformer, pooling: Pooling) -> None:
    """Replace the model's pooling by `pooling`; other modules do not change.

    Raises:
        UserError: an unknown pooling, a model with no pooling or several, or modules after the pooling that need another width.
    """
    from sentence_transformers.sentence_transformer.modules import Pooling as PoolingModule
    from sentence_transformers.sentence_transformer.modules import WeightedLayerPooling

    check_pooling(pooling)
    poolings = [index for index, module in enumerate(model) if isinstance(module, PoolingModule)]
    if len(poolings) != 1 or not hasattr(model[0], "auto_model"):
        names = ", ".join(described_modules(model))
        raise UserError(f"model.pooling is {pooling}, and the model has no single pooling to exchange ({names}); leave it out")
    dim = int(model[0].get_embedding_dimension())
    index = poolings[0]
    replaced_dim = model[index].get_embedding_dimension()
    if replaced_dim != dim and index + 1 < len(model):
        raise UserError(
            f"model.pooling is {pooling}, which gives {dim} values; the modules after the model's own pooling ({pooling_name(model)}) take"
            f" {replaced_dim}; leave it out"
        )
    model[index] = PoolingModule(dim, pooling_mode="cls" if pooling == "cls" else "mean")
    if isinstance(model[index - 1], WeightedLayerPooling):
        del model[index - 1]
        index -= 1
    config = model[0].auto_model.config
    config.output_hidden_states = pooling.startswith("first-last")
    if config.output_hidden_states:
        model.insert(index, first_last_average(dim, config.num_hidden_layers, int(pooling[-1])).to(model.device))


def pooling_name(model: SentenceTransformer) -> str:
    """Return what the model's pooling is called: the name in `load_encoder` if it has one there, else sentence-transformers'.

    "none" if nothing is pooled; several modes are joined by a plus sign.
    """
    from sentence_transformers.sentence_transformer.modules import Pooling as PoolingModule
    from sentence_transformers.sentence_transformer.modules import WeightedLayerPooling

    layers = next((module for module in model if isinstance(module, WeightedLayerPooling)), None)
    modes = [_mode_name(module) for module in model if isinstance(module, PoolingModule)]
    name = "+".join(modes) or "none"
    return _layers_name(layers) if layers is not None and name == "mean" else name


def described_modules(model: SentenceTransformer) -> list[str]:
    """Return the model's modules in a few words each, e.g. "Transformer, 256 tokens", "Pooling, mean", "Normalize"."""
    from sentence_transformers.sentence_transformer.modules import Pooling as PoolingModule

    described = []
    for index, module in enumerate(model):
        name = type(module).__name__
        if index == 0 and (length := maximum_tokens(model)) is not None:
            name += f", {length} tokens"
        elif isinstance(module, PoolingModule):
            name += f", {pooling_name(model)}"
        elif hasattr(module, "in_features"):
            name += f", {module.in_features} to {module.out_features}"
        described.append(name)
    return described


def _mode_name(pooling: Any) -> str:
    mode = pooling.pooling_mode
    return mode if isinstance(mode, str) else "+".join(mode)


def _layers_name(layers: Any) -> str:
    """Return "first-last-L" for the frozen average of hidden state L and the last one, "weighted layers" for any other."""
    weights: list[float] = layers.layer_weights.tolist()
    only_ends = len(weights) > 1 and weights[0] == weights[-1] != 0 and not any(weights[1:-1])
    return f"first-last-{layers.layer_start}" if only_ends else "weighted layers"
