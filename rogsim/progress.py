"""What a person sees while games are played: a progress bar on the error output, and status lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TimeRemainingColumn
from rich.text import Text


class _Speed(ProgressColumn):
    """Games per second so far."""

    def render(self, task: Task) -> Text:
        """Return the speed as text."""
        speed = task.finished_speed or task.speed
        return Text(f"{speed:,.0f} games/s" if speed else "")


def say(line: str) -> None:
    """Print a status line on the error output."""
    Console(stderr=True, highlight=False, markup=False).print(line)


@contextmanager
def progress_bar(games: int) -> Iterator[Callable[[int], None]]:
    """Show how many of `games` are played; give the function to tell of more. Silent off a terminal."""
    console = Console(stderr=True)
    columns = (MofNCompleteColumn(), BarColumn(), _Speed(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task("games", total=games)
        yield lambda count: bar.advance(task, count)
