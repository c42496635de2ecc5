"""The rules of The River as the harness calls them: `RULES`."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.records import record
from rogsim.game.rng import one_way, stream_key
from rogsim.game.rules import Rules
from rogsim.games.the_river.components.names import MAX_SEATS
from rogsim.games.the_river.components.tables import TABLES
from rogsim.games.the_river.play import observation, recording, rows, worlds
from rogsim.games.the_river.rules import actions, apply, legal, scoring, setup, state
from rogsim.games.the_river.rules.round import MOST_TURNS

BLANK = np.zeros(1, state.SECRET)
HIDDEN = record([("secret", state.SECRET)])


def is_over(game: Any) -> bool:
    """Return whether the game is over."""
    return game.phase == state.OVER


def hide(view: Any, seat: int) -> None:
    """Hide the pile, the deck and chance. All else happened in the open: a reserved card lay face up before (J20)."""
    view.secret = BLANK[0]


def set_aside(game: Any, seat: int, hidden: Any) -> None:
    """Turn a game into the view of a seat, and keep what that hides."""
    hidden.secret = game.secret
    hide(game, seat)


def put_back(game: Any, seat: int, hidden: Any) -> None:
    """Put back what was set aside."""
    game.secret = hidden.secret


def scorings(game: Any) -> int:
    """Return how often points changed: buildings and the bonus tokens that come with them give points."""
    return game.constructed


def keep_sources(game: Any, seat: int, kept: Any) -> None:
    """Keep the points of bonus tokens; before the final scoring, all others are of buildings."""
    kept[0] = game.players[seat].token_points


def bot_key(game: Any, seat: int) -> Any:
    """Return the key of the random numbers of the bot at a seat."""
    return one_way(stream_key(game.secret.key, state.BOT + seat))


RULES = Rules(
    state=state.GAME,
    tables=TABLES,
    menu=actions.MENU,
    scores=scoring.SCORE,
    actions=actions.ACTION_COUNT,
    most_seats=MAX_SEATS,
    most_turns=MOST_TURNS,
    sources=len(rows.SOURCES),
    begin=setup.set_up,
    legal=legal.legal,
    apply=apply.apply,
    is_over=is_over,
    scorings=scorings,
    keep_sources=keep_sources,
    hide=hide,
    set_aside=set_aside,
    put_back=put_back,
    hidden=HIDDEN,
    deal_world=worlds.deal_world,
    score=scoring.score_game,
    write_rows=rows.write_rows,
    bot_key=bot_key,
    action_to_dict=recording.action_to_dict,
    describe=observation.describe,
    recorder=recording.Recorder,
    vector=observation.vector,
)
