"""The discriminator beside any objective: its figures and weights against loops, and the whole loss in every registered objective."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from augcse.config import Recipe, load_recipe
from augcse.encoding.model import load_encoder
from augcse.errors import UserError
from augcse.objectives.base import OBJECTIVES, ObjectiveCard
from augcse.objectives.discriminated import DiscriminatedLoss, alpha_at, row_weights
from augcse.objectives.discriminator import accuracies, row_losses
from augcse.objectives.simcse import SimCSELoss
from augcse.objectives.views import TEACHER
from augcse.recipe_toml import to_toml
from augcse.training.objective import build_objective
from mini_recipes import mini_recipe

CARDS = [pytest.param(card, id=card.name) for card in OBJECTIVES if card.name != "augcse"]
NAMES = ["RandomSwap", "RandomDeletion", "PunctuationInsertion"]
ROWS = 6


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.booleans()), min_size=1, max_size=12))
def test_accuracies_are_loops_over_the_rows(rows: list[tuple[int, int, bool]]) -> None:
    logits = torch.nn.functional.one_hot(torch.tensor([named for _, named, _ in rows]), 4).float()
    labels, chosen = (torch.tensor([row[place] for row in rows]) for place in (0, 2))
    counted = [(label, named) for label, named, counts in rows if counts]
    classes = sorted({label for label, _ in counted})
    recalls = [sum(named == label for own, named in counted if own == label) / sum(own == label for own, _ in counted) for label in classes]
    found = {name: value.item() for name, value in accuracies(logits, labels, chosen).items()}
    if counted:
        assert found["discriminator_accuracy"] == pytest.approx(sum(label == named for label, named in counted) / len(counted))
        assert found["discriminator_balanced_accuracy"] == pytest.approx(sum(recalls) / len(classes))
        assert found["discriminator_chance"] == pytest.approx(1 / len(classes))
    else:
        assert found["discriminator_accuracy"] == found["discriminator_balanced_accuracy"] == 0


def test_one_that_always_names_the_commonest_label_is_right_often_and_no_better_than_chance() -> None:
    labels = torch.tensor([0] * 7 + [1, 2, 3])
    logits = torch.tensor([1.0, 0, 0, 0]).repeat(10, 1)
    found = {name: value.item() for name, value in accuracies(logits, labels).items()}
    assert list(found.values()) == pytest.approx([0.7, 0.25, 0.25])


@pytest.mark.parametrize("balanced", [False, True])
def test_row_weights_are_a_loop_over_the_classes(balanced: bool) -> None:
    labels, chosen = torch.tensor([0, 0, 0, 1, 2, 2]), torch.tensor([True, True, True, True, False, True])
    found = row_weights(labels, chosen, 4, balanced=balanced).tolist()
    expected = [1 / 9, 1 / 9, 1 / 9, 1 / 3, 0, 1 / 3] if balanced else [0.2, 0.2, 0.2, 0.2, 0, 0.2]
    assert found == pytest.approx(expected)
    assert row_weights(labels, torch.zeros(6, dtype=torch.bool), 4, balanced=balanced).tolist() == [0] * 6


@pytest.mark.parametrize(("schedule", "expected"), [("constant", [0, -2, -2]), ("dann", [0, 0, -2 * (2 / (1 + math.exp(-5)) - 1)])])
def test_alpha_waits_for_the_warm_up_and_then_goes_by_its_schedule(schedule: Any, expected: list[float]) -> None:
    assert [alpha_at(progress, -2.0, schedule, 0.2) for progress in (0.1, 0.2, 0.6)] == pytest.approx(expected)


def _recipe(card: ObjectiveCard, backbone: Path, **section: Any) -> Recipe:
    """Return the objective's first mini recipe with a discriminator over three augmentations."""
    overrides: dict[str, Any] = {"model.backbone": str(backbone), "objective.discriminator": {"weight": 0.5, **section}}
    overrides["augmentation.names"] = NAMES
    overrides |= {"objective.teachers": ["ema"]} if card.name == "rankcse" else {}
    # Without a contrastive term it encodes no originals, and is refused.
    overrides |= {"objective.contrastive_weight": 1.0} if card.name == "tsdae" else {}
    return load_recipe(mini_recipe(card, backbone).name, overrides)


