"""The base classes of all objectives: the encoder, its training-only heads, and metrics to log with the loss."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

import torch
from torch import Tensor, nn

from augcse.encoding.static.training import is_static, padded_rows, read_padded_rows
from augcse.errors import UserError, unknown_name
from augcse.objectives.checks import embedding_dim, require, require_transformer
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
    """The properties of a loss that a trainer depends on; instances override them where their settings matter.

    Attributes:
        citation: the paper, in BibTeX.
        gathers: in distributed training it computes the loss of the joined batch of all processes (there is a test for each objective).
        reaches_into_encoder: it changes rows inside the encoder, so that batches cannot be encoded in mini-batches.
        reads_tokens: it reads token embeddings, so that the last layer must be computed for all tokens.
        views: the views that it reads, if they depend on settings; empty: those of the objective's card.
        label_kind: its labels: the index of the row's augmentation, or whether that is a positive (1) or a negative (0).
        needs_documents: it pairs neighbouring sentences of a document, so that blank lines or the ends of files must separate documents.
        teachers: weights of the teachers whose vectors it needs, by spec (`option_types.parse_teacher`).
        teacher_ranks: the number of sentences whose similarity ranks replace the teachers' vectors; 0: the vectors themselves.
        learning_rates: learning rates of its own parameters, by a regular expression that is searched in their names.
        rebuilt: prefixes of tensors that are constant and rebuilt from the settings, so that checkpoints do not contain them.
    """

    citation: str = ""
    gathers: bool = False
    reaches_into_encoder: bool = False
    reads_tokens: bool = False
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
    # Whether pairs of the same text are masked among the negatives ("mask") or count as negatives, as published ("keep").
    repeated_texts: RepeatedTexts = "mask"
    # The text columns of its card; set by `base.objective`.
    card_views: tuple[str, ...] = ()
    # Whether it can train a static encoder; set by `base.objective`.
    trains_static = False
    # The label of a row that no augmentation changed; None for a loss that needs no labels.
    highest_label: int | None = None
    # What the highest label says of its row, for messages.
    highest_label_means = "not augmented"

    def __init__(self, model: SentenceTransformer) -> None:
        super().__init__()
        remedy = "give a SentenceTransformer, such as SentenceTransformer(NAME)"
        require(isinstance(model, nn.Module), f"{type(self).__name__}: model is a {type(model).__name__}; {remedy}")
        if not self.trains_static:
            require_transformer(model, type(self).__name__)
        train_in_float32(model)
        self.model = model
        self.metrics: dict[str, Tensor] = {}
        # The arguments of the constructor, defaults included; set by `base.objective`.
        self.settings: dict[str, Any] = {}
        self._knows_labels = False
        self.register_forward_pre_hook(_check_inputs, with_kwargs=True)
        if is_static(model):
            read_padded_rows(model)
            self.register_forward_pre_hook(_pad_inputs, with_kwargs=True)

    @property
    def text_columns(self) -> tuple[str, ...]:
        """The text columns that it needs, in their order."""
        return self.traits.views or self.card_views

    @classmethod
    def views_with(cls, options: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the views that it reads with these options, all of them given, if they depend on any; (): those of its card."""
        return ()

    def check_labels(self, labels: Tensor | None) -> None:
        """Raise `UserError` unless the labels are those that the loss needs. Shapes: (batch,) int.

        Their range is checked in every batch on a CPU; elsewhere only in the first, since each check waits for the device.
        """
        highest = self.highest_label
        if highest is None:
            return
        remedy = f"give {type(self).__name__} a column label of whole numbers from 0 to {highest} ({highest}: {self.highest_label_means})"
        if labels is None or labels.is_floating_point():
            raise UserError(f"the data has no whole numbers as labels; {remedy}")
        if not self._knows_labels or labels.device.type == "cpu":
            least, most = int(labels.min()), int(labels.max())
            require(least >= 0 and most <= highest, f"the data has the label {least if least < 0 else most}; {remedy}")
            self._knows_labels = True

    def follow_mode(self) -> None:
        """Set the heads to the train or eval mode of the encoder, which is all that a stock trainer switches."""
        training = getattr(self.model, "module", self.model).training
        for name, child in self.named_children():
            if name != "model":
                child.train(training)

    def choose_repeated_texts(self, choice: RepeatedTexts) -> None:
        """Set whether pairs of the same text are masked ("mask", the default) or count as negatives ("keep", as published).

        Raises:
            UserError: an unknown choice, or "keep" for an objective without negatives.
        """
        if choice not in get_args(RepeatedTexts):
            raise unknown_name("repeated_texts", choice, get_args(RepeatedTexts))
        require(
            choice == "mask" or bool(self.negatives_per_anchor(2)),
            'objective.repeated_texts is "keep", and with these settings the objective contrasts no sentences: leave it out',
        )
        self.repeated_texts = choice

    def same_text(self, left: Tensor, right: Tensor) -> Tensor:
        """Return the mask of pairs with the same text; all False with "keep". Shapes: keys (n,), (m,) -> (n, m) bool."""
        return same_text(left, right) & (self.repeated_texts == "mask")

    def repeated_pairs(self, originals: Tensor, candidates: Tensor | None = None) -> Tensor:
        """Return the mask of `same_text.repeated_pairs` among anchors and candidates; all False with "keep"."""
        return repeated_pairs(originals, candidates) & (self.repeated_texts == "mask")

    def negatives_per_anchor(self, batch_size: int, processes: int = 1) -> dict[str, int]:
        """Return the number of negatives per anchor, by loss term or case; {} for an objective without negatives.

        By default the other rows; subclasses with other candidates override it (`tests/contract/test_negatives.py` counts them).

        Args:
            batch_size: the rows of one process.
            processes: the number of processes in distributed training.
        """
        return {"contrastive": self.rows_together(batch_size, processes) - 1}

    def check_lengths(self, lengths: Any) -> None:
        """Raise `UserError` if the objective cannot use rows of these lengths. Shapes: tokens of each original (rows,)."""

    def rows_together(self, batch_size: int, processes: int) -> int:
        """Return the number of rows that one step contrasts: those of all processes if the loss gathers them."""
        return batch_size * processes if self.traits.gathers else batch_size

    @property
    def citation(self) -> str:
        """The paper in BibTeX, for a stock trainer's model card; an `AttributeError`, which leaves it out, if there is none."""
        if not self.traits.citation:
            raise AttributeError(f"{type(self).__name__} cites no paper")
        return self.traits.citation

    def get_config_dict(self) -> dict[str, Any]:
        """Return the settings for sentence-transformers' model card."""
        return self.settings


