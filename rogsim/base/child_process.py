"""Calls made in other Python processes, which may crash or never return: this process keeps the clock and ends them.

A call tells what it is doing, so that this process knows when to end it and what to say. What a child prints goes to
the error output of this process, through a pipe. So no program that a child leaves behind holds an output open.
"""

from __future__ import annotations

import atexit
import fcntl
import math
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import Any

from rogsim.base.errors import RogsimError
from rogsim.base.process_settings import same_modules

_process = 0  # the id of the process in which polars was first used


def check_not_forked() -> None:
    """Note that this process uses polars from now on; RogsimError if one that did was forked into this one."""
    global _process
    _process = _process or os.getpid()
    if _process != os.getpid():
        raise RogsimError(
            "this process was forked from one that had used rogsim, so it lacks the threads that read and write rows: "
            'start it with the method "spawn" or "forkserver" of multiprocessing; rogsim.Session and BatchedGames work'
        )


BOOT = "import sys; from rogsim.base.child_process import serve; serve(*map(int, sys.argv[1:]))"
LOOK = 1.0  # seconds between two looks at a child that says nothing
SPARE_SECONDS = 300.0  # that a child without work is kept
ROOM = 1 << 16  # bytes, which a pipe holds
DIED = "a worker process died: out of memory, or a bot ended it"
TELLS, RETURNS, RAISES = range(3)  # kinds of messages of a child


@dataclass(frozen=True)
class Task:
    """What a child is doing.

    Attributes
    ----------
    words
        The task, for messages.
    late
        The message if it takes too long.
    hint
        The last sentence of the message if its process ends.
    end
        Time on the monotonic clock, which all processes share, at which it is too late.
    """

    words: str
    late: str = ""
    hint: str = ""
    end: float = math.inf


class ChildLost(RogsimError):  # noqa: N818 - it is gone, which need not be its error
    """A child ended, or was ended because it was late; `how` says how it ended."""

    def __init__(self, message: str, how: str = "", is_late: bool = False) -> None:
        super().__init__(message)
        self.how, self.is_late = how, is_late


class Child:
    """A Python process that makes calls for this one, one at a time, and ends with it.

    It makes them in the folder and environment that this process has by then.

    Parameters
    ----------
    changes
        Changed variables of its environment.
    """

    def __init__(self, changes: Mapping[str, str] | None = None) -> None:
        """Start the process; OSError if that is impossible."""
        self._changes = changes or {}
        self.is_free, self.since = True, 0.0
        self._connection, its = Pipe()
        lifeline, self._lifeline = os.pipe()
        self._output, output = os.pipe()
        os.set_blocking(self._output, False)
        self._heard: list[Any] = [self._connection, self._output]
        try:
            self._process = Popen(
                [sys.executable, "-c", BOOT, str(its.fileno()), str(lifeline)],
                env={**same_modules(), **self._changes},
                stdin=DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=(its.fileno(), lifeline),
                process_group=0,  # of its own: no Ctrl-C of a terminal, and one signal ends it with all that it started
            )
        except OSError:
            self._close()
            raise
        finally:
            its.close()
            os.close(lifeline)
            os.close(output)

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what a function returns there, or raise what it raises; ChildLost if the process ends or is late."""
        task: Task | None = None
        message = pickle.dumps((function, arguments))
        self.is_free = False
        try:
            self._connection.send_bytes(pickle.dumps((_folder(), {**same_modules(), **self._changes})))
            self._connection.send_bytes(message)
            while True:
                kind, value = self._next(task)
                if kind != TELLS:
                    break
                task = value
        except (EOFError, OSError):
            raise self._lost(task) from None
        self._relay()
        self.is_free = True
        if kind == RAISES:
            raise value
        return value

    def signal(self, number: int) -> None:
        """Send a signal to the process and to all that it started."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def kill(self) -> int:
        """End the process with all that it started, and return how it ended, as `Popen.returncode`."""
        if not self._connection.closed:
            self.signal(signal.SIGKILL)
            self._process.wait()
            self._relay()
            self._close()
        return self._process.returncode

    def is_usable(self) -> bool:
        """Return whether the process still waits for a call."""
        return time.monotonic() - self.since < SPARE_SECONDS / 2 and self._process.poll() is None

    def _next(self, task: Task | None) -> tuple[int, Any]:
        """Return the next message; EOFError if there will be none."""
        end = task.end if task else math.inf
        while True:
            left = end - time.monotonic()
            heard = wait(self._heard, max(0.0, min(LOOK, left)))
            if self._output in heard:
                self._relay()
            if self._connection in heard:
                return _read(self._connection.recv_bytes())
            if left <= 0 and task:
                self.kill()
                raise ChildLost(task.late, is_late=True)
            if self._process.poll() is not None:  # what it started may hold the connection open
                raise EOFError

    def _relay(self) -> None:
        """Print what the child has printed so far."""
        with suppress(OSError):
            text = os.read(self._output, ROOM)
            if not text:
                self._heard = [self._connection]  # it has closed its output
            while text:
                text = text[os.write(2, text) :]

    def _lost(self, task: Task | None) -> ChildLost:
        """Return the error about a child that does not answer any more, and put it away."""
        with suppress(Exception):
            self._process.wait(LOOK)  # it is ending
        code = self.kill()
        how = f"crashed ({signal.strsignal(-code)})" if code < 0 else f"ended with exit code {code}"
        if code == -signal.SIGKILL:
            how = "was killed; it may have run out of memory"
        return ChildLost(f"{task.words}: its process {how}. {task.hint}".rstrip() if task else DIED, how)

    def _close(self) -> None:
        self._connection.close()
        os.close(self._lifeline)
        os.close(self._output)


