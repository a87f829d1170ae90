"""The contrastive objective and AugCSE's variants: which views are read, what is added up, who receives which gradient."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from augcse.encoding.model import load_encoder
from augcse.errors import UserError
from augcse.objectives import AugCSELoss, ContrastiveLoss, SimCSELoss
from augcse.objectives.discriminator import augmentation_cross_entropy
from augcse.objectives.info_nce import info_nce
from augcse.objectives.pair_losses import PAIR_LOSSES, PairSettings, compare
from augcse.objectives.views import encode, encode_views


def _features(length: int, seed: int, rows: int = 4) -> dict[str, torch.Tensor]:
    ids = torch.randint(5, 400, (rows, length), generator=torch.Generator().manual_seed(seed))
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}


VIEWS = [_features(7, 0), _features(5, 1), _features(9, 2)]


def _contrastive(backbone: Path, **options: Any) -> ContrastiveLoss:
    torch.manual_seed(0)
    loss = ContrastiveLoss(load_encoder(str(backbone), "cls"), **options)
    loss.model.eval()
    return loss


def _augcse(backbone: Path, **options: Any) -> AugCSELoss:
    torch.manual_seed(0)
    loss = AugCSELoss(load_encoder(str(backbone), "cls"), 2, **options)
    loss.model.eval()
    return loss


def test_one_pass_over_views_of_different_lengths_is_several_passes(tiny_backbone: Path) -> None:
    model = load_encoder(str(tiny_backbone), "cls").eval()
    for together, view in zip(encode_views(model, VIEWS), VIEWS, strict=True):
        assert torch.allclose(together, encode(model, view), atol=1e-5)
    assert VIEWS[1]["input_ids"].shape == (4, 5)


@pytest.mark.parametrize(
    ("losses", "sampling", "views"),
    [
        ("ranking", "by_role", ("original", "positive")),
        ("triplet,ranking_neg", "by_role", ("original", "positive", "negative")),
        ("alignment", "uniform", ("original", "augmented")),
    ],
)
def test_only_views_the_losses_read_are_asked_for(losses: str, sampling: str, views: tuple[str, ...], tiny_backbone: Path) -> None:
    assert _contrastive(tiny_backbone, losses=losses, sampling=sampling).traits.views == views


def test_terms_are_the_weighted_losses_of_the_projected_views(tiny_backbone: Path) -> None:
    loss = _contrastive(tiny_backbone, losses="ranking_pos_neg:2,triplet:0.5", temperature=0.3, margin=0.4)
    terms = loss(VIEWS, torch.tensor([0, 1, 0, 1]))
    with torch.no_grad():
        anchors, positives, negatives = (loss.projection(encode(loss.model, view)) for view in VIEWS)
    batch = compare(anchors, positives, None, negatives, "cosine")
    chosen = PairSettings(temperature=0.3, margin=0.4)
    assert set(terms) == {"ranking_pos_neg", "triplet"}
    assert terms["ranking_pos_neg"].item() == pytest.approx(2 * PAIR_LOSSES["ranking_pos_neg"](batch, chosen).item(), rel=1e-4)
    assert terms["triplet"].item() == pytest.approx(0.5 * PAIR_LOSSES["triplet"](batch, chosen).item(), rel=1e-4)


def test_labels_decide_with_uniform_sampling_and_not_by_role(tiny_backbone: Path) -> None:
    positives, mixed = torch.ones(4, dtype=torch.long), torch.tensor([1, 0, 1, 0])
    uniform = _contrastive(tiny_backbone, losses="contrastive", sampling="uniform", projection="none", temperature=1.0)
    by_role = _contrastive(tiny_backbone, losses="contrastive", projection="none", temperature=1.0)
    assert uniform(VIEWS[:2], mixed)["contrastive"] != uniform(VIEWS[:2], positives)["contrastive"]
    assert by_role(VIEWS[:2], mixed)["contrastive"] == by_role(VIEWS[:2], positives)["contrastive"]


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (None, "no whole numbers as labels"),
        ([0.9, 0.2, 0.9, 0.2], "no whole numbers as labels"),
        ([7, -3, 7, -3], "the label -3"),
        ([2, 2, 2, 2], "the label 2"),
    ],
)
def test_uniform_sampling_takes_labels_0_and_1_alone(labels: list[float] | None, said: str, tiny_backbone: Path) -> None:
    uniform = _contrastive(tiny_backbone, sampling="uniform")
    remedy = r"give ContrastiveLoss a column label of whole numbers from 0 to 1 \(1: a positive, 0: a negative\)"
    with pytest.raises(UserError, match=f"{said}.*; {remedy}"):
        uniform(VIEWS[:2], None if labels is None else torch.tensor(labels))


def test_experts_add_their_balance(tiny_backbone: Path) -> None:
    assert set(_contrastive(tiny_backbone, projection="moe:experts=2")(VIEWS[:2])) == {"ranking", "balance"}
    assert set(_augcse(tiny_backbone, projection="moe")(VIEWS[:2], torch.tensor([0, 1, 2, 2]))) == {
        "contrastive",
        "balance",
        "discriminator",
    }
    simcse = SimCSELoss(load_encoder(str(tiny_backbone), "cls"), projection="moe")
    assert set(simcse(VIEWS[:1])) == {"contrastive", "balance"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"losses": "ranking_neg", "sampling": "uniform"}, "ranking_neg compare with a positive and a negative"),
        ({"sampling": "unifrom"}, "did you mean uniform"),
        ({"losses": "tripel"}, "did you mean triplet"),
        ({"temperature": -1.0}, "temperature is -1"),
        ({"distance": "cosin"}, "did you mean cosine"),
        ({"margin": -1.0}, "margin is -1"),
        ({"alignment_power": 0.5}, "alignment_power is 0.5"),
        ({"uniformity_scale": 0.0}, "uniformity_scale is 0"),
    ],
)
def test_contrastive_settings_that_cannot_be_are_refused(options: dict[str, Any], message: str, tiny_backbone: Path) -> None:
    with pytest.raises(UserError, match=message):
        _contrastive(tiny_backbone, **options)


@pytest.mark.parametrize("discriminate", ["augmentation", "original", "order"])
def test_discriminators_see_what_they_are_to_tell(discriminate: str, tiny_backbone: Path) -> None:
    loss = _augcse(tiny_backbone, discriminate=discriminate, discriminator_weight=1.0)
    labels = torch.tensor([0, 1, 2, 2])
    torch.manual_seed(4)
    term = loss(VIEWS[:2], labels)["discriminator"]
    with torch.no_grad():
        first, second = (loss.projection(encode(loss.model, view)) for view in VIEWS[:2])
        chosen = None
        if discriminate == "original":
            labels = torch.tensor([0, 0, 1, 1])
        elif discriminate == "order":
            chosen = torch.tensor([True, True, False, False])
            torch.manual_seed(4)
            labels = (torch.rand(4) < 0.5).long()
            pairs = [(b, a) if swap else (a, b) for a, b, swap in zip(first, second, labels, strict=True)]
            first, second = (torch.stack(side) for side in zip(*pairs, strict=True))
        expected = augmentation_cross_entropy(loss.discriminator(first, second), labels, chosen)
    assert loss.discriminator(first, second).shape[1] == (3 if discriminate == "augmentation" else 2)
    assert term.item() == pytest.approx(expected.item(), rel=1e-4)


def test_order_of_unchanged_pairs_costs_nothing(tiny_backbone: Path) -> None:
    loss = _augcse(tiny_backbone, discriminate="order")
    terms = loss([VIEWS[0], VIEWS[0]], torch.full((4,), 2))
    assert terms["discriminator"].item() == 0.0
    terms["discriminator"].backward()
    assert loss.metrics["discriminator_accuracy"].item() == 0.0


def test_augmented_sentences_can_be_the_positives(tiny_backbone: Path) -> None:
    loss = _augcse(tiny_backbone, contrast="augmented", discriminate="none")
    terms = loss(VIEWS[:2], torch.tensor([0, 1, 2, 2]))
    with torch.no_grad():
        first, second = (loss.projection(encode(loss.model, view)) for view in VIEWS[:2])
    assert set(terms) == {"contrastive"}
    # In both directions, as section 5.6 has it.
    assert terms["contrastive"].item() == pytest.approx(info_nce(first, second, 0.05, symmetric=True).item(), rel=1e-4)
    assert set(loss.metrics) == {"unchanged_share"}


@pytest.mark.parametrize(
    ("options", "expected"),
    [({}, False), ({"contrast": "augmented"}, True), ({"fidelity": "repo"}, True), ({"fidelity": "repo", "symmetric": False}, False)],
)
def test_direction_is_as_published_unless_told(options: dict[str, Any], expected: bool, tiny_backbone: Path) -> None:
    assert _augcse(tiny_backbone, **options).symmetric is expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"discriminate": "none"}, "uses no augmentation"),
        ({"discriminate": "orginal"}, "did you mean original"),
        ({"contrast": "augmentd"}, "did you mean augmented"),
        ({"discriminator_layers": 0}, "discriminator_layers is 0"),
    ],
)
def test_augcse_settings_that_cannot_be_are_refused(options: dict[str, Any], message: str, tiny_backbone: Path) -> None:
    with pytest.raises(UserError, match=message):
        _augcse(tiny_backbone, **options)
