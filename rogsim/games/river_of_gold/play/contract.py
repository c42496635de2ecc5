"""The rules of River of Gold as the harness calls them: `RULES`."""

from __future__ import annotations

from typing import Any

from rogsim.game.rules import Rules
from rogsim.games.river_of_gold.components.names import MAX_SEATS, POINT_SOURCES
from rogsim.games.river_of_gold.components.tables import TABLES
from rogsim.games.river_of_gold.play import recording, rows
from rogsim.games.river_of_gold.play.determinization import DERIVED
from rogsim.games.river_of_gold.rules import actions, apply, legal, scoring, setup, state


def is_over(game: Any) -> bool:
    """Return whether the game is over."""
    return game.phase == state.OVER


def keep_sources(game: Any, seat: int, kept: Any) -> None:
    """Keep the points of a seat by source, but for the first one."""
    points = game.players[seat].ledger.points
    # All are read before any is written: then they are copied together.
    kept[0], kept[1], kept[2], kept[3], kept[4] = points[1], points[2], points[3], points[4], points[5]


def action_to_dict(setup: Any, game: Any, action: int) -> dict[str, Any]:
    """Return an action as a step of a trace."""
    return actions.words_of(game, action)


RULES = Rules(
    **DERIVED,
    tables=TABLES,
    menu=actions.MENU,
    scores=scoring.SCORE,
    actions=actions.ACTION_COUNT,
    most_seats=MAX_SEATS,
    most_turns=state.MOST_TURNS,
    sources=len(POINT_SOURCES),
    begin=setup.set_up,
    legal=legal.legal,
    apply=apply.apply,
    is_over=is_over,
    keep_sources=keep_sources,
    score=scoring.score_game,
    write_rows=rows.write_rows,
    action_to_dict=action_to_dict,
    recorder=recording.Recorder,
)
