"""SDA, supervised SimCSE and auxiliary masked language modelling."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from augcse.encoding.model import load_encoder
from augcse.errors import UserError
from augcse.objectives.auxiliary_mlm import MaskedLanguageModel
from augcse.objectives.info_nce import info_nce
from augcse.objectives.sda import SDALoss
from augcse.objectives.simcse import SimCSELoss, SupervisedSimCSELoss
from augcse.objectives.token_edits import mask_tokens


def _view(seed: int, length: int = 7, rows: int = 4) -> dict[str, torch.Tensor]:
    ids = torch.randint(5, 400, (rows, length), generator=torch.Generator().manual_seed(seed))
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}


ORIGINAL, POSITIVE, NEGATIVE = _view(0), _view(1, 8), _view(2, 12)


@pytest.fixture(scope="module")
def masked_backbone(tiny_backbone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny backbone, saved with a masked-language-model head."""
    from transformers import AutoConfig, AutoTokenizer, BertForMaskedLM

    folder = tmp_path_factory.mktemp("tiny-masked")
    torch.manual_seed(3)
    BertForMaskedLM(AutoConfig.from_pretrained(str(tiny_backbone))).save_pretrained(str(folder))
    AutoTokenizer.from_pretrained(str(tiny_backbone)).save_pretrained(str(folder))
    return folder


def cosine(a: list[float], b: list[float]) -> float:
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    return dot / (math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(y * y for y in b)))


def naive_hard(anchors: Any, positives: Any, negatives: Any, temperature: float, weight: float) -> float:
    """SimCSE Eq. 5 and the weighted form of its appendix, one term at a time."""
    total = 0.0
    for i, anchor in enumerate(anchors):
        denominator = 0.0
        for j in range(len(positives)):
            denominator += math.exp(cosine(anchor, positives[j]) / temperature)
            denominator += (math.exp(weight) if i == j else 1.0) * math.exp(cosine(anchor, negatives[j]) / temperature)
        total -= math.log(math.exp(cosine(anchor, positives[i]) / temperature) / denominator)
    return total / len(anchors)


