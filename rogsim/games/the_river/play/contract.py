"""The rules of The River as the harness calls them: `RULES`."""

from __future__ import annotations

from typing import Any

from rogsim.game.plain.derived import derived
from rogsim.game.rules import Rules
from rogsim.games.the_river.components.names import MAX_SEATS
from rogsim.games.the_river.components.tables import TABLES
from rogsim.games.the_river.play import recording, rows
from rogsim.games.the_river.rules import actions, apply, legal, scoring, setup, state


def is_over(game: Any) -> bool:
    """Return whether the game is over."""
    return game.phase == state.OVER


def scorings(game: Any) -> int:
    """Return how often points changed: buildings and the bonus tokens that come with them give points."""
    return game.constructed


def keep_sources(game: Any, seat: int, kept: Any) -> None:
    """Keep the points of bonus tokens; before the final scoring, all others are of buildings."""
    kept[0] = game.players[seat].token_points


RULES = Rules(
    **derived(state.PARTS, bots=state.BOT),
    tables=TABLES,
    menu=actions.MENU,
    scores=scoring.SCORE,
    actions=actions.ACTION_COUNT,
    most_seats=MAX_SEATS,
    most_turns=state.MOST_TURNS,
    sources=len(rows.SOURCES),
    begin=setup.set_up,
    legal=legal.legal,
    apply=apply.apply,
    is_over=is_over,
    scorings=scorings,
    keep_sources=keep_sources,
    score=scoring.score_game,
    write_rows=rows.write_rows,
    action_to_dict=recording.action_to_dict,
    recorder=recording.Recorder,
)
