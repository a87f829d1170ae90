"""The cases of test_gather: every objective, a batch in two shares of different lengths, and draws that do not depend on the share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from augcse.encoding.mini_batches import encode_in_mini_batches
from augcse.encoding.model import load_encoder
from augcse.objectives import (
    AugCSELoss,
    ContrastiveLoss,
    DenoSentLoss,
    DiffCSELoss,
    DiffCSENextLoss,
    DiffCSEPairsLoss,
    DocumentsLoss,
    ESimCSELoss,
    JointSupervisedLoss,
    MixCSELoss,
    MODALSLoss,
    PCAJitterLoss,
    RankCSELoss,
    SDALoss,
    SimCSELoss,
    SimCSEPlusPlusLoss,
    SNCSELoss,
    SupervisedSimCSELoss,
    TSDAELoss,
    UNALoss,
)
from augcse.objectives.discriminated import DiscriminatedLoss
from augcse.objectives.pair_losses import NEEDS_NEGATIVES, PAIR_LOSSES
from augcse.objectives.sentence_loss import SentenceLoss
from augcse.objectives.views import TEACHER

SHARE, RANKS = 3, 2
# Per view, the longest sentence of each share: neither the same views nor the same shares are the longest.
LENGTHS = ((8, 5), (5, 9), (6, 11))
LABELS = torch.tensor([0, 2, 1, 1, 0, 2])


def _one_by_one(name: str) -> dict[str, Any]:
    return {"losses": name, "sampling": "by_role" if name in NEEDS_NEGATIVES else "uniform", "temperature": 0.5, "margin": 1.0}


def _in_mini_batches(model: Any) -> SentenceLoss:
    encode_in_mini_batches(model, 2)
    return AugCSELoss(model, 2, discriminator_weight=0.5)


def _joint(model: Any) -> SentenceLoss:
    return JointSupervisedLoss(SimCSELoss(model, projection="batchnorm"), 3, pair=True)


def _discriminated(model: Any) -> SentenceLoss:
    return DiscriminatedLoss(SimCSELoss(model, projection="batchnorm"), ("original",), 2, weight=0.5, rows="balanced")


_EDITS = {"masking_ratio": 0.5, "discriminator_weight": 0.5}
CASES: dict[str, tuple[Callable[..., SentenceLoss], dict[str, Any]]] = {
    "simcse": (SimCSELoss, {}),
    "simcse in mini-batches": (_in_mini_batches, {}),
    "simcse with mlm": (SimCSELoss, {"do_mlm": True, "mlm_probability": 0.5, "mlm_weight": 1.0, "projection": "batchnorm"}),
    "simcse-supervised": (SupervisedSimCSELoss, {"do_mlm": True, "mlm_probability": 0.5, "hard_negative_weight": 0.3}),
    "augcse": (AugCSELoss, {"num_augmentations": 2, "discriminator_weight": 0.5}),
    "augcse by order": (
        AugCSELoss,
        {"num_augmentations": 2, "discriminator_weight": 0.5, "discriminate": "order", "contrast": "augmented", "projection": "moe"},
    ),
    **{f"contrastive {name}": (ContrastiveLoss, _one_by_one(name)) for name in PAIR_LOSSES},
    "sda": (SDALoss, {"projection": "batchnorm"}),
    "una": (UNALoss, {"alpha": 2, "projection": "batchnorm"}),
    "una as its code": (UNALoss, {"alpha": 2, "fidelity": "repo"}),
    "una-paraphrase": (UNALoss, {"alpha": 1}),
    "esimcse": (ESimCSELoss, {"neg_size": 8, "dup_rate": 0.9, "momentum": 0.5, "projection": "batchnorm"}),
    "esimcse with experts": (ESimCSELoss, {"neg_size": 8, "dup_rate": 0.9, "projection": "moe"}),
    "diffcse": (DiffCSELoss, _EDITS),
    "diffcse as its code": (DiffCSELoss, {**_EDITS, "fidelity": "repo", "condition": "pooled"}),
    "diffcse all edits": (DiffCSELoss, {**_EDITS, "edits": ["replace", "insert", "delete"]}),
    "diffcse without contrast": (DiffCSELoss, {**_EDITS, "contrastive_weight": 0.0, "edits": ["delete"]}),
    "diffcse masked_lm": (DiffCSELoss, {**_EDITS, "task": "masked_lm"}),
    "diffcse corrective_lm": (DiffCSELoss, {**_EDITS, "task": "corrective_lm"}),
    "diffcse-next": (DiffCSENextLoss, {**_EDITS, "with_same": True}),
    "diffcse-next as its code": (DiffCSENextLoss, {**_EDITS, "with_same": True, "fidelity": "repo"}),
    "diffcse-pairs": (DiffCSEPairsLoss, {"masking_ratio": 0.5, "edits": ["insert"]}),
    "diffcse-pairs positive": (DiffCSEPairsLoss, {"masking_ratio": 0.5, "role": "positive", "projection": "batchnorm"}),
    **{f"modals {method}": (MODALSLoss, {"method": method}) for method in ("interpolation", "extrapolation", "linear", "gaussian")},
    "pca-jitter": (PCAJitterLoss, {"deviation": 2.0}),
    "rankcse": (RankCSELoss, {"teachers": ["ema", "static"], "momentum": 0.5, "projection": "batchnorm"}),
    "rankcse by order": (RankCSELoss, {"teachers": ["static"], "ranking": "listmle"}),
    "rankcse in one pass": (
        RankCSELoss,
        {"teachers": ["static"], "contrastive_weight": 0.0, "consistency_weight": 0.0, "ranking": "kl", "projection": "batchnorm"},
    ),
    "sncse": (SNCSELoss, {"num_augmentations": 2, "soft_weight": 1.0, "gaps": [[0.5, 0.9], [0.0, 0.1]], "projection": "batchnorm"}),
    "simcse-plus-plus": (SimCSEPlusPlusLoss, {"dimension_weight": 1.0, "projection": "batchnorm"}),
    "simcse-plus-plus dimensions alone": (SimCSEPlusPlusLoss, {"off_dropout": False, "dimension_weight": 1.0}),
    "mixcse": (MixCSELoss, {"projection": "batchnorm"}),
    "mixcse as its code": (MixCSELoss, {"fidelity": "repo"}),
    "tsdae": (TSDAELoss, {}),
    "tsdae with contrast": (TSDAELoss, {"contrastive_weight": 0.5, "projection": "batchnorm"}),
    "denosent": (DenoSentLoss, {"decoder_layers": 2, "projection": "batchnorm"}),
    "documents": (DocumentsLoss, {"projection": "batchnorm"}),
    "documents crops": (DocumentsLoss, {"pairs": "crops", "shortest_crop_tokens": 2, "longest_crop_tokens": 4}),
    "joint": (_joint, {}),
    "discriminated": (_discriminated, {}),
}
VIEWS = {"sda": 2, "una": 2, "una as its code": 2}


def build(name: str, backbone: str) -> SentenceLoss:
    """Build a loss without dropout, the same in every process; in float64, since batch statistics of few rows magnify rounding."""
    torch.manual_seed(3)
    model = load_encoder(backbone, "cls")
    maker, options = CASES[name]
    loss = maker(model, **options).double()
    for module in loss.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    model.train()
    return loss


def batch(name: str, rank: int | None) -> tuple[list[dict[str, Tensor]], Tensor]:
    """Return a rank's share of the views and labels, padded to its own longest sentence; None: the joined batch."""
    generator = torch.Generator().manual_seed(1)
    views = []
    for longest in LENGTHS[: VIEWS.get(name, 3)]:
        lengths = torch.tensor([max(3, longest[row // SHARE] - row % SHARE) for row in range(SHARE * RANKS)])
        ids = torch.randint(5, 200, (SHARE * RANKS, max(longest)), generator=generator)
        mask = (torch.arange(max(longest)) < lengths[:, None]).long()
        rows, length = _share(rank), max(longest) if rank is None else longest[rank]
        views.append({"input_ids": (ids * mask)[rows, :length], "attention_mask": mask[rows, :length]})
    if name.startswith("rankcse"):
        vectors = torch.randn(SHARE * RANKS, 4, generator=generator, dtype=torch.float64)
        views[0][TEACHER] = nn.functional.normalize(vectors, dim=1)[_share(rank)]
    labels = LABELS.clamp(max=1) if name.startswith("contrastive") else LABELS
    return views, labels[_share(rank)]


def _share(rank: int | None) -> slice:
    return slice(None) if rank is None else slice(rank * SHARE, (rank + 1) * SHARE)


def state(loss: nn.Module) -> dict[str, Tensor]:
    """Return gradients and buffers by name, whether DDP wraps the encoder or not."""
    found = {name: p.grad for name, p in loss.named_parameters() if p.grad is not None}
    found |= {f"buffer {name}": value for name, value in loss.named_buffers()}
    return {name.replace("model.module.", "model."): value.detach().clone() for name, value in found.items()}


def two_steps(loss: SentenceLoss, name: str, rank: int | None) -> dict[str, Tensor]:
    """Run two steps, for counters and queues, adding up the gradients; returns the terms of both."""
    terms = {}
    with draws_by_column():
        for step in (1, 2):
            torch.manual_seed(step)
            found = loss(*batch(name, rank))
            torch.stack(list(found.values())).sum().backward()
            terms |= {f"term {step} {key}": value.detach() for key, value in found.items()}
    return terms


@contextmanager
def draws_by_column() -> Iterator[None]:
    """Draw the same for every row, so that a row's draws do not depend on the share that it is in."""
    uniform = torch.rand(2, 1, 64, generator=torch.Generator().manual_seed(0))
    normal = torch.randn(64, generator=torch.Generator().manual_seed(0))

    def rand(*size: Any, **options: Any) -> Tensor:
        shape = tuple(size[0]) if not isinstance(size[0], int) else size
        if len(shape) == 1:
            return torch.full(shape, 0.37)
        kinds = uniform[: shape[0] if len(shape) == 3 else 1, :, : shape[-1]]
        return kinds.expand(-1, shape[-2], -1).reshape(shape).clone()

    def randint(*arguments: Any, **options: Any) -> Tensor:
        *bounds, shape = arguments
        low, high = bounds if len(bounds) == 2 else (0, bounds[0])
        return low + (torch.arange(shape[-1]) * (1 if len(shape) == 1 else 37)).expand(shape) % (high - low)

    def randn(rows: int, columns: int, **options: Any) -> Tensor:
        return normal[:columns].expand(rows, -1).clone()

    with pytest.MonkeyPatch.context() as patch:
        for function in (rand, randint, randn):
            patch.setattr(torch, function.__name__, function)
        yield
