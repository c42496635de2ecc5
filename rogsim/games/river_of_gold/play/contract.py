"""The rules of River of Gold as the harness calls them: `RULES`."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.records import record
from rogsim.game.rng import one_way, stream_key
from rogsim.game.rules import Rules
from rogsim.games.river_of_gold.components.names import MAX_SEATS, POINT_SOURCES
from rogsim.games.river_of_gold.components.tables import TABLES
from rogsim.games.river_of_gold.play import determinization, observation, recording, rows
from rogsim.games.river_of_gold.rules import actions, apply, legal, scoring, setup, state, turn

BLANK = np.zeros(1, state.SECRET)
HIDDEN = record([("secret", state.SECRET), ("hands", "i4", (MAX_SEATS,))])


def is_over(game: Any) -> bool:
    """Return whether the game is over."""
    return game.phase == state.OVER


def hide(view: Any, seat: int) -> None:
    """Hide others' hands, undrawn cards and tiles, and chance. Zero is a valid index, so a view has no invalid one."""
    view.secret = BLANK[0]
    own = view.players[seat].hand
    for other in range(MAX_SEATS):
        view.players[other].hand = 0
    view.players[seat].hand = own


def set_aside(game: Any, seat: int, hidden: Any) -> None:
    """Turn a game into the view of a seat, and keep what that hides."""
    hidden.secret = game.secret
    for other in range(MAX_SEATS):
        hidden.hands[other] = game.players[other].hand
    hide(game, seat)


def put_back(game: Any, seat: int, hidden: Any) -> None:
    """Put back what was set aside."""
    game.secret = hidden.secret
    for other in range(MAX_SEATS):
        game.players[other].hand = hidden.hands[other]


def keep_sources(game: Any, seat: int, kept: Any) -> None:
    """Keep the points of a seat by source, but for the first one."""
    points = game.players[seat].ledger.points
    # All are read before any is written: then they are copied together.
    kept[0], kept[1], kept[2], kept[3], kept[4] = points[1], points[2], points[3], points[4], points[5]


def bot_key(game: Any, seat: int) -> Any:
    """Return the key of the random numbers of the bot at a seat."""
    return one_way(stream_key(game.secret.key, state.BOT + seat))


def action_to_dict(setup: Any, game: Any, action: int) -> dict[str, Any]:
    """Return an action as a step of a trace."""
    return actions.words_of(game, action, setup.tile_ids)


def describe(setup: Any, view: Any, seat: int, chance: Any) -> observation.Observation:
    """Return what a Python agent at a seat sees."""
    return observation.Observer(setup.tables, setup.tile_ids, setup.facts).observe(view, chance, seat)


RULES = Rules(
    state=state.GAME,
    tables=TABLES,
    menu=actions.MENU,
    scores=scoring.SCORE,
    actions=actions.ACTION_COUNT,
    most_seats=MAX_SEATS,
    most_turns=turn.MOST_TURNS,
    sources=len(POINT_SOURCES),
    begin=setup.set_up,
    legal=legal.legal,
    apply=apply.apply,
    is_over=is_over,
    keep_sources=keep_sources,
    hide=hide,
    set_aside=set_aside,
    put_back=put_back,
    hidden=HIDDEN,
    deal_world=determinization.deal_world,
    score=scoring.score_game,
    write_rows=rows.write_rows,
    bot_key=bot_key,
    action_to_dict=action_to_dict,
    describe=describe,
    recorder=recording.Recorder,
    vector=observation.vector,
)
