"""DiffCSE: SimCSE's contrast, and a discriminator that finds the edits of a sentence given the sentence's vector.

Chuang et al. 2022, "DiffCSE: Difference-based Contrastive Learning for Sentence Embeddings", arXiv 2204.10298, section 3, Tables 3-4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from augcse.objectives import citations
from augcse.objectives.base import objective
from augcse.objectives.checks import embedding_dim, own_checkpoint, require
from augcse.objectives.difference import EditDetection, build_difference
from augcse.objectives.gather import max_over_processes, own_rows
from augcse.objectives.info_nce import info_nce
from augcse.objectives.option_types import (
    Condition,
    DifferenceTask,
    Edits,
    Fidelity,
    LayerCount,
    ModelName,
    PartialShare,
    ProjectionKind,
    Temperature,
    Weight,
)
from augcse.objectives.projection import build_projection
from augcse.objectives.same_text import text_keys
from augcse.objectives.sentence_editor import SentenceEditor
from augcse.objectives.sentence_loss import SentenceLoss, Traits
from augcse.objectives.views import Features, encode_twice, join_views

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


@objective("diffcse", paper="DiffCSE (Chuang et al. 2022)", equation="Section 3", views=("original",))
class DiffCSELoss(SentenceLoss):
    """InfoNCE between two dropout passes, plus lambda times finding the edited tokens of a sentence given its vector.

    L = contrastive + lambda * L_RTD. Each dropout pass of a sentence gets an edit of its own, which is judged with that pass's vector. The
    discriminator starts as a copy of the encoder and is dropped after training; the generator is frozen.

    Args:
        model: the encoder.
        generator: a masked language model with the encoder's tokeniser, by name or folder. None: the encoder's own checkpoint.
        generator_layers: keep this many of the generator's layers, for speed. None: all.
        temperature: divides the cosine (0.05).
        contrastive_weight: of the contrastive term; 0 leaves it out (Table 3).
        discriminator_weight: lambda.
        masking_ratio: share of the tokens to edit; of the masked ones 80 % become [MASK], 10 % a random token, 10 % stay.
        edits: of "replace", "insert", "delete" (Table 4); of several, one is drawn per sentence, and each has a head of its own.
        task: "detection" of edited tokens; "masked_lm", which predicts the masked tokens, or "corrective_lm", which predicts the
            replaced ones (Table 3).
        condition: what is put in the [CLS] slot: the "projected" embedding (paper and code) or the "pooled" one before the
            projection (the code's --before_mlp).
        projection: the training-only head ("batchnorm"; "mlp": Table 5).
        fidelity: "paper": the generator's tokens are sampled, at masked places, and never special ones; its dropout is off; the loss
            is averaged over real tokens (the paper adds up, but its lambda is the code's). "repo", the code that gave the published
            figures: every token but the first is the generator's most probable one; its dropout is on; the loss is averaged over all
            positions, padding too.

    Inputs in a `SentenceTransformerTrainer`: one text column; further columns and labels are ignored.
    """

    # The generator never changes; it is loaded again from `generator`.
    traits = Traits(citation=citations.DIFFCSE, gathers=True, rebuilt=("editor.generator.",))

    def __init__(
        self,
        model: SentenceTransformer,
        generator: ModelName | None = None,
        generator_layers: LayerCount | None = None,
        temperature: Temperature = 0.05,
        contrastive_weight: Weight = 1.0,
        discriminator_weight: Weight = 0.005,
        masking_ratio: PartialShare = 0.30,
        edits: Edits = ("replace",),
        task: DifferenceTask = "detection",
        condition: Condition = "projected",
        projection: ProjectionKind = "batchnorm",
        fidelity: Fidelity = "paper",
    ) -> None:
        super().__init__(model)
        require(
            contrastive_weight + discriminator_weight > 0,
            "contrastive_weight and discriminator_weight are both 0: nothing to learn; give one above 0",
        )
        require(
            task == "detection" or list(edits) == ["replace"],
            f"task {task} predicts tokens that were there before: it goes with edits = ['replace'] only",
        )
        dim = embedding_dim(model)
        self.temperature = temperature
        self.contrastive_weight = contrastive_weight
        self.discriminator_weight = discriminator_weight
        self.condition = condition
        self.editor = SentenceEditor(model, edits, masking_ratio, generator, generator_layers, fidelity, fill=task != "masked_lm")
        checkpoint = own_checkpoint(model) if task != "detection" else ""
        self.discriminator = build_difference(task, model[0].auto_model, checkpoint, dim, len(edits), fidelity)
        self.projection = build_projection(projection, dim)

    def forward(self, sentence_features: list[Features], labels: Tensor | None = None) -> dict[str, Tensor]:
        """Return {"contrastive": scalar, "discriminator": scalar}, either left out if its weight is 0; their sum is L.

        Features: the views, each input_ids and attention_mask (batch, length).
        """
        self.follow_mode()
        passes = encode_twice(self.model, sentence_features[0])
        projected = self.projection(torch.cat(passes))  # (2 * batch, dim)
        terms = {}
        if self.contrastive_weight:
            anchors, positives = projected.chunk(2)
            repeated = self.repeated_pairs(text_keys(sentence_features[0]))
            terms["contrastive"] = self.contrastive_weight * info_nce(anchors, positives, self.temperature, left_out=repeated)
        if self.discriminator_weight:
            halves = projected.chunk(2) if self.condition == "projected" else passes
            # Tokens are not gathered: each process judges the edits of its own sentences.
            vectors = torch.cat([own_rows(half) for half in halves])
            terms["discriminator"] = self.discriminator_weight * self._difference(self.edited_views(sentence_features), vectors)
        return terms

    def edited_views(self, sentence_features: list[Features]) -> list[Features]:
        """Return the views whose sentences are edited."""
        return sentence_features[:1]

    def _difference(self, views: list[Features], vectors: Tensor) -> Tensor:
        """Edit each view twice, once for each pass, and have the edits judged with the pass's vectors (2 * batch, dim)."""
        joined = join_views([view for view in views for _ in range(2)], self.editor.pad_id)  # (2 * batch * views, length)
        ids, mask = joined["input_ids"], joined["attention_mask"]
        edited = self.editor(ids, mask)
        if isinstance(self.discriminator, EditDetection) and self.discriminator.all_positions:
            # Padding counts, and its amount depends on the longest sentence of the joined batch.
            edited = edited.lengthened(max_over_processes(edited.ids.shape[1], ids.device), self.editor.pad_id)
        loss: Tensor
        loss, figures = self.discriminator(edited, vectors.repeat(len(views), 1), len(views))
        self.metrics = {**figures, "difference_loss": loss.detach()}
        return loss

    def negatives_per_anchor(self, batch_size: int, processes: int = 1) -> dict[str, int]:
        """The other rows; none without the contrastive term."""
        return super().negatives_per_anchor(batch_size, processes) if self.contrastive_weight else {}


@objective("diffcse-next", paper="DiffCSE (Chuang et al. 2022)", equation="Table 3", views=("original", "next"))
class DiffCSENextLoss(DiffCSELoss):
    """DiffCSE that edits the sentence after the one whose vector it is given, instead of that sentence or in addition to it.

    Table 3, "use next sent. for x'", "same+next", and conditional masked language modelling of the next sentence. With both, the two
    losses are added up (the paper is silent). The corpus must be in document order.

    Args:
        model: the encoder.
        with_same: also edit the sentence itself.
        generator: as `DiffCSELoss`.
        generator_layers: as `DiffCSELoss`.
        temperature: as `DiffCSELoss`.
        contrastive_weight: as `DiffCSELoss`.
        discriminator_weight: as `DiffCSELoss`.
        masking_ratio: as `DiffCSELoss`.
        edits: as `DiffCSELoss`.
        task: as `DiffCSELoss`.
        condition: as `DiffCSELoss`.
        projection: as `DiffCSELoss`.
        fidelity: as `DiffCSELoss`.

    Inputs in a `SentenceTransformerTrainer`: two text columns (sentence, next sentence).
    """

    def __init__(
        self,
        model: SentenceTransformer,
        with_same: bool = False,
        generator: ModelName | None = None,
        generator_layers: LayerCount | None = None,
        temperature: Temperature = 0.05,
        contrastive_weight: Weight = 1.0,
        discriminator_weight: Weight = 0.005,
        masking_ratio: PartialShare = 0.30,
        edits: Edits = ("replace",),
        task: DifferenceTask = "detection",
        condition: Condition = "projected",
        projection: ProjectionKind = "batchnorm",
        fidelity: Fidelity = "paper",
    ) -> None:
        super().__init__(
            model, generator, generator_layers, temperature, contrastive_weight, discriminator_weight, masking_ratio, edits, task,
            condition, projection, fidelity,
        )  # fmt: skip
        self.with_same = with_same

    def edited_views(self, sentence_features: list[Features]) -> list[Features]:
        """Return the next sentence, and the sentence itself if asked for."""
        return sentence_features[:2] if self.with_same else sentence_features[1:2]
