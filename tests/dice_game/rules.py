"""The rules of the dice race: the record of a game, `legal`, `apply`, and so on; and the play loop."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from rogsim.game import compiler
from rogsim.game.rng import STREAM, below, fresh_key, game_key, one_way, stream_key
from rogsim.game.rules import NO_ACTION, OVER

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
SETUP = np.dtype(
    [("goals", "i8", (2,)), ("handicap", "i8", (MOST_PLAYERS,)), ("fair", "i8"), ("players", "i8")], align=True
)
MENU = np.dtype([("count", "i8"), ("actions", "i8", (len(ACTIONS),))], align=True)
HISTORY = np.dtype([("states", "i8")], align=True)  # how many there were; no row needs it

TRACK_CHANCE, BOT_CHANCE, DICE_CHANCE = (
    0,
    1,
    1 + MOST_PLAYERS,
)  # purposes; bots and dice have one for each seat

CHOOSE = numba.types.int64(
    numba.from_dtype(RACE), numba.types.float64[::1], numba.from_dtype(STREAM)
)  # race, weights, the bot's own stream


@compiler.kernel
def begin(setup: Any, race: Any, seed: int, deal: int) -> None:
    key = game_key(seed, deal)
    race.key = key
    race.players = setup.players
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
def legal(setup: Any, race: Any, menu: Any) -> None:
    menu.count = 0 if race.over else len(ACTIONS)
    menu.actions[0] = ROLL
    menu.actions[1] = WALK


@compiler.kernel
def apply(setup: Any, race: Any, action: int) -> None:
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
def is_over(race: Any) -> bool:
    return race.over == 1


@compiler.kernel
def actor(race: Any) -> int:
    return race.actor


@compiler.kernel
def turn(race: Any) -> int:
    return race.turns


@compiler.kernel
def observe(race: Any, seat: int, holder: Any) -> None:
    """Copy the race without chance: the track and all positions are in plain sight."""
    holder.game = race
    holder.game.key = 0
    for other in range(MOST_PLAYERS):
        holder.game.dice[other] = 0


@compiler.kernel
def deal_world(setup: Any, view: Any, seat: int, stream: Any, holder: Any) -> None:
    """Deal all future rolls anew."""
    holder.game = view
    race = holder.game
    race.key = fresh_key(stream)
    for other in range(MOST_PLAYERS):
        race.dice[other] = stream_key(race.key, DICE_CHANCE + other)


@compiler.kernel
def bot_key(race: Any, seat: int) -> Any:
    return one_way(stream_key(race.key, BOT_CHANCE + seat))


@compiler.kernel
def open_stream(stream: Any, race: Any) -> None:
    """Open the stream of random numbers of the actor's bot for this turn."""
    stream.key = bot_key(race, race.actor)
    stream.count = np.uint64(race.turns)


@compiler.kernel
def arrived(race: Any) -> int:
    count = 0
    for seat in range(race.players):
        count += race.position[seat] == race.goal
    return count


@compiler.kernel
def is_ahead(race: Any, seat: int, other: int) -> bool:
    """Whether a seat has arrived and another has not, or is further along."""
    here, there = race.position[seat] == race.goal, race.position[other] == race.goal
    if here or there:
        return here and not there
    return race.position[seat] > race.position[other]


@compiler.kernel
def score(setup: Any, race: Any, standings: Any) -> None:
    winners = 0
    for seat in range(race.players):
        standings[seat].points = race.position[seat]
        standings[seat].rank = 1
        for other in range(race.players):
            standings[seat].rank += is_ahead(race, other, seat)
        winners += standings[seat].rank == 1
    for seat in range(race.players):
        standings[seat].win_share = 1.0 / winners if standings[seat].rank == 1 else 0.0


@compiler.kernel
def note(setup: Any, race: Any, history: Any) -> None:
    history.states += 1


@compiler.kernel
def step(setups: Any, races: Any, histories: Any, menus: Any, action: int) -> int:
    if action != NO_ACTION:
        apply(setups[0], races[0], action)
    note(setups[0], races[0], histories[0])
    legal(setups[0], races[0], menus[0])
    return OVER if races[0].over == 1 else races[0].actor


@compiler.kernel
def fill_rows(race: Any, row: int, seat_rows: Any, game_rows: Any) -> None:
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
def write_rows(setup: Any, race: Any, history: Any, seat_rows: Any, game_rows: Any, row: int) -> None:
    fill_rows(race, row, seat_rows, game_rows)


@compiler.kernel
def play_games(
    setup: Any,
    seed: int,
    deals: Any,
    seating: Any,
    choosers: Any,
    weights: Any,
    race: Any,
    menu: Any,
    stream: Any,
    seat_rows: Any,
    game_rows: Any,
) -> int:
    """Play and fill the rows; return -1, or the first row in which a bot chose an illegal action."""
    for row in range(len(deals)):
        begin(setup, race, seed, deals[row])
        while not race.over:
            legal(setup, race, menu)
            place = seating[row, race.actor]
            open_stream(stream, race)
            action = choosers[place](race, weights[place], stream)
            if action < 0 or action >= menu.count:
                return row
            apply(setup, race, action)
        fill_rows(race, row, seat_rows, game_rows)
    return -1
