"""What a post-processing step is: a function that adds a module to a finished encoder, fitted on sentences, with its card.

    @step("whiten", source="Su et al. 2021, arXiv 2103.15316")
    def whiten(fitting: Fitting, *, exponent: Exponent = 1.0) -> dict[str, Any]: ...

A step takes a `Fitting` (the encoder after the previous steps, and the sentences), changes it, and returns figures about the change. It is
written `NAME[:option=value,option=value]`. Its file imports torch and numpy when it is called, so that steps are listed and checked
without them.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from augcse.errors import UserError
from augcse.options import Option, option_texts, options_of, read_options
from augcse.registry import Registry

Reads = Literal["layers", "tokens", "sentences"]
Function = Callable[..., dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Step:
    """A step and its card.

    Args:
        name: what it is called.
        source: the paper.
        description: what it does, in a sentence.
        function: takes a `Fitting`, and the options by name.
        reads: what it works on; a step on hidden layers comes before one on token vectors, and both before those on sentences.
    """

    name: str
    source: str
    description: str
    function: Function
    reads: Reads = "sentences"

    @property
    def options(self) -> dict[str, Option]:
        """Its options, by name."""
        return options_of(self.function)

    def card(self) -> dict[str, Any]:
        """Return what `augcse list steps --json` prints."""
        return {
            "name": self.name,
            "source": self.source,
            "description": self.description,
            "options": [option.card() for option in self.options.values()],
        }


@dataclass(frozen=True, slots=True)
class StepSpec:
    """A step and all its options, with defaults for those that were not given."""

    step: Step
    options: Mapping[str, Any]

    def described(self) -> dict[str, Any]:
        """Return name and options, for a record."""
        return {"name": self.step.name, "options": dict(self.options)}


STEPS: Registry[Step] = Registry("step", "augcse.encoding.steps")


def step(name: str, *, source: str, reads: Reads = "sentences") -> Callable[[Function], Function]:
    """Register the decorated function as the step `name`; its description is the first paragraph of its docstring."""

    def register(function: Function) -> Function:
        description = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())
        STEPS.add(name, Step(name, source, description, function, reads), function.__module__)
        return function

    return register


def parse_steps(texts: Sequence[str]) -> list[StepSpec]:
    """Read several steps, in the order in which they are applied.

    Raises:
        UserError: as `parse_step`, or a step on layers or tokens after one that reads the same or a later stage.
    """
    specs = [parse_step(text) for text in texts]
    order = get_args(Reads)
    for before, after in itertools.pairwise(spec.step for spec in specs):
        if after.reads != "sentences" and order.index(after.reads) <= order.index(before.reads):
            raise UserError(f"{after.name} reads {after.reads}, and {before.name} was to come before it; give {after.name} first")
    return specs


def parse_step(text: str) -> StepSpec:
    """Read `NAME[:option=value,option=value]`; options are separated by commas or colons.

    Raises:
        UserError: an unknown step or option, an option without a value or twice, or a value that is not allowed.

    >>> dict(parse_step("remove-components:k=2").options)
    {'k': 2, 'centre': False}
    """
    name, _, options_text = text.strip().partition(":")
    chosen = STEPS.get(name.strip())
    assignments = [assignment for assignment in options_text.replace(":", ",").split(",") if assignment.strip()]
    given = read_options(chosen.options, option_texts(text.strip(), chosen.name, assignments), chosen.name)
    return StepSpec(chosen, {option.name: given.get(option.name, option.default) for option in chosen.options.values()})
