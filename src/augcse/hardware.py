"""What the machine can do."""

from __future__ import annotations


def has_bf16() -> bool:
    """Whether the device in use, the GPU if there is one, multiplies bf16 matrices in hardware."""
    import torch

    if torch.cuda.is_available():
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())
