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
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import augcse.objectives.option_types as option_types
from augcse.errors import UserError, unknown_name
from augcse.options import Option, checked_options, checks_arguments, resolve

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
    options: Mapping[str, Option] = field(hash=False)
    # What it takes in a stock trainer: text columns, and what a label means.
    inputs: str

    @property
    def takes_labels(self) -> bool:
        """Whether every row needs a label: which augmentation made its second text."""
        return "augmented" in self.views

    def load(self) -> type[nn.Module]:
        """Import and return the loss class."""
        loss_class: type[nn.Module] = getattr(importlib.import_module(self.module), self.class_name)
        return loss_class

    def check_options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options as the loss takes them; raises `UserError` for one it does not have, or a value it cannot take."""
        return checked_options(self.options, options, f"objective {self.name}")

    def card(self) -> dict[str, Any]:
        """Return what `augcse list objectives --json` prints."""
        return {
            "name": self.name,
            "class": self.class_name,
            "paper": self.paper,
            "equation": self.equation,
            "views": list(self.views),
            "options": [option.card() for option in self.options.values()],
            "description": self.description,
        }


# Given by the trainer, never by a recipe.
RESERVED_ARGUMENTS = frozenset({"self", "model", "num_augmentations"})


def objective(name: str, *, paper: str, equation: str, views: tuple[str, ...]) -> Callable[[LossClass], LossClass]:
    """Mark a class as the objective `name`, and make its constructor check its options.

    Arguments must be literals, and options annotated with `option_types`: they are read from the source.

    Args:
        name: what recipes call it.
        paper: the source.
        equation: which equation of it.
        views: the text columns it takes, in order: "original", "augmented".
    """

    def mark(loss_class: LossClass) -> LossClass:
        loss_class.__init__ = checks_arguments(loss_class.__init__)  # type: ignore[misc]
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
                paragraphs = [" ".join(part.split()) for part in (ast.get_docstring(node) or "").split("\n\n")]
                cards.append(
                    ObjectiveCard(
                        name=ast.literal_eval(decorator.args[0]),
                        class_name=node.name,
                        module=f"augcse.objectives.{module}",
                        description=paragraphs[0],
                        inputs=next((part.removeprefix(_INPUTS) for part in paragraphs if part.startswith(_INPUTS)), ""),
                        options=_constructor_options(node),
                        **arguments,
                    )
                )
    return cards


def _constructor_options(node: ast.ClassDef) -> dict[str, Option]:
    """Return the options that the constructor takes: their types are names of `option_types`, their defaults literals."""
    for function in node.body:
        if isinstance(function, ast.FunctionDef) and function.name == "__init__":
            named = [*function.args.args, *function.args.kwonlyargs]
            defaults = _defaults(function.args)
            return {
                argument.arg: Option(
                    argument.arg,
                    resolve(ast.unparse(argument.annotation) if argument.annotation else inspect.Parameter.empty, vars(option_types)),
                    defaults.get(argument.arg, inspect.Parameter.empty),
                )
                for argument in named
                if argument.arg not in RESERVED_ARGUMENTS
            }
    return {}


def _defaults(arguments: ast.arguments) -> dict[str, Any]:
    positional = arguments.args[len(arguments.args) - len(arguments.defaults) :]
    pairs = [*zip(positional, arguments.defaults, strict=True), *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    return {argument.arg: ast.literal_eval(default) for argument, default in pairs if default is not None}


_INPUTS = "Inputs in a `SentenceTransformerTrainer`: "
OBJECTIVES: Mapping[str, ObjectiveCard] = _Objectives()


def require(condition: bool, message: str) -> None:
    """Raise `UserError` with `message` unless `condition` holds: the check of an objective's settings."""
    if not condition:
        raise UserError(message)
