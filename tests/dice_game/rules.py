"""The rules of the dice race: the record of a game, `legal`, `apply`, and the play loop."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from rogsim.game import compiler
from rogsim.game.rng import STREAM, below, game_key, one_way, stream_key

MOST_PLAYERS = 4
ROLL, WALK = 0, 1  # the two actions
ACTIONS = ("roll", "walk")
WALK_SPACES = 3
TRACKS = ("short", "long")

RACE = np.dtype(
    [
        ("position", "i8", (MOST_PLAYERS,)),
        ("first_roll", "i8", (MOST_PLAYERS,)),  # 1..6, 0 before it
        ("rolls", "i8", (MOST_PLAYERS,)),  # how many each has rolled
        ("dice", "u8", (MOST_PLAYERS,)),  # keys of the seats' streams of chance
        ("key", "u8"),  # of all the chance of this game
        ("players", "i8"),
        ("goal", "i8"),
        ("track", "i8"),
        ("fair", "i8"),
        ("actor", "i8"),
        ("turns", "i8"),
        ("rounds", "i8"),
        ("over", "i8"),
    ],
    align=True,
)
SETUP = np.dtype([("goals", "i8", (2,)), ("handicap", "i8", (MOST_PLAYERS,)), ("fair", "i8")], align=True)

TRACK_CHANCE, BOT_CHANCE, DICE_CHANCE = (
    0,
    1,
    1 + MOST_PLAYERS,
)  # purposes; bots and dice have one for each seat

CHOOSE = numba.types.int64(
    numba.from_dtype(RACE), numba.types.float64[::1], numba.from_dtype(STREAM)
)  # race, weights, the bot's own stream


@compiler.kernel
def begin(race: Any, setup: Any, seed: int, deals: int, players: int) -> None:
    key = game_key(seed, deals)
    race.key = key
    race.players = players
    race.track = below(stream_key(key, TRACK_CHANCE), 0, len(TRACKS))
    race.goal = setup.goals[race.track]
    race.fair = setup.fair
    race.actor = 0
    race.turns = 0
    race.rounds = 0
    race.over = 0
    for seat in range(MOST_PLAYERS):
        race.position[seat] = setup.handicap[seat]
        race.first_roll[seat] = 0
        race.rolls[seat] = 0
        race.dice[seat] = stream_key(key, DICE_CHANCE + seat)


@compiler.kernel
def legal(race: Any, actions: Any) -> int:
    if race.over:
        return 0
    actions[0] = ROLL
    actions[1] = WALK
    return 2


@compiler.kernel
def apply(race: Any, action: int) -> None:
    seat = race.actor
    if action == ROLL:
        spaces = below(race.dice[seat], race.rolls[seat], 6) + 1
        race.rolls[seat] += 1
        if race.first_roll[seat] == 0:
            race.first_roll[seat] = spaces
    else:
        spaces = WALK_SPACES
    race.position[seat] = min(race.position[seat] + spaces, race.goal)
    race.turns += 1
    race.actor = (seat + 1) % race.players
    if race.actor == 0:
        race.rounds += 1
    if race.position[seat] == race.goal and not race.fair:
        race.over = 1
    if race.actor == 0 and race.fair:
        race.over = arrived(race) > 0


@compiler.kernel
def open_stream(stream: Any, race: Any) -> None:
    """Open the stream of random numbers of the actor's bot for this turn."""
    stream.key = one_way(stream_key(race.key, BOT_CHANCE + race.actor))
    stream.count = np.uint64(race.turns)


@compiler.kernel
def arrived(race: Any) -> int:
    count = 0
    for seat in range(race.players):
        count += race.position[seat] == race.goal
    return count


@compiler.kernel
def write_rows(race: Any, row: int, seat_rows: Any, game_rows: Any) -> None:
    winners = arrived(race)
    game_rows[row].turns = race.turns
    game_rows[row].decisions = race.turns  # a turn is one choice
    game_rows[row].rounds = race.rounds
    game_rows[row].track = race.track
    for seat in range(race.players):
        out = seat_rows[row * race.players + seat]
        won = race.position[seat] == race.goal
        out.points = race.position[seat]
        out.win_share = 1.0 / winners if won else 0.0
        out.first_roll = race.first_roll[seat] - 1


@compiler.kernel
def play_games(
    setup: Any,
    seed: int,
    deals: Any,
    seating: Any,
    choosers: Any,
    weights: Any,
    race: Any,
    stream: Any,
    seat_rows: Any,
    game_rows: Any,
) -> int:
    """Play and fill the rows; return -1, or the first row in which a bot chose an illegal action."""
    players = seating.shape[1]
    actions = np.zeros(2, np.int64)
    for row in range(len(deals)):
        begin(race, setup, seed, deals[row], players)
        count = legal(race, actions)
        while count > 0:
            place = seating[row, race.actor]
            open_stream(stream, race)
            action = choosers[place](race, weights[place], stream)
            if action < 0 or action >= count:
                return row
            apply(race, action)
            count = legal(race, actions)
        write_rows(race, row, seat_rows, game_rows)
    return -1
