"""The rules of River of Gold as the harness calls them: `RULES`."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import part
from rogsim.game.rng import one_way, stream_key
from rogsim.game.rules import Rules
from rogsim.games.river_of_gold.components.names import MAX_SEATS
from rogsim.games.river_of_gold.components.tables import TABLES
from rogsim.games.river_of_gold.play.determinization import deal_world
from rogsim.games.river_of_gold.play.recording import Recorder
from rogsim.games.river_of_gold.records.observation import Observation, Observer, words_of
from rogsim.games.river_of_gold.records.rows import write_rows
from rogsim.games.river_of_gold.records.vector import vector
from rogsim.games.river_of_gold.rules.actions import ACTION_COUNT, MENU
from rogsim.games.river_of_gold.rules.apply import apply
from rogsim.games.river_of_gold.rules.legal import legal
from rogsim.games.river_of_gold.rules.phases import OVER
from rogsim.games.river_of_gold.rules.purposes import BOT
from rogsim.games.river_of_gold.rules.scoring import SCORE, score_game
from rogsim.games.river_of_gold.rules.setup import set_up
from rogsim.games.river_of_gold.rules.state import GAME, SECRET
from rogsim.games.river_of_gold.rules.turn import MOST_TURNS

BLANK = np.zeros(1, SECRET)


@part
def is_over(game: Any) -> bool:
    """Return whether the game is over."""
    return game.phase == OVER


@part
def hide(view: Any, seat: int) -> None:
    """Hide others' hands, undrawn cards and tiles, and chance. Zero is a valid index, so a view has no invalid one."""
    view.secret = BLANK[0]
    for other in range(view.seats):
        if other != seat:
            view.players[other].hand = 0


@part
def bot_key(game: Any, seat: int) -> Any:
    """Return the key of the random numbers of the bot at a seat."""
    return one_way(stream_key(game.secret.key, BOT + seat))


def action_to_dict(setup: Any, game: Any, action: int) -> dict[str, Any]:
    """Return an action as a step of a trace."""
    return words_of(game, action, setup.tile_ids)


def describe(setup: Any, view: Any, seat: int, chance: Any) -> Observation:
    """Return what a Python agent at a seat sees."""
    return Observer(setup.tables, setup.tile_ids, setup.facts).observe(view, chance, seat)


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
