"""Play games of a plain bot and record positions: the features of all seats, and the result of the game.

A bot that always plays well meets few poor positions, and an evaluation must tell those apart, too. So some turns are
taken at random. The positions after these, and after some of the turns that the bot chose, are recorded.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray

from rogsim.base.errors import RogsimError
from rogsim.bots.loading import BotSource, compile_bot
from rogsim.game.bot import Bot
from rogsim.game.compiler import kernel, records
from rogsim.game.kit import loop
from rogsim.game.kit.line_up import line_up_arrays
from rogsim.game.kit.playing import new_workspace
from rogsim.game.rng import below, stream_key
from rogsim.games.river_of_gold.bots.features import FEATURE_COUNT, POSITION
from rogsim.games.river_of_gold.bots.position import describe
from rogsim.games.river_of_gold.bots.worth import time_left
from rogsim.games.river_of_gold.components.names import MAX_SEATS, NONE
from rogsim.games.river_of_gold.options import Options
from rogsim.games.river_of_gold.rules import actions as act
from rogsim.games.river_of_gold.rules.apply import apply
from rogsim.games.river_of_gold.rules.legal import legal
from rogsim.games.river_of_gold.rules.phases import OVER, TURN
from rogsim.games.river_of_gold.rules.purposes import BOT
from rogsim.games.river_of_gold.rules.scoring import score_game
from rogsim.games.river_of_gold.spec import GAME, prepare

BLOCK = 100  # games of one line-up: independent of the number of workers, and so are the games
MOST_RECORDED = 200  # positions of a game, averaged over a block: far more than it has turns
LAST_TURNS = -1.0  # as the time left
# The purposes for which this script draws chance, in addition to the game.
TURNS_TAKEN, CHOICES_TAKEN = BOT + MAX_SEATS, BOT + MAX_SEATS + 1
PREPARE, KINDS = 0, 4  # kinds of actions in a turn: favor and exchanges; build, sail, deliver
PREPARE_PERCENT = 35  # how often a random turn takes another preparing action where it can

# A position between two turns, as seen by the seat that has just played.
RECORDED = np.dtype(
    [
        ("game", "i8"),
        ("left", "f8"),  # the time left, from 1 to 0, or LAST_TURNS
        ("features", "f4", (MAX_SEATS, FEATURE_COUNT)),
        ("points", "f4", (MAX_SEATS,)),  # final
        ("win_share", "f4", (MAX_SEATS,)),
    ],
    align=True,
)


@dataclass(frozen=True)
class Sampling:
    """How games are varied and which positions are recorded.

    noise: standard deviation of the log of the factor of each weight, drawn anew for each seat of a line-up.
    random_turns, own_turns: of 1,000 turns, how many are taken at random, and after how many of the bot's turns a
    position is recorded as well.
    """

    noise: float = 0.1
    random_turns: int = 80
    own_turns: int = 40


def collect(
    plain: BotSource, players: int, games: int, seed: int, jobs: int | None, sampling: Sampling
) -> NDArray[np.void]:
    """Return the positions of the given number of games; any `jobs` gives the same.

    Returns
    -------
    RECORDED[n]
        The positions, in the order of the games.

    Raises
    ------
    RogsimError
        If the bot gives an answer that is not on the menu.
    """
    bot = compile_bot(GAME, plain)
    tables = prepare(Options(), players).tables

    def play_block(first: int, count: int) -> NDArray[np.void]:
        line_up = _varied(bot, players, sampling.noise, (seed, players, first))
        bots, weights = line_up_arrays(line_up, MAX_SEATS)
        deals = np.arange(first, first + count)
        seating = ((deals[:, None] + np.arange(players)) % players).astype(np.int8)
        recorded, workspace, position = (
            records(RECORDED, count * MOST_RECORDED),
            new_workspace(GAME.rules),
            records(POSITION, 1)[0],
        )
        rates = (sampling.random_turns, sampling.own_turns)
        found = record_games(tables, workspace, bots, weights, seed, deals, seating, *rates, position, recorded)
        if found < 0:
            raise RogsimError(f'bot "{plain.name}" gave an answer that is not on the menu')
        return np.array(recorded[:found])

    play_block(0, 0)  # compiles, before any thread does
    blocks = [(first, min(BLOCK, games - first)) for first in range(0, games, BLOCK)]
    workers = joblib.Parallel(n_jobs=jobs or joblib.cpu_count(), backend="threading", batch_size=1)
    return np.concatenate(workers(joblib.delayed(play_block)(*block) for block in blocks))


def _varied(bot: Bot, players: int, noise: float, key: tuple[int, ...]) -> tuple[Bot, ...]:
    """Return a line-up in which each bot has differently varied weights."""
    factors = np.exp(np.random.default_rng(key).normal(0.0, noise, (players, len(bot.weights))))
    return tuple(replace(bot, weights=bot.weights * row) for row in factors)


@kernel
def record_games(
    tables: Any,
    workspace: Any,
    bots: Any,
    weights: Any,
    seed: int,
    deals: Any,
    seating: Any,
    random_turns: int,
    own_turns: int,
    position: Any,
    recorded: Any,
) -> int:
    """Play one game for each row and record positions; return their number, or ILLEGAL if a bot's answer is invalid.

    This loop has the steps of `loop.play_games`, which takes no function to call between them: random turns replace
    the choices of bots, and every game would pay for a call at each of its decisions.
    """
    game = workspace.game
    loop.prepare_arguments(tables, workspace, weights)
    count = 0
    for row in range(len(deals)):
        loop.begin(tables, workspace, seed, deals[row])
        loop.seat_bots(workspace, seating[row])
        turns, choices = stream_key(game.secret.key, TURNS_TAKEN), stream_key(game.secret.key, CHOICES_TAKEN)
        first, turn, decisions, drawn = count, -1, 0, 1000
        while game.phase != OVER:
            if game.phase == TURN and game.turn != turn:
                if drawn < random_turns + own_turns and count < len(recorded):
                    record_position(tables, game, position, recorded[count])
                    recorded[count].game = deals[row]
                    count += 1
                turn = game.turn
                drawn = below(turns, turn, 1000)
            if drawn < random_turns:
                legal(tables, game, workspace.menu)
                action = random_choice(game, workspace.menu, choices, 3 * decisions)
            else:
                action = loop.decide(tables, workspace, bots, int(seating[row, game.actor]))
            if action == loop.ILLEGAL:
                return loop.ILLEGAL
            apply(tables, game, action)
            decisions += 1
        score_game(tables, game, workspace.scores)
        for i in range(first, count):
            for seat in range(game.seats):
                recorded[i].points[seat] = workspace.scores[seat].points
                recorded[i].win_share[seat] = workspace.scores[seat].win_share
    return count


@kernel
def record_position(tables: Any, game: Any, position: Any, record: Any) -> None:
    """Record a position as seen by the seat whose turn is over: that seat evaluates it when it plans a turn."""
    describe(tables, game, (int(game.active) - 1) % int(game.seats), position)
    record.left = time_left(tables, game) if game.last_turns == NONE else LAST_TURNS
    for seat in range(game.seats):
        for i in range(FEATURE_COUNT):
            record.features[seat, i] = position.seats[seat, i]


@kernel
def random_choice(game: Any, menu: Any, stream: Any, drawn: int) -> int:
    """Return a random legal action; in a turn its kind is drawn first, as far more actions build than sail.

    `drawn` counts the numbers already taken from the stream; this takes up to three more.
    """
    if game.phase != TURN:
        return menu.actions[below(stream, drawn, int(menu.count))]
    has_kind = np.zeros(KINDS, np.bool_)
    for i in range(menu.count):
        has_kind[kind_of(menu.actions[i])] = True
    kind = PREPARE
    real = has_kind[PREPARE + 1 :].sum()
    if real > 0 and not (has_kind[PREPARE] and below(stream, drawn, 100) < PREPARE_PERCENT):
        kind = PREPARE + 1 + nth(has_kind[PREPARE + 1 :], below(stream, drawn + 1, real))
    fits = np.zeros(menu.count, np.bool_)
    for i in range(menu.count):
        fits[i] = kind_of(menu.actions[i]) == kind
    return menu.actions[nth(fits, below(stream, drawn + 2, fits.sum()))]


@kernel
def kind_of(action: int) -> int:
    """Return the kind of an action in a turn."""
    if action >= act.DELIVER:
        return 3
    if action >= act.SAIL:
        return 2
    return 1 if action >= act.BUILD else PREPARE


@kernel
def nth(flags: Any, number: int) -> int:
    """Return the place of the set flag that has `number` set flags before it, or -1."""
    for place in range(len(flags)):
        number -= int(flags[place])
        if number < 0:
            return place
    return -1
