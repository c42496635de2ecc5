"""The rules of The River as the harness calls them: `RULES`."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import part
from rogsim.game.rng import one_way, stream_key
from rogsim.game.rules import Rules
from rogsim.games.the_river.components.names import MAX_SEATS
from rogsim.games.the_river.components.tables import TABLES
from rogsim.games.the_river.play.recording import Recorder, action_to_dict
from rogsim.games.the_river.play.worlds import deal_world
from rogsim.games.the_river.records.observation import describe
from rogsim.games.the_river.records.rows import write_rows
from rogsim.games.the_river.records.vector import vector
from rogsim.games.the_river.rules.actions import ACTION_COUNT, MENU
from rogsim.games.the_river.rules.apply import apply
from rogsim.games.the_river.rules.legal import legal
from rogsim.games.the_river.rules.phases import OVER
from rogsim.games.the_river.rules.purposes import BOT
from rogsim.games.the_river.rules.round import MOST_TURNS
from rogsim.games.the_river.rules.scoring import SCORE, score_game
from rogsim.games.the_river.rules.setup import set_up
from rogsim.games.the_river.rules.state import GAME, SECRET

BLANK = np.zeros(1, SECRET)


@part
def is_over(game: Any) -> bool:
    """Return whether the game is over."""
    return game.phase == OVER


@part
def hide(view: Any, seat: int) -> None:
    """Hide the pile, the deck and chance. All else happened in the open: a reserved card lay face up before (J20)."""
    view.secret = BLANK[0]


@part
def bot_key(game: Any, seat: int) -> Any:
    """Return the key of the random numbers of the bot at a seat."""
    return one_way(stream_key(game.secret.key, BOT + seat))


RULES = Rules(
    state=GAME,
    tables=TABLES,
    menu=MENU,
    scores=SCORE,
    actions=ACTION_COUNT,
    most_seats=MAX_SEATS,
    most_turns=MOST_TURNS,
    begin=set_up,
    legal=legal,
    apply=apply,
    is_over=is_over,
    hide=hide,
    deal_world=deal_world,
    score=score_game,
    write_rows=write_rows,
    bot_key=bot_key,
    action_to_dict=action_to_dict,
    describe=describe,
    recorder=Recorder,
    vector=vector,
)
