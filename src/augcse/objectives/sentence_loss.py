"""What all objectives share: the encoder, its training-only heads, and the figures to log beside the loss."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

import torch
from torch import Tensor, nn

from augcse.errors import unknown_name
from augcse.objectives.checks import embedding_dim, require
from augcse.objectives.info_nce import info_nce
from augcse.objectives.projection import balance_terms, build_projection
from augcse.objectives.same_text import RepeatedTexts, repeated_pairs, same_text, text_keys
from augcse.objectives.views import Features

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_LOGGER = logging.getLogger(__name__)
LabelKind = Literal["augmentation", "positive"]


@dataclass(frozen=True, slots=True)
class Traits:
    """What a trainer has to know of a loss; where settings decide, an instance has its own.

    Attributes:
        citation: of the paper, in BibTeX.
        gathers: it computes the joined batch's loss where several processes train together; tested, not assumed.
        reaches_into_encoder: it changes rows inside the encoder, which then has to take a batch whole, not in mini-batches.
        reads_tokens: it looks at token embeddings besides the sentence's; then the last layer is computed in full.
        draws: a step draws at random besides dropout (edits, noise), also in eval mode; then a batch's order decides who gets what.
        views: those it reads, where its settings decide which; empty: those of the objective's card.
        label_kind: what its labels are: the index of the row's augmentation, or whether that is a positive (1) or a negative (0).
        needs_documents: it pairs neighbours of a document, and blank lines have to say where one ends.
        teachers: weights of the encoders whose vectors a row brings along, by spec (`option_types.parse_teacher`).
        teacher_ranks: how many sentences of the corpus a row is ranked against, whose ranks are its teacher vector; 0: the vector itself.
        learning_rates: learning rates of its own parameters, by a regular expression that is found in their names.
        rebuilt: beginnings of the names of tensors that never change and are made again from the settings: checkpoints leave them out.
    """

    citation: str = ""
    gathers: bool = False
    reaches_into_encoder: bool = False
    reads_tokens: bool = False
    draws: bool = False
    views: tuple[str, ...] = ()
    label_kind: LabelKind = "augmentation"
    needs_documents: bool = False
    teachers: Mapping[str, float] = field(default_factory=dict)
    teacher_ranks: int = 0
    learning_rates: Mapping[str, float] = field(default_factory=dict)
    rebuilt: tuple[str, ...] = ()


class SentenceLoss(nn.Module):
    """A loss over a `SentenceTransformer`, with heads that are dropped after training.

    Subclasses set `self.heads` and fill `self.metrics` (detached scalars, e.g. an accuracy) in `forward`, which takes
    sentence-transformers' (features, labels) and returns named terms that add up to the loss.
    """

    traits = Traits()
    # Whether pairs of the same text are left out of the negatives ("mask") or are negatives, as published ("keep").
    repeated_texts: RepeatedTexts = "mask"

    def __init__(self, model: SentenceTransformer) -> None:
        super().__init__()
        train_in_float32(model)
        self.model = model
        self.metrics: dict[str, Tensor] = {}
        # What the constructor was given, options left out included; see `base.objective`.
        self.settings: dict[str, Any] = {}

    def follow_mode(self) -> None:
        """Put the heads into the encoder's train or eval mode: a stock trainer switches the encoder only."""
        training = getattr(self.model, "module", self.model).training
        for name, child in self.named_children():
            if name != "model":
                child.train(training)

    def choose_repeated_texts(self, choice: RepeatedTexts) -> None:
        """Say whether a pair of the same text is no negative ("mask", as built) or one like all others ("keep", as published).

        Raises:
            UserError: an unknown choice, or "keep" where nothing is contrasted.
        """
        if choice not in get_args(RepeatedTexts):
            raise unknown_name("repeated_texts", choice, get_args(RepeatedTexts))
        require(
            choice == "mask" or bool(self.negatives_per_anchor(2)),
            'objective.repeated_texts is "keep", and with these settings the objective contrasts no sentences: leave it out',
        )
        self.repeated_texts = choice

    def same_text(self, left: Tensor, right: Tensor) -> Tensor:
        """Return which pairs are left out as the same text; none where these are kept. Shapes: keys (n,), (m,) -> (n, m) bool."""
        return same_text(left, right) & (self.repeated_texts == "mask")

    def repeated_pairs(self, originals: Tensor, candidates: Tensor | None = None) -> Tensor:
        """Return which anchors' negatives are left out as the same text, as `same_text.repeated_pairs`; none where these are kept."""
        return repeated_pairs(originals, candidates) & (self.repeated_texts == "mask")

    def negatives_per_anchor(self, batch_size: int, processes: int = 1) -> dict[str, int]:
        """Return how many negatives an anchor is contrasted with, by the case or the loss it is so in; {} where nothing is contrasted.

        Here: the other rows. Subclasses with other candidates say theirs; `tests/contract/test_negatives.py` counts them in the loss.

        Args:
            batch_size: rows of one process.
            processes: how many train together.
        """
        return {"contrastive": self.rows_together(batch_size, processes) - 1}

    def check_lengths(self, lengths: Any) -> None:
        """Raise `UserError` where the prepared rows are none that the objective can use. Shapes: tokens of each original (rows,)."""

    def rows_together(self, batch_size: int, processes: int) -> int:
        """Return how many rows one step contrasts: those of all processes where the loss gathers them."""
        return batch_size * processes if self.traits.gathers else batch_size

    def get_config_dict(self) -> dict[str, Any]:
        """Return the settings for sentence-transformers' model card."""
        return self.settings


