"""The encoder that a run trains: the given model with the changes of the recipe, each reported as a remark."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from augcse.encoding.layers import train_last_layers
from augcse.encoding.length import max_positions, maximum_tokens
from augcse.encoding.own_modules import described_modules, load_as_given, own_modules_file, pooling_name, replace_pooling
from augcse.encoding.static.training import is_static, read_padded_rows, table_scale
from augcse.errors import UserError
from augcse.objectives.base import find_objective
from augcse.objectives.checks import require_transformer

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from augcse.config import Recipe
    from augcse.sections import ModelSection

# A higher rate, as small backbones need it, makes a trained encoder forget; 1e-5 to 5e-5 is usual.
_GENTLE_LEARNING_RATE = 1e-4


@dataclass(frozen=True)
class Encoder:
    """The encoder to train, and the model that it was made from.

    Args:
        model: the encoder to train.
        given: the model before the recipe's changes, untrained; `model` itself if the recipe changes no module.
        modules_file: the model's own modules.json; None for a bare backbone.
        remarks: one line for each property that is kept or changed.
        rate_scale: factor of the recipe's learning rate: 1, or for a static encoder the root mean square of its embedding table, because
            only cosines count and the rate should not depend on the scale of the vectors.
    """

    model: SentenceTransformer
    given: SentenceTransformer
    modules_file: Path | None = None
    remarks: tuple[str, ...] = ()
    rate_scale: float = 1.0


def build_encoder(recipe: Recipe) -> Encoder:
    """Load the recipe's model and apply the recipe's changes; a bare backbone gets a pooling.

    Weights that the model's files lack are drawn from torch's generator, which the caller has seeded.

    Raises:
        UserError: a model that cannot be loaded, that is neither a transformer nor static, or that reads fewer tokens than the recipe's
            max_len_tokens.
    """
    section = recipe.model
    modules_file = own_modules_file(section.backbone)
    model = given = load_given(recipe, seed=None)
    _check_can_train(model, section, modules_file)
    remarks: list[str] = []
    if modules_file is not None:
        remarks.append(f"{section.backbone} keeps its modules: {'; '.join(described_modules(model))}")
        given_pooling = pooling_name(model)
        if section.pooling != "own" and section.pooling != given_pooling:
            model = load_given(recipe, seed=None)
            replace_pooling(model, section.pooling)
            remarks.append(f"pooling {given_pooling} -> {section.pooling} (model.pooling)")
        remarks += _training_remarks(recipe, model)
    if model is not given and recipe.interpolation.weights:
        raise UserError(
            f"interpolation.weights interpolate between the given model and the trained one, and model.pooling = {section.pooling}"
            " replaces the pooling of the given one first; leave model.pooling out, or set interpolation.weights to []"
        )
    rate_scale = 1.0
    if is_static(model):
        rate_scale = table_scale(model)
        remarks += _train_static(recipe, model)
    else:
        remarks += set_dropout(model, section.dropout_rate, report=modules_file is not None)
        remarks += _keep_token_weights(model)
    if recipe.training.last_layers is not None:
        remarks.append(train_last_layers(model, recipe.training.last_layers, section.backbone))
    return Encoder(model, given, modules_file, tuple(remarks), rate_scale)


def load_given(recipe: Recipe, *, seed: int | None = 0) -> SentenceTransformer:
    """Load the recipe's model without the recipe's changes; `seed` is that of `load_encoder`."""
    section = recipe.model
    return load_as_given(section.backbone, section.bare_pooling if section.pooling == "own" else section.pooling, seed=seed)


def _check_can_train(model: SentenceTransformer, section: ModelSection, modules_file: Path | None) -> None:
    """Raise `UserError` unless the model can be trained and reads as many tokens as the recipe sets."""
    if not hasattr(model[0], "auto_model") and not is_static(model):
        raise UserError(
            f"{section.backbone} has no transformer to train (its modules: {', '.join(described_modules(model))}); give a model with one"
        )
    max_len = section.max_len_tokens
    positions = max_positions(model)
    if positions is not None and max_len > positions:
        raise UserError(f"model.max_len_tokens is {max_len}; {section.backbone} has positions for {positions}, give that or less")
    length = maximum_tokens(model)
    if modules_file is not None and length is not None and max_len > length:
        raise UserError(f"model.max_len_tokens is {max_len}; {section.backbone} reads {length} tokens, give that or less")


def _training_remarks(recipe: Recipe, model: SentenceTransformer) -> list[str]:
    """Return a remark for each way in which training uses a finished encoder differently from inference."""
    remarks = []
    length, trained = maximum_tokens(model), recipe.model.max_len_tokens
    if length is not None and trained < length:
        remarks.append(f"sentences are cut at {trained} tokens while training (model.max_len_tokens); the model still reads {length}")
    prompt = (model.prompts or {}).get(model.default_prompt_name or "")
    if prompt:
        remarks.append(f"the model's default prompt {prompt!r} is not put before sentences while training")
    rate = recipe.training.learning_rate
    if not is_static(model) and rate > _GENTLE_LEARNING_RATE:
        remarks.append(
            f"learning rate {rate:g} (training.learning_rate) suits a small backbone; an encoder that is good already usually takes 1e-5 to"
            " 5e-5, as augcse adapt does"
        )
    return remarks


def _train_static(recipe: Recipe, model: SentenceTransformer) -> list[str]:
    """Make a static encoder trainable; return a remark on its dropout. Raises `UserError` for an objective that needs a transformer."""
    name = recipe.objective.name
    if not find_objective(name).trains_static or recipe.objective.options().get("do_mlm"):
        require_transformer(model, f"objective {name}", recipe.model.backbone)
    rate = recipe.model.dropout_rate or 0.0
    read_padded_rows(model, rate)
    dropout = f"{rate:.0%} of a sentence's tokens are left out at random while training (model.dropout_rate)"
    return [f"a static encoder: {dropout}; the learning rate counts in root mean squares of its table"]


def set_dropout(model: SentenceTransformer, rate: float | None, report: bool) -> list[str]:
    """Set the rate of every dropout module, which saved files do not contain; return a remark if `report` is set and the rate changed."""
    if rate is None:
        return []
    layers = [module for module in model.modules() if isinstance(module, torch.nn.Dropout)]
    saved_rates = sorted({layer.p for layer in layers})
    for layer in layers:
        layer.p = rate
    if not report or saved_rates in ([], [rate]):
        return []
    return [f"dropout {', '.join(f'{p:g}' for p in saved_rates)} -> {rate:g} while training (model.dropout_rate)"]


def _keep_token_weights(model: SentenceTransformer) -> list[str]:
    """Freeze SIF weights: the stock module saves the weights that it was created with, so that trained ones would be lost."""
    from sentence_transformers.sentence_transformer.modules import WordWeights

    frozen = [module.requires_grad_(False) for module in model if isinstance(module, WordWeights)]
    return ["the weights of its tokens are not trained"] if frozen else []
