"""The one function that plays games: a batch in, rows out. Runs, tuning, benchmark and checks all use it.

Bots that did not come with their game play in other processes, and have a time limit. Their games are played in small
pieces. The process that plays tells its caller which piece is next; the caller keeps the clock, and knows which bot it
was if the process ends.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.base.child_process import call_apart, doing, faults, in_child
from rogsim.base.errors import RogsimError
from rogsim.base.validation import not_allowed
from rogsim.bots.loading import bot_at
from rogsim.bots.printing import spoken_by
from rogsim.game.batches import Batch
from rogsim.game.bot import Bot, in_a_line
from rogsim.game.registry import received, sent
from rogsim.game.spec import GameSpec

VARIABLE = "ROGSIM_GAME_SECONDS"  # an environment variable, so that workers find it too
DEFAULT_SECONDS = 600.0  # that a single game may take
SHORT, LONG = 0.05, 0.2  # range of seconds that a piece should take
HINT = 'Examine it with "rogsim check-bot"'
MORE = f"--game-seconds or {VARIABLE} raises the limit"


def game_seconds() -> float:
    """Return how many seconds a single game may take; RogsimError if the environment variable is not a valid limit."""
    text = os.environ.get(VARIABLE, "")
    return read_seconds(text, VARIABLE) if text else DEFAULT_SECONDS


def limit_games(seconds: str | None) -> None:
    """Set how many seconds a single game may take, in this process and in all workers that it starts.

    Parameters
    ----------
    seconds
        The limit as typed; None changes nothing.

    Raises
    ------
    RogsimError
        If it is not a valid limit.
    """
    if seconds is not None:
        read_seconds(seconds, "--game-seconds")
        os.environ[VARIABLE] = seconds
    game_seconds()


def read_seconds(text: str, where: str) -> float:
    """Parse a limit in seconds, `inf` for none; RogsimError if it is not a number above 0.

    Parameters
    ----------
    where
        The option or variable, for the message.
    """
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not seconds > 0:
        raise RogsimError(f"{where}: {not_allowed(text, 'must be a number of seconds above 0, or inf')}")
    return seconds


def where_bots_play(play: Callable[..., Any], spec: GameSpec, setup: Any, batch: Batch, *more: Any) -> Any:
    """Return `play(spec, setup, batch, *more)`; if one of the bots is foreign, another process calls it."""
    if in_child() or not any(bot.foreign for bot in batch.line_up):
        return play(spec, setup, batch, *more)
    line_up = tuple(replace(bot, choose=None, agent=None) for bot in batch.line_up)
    return call_apart(_play_there, play, spec.id, sent(spec.id), setup, replace(batch, line_up=line_up), *more)


def play_watched(
    spec: GameSpec, setup: Any, batch: Batch, seat_rows: NDArray[Any], game_rows: NDArray[Any], limit: float
) -> None:
    """Play a batch with foreign bots, as `spec.play` does, in pieces of about a tenth of a second.

    Parameters
    ----------
    seat_rows, game_rows
        Structured arrays, filled in place.
    limit
        Seconds that a single game may take.

    Raises
    ------
    RogsimError
        If the limit is exceeded, or if a bot raises an error that the game does not expect; the error names the bots.
    """
    start, size, count = 0, 1, len(batch.deals)
    while start < count:
        stop = min(start + size, count)
        piece = replace(batch, deals=batch.deals[start:stop], seating=batch.seating[start:stop])
        begin = time.monotonic()
        rows = seat_rows[start * batch.players : stop * batch.players], game_rows[start:stop]
        with playing(piece, limit):
            spec.play(setup, piece, *rows)
        seconds = time.monotonic() - begin
        size = 2 * size if seconds < SHORT else max(1, size // 2) if seconds > LONG else size
        start = stop


@contextmanager
def playing(batch: Batch, limit: float) -> Iterator[None]:
    """Give a batch with foreign bots so many seconds, by the clock of the process that called this one.

    What the bots print meanwhile is labelled, and errors that the game does not expect name them. Does nothing for
    other bots.
    """
    if not any(bot.foreign for bot in batch.line_up):
        yield
        return
    names, deals = ", ".join(dict.fromkeys(bot.name for bot in batch.line_up if bot.foreign)), batch.deals
    games = f"deal {deals[0]}" + (f" to {deals[-1]}" if len(deals) > 1 else "")
    words = f'bot "{names}", {games} with {batch.players} players'
    late = f"{words}: not finished after {limit:g} s. Is there an endless loop? {HINT}; {MORE}"
    try:
        with doing(words, limit, late, HINT), spoken_by(names):
            yield
    except RogsimError:
        raise
    except faults() as fault:
        raise RogsimError(f"{words}: raised {in_a_line(fault)}. {HINT}") from fault


def _play_there(play: Callable[..., Any], game: str, data: bytes | None, setup: Any, batch: Batch, *more: Any) -> Any:
    spec = received(game, data)
    return play(spec, setup, replace(batch, line_up=tuple(_ready(spec, bot) for bot in batch.line_up)), *more)


def _ready(spec: GameSpec, bot: Bot) -> Bot:
    """Return a bot that plays here, with the name and the weights of one that does not."""
    assert bot.place is not None
    return replace(bot_at(spec.id, bot.place), name=bot.name, weights=bot.weights)


Rows = NDArray[np.void]


def play_batch(spec: GameSpec, setup: Any, batch: Batch) -> tuple[Rows, Rows]:
    """Play a batch and return its rows.

    Games with bots from outside the game's package are played by another process, and have a time limit.

    Parameters
    ----------
    setup
        What `spec.prepare` returned.

    Returns
    -------
    tuple of structured arrays
        A row for each seat of each game, and a row for each game.

    Raises
    ------
    RogsimError
        If a bot exceeds the time limit or fails; the error names it.
    """
    rows: tuple[Rows, Rows] = where_bots_play(_play, spec, setup, batch)
    return rows


def _play(spec: GameSpec, setup: Any, batch: Batch) -> tuple[Rows, Rows]:
    seat_rows, game_rows = spec.empty_rows(len(batch.deals), batch.players)
    if any(bot.foreign for bot in batch.line_up):
        play_watched(spec, setup, batch, seat_rows, game_rows, game_seconds())
    else:
        spec.play(setup, batch, seat_rows, game_rows)
    return seat_rows, game_rows
