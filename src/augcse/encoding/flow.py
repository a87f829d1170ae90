"""BERT-flow: embeddings mapped to a standard Gaussian by an invertible network (Li et al. 2020, arXiv 2011.05864).

The encoder is frozen; a Glow (Kingma and Dhariwal 2018) on its embeddings is trained by maximum likelihood on unlabelled sentences. One
step of the flow: a scale and shift per dimension (actnorm, initialised from the data), an invertible linear map (initialised as a
rotation), and an affine coupling, in which one half of the dimensions determines scale and shift of the other. Deviations from the
authors' code: no multi-scale split, since a vector has no spatial dimensions; log scales are bounded by tanh for stability; 4 steps
instead of 16 or more, which is enough for embeddings that are nearly Gaussian.

Since the module belongs to this package, saved models are loaded by `augcse.encoding.model.load_encoder`, not by sentence-transformers
alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import torch
from sentence_transformers.base.modules.module import Module
from torch import Tensor, nn
from torch.nn import functional

from augcse.errors import UserError

# A coupling scales by at most e^2 per step.
_MAX_LOG_SCALE = 2.0
_SMALLEST_DEVIATION = 1e-4


class FlowStep(nn.Module):
    """One step: actnorm, invertible linear map, affine coupling. (n, dim) -> (n, dim) and log |det|."""

    def __init__(self, dim: int, hidden_dim: int) -> None:
        super().__init__()
        self.shift = nn.Parameter(torch.zeros(dim))
        self.log_scale = nn.Parameter(torch.zeros(dim))
        self.mixing = nn.Parameter(torch.eye(dim))
        kept = dim // 2
        self.inner_weight = nn.Parameter(torch.zeros(hidden_dim, kept))
        self.inner_bias = nn.Parameter(torch.zeros(hidden_dim))
        # Zeros: the coupling starts as the identity.
        self.outer_weight = nn.Parameter(torch.zeros(2 * (dim - kept), hidden_dim))
        self.outer_bias = nn.Parameter(torch.zeros(2 * (dim - kept)))

    def start(self, values: Tensor, generator: torch.Generator) -> None:
        """Initialise actnorm from the input (n, dim), and draw a random rotation and the coupling's inner weights."""
        dim, kept = values.shape[1], self.inner_weight.shape[1]
        self.shift.copy_(-values.mean(dim=0))
        self.log_scale.copy_(-values.std(dim=0).clamp_min(_SMALLEST_DEVIATION).log())
        rotation, upper = torch.linalg.qr(torch.randn(dim, dim, generator=generator))
        self.mixing.copy_(rotation * upper.diagonal().sign())
        self.inner_weight.copy_(torch.randn(self.inner_weight.shape, generator=generator) / math.sqrt(max(kept, 1)))

    def forward(self, values: Tensor) -> tuple[Tensor, Tensor]:
        """Return the transformed rows and each row's log |det| of the Jacobian, (n, dim) and (n,)."""
        scaled = (values + self.shift) * self.log_scale.exp()
        mixed = scaled @ self.mixing.T
        kept, changed = mixed[:, : self.inner_weight.shape[1]], mixed[:, self.inner_weight.shape[1] :]
        hidden = functional.relu(functional.linear(kept, self.inner_weight, self.inner_bias))
        raw_scale, shift = functional.linear(hidden, self.outer_weight, self.outer_bias).chunk(2, dim=1)
        log_scale = _MAX_LOG_SCALE * torch.tanh(raw_scale / _MAX_LOG_SCALE)
        result = torch.cat([kept, (changed + shift) * log_scale.exp()], dim=1)
        log_determinant = self.log_scale.sum() + torch.linalg.slogdet(self.mixing).logabsdet + log_scale.sum(dim=1)
        return result, log_determinant


