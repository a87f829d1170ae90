"""Options: type and range of each, read from the annotations of the function that takes it.

    def random_swap(sentence, rng, *, rate: Share = 0.3, adjacent: bool = True): ...

The annotation is the only place where a range is stated: checks, messages, `augcse list` and the docs are derived from it.
"""

from __future__ import annotations

import functools
import inspect
import sys
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar, get_args

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.errors import PydanticUserError

from augcse.allowed_values import ANY, describe, literals, means_none, members, type_name, value_text, without_constraints
from augcse.errors import UserError, unknown_name
from augcse.plain_values import plain

Function = TypeVar("Function", bound=Callable[..., Any])

# A share of rows, words or letters.
Share = Annotated[float, Field(ge=0, le=1)]
# Number of results per call, bounded since memory grows with it.
Count = Annotated[int, Field(ge=1, le=1000)]
# Accepted by all generators of numpy and torch.
MAX_SEED = 2**32 - 1
Seed = Annotated[int, Field(ge=0, le=MAX_SEED)]
# Processes on one machine.
MAX_WORKERS = 512
# More than any model has.
MAX_LAYERS = 10_000
MAX_BATCH_ROWS = 1_000_000
MAX_RESAMPLES = 1_000_000


def check_seeds(seeds: Any, where: str = "") -> tuple[int, ...]:
    """Return the seeds of several runs.

    Raises:
        UserError: beginning with `where`: a value that is not a list of seeds, an empty list, an invalid seed, or one that is given twice.
    """
    remedy = f"give whole numbers from 0 to {MAX_SEED}, e.g. [1, 11, 42]"
    if isinstance(seeds, str) or not isinstance(seeds, Sequence):
        raise UserError(f"{where}{value_text(seeds)} is not a list of seeds; {remedy}")
    if not seeds:
        raise UserError(f"{where}no seed; {remedy}")
    for seed in seeds:
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MAX_SEED:
            raise UserError(f"{where}{value_text(seed)} is not a seed; {remedy}")
        if seeds.count(seed) > 1:
            raise UserError(f"{where}{seed} is given twice; give each seed once")
    return tuple(seeds)


@dataclass(frozen=True, slots=True)
class FileName:
    """Marks the annotation of a text that may name a user's file or folder, whose content then affects the results too.

    `words` are the values that do not name a file, and `prefix` is the text before a path.
    """

    words: tuple[str, ...] = ()
    prefix: str = ""


# Numbers, booleans and strings are never converted into one another; infinity and NaN are not allowed.
_STRICT = ConfigDict(strict=True, allow_inf_nan=False)


@dataclass(frozen=True, slots=True)
class Option:
    """An option of an augmentation or objective, built-in or user-defined: name, allowed values and default."""

    name: str
    annotation: Any
    default: Any = ANY

    @property
    def type(self) -> str:
        """The type in words: "float", "int", "bool", "str", "list", with " or none" if optional; "any" without an annotation."""
        kinds, optional = members(self.annotation)
        names = dict.fromkeys(type_name(kind) for kind in kinds)
        return " or ".join([*names, *(["none"] if optional else [])])

    def card(self) -> dict[str, Any]:
        """Return the entry of `augcse list --json`."""
        return {"name": self.name, "type": self.type, "default": None if self.default is ANY else self.default, "allowed": self.allowed}

    @property
    def allowed(self) -> str:
        """The allowed values in words, for messages and lists: "a number from 0 to 1", "one of: paper, repo"."""
        return describe(self.annotation)

    def check(self, value: Any, owner: str) -> Any:
        """Return the value as Python's own (`plain`); None for the text "none" if None is allowed and the text is not.

        It is unchanged if the annotation takes any value, or a type that `plain` replaces.

        Raises:
            UserError: the value has the wrong type or is out of range.
        """
        if self.annotation in (ANY, Any) or (value is self.default and value is not ANY):
            return value
        try:
            return self._validated(value)
        except PydanticUserError:
            # A user-defined type, which only the user's code can check.
            return value
        except ValidationError as error:
            if means_none(self.annotation, value):
                return None
            raise UserError(f"{owner}: {self.name} is {value_text(value)}; {self._remedy(value, error)}") from error

    def _validated(self, value: Any) -> Any:
        """Return the value, as Python's own if the annotation accepts that; raises `ValidationError`."""
        adapter = _adapter(self.annotation)
        if any(without_constraints(kind) in (ANY, Any, object) for kind in members(self.annotation)[0]):
            return adapter.validate_python(value)
        try:
            return adapter.validate_python(plain(value))
        except ValidationError:
            # A user's own option may ask for a set or an object that `plain` replaces.
            return adapter.validate_python(value)

    def file_named(self, value: Any) -> str | None:
        """Return the path that a value may name, or None; any text may name one if a user's annotation is only `str`, or missing."""
        kinds, _ = members(self.annotation)
        marks = [mark for kind in kinds for mark in get_args(kind)[1:] if isinstance(mark, FileName)]
        if not isinstance(value, str) or not (marks or ANY in kinds or str in kinds):
            return None
        if not marks:
            return value
        return None if value in marks[0].words else value.removeprefix(marks[0].prefix)

    def read(self, text: str, owner: str) -> Any:
        """Return the value that `text` means: a number, true, false, none, or the text itself if the option takes one."""
        value = read_value(text)
        if value == text or self.annotation is ANY or not self._accepts(text) or self._accepts(value):
            return self.check(value, owner)
        return text

    def _accepts(self, value: Any) -> bool:
        """Return whether the annotation accepts a value."""
        try:
            _adapter(self.annotation).validate_python(value)
        except PydanticUserError:
            return True
        except ValidationError:
            return False
        return True

    def _remedy(self, value: Any, error: ValidationError) -> str:
        """Return what to give instead of a value that is not allowed."""
        ours = next((details["ctx"]["error"] for details in error.errors() if details["type"] == "value_error"), None)
        if ours is not None:
            # Raised by one of our validators, whose message is complete.
            return str(ours)
        guess = self._nearest(value)
        default = "none" if self.default is None else value_text(self.default)
        hint = "" if self.default is ANY or callable(self.default) else f" (default {default})"
        return f"give {self.allowed}{hint}" + (f"; {guess}" if guess else "")

    def _nearest(self, value: Any) -> str:
        """Return "did you mean ...?" for a misspelt choice, or "" if no choice is similar or the option has no choices."""
        kinds, _ = members(self.annotation)
        choices: list[Any] = []
        for kind in kinds:
            # The choices of a list are those of its entries.
            choices += literals(kind) or [choice for entry in get_args(without_constraints(kind)) for choice in literals(entry)]
        texts = [value] if isinstance(value, str) else value
        for text in texts if isinstance(texts, list) else ():
            if isinstance(text, str) and text not in choices:
                question = str(unknown_name("", text, choices)).partition("; ")[2]
                if question.startswith("did you mean"):
                    return question
        return ""


