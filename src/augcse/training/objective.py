"""The objective of a run: the recipe's loss for its encoder, with the discriminator and the labelled task that the recipe adds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from augcse.encoding.dropout import use_fast_dropout
from augcse.encoding.first_token import compute_first_token_only
from augcse.encoding.mini_batches import encode_in_mini_batches
from augcse.errors import UserError
from augcse.objectives.augcse import AugCSELoss
from augcse.objectives.base import find_objective
from augcse.objectives.checks import require
from augcse.objectives.denoising import DenoisingLoss
from augcse.objectives.discriminated import AUGMENTED, DiscriminatedLoss
from augcse.objectives.joint import JointSupervisedLoss

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from augcse.config import Recipe
    from augcse.objectives.sentence_loss import SentenceLoss
    from augcse.training.store.files import TokenStore


def build_objective(recipe: Recipe, model: SentenceTransformer) -> SentenceLoss:
    """Create the recipe's loss for the encoder, with fast dropout, mini-batches and first-token computation as the recipe allows."""
    card = find_objective(recipe.objective.name)
    options = recipe.objective.options()
    pool = recipe.augmentation.pool
    if "augmented" in card.views:
        if not pool:
            raise UserError(f"objective {card.name} needs augmentations; name some under [augmentation] names")
        if card.takes_labels:
            options["num_augmentations"] = len(pool)
    loss = card.build(model, options)
    if "augmented" in loss.traits.views and not pool:
        raise UserError(f"objective {card.name} draws from all augmentations; name some under [augmentation] positives or negatives")
    loss.choose_repeated_texts(recipe.objective.repeated_texts)
    loss = _add_discriminator(recipe, loss, loss.traits.views or card.views)
    use_fast_dropout(loss)
    if recipe.training.mini_batch_size:
        require(
            not loss.traits.reaches_into_encoder,
            f"objective {card.name} adds its noise inside the encoder, to rows of the whole batch; set training.mini_batch_size to 0",
        )
        encode_in_mini_batches(model, recipe.training.mini_batch_size)
    if not loss.traits.reads_tokens:
        compute_first_token_only(model)
    return loss


def _add_discriminator(recipe: Recipe, loss: SentenceLoss, views: tuple[str, ...]) -> SentenceLoss:
    """Return the loss with the recipe's discriminator added; the loss itself if the recipe has none."""
    section = recipe.objective.discriminator
    if section is None:
        return loss
    name = recipe.objective.name
    require(
        not isinstance(loss, DenoisingLoss) or loss.contrastive_weight > 0,
        f"objective {name} encodes no originals for a discriminator to compare with; set objective.contrastive_weight above 0",
    )
    require(
        not (isinstance(loss, AugCSELoss) and loss.discriminator is not None),
        f'objective {name} has a discriminator; leave [objective.discriminator] out, or set objective.discriminate to "none"',
    )
    require(
        AUGMENTED not in views or loss.traits.label_kind == "augmentation",
        f"objective {name} labels its augmentations as positives and negatives, and a discriminator needs to know which made a row; leave"
        " [objective.discriminator] out, or take other settings of the objective",
    )
    return DiscriminatedLoss(loss, views, len(recipe.augmentation.pool), **section.model_dump())


def set_discriminator_steps(loss: SentenceLoss, steps: int) -> None:
    """Set the number of training steps of an added discriminator, whose schedule depends on it; do nothing for other losses."""
    if isinstance(loss, DiscriminatedLoss):
        loss.steps = steps


def add_task(recipe: Recipe, loss: SentenceLoss, store: TokenStore) -> SentenceLoss:
    """Return the loss with the recipe's labelled task added, with a head for the classes of the corpus; the loss itself without a task."""
    if recipe.task is None:
        return loss
    num_labels = 1 if recipe.task.kind == "regression" else len(store.meta["task"]["classes"])
    return JointSupervisedLoss(loss, num_labels, pair=recipe.task.pair is not None, weight=recipe.task.weight)
