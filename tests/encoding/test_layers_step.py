"""The step that averages two hidden states: what it computes, where it stands, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Pooling, WeightedLayerPooling, WordWeights

import augcse
from augcse.encoding.model import load_encoder
from augcse.encoding.postprocess import apply_steps
from augcse.errors import UserError


@pytest.fixture
def model(tiny_backbone: Path) -> SentenceTransformer:
    return load_encoder(str(tiny_backbone))


@pytest.mark.parametrize(("first", "share"), [(0, 0.2), (1, 0.7), (0, 0.0), (0, 1.0)])
def test_it_is_the_weighted_mean_of_two_hidden_states(model: SentenceTransformer, sentences: list[str], first: int, share: float) -> None:
    averaged, [done] = apply_steps(model, sentences[:20], [f"layers:first={first},last_share={share}"])
    assert done["figures"] == {"layers": 2}
    assert [type(module) for module in averaged.children()][1:] == [WeightedLayerPooling, Pooling]
    features = model.tokenizer(sentences[30], return_tensors="pt")
    with torch.no_grad():
        states = model[0].auto_model(**features, output_hidden_states=True).hidden_states
    expected = sum(((1 - share) * low + share * high).numpy() for low, high in zip(states[first][0], states[-1][0], strict=True))
    assert averaged.encode(sentences[30]) == pytest.approx(expected / len(states[0][0]), abs=1e-5)


def test_tokens_are_weighted_after_it_and_it_is_saved(tiny_backbone: Path, corpus: Path, sentences: list[str], tmp_path: Path) -> None:
    built = augcse.postprocess(tiny_backbone, corpus, steps=["layers", "sif:a=0.01", "whiten:dim=6"], output=tmp_path / "model")
    kinds = [type(module) for module in load_encoder(str(built.folder))]
    assert kinds[1:4] == [WeightedLayerPooling, WordWeights, Pooling]
    stock = SentenceTransformer(str(built.folder), device="cpu", local_files_only=True)
    assert np.abs(stock.encode(sentences[:3])).max() > 0
    assert stock.encode(sentences[:3]) == pytest.approx(load_encoder(str(built.folder)).encode(sentences[:3]), abs=1e-6)


@pytest.mark.parametrize(
    ("made", "steps", "remedy"),
    [
        ([], ["layers:first=2"], "give less than 2"),
        (["layers"], ["layers"], "leave the step out"),
        (["sif"], ["layers"], "give layers before sif"),
    ],
)
def test_what_it_cannot_do_is_refused(
    model: SentenceTransformer, sentences: list[str], made: list[str], steps: list[str], remedy: str
) -> None:
    given, _ = apply_steps(model, sentences[:20], made)
    with pytest.raises(UserError, match=remedy):
        apply_steps(given, sentences[:20], steps)


def test_a_static_encoder_has_no_layers(corpus: Path, tmp_path: Path) -> None:
    static = augcse.static(corpus, output=tmp_path / "static", vocabulary_size=1000, contexts=200, cooccurrence_dim=16, letters_dim=0)
    with pytest.raises(UserError, match="mean"):
        augcse.postprocess(static.folder, corpus, steps=["layers"], output=tmp_path / "model")
