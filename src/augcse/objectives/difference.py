"""Predict how an edited sentence differs from the original, given its tokens and the original's embedding: DiffCSE's conditional heads.

Chuang et al. 2022, "DiffCSE", arXiv 2204.10298: replaced-token detection (section 3), and the alternatives that Table 3
compares it with. All three take the same inputs and differ in what they predict per token.
"""

from __future__ import annotations

from typing import Any, get_args

import torch
from torch import Tensor, nn
from torch.nn import functional

from augcse.errors import unknown_name
from augcse.objectives.gather import sum_over_processes
from augcse.objectives.masked_lm import load_masked_lm
from augcse.objectives.option_types import DifferenceTask, Fidelity
from augcse.objectives.slot_encoder import SlotEncoder, SlotMaskedLM, copy_encoder
from augcse.objectives.token_edits import Edited

Outcome = tuple[Tensor, dict[str, Tensor]]


def build_difference(task: DifferenceTask, backbone: Any, checkpoint: str, dim: int, num_edits: int, fidelity: Fidelity) -> nn.Module:
    """Return the conditional discriminator for `task`, initialised from the encoder.

    Args:
        task: what it predicts.
        backbone: the encoder's transformers model.
        checkpoint: folder or name of the encoder's checkpoint, from which the masked-language-model head is loaded.
        dim: dimension of the sentence embeddings.
        num_edits: number of edit types, for "detection".
        fidelity: what "detection" averages over.
    """
    if task not in get_args(DifferenceTask):
        raise unknown_name("task", task, get_args(DifferenceTask))
    copied = copy_encoder(backbone, dim)
    if task == "detection":
        return EditDetection(SlotEncoder(copied), dim, num_edits, all_positions=fidelity == "repo")
    language_model = load_masked_lm(checkpoint)
    setattr(language_model, language_model.base_model_prefix, copied)
    language_model.tie_weights()
    language_model.to(next(backbone.parameters()).device)
    return MaskedTokens(SlotMaskedLM(language_model)) if task == "masked_lm" else Correction(SlotMaskedLM(language_model), dim)


class EditDetection(nn.Module):
    """Which tokens of the edited sentence are new, or follow a deleted token: conditional replaced-token detection (L_RTD, section 3).

    Args:
        encoder: the discriminator.
        dim: its width.
        num_edits: number of edit types; each has its own head, since "replaced" and "follows a deletion" are different questions.
        all_positions: average over padding too, as DiffCSE's code does (the share of padding in a batch then scales lambda); otherwise
            over real tokens. The paper's formula sums over tokens and sentences.
    """

    def __init__(self, encoder: SlotEncoder, dim: int, num_edits: int, all_positions: bool) -> None:
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(dim, 2 * num_edits)
        self.all_positions = all_positions

    def forward(self, edited: Edited, vectors: Tensor, originals: int) -> Outcome:
        """Return the loss and metrics to log. Shapes: edited (rows, length), vectors (rows, dim).

        The rows form `originals` equal groups (same sentence, next sentence), whose means are summed.
        """
        states = self.encoder(edited.ids, edited.mask, vectors)  # (rows, length, dim)
        rows = torch.arange(len(states), device=states.device)
        logits = self.head(states).unflatten(2, (-1, 2))[rows, :, edited.kinds]  # (rows, length, 2)
        labels = edited.labels
        weights = torch.ones_like(edited.mask) if self.all_positions else edited.mask
        return detection_loss(logits, labels, weights, originals), detection_metrics(logits.detach(), labels, edited.mask)


class MaskedTokens(nn.Module):
    """The masked tokens, from the visible ones and the sentence embedding: conditional masked language modelling (Table 3)."""

    def __init__(self, encoder: SlotMaskedLM) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(self, edited: Edited, vectors: Tensor, originals: int) -> Outcome:
        """Return the loss and figures to log, as `EditDetection.forward`."""
        _, logits = self.encoder(edited.ids, edited.mask, vectors, edited.chosen)  # (n, vocabulary)
        targets = edited.origin[edited.chosen]
        with torch.autocast(logits.device.type, enabled=False):
            losses = functional.cross_entropy(logits.float(), targets, reduction="none")
        loss = sum_of_group_means(_scattered(losses, edited.chosen), edited.chosen, originals)
        return loss, {"masked_accuracy": _mean_where(logits.detach().argmax(dim=1) == targets, torch.ones_like(targets))}


