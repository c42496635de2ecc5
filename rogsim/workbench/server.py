"""Serves the workbench on this machine until it is told to stop."""

from __future__ import annotations

import socket
import threading
import webbrowser
from collections.abc import Callable
from types import FrameType

import uvicorn

from rogsim.base.errors import RogsimError
from rogsim.base.validation import not_allowed
from rogsim.workbench.addresses import site_of
from rogsim.workbench.guard import HOST, TOKEN, Guard
from rogsim.workbench.site import Desk

MOST_PORTS = 65_535
GRACE = 2  # seconds that open pages have to end when the server stops


def serve(desk: Desk, place: str, port: int, browser: bool, tell: Callable[[str], None]) -> None:
    """Serve the workbench until Ctrl-C, or until a page asks to stop.

    Parameters
    ----------
    desk
        What the pages work with.
    place
        The first page.
    port
        0 for any that is free.
    browser
        Whether to open it in a browser.
    tell
        Receives the address.
    """
    with _listening(port) as listening:
        port = listening.getsockname()[1]
        guard = Guard(site_of(desk), port)
        settings = uvicorn.Config(
            guard, log_level="error", access_log=False, server_header=False, timeout_graceful_shutdown=GRACE
        )
        server = _Server(settings, desk)
        desk.stop_server = server.stop
        address = f"http://{HOST}:{port}{place}{'&' if '?' in place else '?'}{TOKEN}={guard.token}"
        tell(address)
        if browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        try:
            server.run([listening])
        except KeyboardInterrupt:  # the server has ended, and passes Ctrl-C on
            pass
        finally:
            desk.end()


class _Server(uvicorn.Server):
    """A server whose streams end when it is told to stop: it would wait for them."""

    def __init__(self, settings: uvicorn.Config, desk: Desk) -> None:
        super().__init__(settings)
        self._desk = desk

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop as Ctrl-C asks."""
        self._desk.close()
        super().handle_exit(sig, frame)

    def stop(self) -> None:
        """Stop as a page asks."""
        self._desk.close()
        self.should_exit = True


def _listening(port: int) -> socket.socket:
    if not 0 <= port <= MOST_PORTS:
        raise RogsimError(f"--port: {not_allowed(port, f'must be a whole number from 0 to {MOST_PORTS:,}')}")
    # The protocol is named, or asyncio would leave each answer waiting 40 ms for more to send.
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a former server has just ended
    try:
        found.bind((HOST, port))
        found.listen()  # before anybody is told of it
    except OSError as fault:
        found.close()
        raise RogsimError(f"--port: {port} cannot be used: {fault.strerror}; without it, any free port is") from fault
    return found
