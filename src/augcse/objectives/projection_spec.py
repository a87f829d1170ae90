"""How a projection head is named with its options: "batchnorm", "mlp:layers=2:heads=4", "moe:experts=4:active=2"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from augcse.errors import UserError, unknown_name

# Which options each kind has, with their defaults; all are whole numbers.
KINDS: Mapping[str, Mapping[str, int]] = {
    "none": {},
    "linear": {},
    "mlp": {"layers": 1, "heads": 1},
    "batchnorm": {},
    "moe": {"experts": 4, "active": 1},
}
# More would be larger than the encoder that it is thrown away from.
LARGEST = 64


@dataclass(frozen=True, slots=True)
class ProjectionSpec:
    """A kind and its options, written `kind[:option=number ...]`."""

    kind: str
    options: dict[str, int] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> ProjectionSpec:
        """Read a spec; raises `UserError` for an unknown kind or option, or a value that is no whole number from 1 to `LARGEST`."""
        kind, *parts = text.split(":")
        if kind not in KINDS:
            raise unknown_name("projection", kind, KINDS)
        options = dict(KINDS[kind])
        for part in parts:
            name, _, value = part.partition("=")
            if name not in options:
                raise unknown_name(f"option of projection {kind}", name, options)
            if not (value.isascii() and value.isdigit() and len(value) < 9 and 1 <= int(value) <= LARGEST):
                raise UserError(f"projection {text!r}: {name} is {value!r}; give a whole number from 1 to {LARGEST}")
            options[name] = int(value)
        if kind == "moe" and options["active"] > options["experts"]:
            experts = options["experts"]
            raise UserError(f"projection {text!r}: {options['active']} of {experts} experts cannot be active; give 1 to {experts}")
        return cls(kind, options)


def check_projection(text: str) -> str:
    """Return a projection's spec; raises as `ProjectionSpec.parse`."""
    ProjectionSpec.parse(text)
    return text
