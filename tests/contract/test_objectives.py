"""One contract for every registered objective."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Dense, Normalize
from teacher_rows import teacher_rows

from augcse.encoding.model import Pooling, load_encoder
from augcse.errors import UserError
from augcse.objectives.base import OBJECTIVES, ObjectiveCard, cards_of_source
from augcse.training.objective import build_objective
from mini_recipes import mini_recipe

CARDS = [pytest.param(card, id=card.name) for card in OBJECTIVES]
BATCH, LENGTH = 6, 9


def _loss(card: ObjectiveCard, backbone: Path) -> Any:
    torch.manual_seed(1)
    return build_objective(mini_recipe(card, backbone), load_encoder(str(backbone), "cls"))


def _features(rows: int = BATCH, length: int = LENGTH, seed: int = 0) -> dict[str, torch.Tensor]:
    ids = torch.randint(5, 500, (rows, length), generator=torch.Generator().manual_seed(seed))
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}


def _augmentations(card: ObjectiveCard) -> int:
    """Return how many augmentations the objective's first mini recipe draws from; the label of this number means "none"."""
    return len(mini_recipe(card, Path("mini-bert")).augmentation.pool)


def _inputs(card: ObjectiveCard, rows: int = BATCH) -> tuple[list[dict[str, torch.Tensor]], torch.Tensor]:
    views = [_features(rows, LENGTH - 2 * view, seed=view) for view in range(len(card.views))]
    views[0] |= teacher_rows(card, rows)
    return views, torch.arange(rows) % (_augmentations(card) + 1)


def test_cards_are_read_without_importing_the_class(tmp_path: Path) -> None:
    decorator = '@objective("x", paper="P", equation="Eq. 1", views=("original",))'
    source = f'{decorator}\nclass XLoss(L):\n    """Do x."""\n\n    def __init__(self, model, a=1): ...\n'
    [card] = cards_of_source(source, "nowhere")
    assert (card.name, card.class_name, list(card.options), card.description) == ("x", "XLoss", ["a"], "Do x.")


@pytest.mark.parametrize("card", CARDS)
def test_card_matches_the_class(card: ObjectiveCard) -> None:
    import inspect

    parameters = [name for name in inspect.signature(card.load()).parameters if name not in ("model", "num_augmentations")]
    assert list(card.options) == parameters
    assert card.description
    assert card.load().traits.citation, "add the paper to objectives/citations.py, and name it: traits = Traits(citation=citations.NAME)"


@pytest.mark.parametrize("card", CARDS)
def test_loss_and_gradients_are_finite(card: ObjectiveCard, tiny_backbone: Path) -> None:
    loss = _loss(card, tiny_backbone)
    loss.train()
    terms = loss(*_inputs(card))
    total = torch.stack(list(terms.values())).sum()
    total.backward()
    gradients = [parameter.grad for parameter in loss.parameters() if parameter.grad is not None]
    assert torch.isfinite(total)
    assert gradients
    assert all(torch.isfinite(gradient).all() for gradient in gradients)


def _finished_encoder(backbone: Path, pooling: Pooling, dim: int | None) -> SentenceTransformer:
    """An encoder with modules after its pooling: unit length, and before it a dense layer where `dim` is given."""
    model = load_encoder(str(backbone), pooling, "cpu")
    for module in [*([Dense(32, dim)] if dim else []), Normalize()]:
        model.append(module)
    return model


@pytest.mark.parametrize("pooling", ["cls", "mean"])
@pytest.mark.parametrize("card", CARDS)
def test_an_encoder_that_normalises_is_trained(card: ObjectiveCard, pooling: Pooling, tiny_backbone: Path) -> None:
    loss = build_objective(mini_recipe(card, tiny_backbone), _finished_encoder(tiny_backbone, pooling, None))
    loss.train()
    torch.stack(list(loss(*_inputs(card)).values())).sum().backward()
    gradient = loss.model[0].auto_model.embeddings.word_embeddings.weight.grad
    assert torch.isfinite(gradient).all()
    assert gradient.abs().sum() > 0


