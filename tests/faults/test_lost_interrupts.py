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
    """What is raised there goes nowhere, so the interrupt comes once more and ends the command with its last line."""
    script = DEAF.format(number=int(number))
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=50, check=False)
    code = 130 if number == signal.SIGINT else -number
    assert (ended.returncode, ended.stdout, ended.stderr) == (code, "", "Interrupted; nothing was stored.\n")


LOADING = """
import os, signal, sys
from rogsim import __main__
from rogsim.cli import app, outcome


def loading():
    try:
        os.kill(os.getpid(), {number})
        sum(range(10**9))
    except KeyboardInterrupt:
        raise {error}("cannot be loaded") from None


app.main = {main}
signal.signal(signal.SIGHUP, signal.SIG_DFL)
__main__.command()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("main", ["loading", "lambda: sys.exit(outcome.guarded(loading))"], ids=["early", "guarded"])
@pytest.mark.parametrize("error", ["ImportError", "OSError"])
def test_an_interrupt_that_code_in_c_turns_into_another_error_ends_the_command(
    number: signal.Signals, main: str, error: str
) -> None:
    """Libraries do so while they are loaded; there is neither a traceback nor a line about that error."""
    script = LOADING.format(number=int(number), main=main, error=error)
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=50, check=False)
    code = 130 if number == signal.SIGINT else -number
    assert (ended.returncode, ended.stdout, ended.stderr) == (code, "", "Interrupted; nothing was stored.\n")


def test_a_clock_beyond_what_python_can_tell_is_one_line() -> None:
    """Libraries ask for the time while they are loaded, and Python cannot tell any after the year 2262."""
    script = "import time\ndef late(): raise OverflowError\ntime.time = late\nimport rogsim.__main__ as m\nm.command()"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=50, check=False)
    line = "rogsim: error: the clock of this computer is wrong: the year must be 2262 or earlier\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (2, "", line)


@pytest.mark.parametrize(
    "words", [["--help"], ["games"], ["scenario", "explain", "seat-order"]], ids=lambda words: words[0]
)
def test_pythons_development_mode_finds_nothing_to_warn_of(words: list[str]) -> None:
    """A command closes what it opens."""
    command = [sys.executable, "-X", "dev", "-m", "rogsim", *words]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_other_errors_there_are_told_as_usual() -> None:
    """Python's own lines about an error in a finalizer still appear."""
    script = DEAF.replace("os.kill(os.getpid(), {number})", "raise ValueError('from a finalizer')").replace("60", "0")
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=50, check=False)
    assert (ended.returncode, ended.stdout) == (0, "played on\n")
    assert "ValueError: from a finalizer" in ended.stderr
