"""Denoising objectives: a decoder reconstructs the original sentence from the embedding of the augmented one.

Wang, Reimers, Gurevych 2021, "TSDAE: Using Transformer-based Sequential Denoising Auto-Encoder for Unsupervised Sentence Embedding
Learning", arXiv 2104.06979, section 3; Wang et al. 2024, "DenoSent: A Denoising Objective for Self-Supervised Sentence Representation
Learning", arXiv 2401.13621.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.nn import functional

from augcse.objectives import citations
from augcse.objectives.base import objective
from augcse.objectives.checks import require
from augcse.objectives.decoders import ParallelDecoder, TiedDecoder
from augcse.objectives.gather import own_rows, sum_over_processes
from augcse.objectives.info_nce import info_nce
from augcse.objectives.language_head import LanguageModelHead
from augcse.objectives.option_types import DropoutRate, LayerCount, PositiveShare, ProjectionKind, Temperature, Weight
from augcse.objectives.projection import balance_terms
from augcse.objectives.same_text import text_keys
from augcse.objectives.sentence_loss import ProjectedLoss, Traits
from augcse.objectives.views import Features, encode, encode_views

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_NO_HEAD = "a denoising objective predicts tokens: take a backbone of a kind that has a masked-language-model head"


class DenoisingLoss(ProjectedLoss):
    """InfoNCE of augmented sentences and their originals, plus the cross entropy of the original's tokens given the augmented embedding.

    A term with weight 0 is not computed; without InfoNCE the originals are not encoded. Subclasses set `decoder`, which returns hidden
    states and the tokens to predict from them.

    Args:
        model: the encoder.
        temperature: divides the cosine.
        projection: the training-only head, before both terms.
        contrastive_weight: the weight of InfoNCE.
        denoising_weight: the weight of the reconstruction.
        restored_share: the share of tokens, sampled in each step, that are predicted: estimates the same mean at lower cost.
    """

    decoder: TiedDecoder | ParallelDecoder

    def __init__(
        self,
        model: SentenceTransformer,
        temperature: float,
        projection: str,
        contrastive_weight: float,
        denoising_weight: float,
        restored_share: float,
    ) -> None:
        super().__init__(model, temperature, projection)
        require(
            contrastive_weight + denoising_weight > 0,
            "contrastive_weight and denoising_weight are both 0: nothing to learn; give one above 0",
        )
        self.contrastive_weight = contrastive_weight
        self.denoising_weight = denoising_weight
        self.restored_share = restored_share
        self.head = LanguageModelHead(model, _NO_HEAD, untrained=True)

    def forward(self, sentence_features: list[Features], labels: Tensor | None = None) -> dict[str, Tensor]:
        """Return {"contrastive": scalar, "denoising": scalar}, weighted, without those of weight 0; a mixture of experts adds "balance".

        Features: [original, augmented], each input_ids and attention_mask (batch, length); the lengths may differ.
        """
        self.follow_mode()
        original, augmented = sentence_features[:2]
        terms: dict[str, Tensor] = {}
        if self.contrastive_weight:
            # The originals first, as `DiscriminatedLoss` expects.
            clean, noisy = self.projection(torch.cat(encode_views(self.model, [original, augmented]))).chunk(2)
            repeated = self.repeated_pairs(text_keys(original), text_keys(augmented)).T
            terms["contrastive"] = self.contrastive_weight * info_nce(noisy, clean, self.temperature, left_out=repeated)
        else:
            noisy = self.projection(encode(self.model, augmented))
        if self.denoising_weight:
            # Tokens are not gathered: each process reconstructs its own sentences.
            terms["denoising"] = self.denoising_weight * self._restore(original, own_rows(noisy))
        return {**terms, **balance_terms(self.projection)}

    def _restore(self, original: Features, vectors: Tensor) -> Tensor:
        """Return the mean cross entropy over the tokens to predict, of all processes. vectors (rows, dim) -> scalar."""
        encoder: Any = getattr(self.model, "module", self.model)
        states, tokens = self.decoder(encoder, original, vectors)  # (n, width), (n,)
        if self.restored_share < 1:
            sampled = torch.rand(len(tokens), device=tokens.device) < self.restored_share
            states, tokens = states[sampled], tokens[sampled]
        logits = self.head(states)  # (n, vocabulary)
        with torch.autocast(logits.device.type, enabled=False):
            precise = logits.to(torch.promote_types(logits.dtype, torch.float32))
            total = functional.cross_entropy(precise, tokens, reduction="sum")
            loss = sum_over_processes(total) / sum_over_processes(tokens.new_tensor(len(tokens))).clamp(min=1)
        self.metrics = {"denoising_loss": loss.detach()}
        return loss

    def negatives_per_anchor(self, batch_size: int, processes: int = 1) -> dict[str, int]:
        """The other rows' originals; none without the contrastive term."""
        return super().negatives_per_anchor(batch_size, processes) if self.contrastive_weight else {}


