"""Train only the last layers of a transformer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

from augcse.errors import UserError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


def train_last_layers(model: SentenceTransformer, last_layers: int, name: str) -> str:
    """Freeze a model's transformer except its last layers; later modules stay trainable. Returns a remark on the share of weights.

    Args:
        model: the model to train, changed in place.
        last_layers: the number of layers to train, 1 or more.
        name: the name of the model in messages.

    Raises:
        UserError: a model without layers, or with fewer.
    """
    layers = transformer_layers(model)
    if last_layers > len(layers):
        has = f"has {len(layers)}" if layers else "has no layers"
        raise UserError(f"training.last_layers is {last_layers}; {name} {has}: {'give that or less' if layers else 'leave it out'}")
    model[0].requires_grad_(False)
    for layer in layers[-last_layers:]:
        layer.requires_grad_(True)
    trained = sum(parameter.numel() for parameter in model.parameters() if parameter.requires_grad)
    share = trained / max(1, sum(parameter.numel() for parameter in model.parameters()))
    return f"only the last {last_layers} of {len(layers)} layers are trained, {share:.0%} of the weights (training.last_layers)"


def transformer_layers(model: SentenceTransformer) -> list[nn.Module]:
    """Return the transformer's layers: its longest module list whose members have one class."""
    backbone = getattr(model[0], "auto_model", None)
    lists = [module for module in backbone.modules() if isinstance(module, nn.ModuleList)] if backbone is not None else []
    uniform = [list(layers) for layers in lists if len({type(layer) for layer in layers}) == 1]
    return max(uniform, key=len, default=[])