@settings(max_examples=40)
@given(rows=st.integers(1, 6), dim=st.integers(2, 5), seed=st.integers(0, 999), weight=st.sampled_from([0.0, 0.7, -2.0]))
def test_hard_negatives_equal_equation_5(rows: int, dim: int, seed: int, weight: float) -> None:
    views = torch.randn(3, rows, dim, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    expected = naive_hard(*views.tolist(), 0.1, weight)
    assert info_nce(*views[:2], 0.1, negatives=views[2], own_weight=weight).item() == pytest.approx(expected, rel=1e-6)


def test_supervised_loss_is_equation_5_of_its_views(tiny_backbone: Path) -> None:
    loss = SupervisedSimCSELoss(load_encoder(str(tiny_backbone), "cls"), projection="none", hard_negative_weight=0.5)
    loss.model.eval()
    views = [loss.model(dict(view))["sentence_embedding"].tolist() for view in (ORIGINAL, POSITIVE, NEGATIVE)]
    value = loss([ORIGINAL, POSITIVE, NEGATIVE])["contrastive"].item()
    assert value == pytest.approx(naive_hard(*views, 0.05, 0.5), rel=1e-4)


def test_sda_is_simcse_s_loss_of_the_two_views(tiny_backbone: Path) -> None:
    loss = SDALoss(load_encoder(str(tiny_backbone), "cls"))
    loss.model.eval()
    first, second = (loss.projection(loss.model(dict(view))["sentence_embedding"]) for view in (ORIGINAL, POSITIVE))
    assert loss([ORIGINAL, POSITIVE])["contrastive"].item() == pytest.approx(info_nce(first, second, 0.05).item(), rel=1e-4)


def test_sda_of_unchanged_sentences_is_simcse_to_the_bit(tiny_backbone: Path) -> None:
    sda, simcse = SDALoss(load_encoder(str(tiny_backbone), "cls")), SimCSELoss(load_encoder(str(tiny_backbone), "cls"))
    simcse.projection.load_state_dict(sda.projection.state_dict())
    for loss in (sda, simcse):
        loss.model.train()
    torch.manual_seed(5)
    first = sda([ORIGINAL, ORIGINAL])["contrastive"]
    torch.manual_seed(5)
    assert torch.equal(first, simcse([ORIGINAL])["contrastive"])


def test_masking_is_80_10_10_of_the_chosen() -> None:
    torch.manual_seed(0)
    ids = torch.full((400, 100), 7)
    maskable = torch.arange(100).expand(400, -1) > 0
    masked, chosen = mask_tokens(ids, maskable, mask_id=4, vocabulary_size=1000, probability=0.15)
    assert not chosen[:, 0].any()
    assert torch.equal(masked[~chosen], ids[~chosen])
    assert chosen.float().mean().item() == pytest.approx(0.15 * 0.99, abs=0.01)
    new = masked[chosen]
    assert (new == 4).float().mean().item() == pytest.approx(0.8, abs=0.02)
    assert (new == 7).float().mean().item() == pytest.approx(0.1, abs=0.02)
    assert new[(new != 4) & (new != 7)].unique().numel() > 200


def test_the_head_is_the_checkpoints_own(masked_backbone: Path) -> None:
    from transformers import AutoModelForMaskedLM

    model = load_encoder(str(masked_backbone), "cls")
    auxiliary = MaskedLanguageModel(model, probability=0.15)
    reference = AutoModelForMaskedLM.from_pretrained(str(masked_backbone)).eval()
    model.eval()
    states = model(dict(ORIGINAL))["token_embeddings"]
    expected = reference(**ORIGINAL).logits
    assert torch.allclose(auxiliary.head(states.flatten(0, 1)), expected.flatten(0, 1), atol=1e-5)


def test_mlm_loss_is_the_models_own_at_the_chosen_places(masked_backbone: Path) -> None:
    from transformers import AutoModelForMaskedLM

    model = load_encoder(str(masked_backbone), "cls")
    auxiliary = MaskedLanguageModel(model, probability=0.5)
    model.eval()
    ids = ORIGINAL["input_ids"]
    torch.manual_seed(9)
    masked, chosen = mask_tokens(ids, torch.ones_like(ids, dtype=torch.bool), auxiliary.mask_id, auxiliary.vocabulary_size, 0.5)
    reference = AutoModelForMaskedLM.from_pretrained(str(masked_backbone)).eval()
    expected = reference(input_ids=masked, attention_mask=ORIGINAL["attention_mask"], labels=ids.masked_fill(~chosen, -100)).loss
    torch.manual_seed(9)
    assert auxiliary(model, ORIGINAL).item() == pytest.approx(expected.item(), rel=1e-4)


def test_nothing_chosen_costs_nothing(masked_backbone: Path) -> None:
    model = load_encoder(str(masked_backbone), "cls")
    specials = {"input_ids": torch.tensor([[2, 3], [2, 3]]), "attention_mask": torch.ones(2, 2, dtype=torch.int64)}
    loss = MaskedLanguageModel(model, probability=0.15)(model, specials)
    assert loss.item() == 0.0
    loss.backward()


@pytest.mark.parametrize("loss_class", [SimCSELoss, SupervisedSimCSELoss])
def test_mlm_is_a_second_term_that_trains_head_and_encoder(loss_class: Any, masked_backbone: Path) -> None:
    loss = loss_class(load_encoder(str(masked_backbone), "cls"), do_mlm=True, mlm_weight=0.25)
    assert loss.traits.reads_tokens
    loss.model.train()
    terms = loss([ORIGINAL, POSITIVE, NEGATIVE])
    assert set(terms) == {"contrastive", "masked_lm"}
    # Its value at the start is a quarter of a uniform guess's, log V.
    assert terms["masked_lm"].item() == pytest.approx(0.25 * math.log(len(loss.model.tokenizer)), rel=0.1)
    terms["masked_lm"].backward()
    assert all(parameter.grad is not None for parameter in loss.masked_lm.head.own)
    table = loss.model[0].auto_model.embeddings.word_embeddings.weight
    # Tied: every token's row gets a gradient from the output matrix, not only those in the batch.
    assert (table.grad.abs().sum(dim=1) > 0).all()


def test_a_parameter_is_saved_once(masked_backbone: Path, tmp_path: Path) -> None:
    from safetensors.torch import save_file

    from augcse.training.state import own_state

    loss = SimCSELoss(load_encoder(str(masked_backbone), "cls"), do_mlm=True)
    state = own_state(loss)
    save_file(state, tmp_path / "loss.safetensors")
    assert sum(name.startswith("masked_lm.head.") for name in state) == len(list(loss.masked_lm.head.own))
    assert len({id(parameter) for parameter in loss.parameters()}) == len([name for name, _ in loss.named_parameters()])


def test_a_backbone_without_head_is_refused(tiny_backbone: Path, tmp_path: Path) -> None:
    from transformers import AutoModel, AutoTokenizer

    AutoModel.from_pretrained(tiny_backbone).save_pretrained(tmp_path)
    AutoTokenizer.from_pretrained(tiny_backbone).save_pretrained(tmp_path)
    with pytest.raises(UserError, match=r"has no trained masked-language-model head .*set do_mlm to false"):
        SimCSELoss(load_encoder(str(tmp_path), "cls"), do_mlm=True)


@pytest.mark.parametrize(
    ("options", "message"), [({"mlm_probability": 0.0}, "mlm_probability is 0"), ({"mlm_weight": -1.0}, "mlm_weight is -1")]
)
def test_impossible_settings_are_refused(options: dict[str, Any], message: str, masked_backbone: Path) -> None:
    with pytest.raises(UserError, match=message):
        SimCSELoss(load_encoder(str(masked_backbone), "cls"), do_mlm=True, **options)
