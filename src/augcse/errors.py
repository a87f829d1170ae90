"""The one exception that means "the user can fix this": one clear line, exit code 2."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from types import TracebackType


class UserError(ValueError):
    """Bad input. The message names the file, line or key and says what to do; the CLI prints it and exits with 2."""


class MissingDependencyError(UserError):
    """An optional library or tool is needed and absent; the message names what to install."""


class ForeignFailure:
    """A context around code that is not ours: whatever it raises becomes a `UserError`, since nobody can list what that may be.

    An attempt to end the process (`sys.exit`) is a failure too; an interruption passes.

    Args:
        describe: makes the one line from what was raised.
    """

    def __init__(self, describe: Callable[[BaseException], str]) -> None:
        self._describe = describe

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Turn what was raised, if anything, into a `UserError`; one that is already passes."""
        if isinstance(error, Exception | SystemExit) and not isinstance(error, UserError):
            raise UserError(self._describe(error)) from error


class Interrupted(KeyboardInterrupt):
    """SIGINT or SIGTERM ended work that can go on; the message says what is kept and how to go on."""

    def __init__(self, message: str, signal_number: int) -> None:
        super().__init__(message)
        self.signal_number = signal_number

    @property
    def exit_code(self) -> int:
        """What a shell reports for a process that this signal ended: 130 or 143."""
        return 128 + self.signal_number


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UserError:
    """Return the error for a misspelt name, with the nearest known ones as the remedy."""
    names = sorted(known)
    # A dotted key may be meant by its last part alone.
    candidates = {spelling.lower(): full for full in names for spelling in (full.split(".")[-1], full)}
    near = difflib.get_close_matches(name.lower(), candidates, n=3, cutoff=0.5)
    if near:
        remedy = "did you mean " + " or ".join(dict.fromkeys(candidates[match] for match in near)) + "?"
    else:
        remedy = "known: " + ", ".join(names)
    return UserError(f"unknown {kind} {name!r}; {remedy}")
