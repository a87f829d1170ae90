"""Refusals: the reasons why a rule leaves a candidate alone, each with a name and a sentence that must stay as it is.

    REFUSALS = (
        Refusal("reflexive object", "He hurt himself.", _has_reflexive),
        Refusal("question", "Who saw Mary?", _is_question),
    )

    if refused(REFUSALS, tree, clause):
        continue

A rule lists its refusals on its card (`@augmentation(refusals=REFUSALS)`): the contract suite tests every example, `augcse preview --why`
and the page of the augmentations show them, and scripts/sample_domains.py counts how often each decides on text of ten kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Generic, ParamSpec

Candidate = ParamSpec("Candidate")
# Noted of a user's rule, whose text is then left as it is.
EMPTY_RESULT = "it returned an empty text"
_noted: ContextVar[list[str] | None] = ContextVar("noted refusals", default=None)


@dataclass(frozen=True, slots=True)
class Refusal(Generic[Candidate]):
    """A reason to leave a candidate alone.

    Args:
        name: what the candidate is or lacks, in a few words of grammar: "reflexive object".
        example: a sentence that the rule leaves as it is, for this reason.
        holds: whether the reason applies to a candidate; takes the arguments that make up a candidate of the rule.
        options: options of the rule with which the example is left alone; needed where the default options never look at the example.
    """

    name: str
    example: str
    holds: Callable[Candidate, bool]
    options: dict[str, Any] = field(default_factory=dict, hash=False)

    def card(self) -> dict[str, str]:
        """Return what `augcse list augmentations --json` prints of a refusal."""
        return {"name": self.name, "example": self.example}


def refused(refusals: Sequence[Refusal[Candidate]], /, *candidate: Candidate.args, **named: Candidate.kwargs) -> bool:
    """Return whether one of the refusals applies to a candidate; the first that does is noted for `noting`."""
    name = next((refusal.name for refusal in refusals if refusal.holds(*candidate, **named)), None)
    if name is not None:
        note(name)
    return name is not None


def note(name: str) -> None:
    """Note that a refusal decided; for rules that do not call `refused`."""
    names = _noted.get()
    if names is not None:
        names.append(name)


@contextmanager
def noting() -> Iterator[list[str]]:
    """Collect the names of the refusals that decide inside the block, in order, once per candidate."""
    names: list[str] = []
    token = _noted.set(names)
    try:
        yield names
    finally:
        _noted.reset(token)
