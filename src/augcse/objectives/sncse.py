"""SNCSE: a sentence whose meaning an augmentation altered is a soft negative, closer than a random sentence and farther than a positive.

Wang et al. 2022, "SNCSE: Contrastive Learning for Unsupervised Sentence Embedding with Soft Negative Samples", arXiv 2201.05979,
section 3; code: Sense-GVT/SNCSE.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn import functional

from augcse.objectives import citations
from augcse.objectives.base import objective
from augcse.objectives.checks import require
from augcse.objectives.gather import gather_rows
from augcse.objectives.info_nce import info_nce
from augcse.objectives.option_types import Gap, Gaps, ProjectionKind, Temperature, Weight
from augcse.objectives.projection import balance_terms
from augcse.objectives.same_text import text_keys
from augcse.objectives.sentence_loss import ProjectedLoss, Traits
from augcse.objectives.views import Features, encode, encode_twice

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


@objective("sncse", paper="SNCSE (Wang et al. 2022)", equation="section 3", views=("original", "augmented"), trains_static=True)
class SNCSELoss(ProjectedLoss):
    """SimCSE's loss, plus a bidirectional margin for the augmentation, which is not a negative in the softmax.

    L = InfoNCE(z, z+) + soft_weight * mean( relu(d + a) + relu(-d - b) ), d = cos(z, z_neg) - cos(z, z+): the augmentation
    must be farther away than the second dropout pass, by at least a and at most b. Rows that no augmentation changed are not in the mean.

    Args:
        model: the encoder.
        num_augmentations: number of augmentations; label `num_augmentations` means "no augmentation".
        temperature: divides the cosine in InfoNCE (0.05).
        soft_weight: of the margin term (BERT: 0.001, RoBERTa: 0.0005).
        least_gap: a (0.1).
        most_gap: b (0.3).
        gaps: a and b of each augmentation, in the order of [augmentation] names; none: the two above for all. A recipe may also name
            the output folder of `augcse score`, with any encoder: see below.
        projection: the training-only head (paper: "mlp").

    Deviations: the paper negates sentences by rules over a parse; here any augmentation that alters the meaning may be used
    (SentenceNegation is closest to the paper's). The paper's embedding is the [MASK] of a prompt; here the recipe's pooling. Margins per
    augmentation are ours: a small change of meaning gets a small margin. With the measured s = cos(sentence, augmentation), the gap is
    (1 - s) / (1 - mean cosine of unrelated sentences); a and b are its quartiles over the pairs, so that half of the pairs have no loss
    at first, and outliers (nearly unchanged or broken sentences) do not set the margins.

    Inputs in a `SentenceTransformerTrainer`: two text columns (original, augmented) and an integer column `label`: which of the
    `num_augmentations` augmentations made the second text, from 0, or `num_augmentations` where it is the original unchanged.
    """

    traits = Traits(citation=citations.SNCSE, gathers=True)
    # (augmentations + 1, 2): a and b by label; the last row is for "no augmentation" and has no effect.
    gap_of_label: Tensor

    def __init__(
        self,
        model: SentenceTransformer,
        num_augmentations: int,
        temperature: Temperature = 0.05,
        soft_weight: Weight = 0.001,
        least_gap: Gap = 0.1,
        most_gap: Gap = 0.3,
        gaps: Gaps = (),
        projection: ProjectionKind = "mlp",
    ) -> None:
        super().__init__(model, temperature, projection)
        require(num_augmentations > 0, f"num_augmentations is {num_augmentations}; SNCSE needs at least one augmentation, give 1 or more")
        require(
            len(gaps) in (0, num_augmentations),
            f"gaps has {len(gaps)} pairs for {num_augmentations} augmentations; give one for each, or leave it out",
        )
        pairs = [(float(least), float(most)) for least, most in gaps or [(least_gap, most_gap)] * num_augmentations]
        wrong = next((pair for pair in pairs if pair[0] > pair[1]), None)
        require(wrong is None, f"a gap of {wrong and wrong[0]} at least and {wrong and wrong[1]} at most cannot be; give the smaller first")
        self.soft_weight = soft_weight
        self.unchanged = self.highest_label = num_augmentations
        self.register_buffer("gap_of_label", torch.tensor([*pairs, (0.0, 0.0)]), persistent=False)

    def forward(self, sentence_features: list[Features], labels: Tensor) -> dict[str, Tensor]:
        """Return {"contrastive": scalar, "soft_negative": scalar}; a mixture of experts adds "balance".

        Features: [original, augmented], each input_ids and attention_mask (batch, length); the lengths may differ.
        labels: (batch,) int, the augmentation's index, or `num_augmentations` for "no augmentation".
        """
        self.follow_mode()
        original, augmented = sentence_features[:2]
        first, second = encode_twice(self.model, original)
        embeddings = torch.cat([first, second, encode(self.model, augmented)])
        anchors, positives, negatives = self.projection(embeddings).chunk(3)  # (batch, dim) each
        contrastive = info_nce(anchors, positives, self.temperature, left_out=self.repeated_pairs(text_keys(original)))
        soft = self.soft_weight * self._soft_negative(anchors, positives, negatives, gather_rows(labels))
        return {"contrastive": contrastive, "soft_negative": soft, **balance_terms(self.projection)}

    def _soft_negative(self, anchors: Tensor, positives: Tensor, negatives: Tensor, labels: Tensor) -> Tensor:
        """Return the mean margin loss of the rows that an augmentation changed, a scalar, and store its metrics."""
        changed = labels != self.unchanged
        with torch.autocast(anchors.device.type, enabled=False):
            kind = torch.promote_types(anchors.dtype, torch.float32)
            near, far = (functional.cosine_similarity(anchors.to(kind), other.to(kind)) for other in (positives, negatives))
            least, most = self.gap_of_label.to(kind)[labels].unbind(dim=1)
            losses = bidirectional_margin(near, far, least, most)
            count = changed.sum().clamp(min=1)
            self.metrics = {
                "unchanged_share": (~changed).float().mean(),
                "soft_negative_gap": ((near - far).detach() * changed).sum() / count,
            }
            return (losses * changed).sum() / count


def bidirectional_margin(near: Tensor, far: Tensor, least: Tensor, most: Tensor) -> Tensor:
    """SNCSE's margin loss of each row: relu(d + least) + relu(-d - most), d = far - near; 0 where least <= near - far <= most.

    Shapes: cosines to the positive and to the soft negative, and the two margins, (batch,) each -> (batch,).
    """
    difference = far - near
    return functional.relu(difference + least) + functional.relu(-difference - most)
