"""The losses on static encoders, whose own features are flat: the same gradients as from padded rows, tokens left out, clear refusals."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import pytest
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import StaticEmbedding

from augcse.config import load_recipe
from augcse.encoding.model import load_encoder
from augcse.encoding.static.once import TokensOnce
from augcse.encoding.static.training import DROPOUT_RATE, RowTokenizer, padded_rows, read_padded_rows
from augcse.errors import UserError
from augcse.objectives import DocumentsLoss, SimCSELoss
from augcse.objectives.base import OBJECTIVES, ObjectiveCard
from augcse.objectives.joint import JointSupervisedLoss
from augcse.objectives.views import encode_twice
from augcse.training.batches import StoreCollator
from augcse.training.store.files import StoreWriter, TokenStore

ABLE = [card for card in OBJECTIVES if card.trains_static]
UNABLE = [card for card in OBJECTIVES if not card.trains_static]
# Two rows are the same text.
TEXTS = [
    ["The mill was built in 1847.", "It rains.", "They sold three old cars at the market.", "It rains."],
    ["The mill dates from 1847.", "It never rains in the south.", "Sold.", "Rain is falling."],
    ["The mill burnt down.", "The sun is shining on all of us.", "They bought three cars.", "It snows."],
]
LABELS = torch.tensor([0, 1, 0, 2])


@pytest.fixture(params=[StaticEmbedding, TokensOnce], ids=["every token", "each once"])
def encoder(request: pytest.FixtureRequest, static_folder: Path) -> SentenceTransformer:
    stock = load_encoder(str(static_folder))[0]
    return SentenceTransformer(modules=[request.param(stock.tokenizer, embedding_weights=stock.embedding.weight.detach())], device="cpu")


def _loss(card: ObjectiveCard, model: SentenceTransformer) -> Any:
    return card.build(model, {"num_augmentations": 2} if card.takes_labels else {})


def _collated(model: SentenceTransformer, views: tuple[str, ...], folder: Path) -> list[dict[str, torch.Tensor]]:
    """What `augcse adapt` makes of the texts."""
    with StoreWriter(folder, views, labelled=False) as writer:
        for view, texts in zip(views, TEXTS, strict=False):
            writer.append(view, RowTokenizer(model)(texts, max_length=1000)["input_ids"])
        writer.finish({})
    batch = StoreCollator(TokenStore.open(folder), RowTokenizer.pad_token_id)([0, 1, 2, 3])
    return [{key: batch[f"{view}_{key}"] for key in ("input_ids", "attention_mask")} for view in views]


def _gradients(loss: Any, features: list[dict[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
    torch.manual_seed(1)
    sum(loss(features, LABELS).values()).backward()
    return {name: parameter.grad for name, parameter in loss.named_parameters() if parameter.grad is not None}


@pytest.mark.parametrize("card", ABLE, ids=lambda card: card.name)
def test_gradients_are_those_from_the_rows_of_adapt(card: ObjectiveCard, encoder: SentenceTransformer, tmp_path: Path) -> None:
    flat = [encoder.preprocess(texts) for texts in TEXTS[: len(card.views)]]
    assert all(set(view) == {"input_ids", "offsets"} for view in flat)
    loss = _loss(card, encoder).train()
    found, expected = _gradients(copy.deepcopy(loss), flat), _gradients(loss, _collated(encoder, card.views, tmp_path))
    assert "model.0.embedding.weight" in expected
    assert found.keys() == expected.keys()
    assert all(torch.equal(found[name], value) for name, value in expected.items())


@pytest.mark.parametrize("card", UNABLE, ids=lambda card: card.name)
def test_an_objective_on_tokens_is_refused_when_it_is_made(card: ObjectiveCard, encoder: SentenceTransformer) -> None:
    with pytest.raises(UserError, match=f"^{card.class_name} works inside a transformer, and the model is a static encoder; take augcse, "):
        _loss(card, encoder)


def test_so_are_masked_language_modelling_and_crops(encoder: SentenceTransformer) -> None:
    with pytest.raises(UserError, match="masked language modelling works inside a transformer"):
        SimCSELoss(encoder, do_mlm=True)
    with pytest.raises(UserError, match='objective documents with pairs "crops" works inside a transformer'):
        DocumentsLoss(encoder, pairs="crops")


def test_two_passes_differ_by_the_tokens_left_out_in_train_mode_alone(encoder: SentenceTransformer) -> None:
    rows = padded_rows(encoder.preprocess(TEXTS[0]))
    SimCSELoss(encoder)
    first, second = encode_twice(encoder.train(), rows)
    assert not torch.equal(first, second)
    first, second = encode_twice(encoder.eval(), rows)
    assert torch.equal(first, second)
    assert torch.allclose(first, torch.tensor(encoder.encode(TEXTS[0])), atol=1e-6)


def test_the_share_of_tokens_left_out_is_that_of_adapt_unless_it_was_set() -> None:
    assert load_recipe("adapt-static").model.dropout_rate == DROPOUT_RATE


def test_a_share_that_was_set_stays(encoder: SentenceTransformer) -> None:
    read_padded_rows(encoder, 0.0)
    SimCSELoss(encoder)
    first, second = encode_twice(encoder.train(), padded_rows(encoder.preprocess(TEXTS[0])))
    assert torch.equal(first, second)


def test_a_task_beside_the_objective_reads_flat_features_too(encoder: SentenceTransformer) -> None:
    loss = JointSupervisedLoss(SimCSELoss(encoder), num_labels=3)
    assert set(loss([encoder.preprocess(TEXTS[0])], LABELS)) == {"contrastive", "supervised"}


def test_texts_without_tokens_have_empty_rows(encoder: SentenceTransformer) -> None:
    rows = padded_rows(encoder.preprocess(["", "It rains.", ""]))
    assert rows["attention_mask"].any(dim=1).tolist() == [False, True, False]
    read_padded_rows(encoder)
    found = encoder.train()(rows)["sentence_embedding"]
    assert found[0].tolist() == found[2].tolist() == [0.0] * 16
    assert padded_rows(encoder.preprocess(["", ""]))["input_ids"].shape == (2, 0)


def test_the_encoder_can_still_be_sent_to_other_processes(encoder: SentenceTransformer) -> None:
    SimCSELoss(encoder)
    other = pickle.loads(pickle.dumps(encoder[0]))
    assert torch.equal(other.embedding.weight, encoder[0].embedding.weight)
