"""ESimCSE: repeated sub-words against the length cue, and a momentum queue of further negatives.

Wu et al. 2022, "ESimCSE: Enhanced Sample Building Method for Contrastive Learning of Unsupervised Sentence Embedding", arXiv 2109.04380,
sections 3.1-3.2; its code is caskcsg/sentemb, ESimCSE.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from augcse.objectives import citations
from augcse.objectives.base import objective
from augcse.objectives.checks import embedding_dim
from augcse.objectives.gather import broadcast_from_first
from augcse.objectives.info_nce import info_nce
from augcse.objectives.momentum import MomentumEncoder
from augcse.objectives.option_types import Fidelity, ProjectionKind, QueueRows, Share, Temperature
from augcse.objectives.projection import balance_terms
from augcse.objectives.same_text import text_keys
from augcse.objectives.sentence_loss import ProjectedLoss, Traits
from augcse.objectives.views import Features, encode_views, pad_id_of

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

# The code's bound on how many sub-words one sentence repeats: random.randrange(min(10, ...)) gives 9 at most.
_REPO_MAX_REPETITIONS = 9


def repetition_limits(lengths: Tensor, rate: float, fidelity: Fidelity) -> Tensor:
    """Return how many sub-words each sentence may repeat at most; the number is drawn uniformly from 0 to that.

    paper: max(2, int(rate * N)) (section 3.1), N the sub-words without [CLS] and [SEP], and never more than N. repo: one less than
    min(10, int(rate * length)), the specials counted, 0 for short sentences (train.py, dup_type "bpe").

    Shapes: lengths (rows,) int, the specials counted -> (rows,) int.
    """
    words = (lengths - 2).clamp(min=0)
    if fidelity == "repo":
        return ((rate * lengths).long() - 1).clamp(min=0, max=_REPO_MAX_REPETITIONS).minimum(words)
    return (rate * words).long().clamp(min=2).minimum(words)


def repeat_tokens(ids: Tensor, mask: Tensor, limits: Tensor, pad_id: int) -> tuple[Tensor, Tensor]:
    """Repeat some tokens of each row in place, never the first and the last real one ([CLS], [SEP]).

    How many is drawn uniformly from 0 to `limits`, which ones uniformly without replacement, both from torch's default generator. Rows
    are padded on the right.

    Shapes: ids, mask (rows, length), limits (rows,) -> ids, mask (rows, length + most repetitions).
    """
    rows, length = ids.shape
    counts = (torch.rand(rows, device=ids.device) * (limits + 1)).long().minimum(limits)
    indices = torch.arange(length, device=ids.device)
    repeatable = (indices > 0) & (indices < mask.sum(dim=1, keepdim=True) - 1)
    order = torch.rand(rows, length, device=ids.device).masked_fill(~repeatable, 2.0).argsort(dim=1)
    ranks = order.argsort(dim=1)
    repeated = repeatable & (ranks < counts[:, None])
    ends = (mask + repeated).cumsum(dim=1)  # (rows, length): where each token's copies end
    new_places = torch.arange(int(ends[:, -1].max()), device=ids.device).expand(rows, -1).contiguous()
    sources = torch.searchsorted(ends.contiguous(), new_places, right=True)
    new_mask = (new_places < ends[:, -1:]).to(mask.dtype)
    new_ids = ids.gather(1, sources.clamp(max=length - 1))
    return torch.where(new_mask.bool(), new_ids, pad_id), new_mask


@objective("esimcse", paper="ESimCSE (Wu et al. 2022)", equation="sections 3.1-3.2", views=("original",))
class ESimCSELoss(ProjectedLoss):
    """InfoNCE between a sentence and itself with some sub-words repeated, with a queue of earlier sentences as further negatives.

    The queue holds the last `neg_size` sentences as a running average of the encoder saw them, without dropout. Repetition,
    the average and the queue are active in train mode only.

    Args:
        model: the encoder.
        temperature: divides the cosine (0.05).
        projection: the training-only head (the code: "mlp"); the queue's vectors go through it too.
        dup_rate: of a sentence's sub-words at most this share is repeated (BERT-base 0.32, RoBERTa-base 0.30, RoBERTa-large 0.28).
        momentum: of the running average (paper: 0.995).
        neg_size: rows of the queue, 0 for none (paper: 2.5 batches, 160; RoBERTa-large 128).
        fidelity: how many sub-words are repeated at most, see `repetition_limits`.

    Deviations from the code: it copies the momentum encoder before the pretrained weights are loaded, so that the copy starts random
    (its own log lists momentum_model.* as newly initialised) and approaches the encoder over the first thousand steps; here it is copied
    after. Its repetitions are drawn once per data set and cached; here each step draws anew. Truncation comes before repetition, as
    there: a sentence may become longer than max_len_tokens.

    Inputs in a `SentenceTransformerTrainer`: one text column; further columns and labels are ignored.
    """

    traits = Traits(citation=citations.ESIMCSE, gathers=True)
    queue: Tensor
    queue_keys: Tensor
    queued: Tensor

    def __init__(
        self,
        model: SentenceTransformer,
        temperature: Temperature = 0.05,
        projection: ProjectionKind = "mlp",
        dup_rate: Share = 0.32,
        momentum: Share = 0.995,
        neg_size: QueueRows = 160,
        fidelity: Fidelity = "paper",
    ) -> None:
        super().__init__(model, temperature, projection)
        self.dup_rate = dup_rate
        self.fidelity = fidelity
        self.average = MomentumEncoder(model, momentum) if neg_size else None
        self.register_buffer("queue", torch.zeros(neg_size, embedding_dim(model)))
        self.register_buffer("queue_keys", torch.zeros(neg_size, dtype=torch.int64))
        self.register_buffer("queued", torch.zeros((), dtype=torch.int64))

    def forward(self, sentence_features: list[Features], labels: Tensor | None = None) -> dict[str, Tensor]:
        """Return {"contrastive": scalar}. Features: input_ids and attention_mask (batch, length)."""
        self.follow_mode()
        original = sentence_features[0]
        stretched = self._with_repetitions(original) if self.projection.training else original
        projected = self.projection(torch.cat(encode_views(self.model, [original, stretched])))
        anchors, positives = projected.chunk(2)
        queued = int(self.queued)
        keys = text_keys(original)
        repeated = torch.cat([self.repeated_pairs(keys), self.same_text(keys, self.queue_keys[:queued])], dim=1)
        # A copy: the queue changes before the gradient is computed.
        loss = info_nce(anchors, positives, self.temperature, left_out=repeated, negatives=self.queue[:queued].clone())
        if self.projection.training and self.average is not None:
            self._enqueue(self.average, original, keys)
        self.metrics = {"queued": anchors.new_tensor(float(queued))}
        return {"contrastive": loss, **balance_terms(self.projection)}

    def _with_repetitions(self, features: Features) -> Features:
        """Return the features with some sub-words repeated, at most up to the model's maximum length."""
        ids, mask = features["input_ids"], features["attention_mask"]
        lengths = mask.sum(dim=1)
        limits = repetition_limits(lengths, self.dup_rate, self.fidelity)
        room = getattr(self.model, "module", self.model).max_seq_length
        if room is not None:
            limits = limits.minimum((room - lengths).clamp(min=0))
        new_ids, new_mask = repeat_tokens(ids, mask, limits, pad_id_of(self.model))
        other_features = {key: value for key, value in features.items() if not (isinstance(value, Tensor) and value.dim() == 2)}
        if "token_type_ids" in features:
            other_features["token_type_ids"] = torch.zeros_like(new_ids)
        return {**other_features, "input_ids": new_ids, "attention_mask": new_mask}

    @torch.no_grad()
    def _enqueue(self, average: MomentumEncoder, original: Features, keys: Tensor) -> None:
        """Update the average, and put its embeddings of the batch at the front of the queue; the oldest rows are dropped."""
        average.follow(getattr(self.model, "module", self.model))
        newest = self.projection(average(original)).to(self.queue.dtype)
        # A mixture's noise differs between processes, but the queue must not.
        broadcast_from_first([newest])
        self.queue.copy_(torch.cat([newest, self.queue])[: len(self.queue)])
        self.queue_keys.copy_(torch.cat([keys, self.queue_keys])[: len(self.queue_keys)])
        self.queued.add_(len(newest)).clamp_(max=len(self.queue))

    def negatives_per_anchor(self, batch_size: int, processes: int = 1) -> dict[str, int]:
        """The other rows, and the rows of the queue: none in the first batch, `neg_size` once it is full."""
        others = self.rows_together(batch_size, processes) - 1
        return {"empty queue": others, "full queue": others + len(self.queue)} if len(self.queue) else {"contrastive": others}