def _loss(card: ObjectiveCard, backbone: Path, **section: Any) -> DiscriminatedLoss:
    torch.manual_seed(1)
    loss = build_objective(_recipe(card, backbone, **section), load_encoder(str(backbone), "cls"))
    assert isinstance(loss, DiscriminatedLoss)
    return loss


def _inputs(views: int, seed: int = 0) -> tuple[list[dict[str, Tensor]], Tensor]:
    generator = torch.Generator().manual_seed(seed)
    ids = [torch.randint(5, 500, (ROWS, 9 - view), generator=generator) for view in range(views)]
    return [{"input_ids": view, "attention_mask": torch.ones_like(view)} for view in ids], torch.tensor([0, 1, 2, 3, 1, 3])


@pytest.mark.parametrize("rows", ["all", "augmented", "balanced"])
@pytest.mark.parametrize("card", CARDS)
def test_the_term_is_that_of_the_originals_and_the_augmented_texts(card: ObjectiveCard, rows: str, tiny_backbone: Path) -> None:
    loss = _loss(card, tiny_backbone, rows=rows, dropout_rate=0.0)
    views, labels = _inputs(len(loss.views))
    loss.model.eval()
    terms = loss(views, labels)
    original, augmented = (loss.model(dict(views[loss.views.index(name)]))["sentence_embedding"] for name in ("original", "augmented"))
    logits = loss.augmentation_discriminator(original, augmented)
    chosen = [row for row in range(ROWS) if rows != "augmented" or labels[row] < 3]
    losses = row_losses(logits[chosen], labels[chosen])
    by_class = [losses[labels[chosen] == label].mean() for label in range(4)]
    expected = torch.stack(by_class).mean() if rows == "balanced" else losses.mean()
    assert logits.shape[1] == (3 if rows == "augmented" else 4)
    assert terms["augmentation_discriminator"].item() == pytest.approx(0.5 * expected.item(), rel=1e-4)
    assert {"discriminator_balanced_accuracy", "discriminator_chance"} <= set(loss.metrics)


@pytest.mark.parametrize("card", CARDS)
def test_the_objective_beside_it_is_unchanged_and_the_gradient_reversed(card: ObjectiveCard, tiny_backbone: Path) -> None:
    gradients = {}
    for alpha in (-1.0, 0.0, 1.0):
        loss = _loss(card, tiny_backbone, alpha=alpha, dropout_rate=0.0)
        loss.train()
        views, labels = _inputs(len(loss.views))
        loss.zero_grad()
        torch.manual_seed(5)
        terms = loss(views, labels)
        terms["augmentation_discriminator"].backward()
        weight = loss.model[0].auto_model.embeddings.word_embeddings.weight
        gradients[alpha] = weight.grad.clone()
        head = next(loss.augmentation_discriminator.parameters()).grad
        assert head is not None
        assert head.abs().sum() > 0
    assert torch.allclose(gradients[-1.0], -gradients[1.0])
    assert gradients[1.0].abs().sum() > 0
    assert not gradients[0.0].any()
    plain = _recipe(card, tiny_backbone)
    section = plain.objective.model_copy(update={"discriminator": None})
    names = () if "augmented" not in loss.traits.views[: loss.inner_views] else plain.augmentation.names
    torch.manual_seed(1)
    alone = build_objective(
        plain.model_copy(update={"objective": section, "augmentation": plain.augmentation.model_copy(update={"names": names})}),
        load_encoder(str(tiny_backbone), "cls"),
    )
    alone.train()
    torch.manual_seed(5)
    views, labels = _inputs(len(loss.views))
    expected = alone(views[: loss.inner_views], labels)
    assert {name: value.item() for name, value in terms.items() if name != "augmentation_discriminator"} == pytest.approx(
        {name: value.item() for name, value in expected.items()}, rel=1e-5
    )


