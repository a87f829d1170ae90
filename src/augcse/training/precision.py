"""Which number format to train in: bf16 where the hardware multiplies it, fp32 elsewhere."""

from __future__ import annotations

from typing import Literal

from augcse.errors import UserError
from augcse.hardware import has_bf16

Precision = Literal["bf16", "fp32"]


def resolve_precision(wanted: Literal["auto", "bf16", "fp32"]) -> Precision:
    """Return the precision to use.

    "auto" is bf16 on a GPU or CPU with bf16 instructions. A CPU without them emulates bf16: the matrix products of a training step were
    6 to 200 times slower than in fp32 on such a machine, so "auto" never takes bf16 there, and an explicit "bf16" is refused.
    """
    if wanted == "fp32":
        return "fp32"
    if has_bf16():
        return "bf16"
    if wanted == "bf16":
        raise UserError("this machine has no bf16 instructions and would emulate them very slowly; set training.precision to fp32")
    return "fp32"
