"""Checks of the roles of [augmentation]: every name exists, and some view draws from every role, which a record states as used."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from augcse.allowed_values import value_text
from augcse.augmentations.spec import parse_spec
from augcse.errors import UserError
from augcse.objectives.base import OBJECTIVES, find_objective
from augcse.sections import VIEWS, AugmentationSection
from augcse.training.store.roles import Roles

if TYPE_CHECKING:
    from augcse.config import Recipe
    from augcse.objectives.sentence_loss import LabelKind

_, AUGMENTED, POSITIVE, NEGATIVE, _ = VIEWS
# The views that are drawn from a role, unless another setting decides.
_DRAWN_FROM = {
    "names": {AUGMENTED},
    "positives": {AUGMENTED, POSITIVE},
    "negatives": {AUGMENTED, NEGATIVE},
    "neutral": {AUGMENTED, POSITIVE, NEGATIVE},
}


def check_known(section: AugmentationSection) -> None:
    """Raise `UserError`, with the role, for an unknown augmentation."""
    for role in _DRAWN_FROM:
        for name in getattr(section, role):
            try:
                parse_spec(name)
            except UserError as error:
                raise UserError(f"augmentation.{role}: {error}") from error


def check_used_roles(recipe: Recipe) -> None:
    """Raise `UserError` as `check_roles_of_views`, before the loss is built; the views of a user's own objective are known only then."""
    card = find_objective(recipe.objective.name)
    if not recipe.augmentation.named or card.file is not None:
        return
    loss = card.load()
    defaults = {name: option.default for name, option in card.options.items()}
    views = loss.views_with({**defaults, **recipe.objective.options()}) or card.views
    if recipe.objective.discriminator is None:
        check_roles_of_views(recipe, views, loss.traits.label_kind)
    else:
        check_roles_of_views(recipe, (*views, AUGMENTED), "augmentation")


def check_roles_of_views(recipe: Recipe, views: Collection[str], label_kind: LabelKind) -> None:
    """Raise `UserError` for a role of [augmentation] that is set, and that no view is drawn from.

    Args:
        recipe: the resolved recipe.
        views: the views that its objective reads, a discriminator's included.
        label_kind: what the labels of the view "augmented" say: "positive" needs the roles of `names` too.
    """
    section = recipe.augmentation
    drawn = {view for view in views if view not in recipe.corpus.columns}
    for role, readers in _DRAWN_FROM.items():
        # The view "augmented" is drawn from `names` if they are given.
        names_replace_role = bool(role != "names" and section.names and label_kind != "positive")
        read = drawn & (readers - {AUGMENTED} if names_replace_role else readers)
        names = getattr(section, role)
        if names and not read:
            raise UserError(f"augmentation.{role} is {value_text(list(names))}, and {_reason(recipe, role, set(views))}")
        if role == "neutral" and AUGMENTED not in read:
            _check_neutral(section, read)


def _check_neutral(section: AugmentationSection, read: Collection[str]) -> None:
    """Raise `UserError` for a neutral augmentation whose results are all of the role that is not drawn from."""
    for name in section.neutral:
        positive = Roles(section).is_positive(name)
        if positive is not None and (POSITIVE if positive else NEGATIVE) not in read:
            made, drawn = ("positives", "negatives") if positive else ("negatives", "positives")
            raise UserError(
                f"augmentation.neutral has {name}, whose results are {made} by label_method {section.label_method!r}, and only {drawn} are"
                " drawn; leave it out, or change augmentation.label_method"
            )


def _reason(recipe: Recipe, role: str, views: set[str]) -> str:
    """Return why nothing is drawn from a role, and the remedy."""
    name = recipe.objective.name
    if AUGMENTED in views and role != "names":
        return f"objective {name} draws from augmentation.names alone where that is set too; leave one of them out"
    if read := _DRAWN_FROM[role] & views:
        return f"the view {min(read)} is read from a column by corpus.columns; leave one of them out"
    others = ", ".join(card.name for card in OBJECTIVES if card.name != name and _DRAWN_FROM[role] & set(card.views))
    return (
        f"objective {name} with these settings draws nothing from it; leave it out, take an objective that draws from it ({others}), or add"
        " [objective.discriminator]"
    )
