"""SimCSE++: negatives without dropout's noise, and a contrast of the embedding's dimensions.

Xu et al. 2023, "SimCSE++: Improving Contrastive Learning for Sentence Embeddings from Two Perspectives", arXiv 2305.13192, sections 3-4.
Its code (Jiahao004/SimCSE-plus-plus) at its last commit computes neither: the dimension-wise term is commented out, and its script leaves
the sampling at the default, with dropout. This follows the paper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn import functional

from augcse.objectives import citations
from augcse.objectives.base import objective
from augcse.objectives.info_nce import cosine_matrix, leave_out
from augcse.objectives.option_types import PositiveScale, ProjectionKind, Temperature, Weight
from augcse.objectives.projection import balance_terms
from augcse.objectives.same_text import text_keys
from augcse.objectives.sentence_loss import ProjectedLoss, Traits
from augcse.objectives.views import Features, encode_twice, encode_without_dropout

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

# BatchNorm's epsilon: avoids a division by 0 for a constant dimension.
_EPSILON = 1e-5


@objective("simcse-plus-plus", paper="SimCSE++ (Xu et al. 2023)", equation="sections 3-4", views=("original",), trains_static=True)
class SimCSEPlusPlusLoss(ProjectedLoss):
    """SimCSE whose negatives are compared without dropout, and whose dimensions are decorrelated over the batch.

    Args:
        model: the encoder.
        temperature: divides the cosine (0.05).
        off_dropout: negatives of a third pass, without dropout; false: SimCSE's.
        positive_scale: m, multiplies the positive pair's cosine (paper: 0.9 for off-dropout negatives alone, 1 with the
            dimension-wise term).
        dimension_weight: of the dimension-wise term (0.1); 0 leaves it out.
        dimension_temperature: divides the correlations in it (5 with off-dropout negatives, 20 alone).
        projection: the training-only head (paper: "mlp").

    Inputs in a `SentenceTransformerTrainer`: one text column; further columns and labels are ignored.
    """

    traits = Traits(citation=citations.SIMCSE_PLUS_PLUS, gathers=True)

    def __init__(
        self,
        model: SentenceTransformer,
        temperature: Temperature = 0.05,
        off_dropout: bool = True,
        positive_scale: PositiveScale = 1.0,
        dimension_weight: Weight = 0.1,
        dimension_temperature: Temperature = 5.0,
        projection: ProjectionKind = "mlp",
    ) -> None:
        super().__init__(model, temperature, projection)
        self.off_dropout = off_dropout
        self.positive_scale = positive_scale
        self.dimension_weight = dimension_weight
        self.dimension_temperature = dimension_temperature

    def forward(self, sentence_features: list[Features], labels: Tensor | None = None) -> dict[str, Tensor]:
        """Return "contrastive" and, weighted, "dimensions"; a mixture of experts adds "balance".

        Features: input_ids and attention_mask (batch, length).
        """
        self.follow_mode()
        original = sentence_features[0]
        passes = [*encode_twice(self.model, original)]
        if self.off_dropout:
            passes.append(encode_without_dropout(self.model, original))
        projected = self.projection(torch.cat(passes)).chunk(len(passes))  # (batch, dim) each
        with torch.autocast(projected[0].device.type, enabled=False):
            first, second, *clean = (rows.to(torch.promote_types(rows.dtype, torch.float32)) for rows in projected)
            left, right = (clean[0], clean[0]) if clean else (first, second)
            repeated = self.repeated_pairs(text_keys(original))
            contrastive = off_dropout_contrast(first, second, left, right, self.temperature, self.positive_scale, repeated)
            terms = {"contrastive": contrastive}
            if self.dimension_weight:
                terms["dimensions"] = self.dimension_weight * dimension_contrast(first, second, self.dimension_temperature)
        return {**terms, **balance_terms(self.projection)}


def off_dropout_contrast(
    first: Tensor, second: Tensor, left: Tensor, right: Tensor, temperature: float, scale: float, left_out: Tensor | None = None
) -> Tensor:
    """InfoNCE whose positive pair and negative pairs are of different passes; SimCSE++, section 3.

    l_i = -log( e^(m p_i / t) / (e^(m p_i / t) + sum_{j != i} e^(cos(left_i, right_j) / t)) ), p_i = cos(first_i, second_i), m the scale,
    averaged over the batch. In the paper left and right are the same pass, without dropout.

    Shapes: (batch, dim) each, left_out (batch, batch) bool -> scalar.
    """
    own = scale * functional.cosine_similarity(first, second)
    logits = cosine_matrix(left, right)
    diagonal = torch.eye(len(logits), dtype=torch.bool, device=logits.device)
    logits = leave_out(torch.where(diagonal, own[:, None], logits) / temperature, left_out)
    return functional.cross_entropy(logits, torch.arange(len(logits), device=logits.device))


def dimension_contrast(first: Tensor, second: Tensor, temperature: float) -> Tensor:
    """Contrast of dimensions; SimCSE++, section 4: C = BN(first)^T BN(second) / batch, L = -mean_k log softmax_l(C_kl / t) at l = k.

    BN gives every dimension mean 0 and variance 1 over the batch; C_kl is the correlation of dimension k of one pass and l of the other.
    Shapes: (batch, dim) each -> scalar.
    """
    correlations = _standardised(first).T @ _standardised(second) / len(first)  # (dim, dim)
    return functional.cross_entropy(correlations / temperature, torch.arange(len(correlations), device=first.device))


def _standardised(rows: Tensor) -> Tensor:
    variance, mean = torch.var_mean(rows, dim=0, correction=0)
    return (rows - mean) * torch.rsqrt(variance + _EPSILON)
