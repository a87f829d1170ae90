"""Exceptions for errors that the user can fix: one clear line, and an exit code."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from types import TracebackType


class UserError(ValueError):
    """Invalid input. The message names the file, line or key and the remedy; the CLI prints it and exits with code 2."""

    exit_code = 2


class FailedWorkError(UserError):
    """Work on valid input that failed, because the disk is full or a worker process was killed; the CLI exits with code 1.

    Args:
        reason: what failed, and the remedy.
        kept: the part of the work that is kept, and how to continue.
    """

    exit_code = 1

    def __init__(self, reason: str, kept: str = "") -> None:
        super().__init__(f"{reason}; {kept}" if kept else reason)
        self.reason = reason


class MissingDependencyError(UserError):
    """A required optional library or tool is missing; the message says what to install."""


class ForeignFailure:
    """Context manager for third-party code, which may raise anything: its exceptions become a `UserError`.

    This includes `sys.exit`; `KeyboardInterrupt` and `UserError` are passed on.

    Args:
        describe: returns the one-line message for an exception.
    """

    def __init__(self, describe: Callable[[BaseException], str]) -> None:
        self._describe = describe

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Convert an exception into a `UserError` unless it is one."""
        if isinstance(error, Exception | SystemExit) and not isinstance(error, UserError):
            raise UserError(self._describe(error)) from error


class Interrupted(KeyboardInterrupt):
    """SIGINT or SIGTERM stopped work that can be resumed; the message says what is kept and how to resume."""

    def __init__(self, message: str, signal_number: int) -> None:
        super().__init__(message)
        self.signal_number = signal_number

    @property
    def exit_code(self) -> int:
        """Exit code that a shell reports for a process ended by this signal: 130 or 143."""
        return 128 + self.signal_number


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UserError:
    """Return the error for an unknown name, with the most similar known names as the remedy."""
    names = sorted(known)
    # A dotted key may be given by its last part alone.
    candidates = {spelling.lower(): full for full in names for spelling in (full.split(".")[-1], full)}
    near = difflib.get_close_matches(name.lower(), candidates, n=3, cutoff=0.5)
    if near:
        remedy = "did you mean " + " or ".join(dict.fromkeys(candidates[match] for match in near)) + "?"
    else:
        remedy = "known: " + ", ".join(names)
    return UserError(f"unknown {kind} {name!r}; {remedy}")
