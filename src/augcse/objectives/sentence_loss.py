"""What all objectives share: the encoder, its training-only heads, and the figures to log beside the loss."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, get_args

import torch
from torch import Tensor, nn

from augcse.errors import unknown_name
from augcse.objectives.base import require
from augcse.objectives.gather import gather_rows
from augcse.objectives.same_text import RepeatedTexts, repeated_pairs, same_text

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_LOGGER = logging.getLogger(__name__)
Features = dict[str, Any]
LabelKind = Literal["augmentation", "positive"]


class SentenceLoss(nn.Module):
    """A loss over a `SentenceTransformer`, with heads that are dropped after training.

    Subclasses set `self.heads` and fill `self.metrics` (detached scalars, e.g. an accuracy) in `forward`, which takes
    sentence-transformers' (features, labels) and returns named terms that add up to the loss.
    """

    citation = ""
    # Whether it computes the joined batch's loss where several processes train together; tested, not assumed.
    gathers = False
    # Whether it changes rows inside the encoder, which then has to take a batch whole, not in mini-batches.
    reaches_into_encoder = False
    # Whether the loss looks at token embeddings besides the sentence's; then the last layer is computed in full.
    reads_tokens = False
    # The views an instance reads where its settings decide which; empty: those of the objective's card.
    views: tuple[str, ...] = ()
    # What its labels are: the index of the row's augmentation, or whether the augmentation is a positive (1) or a negative (0).
    label_kind: LabelKind = "augmentation"
    # Beginnings of the names of tensors that never change and are made again from the settings: checkpoints leave them out.
    rebuilt: tuple[str, ...] = ()
    # Whether a step draws at random besides dropout (edits, noise), also in eval mode; then a batch's order decides who gets what.
    draws = False
    # Whether pairs of the same text are left out of the negatives ("mask") or are negatives, as published ("keep").
    repeated_texts: RepeatedTexts = "mask"

    def __init__(self, model: SentenceTransformer) -> None:
        super().__init__()
        train_in_float32(model)
        self.model = model
        self.metrics: dict[str, Tensor] = {}

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

    def rows_together(self, batch_size: int, processes: int) -> int:
        """Return how many rows one step contrasts: those of all processes where the loss gathers them."""
        return batch_size * processes if self.gathers else batch_size

    def get_config_dict(self) -> dict[str, Any]:
        """Return the settings for sentence-transformers' model card."""
        return {}


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


def embedding_dim(model: SentenceTransformer) -> int:
    """Return the width of the model's sentence embeddings."""
    dim = model.get_embedding_dimension()
    if dim is None:
        raise ValueError("the model does not state its embedding dimension")
    return int(dim)


def encode(model: nn.Module, features: Features) -> Tensor:
    """Encode one view. The features are copied, since the model writes into them.

    Returns (batch, dim); where several processes train together, the rows of all of them, in order of rank.
    """
    embeddings: Tensor = model(dict(features))["sentence_embedding"]
    return gather_rows(embeddings)


def encode_twice(model: nn.Module, features: Features) -> tuple[Tensor, Tensor]:
    """Encode one view twice in one pass: row i and row i + batch differ by their dropout masks only.

    Returns two tensors (batch, dim).
    """
    doubled = {
        key: torch.cat([value, value]) if isinstance(value, Tensor) and value.dim() > 0 else value for key, value in features.items()
    }
    embeddings: Tensor = model(doubled)["sentence_embedding"]
    first, second = embeddings.chunk(2)
    return gather_rows(first), gather_rows(second)
