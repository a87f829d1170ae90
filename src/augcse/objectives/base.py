"""The registry of objectives, readable without importing torch.

An objective is one decorated class in one module of this package:

    @objective("simcse", paper="SimCSE (Gao et al. 2021)", equation="Eq. 4", views=("original",))
    class SimCSELoss(SentenceLoss): ...

`OBJECTIVES` reads the decorators' literal arguments from the source files, so that `augcse list objectives` and recipe checks
answer in milliseconds; the class itself is imported when it is needed.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from augcse.errors import UserError, unknown_name

if TYPE_CHECKING:
    from torch import nn

LossClass = TypeVar("LossClass", bound=type)


@dataclass(frozen=True, slots=True)
class ObjectiveCard:
    """What is known of an objective before torch is imported."""

    name: str
    paper: str
    equation: str
    views: tuple[str, ...]
    class_name: str
    module: str
    description: str
    options: tuple[str, ...]

    def load(self) -> type[nn.Module]:
        """Import and return the loss class."""
        loss_class: type[nn.Module] = getattr(importlib.import_module(self.module), self.class_name)
        return loss_class

    def check_options(self, options: Iterable[str]) -> None:
        """Raise `UserError` for an option the loss does not take."""
        for name in options:
            if name not in self.options:
                raise unknown_name(f"option of objective {self.name}", name, self.options)

    def card(self) -> dict[str, Any]:
        """Return what `augcse list objectives --json` prints."""
        return {
            "name": self.name,
            "class": self.class_name,
            "paper": self.paper,
            "equation": self.equation,
            "views": list(self.views),
            "options": list(self.options),
            "description": self.description,
        }


# Given by the trainer, never by a recipe.
RESERVED_ARGUMENTS = frozenset({"self", "model", "num_augmentations"})


def objective(name: str, *, paper: str, equation: str, views: tuple[str, ...]) -> Callable[[LossClass], LossClass]:
    """Mark a class as the objective `name`. Arguments must be literals: they are read from the source.

    Args:
        name: what recipes call it.
        paper: the source.
        equation: which equation of it.
        views: the text columns it takes, in order: "original", "augmented".
    """

    def mark(loss_class: LossClass) -> LossClass:
        return loss_class

    return mark


class _Objectives(Mapping[str, ObjectiveCard]):
    @cached_property
    def _cards(self) -> dict[str, ObjectiveCard]:
        folder = Path(__file__).parent
        found = [card for file in sorted(folder.glob("*.py")) for card in cards_of_source(file.read_text("utf-8"), file.stem)]
        return {card.name: card for card in found}

    def __getitem__(self, name: str) -> ObjectiveCard:
        if name not in self._cards:
            raise unknown_name("objective", name, self._cards)
        return self._cards[name]

    def __contains__(self, name: object) -> bool:
        return name in self._cards

    def __iter__(self) -> Any:
        return iter(sorted(self._cards))

    def __len__(self) -> int:
        return len(self._cards)


def cards_of_source(source: str, module: str) -> list[ObjectiveCard]:
    """Return the cards of the decorated classes in a module's source text."""
    cards = []
    for node in ast.parse(source).body:
        if not isinstance(node, ast.ClassDef):
            continue
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "objective":
                arguments = {keyword.arg: ast.literal_eval(keyword.value) for keyword in decorator.keywords if keyword.arg}
                description = " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split())
                cards.append(
                    ObjectiveCard(
                        name=ast.literal_eval(decorator.args[0]),
                        class_name=node.name,
                        module=f"augcse.objectives.{module}",
                        description=description,
                        options=_constructor_options(node),
                        **arguments,
                    )
                )
    return cards


def _constructor_options(node: ast.ClassDef) -> tuple[str, ...]:
    for function in node.body:
        if isinstance(function, ast.FunctionDef) and function.name == "__init__":
            names = [argument.arg for argument in [*function.args.args, *function.args.kwonlyargs]]
            return tuple(name for name in names if name not in RESERVED_ARGUMENTS)
    return ()


OBJECTIVES: Mapping[str, ObjectiveCard] = _Objectives()


def require(condition: bool, message: str) -> None:
    """Raise `UserError` with `message` unless `condition` holds: the check of an objective's settings."""
    if not condition:
        raise UserError(message)
