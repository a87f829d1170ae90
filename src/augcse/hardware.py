"""What the machine can do."""

from __future__ import annotations

import platform


def has_bf16() -> bool:
    """Whether the device in use, the GPU if there is one, multiplies bf16 matrices in hardware.

    On a CPU both must say so, the processor and oneDNN, which multiplies: `ONEDNN_MAX_CPU_ISA=AVX2` makes a processor with bf16
    instructions one without.
    """
    import torch

    if torch.cuda.is_available():
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    # oneDNN takes bf16 from AVX-512 on, and emulates it where the processor has no instructions for it.
    taken = bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())
    return taken and (platform.machine().lower() not in ("x86_64", "amd64") or torch.cpu._is_avx512_bf16_supported())
