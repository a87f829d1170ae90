"""Serve a page on this machine alone, until a signal ends it."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from augcse.errors import UserError

if TYPE_CHECKING:
    from augcse.playing.session import Session

HOST = "127.0.0.1"
FIRST_PORT = 7860
_PORTS = 100


def bound(port: int | None) -> socket.socket:
    """Return a socket that listens on a port of this machine: the one given, or the first free one from `FIRST_PORT`.

    Raises:
        UserError: the port is in use or may not be used; all of them are.
    """
    if port is not None:
        try:
            return _listening(port)
        except OSError as error:
            raise UserError(f"cannot use port {port}: {error.strerror}; give another --port, or none to take a free one") from error
    for candidate in range(FIRST_PORT, FIRST_PORT + _PORTS):
        with suppress(OSError):
            return _listening(candidate)
    raise UserError(f"no free port from {FIRST_PORT} to {FIRST_PORT + _PORTS - 1}; give one with --port")


def _listening(port: int) -> socket.socket:
    listener = socket.socket()
    # What a server that has just ended leaves behind is no reason to wait a minute.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        # Of two sockets that are only bound, Linux lets both have the port.
        listener.listen()
    except OSError:
        listener.close()
        raise
    return listener


def address(listener: socket.socket) -> str:
    """Return the URL of what is served on a socket."""
    return f"http://{HOST}:{listener.getsockname()[1]}/"


def serve(session: Session, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Serve the page until SIGINT or SIGTERM.

    Args:
        session: what the page is made with.
        listener: where; closed in the end.
        ready: called when the page can be opened.
    """
    _stay_offline()
    # After the settings that it reads when it is imported.
    from augcse.playing.application import server

    serving = server(session, listener.getsockname()[1])
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        # The server ends in good order, and then raises again the signal that ended it.
        with suppress(KeyboardInterrupt):
            ready()
            serving.run(sockets=[listener])
    finally:
        signal.signal(signal.SIGTERM, before)
        listener.close()


def _stay_offline() -> None:
    """Switch off what Gradio would send and fetch."""
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
