"""A labelled task beside a contrastive objective, by itself and in a stock trainer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss

from augcse.encoding.model import load_encoder
from augcse.errors import UserError
from augcse.objectives import AugCSELoss, ContrastiveLoss, SimCSELoss
from augcse.objectives.joint import JointSupervisedLoss, task_loss
from augcse.objectives.sda import SDALoss


def _view(seed: int = 0, rows: int = 4, length: int = 7) -> dict[str, torch.Tensor]:
    ids = torch.randint(5, 400, (rows, length), generator=torch.Generator().manual_seed(seed))
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}


def test_task_losses_are_the_textbooks() -> None:
    scores = torch.tensor([[2.0, 0.0], [0.0, 1.0]])
    expected = torch.stack([-scores[0].log_softmax(0)[0], -scores[1].log_softmax(0)[0]]).mean()
    assert task_loss(scores, torch.tensor([0, 0])).item() == pytest.approx(expected.item())
    assert task_loss(torch.tensor([[0.5], [2.0]]), torch.tensor([1.0, 0.0])).item() == pytest.approx((0.25 + 4.0) / 2)


def test_total_is_the_contrastive_terms_and_the_weighted_task(tiny_backbone: Path) -> None:
    joint = JointSupervisedLoss(SimCSELoss(load_encoder(str(tiny_backbone), "cls")), num_labels=3, weight=0.5)
    joint.model.eval()
    labels = torch.tensor([0, 1, 2, 1])
    terms = joint([_view()], labels)
    scores = joint.classifier(joint.model(dict(_view()))["sentence_embedding"])
    assert terms["supervised"].item() == pytest.approx(0.5 * torch.nn.functional.cross_entropy(scores, labels).item(), rel=1e-5)
    assert terms["contrastive"].item() == pytest.approx(joint.contrastive([_view()])["contrastive"].item(), rel=1e-5)
    assert joint.metrics["task_accuracy"].item() == (scores.argmax(dim=1) == labels).float().mean().item()


def test_a_pair_is_classified_on_both_and_their_difference(tiny_backbone: Path) -> None:
    joint = JointSupervisedLoss(SDALoss(load_encoder(str(tiny_backbone), "cls")), num_labels=1, pair=True)
    joint.model.eval()
    views = [_view(0), _view(1, length=9), _view(2, length=8)]
    labels = torch.tensor([0.1, 0.5, 0.9, 0.3])
    terms = joint(views, labels)
    left, right, other = (joint.model(dict(view))["sentence_embedding"] for view in views)
    scores = joint.classifier(torch.cat([left, right, (left - right).abs()], dim=1))
    assert terms["supervised"].item() == pytest.approx((scores[:, 0] - labels).square().mean().item(), rel=1e-4)
    # The contrastive objective sees the first and the third column.
    assert terms["contrastive"].item() == pytest.approx(joint.contrastive([views[0], views[2]])["contrastive"].item(), rel=1e-4)
    assert other.shape == left.shape


def test_a_second_label_is_the_contrastive_objectives(tiny_backbone: Path) -> None:
    joint = JointSupervisedLoss(AugCSELoss(load_encoder(str(tiny_backbone), "cls"), 2), num_labels=2)
    joint.model.eval()
    own, theirs = torch.tensor([0, 1, 1, 0]), torch.tensor([2, 0, 1, 2])
    terms = joint([_view(0), _view(1)], torch.stack([own, theirs], dim=1))
    alone = joint.contrastive([_view(0), _view(1)], theirs)
    assert terms["discriminator"].item() == pytest.approx(alone["discriminator"].item(), rel=1e-5)
    assert {"task_accuracy", "discriminator_accuracy"} <= set(joint.metrics)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_labels": 0}, "num_labels is 0"),
        ({"num_labels": "2"}, "num_labels is '2'"),
        ({"num_labels": 2, "weight": -1}, "weight is -1"),
        ({"num_labels": 2, "weight": "x"}, "weight is 'x'"),
        ({"num_labels": 2, "pair": "yes"}, "pair is 'yes'"),
    ],
)
def test_impossible_settings_are_refused(options: dict[str, Any], message: str, tiny_backbone: Path) -> None:
    with pytest.raises(UserError, match=message):
        JointSupervisedLoss(SimCSELoss(load_encoder(str(tiny_backbone), "cls")), **options)


def test_a_loss_of_another_library_is_refused(tiny_backbone: Path) -> None:
    foreign: Any = MultipleNegativesRankingLoss(load_encoder(str(tiny_backbone), "cls"))
    with pytest.raises(UserError, match=r"contrastive is a MultipleNegativesRankingLoss; give a loss of augcse.objectives"):
        JointSupervisedLoss(foreign, num_labels=2)


@pytest.mark.parametrize(
    ("num_labels", "labels", "said"),
    [
        (2, None, "no labels; give JointSupervisedLoss a column label of whole numbers from 0 to 1"),
        (2, [0, 1, 5, 0], "the label 5; give JointSupervisedLoss"),
        (2, [0, 1, -1, 0], "the label -1; give JointSupervisedLoss"),
        (2, [0.7, 0.0, 1.0, 1.0], "the label 0.7; give JointSupervisedLoss"),
        (1, [0.7, float("nan"), 1.0, 1.0], "the label nan; give JointSupervisedLoss a column label of numbers"),
        (2, [[0, 1, 1]] * 4, "each row of the data has 3 labels"),
    ],
)
def test_labels_of_another_task_are_refused(num_labels: int, labels: Any, said: str, tiny_backbone: Path) -> None:
    joint = JointSupervisedLoss(SimCSELoss(load_encoder(str(tiny_backbone), "cls")), num_labels=num_labels)
    with pytest.raises(UserError, match=said):
        joint([_view()], None if labels is None else torch.tensor(labels))


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (
            [0, 1, 0, 1],
            "each row of the data has one label; .* lists of two: for the task whole numbers from 0 to 1, then the label of AugCSELoss",
        ),
        ([[0, 0.5]] * 4, "the label 0.5"),
        ([[0, 3]] * 4, "the label 3; give AugCSELoss"),
    ],
)
def test_an_objective_with_labels_needs_its_own_second(labels: Any, said: str, tiny_backbone: Path) -> None:
    joint = JointSupervisedLoss(AugCSELoss(load_encoder(str(tiny_backbone), "cls"), 2), num_labels=2)
    with pytest.raises(UserError, match=said):
        joint([_view(0), _view(1)], torch.tensor(labels))


@pytest.mark.parametrize(
    ("loss", "columns"),
    [(SimCSELoss, "one text column; .* 2, in this order: original, partner"), (ContrastiveLoss, "give .* original, partner, positive")],
)
def test_a_pair_needs_its_partner(loss: Any, columns: str, tiny_backbone: Path) -> None:
    joint = JointSupervisedLoss(loss(load_encoder(str(tiny_backbone), "cls")), num_labels=2, pair=True)
    with pytest.raises(UserError, match=columns):
        joint([_view()], torch.tensor([0, 1, 0, 1]))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("pair", [False, True])
def test_works_in_a_stock_trainer(pair: bool, tiny_backbone: Path, sentences: list[str], tmp_path: Path) -> None:
    from datasets import Dataset
    from sentence_transformers import SentenceTransformerTrainer, SentenceTransformerTrainingArguments

    model = load_encoder(str(tiny_backbone), "cls")
    joint = JointSupervisedLoss(SimCSELoss(model), num_labels=1 if pair else 2, pair=pair)
    columns: dict[str, list[Any]] = {"sentence": sentences[:32]}
    columns |= {"partner": sentences[1:33], "label": [0.5] * 32} if pair else {"label": [row % 2 for row in range(32)]}
    before = joint.classifier.weight.detach().clone()
    arguments = SentenceTransformerTrainingArguments(
        output_dir=str(tmp_path), per_device_train_batch_size=8, max_steps=2, learning_rate=1e-2, use_cpu=True, report_to="none",
        save_strategy="no", logging_steps=1, disable_tqdm=True,
    )  # fmt: skip
    trainer = SentenceTransformerTrainer(model=model, args=arguments, train_dataset=Dataset.from_dict(columns), loss=joint)
    trainer.train()
    logged = {key for entry in trainer.state.log_history for key in entry}
    assert {"contrastive", "supervised"} <= logged
    assert not torch.equal(before, joint.classifier.weight)
