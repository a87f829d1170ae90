"""Models without training: layers, poolings, and whitened, truncated, noisy and static versions of two encoders.

Each is a matrix of embeddings of the same texts. The two encoders, and a copy of one with noise in its weights, are run once over the
texts (`Run`); everything else is computed from the hidden states of those runs, or from their tables of token vectors.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from evaluation_tables import minilm_folder

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Array = npt.NDArray[Any]
# (encoder, noise of its weights in standard deviations of each matrix)
RUNS = (("mini-bert", 0.0), ("all-MiniLM-L6-v2", 0.0), ("all-MiniLM-L6-v2", 0.1))
_BATCH = 64
_WHITENED_DIMS = (64, 128, 256)
_CUT_DIMS = (16, 32, 64, 128)
_NOISES = (0.5, 1.0, 2.0)
_SIF = 1e-3


@dataclass(frozen=True)
class Run:
    """One encoder's hidden states over texts, pooled: "mean 0", "cls 0" (the embedding layer), "mean 1" and so on, each (texts, dim)."""

    encoder: str
    noise: float
    pooled: Mapping[str, Array]

    @property
    def name(self) -> str:
        """The model's name in the record."""
        return self.encoder + (f", weights + noise {self.noise:g}" if self.noise else "")

    @property
    def last(self) -> int:
        """The number of the last layer."""
        return max(int(key.split()[1]) for key in self.pooled)


def run_encoder(encoder: str, noise: float, parts: Sequence[Sequence[str]], cache: Path) -> Run:
    """Encode the texts of all parts, in their order, or take what an earlier run left of a part in `cache`."""
    states = [_cached_states(encoder, noise, texts, cache) for texts in parts]
    return Run(encoder, noise, {name: np.concatenate([part[name] for part in states]) for name in states[0]})


def _cached_states(encoder: str, noise: float, texts: Sequence[str], cache: Path) -> dict[str, Array]:
    file = cache / (hashlib.sha256("\n".join([encoder, str(noise), *texts]).encode()).hexdigest()[:16] + ".npz")
    if not file.exists():
        cache.mkdir(parents=True, exist_ok=True)
        partial = file.with_suffix(".partial.npz")
        np.savez(partial, **_pooled_states(_encoder(encoder, noise), texts))  # type: ignore[arg-type]
        partial.rename(file)
    with np.load(file) as loaded:
        return {name: loaded[name] for name in loaded.files}


def _encoder(name: str, noise: float) -> SentenceTransformer:
    import torch

    from augcse.encoding.model import load_encoder

    model = load_encoder("mini-bert", "mean", "cpu") if name == "mini-bert" else load_encoder(str(minilm_folder()), device="cpu")
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for parameter in model.parameters():
            if noise and parameter.ndim == 2:
                parameter += noise * parameter.std() * torch.randn(parameter.shape, generator=generator)
    return model.eval()


def _pooled_states(model: SentenceTransformer, texts: Sequence[str]) -> dict[str, Array]:
    """Return the mean over tokens, and the first token, of every hidden state: (texts, dim) float32 each."""
    import torch

    backbone, tokenizer = model[0].auto_model, model.tokenizer
    order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
    found: dict[str, Array] = {}
    for start in range(0, len(order), _BATCH):
        rows = order[start : start + _BATCH]
        batch = tokenizer([texts[row] for row in rows], padding=True, truncation=True, max_length=128, return_tensors="pt")
        with torch.inference_mode():
            states = backbone(**batch, output_hidden_states=True).hidden_states
        mask = batch["attention_mask"][:, :, None]
        for layer, state in enumerate(states):
            for name, pooled in (("mean", (state * mask).sum(1) / mask.sum(1)), ("cls", state[:, 0])):
                values = pooled.float().numpy()
                found.setdefault(f"{name} {layer}", np.empty((len(texts), values.shape[1]), np.float32))[rows] = values
    return found


def contextual_models(run: Run, fitted_on: Array) -> Iterator[tuple[str, str, Array]]:
    """Yield (family, name, embeddings) of what can be made of a run; whitening is fitted on the rows `fitted_on`."""
    from augcse.encoding.whitening import whitening_transform

    last = run.last
    final = run.pooled[f"mean {last}"]
    yield run.encoder, f"{run.name}: mean", final
    if run.noise:
        return
    first_last = {first: (run.pooled[f"mean {first}"] + final) / 2 for first in (0, 1)}
    yield run.encoder, f"{run.name}: cls", run.pooled[f"cls {last}"]
    for first, rows in first_last.items():
        yield run.encoder, f"{run.name}: first-last-{first}", rows
    for layer in range(1, last):
        yield run.encoder, f"{run.name}: first {layer} layers, mean", run.pooled[f"mean {layer}"]
    for label, rows in (("mean", final), ("first-last-1", first_last[1]), ("cls", run.pooled[f"cls {last}"])):
        for dim in _WHITENED_DIMS:
            if dim < rows.shape[1] and (dim == 128 or label == "mean"):
                weight, bias = whitening_transform(rows[fitted_on], dim)
                yield run.encoder, f"{run.name}: {label}, whitened to {dim}", rows @ weight.T + bias
    for dim in _CUT_DIMS:
        yield run.encoder, f"{run.name}: mean, first {dim} dimensions", final[:, :dim]
    generator = np.random.default_rng(0)
    spread = (final - final.mean(axis=0)).std()
    for noise in _NOISES:
        yield run.encoder, f"{run.name}: mean + noise {noise:g}", final + noise * spread * generator.normal(size=final.shape)


def static_models(texts: Sequence[str], fitted_on: Array) -> Iterator[tuple[str, str, Array]]:
    """Yield averages of token vectors: the encoders' tables, and random ones; weighted by SIF or not, whitened or not."""
    from augcse.encoding.sif import token_weights
    from augcse.encoding.static.counts import token_counts
    from augcse.encoding.static.fold import sentence_means
    from augcse.encoding.static.tokenizer import tokenizer_of
    from augcse.encoding.static.tokens import tokenize_sentences
    from augcse.encoding.whitening import whitening_transform

    for encoder in ("mini-bert", "all-MiniLM-L6-v2"):
        model = _encoder(encoder, 0.0)
        table = model[0].auto_model.get_input_embeddings().weight.detach().numpy()
        tokenizer = tokenizer_of("mini-bert" if encoder == "mini-bert" else str(minilm_folder()))
        tokenized = tokenize_sentences(tokenizer, texts)
        weights = token_weights(token_counts(tokenized.take(fitted_on), len(table)), _SIF)
        tables = {f"{encoder}'s table": table}
        if encoder == "mini-bert":
            tables["random vectors"] = np.random.default_rng(0).normal(size=table.shape).astype(np.float32)
        for label, rows in tables.items():
            for weighting, weighted in (("", rows), (", SIF", weights[:, None] * rows)):
                means = sentence_means(tokenized, weighted.astype(np.float32))
                yield "static", f"static: {label}{weighting}", means
                weight, bias = whitening_transform(means[fitted_on], 128)
                yield "static", f"static: {label}{weighting}, whitened to 128", means @ weight.T + bias
