"""RankCSE: SimCSE with consistency of the two passes and distillation of a teacher's in-batch ranking.

Liu et al. 2023, "RankCSE: Unsupervised Sentence Representation Learning via Learning to Rank", sections 3.2-3.4.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.nn import functional

from augcse.objectives import citations
from augcse.objectives.base import objective
from augcse.objectives.checks import require
from augcse.objectives.gather import gather_rows
from augcse.objectives.info_nce import cosine_matrix, info_nce
from augcse.objectives.momentum import MomentumEncoder
from augcse.objectives.option_types import ProjectionKind, RankingKind, RankSentences, Share, Teachers, TeacherWeights, Temperature, Weight
from augcse.objectives.precision import at_least_float32
from augcse.objectives.projection import balance_terms
from augcse.objectives.ranking import RANKINGS, consistency
from augcse.objectives.same_text import text_keys
from augcse.objectives.sentence_loss import ProjectedLoss, Traits
from augcse.objectives.views import TEACHER, Features, encode, encode_twice

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

EMA = "ema"


@objective("rankcse", paper="RankCSE (Liu et al. 2023)", equation="section 3", views=("original",), trains_static=True)
class RankCSELoss(ProjectedLoss):
    """SimCSE, plus Jensen-Shannon consistency of its two passes, plus distillation of a teacher's ranking of the batch.

    L = contrastive_weight * InfoNCE + consistency_weight * JS + ranking_weight * distillation. The student's list of anchor i is
    s_ij = cos(z_i, z'_j), the teachers' list a weighted mean of their cosines; j = i and rows of the same text are in no list. Teachers are
    not trained. If InfoNCE and JS both have weight 0, one pass is enough and s_ij = cos(z_i, z_j).

    Args:
        model: the encoder.
        teachers: "static" (the static encoder of the run's own text, see docs/static.md), "ema" (a running average of the student),
            folders or hub names of encoders, of any dimension. Vectors of all but "ema" are computed once, before training.
        teacher_weights: one per teacher, normalised to sum to 1; empty: equal (paper: 1/3 and 2/3).
        temperature: divides the cosine in InfoNCE and in the consistency (t1, 0.05).
        student_temperature: divides the student's cosine in the ranking (t2, 0.05).
        teacher_temperature: divides the teachers' (t3, 0.025).
        ranking: "listnet", "listmle", "kl", which is listnet minus the teachers' entropy, or "squared", RankEncoder's mean squared error
            where the teachers' value is from 0.5 to 0.9999 (its temperatures are 1, its weight 0.05).
        rank_sentences: replace the teachers' cosines by RankEncoder's similarity (Seonwoo et al. 2023): the Spearman correlation of
            two sentences' similarities to this many sentences of the corpus (10,000 or more in the paper); 0 keeps the cosines.
        contrastive_weight: of InfoNCE; 0 disables it.
        consistency_weight: beta; 0 disables it.
        ranking_weight: gamma.
        momentum: of the running average.
        projection: the training-only head (paper: "mlp").

    Deviations: the paper masks an anchor's own column for ListNet only; here it is in no list. Teachers encode the whole sentence once,
    with their own tokeniser and without dropout.

    Inputs in a `SentenceTransformerTrainer`: one text column; further columns and labels are ignored. Teachers other than "ema" need
    `augcse train`, which computes their embeddings.
    """

    traits = Traits(citation=citations.RANKCSE, gathers=True)

    def __init__(
        self,
        model: SentenceTransformer,
        teachers: Teachers = ("ema",),
        teacher_weights: TeacherWeights = (),
        temperature: Temperature = 0.05,
        student_temperature: Temperature = 0.05,
        teacher_temperature: Temperature = 0.025,
        ranking: RankingKind = "listnet",
        rank_sentences: RankSentences = 0,
        contrastive_weight: Weight = 1.0,
        consistency_weight: Weight = 1.0,
        ranking_weight: Weight = 1.0,
        momentum: Share = 0.999,
        projection: ProjectionKind = "mlp",
    ) -> None:
        super().__init__(model, temperature, projection)
        weights = mixture(teachers, teacher_weights)
        require(
            contrastive_weight + consistency_weight + ranking_weight > 0,
            "contrastive_weight, consistency_weight and ranking_weight are all 0: nothing to learn; give one above 0",
        )
        self.ema_weight = weights.pop(EMA, 0.0)
        require(
            not rank_sentences or not self.ema_weight,
            "rank_sentences: the ranks are computed before training, and the teacher ema changes along it; take other teachers",
        )
        require(rank_sentences != 1, "rank_sentences is 1: one sentence has no order; give more, better 1000, or 0")
        self.traits = replace(self.traits, teachers=weights, teacher_ranks=rank_sentences)
        self.average = MomentumEncoder(model, momentum) if self.ema_weight else None
        self.student_temperature = student_temperature
        self.teacher_temperature = teacher_temperature
        self.rank = RANKINGS[ranking]
        self.contrastive_weight = contrastive_weight
        self.consistency_weight = consistency_weight
        self.ranking_weight = ranking_weight

    def forward(self, sentence_features: list[Features], labels: Tensor | None = None) -> dict[str, Tensor]:
        """Return "contrastive", "consistency" and "distillation", weighted, except those of weight 0; a mixture of experts adds "balance".

        Features: input_ids and attention_mask (batch, length), and with teachers their embeddings, `teacher` (batch, any).
        """
        self.follow_mode()
        features = {key: value for key, value in sentence_features[0].items() if key != TEACHER}
        first, second = self._passes(features)
        repeated = self.repeated_pairs(text_keys(features))
        terms: dict[str, Tensor] = {}
        if self.contrastive_weight:
            terms["contrastive"] = self.contrastive_weight * info_nce(first, second, self.temperature, left_out=repeated)
        with torch.autocast(first.device.type, enabled=False):
            cosines = cosine_matrix(at_least_float32(first), at_least_float32(second))  # (batch, batch): anchors are the first pass
            if self.consistency_weight:
                scaled = cosines / self.temperature
                terms["consistency"] = self.consistency_weight * consistency(scaled, scaled.T, repeated)
            if self.ranking_weight:
                taught = self._teacher_cosines(sentence_features[0].get(TEACHER), features).to(cosines.dtype)
                terms["distillation"] = self.ranking_weight * self._ranking_loss(cosines, taught, repeated)
        return {**terms, **balance_terms(self.projection)}

    def _passes(self, features: Features) -> tuple[Tensor, Tensor]:
        """Return the projected embeddings of two passes, or of one as both; (batch, dim) each."""
        if self.contrastive_weight or self.consistency_weight:
            first, second = self.projection(torch.cat(encode_twice(self.model, features))).chunk(2)
            return first, second
        once: Tensor = self.projection(encode(self.model, features))
        return once, once

    def _ranking_loss(self, cosines: Tensor, taught: Tensor, repeated: Tensor) -> Tensor:
        """Return the distillation loss, and store the correlation of student and teachers. Shapes: (batch, batch) each -> scalar."""
        absent = repeated | torch.eye(len(cosines), dtype=torch.bool, device=cosines.device)
        self.metrics = {"teacher_correlation": correlation(cosines.detach(), taught, ~absent)}
        loss: Tensor = self.rank(cosines / self.student_temperature, taught / self.teacher_temperature, absent)
        return loss

    @torch.no_grad()
    def _teacher_cosines(self, vectors: Tensor | None, features: Features) -> Tensor:
        """Return the weighted mean of the teachers' cosines, (batch, batch). vectors: (own rows, any), times the roots of the weights."""
        names = ", ".join(self.traits.teachers)
        require(
            vectors is not None or not self.traits.teachers,
            f"objective rankcse: the batch has no vectors of its teachers ({names}); train with augcse train, or take teachers = ['ema']",
        )
        parts = [] if vectors is None or not self.traits.teachers else [gather_rows(at_least_float32(vectors))]
        if self.average is not None:
            if self.projection.training:
                self.average.follow(getattr(self.model, "module", self.model))
            parts.append(self.ema_weight**0.5 * functional.normalize(at_least_float32(self.average(features)), dim=1))
        joined = torch.cat([part.to(parts[-1].dtype) for part in parts], dim=1)
        return joined @ joined.T

    def negatives_per_anchor(self, batch_size: int, processes: int = 1) -> dict[str, int]:
        """Count the other rows; none without the contrastive term."""
        return super().negatives_per_anchor(batch_size, processes) if self.contrastive_weight else {}


def mixture(teachers: Teachers, weights: TeacherWeights) -> dict[str, float]:
    """Return the normalised weight of each teacher; equal ones if none are given.

    Raises:
        UserError: the number of weights is not that of the teachers.
    """
    require(
        not weights or len(weights) == len(teachers),
        f"teacher_weights has {len(weights)} numbers for {len(teachers)} teachers; give one for each, or leave it out for equal ones",
    )
    given = list(weights) or [1.0] * len(teachers)
    return {name: weight / sum(given) for name, weight in zip(teachers, given, strict=True)}


def correlation(student: Tensor, teacher: Tensor, listed: Tensor) -> Tensor:
    """Return the Pearson correlation of the listed cosines, for logging. Shapes: (batch, batch) each, listed bool -> scalar."""
    pair: Any = torch.stack([student[listed], teacher[listed]])
    return torch.corrcoef(pair)[0, 1].nan_to_num() if pair.shape[1] > 1 else pair.sum() * 0
