"""One contract for every registered objective: the negatives it says an anchor has are those its loss counts.

Where all embeddings are the same, all logits are, and InfoNCE is the logarithm of the number of its candidates.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from augcse.encoding.model import load_encoder
from augcse.objectives.base import OBJECTIVES, ObjectiveCard
from augcse.objectives.contrastive import ContrastiveLoss
from augcse.objectives.diffcse import DiffCSELoss
from augcse.objectives.diffcse_pairs import DiffCSEPairsLoss
from augcse.objectives.joint import JointSupervisedLoss
from augcse.objectives.mixcse import MixCSELoss
from augcse.objectives.pair_losses import COUNTS_OWN_NEGATIVE, PAIR_LOSSES, PairBatch, PairSettings
from augcse.objectives.sentence_loss import SentenceLoss, describe_negatives
from augcse.objectives.una import UNALoss
from augcse.training.objective import build_objective
from mini_recipes import mini_recipe

CARDS = [pytest.param(card, id=card.name) for card in OBJECTIVES]
ROWS = 5


class Alike(nn.Module):
    """A projection whose output does not depend on its input."""

    def forward(self, rows: Tensor) -> Tensor:
        return torch.ones_like(rows) + 0 * rows


def _built(card: ObjectiveCard, backbone: Path) -> Any:
    """Build the objective by its first mini recipe."""
    recipe = mini_recipe(card, backbone)
    # Edits that change nothing are no negatives: nearly every token is edited.
    options = {"una": {"alpha": 2}, "una-paraphrase": {"alpha": 2}, "esimcse": {"neg_size": 12}, "diffcse-pairs": {"masking_ratio": 0.9}}
    options |= {"tsdae": {"contrastive_weight": 1.0}, "denosent": {"contrastive_weight": 1.0}}
    options["rankcse"] = {"teachers": ["ema"], "contrastive_weight": 1.0}
    more = options.get(card.name, {})
    objective = recipe.objective.model_validate({**recipe.objective.model_dump(), **more})
    return build_objective(recipe.model_copy(update={"objective": objective}), load_encoder(str(backbone), "cls"))


def _views(count: int, seed: int = 0) -> list[dict[str, Tensor]]:
    ids = torch.randint(5, 400, (count, ROWS, 7), generator=torch.Generator().manual_seed(seed))
    return [{"input_ids": view, "attention_mask": torch.ones_like(view)} for view in ids]


def _counted(loss: Any, views: int, steps: int = 1) -> dict[str, int]:
    """Count the negatives in the loss of some steps, by the case that the step's own figures tell."""
    loss.projection = Alike()
    loss.train()
    found: dict[str, int] = {}
    for step in range(steps):
        terms = loss(_views(views, step), torch.zeros(ROWS, dtype=torch.int64))
        [term] = [value for name, value in terms.items() if name == "contrastive" or name in PAIR_LOSSES]
        candidates = math.exp(term.item())
        assert candidates == pytest.approx(round(candidates), rel=1e-4)
        # UNA's Eq. 1 leaves the positive out of the denominator.
        positives = 0 if isinstance(loss, UNALoss) and loss.fidelity == "paper" else 1
        found[_case(loss)] = round(candidates) - positives
    return found


def _case(loss: Any) -> str:
    if "negatives" in loss.metrics:
        return "batches with hard negatives" if loss.metrics["negatives"] else "batches without hard negatives"
    if "queued" in loss.metrics:
        return {0: "empty queue", 12: "full queue"}.get(int(loss.metrics["queued"]), "filling queue")
    return next(iter(getattr(loss, "weights", {"contrastive": 1})))


@pytest.mark.parametrize("card", CARDS)
def test_what_an_objective_says_is_what_its_loss_counts(card: ObjectiveCard, tiny_backbone: Path) -> None:
    loss = _built(card, tiny_backbone)
    stated = loss.negatives_per_anchor(ROWS)
    counted = _counted(loss, len(loss.traits.views or card.views), steps=4 if len(stated) > 1 else 1)
    counted.pop("filling queue", None)
    assert counted == stated


@pytest.mark.parametrize("card", CARDS)
def test_a_repeated_text_is_no_negative_of_itself(card: ObjectiveCard, tiny_backbone: Path) -> None:
    loss = _built(card, tiny_backbone)
    loss.projection = Alike()
    loss.train()
    views = _views(len(loss.traits.views or card.views))
    for view in views:
        view["input_ids"][1] = view["input_ids"][0]
    terms = loss(views, torch.zeros(ROWS, dtype=torch.int64))
    [term] = [value for name, value in terms.items() if name == "contrastive" or name in PAIR_LOSSES]
    # UNA contrasts both views of another row, and leaves the positive out of the denominator.
    una = isinstance(loss, UNALoss)
    candidates = loss.negatives_per_anchor(ROWS)[_case(loss)] + (0 if una else 1)
    # MixCSE: mixtures of either of the two are no negatives of the other, nor are those of the last row, which is mixed with the first.
    fewer = [4, 3, 0, 0, 1] if isinstance(loss, MixCSELoss) else [2, 2, 0, 0, 0] if una else [1, 1, 0, 0, 0]
    counts = [candidates - count for count in fewer]
    assert term.item() == pytest.approx(sum(map(math.log, counts)) / ROWS, rel=1e-4)


