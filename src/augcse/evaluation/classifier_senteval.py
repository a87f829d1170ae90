"""SentEval's training loop for logistic regression, on CPU: mini-batch Adam or RMSprop with early stopping on held-out accuracy.

What it computes, with its oddities (Conneau and Kiela 2018; the code that SimCSE, DiffCSE and AugCSE carry along):

- Weights and bias start as torch's `Linear` does under seed 1111; batches are drawn from numpy's generator under seed 1111. Every fit
  starts from both seeds again. Here both are generators of the fit's own: SentEval reseeds the process, and so changes a training run
  that evaluates as it goes.
- The loss is the mean cross-entropy; the penalty is weight decay inside the optimiser (penalty x weights added to the gradient before
  Adam or RMSprop rescale it), on the bias too.
- A round is `epoch_size` passes over the training rows. The best weights by accuracy on the validation rows are kept. A round that does
  not improve adds one to a count that no improvement ever resets; training stops at the first such round that finds the count at
  `tenacity`, that is, after tenacity + 1 rounds without improvement in all, or when more than 200 passes are done.
- The accuracy on held-out rows by which a penalty is chosen is the best round's on those very rows, so `dev` is optimistic.
- A final fit without validation rows sets the first 5 % of a permutation of its training rows aside for early stopping.

Deviations: CPU instead of CUDA, so sums run in another order; the gradient is written out instead of traced. Of fewer than 20 rows,
whose 5 % round to 0, one is set aside, while SentEval divides by zero.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from augcse.evaluation.base import ProtocolName
from augcse.evaluation.classifier import PENALTIES, SEED, Array, Fit, Split

VALIDATION_SHARE = 0.05


@dataclass(frozen=True)
class Settings:
    """Settings of SentEval's training loop, which has two, `SETTINGS`.

    Args:
        optimiser: Adam or RMSprop, at torch's default learning rate.
        batch_size: rows per step.
        tenacity: rounds without improvement before the one that ends the training.
        epoch_size: passes over the rows in a round.
        max_passes: no round starts after more passes.
    """

    optimiser: type[torch.optim.Optimizer]
    batch_size: int
    tenacity: int
    epoch_size: int
    max_passes: int = 200


SETTINGS: dict[ProtocolName, Settings] = {
    "test": Settings(torch.optim.Adam, batch_size=64, tenacity=5, epoch_size=4),
    "fast": Settings(torch.optim.RMSprop, batch_size=128, tenacity=3, epoch_size=2),
}
SETTINGS["dev"] = SETTINGS["fast"]


class SentEvalClassifier:
    """SentEval's classifier with the settings of a protocol, or others."""

    def __init__(self, protocol: ProtocolName = "test", settings: Settings | None = None) -> None:
        self._settings = settings or SETTINGS[protocol]

    def validate(self, features: Array, labels: Array, splits: Sequence[Split]) -> list[Array]:
        """Return which held-out rows are correct in the best round on them: per split (penalties, held-out rows)."""
        data = _Data(features, labels)
        return [np.array([self._right_rows(data, split, penalty) for penalty in PENALTIES]) for split in splits]

    def predict(self, features: Array, labels: Array, fits: Sequence[Fit]) -> list[Array]:
        """Return the predicted classes of the held-out rows of every fit."""
        data = _Data(features, labels)
        predicted: list[Array] = []
        for fit in fits:
            model = self._fit_model(data, fit.split.train, fit.validation, fit.penalty)
            predicted.append(model.classes(data.features[fit.split.held_out]).numpy())
        return predicted

    def _right_rows(self, data: _Data, split: Split, penalty: float) -> Array:
        """Return whether each held-out row is correct in the best round on them: (held-out rows,) bool."""
        model = self._fit_model(data, split.train, split.held_out, penalty)
        right: Array = (model.classes(data.features[split.held_out]) == data.labels[split.held_out]).numpy()
        return right

    def _fit_model(self, data: _Data, train: Array, validation: Array | None, penalty: float) -> _Model:
        """Train a model; without validation rows, some of the training rows are set aside for early stopping."""
        order = np.random.RandomState(SEED)
        if validation is None:
            permutation = order.permutation(len(train))
            aside = max(1, int(VALIDATION_SHARE * len(train)))
            train, validation = train[permutation[aside:]], train[permutation[:aside]]
        model = _Model(data.features.shape[1], data.classes)
        settings = self._settings
        optimiser = settings.optimiser(model.parameters(), weight_decay=penalty, foreach=False)  # type: ignore[call-arg]
        passes = fruitless = 0
        while passes <= settings.max_passes:
            for _ in range(settings.epoch_size):
                _train_pass(model, optimiser, data, train[order.permutation(len(train))], settings.batch_size)
            passes += settings.epoch_size
            if model.keep_if_better(data.features[validation], data.labels[validation]):
                continue
            if fruitless >= settings.tenacity:
                break
            fruitless += 1
        return model


class _Data:
    """Features and labels as tensors."""

    def __init__(self, features: Array, labels: Array) -> None:
        self.features = torch.from_numpy(np.ascontiguousarray(features, dtype=np.float32))
        self.labels = torch.from_numpy(np.asarray(labels, dtype=np.int64))
        self.classes = int(labels.max()) + 1


class _Model:
    """A linear layer, and its best state so far."""

    def __init__(self, dim: int, classes: int) -> None:
        generator = torch.Generator().manual_seed(SEED)
        self.weight = torch.empty(classes, dim)
        self.bias = torch.empty(classes)
        torch.nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5), generator=generator)
        torch.nn.init.uniform_(self.bias, -1 / math.sqrt(dim), 1 / math.sqrt(dim), generator=generator)
        self.best = -1.0
        self._kept = (self.weight, self.bias)

    def parameters(self) -> list[torch.Tensor]:
        """Return the trained parameters."""
        return [self.weight, self.bias]

    def keep_if_better(self, features: torch.Tensor, labels: torch.Tensor) -> bool:
        """Keep a copy of the weights if they are the most accurate so far, and return whether they are."""
        logits = torch.addmm(self.bias, features, self.weight.T)
        accuracy = float((logits.argmax(1) == labels).sum()) / len(labels)
        if accuracy <= self.best:
            return False
        self.best = accuracy
        self._kept = (self.weight.clone(), self.bias.clone())
        return True

    def classes(self, features: torch.Tensor) -> torch.Tensor:
        """Return the classes that the kept weights predict."""
        weight, bias = self._kept
        return torch.addmm(bias, features, weight.T).argmax(1)


def _train_pass(model: _Model, optimiser: torch.optim.Optimizer, data: _Data, rows: Array, batch_size: int) -> None:
    """Take one step per mini-batch, in the order of `rows`, with the gradient written out."""
    order = torch.from_numpy(rows)
    features, labels = data.features[order], data.labels[order]
    for start in range(0, len(rows), batch_size):
        batch, classes = features[start : start + batch_size], labels[start : start + batch_size]
        # The gradient of the mean cross-entropy at the logits: (probability - one-hot) / rows.  (rows, classes)
        residual = torch.softmax(torch.addmm(model.bias, batch, model.weight.T), 1)
        residual[torch.arange(len(batch)), classes] -= 1
        residual /= len(batch)
        model.weight.grad = residual.T @ batch
        model.bias.grad = residual.sum(0)
        optimiser.step()