@objective("tsdae", paper="TSDAE (Wang et al. 2021)", equation="section 3", views=("original", "augmented"))
class TSDAELoss(DenoisingLoss):
    """The original's tokens one after the other, given those before them and the vector of the sentence with words deleted.

    L = -(1/n) sum_t log P(x_t | x_<t, s), s the embedding of the augmented sentence; the decoder is the encoder's own layers, read from
    left to right, that see s and nothing else of the augmented sentence (`decoders.TiedDecoder`). Decoder and head are dropped after
    training. The noise is what [augmentation] names: the paper deletes 60 % of the words, RandomDeletion:rate=0.6. (The training
    scripts of the public package keep a word where a uniform number is below 0.6, and so delete 40 %; its data set class and its
    description delete 60 %.)

    Args:
        model: the encoder.
        temperature: divides the cosine, where contrastive_weight is above 0.
        projection: a training-only head before the decoder and InfoNCE (paper: "none").
        contrastive_weight: of InfoNCE between augmented sentences and their originals; the paper has none.
        denoising_weight: of the reconstruction.
        restored_share: of the tokens, drawn anew in each step, whose prediction counts (1): the same mean, estimated at less cost.

    Deviations: cross-attention to the one vector is the linear map that it reduces to (`decoders`); a checkpoint without a
    masked-language-model head begins with a random one, as in the public package.

    Inputs in a `SentenceTransformerTrainer`: two text columns (original, augmented); labels are ignored.
    """

    traits = Traits(citation=citations.TSDAE, gathers=True)

    def __init__(
        self,
        model: SentenceTransformer,
        temperature: Temperature = 0.05,
        projection: ProjectionKind = "none",
        contrastive_weight: Weight = 0.0,
        denoising_weight: Weight = 1.0,
        restored_share: PositiveShare = 1.0,
    ) -> None:
        super().__init__(model, temperature, projection, contrastive_weight, denoising_weight, restored_share)
        self.decoder = TiedDecoder(model)


@objective("denosent", paper="DenoSent (Wang et al. 2024)", equation="Eq. 6", views=("original", "augmented"))
class DenoSentLoss(DenoisingLoss):
    """InfoNCE of augmented sentences and their originals, plus the original's tokens, all at once, from its damaged embeddings.

    L = contrastive_weight * InfoNCE + denoising_weight * CE. The decoder gets the original's embeddings with most of their values
    dropped, without gradient, and the projected vector of the augmented sentence (`decoders.ParallelDecoder`). Decoder and head are
    dropped after training. The augmentations are the discrete noise; the paper's is back-translation.

    Args:
        model: the encoder.
        temperature: divides the cosine (code: 0.05; paper: 0.03).
        projection: the training-only head, before both terms (code: "linear").
        contrastive_weight: of InfoNCE (code: 5; paper: 1); 0 leaves it out.
        denoising_weight: of the reconstruction (code: 7; paper: 1).
        decoder_layers: layers of the decoder (16).
        embedding_dropout_rate: share of the values of the original's embeddings that is dropped (0.825).
        restored_share: of the tokens, drawn anew in each step, whose prediction counts (1): the same mean, estimated at less cost.

    Deviations: pooling is the encoder's own (the paper: a [MASK] in a prompt); cross-attention to the one vector is the linear map that it
    reduces to (`decoders`); an encoder whose embeddings have no positions gets sinusoidal ones in the decoder.

    Inputs in a `SentenceTransformerTrainer`: two text columns (original, augmented); labels are ignored.
    """

    traits = Traits(citation=citations.DENOSENT, gathers=True)

    def __init__(
        self,
        model: SentenceTransformer,
        temperature: Temperature = 0.05,
        projection: ProjectionKind = "linear",
        contrastive_weight: Weight = 5.0,
        denoising_weight: Weight = 7.0,
        decoder_layers: LayerCount = 16,
        embedding_dropout_rate: DropoutRate = 0.825,
        restored_share: PositiveShare = 1.0,
    ) -> None:
        super().__init__(model, temperature, projection, contrastive_weight, denoising_weight, restored_share)
        self.decoder = ParallelDecoder(model, decoder_layers, embedding_dropout_rate)
