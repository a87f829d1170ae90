"""What an augmentation is: a pure rule from (sentence, random stream) to a new sentence or None, with its card.

    @augmentation(
        "RandomSwap",
        family="word",
        meaning="possible_alteration",
        source="AugCSE (Tang et al. 2022), A.2; EDA (Wei and Zou 2019)",
        example=Example("...", "...", seed=3),
    )
    def random_swap(sentence: str, rng: Random, *, rate: float = 0.3) -> str | None: ...

A rule that needs the parse declares `needs=("parse",)` and takes a `Parse` in place of the string.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from augcse.annotation.parse import Parse
from augcse.errors import UserError, unknown_name
from augcse.registry import Registry
from augcse.rng import stream

Meaning = Literal["highly_preserving", "possible_alteration", "alteration"]
Need = Literal["parse", "wordnet", "mlm"]
Rule = Callable[..., str | None]


@dataclass(frozen=True, slots=True)
class Example:
    """An input and the exact output the rule gives for it at `seed`; the contract tests run every one."""

    sentence: str
    augmented: str
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Augmentation:
    """A rule and its card."""

    name: str
    family: str
    meaning: Meaning
    source: str
    description: str
    example: Example
    rule: Rule
    needs: tuple[Need, ...] = ()
    languages: tuple[str, ...] = ("en",)

    @property
    def needs_parse(self) -> bool:
        """Whether the rule takes a `Parse` in place of the sentence."""
        return "parse" in self.needs

    def options(self) -> dict[str, Any]:
        """Return the rule's options with their defaults."""
        parameters = inspect.signature(self.rule).parameters.values()
        return {p.name: p.default for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY}

    def check_options(self, options: dict[str, Any]) -> None:
        """Raise `UserError` for an option the rule does not have."""
        for name in options:
            if name not in self.options():
                raise unknown_name(f"option of {self.name}", name, self.options())

    def apply(self, sentence: str | Parse, rng: Random, **options: Any) -> str | None:
        """Return the new sentence, or None when the rule does not apply. Never returns its input, never an empty text."""
        original = sentence.text if isinstance(sentence, Parse) else sentence
        augmented = self.rule(sentence, rng, **options)
        return augmented if augmented and augmented.strip() and augmented != original else None

    def card(self) -> dict[str, Any]:
        """Return what `augcse list augmentations --json` prints."""
        return {
            "name": self.name,
            "family": self.family,
            "meaning": self.meaning,
            "needs": list(self.needs),
            "languages": list(self.languages),
            "source": self.source,
            "description": self.description,
            "example": {"sentence": self.example.sentence, "augmented": self.example.augmented, "seed": self.example.seed},
        }


AUGMENTATIONS: Registry[Augmentation] = Registry("augmentation", "augcse.augmentations.rules")


def augmentation(
    name: str,
    *,
    family: str,
    meaning: Meaning,
    source: str,
    example: Example,
    needs: tuple[Need, ...] = (),
    languages: tuple[str, ...] = ("en",),
) -> Callable[[Rule], Rule]:
    """Register the decorated rule under `name`; its description is the first paragraph of its docstring."""

    def register(rule: Rule) -> Rule:
        description = " ".join((inspect.getdoc(rule) or "").split("\n\n")[0].split())
        member = Augmentation(name, family, meaning, source, description, example, rule, needs, languages)
        AUGMENTATIONS.add(name, member)
        return rule

    return register


def row_stream(seed: int, name: str, row: int, epoch: int = 0) -> Random:
    """Return the stream of one augmentation on one row."""
    return stream(seed, name, row, epoch)


def check_rate(rate: float, name: str = "rate") -> None:
    """Raise `UserError` unless `rate` is a share between 0 and 1."""
    if not 0.0 <= rate <= 1.0:
        raise UserError(f"{name} is {rate}; give a share between 0 and 1")
