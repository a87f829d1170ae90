"""Large contrastive batches in little memory: encode in mini-batches, keep only embeddings, and recompute activations in backward.

Gao et al. 2021, "Scaling Deep Contrastive Learning Batch Size under Memory Limited Setup" (GradCache), arXiv 2101.06983, implemented as
activation checkpointing of each mini-batch: torch's generator is restored for the second pass, so that it has the same dropout masks.
Deviation: heads and losses are computed on the whole batch, so that batch statistics are those of the whole batch.
"""

from __future__ import annotations

from types import MethodType
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from augcse.encoding.modes import in_mode
from augcse.errors import UserError

_OUTPUT_KEYS = ("sentence_embedding", "token_embeddings", "attention_mask")


def encode_in_mini_batches(model: nn.Module, rows: int) -> None:
    """Make a `SentenceTransformer` encode at most `rows` rows at a time when gradients are enabled; results and gradients do not change.

    The second pass uses the train or eval mode of the first, since a loss may encode in eval mode temporarily. Dropout masks differ from
    those of one large pass, but have the same distribution.

    Raises:
        UserError: the encoder has batch normalization, whose statistics would be those of a mini-batch.
    """
    if any(isinstance(module, nn.modules.batchnorm._BatchNorm) for module in model.modules()):
        raise UserError(
            "the encoder holds batch normalisation, whose statistics would be those of a mini-batch; set training.mini_batch_size to 0, or"
            " normalise in the projection, which sees the whole batch (objective.projection batchnorm)"
        )
    plain = model.forward

    def forward(self: nn.Module, features: dict[str, Any], *arguments: Any, **options: Any) -> dict[str, Any]:
        count = len(features["input_ids"])
        if not torch.is_grad_enabled() or count <= rows:
            all_rows: dict[str, Any] = plain(features, *arguments, **options)
            return all_rows

        training = self.training

        def encode(start: int) -> dict[str, Tensor]:
            batch = {key: value[start : start + rows] if _is_batched(value, count) else value for key, value in features.items()}
            with in_mode(self, training):
                result = plain(batch, *arguments, **options)
            return {key: result[key] for key in _OUTPUT_KEYS if key in result}

        outputs = [checkpoint(encode, start, use_reentrant=False) for start in range(0, count, rows)]
        return {**features, **{key: torch.cat([output[key] for output in outputs]) for key in outputs[0]}}

    model.forward = MethodType(forward, model)


def _is_batched(value: Any, count: int) -> bool:
    return isinstance(value, Tensor) and value.dim() > 0 and len(value) == count
