"""The encoder that a run trains: the model as it was given, and what the recipe changes of it, each change said."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from augcse.encoding.layers import train_last_layers
from augcse.encoding.length import maximum_tokens, most_positions
from augcse.encoding.own_modules import described_modules, exchange_pooling, load_as_given, own_modules_file, pooling_name
from augcse.encoding.static.training import is_static, read_padded_rows, table_scale
from augcse.errors import UserError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from augcse.config import Recipe
    from augcse.sections import ModelSection

# What small backbones train with destroys what a trained encoder knows; these take 1e-5 to 5e-5.
_GENTLE_LEARNING_RATE = 1e-4
# Those that look at sentence embeddings alone.
STATIC_OBJECTIVES = ("augcse", "contrastive", "simcse", "simcse-supervised")


@dataclass(frozen=True)
class Encoder:
    """What is trained, and what it was.

    Args:
        model: to be trained.
        given: the model as it was given, untrained; `model` itself where the recipe changes no module of it.
        modules_file: the model's own modules.json; None for a bare backbone.
        remarks: what is kept and what is changed, a line each.
        rate_scale: what the recipe's learning rate is multiplied by: 1, and of a static encoder the root mean square of its table, so
            that the rate does not depend on the scale of vectors whose cosines alone count.
    """

    model: SentenceTransformer
    given: SentenceTransformer
    modules_file: Path | None = None
    remarks: tuple[str, ...] = ()
    rate_scale: float = 1.0


def build_encoder(recipe: Recipe) -> Encoder:
    """Load the recipe's model: a sentence-transformers folder stays what it is but for what the recipe states, a bare one gets a pooling.

    Raises:
        UserError: a model that is not to be loaded, that does not read token ids through a transformer, or that reads fewer tokens than
            the recipe asks for.
    """
    section = recipe.model
    modules_file = own_modules_file(section.backbone)
    model = given = _load(section)
    _check_reads(model, section, modules_file)
    remarks: list[str] = []
    if modules_file is not None:
        remarks.append(f"{section.backbone} keeps its modules: {'; '.join(described_modules(model))}")
        own = pooling_name(model)
        if section.pooling != "own" and section.pooling != own:
            model = _load(section)
            exchange_pooling(model, section.pooling)
            remarks.append(f"pooling {own} -> {section.pooling} (model.pooling)")
        remarks += _training_remarks(recipe, model)
    if model is not given and recipe.interpolation.weights:
        raise UserError(
            f"interpolation.weights mix a model with what training makes of it, and model.pooling = {section.pooling} makes another one"
            " of it first; leave model.pooling out, or set interpolation.weights to []"
        )
    rate_scale = 1.0
    if is_static(model):
        rate_scale = table_scale(model)
        remarks += _train_static(recipe, model)
    else:
        remarks += set_dropout(model, section.dropout_rate, said=modules_file is not None)
        remarks += _keep_token_weights(model)
    if recipe.training.last_layers is not None:
        remarks.append(train_last_layers(model, recipe.training.last_layers, section.backbone))
    return Encoder(model, given, modules_file, tuple(remarks), rate_scale)


def load_given(recipe: Recipe) -> SentenceTransformer:
    """Load the model that the recipe starts from, as it was given."""
    return _load(recipe.model)


def _load(section: ModelSection) -> SentenceTransformer:
    return load_as_given(section.backbone, section.bare_pooling if section.pooling == "own" else section.pooling)


def _check_reads(model: SentenceTransformer, section: ModelSection, modules_file: Path | None) -> None:
    if not hasattr(model[0], "auto_model") and not is_static(model):
        raise UserError(
            f"{section.backbone} has no transformer to train (its modules: {', '.join(described_modules(model))}); give a model with one"
        )
    asked = section.max_len_tokens
    positions = most_positions(model)
    if positions is not None and asked > positions:
        raise UserError(f"model.max_len_tokens is {asked}; {section.backbone} has positions for {positions}, give that or less")
    length = maximum_tokens(model)
    if modules_file is not None and length is not None and asked > length:
        raise UserError(f"model.max_len_tokens is {asked}; {section.backbone} reads {length} tokens, give that or less")


def _training_remarks(recipe: Recipe, model: SentenceTransformer) -> list[str]:
    """Say where training treats a finished encoder otherwise than those who use it."""
    remarks = []
    length, trained = maximum_tokens(model), recipe.model.max_len_tokens
    if length is not None and trained < length:
        remarks.append(f"sentences are cut at {trained} tokens while training (model.max_len_tokens); the model goes on reading {length}")
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
    """Let a static encoder be trained; return the line that says with which dropout. Raises `UserError` for an objective that cannot."""
    name = recipe.objective.name
    if name not in STATIC_OBJECTIVES or recipe.objective.options().get("do_mlm"):
        raise UserError(
            f"objective {name} works inside a transformer, and {recipe.model.backbone} is a static encoder; take"
            f" {', '.join(STATIC_OBJECTIVES)}, without masked language modelling"
        )
    rate = recipe.model.dropout_rate or 0.0
    read_padded_rows(model, rate)
    dropped = f"{rate:.0%} of a sentence's tokens are left out at random while training (model.dropout_rate)"
    return [f"a static encoder: {dropped}; the learning rate counts in root mean squares of its table"]


def set_dropout(model: SentenceTransformer, rate: float | None, said: bool) -> list[str]:
    """Set every dropout of the model, which its files do not record; return the line that says it."""
    if rate is None:
        return []
    layers = [module for module in model.modules() if isinstance(module, torch.nn.Dropout)]
    before = sorted({layer.p for layer in layers})
    for layer in layers:
        layer.p = rate
    changed = said and before not in ([], [rate])
    return [f"dropout {', '.join(f'{p:g}' for p in before)} -> {rate:g} while training (model.dropout_rate)"] if changed else []


def _keep_token_weights(model: SentenceTransformer) -> list[str]:
    """Freeze SIF weights: the stock module writes those that it was made with, so that what training makes of them would be lost."""
    from sentence_transformers.sentence_transformer.modules import WordWeights

    frozen = [module.requires_grad_(False) for module in model if isinstance(module, WordWeights)]
    return ["the weights of its tokens are not trained"] if frozen else []