@pytest.mark.parametrize("card", CARDS)
def test_a_repeated_text_is_a_negative_where_texts_are_kept(card: ObjectiveCard, tiny_backbone: Path) -> None:
    loss = _built(card, tiny_backbone)
    loss.choose_repeated_texts("keep")
    loss.projection = Alike()
    loss.train()
    views = _views(len(loss.traits.views or card.views))
    for view in views:
        view["input_ids"][1] = view["input_ids"][0]
    terms = loss(views, torch.zeros(ROWS, dtype=torch.int64))
    [term] = [value for name, value in terms.items() if name == "contrastive" or name in PAIR_LOSSES]
    candidates = loss.negatives_per_anchor(ROWS)[_case(loss)] + (0 if isinstance(loss, UNALoss) else 1)
    assert term.item() == pytest.approx(math.log(candidates), rel=1e-4)


@pytest.mark.parametrize("card", CARDS)
def test_without_repetitions_the_choice_changes_no_bit(card: ObjectiveCard, tiny_backbone: Path) -> None:
    found = []
    for choice in ("mask", "keep"):
        torch.manual_seed(0)
        loss = _built(card, tiny_backbone)
        loss.choose_repeated_texts(choice)
        terms = loss.train()(_views(len(loss.traits.views or card.views)), torch.zeros(ROWS, dtype=torch.int64))
        found.append({name: value.item() for name, value in terms.items()})
    assert found[0] == found[1]


@pytest.mark.parametrize("alpha", [0, 1, 2])
@pytest.mark.parametrize("fidelity", ["paper", "repo"])
def test_una_with_and_without_its_negatives(alpha: int, fidelity: Any, tiny_backbone: Path) -> None:
    loss = UNALoss(load_encoder(str(tiny_backbone), "cls"), alpha=alpha, fidelity=fidelity)
    assert _counted(loss, 2, steps=2) == loss.negatives_per_anchor(ROWS)
    assert ("batches with hard negatives" in loss.negatives_per_anchor(ROWS)) == (alpha > 0)


@pytest.mark.parametrize("name", ["ranking", "ranking_pos_neg", "ranking_neg"])
def test_ranking_losses_count_their_hard_negatives(name: str, tiny_backbone: Path) -> None:
    loss = ContrastiveLoss(load_encoder(str(tiny_backbone), "cls"), losses=name)
    assert _counted(loss, len(loss.traits.views)) == loss.negatives_per_anchor(ROWS)


@pytest.mark.parametrize("own_positive", [True, False])
@pytest.mark.parametrize("name", ["triplet", "alignment", "contrastive", "hard_contrastive"])
def test_distance_losses_pull_at_as_many_pairs_as_they_say(name: str, own_positive: bool, tiny_backbone: Path) -> None:
    loss = ContrastiveLoss(load_encoder(str(tiny_backbone), "cls"), losses=name, sampling="uniform")
    # A margin beyond all distances, and the farthest pairs the positive ones: every negative pair counts.
    distances = torch.rand(ROWS, ROWS, generator=torch.Generator().manual_seed(0)) + 0.5 + torch.eye(ROWS)
    positive = torch.ones(ROWS, dtype=torch.bool)
    positive[0] = own_positive
    distances[0, 0] = 2.0 if own_positive else 0.4
    batch = PairBatch(torch.zeros(ROWS, 2), distances.requires_grad_(), positive)
    PAIR_LOSSES[name](batch, PairSettings(margin=9.0, temperature=1.0)).backward()
    assert distances.grad is not None
    pulled = distances.grad[0] != 0
    negatives = int(pulled[1:].sum()) + int(pulled[0] and not own_positive)
    case = name if own_positive or name not in COUNTS_OWN_NEGATIVE else f"{name}, own candidate a negative"
    assert negatives == loss.negatives_per_anchor(ROWS)[case]


@pytest.mark.parametrize("role", ["positive", "negative"])
def test_edits_as_negatives_count_and_as_positives_do_not(role: Any, tiny_backbone: Path) -> None:
    loss = DiffCSEPairsLoss(load_encoder(str(tiny_backbone), "cls"), role=role, masking_ratio=0.9)
    assert _counted(loss, 1) == loss.negatives_per_anchor(ROWS)


def test_an_objective_without_contrast_says_so(tiny_backbone: Path) -> None:
    loss = DiffCSELoss(load_encoder(str(tiny_backbone), "cls"), contrastive_weight=0.0)
    assert loss.negatives_per_anchor(ROWS) == {}
    assert describe_negatives({}) == "negatives per anchor: none, this objective contrasts no sentences"


@pytest.mark.parametrize("card", CARDS)
def test_processes_count_where_the_loss_gathers(card: ObjectiveCard, tiny_backbone: Path) -> None:
    loss: SentenceLoss = _built(card, tiny_backbone)
    joined = loss.negatives_per_anchor(ROWS, processes=3)
    assert joined == loss.negatives_per_anchor(3 * ROWS if loss.traits.gathers else ROWS)
    joint = JointSupervisedLoss(loss, num_labels=2)
    assert joint.negatives_per_anchor(ROWS, processes=3) == joined
