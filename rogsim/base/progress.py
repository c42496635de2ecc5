"""What the user sees while games are played: a progress bar and status lines on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from rogsim.base.plain_text import safe
from rogsim.base.prose import write

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


def say(line: str) -> None:
    """Print a status line on standard error."""
    write(line, sys.stderr)


@contextmanager
def progress_bar(games: int, done: int = 0, workers: int | None = None) -> Iterator[Callable[[int], None]]:
    """Show how many of `games` are played; yield the function that advances the bar. Silent without a terminal.

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
        yield lambda count: bar.advance(task, count)


@contextmanager
def part_of(advance: Advance, games: int, done: int = 0, workers: int | None = None) -> Iterator[Advance]:
    """Replace `progress_bar` where these games are part of a larger bar."""
    advance(done)
    yield advance


@contextmanager
def doing() -> Iterator[Notify]:
    """Show the current activity in one changing line; yield the function that sets it. Silent without a terminal."""
    console = Console(stderr=True, highlight=False, markup=False)
    if not console.is_terminal:
        yield lambda _: None
        return
    with console.status("") as status:
        yield lambda what: status.update(Text(safe(f"{what}…")))
