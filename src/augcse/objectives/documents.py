"""Documents as the source of positives: neighbouring sentences, or two crops of one paragraph.

Giorgi et al. 2021, "DeCLUTR: Deep Contrastive Learning for Unsupervised Textual Representations", arXiv 2006.03659, section 3: spans of
one document, adjacent or overlapping, are positives, with masked language modelling in addition. Crops of one text: also arXiv 2508.03453.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from torch import Tensor

from augcse.objectives import citations
from augcse.objectives.auxiliary_mlm import MaskedLanguageModel
from augcse.objectives.base import objective
from augcse.objectives.checks import require, require_transformer
from augcse.objectives.crops import random_crops
from augcse.objectives.option_types import CropTokens, DocumentPairs, PartialShare, ProjectionKind, Temperature, Weight
from augcse.objectives.sentence_loss import ProjectedLoss, Traits
from augcse.objectives.views import Features, encode_views, join_views, pad_id_of

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

# Two crops always overlap in a row of fewer tokens than two crops of the minimum length.
_CROPS_OF_A_PARAGRAPH = 2
# [CLS] and [SEP].
_ENDS = 2


@objective("documents", paper="DeCLUTR (Giorgi et al. 2021)", equation="section 3", views=("original", "next"), trains_static=True)
class DocumentsLoss(ProjectedLoss):
    """InfoNCE between two texts of one document, those of the batch's other documents as negatives.

    Args:
        model: the encoder.
        pairs: "next": a sentence and the one after it; the corpus is documents, one sentence per line, separated by blank lines. "crops":
            two runs of tokens of one row, drawn anew in each step; the corpus is paragraphs, one per line, and
            model.max_len_tokens says how much of each is read.
        temperature: divides the cosine (paper: 0.05).
        projection: the training-only head (paper: "none").
        shortest_crop_tokens: of "crops".
        longest_crop_tokens: of "crops".
        do_mlm: add masked language modelling on both texts.
        mlm_weight: its factor (0.1, as SimCSE's; the paper adds it with weight 1).
        mlm_probability: the share of tokens that it masks (0.15).

    Deviations: one positive per anchor (paper: the mean of two); crops are of one row, their lengths uniform (paper: spans of 32 to 512
    tokens of a document of 2,048 or more, their lengths from beta distributions).

    Inputs in a `SentenceTransformerTrainer`: two text columns (sentence, next sentence), or one of paragraphs with
    `pairs="crops"`. Labels are ignored.
    """

    traits = Traits(citation=citations.DECLUTR, gathers=True)

    def __init__(
        self,
        model: SentenceTransformer,
        pairs: DocumentPairs = "next",
        temperature: Temperature = 0.05,
        projection: ProjectionKind = "none",
        shortest_crop_tokens: CropTokens = 8,
        longest_crop_tokens: CropTokens = 30,
        do_mlm: bool = False,
        mlm_weight: Weight = 0.1,
        mlm_probability: PartialShare = 0.15,
    ) -> None:
        super().__init__(model, temperature, projection)
        require(
            shortest_crop_tokens <= longest_crop_tokens,
            f"shortest_crop_tokens is {shortest_crop_tokens}, longest_crop_tokens {longest_crop_tokens}; give a longest that is not below",
        )
        crops = pairs == "crops"
        if crops:
            require_transformer(model, 'objective documents with pairs "crops"')
        self.crop_tokens = (shortest_crop_tokens, longest_crop_tokens) if crops else None
        self.mlm_weight = mlm_weight
        views = ("original",) if crops else ("original", "next")
        self.traits = replace(self.traits, views=views, needs_documents=not crops, reads_tokens=do_mlm)
        self.masked_lm = MaskedLanguageModel(model, mlm_probability) if do_mlm else None

    def forward(self, sentence_features: list[Features], labels: Tensor | None = None) -> dict[str, Tensor]:
        """Return {"contrastive": scalar}, and "masked_lm" if asked for; a mixture of experts adds "balance".

        Features: [sentence, next sentence] or [paragraph], each input_ids and attention_mask (batch, length).
        """
        self.follow_mode()
        if self.crop_tokens is None:
            views = sentence_features[:2]
            first, second = encode_views(self.model, views)
            terms = self.contrast_pair(first, second, views[0], views[1])
        else:
            views = [self._crop(sentence_features[0], *self.crop_tokens) for _ in range(2)]
            first, second = encode_views(self.model, views)
            terms = self.contrast_pair(first, second, sentence_features[0])
        if self.masked_lm is not None:
            terms["masked_lm"] = self.mlm_weight * self.masked_lm(self.model, join_views(views, pad_id_of(self.model)))
        return terms

    def _crop(self, features: Features, shortest: int, longest: int) -> Features:
        ids, mask = random_crops(features["input_ids"], features["attention_mask"], shortest, longest, pad_id_of(self.model))
        return {"input_ids": ids, "attention_mask": mask}

    def check_lengths(self, lengths: Any) -> None:
        """Raise `UserError` if most rows are too short to be paragraphs. Shapes: tokens of each row, special ones included (rows,)."""
        if self.crop_tokens is None:
            return
        needed = _CROPS_OF_A_PARAGRAPH * self.crop_tokens[0]
        short = float((np.asarray(lengths) - _ENDS < needed).mean())
        require(
            short <= 0.5,
            f'objective documents crops paragraphs (pairs "crops"), and {short:.0%} of the rows have fewer than {needed} tokens; give one'
            ' paragraph per line, lower objective.shortest_crop_tokens, or set objective.pairs to "next"',
        )