def _check_inputs(loss: SentenceLoss, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> None:
    """Raise `UserError` before `forward` unless the data have the text columns and labels that the loss needs."""
    given = {**dict(zip(("sentence_features", "labels"), arguments, strict=False)), **named}
    columns = len(given["sentence_features"])
    if columns < len(loss.text_columns):
        what = "one text column" if columns == 1 else f"{columns} text columns"
        raise UserError(
            f"the data has {what}; give {type(loss).__name__} {len(loss.text_columns)}, in this order: {', '.join(loss.text_columns)}"
        )
    loss.check_labels(given.get("labels"))


def _pad_inputs(loss: SentenceLoss, arguments: tuple[Any, ...], named: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments of `forward` with a static encoder's own features as padded rows, as `augcse.training.batches` makes them."""
    if arguments:
        return ([padded_rows(view) for view in arguments[0]], *arguments[1:]), named
    return (), {**named, "sentence_features": [padded_rows(view) for view in named["sentence_features"]]}


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
            first: the anchors, (batch, dim).
            second: their positives, (batch, dim).
            original: the features of the anchors, to mask repeated texts.
            candidate: the features of the positives, if they are of another text.
        """
        anchors, positives = self.projection(torch.cat([first, second])).chunk(2)
        repeated = self.repeated_pairs(text_keys(original), None if candidate is None else text_keys(candidate))
        return {"contrastive": info_nce(anchors, positives, self.temperature, left_out=repeated), **balance_terms(self.projection)}


def train_in_float32(model: nn.Module) -> None:
    """Convert a model whose trainable weights are in half precision to float32, in place, and log a warning.

    transformers loads weights in the type in which they are stored. Training in half precision fails: in float16 Adam's epsilon is 0, so
    that the first step divides by zero, and in bfloat16 the small updates of fine-tuning are lost in rounding. The trainer's `bf16` and
    `fp16` are mixed precision and need float32 weights too. A model whose half-precision weights are frozen (under adapters) is unchanged.
    """
    stored = {parameter.dtype for parameter in model.parameters() if parameter.requires_grad} & {torch.float16, torch.bfloat16}
    if stored:
        names = ", ".join(sorted(str(kind).removeprefix("torch.") for kind in stored))
        _LOGGER.warning("the model's weights were loaded in %s; they are trained in float32", names)
        model.float()


def describe_negatives(negatives: Mapping[str, int]) -> str:
    """Return the number of negatives as a message for the start of training.

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