def start_child(changes: Mapping[str, str] | None = None) -> Child:
    """Start a child; RogsimError if that is impossible."""
    try:
        return Child(changes)
    except OSError as fault:
        raise RogsimError(f"no worker process can be started: {fault.strerror}") from fault


def call_apart(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in a child, one that has nothing to do or a new one, as `Child.call` does."""
    child = _borrowed()
    try:
        return child.call(function, *arguments)
    finally:
        with _lock:
            del _busy[child]
            if child.is_free:
                child.since = time.monotonic()
                _idle.append(child)
        if not child.is_free:
            child.kill()


def end_calls_of(threads: Collection[threading.Thread]) -> None:
    """End the children that make calls for these threads, which then raise ChildLost."""
    with _lock:
        for child in [child for child, thread in _busy.items() if thread in threads]:
            child.signal(signal.SIGKILL)


def end_children() -> None:
    """End all children."""
    with _lock:
        for child in _busy:
            child.signal(signal.SIGKILL)
        while _idle:
            _idle.pop().kill()


@contextmanager
def doing(words: str, seconds: float, late: str, hint: str = "") -> Iterator[None]:
    """In a child, tell the process that called what is being done, and for how many seconds it may be done.

    Parameters
    ----------
    late
        The message if it takes longer.
    hint
        The last sentence of the message if this process ends.
    """
    global _task
    before, _task = _task, Task(words, late, hint, time.monotonic() + seconds)
    _tell(_task)
    try:
        yield
    finally:
        _task = before
        _tell(_task)


def in_child() -> bool:
    """Return whether this process makes calls for another one."""
    return _caller is not None


def faults() -> tuple[type[BaseException], ...]:
    """Return what counts as an error of a bot. In a child that includes KeyboardInterrupt: no Ctrl-C arrives there."""
    return (BaseException,) if in_child() else (Exception, SystemExit, GeneratorExit)


def serve(connection: int, lifeline: int) -> None:
    """Make calls, as the whole work of a process.

    Parameters
    ----------
    connection, lifeline
        Descriptors: where calls come from, and a pipe that closes when the process that calls ends.
    """
    global _caller
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with(lifeline)
    _caller = Connection(connection)
    os.register_at_fork(after_in_child=_caller.close)  # a copy of this process must not answer
    try:
        while _caller.poll(SPARE_SECONDS):
            _move_to(*pickle.loads(_caller.recv_bytes()))
            function, arguments = pickle.loads(_caller.recv_bytes())
            _caller.send_bytes(_answer(function, arguments))
    except (EOFError, OSError):
        os._exit(1)
    os.killpg(0, signal.SIGKILL)


def end_with(lifeline: int) -> None:
    """End this process, the leader of its group, and its group as soon as a pipe closes, whatever it does then."""
    try:
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)  # only Linux has it
        fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)
    except (AttributeError, OSError):
        threading.Thread(target=_end_after, args=(lifeline,), daemon=True).start()


def _end_after(lifeline: int) -> None:
    os.read(lifeline, 1)
    os.killpg(0, signal.SIGKILL)


_idle: list[Child] = []
_busy: dict[Child, threading.Thread] = {}
_lock = threading.Lock()
_caller: Any = None  # in a child: the connection to the process that calls
_task: Task | None = None  # in a child: what it does


def _read(message: bytes) -> tuple[int, Any]:
    try:
        return pickle.loads(message)
    except Exception as fault:  # a bot may have written there
        raise RogsimError(f"a worker process sent what cannot be read: {fault}") from fault


def _folder() -> str:
    """Return the current folder, the root if it does not exist any more."""
    try:
        return str(Path.cwd())
    except OSError:
        return os.sep


def _move_to(folder: str, environment: dict[str, str]) -> None:
    """Let the next call find the files, variables and modules that the process that calls finds."""
    with suppress(OSError):
        os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:] = environment["PYTHONPATH"].split(os.pathsep)


def _borrowed() -> Child:
    """Return a child that has nothing to do; any that cannot be used any more is put away."""
    with _lock:
        while _idle:
            child = _idle.pop()
            if child.is_usable():
                break
            child.kill()
        else:
            child = start_child()
        _busy[child] = threading.current_thread()
        return child


def _tell(task: Task | None) -> None:
    if _caller is not None:
        _caller.send_bytes(pickle.dumps((TELLS, task)))


def _answer(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    """Make a call, and return its outcome as a message."""
    try:
        message = pickle.dumps((RETURNS, function(*arguments)))
    except BaseException as fault:
        if not isinstance(fault, RogsimError):
            fault.add_note("".join(traceback.format_exception(fault)))
        message = _raised(fault)
    sys.stdout.flush()
    return message


def _raised(fault: BaseException) -> bytes:
    """Return an error as a message; one that cannot travel, or would stop the process that called, as a line."""
    with suppress(Exception):
        message = pickle.dumps((RAISES, fault))
        if isinstance(fault, Exception) and pickle.loads(message):
            return message
    return pickle.dumps((RAISES, RogsimError(f"a worker process raised {type(fault).__name__}: {fault}")))


def _forget() -> None:
    """Leave the children of a process to it, in a copy of that process."""
    global _lock
    _lock = threading.Lock()
    _idle.clear()
    _busy.clear()


os.register_at_fork(after_in_child=_forget)
atexit.register(end_children)