def test_alpha_follows_the_steps_of_training_alone(tiny_backbone: Path) -> None:
    loss = _loss(OBJECTIVES.get("simcse"), tiny_backbone, alpha_schedule="dann", warmup_share=0.5)
    loss.steps = 4
    seen = []
    for step in range(4):
        loss.model.train(step != 1)
        loss(*_inputs(2))
        seen.append(loss.metrics["discriminator_alpha"].item())
    # The second call is an evaluation, and no step.
    assert seen == pytest.approx([alpha_at(progress, -1.0, "dann", 0.5) for progress in (0, 0.25, 0.25, 0.5)])


def test_its_learning_rate_is_of_its_own_parameters(tiny_backbone: Path) -> None:
    import re

    loss = _loss(OBJECTIVES.get("simcse"), tiny_backbone, learning_rate=2e-3)
    [(pattern, rate)] = loss.traits.learning_rates.items()
    named = {name for name, _ in loss.named_parameters() if re.search(pattern, name)}
    assert rate == 2e-3
    assert named == {f"augmentation_discriminator.{name}" for name, _ in loss.augmentation_discriminator.named_parameters()}


@pytest.mark.parametrize(
    ("recipe", "overrides", "message"),
    [
        ("augcse-mini", {"objective.discriminator": {}}, r"objective augcse has a discriminator; leave \[objective\.discriminator\] out"),
        ("contrastive-roles-mini", {"objective.discriminator": {}}, r"labels its augmentations as positives and negatives"),
        ("simcse-mini", {"objective.discriminator": {}}, r"the discriminator needs 1 augmentations or more to tell apart"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(recipe: str, overrides: dict[str, Any], message: str, tiny_backbone: Path) -> None:
    with pytest.raises(UserError, match=message) as refused:
        build_objective(load_recipe(recipe, overrides), load_encoder(str(tiny_backbone), "cls"))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        (
            "objective.discriminator.alhpa",
            1.0,
            r"unknown key 'objective\.discriminator\.alhpa'; did you mean objective\.disc",
        ),
        ("objective.discriminator.rows", "some", r"objective\.discriminator\.rows is 'some'; give one of: all, augmented, balanced"),
        ("objective.discriminator.warmup_share", 1.0, r"objective\.discriminator\.warmup_share is 1\.0; give a number from 0 and below 1"),
        ("objective.discriminator", 5, r"objective\.discriminator is 5; give a table with weight, alpha, "),
    ],
)
def test_wrong_keys_and_values_are_named(key: str, value: Any, message: str) -> None:
    with pytest.raises(UserError, match=message):
        load_recipe("simcse-discriminator-mini", {key: value})


def test_its_keys_are_set_by_full_name_and_read_back(tmp_path: Path) -> None:
    recipe = load_recipe("simcse-discriminator-mini", {"objective.discriminator.alpha": 0.0, "learning_rate": 1e-4})
    assert recipe.objective.discriminator is not None
    assert (recipe.objective.discriminator.alpha, recipe.training.learning_rate) == (0.0, 1e-4)
    assert "discriminator" not in recipe.objective.options()
    (tmp_path / "copy.toml").write_text(to_toml(recipe), "utf-8")
    assert load_recipe(str(tmp_path / "copy.toml")) == recipe


def test_it_works_in_a_trainer_that_knows_no_steps(tiny_backbone: Path) -> None:
    loss = DiscriminatedLoss(SimCSELoss(load_encoder(str(tiny_backbone), "cls")), ("original",), 3, alpha_schedule="dann")
    loss.train()
    views, labels = _inputs(2)
    views[0].pop(TEACHER, None)
    torch.stack(list(loss(views, labels).values())).sum().backward()
    assert loss.metrics["discriminator_alpha"].item() == pytest.approx(alpha_at(1.0, -1.0, "dann", 0.0))
