"""Whitening by its definition, a flow by its Jacobian and what it learns, word vectors by hand; all as models that save and load."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import torch
from sentence_transformers import SentenceTransformer

from augcse.encoding.flow import Flow, fit_flow
from augcse.encoding.model import load_encoder
from augcse.encoding.postprocess import apply_steps
from augcse.encoding.whitening import whitening_transform
from augcse.encoding.word_vectors import needed_words, word_vector_model
from augcse.errors import UserError
from augcse.lexicon.word_vectors import read_word_vectors

GLOVE = "the 1 0 0\ncat 0 2 0\nsat 0 0 -3.5\nnew york 1 1 1\ncat 9 9 9\n"


def correlated(rows: int, dim: int, seed: int = 0) -> np.ndarray:
    generator = np.random.default_rng(seed)
    return generator.normal(size=(rows, dim)) @ generator.normal(size=(dim, dim)) + 10 * generator.normal(size=dim)


def test_whitened_embeddings_have_mean_0_and_covariance_1() -> None:
    rows = correlated(500, 6)
    weight, bias = whitening_transform(rows)
    whitened = rows @ weight.T + bias
    assert whitened.mean(axis=0) == pytest.approx(np.zeros(6), abs=1e-9)
    assert np.cov(whitened.T, bias=True) == pytest.approx(np.eye(6), abs=1e-9)


def test_fewer_dimensions_are_those_of_largest_variance() -> None:
    rows = correlated(500, 6)
    values, vectors = np.linalg.eigh(np.cov(rows.T, bias=True))
    naive = (rows - rows.mean(axis=0)) @ vectors[:, ::-1][:, :2] / np.sqrt(values[::-1][:2])
    weight, bias = whitening_transform(rows, 2)
    assert np.abs(rows @ weight.T + bias) == pytest.approx(np.abs(naive))


@pytest.mark.parametrize("dim", [6, 300])
def test_whitening_is_that_of_the_singular_value_decomposition(dim: int) -> None:
    """As the paper has it, in float64; the embeddings come in float32, as from a model."""
    rows = correlated(900, dim).astype(np.float32)
    centred = rows.astype(np.float64) - rows.astype(np.float64).mean(axis=0)
    _, deviations, axes = np.linalg.svd(centred, full_matrices=False)
    naive = np.abs(centred @ axes.T / deviations * np.sqrt(len(rows)))
    weight, bias = whitening_transform(rows)
    assert np.abs(rows @ weight.T + bias) == pytest.approx(naive, abs=1e-5)


@pytest.mark.parametrize(("rows", "dim"), [(4, 6), (500, 7), (500, 0)])
def test_what_cannot_be_whitened_is_refused(rows: int, dim: int) -> None:
    with pytest.raises(UserError, match=f"cannot whiten to {dim} dimensions"):
        whitening_transform(correlated(rows, 6), dim)


def test_directions_without_variance_are_left_out_unless_asked_for() -> None:
    rows = correlated(500, 6)
    rows[:, 5] = rows[:, 0] - rows[:, 1]
    assert whitening_transform(rows)[0].shape == (5, 6)
    with pytest.raises(UserError, match="vary in 0 of 6 directions"):
        whitening_transform(np.ones((4, 6)))


def test_a_whitened_model_is_an_ordinary_folder(tiny_backbone: Path, sentences: list[str], tmp_path: Path) -> None:
    plain = load_encoder(str(tiny_backbone), "first-last-1")
    model, _ = apply_steps(plain, sentences[:200], ["whiten:dim=8,shrinkage=none"])
    embeddings = model.encode(sentences[:200])
    assert np.cov(embeddings.T, bias=True) == pytest.approx(np.eye(8), abs=1e-2)
    model.save_pretrained(str(tmp_path / "white"))
    stock = SentenceTransformer(str(tmp_path / "white"))
    assert stock.encode(sentences[:9]) == pytest.approx(embeddings[:9], abs=1e-3)
    assert plain.encode(sentences[:2]).shape == (2, 32)


@pytest.mark.parametrize("dim", [4, 5])
def test_log_determinant_is_that_of_the_jacobian(dim: int) -> None:
    generator = torch.Generator().manual_seed(0)
    data = torch.randn(200, dim, generator=generator).double()
    flow = Flow(dim, steps=3, hidden_dim=7).double()
    flow.start(data, generator)
    with torch.no_grad():
        for parameter in flow.parameters():
            parameter.add_(0.3 * torch.randn(parameter.shape, generator=generator))
    log_determinant = flow.transform(data[:3])[1].detach()
    for row, found in zip(data[:3], log_determinant, strict=True):
        jacobian = torch.autograd.functional.jacobian(lambda point: flow.transform(point[None])[0][0], row)
        assert float(found) == pytest.approx(float(torch.linalg.slogdet(jacobian).logabsdet), abs=1e-9)


def test_a_fresh_flow_standardises_and_its_likelihood_is_gaussian() -> None:
    data = torch.from_numpy(correlated(2000, 4)).float()
    flow = Flow(4, steps=1)
    flow.start(data, torch.Generator().manual_seed(0))
    with torch.no_grad():
        images, log_determinant = flow.transform(data)
        likelihood = float(flow.negative_log_likelihood(data))
    assert images.mean(dim=0).abs().max() < 1e-4
    deviations = data.std(dim=0)
    expected = 0.5 * math.log(2 * math.pi) + float((images**2).mean()) / 2 + float(deviations.log().mean())
    assert likelihood == pytest.approx(expected, abs=1e-4)
    assert float(log_determinant[0]) == pytest.approx(-float(deviations.log().sum()), abs=1e-4)


def test_training_reaches_the_entropy_of_a_gaussian_and_goes_beyond_on_curved_data() -> None:
    rows = correlated(4000, 4)
    fitted = fit_flow(torch.from_numpy(rows).float(), torch.Generator().manual_seed(1), steps=2, epochs=20, learning_rate=3e-3)
    entropy = 0.5 * (math.log(2 * math.pi * math.e) + np.linalg.slogdet(np.cov(rows.T))[1] / 4)
    assert fitted.likelihoods[0] > entropy + 0.1
    assert fitted.likelihoods[-1] == pytest.approx(entropy, abs=0.03)

    generator = np.random.default_rng(0)
    first = generator.normal(size=4000)
    banana = np.column_stack([first, first**2 + 0.3 * generator.normal(size=4000)])
    curved = fit_flow(torch.from_numpy(banana).float(), torch.Generator().manual_seed(1), epochs=20, learning_rate=3e-3)
    best_gaussian = 0.5 * (math.log(2 * math.pi * math.e) + np.linalg.slogdet(np.cov(banana.T))[1] / 2)
    assert curved.likelihoods[-1] < best_gaussian - 0.2


def test_a_flow_depends_on_its_generator_alone_and_leaves_the_global_one() -> None:
    data = torch.from_numpy(correlated(200, 4)).float()
    state = torch.get_rng_state()
    flows = [fit_flow(data, torch.Generator().manual_seed(seed), epochs=1).flow for seed in (1, 1, 2)]
    assert torch.equal(torch.get_rng_state(), state)
    images = [flow.transform(data)[0] for flow in flows]
    assert torch.equal(images[0], images[1])
    assert not torch.equal(images[0], images[2])


@pytest.mark.parametrize("data", [torch.zeros(1, 4), torch.zeros(5, 1), torch.zeros(4, 4), torch.full((5, 4), math.nan)])
def test_a_flow_refuses_what_it_cannot_fit(data: torch.Tensor) -> None:
    with pytest.raises(UserError, match="flow"):
        fit_flow(data, torch.Generator())


def test_a_flow_model_saves_and_loads_by_our_own_loader(tiny_backbone: Path, sentences: list[str], tmp_path: Path) -> None:
    model, _ = apply_steps(load_encoder(str(tiny_backbone)), sentences[:200], ["flow:seed=3,steps=2,epochs=1"])
    model.save_pretrained(str(tmp_path / "flow"))
    loaded = load_encoder(str(tmp_path / "flow"))
    assert loaded.encode(sentences[:5]) == pytest.approx(model.encode(sentences[:5]), abs=1e-5)
    assert model.get_embedding_dimension() == 32


def test_word_vectors_are_averaged(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_text("5 3\n" + GLOVE, "utf-8")
    model = word_vector_model(path, stop_words=False)
    rows = model.encode(["The cat, unknown", "the CAT sat.", "nothing known here", ""])
    assert rows.tolist() == pytest.approx(np.array([[0.5, 1, 0], [1 / 3, 2 / 3, -3.5 / 3], [0, 0, 0], [0, 0, 0]]))
    assert word_vector_model(path).encode(["the cat"])[0].tolist() == [0, 2, 0]
    model.save_pretrained(str(tmp_path / "model"))
    assert SentenceTransformer(str(tmp_path / "model")).encode(["the cat"])[0].tolist() == pytest.approx([0.5, 1, 0])


def test_only_the_words_of_given_sentences_are_kept_and_they_are_enough(tmp_path: Path) -> None:
    sentences = ["The cat, unknown!", "New (york) sat.", "CAT's"]
    path = tmp_path / "glove.txt"
    path.write_text("5 3\n" + GLOVE, "utf-8")
    words = needed_words(sentences)
    assert {"The", "cat", "cat,", "york", "cat's"} <= words
    assert read_word_vectors(path, words)[0] == ["the", "cat", "sat"]
    whole, part = (word_vector_model(path, stop_words=False, words=chosen).encode(sentences) for chosen in (None, words))
    assert part.tolist() == whole.tolist()
