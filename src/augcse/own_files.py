"""User code given as `path/to/file.py:Name`: imported once, as a separate module; its exceptions become one-line errors."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
import traceback
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from types import ModuleType

from augcse.allowed_values import value_text
from augcse.errors import ForeignFailure, UserError


def names_file(name: str) -> bool:
    """Return whether a name refers to an object in a Python file, or to the file alone, which `split_name` refuses."""
    return ".py:" in name or name.endswith(".py")


def split_name(name: str, kind: str) -> tuple[Path, str]:
    """Return the file and the name in it. Raises `UserError` if there is no such file, or `name` has only the file."""
    text, _, attribute = name.rpartition(":")
    if not attribute or attribute.endswith(".py"):
        raise UserError(f"{name} names a file and no {kind} in it; give path/to/file.py:Name")
    path = Path(text).expanduser()
    if not path.is_file():
        raise UserError(f"no file {path} for the {kind} {name}; give path/to/file.py:Name")
    return path, attribute


def run_file(path: Path, within: AbstractContextManager[object] | None = None) -> ModuleType:
    """Import a user's file as a separate module, once per process, within the context `within`.

    Raises:
        UserError: the file raises an exception.
    """
    digest = hashlib.blake2b(str(path.resolve()).encode(), digest_size=6).hexdigest()
    name = f"augcse_user_{path.stem}_{digest}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UserError(f"{path} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    with (
        ForeignFailure(lambda error: f"{path} cannot be imported: {failure_at(error, spec.origin)}"),
        ExitStack() as on_failure,
        within or nullcontext(),
    ):
        on_failure.callback(sys.modules.pop, name, None)
        spec.loader.exec_module(module)
        on_failure.pop_all()
    return module


def failure_on(name: str, sentence: str, file: str | None) -> ForeignFailure:
    """Return a context for a call of a user's code on one sentence: an exception becomes a `UserError` with the sentence's beginning."""
    return ForeignFailure(lambda error: f"{name} failed on {value_text(sentence)}: {failure_at(error, file)}")


def failure_at(error: BaseException, file: str | None) -> str:
    """Return a one-line message for an exception, with the last line of `file` in its traceback."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    at = f" ({file}, line {lines[-1]})" if lines else ""
    return f"{type(error).__name__}: {' '.join(str(error).split())}{at}"
