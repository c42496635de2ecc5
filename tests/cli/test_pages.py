"""The command to go on with: proposed to people, never to a pipe."""

from __future__ import annotations

import io

import pytest

from rogsim.cli.outcome import propose
from tests.command_line import Run

pytestmark = pytest.mark.once_uncompiled


class Terminal(io.StringIO):
    """A stream that calls itself a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_command_that_can_be_pasted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words with spaces are quoted."""
    monkeypatch.setattr("sys.stdout", terminal := Terminal())
    propose("report", "my reports/x")
    assert terminal.getvalue() == "Next: rogsim report 'my reports/x'\n"


def test_a_pipe_gets_none(command: Run) -> None:
    """What scripts read stays the same."""
    assert "Next" not in command("scenario", "new", "mine").out
