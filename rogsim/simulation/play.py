"""The one function that plays games: a batch in, rows out. Runs, tuning, benchmark and checks all use it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.game.batches import Batch
from rogsim.game.columns import row_dtype
from rogsim.game.spec import GameSpec
from rogsim.simulation.executors.foreign_bots import game_seconds, play_watched, where_bots_play

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
    games = len(batch.deals)
    seat_rows = np.zeros(games * batch.players, row_dtype(spec.seat_columns))
    game_rows = np.zeros(games, row_dtype(spec.game_columns))
    if any(bot.foreign for bot in batch.line_up):
        play_watched(spec, setup, batch, seat_rows, game_rows, game_seconds())
    else:
        spec.play(setup, batch, seat_rows, game_rows)
    return seat_rows, game_rows
