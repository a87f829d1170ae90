"""Edited sentences as extra positives or negatives of SimCSE: what DiffCSE's appendix B is compared with.

Chuang et al. 2022, "DiffCSE", arXiv 2204.10298, appendix B, Table 15.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn import functional

from augcse.objectives import citations
from augcse.objectives.base import objective
from augcse.objectives.checks import embedding_dim
from augcse.objectives.info_nce import info_nce
from augcse.objectives.option_types import Edits, Fidelity, LayerCount, ModelName, PartialShare, ProjectionKind, Role, Temperature
from augcse.objectives.projection import build_projection
from augcse.objectives.same_text import text_keys
from augcse.objectives.sentence_editor import SentenceEditor
from augcse.objectives.sentence_loss import SentenceLoss, Traits
from augcse.objectives.views import Features, encode_in_one_pass

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


@objective("diffcse-pairs", paper="DiffCSE (Chuang et al. 2022)", equation="Table 15", views=("original",))
class DiffCSEPairsLoss(SentenceLoss):
    """SimCSE with each sentence's edit as a second positive, or as one more negative of all sentences.

    The paper gives no formula. As positives: the mean of two InfoNCE losses, one against the second dropout pass, one against the
    edits. As negatives: SimCSE's third column (its code, models.py:196-210): the batch's edits join the denominator.

    Args:
        model: the encoder.
        role: "positive" or "negative".
        generator: as `DiffCSELoss`.
        generator_layers: as `DiffCSELoss`.
        temperature: divides the cosine (0.05).
        masking_ratio: share of the tokens to edit (Table 15: 0.15).
        edits: of "replace", "insert", "delete"; of several, one is drawn per sentence.
        projection: the training-only head.
        fidelity: as `DiffCSELoss`: how the generator fills the masked places.

    Inputs in a `SentenceTransformerTrainer`: one text column; further columns and labels are ignored.
    """

    traits = Traits(citation=citations.DIFFCSE, gathers=True, rebuilt=("editor.generator.",))

    def __init__(
        self,
        model: SentenceTransformer,
        role: Role = "negative",
        generator: ModelName | None = None,
        generator_layers: LayerCount | None = None,
        temperature: Temperature = 0.05,
        masking_ratio: PartialShare = 0.15,
        edits: Edits = ("replace",),
        projection: ProjectionKind = "mlp",
        fidelity: Fidelity = "paper",
    ) -> None:
        super().__init__(model)
        self.temperature = temperature
        self.role = role
        self.editor = SentenceEditor(model, edits, masking_ratio, generator, generator_layers, fidelity)
        self.projection = build_projection(projection, embedding_dim(model))

    def forward(self, sentence_features: list[Features], labels: Tensor | None = None) -> dict[str, Tensor]:
        """Return {"contrastive": scalar}. Features: input_ids and attention_mask (batch, length)."""
        self.follow_mode()
        original = sentence_features[0]
        edited = self.editor(original["input_ids"], original["attention_mask"])
        plain = {key: original[key] for key in ("input_ids", "attention_mask")}
        changed = {"input_ids": edited.ids, "attention_mask": edited.mask}
        anchors, positives, edits = self.projection(torch.cat(encode_in_one_pass(self.model, [plain, plain, changed]))).chunk(3)
        self.metrics = {"edited_cosine": functional.cosine_similarity(anchors.detach(), edits.detach()).mean()}
        originals, others = text_keys(plain), text_keys(changed)
        repeated = self.repeated_pairs(originals)
        if self.role == "negative":
            left_out = torch.cat([repeated, self.same_text(originals, others)], dim=1)
            return {"contrastive": info_nce(anchors, positives, self.temperature, left_out=left_out, negatives=edits)}
        losses = [
            info_nce(anchors, positives, self.temperature, left_out=repeated),
            info_nce(anchors, edits, self.temperature, left_out=self.repeated_pairs(originals, others)),
        ]
        return {"contrastive": (losses[0] + losses[1]) / 2}

    def negatives_per_anchor(self, batch_size: int, processes: int = 1) -> dict[str, int]:
        """The other rows, and all rows' edits where these are negatives."""
        rows = self.rows_together(batch_size, processes)
        return {"contrastive": 2 * rows - 1 if self.role == "negative" else rows - 1}
