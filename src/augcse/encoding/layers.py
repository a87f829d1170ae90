"""Train the last layers of a transformer alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

from augcse.errors import UserError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


def train_last_layers(model: SentenceTransformer, last_layers: int, name: str) -> str:
    """Freeze a model's transformer but for its last layers; modules after it stay trained. Returns the line that says so.

    Args:
        model: what is trained, its gradients switched here.
        last_layers: how many layers are trained, 1 or more.
        name: what to call the model.

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
    parts = list(model.parameters())
    share = sum(part.numel() for part in parts if part.requires_grad) / max(1, sum(part.numel() for part in parts))
    return f"only the last {last_layers} of {len(layers)} layers are trained, {share:.0%} of the weights (training.last_layers)"


def transformer_layers(model: SentenceTransformer) -> list[nn.Module]:
    """Return the transformer's layers: its longest list of modules of one class."""
    backbone = getattr(model[0], "auto_model", None)
    lists = [part for part in backbone.modules() if isinstance(part, nn.ModuleList)] if backbone is not None else []
    alike = [list(part) for part in lists if len({type(layer) for layer in part}) == 1]
    return max(alike, key=len, default=[])
