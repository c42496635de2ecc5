"""An interrupt that comes where Python drops errors still ends the command."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

pytestmark = pytest.mark.once_uncompiled

DEAF = """
import os, signal, time
from rogsim import __main__
from rogsim.cli import app


class Deaf:
    def __del__(self):
        os.kill(os.getpid(), {number})
        time.sleep(60)


def main():
    Deaf()
    time.sleep(60)
    print("played on")


app.main = main
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # as usual; with `nohup` it would be ignored
__main__.command()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_while_an_object_is_deleted_is_not_lost(number: signal.Signals) -> None:
    """What is raised there goes nowhere, so the interrupt comes once more; the command ends by it and says nothing."""
    script = DEAF.format(number=int(number))
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=50, check=False)
    code = 130 if number == signal.SIGINT else -number
    assert (ended.returncode, ended.stdout, ended.stderr) == (code, "", "")


def test_other_errors_there_are_told_as_usual() -> None:
    """Python's own lines about an error in a finalizer still appear."""
    script = DEAF.replace("os.kill(os.getpid(), {number})", "raise ValueError('from a finalizer')").replace("60", "0")
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=50, check=False)
    assert (ended.returncode, ended.stdout) == (0, "played on\n")
    assert "ValueError: from a finalizer" in ended.stderr
