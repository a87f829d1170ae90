"""SimCSE's and AugCSE's losses: Eq. 3, the gradient each part receives, fidelity, the stock trainer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from augcse.encoding.model import load_encoder
from augcse.errors import UserError
from augcse.objectives import AugCSELoss, SimCSELoss
from augcse.objectives.discriminator import augmentation_cross_entropy
from augcse.objectives.info_nce import info_nce
from augcse.objectives.views import encode_twice

IDS = torch.randint(5, 400, (4, 7), generator=torch.Generator().manual_seed(0))
FEATURES = {"input_ids": IDS, "attention_mask": torch.ones_like(IDS)}
LABELS = torch.tensor([0, 1, 2, 2])


def _augcse(backbone: Path, **options: Any) -> AugCSELoss:
    torch.manual_seed(0)
    return AugCSELoss(load_encoder(str(backbone), "cls"), 2, **options)


def test_two_passes_differ_by_dropout_only(tiny_backbone: Path) -> None:
    model = load_encoder(str(tiny_backbone), "cls")
    model.train()
    first, second = encode_twice(model, FEATURES)
    assert not torch.allclose(first, second)
    model.eval()
    first, second = encode_twice(model, FEATURES)
    assert torch.allclose(first, second, atol=1e-6)
    assert list(FEATURES) == ["input_ids", "attention_mask"]


def test_total_is_contrastive_plus_lambda_discriminator(tiny_backbone: Path) -> None:
    loss = _augcse(tiny_backbone, discriminator_weight=0.25)
    loss.model.eval()
    terms = loss([FEATURES, FEATURES], LABELS)
    with torch.no_grad():
        embeddings = loss.model(dict(FEATURES))["sentence_embedding"]
        projected = loss.projection(embeddings)
        expected = augmentation_cross_entropy(loss.discriminator(projected, projected), LABELS)
    assert terms["discriminator"].item() == pytest.approx(0.25 * expected.item(), rel=1e-4)
    assert terms["contrastive"].item() == pytest.approx(info_nce(projected, projected, 0.05).item(), rel=1e-4)
    assert loss.metrics["discriminator_loss"].item() == pytest.approx(expected.item(), rel=1e-4)


def _discriminator_gradients(backbone: Path, alpha: float) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the gradients of the discriminator term alone: the encoder's embedding table, and the discriminator's first layer."""
    loss = _augcse(backbone, alpha=alpha, discriminator_weight=0.5, discriminator_dropout_rate=0.0, projection="none")
    loss.model.eval()
    loss([FEATURES, FEATURES], LABELS)["discriminator"].backward()
    table = loss.model[0].auto_model.embeddings.word_embeddings.weight.grad
    return table, loss.discriminator.layers[1].weight.grad


def test_alpha_turns_the_encoders_gradient_and_leaves_the_discriminators(tiny_backbone: Path) -> None:
    forward, own = _discriminator_gradients(tiny_backbone, 1.0)
    reversed_, own_reversed = _discriminator_gradients(tiny_backbone, -1.0)
    cut, _ = _discriminator_gradients(tiny_backbone, 0.0)
    assert forward.abs().max() > 0
    assert torch.allclose(reversed_, -forward, atol=1e-8)
    assert cut.abs().max() == 0
    assert torch.equal(own, own_reversed)


def test_repo_fidelity_is_symmetric(tiny_backbone: Path) -> None:
    paper, repo = _augcse(tiny_backbone), _augcse(tiny_backbone, fidelity="repo")
    repo.projection.load_state_dict(paper.projection.state_dict())
    for loss in (paper, repo):
        loss.model.train()
    torch.manual_seed(5)
    first = paper([FEATURES, FEATURES], LABELS)["contrastive"]
    torch.manual_seed(5)
    second = repo([FEATURES, FEATURES], LABELS)["contrastive"]
    assert first.item() != second.item()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"temperature": 0.0}, "temperature is 0"),
        ({"discriminator_weight": -1.0}, "discriminator_weight is -1"),
        ({"fidelity": "papre"}, "did you mean paper"),
        ({"projection": "bachnorm"}, "did you mean batchnorm"),
    ],
)
def test_impossible_settings_are_refused(options: dict[str, Any], message: str, tiny_backbone: Path) -> None:
    with pytest.raises(UserError, match=message):
        _augcse(tiny_backbone, **options)


def test_no_augmentations_are_refused(tiny_backbone: Path) -> None:
    with pytest.raises(UserError, match=r"^num_augmentations is 0; AugCSE needs at least one augmentation, give 1 or more$"):
        AugCSELoss(load_encoder(str(tiny_backbone), "cls"), 0)


def test_a_number_of_augmentations_that_is_a_text_is_refused(tiny_backbone: Path) -> None:
    with pytest.raises(UserError, match="AugCSELoss: num_augmentations is '2'; give a whole number"):
        AugCSELoss(load_encoder(str(tiny_backbone), "cls"), "2")  # type: ignore[arg-type]


def test_a_name_in_place_of_the_encoder_is_refused() -> None:
    with pytest.raises(UserError, match="SimCSELoss: model is a str; give a SentenceTransformer"):
        SimCSELoss("mini-bert")  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["simcse", "augcse"])
def test_works_in_a_stock_trainer(name: str, tiny_backbone: Path, sentences: list[str], tmp_path: Path) -> None:
    from datasets import Dataset
    from sentence_transformers import SentenceTransformerTrainer, SentenceTransformerTrainingArguments

    model = load_encoder(str(tiny_backbone), "cls")
    loss = SimCSELoss(model) if name == "simcse" else AugCSELoss(model, 2)
    columns: dict[str, list[Any]] = {"original": sentences[:32]}
    if name == "augcse":
        columns |= {"augmented": sentences[1:33], "label": [row % 3 for row in range(32)]}
    before = loss.projection[0].weight.detach().clone()
    arguments = SentenceTransformerTrainingArguments(
        output_dir=str(tmp_path),
        per_device_train_batch_size=8,
        max_steps=2,
        learning_rate=1e-2,
        use_cpu=True,
        report_to="none",
        save_strategy="no",
        logging_steps=1,
        disable_tqdm=True,
    )
    trainer = SentenceTransformerTrainer(model=model, args=arguments, train_dataset=Dataset.from_dict(columns), loss=loss)
    trainer.train()
    logged = {key for entry in trainer.state.log_history for key in entry}
    assert {"contrastive", "discriminator"} & logged == ({"contrastive"} if name == "simcse" else {"contrastive", "discriminator"})
    assert not torch.equal(before, loss.projection[0].weight)
