"""The rules as functions of a state, for whoever plays decision by decision: `RULES`."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.bot import Bot
from rogsim.game.compiler import kernel, records
from rogsim.game.rng import one_way, stream_key
from rogsim.game.rules import NO_ACTION, Rules
from rogsim.game.rules import OVER as FINISHED
from rogsim.games.river_of_gold.components.names import MAX_SEATS
from rogsim.games.river_of_gold.components.tables import TABLES
from rogsim.games.river_of_gold.play.determinization import deal_world
from rogsim.games.river_of_gold.play.line_up import line_up_arrays
from rogsim.games.river_of_gold.play.recording import trace_of
from rogsim.games.river_of_gold.play.workspace import ARGUMENTS, MAX_WEIGHTS, hide
from rogsim.games.river_of_gold.records.history import HISTORY, note_state
from rogsim.games.river_of_gold.records.observation import Observation, Observer, words_of
from rogsim.games.river_of_gold.records.rows import write_outcome
from rogsim.games.river_of_gold.rules.actions import ACTION_COUNT, MENU
from rogsim.games.river_of_gold.rules.apply import apply
from rogsim.games.river_of_gold.rules.legal import legal
from rogsim.games.river_of_gold.rules.phases import OVER
from rogsim.games.river_of_gold.rules.purposes import BOT
from rogsim.games.river_of_gold.rules.scoring import SCORE, score_game
from rogsim.games.river_of_gold.rules.setup import set_up
from rogsim.games.river_of_gold.rules.state import GAME, SECRET

BLANK = np.zeros(1, SECRET)


@kernel
def begin_game(tables: Any, game: Any, seed: int, deal: int) -> None:
    """Set a zeroed game up, to its first decision."""
    set_up(tables, game, seed, deal)


@kernel
def legal_actions(tables: Any, game: Any, menu: Any) -> None:
    """Fill the menu with every legal action of `game.actor`, each once."""
    legal(tables, game, menu)


@kernel
def apply_action(tables: Any, game: Any, action: int) -> None:
    """Carry out an action of `game.actor`, then everything up to the next decision."""
    apply(tables, game, action)


@kernel
def step(tables: Any, games: Any, histories: Any, menus: Any, action: int) -> int:
    """Carry out an action, if there is one, and fill the next menu; return the actor, or that the game is over."""
    if action != NO_ACTION:
        apply_action(tables[0], games[0], action)
    note_state(tables[0], games[0], histories[0])
    if games[0].phase == OVER:
        return FINISHED
    legal_actions(tables[0], games[0], menus[0])
    return int(games[0].actor)


@kernel
def is_over(game: Any) -> bool:
    """Return whether the game is over."""
    return game.phase == OVER


@kernel
def actor(game: Any) -> int:
    """Return the seat that must choose."""
    return int(game.actor)


@kernel
def turn(game: Any) -> int:
    """Return the number of turns before this one."""
    return int(game.turn)


@kernel
def observe(game: Any, seat: int, holder: Any) -> None:
    """Fill `holder.game` with the view of a seat."""
    holder.game = game
    hide(holder.game, BLANK[0], seat)


@kernel
def score(tables: Any, game: Any, standings: Any) -> None:
    """Fill the STANDING of every seat as if the game ended now."""
    scores = records(SCORE, MAX_SEATS)
    score_game(tables, game, scores)
    winners = 0
    for seat in range(game.seats):
        winners += scores[seat].rank == 1
    for seat in range(game.seats):
        standings[seat].points = scores[seat].total
        standings[seat].rank = scores[seat].rank
        standings[seat].win_share = 1.0 / winners if scores[seat].rank == 1 else 0.0


@kernel
def write_rows(tables: Any, game: Any, history: Any, seat_rows: Any, game_rows: Any, row: int) -> None:
    """Write a finished game into its row and into the rows of its seats."""
    scores = records(SCORE, MAX_SEATS)
    score_game(tables, game, scores)
    write_outcome(game, scores, history.points, int(history.states) - 1, seat_rows, game_rows, row)


@kernel
def bot_key(game: Any, seat: int) -> Any:
    """Return the key of the random numbers of the bot at a seat."""
    return one_way(stream_key(game.secret.key, BOT + seat))


def seat_bot(tables: Any, game: Any, seat: int, bot: Bot, memory: Any) -> None:
    """Fill zeroed ARGUMENTS as a compiled bot finds them at the start of a game; ValueError for too many weights."""
    _, weights = line_up_arrays((bot,))
    memory.tables = tables
    memory.memory.weights[:] = weights[0, :MAX_WEIGHTS]
    memory.memory.stream.key = bot_key(game, seat)


def ask(bot: Bot, tables: Any, view: Any, memory: Any) -> int:
    """Let a compiled bot choose, and return its answer; it may overwrite all that it is given except `tables`."""
    legal_actions(tables, view, memory.menu)
    return int(bot.choose(memory.tables, view, memory.menu, memory.memory))


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
    history=HISTORY,
    bot_memory=ARGUMENTS,
    actions=ACTION_COUNT,
    tables_of=lambda setup: setup.tables,
    begin=begin_game,
    legal=legal_actions,
    apply=apply_action,
    is_over=is_over,
    actor=actor,
    turn=turn,
    observe=observe,
    deal_world=deal_world,
    score=score,
    note=note_state,
    write_rows=write_rows,
    bot_key=bot_key,
    step=step,
    action_to_dict=action_to_dict,
    describe=describe,
    seat_bot=seat_bot,
    ask=ask,
    trace=trace_of,
)
