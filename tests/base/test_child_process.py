"""Calls in child processes: whatever they do, this process goes on, and nothing of theirs is left."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rogsim.base.child_process import DIED, ChildLost, call_apart, end_children
from rogsim.base.errors import RogsimError
from tests.base.child_calls import end_like, fork, hold_the_lock, leave_a_fork, name_of_module, quit_with, stop

pytestmark = [
    pytest.mark.once_uncompiled,
    pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs Linux"),
]

CALLER = """
import os
from rogsim.base.child_process import call_apart
from tests.base.child_calls import {work}
print(call_apart(os.getpid), flush=True)
call_apart({work})
"""


@pytest.fixture(autouse=True)
def _no_child_is_left() -> Iterator[None]:
    yield
    end_children()


@pytest.mark.parametrize(
    ("work", "message"),
    [
        (partial(os._exit, 0), "a task: its process ended with exit code 0. Good bye."),
        (os.abort, "a task: its process crashed (Aborted). Good bye."),
        (leave_a_fork, "a task: its process ended with exit code 0. Good bye."),
        (hold_the_lock, "a task: too late"),
        (stop, "a task: too late"),
        (partial(time.sleep, 60), "a task: too late"),
    ],
)
def test_a_child_that_ends_or_is_late_is_told(work: Callable[[], Any], message: str) -> None:
    """With what it was doing, also if it holds Python's lock or has stopped itself; the next call has a new child."""
    before = call_apart(os.getpid)
    with pytest.raises(ChildLost) as caught:
        call_apart(end_like, work)
    assert str(caught.value) == message
    assert call_apart(os.getpid) not in (before, os.getpid())


def test_where_no_process_can_be_started_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line, and nothing is called in this process instead."""
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    with pytest.raises(RogsimError, match=r"^no worker process can be started: No such file or directory$"):
        call_apart(os.getpid)


def test_a_child_that_says_nothing_is_told_too() -> None:
    """It may have been out of memory."""
    with pytest.raises(ChildLost, match=f"^{DIED}$"):
        call_apart(os._exit, 0)


@pytest.mark.parametrize("fault", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_nothing_that_a_call_raises_stops_this_process(fault: type[BaseException]) -> None:
    """It is an ordinary error, in one line, and the child goes on."""
    before = call_apart(os.getpid)
    with pytest.raises(RogsimError, match=f"^a worker process raised {fault.__name__}: enough$"):
        call_apart(quit_with, fault)
    assert call_apart(os.getpid) == before


def test_only_one_of_two_copies_answers() -> None:
    """A child that forks and goes on in both processes gives one answer, its own."""
    before = call_apart(os.getpid)
    assert [call_apart(fork) for _ in range(2)] == [before, before]


def test_a_child_finds_what_this_process_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if folder, variables and the places of modules were changed since it was started."""
    before = call_apart(os.getpid)
    (tmp_path / "only_here.py").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ROGSIM_TEST", "changed")
    monkeypatch.syspath_prepend(tmp_path)
    assert call_apart(os.getpid) == before
    assert call_apart(os.getcwd) == str(tmp_path)
    assert call_apart(os.getenv, "ROGSIM_TEST") == "changed"
    assert call_apart(name_of_module, "only_here") == "only_here"


@pytest.mark.parametrize("work", ["hold_the_lock", "stop", "fork"])
def test_no_child_outlives_this_process(work: str) -> None:
    """The system ends it with its copies when the process that called is killed, whatever it does then."""
    script = CALLER.format(work=work) + "import time; time.sleep(60)\n"
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as caller:
        assert caller.stdout is not None
        group = int(caller.stdout.readline())
        time.sleep(0.2)  # until the call has begun
        caller.kill()
    until = time.monotonic() + 20
    while left := members(group):
        assert time.monotonic() < until, left
        time.sleep(0.02)


def members(group: int) -> list[str]:
    """The processes of a group that run or are stopped, with their states."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, of = re.split(r"\s+", path.read_text().rpartition(")")[2].strip())[:3]
        except OSError:
            continue
        if int(of) == group and state not in "ZX":
            found.append(f"{path.parent.name} {state}")
    return found