def options_of(function: Callable[..., Any], names: Iterable[str] | None = None) -> dict[str, Option]:
    """Return the options of a function by name: its keyword-only parameters, or the given ones."""
    parameters = inspect.signature(function).parameters
    wanted = [p.name for p in parameters.values() if p.kind is p.KEYWORD_ONLY] if names is None else list(names)
    namespace = namespace_of(function)
    return {name: Option(name, resolve(parameters[name].annotation, namespace), parameters[name].default) for name in wanted}


def checked_options(options: Mapping[str, Option], given: Mapping[str, Any], owner: str) -> dict[str, Any]:
    """Return the given values after checking type and range of each.

    Args:
        options: all options, by name.
        given: values, by option name.
        owner: the owner of the options, for messages: "RandomSwap", "objective simcse".

    Raises:
        UserError: an unknown option (the message suggests similar names), or a value that is not allowed.
    """
    return {name: _option(options, name, owner).check(value, owner) for name, value in given.items()}


def read_options(options: Mapping[str, Option], given: Mapping[str, str], owner: str) -> dict[str, Any]:
    """Parse and check the values; raises as `checked_options`."""
    return {name: _option(options, name, owner).read(text, owner) for name, text in given.items()}


def option_texts(text: str, name: str, parts: Iterable[str]) -> dict[str, str]:
    """Split parts of the form `option=value`; `text` is the whole input and `name` the owner of the options, both for messages.

    A part without "=" continues the previous value, which contains a colon: "lexicon=wndb:FOLDER".

    Raises:
        UserError: an option has no value, or is given twice.
    """
    texts: dict[str, str] = {}
    latest = ""
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals and not latest:
            raise UserError(f"{text!r}: {part!r} has no value; write {name}:option=value")
        if not equals:
            texts[latest] += f":{part.strip()}"
            continue
        latest = key.strip()
        if latest in texts:
            raise UserError(f"{text!r}: {latest} is given twice; give it once")
        texts[latest] = value.strip()
    return texts


def checks_arguments(function: Function) -> Function:
    """Decorate a function to check its annotated arguments."""

    @functools.wraps(function)
    def checked(*arguments: Any, **named: Any) -> Any:
        try:
            bound = signature.bind(*arguments, **named)
        except TypeError:
            # The function's own error names the function and every missing argument.
            return function(*arguments, **named)
        for name, value in bound.arguments.items():
            if name in options:
                bound.arguments[name] = options[name].check(value, owner)
        return function(*bound.args, **bound.kwargs)

    signature = inspect.signature(function)
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    options = options_of(function, [p.name for p in signature.parameters.values() if p.kind not in several])
    owner = function.__qualname__.removesuffix(".__init__")
    return checked  # type: ignore[return-value]


def read_value(text: str) -> Any:
    """Parse an unquoted value: true, false, none, an integer, a number, or else the text itself.

    >>> [read_value(text) for text in ("3", "0.5", "true", "none", "mini-bert")]
    [3, 0.5, True, None, 'mini-bert']
    """
    words = {"true": True, "false": False, "none": None}
    if text.lower() in words:
        return words[text.lower()]
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


def resolve(annotation: Any, namespace: Mapping[str, Any]) -> Any:
    """Return the type of an annotation; `ANY` if its names are not defined at run time (TYPE_CHECKING)."""
    if annotation is ANY:
        return ANY
    holder = types.SimpleNamespace(__annotations__={"option": annotation})
    try:
        return typing.get_type_hints(holder, globalns=dict(namespace), include_extras=True)["option"]
    except (NameError, AttributeError, TypeError, SyntaxError):
        return ANY


def namespace_of(function: Callable[..., Any]) -> Mapping[str, Any]:
    """Return the globals of a function's module, in which its annotations are resolved."""
    module = sys.modules.get(getattr(function, "__module__", None) or "")
    return vars(module) if module else {}


def _option(options: Mapping[str, Option], name: str, owner: str) -> Option:
    if name in options:
        return options[name]
    if not options:
        raise UserError(f"unknown option of {owner} {name!r}; it has none, leave it out")
    raise unknown_name(f"option of {owner}", name, options)


@functools.lru_cache(maxsize=1024)
def _adapter(annotation: Any) -> TypeAdapter[Any]:
    return TypeAdapter(annotation, config=_STRICT)
