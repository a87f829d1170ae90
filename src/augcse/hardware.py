"""Capabilities of the machine."""

from __future__ import annotations

import platform


def has_bf16() -> bool:
    """Return whether the device in use, the GPU if there is one, multiplies bf16 matrices in hardware.

    On a CPU both the processor and oneDNN, the library that multiplies, must support it: `ONEDNN_MAX_CPU_ISA=AVX2` disables it.
    """
    import torch

    if torch.cuda.is_available():
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    # From AVX-512 on, oneDNN accepts bf16, and emulates it on processors without bf16 instructions.
    accepted = bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())
    return accepted and (platform.machine().lower() not in ("x86_64", "amd64") or torch.cpu._is_avx512_bf16_supported())
