"""The registry of objectives, readable without importing torch.

An objective is one decorated class in one module of this package, of an installed one (entry point "augcse.objectives"), or in a file
(`path/to/file.py:MyLoss`):

    @objective("simcse", paper="SimCSE (Gao et al. 2021)", equation="Eq. 4", views=("original",))
    class SimCSELoss(SentenceLoss): ...

The decorators' literal arguments are read from the source files, so that `augcse list objectives` and recipe checks answer in
milliseconds; the class itself is imported when it is needed.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, wraps
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import augcse.objectives.option_types as option_types
from augcse.allowed_values import value_text
from augcse.errors import ForeignFailure, UserError, unknown_name
from augcse.files import file_sha256
from augcse.options import Option, checked_options, checks_arguments, resolve
from augcse.own_files import failure_at, names_file, run_file, split_name
from augcse.registry import Registry, check_point_name
from augcse.sections import VIEWS

if TYPE_CHECKING:
    from augcse.objectives.sentence_loss import SentenceLoss

LossClass = TypeVar("LossClass", bound=type)
_PACKAGE = "augcse.objectives"
_INPUTS = "Inputs in a `SentenceTransformerTrainer`: "
# Given by the trainer, never by a recipe.
RESERVED_ARGUMENTS = frozenset({"self", "model", "num_augmentations"})


@dataclass(frozen=True, slots=True)
class ObjectiveCard:
    """The description of an objective, which is available without importing torch."""

    name: str
    paper: str
    equation: str
    views: tuple[str, ...]
    class_name: str
    module: str
    # The file of a user's objective; None for those of this package.
    file: Path | None
    description: str
    options: Mapping[str, Option] = field(hash=False)
    # The text columns and labels that it takes in a stock trainer.
    inputs: str
    # Whether every row needs a label: the index of the augmentation that made its second text.
    takes_labels: bool = False
    # Whether it uses sentence embeddings alone, so that it can train a static encoder.
    trains_static: bool = False

    @property
    def full_name(self) -> str:
        """Module and class, as a model card names a loss."""
        return f"{self.module or (self.file.stem if self.file else '')}.{self.class_name}"

    def load(self) -> type[SentenceLoss]:
        """Import and return the loss class; raises `UserError` if a user's code fails, or its class is not a `SentenceLoss`."""
        if self.file is None:
            ours: type[SentenceLoss] = getattr(importlib.import_module(self.module), self.class_name)
            return ours
        from augcse.objectives.sentence_loss import SentenceLoss

        with ForeignFailure(self._failure):
            module = importlib.import_module(self.module) if self.module else run_file(self.file)
        loss_class: object = getattr(module, self.class_name)
        if isinstance(loss_class, type) and issubclass(loss_class, SentenceLoss):
            return loss_class
        raise UserError(f"{self.file}: {self.class_name} is no SentenceLoss; derive it from augcse.objectives.sentence_loss.SentenceLoss")

    def build(self, model: object, options: Mapping[str, Any]) -> SentenceLoss:
        """Create the loss for an encoder; raises `UserError` as `load` and the constructor do."""
        build: Callable[..., SentenceLoss] = self.load()
        if self.file is None:
            return build(model, **options)
        with ForeignFailure(self._failure):
            loss = build(model, **options)
        self.check_views(loss.traits.views)
        return loss

    def _failure(self, error: BaseException) -> str:
        return f"objective {self.name} failed: {failure_at(error, str(self.file))}"

    def check_views(self, views: tuple[str, ...]) -> None:
        """Raise `UserError`, with file and class, unless these are a tuple of the views that a row may have."""
        where = f"{self.file}: {self.class_name}: views"
        if not isinstance(views, tuple):
            raise UserError(f'{where} is {value_text(views)}; write a tuple, such as ("original",)')
        for view in views:
            if view not in VIEWS:
                raise UserError(f"{where}: {unknown_name('view', view, VIEWS)}")

    def code_sha256(self) -> str | None:
        """Return the SHA-256 of a user's file; None for objectives of this package, which its version identifies."""
        return None if self.file is None else file_sha256(self.file)

    def check_options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the validated options; raises `UserError` for an unknown option or an invalid value."""
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


def objective(
    name: str, *, paper: str, equation: str, views: tuple[str, ...], trains_static: bool = False
) -> Callable[[LossClass], LossClass]:
    """Register a class as the objective `name`; its constructor then validates its options and saves them as `settings`.

    The arguments must be literals, and options annotated with types of `option_types`, because they are parsed from the source.

    Args:
        name: the name in recipes.
        paper: the paper that it is from.
        equation: the equation in the paper.
        views: the text columns that it takes, in order: "original", "augmented".
        trains_static: whether it uses sentence embeddings alone, so that it can train a static encoder.
    """

    def mark(loss_class: LossClass) -> LossClass:
        loss_class.card_views = views  # type: ignore[attr-defined]
        loss_class.trains_static = trains_static  # type: ignore[attr-defined]
        loss_class.__init__ = checks_arguments(_keeps_settings(loss_class.__init__))  # type: ignore[misc]
        return loss_class

    return mark


def _keeps_settings(constructor: Callable[..., None]) -> Callable[..., None]:
    """Wrap a constructor, so that it saves its arguments, defaults included, as `settings`."""
    signature = inspect.signature(constructor)

    @wraps(constructor)
    def construct(self: Any, *arguments: Any, **named: Any) -> None:
        constructor(self, *arguments, **named)
        bound = signature.bind(self, *arguments, **named)
        bound.apply_defaults()
        self.settings = {name: value for name, value in bound.arguments.items() if name not in ("self", "model")}

    return construct


def find_objective(name: str) -> ObjectiveCard:
    """Return the objective called `name`: a registered one, or `file.py:Class`.

    Raises:
        UserError: no such name, no such file, or no decorated class of that name in it.
    """
    return _from_file(name) if names_file(name) else OBJECTIVES.get(name)


@cache
def _from_file(name: str) -> ObjectiveCard:
    path, class_name = split_name(name, "objective")
    return _read_user_card(class_name, path, module="")


def _from_entry_point(point: EntryPoint) -> ObjectiveCard:
    spec = importlib.util.find_spec(point.module)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"no module {point.module}")
    card = _read_user_card(point.attr, Path(spec.origin), point.module)
    check_point_name(point, card.name)
    return card


def _read_user_card(class_name: str, path: Path, module: str) -> ObjectiveCard:
    """Return the card of a user's class, parsed from its file."""
    with ForeignFailure(lambda error: f"{path} cannot be read: {error}; @objective and the defaults of __init__ take literals"):
        cards = {card.class_name: card for card in cards_of_source(path.read_text("utf-8"), module, path)}
    if not cards:
        raise UserError(f"{path} has no class {class_name} decorated with @objective")
    if class_name not in cards:
        raise UserError(f"{path}: {unknown_name('objective', class_name, cards)}; decorate its class with @objective")
    cards[class_name].check_views(cards[class_name].views)
    return cards[class_name]


