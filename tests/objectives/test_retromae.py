"""RetroMAE: its decoder layer against a naive loop, what it may see, and what reaches the encoder."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn.functional import cross_entropy, gelu

from augcse.encoding.model import load_encoder
from augcse.errors import UserError
from augcse.objectives.retromae import BottleneckLayer, RetroMAELoss, drawn_contexts, with_vector


def _naive(layer: BottleneckLayer, queries: torch.Tensor, content: torch.Tensor, visible: torch.Tensor) -> torch.Tensor:
    """Position by position, head by head."""
    rows, length, width = queries.shape
    size = width // layer.heads
    result = torch.empty_like(queries)
    for row in range(rows):
        for place in range(length):
            heads = []
            for head in range(layer.heads):
                part = slice(head * size, (head + 1) * size)
                query = layer.query(queries[row, place])[part]
                seen = [other for other in range(length) if visible[row, place, other]]
                scores = torch.stack([query @ layer.key(content[row, other])[part] / math.sqrt(size) for other in seen])
                shares = scores.softmax(dim=0)
                heads.append(sum(share * layer.value(content[row, other])[part] for share, other in zip(shares, seen, strict=True)))
            attended = layer.norms[0](queries[row, place] + layer.output(torch.cat(heads)))  # type: ignore[arg-type]
            result[row, place] = layer.norms[1](attended + layer.narrow(gelu(layer.widen(attended))))
    return result


def test_the_layer_is_what_a_loop_computes() -> None:
    torch.manual_seed(0)
    layer = BottleneckLayer(8, 2, 12).double()
    queries, content = torch.randn(2, 3, 5, 8, dtype=torch.float64)
    visible = drawn_contexts(torch.tensor([[True] * 5, [True] * 4 + [False], [True] * 3 + [False] * 2]), 0.5)
    torch.testing.assert_close(layer(queries, content, visible), _naive(layer, queries, content, visible))


@given(st.integers(1, 4), st.integers(1, 9), st.floats(0, 0.99), st.integers(0, 1000))
def test_a_token_is_rebuilt_from_the_vector_and_others_never_from_itself(rows: int, length: int, hidden: float, seed: int) -> None:
    torch.manual_seed(seed)
    real = torch.arange(length)[None] < torch.randint(1, length + 1, (rows, 1))
    visible = drawn_contexts(real, hidden)
    assert visible[:, :, 0].all()
    assert not visible.diagonal(dim1=1, dim2=2)[:, 1:].any()
    assert not (visible[:, :, 1:] & ~real[:, None, 1:]).any()


def test_the_share_that_is_hidden_is_the_one_asked_for() -> None:
    torch.manual_seed(1)
    visible = drawn_contexts(torch.ones(20, 60, dtype=torch.bool), 0.7)
    others = ~torch.eye(60, dtype=torch.bool)
    others[:, 0] = False
    # 20 * 59 * 59 draws: five standard deviations.
    assert abs(float(visible[:, others].float().mean()) - 0.3) < 0.01


def test_the_vector_takes_the_first_place() -> None:
    embedded, vectors = torch.randn(2, 3, 4), torch.randn(2, 4)
    joined = with_vector(embedded, vectors)
    assert torch.equal(joined[:, 0], vectors)
    assert torch.equal(joined[:, 1:], embedded[:, 1:])


@pytest.fixture
def loss_of(tiny_backbone: Path) -> Any:
    def build(**options: Any) -> tuple[Any, dict[str, torch.Tensor]]:
        torch.manual_seed(2)
        encoder = load_encoder(str(tiny_backbone), "cls")
        rows = encoder.tokenizer(["The kettle was not there, unbelievably.", "A mill."], padding=True, return_tensors="pt")
        encoder.eval()
        return RetroMAELoss(encoder, 0.3, 0.5, **options), dict(rows)

    return build


@pytest.mark.parametrize("enhanced", [False, True])
def test_the_decoders_term_is_the_mean_over_the_tokens_it_is_asked_for(loss_of: Any, enhanced: bool) -> None:
    loss, rows = loss_of(enhanced=enhanced)
    torch.manual_seed(3)
    terms = loss([rows])
    torch.manual_seed(3)
    seen, _ = loss.masked_lm.masked(rows, 0.3)
    vectors = loss.model({**rows, "input_ids": seen})["sentence_embedding"]
    backbone = loss.model[0].auto_model
    real = rows["attention_mask"].bool()
    if enhanced:
        wanted = loss.masked_lm.maskable(rows)
        queries = vectors[:, None] + backbone.embeddings.position_embeddings.weight[: real.shape[1]]
        content = with_vector(backbone.embeddings(input_ids=rows["input_ids"]), vectors)
        visible = drawn_contexts(real, 0.5)
    else:
        damaged, wanted = loss.masked_lm.masked(rows, 0.5)
        queries = content = with_vector(backbone.embeddings(input_ids=damaged), vectors)
        visible = real[:, None, :].expand(-1, real.shape[1], -1)
    states = _naive(loss.decoder, queries, content, visible)
    found = [cross_entropy(loss.head(states[at][None])[0], rows["input_ids"][at]) for at in map(tuple, wanted.nonzero().tolist())]
    torch.testing.assert_close(terms["decoder"], torch.stack(found).mean())
    assert set(terms) == {"encoder", "decoder"}


def test_the_gradient_of_the_decoder_reaches_the_encoder_through_the_vector(loss_of: Any) -> None:
    loss, rows = loss_of(enhanced=True)
    loss([rows])["decoder"].backward()
    layers = loss.model[0].auto_model.encoder.layer
    assert all(layer.attention.self.query.weight.grad.abs().sum() > 0 for layer in layers)
    assert loss.decoder.query.weight.grad.abs().sum() > 0


def test_an_encoder_without_positions_cannot_be_decoded_so(loss_of: Any, tiny_backbone: Path) -> None:
    encoder: Any = load_encoder(str(tiny_backbone), "cls")
    del encoder[0].auto_model.embeddings.position_embeddings
    with pytest.raises(UserError, match="set enhanced_decoding to false"):
        RetroMAELoss(encoder, 0.3, 0.5, enhanced=True)