class Correction(nn.Module):
    """The original tokens, from the edited ones and the sentence embedding: conditional corrective language modelling (Table 3).

    The task is COCO-LM's (Meng et al. 2021): a copy head predicts whether a token is the original, the language model's head what
    it was otherwise. The loss is `corrective_losses` at the tokens that the generator predicted, plus the copy head's binary cross-entropy
    at all real tokens. DiffCSE does not say how the two are weighted (here: added), nor whether they are averaged (here: each over its
    tokens).
    """

    def __init__(self, encoder: SlotMaskedLM, dim: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.copy = nn.Linear(dim, 1)

    def forward(self, edited: Edited, vectors: Tensor, originals: int) -> Outcome:
        """Return the loss and figures to log, as `EditDetection.forward`."""
        states, logits = self.encoder(edited.ids, edited.mask, vectors, edited.chosen)  # (rows, length, dim), (n, vocabulary)
        copies = self.copy(states)[:, :, 0]  # (rows, length)
        targets, shown = edited.origin[edited.chosen], edited.ids[edited.chosen]
        with torch.autocast(logits.device.type, enabled=False):
            losses = corrective_losses(logits.float(), copies[edited.chosen].float(), shown, targets)
            same = (~edited.labels).float()
            kept = functional.binary_cross_entropy_with_logits(copies.float(), same, reduction="none")
        corrected = sum_of_group_means(_scattered(losses, edited.chosen), edited.chosen, originals)
        loss = corrected + sum_of_group_means(kept, edited.mask, originals)
        return loss, detection_metrics(torch.stack([copies, -copies], dim=2).detach(), edited.labels, edited.mask)


def detection_loss(logits: Tensor, labels: Tensor, weights: Tensor, originals: int = 1) -> Tensor:
    """Return the cross-entropy of "unedited" versus "edited", averaged by `weights` within each group of rows and summed over groups.

    Shapes: logits (rows, length, 2), labels (rows, length) bool, weights (rows, length) -> scalar. In float32.
    """
    with torch.autocast(logits.device.type, enabled=False):
        losses = functional.cross_entropy(logits.float().transpose(1, 2), labels.long(), reduction="none")  # (rows, length)
        return sum_of_group_means(losses, weights, originals)


def corrective_losses(logits: Tensor, copies: Tensor, shown: Tensor, targets: Tensor) -> Tensor:
    """Return -log p(target), p(w) = c * [w = shown] + (1 - c) * softmax(logits)_w, c = sigmoid(copies), computed in log space.

    Shapes: logits (n, vocabulary), copies, shown, targets (n,) -> (n,).
    """
    generated = functional.logsigmoid(-copies) + logits.log_softmax(dim=1).gather(1, targets[:, None])[:, 0]
    return -torch.where(shown == targets, torch.logaddexp(functional.logsigmoid(copies), generated), generated)


def sum_of_group_means(values: Tensor, weights: Tensor, groups: int) -> Tensor:
    """Split the rows into `groups` equal parts and sum the weighted mean of each, taken over all processes of distributed training.

    Shapes: both (rows, length) -> scalar.
    """
    total = sum_over_processes((values * weights).reshape(groups, -1).sum(dim=1))
    weight = sum_over_processes(weights.reshape(groups, -1).sum(dim=1))
    return (total / weight.clamp(min=1)).sum()


def detection_metrics(logits: Tensor, labels: Tensor, mask: Tensor) -> dict[str, Tensor]:
    """Return the share of edited tokens, and the accuracy on edited and on unedited ones. Shapes as `detection_loss`."""
    real = mask.bool()
    right = logits.argmax(dim=2) == labels.long()
    return {
        "edited_share": _mean_where(labels, real),
        "edited_accuracy": _mean_where(right, labels & real),
        "unedited_accuracy": _mean_where(right, ~labels & real),
    }


def _mean_where(values: Tensor, where: Tensor) -> Tensor:
    return (values * where).sum() / where.sum().clamp(min=1)


def _scattered(values: Tensor, at: Tensor) -> Tensor:
    return torch.zeros(at.shape, device=values.device).masked_scatter(at, values)
