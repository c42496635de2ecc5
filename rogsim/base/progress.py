"""What the user sees on standard error while games are played: a progress bar or, without a terminal, a few lines."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from rogsim.base.text import safe, write

SECONDS = 30.0  # between two lines without a terminal
Notify = Callable[[str], None]  # receives a line on what is being done
Advance = Callable[[int], None]
Bar = Callable[..., AbstractContextManager[Advance]]  # takes the arguments of `progress_bar`


class _Speed(ProgressColumn):
    """Games per second so far."""

    def render(self, task: Task) -> Text:
        """Return the speed as text."""
        speed = task.finished_speed or task.speed
        if not speed:
            return Text("")
        return Text(f"{speed:,.0f} games/s" if speed >= 10 else f"{speed:.2g} games/s")


_open: list[threading.Event] = []  # what prints lines now; only the last one does


def say(line: str) -> None:
    """Print a status line on standard error."""
    write(line, sys.stderr)


@contextmanager
def _now_and_then(line: Callable[[], str]) -> Iterator[None]:
    """Print a line from time to time; in a thread, because a worker may play for long before anything is known."""
    over = threading.Event()

    def tell() -> None:
        while not over.wait(SECONDS):
            if _open[-1:] == [over] and (text := line()):
                say(text)

    _open.append(over)
    thread = threading.Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        _open.remove(over)
        thread.join()


def _played(task: Task) -> str:
    """Return how many games are played and how long the rest takes, in a line."""
    line, left = f"{int(task.completed):,} of {int(task.total or 0):,} games", task.time_remaining
    if left is None:
        return line
    minutes, seconds = divmod(round(left), 60)
    return f"{line}, {f'{minutes:,} min' if minutes else f'{seconds} s'} left"


@contextmanager
def progress_bar(games: int, done: int = 0, workers: int | None = None) -> Iterator[Callable[[int], None]]:
    """Show how many of `games` are played, without a terminal in a few lines; yield the function that advances it.

    done: games played by earlier runs. workers: how many are playing.
    """
    console = Console(stderr=True)
    notes = [f"{workers} worker{'s' * (workers > 1)}"] if workers else []
    notes += [f"{done:,} games already stored"] if done else []
    columns = (
        MofNCompleteColumn(),
        BarColumn(),
        _Speed(),
        TimeRemainingColumn(compact=True),
        TextColumn(", ".join(notes)),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task("games", total=games, completed=done)
        with nullcontext() if console.is_terminal else _now_and_then(lambda: _played(bar.tasks[0])):
            yield lambda count: bar.advance(task, count)


@contextmanager
def part_of(advance: Advance, games: int, done: int = 0, workers: int | None = None) -> Iterator[Advance]:
    """Replace `progress_bar` where these games are part of a larger bar."""
    advance(done)
    yield advance


@contextmanager
def doing() -> Iterator[Notify]:
    """Show the current activity in one changing line; yield the function that sets it.

    Without a terminal, it is printed now and then.
    """
    console = Console(stderr=True, highlight=False, markup=False)
    if not console.is_terminal:
        activity = [""]
        with _now_and_then(lambda: activity[0]):
            yield lambda what: activity.__setitem__(0, f"{what}…")
        return
    with console.status("") as status:
        yield lambda what: status.update(Text(safe(f"{what}…")))