class Flow(Module):  # type: ignore[misc]
    """A normalising flow as a sentence-transformers module: it replaces the sentence embedding by its image.

    Args:
        dim: of the embeddings, 2 or more.
        steps: number of flow steps.
        hidden_dim: hidden width of the coupling networks.
    """

    config_keys: list[str] = ["dim", "steps", "hidden_dim"]  # noqa: RUF012 - the base class declares it so

    def __init__(self, dim: int, steps: int = 4, hidden_dim: int = 128) -> None:
        super().__init__()
        self.dim, self.steps, self.hidden_dim = dim, steps, hidden_dim
        self.layers = nn.ModuleList(FlowStep(dim, hidden_dim) for _ in range(steps))

    def start(self, embeddings: Tensor, generator: torch.Generator) -> None:
        """Initialise each step on its input, starting from the embeddings (n, dim)."""
        with torch.no_grad():
            for layer in self._flow_steps():
                layer.start(embeddings, generator)
                embeddings, _ = layer(embeddings)

    def transform(self, embeddings: Tensor) -> tuple[Tensor, Tensor]:
        """Return the images and log |det| of the Jacobian, (n, dim) and (n,)."""
        total = embeddings.new_zeros(len(embeddings))
        for layer in self._flow_steps():
            embeddings, log_determinant = layer(embeddings)
            total = total + log_determinant
        return embeddings, total

    def negative_log_likelihood(self, embeddings: Tensor) -> Tensor:
        """Mean negative log density per dimension, in nats: -log N(f(x); 0, 1) - log |det f'(x)|, over dim. (n, dim) -> ()."""
        images, log_determinant = self.transform(embeddings)
        log_density = -0.5 * (images**2).sum(dim=1) - 0.5 * self.dim * math.log(2 * math.pi)
        return -(log_density + log_determinant).mean() / self.dim

    def _flow_steps(self) -> list[FlowStep]:
        return [layer for layer in self.layers if isinstance(layer, FlowStep)]

    def forward(self, features: dict[str, Any], **options: Any) -> dict[str, Any]:
        """Replace `sentence_embedding` by its image."""
        features["sentence_embedding"] = self.transform(features["sentence_embedding"])[0]
        return features

    def get_embedding_dimension(self) -> int:
        """Return the dimension of the images."""
        return self.dim

    def save(self, output_path: str, *arguments: Any, safe_serialization: bool = True, **options: Any) -> None:
        """Write configuration and weights."""
        self.save_config(output_path)
        self.save_torch_weights(output_path, safe_serialization=safe_serialization)

    @classmethod
    def load(cls, model_name_or_path: str, subfolder: str = "", **options: Any) -> Flow:
        """Load from a saved model."""
        where = {key: options[key] for key in ("token", "cache_folder", "revision", "local_files_only") if key in options}
        flow = cls(**cls.load_config(model_name_or_path, subfolder=subfolder, **where))
        cls.load_torch_weights(model_name_or_path, subfolder=subfolder, model=flow, **where)
        return flow


@dataclass(frozen=True)
class FittedFlow:
    """A trained flow, and the negative log-likelihood per dimension (nats) before training and after each epoch."""

    flow: Flow
    likelihoods: list[float]


def fit_flow(
    embeddings: Tensor,
    generator: torch.Generator,
    *,
    steps: int = 4,
    hidden_dim: int = 128,
    epochs: int = 5,
    batch_size: int = 256,
    learning_rate: float = 1e-3,
) -> FittedFlow:
    """Train a flow by maximum likelihood with Adam. All randomness comes from `generator`.

    Args:
        embeddings: (n, dim), n above dim, preferably many times dim to avoid overfitting.
        generator: draws initial weights and the order of rows.
        steps: number of flow steps.
        hidden_dim: hidden width of the coupling networks.
        epochs: passes over the embeddings.
        batch_size: rows per update.
        learning_rate: of Adam.

    Raises:
        UserError: embeddings are not finite, too few or one-dimensional, or the likelihood diverges.
    """
    count, dim = embeddings.shape
    if dim < 2 or count <= dim:
        raise UserError(
            f"a flow over {dim:,} dimensions needs {max(dim, 2) + 1:,} or more distinct sentences, and 2 or more dimensions; there are"
            f" {count:,}: give more, or take whiten"
        )
    if not torch.isfinite(embeddings).all():
        raise UserError("the model gives embeddings that are not finite (NaN or infinity); no flow can be fitted")
    flow = Flow(embeddings.shape[1], steps, hidden_dim)
    flow.start(embeddings, generator)
    optimizer = torch.optim.Adam(flow.parameters(), lr=learning_rate)
    likelihoods = [_mean_likelihood(flow, embeddings, batch_size)]
    for _ in range(epochs):
        order = torch.randperm(len(embeddings), generator=generator)
        for start in range(0, len(order), batch_size):
            optimizer.zero_grad()
            loss = flow.negative_log_likelihood(embeddings[order[start : start + batch_size]])
            if not torch.isfinite(loss):
                raise UserError("the flow's likelihood is not finite; give more sentences, or a lower learning rate")
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
        likelihoods.append(_mean_likelihood(flow, embeddings, batch_size))
    return FittedFlow(flow.eval(), likelihoods)


def _mean_likelihood(flow: Flow, embeddings: Tensor, batch_size: int) -> float:
    with torch.no_grad():
        blocks = (embeddings[start : start + batch_size] for start in range(0, len(embeddings), batch_size))
        sums = [float(flow.negative_log_likelihood(rows)) * len(rows) for rows in blocks]
    return sum(sums) / len(embeddings)
