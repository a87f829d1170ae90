"""What the annotation of an option allows, in words: for messages, `augcse list` and the docs."""

from __future__ import annotations

import inspect
import types
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

# No annotation.
ANY = inspect.Parameter.empty
_NOUNS = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}


def describe(annotation: Any) -> str:
    """Describe in words which values an annotation allows.

    >>> describe(int), describe(Literal["paper", "repo"] | None)
    ('a whole number', 'one of: paper, repo, none')
    """
    kinds, optional = members(annotation)
    words = [value for kind in kinds for value in literals(kind)]
    others = [_describe_one(kind) for kind in kinds if not literals(kind)]
    if words:
        others.append("one of: " + ", ".join(map(str, [*words, *(["none"] if optional else [])])))
    elif optional:
        others.append("none")
    return " or ".join(dict.fromkeys(others))


def members(annotation: Any) -> tuple[list[Any], bool]:
    """Return the members of a union, and whether None is one of them."""
    bare = without_constraints(annotation)
    constraints = get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()
    if get_origin(bare) not in (Union, types.UnionType):
        return [annotation], False
    all_members = get_args(bare)
    kinds = [member for member in all_members if member is not type(None)]
    return [Annotated[(kind, *constraints)] if constraints else kind for kind in kinds], type(None) in all_members


def without_constraints(kind: Any) -> Any:
    """Return a type without its range: float of Annotated[float, Field(ge=0)]."""
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def literals(kind: Any) -> tuple[Any, ...]:
    """Return the choices of a Literal, or of a union of them; () for any other type."""
    bare = without_constraints(kind)
    if get_origin(bare) in (Union, types.UnionType):
        return tuple(value for member in get_args(bare) for value in literals(member))
    return get_args(bare) if get_origin(bare) is Literal else ()


def as_meant(annotation: Any, value: Any) -> Any:
    """Return None, or a list of one text, for a text that an annotation does not accept but that means this; any other value unchanged.

    >>> as_meant(Sequence[str], "RandomSwap"), as_meant(str | Sequence[str], "RandomSwap"), as_meant(int | None, "none")
    (['RandomSwap'], 'RandomSwap', None)
    """
    kinds = members(annotation)[0]
    if not isinstance(value, str) or any(without_constraints(kind) is str or value in literals(kind) for kind in kinds):
        return value
    if means_none(annotation, value):
        return None
    return [value] if any(type_name(kind) == "list" and _holds_texts(without_constraints(kind)) for kind in kinds) else value


def means_none(annotation: Any, value: Any) -> bool:
    """Return whether a value is the text "none" where None is allowed: the way to give None on a command line, which messages offer."""
    return isinstance(value, str) and value == "none" and members(annotation)[1]


def _holds_texts(kind: Any) -> bool:
    """Return whether the entries of a list type are texts."""
    entry = next(iter(get_args(kind)), ANY)
    return type_name(entry) == "str"


def type_name(kind: Any) -> str:
    """Return the name of a type for lists: "float", "int", "bool", "str", "list", or "any"."""
    bare = without_constraints(kind)
    if bare is ANY or bare is Any:
        return "any"
    if literals(kind):
        return type(literals(kind)[0]).__name__
    if isinstance(bare, type):
        return bare.__name__
    return "list" if _is_sequence(bare) else "any"


def _is_sequence(bare: Any) -> bool:
    origin = get_origin(bare)
    return isinstance(origin, type) and issubclass(origin, Sequence)


def _describe_one(kind: Any) -> str:
    """Describe a type that is not a union, by its own description if it has one."""
    bounds: dict[str, Any] = {}
    for entry in get_args(kind)[1:] if get_origin(kind) is Annotated else ():
        if isinstance(entry, FieldInfo) and entry.description:
            return entry.description
        for constraint in entry.metadata if isinstance(entry, FieldInfo) else (entry,):
            bounds |= {name: getattr(constraint, name) for name in ("ge", "gt", "le", "lt") if hasattr(constraint, name)}
    bare = without_constraints(kind)
    if bare is ANY or bare is Any:
        return "anything"
    if _is_sequence(bare) and get_args(bare):
        return f"a list, each {describe(get_args(bare)[0])}"
    return _NOUNS.get(bare, f"a {getattr(bare, '__name__', bare)}") + _range(bounds, bare is int)


def _range(bounds: Mapping[str, Any], of_integers: bool) -> str:
    """Return a range as text: " from 0 to 1", " above 0 and below 1", " of 1 or more"; "" without bounds."""
    if of_integers:
        low = bounds["gt"] + 1 if "gt" in bounds else bounds.get("ge")
        high = bounds["lt"] - 1 if "lt" in bounds else bounds.get("le")
        bounds = {name: value for name, value in (("ge", low), ("le", high)) if value is not None}
    match (bounds.get("ge"), bounds.get("gt"), bounds.get("le"), bounds.get("lt")):
        case (None, None, None, None):
            return ""
        case (low, None, high, None) if low is not None and high is not None:
            return f" from {low} to {high}"
        case (low, None, None, None):
            return f" of {low} or more"
        case (None, None, high, None):
            return f" of {high} or less"
        case (low, above, high, below):
            limits = {"from": low, "above": above, "up to": high, "below": below}
            return " " + " and ".join(f"{word} {limit}" for word, limit in limits.items() if limit is not None)


def value_text(value: Any, longest: int = 60) -> str:
    """Return a value for messages: its `repr` truncated to `longest` characters, or the type of one that has several lines."""
    if isinstance(value, bool):
        return str(value).lower()
    try:
        text = repr(value)
    except ValueError:
        # An integer with more digits than Python converts to text.
        return "a number of thousands of digits"
    if "\n" in text:
        return f"a {type(value).__name__}"
    return text if len(text) <= longest else f"{text[: longest - 3]}..."
