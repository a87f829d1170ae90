"""The optimum of SentEval's regularised logistic regression, for all folds at once.

SentEval minimises, with early stopping, the mean cross-entropy of softmax(x W + b) plus weight decay, which is the gradient of
(penalty / 2) (|W|^2 + |b|^2). This solver minimises exactly that sum: the same four penalties 1e-5, 1e-4, 1e-3, 1e-2, the bias penalised
too, features unscaled (SentEval does not standardise them, so neither does this). Intended deviations: no early stopping, so nothing
depends on a seed, a batch order or an epoch count; a final fit uses all its training rows (SentEval sets 5 % aside for early stopping); a
penalty is chosen by the accuracy of the optimum, not by that of the best round on the same rows. Inside Adam or RMSprop the decay term is
rescaled along with the gradient, which moves the point that the loop approaches; with plain gradient descent that point would be the
optimum of the sum.

Two classes: softmax depends on w = W_1 - W_0 alone, and at the optimum W_1 = -W_0 = w / 2, so one column with penalty / 4 |w|^2.

How: L-BFGS on all folds of one penalty together, so that each iteration is two matrix products over shared features. All folds have
nearly the same curvature, so the initial matrix of L-BFGS's recursion is its inverse at the optimum of all rows, and a fold starts at
that optimum, shifted by the difference between the two at the previous, stronger penalty. A few iterations then suffice. If several
columns of wide rows would make that matrix large, one block, the average, is used for every column: six classes have 21 blocks. That
costs more iterations, which are cheap, and keeps the sum of the columns at 0, as at the optimum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from augcse.errors import UserError
from augcse.evaluation.classifier import PENALTIES, Array, Fit, Split

# Of the gradient's norm, per unit of the features' root mean square norm if that is above 1.
TOLERANCE = 1e-8
# The largest number of iterations with the shared curvature, before that of each set is computed: this, or an eighth of the dimensions,
# since the cost of computing it grows with them; more for an average over columns, which gains less from being computed again.
_PATIENCE = 40
# Up to this number of weights in all columns, the curvature is the full Hessian.
_MOST_UNKNOWNS = 3000
_MAX_RENEWALS = 100
_MEMORY = 8
_MAX_HALVINGS = 40
_SUFFICIENT_DECREASE = 1e-4
# Relative rounding error of a sum of float64 losses: a smaller increase is not counted as one.
_ROUNDING = 1e-14
# The curvature need not be exact; this many rows suffice for thousands of dimensions.
_CURVATURE_ROWS = 8192
_FITS_AT_ONCE = 100


class LbfgsClassifier:
    """Logistic regression at its optimum."""

    def __init__(self) -> None:
        self._features: Array | None = None
        self._problem: Problem | None = None

    def validate(self, features: Array, labels: Array, splits: Sequence[Split]) -> list[Array]:
        """Return which held-out rows are classified correctly, bool: per split (penalties, held-out rows)."""
        problem = self._problem_of(features, labels)
        right = [np.zeros((len(PENALTIES), len(split.held_out)), dtype=bool) for split in splits]
        for start in range(0, len(splits), _FITS_AT_ONCE):
            block = splits[start : start + _FITS_AT_ONCE]
            fitted = problem.path([split.train for split in block], PENALTIES)
            for index, penalty in enumerate(PENALTIES):
                classes = problem.classes(fitted[penalty])
                for column, split in enumerate(block):
                    right[start + column][index] = classes[split.held_out, column] == labels[split.held_out]
        return right

    def predict(self, features: Array, labels: Array, fits: Sequence[Fit]) -> list[Array]:
        """Return the predicted classes of the held-out rows of every fit."""
        problem = self._problem_of(features, labels)
        predicted: dict[int, Array] = {}
        for penalty in dict.fromkeys(fit.penalty for fit in fits):
            indices = [index for index, fit in enumerate(fits) if fit.penalty == penalty]
            fitted = problem.path([fits[index].split.train for index in indices], (penalty,))[penalty]
            classes = problem.classes(fitted)
            predicted |= {index: classes[fits[index].split.held_out, column] for column, index in enumerate(indices)}
        return [predicted[index] for index in range(len(fits))]

    def _problem_of(self, features: Array, labels: Array) -> Problem:
        # predict() follows validate() on the same features, so their curvature is reused.
        if self._problem is None or self._features is not features:
            self._features, self._problem = features, Problem(features, labels)
        return self._problem


@dataclass(frozen=True)
class _Anchor:
    """The optimum over all rows in use, and the inverse of the curvature there (as a Cholesky factor)."""

    weights: torch.Tensor  # (1, columns, dim + 1)
    factor: torch.Tensor  # (columns * (dim + 1), columns * (dim + 1)), or of the average (dim + 1, dim + 1)


class Problem:
    """Regularised logistic regression on fixed features: one solver, any subsets of rows, any penalties.

    Args:
        features: (rows, dim).
        labels: (rows,), classes 0, 1, ...
        penalise_bias: as SentEval's weight decay does; scikit-learn's LogisticRegression does not.
    """

    def __init__(self, features: Array, labels: Array, *, penalise_bias: bool = True) -> None:
        rows, dim = features.shape
        self._features = torch.ones(rows, dim + 1, dtype=torch.float64)
        self._features[:, :dim] = torch.from_numpy(np.ascontiguousarray(features))
        classes = max(int(labels.max()) + 1, 2)
        target = torch.nn.functional.one_hot(torch.from_numpy(np.asarray(labels, dtype=np.int64)), classes).double()
        # Two classes need one column: the log-odds of class 1.
        self._target = (target[:, 1:] if classes == 2 else target).T.contiguous()  # (columns, rows)
        self._share = torch.full((dim + 1,), 0.5 if classes == 2 else 1.0, dtype=torch.float64)
        if not penalise_bias:
            self._share[dim] = 0.0
        size = float(self._features[:, :dim].square().sum().div(rows).sqrt())
        self._tolerance = TOLERANCE * max(1.0, size)
        self._anchors: dict[float, _Anchor] = {}
        self._curvature: torch.Tensor | None = None  # at the latest anchor

    def path(self, trains: Sequence[Array], penalties: Sequence[float]) -> dict[float, torch.Tensor]:
        """Return the optimum of every penalty on every set of rows: penalty -> (dim + 1, sets, columns), the bias last.

        Two classes have one column, the weights of the log-odds of class 1; more have one column each.
        """
        masks = torch.zeros(len(trains), 1, len(self._features), dtype=torch.float64)
        for index, rows in enumerate(trains):
            masks[index, 0, torch.from_numpy(np.asarray(rows))] = 1 / len(rows)
        fitted: dict[float, torch.Tensor] = {}
        shift: torch.Tensor | float = 0.0
        for penalty in sorted(penalties, reverse=True):
            anchor = self._anchor(masks, penalty)
            start = (anchor.weights + shift).expand(len(trains), -1, -1).contiguous()
            optimum = self._minimise(masks, penalty, start, anchor.factor)
            fitted[penalty] = optimum.permute(2, 0, 1)
            shift = optimum - anchor.weights
        return fitted

    def classes(self, weights: torch.Tensor) -> Array:
        """Return the class that each set's weights predict per row: (rows, sets). Ties go to the lower class."""
        logits = _logits(self._features, weights.permute(1, 2, 0))
        predicted = (logits[:, 0] > 0).long() if logits.shape[1] == 1 else logits.argmax(1)
        classes: Array = predicted.T.numpy()
        return classes

    def _anchor(self, masks: torch.Tensor, penalty: float) -> _Anchor:
        """Solve for the average of the sets' objectives, starting from the previous anchor if there is one."""
        if penalty not in self._anchors:
            mask = masks.mean(0, keepdim=True)
            latest = next(reversed(self._anchors.values()), None)
            weights = latest.weights if latest else self._features.new_zeros(1, len(self._target), self._features.shape[1])
            if self._curvature is None:
                self._curvature = self._curvature_at(weights, mask)
            weights = self._minimise(mask, penalty, weights, self._factor(self._curvature, penalty))
            self._curvature = self._curvature_at(weights, mask)
            self._anchors[penalty] = _Anchor(weights, self._factor(self._curvature, penalty))
        return self._anchors[penalty]

    def _curvature_at(self, weights: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Return the lower triangle of the loss's Hessian, unknowns column after column, or one block, the average; from some rows."""
        stride = -(-len(self._features) // _CURVATURE_ROWS)
        features, weight = self._features[::stride], mask[0, 0, ::stride]
        probability = _probability(_logits(features, weights))[0]
        weight = weight / weight.sum()
        columns, dim = weights.shape[1:]
        if columns == 1 or columns * dim > _MOST_UNKNOWNS:
            # A softmax's covariance has columns - 1 directions other than the shared one, which has none.
            variance = (probability * (1 - probability)).sum(0) / max(1, columns - 1)
            return features.T @ (features * (weight * variance).unsqueeze(1))
        hessian = torch.zeros(columns, dim, columns, dim, dtype=torch.float64)
        for row in range(columns):
            for column in range(row + 1):
                covariance = probability[row] * (float(row == column) - probability[column])
                hessian[row, :, column] = features.T @ (features * (weight * covariance).unsqueeze(1))
        return hessian.view(columns * dim, columns * dim)

    def _factor(self, curvature: torch.Tensor, penalty: float) -> torch.Tensor:
        """Return the Cholesky factor of the curvature of loss and penalty; only the lower triangle is read."""
        hessian = curvature.clone()
        diagonal = hessian.diagonal()
        diagonal += penalty * self._share.repeat(len(hessian) // len(self._share))
        # An unpenalised or nearly flat direction must not make the factorisation fail; this affects the search only, not its result.
        diagonal += 1e-10 * diagonal.max() + 1e-12
        factor: torch.Tensor = torch.linalg.cholesky(hessian)
        return factor

    def _minimise(self, masks: torch.Tensor, penalty: float, start: torch.Tensor, factor: torch.Tensor) -> torch.Tensor:
        """Solve all sets together; those that do not converge with the shared curvature continue with their own."""
        result = start.clone()
        for index in self._descend(result, torch.arange(len(start)), masks, penalty, factor):
            alone = index.unsqueeze(0)
            for _ in range(_MAX_RENEWALS):
                factor = self._factor(self._curvature_at(result[alone], masks[alone]), penalty)
                if not len(self._descend(result, alone, masks, penalty, factor)):
                    break
            else:
                raise UserError("the classifier did not converge; are the embeddings of a sane size?")
        return result

    def _descend(
        self, result: torch.Tensor, indices: torch.Tensor, masks: torch.Tensor, penalty: float, factor: torch.Tensor
    ) -> torch.Tensor:
        """Run L-BFGS on `result[indices]`, in place, until each gradient is within tolerance. Return the sets that did not converge."""
        search = _Search(self._features, self._target, masks[indices], penalty * self._share, result[indices], factor)
        columns, dim = result.shape[1:]
        for _ in range(max(_PATIENCE, dim // 8) * (columns * dim // len(factor))):
            left = search.gradient_norms() > self._tolerance
            if not left.all():
                result[indices[~left]] = search.weights[~left]
                indices = indices[left]
                if not len(indices):
                    return indices
                search.keep(left)
            search.step()
        result[indices] = search.weights
        return indices


class _Search:
    """The state of L-BFGS for several sets of rows that share features, curvature and penalty."""

    def __init__(
        self,
        features: torch.Tensor,
        target: torch.Tensor,
        masks: torch.Tensor,
        penalty: torch.Tensor,
        weights: torch.Tensor,
        factor: torch.Tensor,
    ) -> None:
        self._features, self._target, self._masks, self._penalty, self._factor = features, target, masks, penalty, factor
        self.weights = weights
        self._logits = _logits(features, weights)
        self._value = self._loss(self._logits, weights)
        self._gradient = self._slope_at(self._logits, weights)
        self._steps: list[torch.Tensor] = []
        self._changes: list[torch.Tensor] = []

    def gradient_norms(self) -> torch.Tensor:
        """Return each set's gradient norm."""
        return _dot(self._gradient, self._gradient).sqrt()

    def keep(self, left: torch.Tensor) -> None:
        """Keep these sets only."""
        for name in ("weights", "_logits", "_value", "_gradient", "_masks"):
            setattr(self, name, getattr(self, name)[left])
        self._steps = [step[left] for step in self._steps]
        self._changes = [change[left] for change in self._changes]

    def step(self) -> None:
        """Take one step down along L-BFGS's direction, halved per set until the loss falls enough."""
        direction = self._direction()
        slope = _dot(self._gradient, direction)
        along = _logits(self._features, direction)
        length = torch.ones_like(slope)
        for _ in range(_MAX_HALVINGS):
            scale = length[:, None, None]
            logits, weights = self._logits + scale * along, self.weights + scale * direction
            value = self._loss(logits, weights)
            short = value <= self._value + _SUFFICIENT_DECREASE * length * slope + _ROUNDING * self._value.abs()
            if short.all():
                break
            length = torch.where(short, length, length / 2)
        gradient = self._slope_at(logits, weights)
        self._steps = [*self._steps[-_MEMORY + 1 :], weights - self.weights]
        self._changes = [*self._changes[-_MEMORY + 1 :], gradient - self._gradient]
        self.weights, self._logits, self._value, self._gradient = weights, logits, value, gradient

    def _direction(self) -> torch.Tensor:
        """Return the direction of the two-loop recursion, whose initial matrix is the shared inverse curvature."""
        direction = -self._gradient
        weights: list[torch.Tensor] = []
        curvatures = [_inverse(_dot(step, change)) for step, change in zip(self._steps, self._changes, strict=True)]
        pairs = list(zip(self._steps, self._changes, curvatures, strict=True))
        for step, change, curvature in reversed(pairs):
            weights.append(curvature * _dot(step, direction))
            direction = direction - weights[-1][:, None, None] * change
        # All columns of a set jointly or separately, as in the factor.
        direction = torch.cholesky_solve(direction.reshape(-1, len(self._factor)).T, self._factor).T.reshape(direction.shape)
        for (step, change, curvature), weight in zip(pairs, reversed(weights), strict=True):
            direction = direction + (weight - curvature * _dot(change, direction))[:, None, None] * step
        return direction

    def _loss(self, logits: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        """Each set's objective: (sets, columns, rows), (sets, columns, dim + 1) -> (sets,)."""
        if logits.shape[1] == 1:
            # The default threshold of 20 would set losses below 2e-9 to 0.
            losses = torch.nn.functional.softplus(logits, threshold=50) - self._target * logits
        else:
            losses = torch.logsumexp(logits, 1, keepdim=True) - (self._target * logits).sum(1, keepdim=True)
        return (losses * self._masks).sum((1, 2)) + (self._penalty * weights.square()).sum((1, 2)) / 2

    def _slope_at(self, logits: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        """The gradient of the objective: (sets, columns, dim + 1)."""
        residual = (_probability(logits) - self._target) * self._masks
        return (residual.flatten(0, 1) @ self._features).view_as(weights) + self._penalty * weights


def _logits(features: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """(rows, dim + 1), (sets, columns, dim + 1) -> (sets, columns, rows)."""
    return (weights.flatten(0, 1) @ features.T).view(*weights.shape[:2], len(features))


def _probability(logits: torch.Tensor) -> torch.Tensor:
    """(sets, columns, rows) -> the same, of class 1 or of every class."""
    return torch.sigmoid(logits) if logits.shape[1] == 1 else torch.softmax(logits, 1)


def _dot(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Per set: (sets, columns, dim + 1) twice -> (sets,)."""
    return (left * right).sum((1, 2))


def _inverse(values: torch.Tensor) -> torch.Tensor:
    """1 / value; 0 where rounding left no positive curvature, so that the pair is ignored."""
    return torch.where(values > 0, 1 / values.clamp_min(1e-300), 0.0)
