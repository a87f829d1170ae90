"""MixCSE: hard negatives, each mixed from a positive and another sentence.

Zhang et al. 2022, "Unsupervised Sentence Representation via Contrastive Learning with Mixing Negatives", AAAI, section 4; its code is
BDBC-KG-NLP/MixCSE_AAAI2022, mixcse/models_mix.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn import functional

from augcse.objectives import citations
from augcse.objectives.base import objective
from augcse.objectives.info_nce import cosine_matrix, leave_out
from augcse.objectives.option_types import Fidelity, ProjectionKind, Share, Temperature
from augcse.objectives.projection import balance_terms
from augcse.objectives.same_text import text_keys
from augcse.objectives.sentence_loss import ProjectedLoss, Traits
from augcse.objectives.views import Features, encode_twice

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


@objective("mixcse", paper="MixCSE (Zhang et al. 2022)", equation="section 4", views=("original",), trains_static=True)
class MixCSELoss(ProjectedLoss):
    """SimCSE with a hard negative from each row: its positive, mixed with the next row's, through which no gradient flows.

    h_j = sg( lambda z'_j + (1 - lambda) z'_{j+1} ). Every h_j is a candidate of every anchor but j + 1, whose own positive is the larger
    part of it. With `both_ways` the anchors are mixed the same way and compared with the positives, in the same denominator. Rows of a
    batch are in random order, so the next one is a random one.

    Args:
        model: the encoder.
        temperature: divides the cosine (0.05).
        mixing: lambda, the share of the row's own positive (paper: 0.2; its script: 0.6).
        both_ways: mix the anchors too, as its code does.
        fidelity: "paper": unit vectors are mixed, and the pairs that are not negatives are in no denominator. "repo": vectors of any
            length are mixed, and such a pair counts as one of cosine 0.
        projection: the training-only head (the code: "mlp").

    Inputs in a `SentenceTransformerTrainer`: one text column; further columns and labels are ignored.
    """

    traits = Traits(citation=citations.MIXCSE, gathers=True)

    def __init__(
        self,
        model: SentenceTransformer,
        temperature: Temperature = 0.05,
        mixing: Share = 0.2,
        both_ways: bool = True,
        fidelity: Fidelity = "paper",
        projection: ProjectionKind = "mlp",
    ) -> None:
        super().__init__(model, temperature, projection)
        self.mixing = mixing
        self.both_ways = both_ways
        self.fidelity: Fidelity = fidelity

    def forward(self, sentence_features: list[Features], labels: Tensor | None = None) -> dict[str, Tensor]:
        """Return {"contrastive": scalar}. Features: input_ids and attention_mask (batch, length)."""
        self.follow_mode()
        original = sentence_features[0]
        anchors, positives = self.projection(torch.cat(encode_twice(self.model, original))).chunk(2)
        keys = text_keys(original)
        repeated = self.repeated_pairs(keys)
        # A row is never contrasted with a mixture that is mainly itself, whether repeated texts are kept or not.
        following = self.same_text(keys, keys.roll(-1)) | torch.eye(len(keys), dtype=torch.bool, device=keys.device).roll(1, dims=0)
        loss = mixed_info_nce(anchors, positives, self.temperature, self.mixing, repeated, following, self.both_ways, self.fidelity)
        return {"contrastive": loss, **balance_terms(self.projection)}

    def negatives_per_anchor(self, batch_size: int, processes: int = 1) -> dict[str, int]:
        """The other rows, and the same number of mixed ones; twice that number with `both_ways`."""
        others = self.rows_together(batch_size, processes) - 1
        return {"contrastive": others * (3 if self.both_ways else 2)}


def mixed_info_nce(
    anchors: Tensor,
    positives: Tensor,
    temperature: float,
    mixing: float,
    repeated: Tensor,
    following: Tensor,
    both_ways: bool = True,
    fidelity: Fidelity = "paper",
) -> Tensor:
    """InfoNCE with mixed negatives in addition to the other rows, averaged over the batch.

    l_i = -log( e^(cos(z_i, z'_i)/t) / (sum_j e^(cos(z_i, z'_j)/t) + sum_j e^(cos(z_i, h_j)/t) + sum_j e^(cos(g_i, z'_j)/t)) ), h mixed from
    positives and g from anchors, the last sum with `both_ways` alone.

    Args:
        anchors: z, (batch, dim).
        positives: z', (batch, dim).
        temperature: t.
        mixing: lambda.
        repeated: (batch, batch) bool, pairs of the same text in different rows.
        following: (batch, batch) bool, whether row j + 1 is row i's text.
        both_ways: whether anchors are mixed too.
        fidelity: see `MixCSELoss`.
    """
    with torch.autocast(anchors.device.type, enabled=False):
        dtype = torch.promote_types(anchors.dtype, torch.float32)
        left, right = anchors.to(dtype), positives.to(dtype)
        plain = leave_out(cosine_matrix(left, right) / temperature, repeated)
        mixed = [cosine_matrix(left, mix_with_next(right, mixing, fidelity)) / temperature]
        no_negatives = [repeated | following]
        if both_ways:
            mixed.append(cosine_matrix(mix_with_next(left, mixing, fidelity), right) / temperature)
            no_negatives.append((repeated | following).T)
        filling = -torch.inf if fidelity == "paper" else 0.0
        negatives = [logits.masked_fill(absent, filling) for logits, absent in zip(mixed, no_negatives, strict=True)]
        return functional.cross_entropy(torch.cat([plain, *negatives], dim=1), torch.arange(len(plain), device=plain.device))


def mix_with_next(rows: Tensor, mixing: float, fidelity: Fidelity = "paper") -> Tensor:
    """Mix each row with the next, the last with the first: mixing * row + (1 - mixing) * next, without gradient. (batch, dim) -> same."""
    kept = rows.detach()
    if fidelity == "paper":
        kept = functional.normalize(kept, dim=1)
    return mixing * kept + (1 - mixing) * kept.roll(-1, dims=0)
