"""Games with bots that are Python objects: play on, compiled, until one of them must choose; ask it in plain words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.chance import OwnRandom
from rogsim.game import AgentFault, Batch, BotFault, ask_agent, make_agent
from rogsim.games.river_of_gold.apply import apply
from rogsim.games.river_of_gold.engine import ILLEGAL, begin, decide, prepare_corners, seat_bots
from rogsim.games.river_of_gold.field import bot_fault, compile_bot, field_arrays
from rogsim.games.river_of_gold.observation import Observer
from rogsim.games.river_of_gold.outcome import write_outcome
from rogsim.games.river_of_gold.phases import OVER
from rogsim.games.river_of_gold.scoring import score_game
from rogsim.jit import kernel

NO_ANSWER = -1


def ask(tables: Any, view: Any, menu: Any, own: Any) -> int:
    """Sit in the compiled loop for an agent: it answers nothing, and play stops with the view and the menu made."""
    return ILLEGAL


@kernel
def lay_out(tables: Any, desk: Any, weights: Any, seed: int, luck: int, seating: Any) -> None:
    """Begin a game with its bots at their seats."""
    prepare_corners(tables, desk, weights)
    begin(tables, desk, seed, luck)
    seat_bots(desk, seating)


@kernel
def play_on(
    tables: Any,
    desk: Any,
    bots: Any,
    seating: Any,
    decisions: int,
    answer: int,
    seat_rows: Any,
    game_rows: Any,
    log: Any,
) -> int:
    """Take the answer to the open question, if there is one, and play on to the end or to the next question.

    Return the choices made so far. The game is over then, or whoever is `game.actor` has answered nothing legal.
    """
    game = desk.game
    while game.phase != OVER:
        if answer == NO_ANSWER:
            action = decide(tables, desk, bots, int(seating[game.actor]))
            if action == ILLEGAL:
                return decisions
        else:
            action = desk.menu.actions[answer]
            answer = NO_ANSWER
        if decisions < len(log):
            log[decisions] = action
        apply(tables, game, action)
        decisions += 1
    score_game(tables, game, desk.scores)
    write_outcome(game, desk.scores, decisions, seat_rows, game_rows, desk.row)
    return decisions


def play_with_agents(
    desk: Any, setup: Any, batch: Batch, seat_rows: Any, game_rows: Any, log: NDArray[np.int16]
) -> int:
    """Play as `engine.play_games` does, and ask the agents of the field themselves; BotFault if one goes wrong."""
    tables, game = setup.tables, desk.game
    bots, weights = field_arrays(batch.field, compile_bot(ask))
    observer = Observer(tables, setup.tile_ids, setup.facts)
    for row, luck in enumerate(batch.luck):
        desk.row, seating = row, batch.seating[row]
        lay_out(tables, desk, weights, batch.seed, int(luck), seating)
        agents = seat_agents(desk, batch, seating)
        decisions = play_on(tables, desk, bots, seating, 0, NO_ANSWER, seat_rows, game_rows, log)
        while game.phase != OVER:
            agent = agents[int(game.actor)]
            if agent is None:
                return row
            answer = answer_of(agent, observer, desk, batch)
            decisions = play_on(tables, desk, bots, seating, decisions, answer, seat_rows, game_rows, log)
    return len(batch.luck)


@dataclass(frozen=True)
class Seated:
    """An agent made for one seat of one game, and its chance."""

    mind: Any
    chance: OwnRandom


def seat_agents(desk: Any, batch: Batch, seating: NDArray[np.int8]) -> list[Seated | None]:
    """Make the agents of a game that was just laid out, for each seat; None where a compiled bot sits."""
    seated: list[Seated | None] = []
    for seat, place in enumerate(seating):
        make = batch.field[int(place)].agent
        if make is None:
            seated.append(None)
            continue
        try:
            seated.append(Seated(make_agent(make), OwnRandom(int(desk.corners[seat].own.stream.key))))
        except AgentFault as fault:
            bot = batch.field[int(place)]
            raise BotFault(bot.name, batch.players, int(batch.luck[desk.row]), 1, str(fault)) from fault
    return seated


def answer_of(agent: Seated, observer: Observer, desk: Any, batch: Batch) -> int:
    """Show an agent the open question and return the place of its answer on the menu; BotFault if it goes wrong."""
    try:
        observation = observer.observe(desk.seen, agent.chance)
        return ask_agent(agent.mind, observation, observer.actions(desk.seen, desk.menu))
    except AgentFault as fault:
        raise bot_fault(desk, batch, str(fault)) from fault
