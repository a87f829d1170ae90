"""PCA jittering: noise along the principal directions of a sentence's own token embeddings.

Ye et al. 2021, "Efficient Contrastive Learning via Novel Data Augmentation and Curriculum Learning" (EfficientCL), EMNLP, section 3.1;
UNA (Shu and Lampos 2024, Table C3) applies it to the embedding layer.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from augcse.objectives import citations
from augcse.objectives.base import objective
from augcse.objectives.checks import embedding_layer
from augcse.objectives.option_types import Deviation, ProjectionKind, Temperature
from augcse.objectives.sentence_loss import ProjectedLoss, Traits
from augcse.objectives.views import Features, encode_twice

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


def pca_noise(tokens: Tensor, mask: Tensor, directions: Tensor) -> Tensor:
    """Return one noise vector per sentence: P (a * l), P the principal directions of its tokens, l their variances, a = P' z.

    The tokens are divided by their Frobenius norm first, and the noise multiplied by it last. The paper draws a ~ N(0, r) per direction;
    with z ~ N(0, r I), P' z has that law, and P diag(l) P' z is the covariance matrix times z: no decomposition is needed. Covariance
    over n - 1; a sentence of one token gets no noise.

    Shapes: tokens (rows, length, dim), mask (rows, length), directions z (rows, dim) -> (rows, dim), a constant to the gradient.
    """
    with torch.no_grad(), torch.autocast(tokens.device.type, enabled=False):
        dtype = torch.promote_types(tokens.dtype, torch.float32)
        real = mask.to(dtype).unsqueeze(2)  # (rows, length, 1)
        count = real.sum(dim=1)  # (rows, 1)
        values = tokens.to(dtype) * real
        norm = torch.linalg.vector_norm(values, dim=(1, 2))[:, None].clamp(min=torch.finfo(dtype).tiny)  # (rows, 1)
        scaled = values / norm.unsqueeze(2)
        centred = (scaled - scaled.sum(dim=1, keepdim=True) / count.unsqueeze(2).clamp(min=1)) * real
        along = centred @ directions.to(dtype).unsqueeze(2)  # (rows, length, 1)
        spread = (centred.transpose(1, 2) @ along).squeeze(2) / (count - 1).clamp(min=1)  # (rows, dim): covariance times z
        noise: Tensor = spread * norm
        return noise


@contextmanager
def jittered(embedding_layer: nn.Module, mask: Tensor, rows: slice, deviation: float) -> Iterator[None]:
    """Inside the block, add `pca_noise` to every real token of `rows` at the output of the embedding layer."""

    def add_noise(module: nn.Module, arguments: Any, output: Tensor) -> Tensor:
        tokens, real = output[rows], mask[rows]
        directions = deviation * torch.randn(len(tokens), tokens.shape[2], device=tokens.device)
        noise = pca_noise(tokens.detach(), real, directions)[:, None] * real[:, :, None]
        moved = output.clone()
        moved[rows] = tokens + noise.to(output.dtype)
        return moved

    handle = embedding_layer.register_forward_hook(add_noise)
    try:
        yield
    finally:
        handle.remove()


@objective("pca-jitter", paper="EfficientCL (Ye et al. 2021), as in UNA Table C3", equation="section 3.1", views=("original",))
class PCAJitterLoss(ProjectedLoss):
    """SimCSE with PCA noise on the token embeddings of the second view.

    Args:
        model: the encoder; one with an embedding layer called `embeddings` (BERT, RoBERTa, DistilBERT, MPNet, ELECTRA).
        temperature: divides the cosine (0.05).
        projection: the training-only head ("mlp", as SimCSE).
        deviation: standard deviation of the noise along each direction, as a share of its variance (EfficientCL: 0.01 rising to 0.10).

    Deviations from EfficientCL: one deviation throughout, no curriculum; the noise is a vector per sentence, as in the paper, where its
    code adds one number to all elements, takes the eigenvectors transposed and counts padding. Noise is added in train mode only.

    Inputs in a `SentenceTransformerTrainer`: one text column; further columns and labels are ignored.
    """

    traits = Traits(citation=citations.PCA_JITTER, gathers=True, reaches_into_encoder=True)

    def __init__(
        self,
        model: SentenceTransformer,
        temperature: Temperature = 0.05,
        projection: ProjectionKind = "mlp",
        deviation: Deviation = 0.1,
    ) -> None:
        super().__init__(model, temperature, projection)
        self.deviation = deviation
        backbone = getattr(model[0], "auto_model", None)
        refusal = "pca-jitter needs a backbone with an embedding layer called embeddings; take BERT or RoBERTa"
        # In a tuple, so that it is not registered twice: it is the encoder's.
        self._embedding_layer = (embedding_layer(backbone, refusal),)

    def forward(self, sentence_features: list[Features], labels: Tensor | None = None) -> dict[str, Tensor]:
        """Return {"contrastive": scalar}. Features: input_ids and attention_mask (batch, length)."""
        self.follow_mode()
        features = sentence_features[0]
        rows = len(features["input_ids"])
        mask = torch.cat([features["attention_mask"]] * 2)
        deviation = self.deviation if self.projection.training else 0.0
        with jittered(self._embedding_layer[0], mask, slice(rows, 2 * rows), deviation):
            first, second = encode_twice(self.model, features)
        return self.contrast_pair(first, second, features)
