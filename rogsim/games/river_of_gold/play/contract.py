"""The rules of River of Gold as the harness calls them: `RULES`."""

from __future__ import annotations

from typing import Any

from rogsim.game.kit.rows import copy_rest
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
    copy_rest(game.players[seat].ledger.points, kept)


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
