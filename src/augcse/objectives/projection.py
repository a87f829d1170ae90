"""Projection heads between the encoder and the loss, used in training and dropped at inference."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from augcse.objectives.option_types import ProjectionSpec
from augcse.objectives.precision import at_least_float32

BALANCE_WEIGHT = 0.01


def build_projection(spec: str, dim: int) -> nn.Module:
    """Return the projection head of `spec`, mapping (rows, dim) to (rows, dim).

    none: identity.
    linear: one linear layer.
    mlp: `layers` times Linear and tanh; with `heads` > 1 each layer has that many parallel heads, of which the maximum is taken per
        feature (AugCSE's code, mlp.py). With the defaults it is SimCSE's head (its code, models.py:19-33).
    batchnorm: DiffCSE's two-layer head, which AugCSE adopts (paper 4.3): Linear(H, 2H) - BatchNorm - ReLU - Linear(2H, H) -
        BatchNorm without affine; no biases, since the normalisation after each layer would remove them.
    moe: `MixtureOfExperts` of `experts` batchnorm heads, `active` of which are used per row. Its loss has a further term,
        see `balance_terms`.

    The whole head is dropped at inference and is not in the saved model. AugCSE's code drops the last layer of "mlp" only and, by
    oversight, none of "moe".
    """
    parsed = ProjectionSpec.parse(spec)
    if parsed.kind == "none":
        return nn.Identity()
    if parsed.kind == "linear":
        return nn.Linear(dim, dim)
    if parsed.kind == "mlp":
        return _mlp(dim, parsed.options["layers"], parsed.options["heads"])
    if parsed.kind == "moe":
        return MixtureOfExperts(dim, parsed.options["experts"], parsed.options["active"])
    return batchnorm_head(dim)


def batchnorm_head(dim: int) -> nn.Sequential:
    """DiffCSE's head, see `build_projection`."""
    return nn.Sequential(
        nn.Linear(dim, 2 * dim, bias=False),
        nn.BatchNorm1d(2 * dim),
        nn.ReLU(),
        nn.Linear(2 * dim, dim, bias=False),
        nn.BatchNorm1d(dim, affine=False),
    )


def balance_terms(projection: nn.Module) -> dict[str, Tensor]:
    """Return {"balance": scalar} after the forward pass of a mixture of experts, {} for every other head; add it to the loss."""
    return {"balance": projection.balance} if isinstance(projection, MixtureOfExperts) else {}


def _mlp(dim: int, layers: int, heads: int) -> nn.Sequential:
    modules: list[nn.Module] = []
    for _ in range(layers):
        modules += [nn.Linear(dim, dim * heads), nn.Tanh()]
        if heads > 1:
            modules.append(LargestHead(heads))
    return nn.Sequential(*modules)


class LargestHead(nn.Module):
    """Take, per feature, the maximum of `heads` adjacent values."""

    def __init__(self, heads: int) -> None:
        super().__init__()
        self.heads = heads

    def forward(self, values: Tensor) -> Tensor:
        """Shapes: (rows, dim * heads) -> (rows, dim)."""
        return values.view(len(values), -1, self.heads).amax(dim=2)


class MixtureOfExperts(nn.Module):
    """Batchnorm heads with noisy top-k gating per row (Shazeer et al. 2017).

    y = log sum_e g_e exp(expert_e(x)), where g is the softmax over the `active` largest of x W + N(0, 1) * (softplus(x V) + 0.01) and 0
    elsewhere; the noise is added in training only. After each forward pass `balance` holds 0.01 * (cv^2(importance) + cv^2(load)), the
    load-balancing loss: importance is each expert's sum of gates, load its expected number of rows.

    Deviations from AugCSE's code (moe.py), each of which fixes a defect:
        - the gates are parameters; on a GPU they were copies, untrained and unsaved;
        - every expert sees the whole batch and gets weight 0 where it is not selected: with only its own rows, an expert of 0 or 1 rows
          had no valid batch statistics. The extra cost is small compared to the encoder's;
        - the sum over experts is computed in log space: exp of a large output overflowed, and a sum of 0 was replaced by 2e-16.
    With `active` = 1 the gate is constantly 1, so only `balance` trains the gates (as in Shazeer et al.); use 2 to train them by the
    loss too.

    Args:
        dim: of the embeddings.
        experts: number of experts.
        active: number of experts used per row (the code: 1).
    """

    balance: Tensor

    def __init__(self, dim: int, experts: int = 4, active: int = 1) -> None:
        super().__init__()
        self.active = active
        self.experts = nn.ModuleList(batchnorm_head(dim) for _ in range(experts))
        self.preference = nn.Parameter(torch.zeros(dim, experts))
        self.noise = nn.Parameter(torch.zeros(dim, experts))
        self.balance = torch.zeros(())

    def forward(self, values: Tensor) -> Tensor:
        """Shapes: (rows, dim) -> (rows, dim)."""
        outputs = torch.stack([expert(values) for expert in self.experts], dim=1)  # (rows, experts, dim)
        with torch.autocast(values.device.type, enabled=False):
            log_gates, load = self._gate(at_least_float32(values))  # (rows, experts), (experts,)
            importance = log_gates.exp().sum(dim=0)
            self.balance = BALANCE_WEIGHT * (_squared_variation(importance) + _squared_variation(load))
            mixed: Tensor = torch.logsumexp(log_gates[:, :, None] + at_least_float32(outputs), dim=1)
        return mixed

    def _gate(self, values: Tensor) -> tuple[Tensor, Tensor]:
        """Return the log gates, (rows, experts), -inf where not selected, and the load, (experts,)."""
        clean = values @ at_least_float32(self.preference)
        if not self.training:
            log_gates, _ = self._top_gates(clean)
            return log_gates, (log_gates > -torch.inf).to(log_gates.dtype).sum(dim=0)
        spread = nn.functional.softplus(values @ at_least_float32(self.noise)) + 0.01
        noisy = clean + torch.randn_like(clean) * spread
        log_gates, sorted_values = self._top_gates(noisy)
        if self.active == len(self.experts):
            return log_gates, torch.full_like(log_gates, 1.0).sum(dim=0)
        # To be selected, an expert must exceed the best of those not selected, or the worst selected one if it is not selected itself.
        selected = log_gates > -torch.inf
        threshold = torch.where(selected, sorted_values[:, self.active, None], sorted_values[:, self.active - 1, None])
        return log_gates, torch.special.ndtr((clean - threshold) / spread).sum(dim=0)

    def _top_gates(self, scores: Tensor) -> tuple[Tensor, Tensor]:
        """Return the log gates and the scores in descending order, both (rows, experts)."""
        sorted_scores, order = scores.sort(dim=1, descending=True, stable=True)
        kept = torch.log_softmax(sorted_scores[:, : self.active], dim=1)
        log_gates = torch.full_like(scores, -torch.inf).scatter(1, order[:, : self.active], kept)
        return log_gates, sorted_scores


def _squared_variation(values: Tensor) -> Tensor:
    """Return (standard deviation / mean)^2, 0 for a single value. Shapes: (n,) -> scalar."""
    return values.var() / (values.mean().square() + 1e-10) if len(values) > 1 else values.sum() * 0
