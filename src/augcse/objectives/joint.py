"""A labelled task in addition to a contrastive objective.

AugCSE's code (train_text_classification.py) adds the task's loss on the original sentence to any of its contrastive ones; its paper has
no such experiment.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import torch
from pydantic import Field
from torch import Tensor, nn
from torch.nn import functional

from augcse.errors import UserError
from augcse.objectives import citations
from augcse.objectives.checks import embedding_dim, require
from augcse.objectives.gather import gather_rows
from augcse.objectives.option_types import Weight
from augcse.objectives.sentence_loss import SentenceLoss, Traits
from augcse.objectives.views import Features, encode_views
from augcse.options import checks_arguments

ClassCount = Annotated[int, Field(ge=1, le=1_000_000)]


class JointSupervisedLoss(SentenceLoss):
    """Classification or regression of a sentence, or of a pair, in addition to a contrastive objective over the same batch.

    L = contrastive + weight * task. Task: a linear layer on the first sentence's embedding u, or on (u, v, |u - v|) for a pair (Reimers
    and Gurevych 2019); cross entropy for two classes or more, mean squared error for `num_labels` = 1. The head reads the embedding that
    will be saved, not its projection. The task costs an encoder pass of its own, so that it works with every objective.

    Args:
        contrastive: the objective; it holds the encoder.
        num_labels: classes, or 1 for regression.
        pair: the first two columns are a labelled pair.
        weight: the task's factor.

    Inputs in a `SentenceTransformerTrainer`: the columns that `contrastive` takes; with `pair` the partner is second and `contrastive`
    gets the columns without it. `label` is (batch,), or (batch, 2) with the label of `contrastive` (AugCSE's augmentation) second.

    Raises:
        UserError: an objective that is not one of augcse, a number out of range, or, in training, other columns or labels than these.

    Deviation: the code encodes a pair as one text and labels the augmented sentences too; here the embeddings are those of sentences.
    """

    # Not registered: recipes put it around any objective by their section [task].

    # What it adds to the citation of the objective.
    traits = Traits(citation=citations.AUGCSE)
    # It reads embeddings alone; the objective has checked the encoder.
    trains_static = True

    @checks_arguments
    def __init__(self, contrastive: SentenceLoss, num_labels: ClassCount, pair: bool = False, weight: Weight = 1.0) -> None:
        remedy = "give a loss of augcse.objectives, such as SimCSELoss(model)"
        require(isinstance(contrastive, SentenceLoss), f"JointSupervisedLoss: contrastive is a {type(contrastive).__name__}; {remedy}")
        super().__init__(contrastive.model)
        self.contrastive = contrastive
        self.num_labels = num_labels
        self.pair = pair
        self.weight = weight
        # The encoder once more, under its second name.
        rebuilt = ("contrastive.model.", *(f"contrastive.{name}" for name in contrastive.traits.rebuilt))
        citation = "\n".join(dict.fromkeys([contrastive.traits.citation, citations.AUGCSE]))
        self.traits = replace(contrastive.traits, citation=citation, rebuilt=rebuilt)
        dim = embedding_dim(contrastive.model)
        self.classifier = nn.Linear(3 * dim if pair else dim, num_labels)

    @property
    def text_columns(self) -> tuple[str, ...]:
        """Those of the objective; with `pair` the partner is second."""
        first, others = self.contrastive.text_columns[:1], self.contrastive.text_columns[1:]
        return (*first, "partner", *others) if self.pair else (*first, *others)

    def check_labels(self, labels: Tensor | None) -> None:
        """Raise `UserError` unless every row has a label for the task and, where the objective needs one too, that label second."""
        accepted = "numbers" if self.num_labels == 1 else f"whole numbers from 0 to {self.num_labels - 1}"
        both = self.contrastive.highest_label is not None
        wanted = f"lists of two: for the task {accepted}, then the label of {type(self.contrastive).__name__}" if both else accepted
        remedy = f"give JointSupervisedLoss a column label of {wanted}"
        if labels is None:
            raise UserError(f"the data has no labels; {remedy}")
        columns = labels.reshape(len(labels), -1).float()
        count = columns.shape[1]
        require(both < count <= 2, f"each row of the data has {'one label' if count == 1 else f'{count} labels'}; {remedy}")
        if not self._knows_labels or labels.device.type == "cpu":
            wrong = self._wrong_labels(columns)
            require(not len(wrong), f"the data has the label {wrong[:1].sum().item():g}; {remedy}")
            self._knows_labels = True

    def _wrong_labels(self, labels: Tensor) -> Tensor:
        """Return the labels that the task, or an objective with labels, cannot use. Shapes: (batch, 1 or 2) float -> (n,)."""
        task_labels, other_labels = labels[:, 0], labels[:, 1:]
        if self.num_labels == 1:
            wrong = ~task_labels.isfinite()
        else:
            wrong = (task_labels < 0) | (task_labels >= self.num_labels) | (task_labels != task_labels.round())
        return torch.cat([task_labels[wrong], other_labels[other_labels != other_labels.round()]])

    def forward(self, sentence_features: list[Features], labels: Tensor) -> dict[str, Tensor]:
        """Return the terms of `contrastive`, and {"supervised": scalar}.

        Features: (batch, length) each. labels: (batch,) or (batch, 2); whole numbers for classes.
        """
        self.follow_mode()
        paired = labels.dim() > 1
        task_labels = gather_rows(labels[:, 0] if paired else labels)
        other_labels = labels[:, 1].long() if paired else None
        views = [sentence_features[0], *sentence_features[2:]] if self.pair else sentence_features
        # First, so that the first embeddings of a step are of views of the same sentences, which a labelled pair need not be.
        terms: dict[str, Tensor] = self.contrastive(views, other_labels)
        scores = self.classify(encode_views(self.model, sentence_features[: 2 if self.pair else 1]))
        task = task_loss(scores, task_labels)
        self.measure(scores.detach(), task_labels)
        self.metrics = {**self.contrastive.metrics, **self.metrics}
        return {**terms, "supervised": self.weight * task}

    def classify(self, embeddings: list[Tensor]) -> Tensor:
        """Return the scores. Shapes: one or two tensors (batch, dim) -> (batch, num_labels)."""
        if not self.pair:
            scores: Tensor = self.classifier(embeddings[0])
            return scores
        left, right = embeddings
        joined: Tensor = self.classifier(torch.cat([left, right, (left - right).abs()], dim=1))
        return joined

    def measure(self, scores: Tensor, labels: Tensor) -> None:
        """Keep the accuracy of a classification for the log."""
        right = (scores.argmax(dim=1) == labels.long()).float().mean()
        self.metrics = {"task_accuracy": right} if self.num_labels > 1 else {}

    def negatives_per_anchor(self, batch_size: int, processes: int = 1) -> dict[str, int]:
        """Those of the contrastive objective; the task has none."""
        return self.contrastive.negatives_per_anchor(batch_size, processes)

    def check_lengths(self, lengths: Any) -> None:
        """Raise `UserError` if the contrastive objective cannot use rows of these lengths; the task reads any."""
        self.contrastive.check_lengths(lengths)

    def get_config_dict(self) -> dict[str, Any]:
        """Return the settings for the model card."""
        settings = {"num_labels": self.num_labels, "pair": self.pair, "weight": self.weight}
        return {**settings, "contrastive": {"name": type(self.contrastive).__name__, **self.contrastive.get_config_dict()}}


def task_loss(scores: Tensor, labels: Tensor) -> Tensor:
    """Return the cross entropy, or the mean squared error if there is one score per row. Shapes: (batch, classes), (batch,) -> scalar."""
    with torch.autocast(scores.device.type, enabled=False):
        if scores.shape[1] == 1:
            return functional.mse_loss(scores[:, 0].float(), labels.float())
        return functional.cross_entropy(scores.float(), labels.long())
