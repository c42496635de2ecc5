"""What a person sees while games are played: a progress bar on the error output, and status lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from rogsim.base.plain_text import safe

Advance = Callable[[int], None]
Bar = Callable[..., AbstractContextManager[Advance]]  # takes what `progress_bar` takes


class _Speed(ProgressColumn):
    """Games per second so far."""

    def render(self, task: Task) -> Text:
        """Return the speed as text."""
        speed = task.finished_speed or task.speed
        if not speed:
            return Text("")
        return Text(f"{speed:,.0f} games/s" if speed >= 10 else f"{speed:.2g} games/s")


def say(line: str) -> None:
    """Print a status line on the error output."""
    Console(stderr=True, highlight=False, markup=False).print(safe(line), soft_wrap=True)


@contextmanager
def progress_bar(games: int, done: int = 0, workers: int | None = None) -> Iterator[Callable[[int], None]]:
    """Show how many of `games` are played; give the function to tell of more. Silent off a terminal.

    done: games that were there before. workers: how many play.
    """
    console = Console(stderr=True)
    told = [f"{workers} worker{'s' * (workers > 1)}"] if workers else []
    told += [f"{done:,} games from before"] if done else []
    columns = (
        MofNCompleteColumn(),
        BarColumn(),
        _Speed(),
        TimeRemainingColumn(compact=True),
        TextColumn(", ".join(told)),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task("games", total=games, completed=done)
        yield lambda count: bar.advance(task, count)


@contextmanager
def part_of(advance: Advance, games: int, done: int = 0, workers: int | None = None) -> Iterator[Advance]:
    """Stand in for `progress_bar` where these games are part of what a larger bar shows."""
    advance(done)
    yield advance


@contextmanager
def doing() -> Iterator[Callable[[str], None]]:
    """Show what is being done, in one line that changes; give the function to tell it. Silent off a terminal."""
    console = Console(stderr=True, highlight=False, markup=False)
    if not console.is_terminal:
        yield lambda _: None
        return
    with console.status("") as status:
        yield lambda what: status.update(Text(safe(f"{what}…")))