@pytest.mark.parametrize("card", CARDS)
def test_an_encoder_of_another_width_than_its_backbone_is_trained_or_refused_in_a_line(card: ObjectiveCard, tiny_backbone: Path) -> None:
    model = _finished_encoder(tiny_backbone, "cls", 16)
    # Those that put the sentence vector in place of a token.
    if card.name in ("diffcse", "diffcse-next"):
        with pytest.raises(UserError, match="it has 16 values, the backbone's embeddings 32") as refused:
            build_objective(mini_recipe(card, tiny_backbone), model)
        assert "\n" not in str(refused.value)
        return
    loss = build_objective(mini_recipe(card, tiny_backbone), model)
    loss.train()
    torch.stack(list(loss(*_inputs(card)).values())).sum().backward()
    assert model[2].linear.weight.grad.abs().sum() > 0


@pytest.mark.parametrize("rows", [2, 3])
@pytest.mark.parametrize("card", CARDS)
def test_finite_in_bf16_with_identical_rows(card: ObjectiveCard, rows: int, tiny_backbone: Path) -> None:
    loss = _loss(card, tiny_backbone)
    loss.train()
    row = _features(1)
    features = {key: value.repeat(rows, 1) for key, value in {**row, **teacher_rows(card, 1)}.items()}
    with torch.autocast("cpu", dtype=torch.bfloat16):
        terms = loss([features] * len(card.views), torch.full((rows,), _augmentations(card)))
    total = torch.stack(list(terms.values())).sum()
    total.backward()
    assert torch.isfinite(total)
    assert all(torch.isfinite(p.grad).all() for p in loss.parameters() if p.grad is not None)


def _values(terms: dict[str, torch.Tensor]) -> dict[str, float]:
    return {name: value.item() for name, value in terms.items()}


@pytest.mark.parametrize("card", CARDS)
def test_order_of_the_batch_does_not_matter(card: ObjectiveCard, tiny_backbone: Path) -> None:
    loss = _loss(card, tiny_backbone)
    loss.model.eval()
    features, labels = _inputs(card)
    plain = {key: pytest.approx(value.item(), abs=1e-5) for key, value in loss(features, labels).items()}
    if plain != _values(loss(features, labels)):
        pytest.skip("it draws anew for each place in the batch; its own tests permute the batch with the draws held fast")
    order = torch.randperm(BATCH, generator=torch.Generator().manual_seed(3))
    if card.name == "mixcse":
        # Each row is mixed with the next one: these go on being neighbours.
        order = torch.arange(BATCH).roll(1)
    shuffled = [{key: value[order] for key, value in view.items()} for view in features]
    assert plain == _values(loss(shuffled, labels[order]))


@pytest.mark.parametrize("card", CARDS)
def test_heads_follow_the_encoders_mode(card: ObjectiveCard, tiny_backbone: Path) -> None:
    loss = _loss(card, tiny_backbone)
    loss.model.eval()
    loss(*_inputs(card))
    assert not any(child.training for name, child in loss.named_children() if name != "model")
    loss.model.train()
    loss(*_inputs(card))
    assert all(child.training for name, child in loss.named_children() if name != "model")


@pytest.mark.parametrize("card", CARDS)
def test_settings_reach_the_model_card(card: ObjectiveCard, tiny_backbone: Path) -> None:
    stated = mini_recipe(card, tiny_backbone).objective.options()
    assert {**_loss(card, tiny_backbone).get_config_dict(), **stated} == _loss(card, tiny_backbone).get_config_dict()
    assert stated


@pytest.mark.parametrize("card", CARDS)
def test_a_stock_trainers_card_states_the_number_of_augmentations_and_the_paper(card: ObjectiveCard, tiny_backbone: Path) -> None:
    loss = _loss(card, tiny_backbone)
    assert ("num_augmentations" in loss.get_config_dict()) == card.takes_labels
    assert loss.citation == loss.traits.citation