class ProjectedLoss(SentenceLoss):
    """A loss that contrasts projected embeddings.

    Args:
        model: the encoder.
        temperature: divides the cosine.
        projection: the training-only head.
    """

    def __init__(self, model: SentenceTransformer, temperature: float, projection: str) -> None:
        super().__init__(model)
        self.temperature = temperature
        self.projection = build_projection(projection, embedding_dim(model))

    def contrast_pair(self, first: Tensor, second: Tensor, original: Features, candidate: Features | None = None) -> dict[str, Tensor]:
        """Project both views as one batch, and return {"contrastive": InfoNCE}; a mixture of experts adds "balance".

        Args:
            first: (batch, dim), the anchors.
            second: (batch, dim), their positives.
            original: the anchors' features, whose repetitions are no negatives.
            candidate: the positives' features, where they are of another text.
        """
        anchors, positives = self.projection(torch.cat([first, second])).chunk(2)
        repeated = self.repeated_pairs(text_keys(original), None if candidate is None else text_keys(candidate))
        return {"contrastive": info_nce(anchors, positives, self.temperature, left_out=repeated), **balance_terms(self.projection)}


def train_in_float32(model: nn.Module) -> None:
    """Turn a model whose trainable weights are stored in half precision into float32, in place, and log that.

    transformers loads weights in the type in which they are stored. Trained in it they come to nothing: in float16 Adam's epsilon is 0
    and the first step divides by it, in bfloat16 a step of a fine-tuning's size is lost in rounding. The trainer's `bf16` and `fp16` are
    mixed precision and need float32 weights too. Frozen weights in half precision (under adapters) stay as they are.
    """
    stored = {parameter.dtype for parameter in model.parameters() if parameter.requires_grad} & {torch.float16, torch.bfloat16}
    if stored:
        names = ", ".join(sorted(str(kind).removeprefix("torch.") for kind in stored))
        _LOGGER.warning("the model's weights were loaded in %s; they are trained in float32", names)
        model.float()


def describe_negatives(negatives: Mapping[str, int]) -> str:
    """Return the line that a training begins with.

    >>> describe_negatives({"contrastive": 63})
    'negatives per anchor: 63'
    >>> describe_negatives({"empty queue": 63, "full queue": 223})
    'negatives per anchor: 63 (empty queue), 223 (full queue)'
    """
    if not negatives:
        return "negatives per anchor: none, this objective contrasts no sentences"
    if len(negatives) == 1:
        return f"negatives per anchor: {next(iter(negatives.values()))}"
    return "negatives per anchor: " + ", ".join(f"{count} ({case})" for case, count in negatives.items())