def _register_module(module: str) -> None:
    """Register the objectives of one of our modules."""
    name = module.removeprefix(f"{_PACKAGE}.").replace(".", "/")
    for card in cards_of_source((Path(__file__).parent / f"{name}.py").read_text("utf-8"), module):
        OBJECTIVES.add(card.name, card, module)


OBJECTIVES: Registry[ObjectiveCard] = Registry("objective", _PACKAGE, _PACKAGE, _from_entry_point, _register_module)


def cards_of_source(source: str, module: str, file: Path | None = None) -> list[ObjectiveCard]:
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
                        module=module,
                        file=file,
                        description=paragraphs[0],
                        inputs=next((part.removeprefix(_INPUTS) for part in paragraphs if part.startswith(_INPUTS)), ""),
                        options=_constructor_options(node),
                        takes_labels="num_augmentations" in (argument.arg for argument in _constructor_arguments(node)),
                        **arguments,
                    )
                )
    return cards


def _constructor_options(node: ast.ClassDef) -> dict[str, Option]:
    """Return the options that the constructor takes: their types are names of `option_types`, their defaults literals."""
    constructor = _constructor(node)
    defaults = _defaults(constructor.args) if constructor else {}
    return {
        argument.arg: Option(
            argument.arg,
            resolve(ast.unparse(argument.annotation) if argument.annotation else inspect.Parameter.empty, vars(option_types)),
            defaults.get(argument.arg, inspect.Parameter.empty),
        )
        for argument in _constructor_arguments(node)
        if argument.arg not in RESERVED_ARGUMENTS
    }


def _constructor_arguments(node: ast.ClassDef) -> list[ast.arg]:
    constructor = _constructor(node)
    return [*constructor.args.args, *constructor.args.kwonlyargs] if constructor else []


def _constructor(node: ast.ClassDef) -> ast.FunctionDef | None:
    return next((part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == "__init__"), None)


def _defaults(arguments: ast.arguments) -> dict[str, Any]:
    positional = arguments.args[len(arguments.args) - len(arguments.defaults) :]
    pairs = [*zip(positional, arguments.defaults, strict=True), *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    return {argument.arg: ast.literal_eval(default) for argument, default in pairs if default is not None}
