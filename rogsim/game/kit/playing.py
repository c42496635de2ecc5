"""Playing, recording and auditing batches of any game by the play loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.base.errors import RogsimError
from rogsim.game.batches import Audit, Batch
from rogsim.game.kit import loop
from rogsim.game.kit.agent_bridge import AgentBridge
from rogsim.game.kit.auditor import Auditor
from rogsim.game.kit.line_up import line_up_arrays
from rogsim.game.kit.rules_faults import check_turns, fault_of, unfinished
from rogsim.game.kit.workspace import workspace_of
from rogsim.game.records import as_records
from rogsim.game.rules import NOTHING, Rules

Rows = NDArray[Any]
Actions = NDArray[np.int64]

NO_LOG: Actions = np.empty(0, np.int64)
PAGE = 4096  # bytes
DECISIONS = 4096  # room for this many at first when a game is recorded


def play(rules: Rules, setup: Any, batch: Batch, seat_rows: Rows, game_rows: Rows, log: Actions = NO_LOG) -> None:
    """Play a batch and fill its rows.

    Parameters
    ----------
    setup
        What `GameSpec.prepare` returned.
    seat_rows, game_rows
        Structured arrays of the game's columns: [n * players], game by game and seat by seat, and [n].
    log : int64[m]
        Receives the first m actions of the last game.

    Raises
    ------
    BotFault
        If a bot raises an error, or gives an answer that is not on the menu.
    RulesFault
        If the rules raise one, do not compile, never end, or break what the play loop relies on.
    """
    workspace = new_workspace(rules)
    has_agents = any(bot.agent for bot in batch.line_up)
    bridge = AgentBridge(rules, workspace, setup, batch) if has_agents else None
    _play_through(bridge, rules, workspace, setup, batch, seat_rows, game_rows, log)


def audit(rules: Rules, setup: Any, batch: Batch, seat_rows: Rows, game_rows: Rows, beat: Callable[[], None]) -> Audit:
    """Play a batch as `play` does, and audit the first bot of its line-up; `beat` is called around each choice."""
    workspace = new_workspace(rules)
    bridge = Auditor(rules, workspace, setup, batch, beat)
    _play_through(bridge, rules, workspace, setup, batch, seat_rows, game_rows, NO_LOG)
    return bridge.audit


def record(
    rules: Rules, setup: Any, batch: Batch, row_dtypes: tuple[np.dtype[Any], np.dtype[Any]]
) -> Iterator[Mapping[str, Any]]:
    """Play a batch and yield each game as a trace; BotFault as in `play`.

    The actions of a game are applied again, one by one, to describe them, so recording cannot change a game.
    """
    for row, deal in enumerate(batch.deals):
        game = replace(batch, deals=batch.deals[row : row + 1], seating=batch.seating[row : row + 1])
        names = [batch.line_up[int(place)].name for place in batch.seating[row]]
        yield rules.trace(setup, batch.seed, int(deal), names, actions_of(rules, setup, game, row_dtypes).tolist())


def actions_of(
    rules: Rules, setup: Any, game: Batch, row_dtypes: tuple[np.dtype[Any], np.dtype[Any]], room: int = DECISIONS
) -> Actions:
    """Play one game, and return all its actions."""
    log = np.empty(room, np.int64)
    seat_rows, game_rows = (np.zeros(size, dtype) for size, dtype in zip((game.players, 1), row_dtypes, strict=True))
    play(rules, setup, game, seat_rows, game_rows, log)
    decisions = int(game_rows["decisions"][0])
    return log[:decisions] if decisions <= room else actions_of(rules, setup, game, row_dtypes, decisions)


def new_workspace(rules: Rules) -> Any:
    """Return a new workspace, at the beginning of a page: a number that lies across two pages is read more slowly."""
    kind = workspace_of(rules)
    memory = np.zeros(kind.itemsize + PAGE, np.uint8)
    first = -memory.ctypes.data % PAGE
    return as_records(np.ndarray(1, kind, memory, first))[0]


def _play_through(
    bridge: AgentBridge | None,
    rules: Rules,
    workspace: Any,
    setup: Any,
    batch: Batch,
    seat_rows: Rows,
    game_rows: Rows,
    log: Actions,
) -> None:
    """Play a batch; bots that the play loop cannot call directly are called through the bridge."""
    stand_in, watched = (bridge.choose, bridge.watched) if bridge else (None, "")
    in_place = rules.hidden is not NOTHING
    bots, weights = line_up_arrays(batch.line_up, rules.most_seats, stand_in, watched, in_place)
    rows = (as_records(seat_rows), as_records(game_rows))
    games = (batch.seed, batch.deals, batch.seating)
    try:
        with bridge.open() if bridge else nullcontext():
            played = loop.play_games(rules.tables_of(setup), workspace, bots, weights, *games, *rows, log)
    except (RogsimError, Warning):  # the first says whose fault it is, and the second is nobody's
        raise
    except Exception as error:
        raise fault_of(error, rules, workspace, batch) from error
    if played < len(batch.deals):
        raise unfinished(rules, workspace, batch)
    check_turns(rules, workspace)
