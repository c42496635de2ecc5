"""Output of bots: it goes to standard error, labelled with the bot's name, so that results stay clean."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from rogsim.base.text import safe

_speaker = threading.local()


@contextmanager
def spoken_by(name: str) -> Iterator[None]:
    """Label whatever this thread prints in the meantime with the name of a bot."""
    if not isinstance(sys.stdout, _Router):
        sys.stdout = _Router(sys.stdout)
    before = getattr(_speaker, "name", None)
    _speaker.name = name
    try:
        yield
    finally:
        _end_line()
        _speaker.name = before


class Speaker:
    """A bot's Python object whose output is labelled."""

    def __init__(self, name: str, agent: Any) -> None:
        self.name, self.agent = name, agent

    def choose(self, observation: Any, actions: Any) -> Any:
        """Let the bot choose."""
        with spoken_by(self.name):
            return self.agent.choose(observation, actions)


class _Router:
    """Replaces standard output: what bots print goes to standard error, line by line."""

    def __init__(self, real: TextIO) -> None:
        self._real = real

    def write(self, text: str) -> int:
        """Write text where it belongs."""
        name = getattr(_speaker, "name", None)
        if name is None:
            return self._real.write(text)
        *lines, _speaker.rest = (getattr(_speaker, "rest", "") + text).split("\n")
        for line in lines:
            print(f"{name}: {safe(line)}", file=sys.stderr)
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


def _end_line() -> None:
    """Print a bot's last line if it had no line break."""
    if rest := getattr(_speaker, "rest", ""):
        _speaker.rest = ""
        print(f"{_speaker.name}: {safe(rest)}", file=sys.stderr)
