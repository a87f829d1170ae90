"""Serve the page on this machine only, until a signal stops it."""

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


def listen(port: int | None) -> socket.socket:
    """Return a socket that listens on a port of this machine: the one given, or the first free one from `FIRST_PORT`.

    Raises:
        UserError: the port is in use or not permitted, or no port is free.
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
    """Return a socket that listens on a port; raises `OSError` if the port is not free."""
    listener = socket.socket()
    # Otherwise the port stays blocked for a minute after a server has ended.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        # Linux lets two sockets bind one port as long as neither listens.
        listener.listen()
    except OSError:
        listener.close()
        raise
    return listener


def address(listener: socket.socket) -> str:
    """Return the URL of a listening socket."""
    return f"http://{HOST}:{listener.getsockname()[1]}/"


def serve(session: Session, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Serve the page until SIGINT or SIGTERM.

    Args:
        session: models and corpus of the page.
        listener: the socket to serve on; closed at the end.
        ready: called when the page can be opened.
    """
    _stay_offline()
    # Imported here: Gradio reads these settings at import.
    from augcse.playing.application import server

    serving = server(session, listener.getsockname()[1])
    previous_handler = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        # The server shuts down cleanly, then raises the signal again.
        with suppress(KeyboardInterrupt):
            ready()
            serving.run(sockets=[listener])
    finally:
        signal.signal(signal.SIGTERM, previous_handler)
        listener.close()


def _stay_offline() -> None:
    """Switch off telemetry and downloads of Gradio."""
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
