"""The rules of the dice race."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game import compiler
from rogsim.game.kit.menus import ActionList, family
from rogsim.game.kit.rows import copy_named
from rogsim.game.rng import below, fresh_key, game_key, one_way, stream_key
from rogsim.game.rules import menu_of

MOST_PLAYERS = 4
ACTIONS = ActionList(family("roll"), family("walk"))
ROLL, WALK = ACTIONS.starts
ACTION_COUNT = ACTIONS.count
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
MENU = menu_of(ACTION_COUNT)
SCORE = np.dtype([("points", "i8"), ("rank", "i8"), ("win_share", "f8")], align=True)

# Purposes of chance; bots and dice have one for each seat.
TRACK_CHANCE, BOT_CHANCE, DICE_CHANCE = 0, 1, 1 + MOST_PLAYERS


@compiler.part
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


@compiler.part
def legal(setup: Any, race: Any, menu: Any) -> None:
    menu.count = 0 if race.over else ACTION_COUNT
    menu.actions[0] = ROLL
    menu.actions[1] = WALK


@compiler.part
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


@compiler.part
def is_over(race: Any) -> bool:
    return race.over == 1


@compiler.part
def turn(race: Any) -> int:
    return race.turns


@compiler.part
def seats(race: Any) -> int:
    return race.players


@compiler.part
def points(race: Any, seat: int) -> int:
    return race.position[seat]


@compiler.part
def hide(view: Any, seat: int) -> None:
    """Hide chance: the track and all positions are in plain sight."""
    view.key = 0
    for other in range(MOST_PLAYERS):
        view.dice[other] = 0


@compiler.part
def deal_world(setup: Any, view: Any, seat: int, stream: Any, holder: Any) -> None:
    """Deal all future rolls anew."""
    holder.game = view
    race = holder.game
    race.key = fresh_key(stream)
    for other in range(MOST_PLAYERS):
        race.dice[other] = stream_key(race.key, DICE_CHANCE + other)


@compiler.part
def bot_key(race: Any, seat: int) -> Any:
    return one_way(stream_key(race.key, BOT_CHANCE + seat))


@compiler.part
def arrived(race: Any) -> int:
    count = 0
    for seat in range(race.players):
        count += race.position[seat] == race.goal
    return count


@compiler.part
def is_ahead(race: Any, seat: int, other: int) -> bool:
    """Whether a seat has arrived and another has not, or is further along."""
    here, there = race.position[seat] == race.goal, race.position[other] == race.goal
    if here or there:
        return here and not there
    return race.position[seat] > race.position[other]


@compiler.part
def score(setup: Any, race: Any, scores: Any) -> None:
    winners = 0
    for seat in range(race.players):
        scores[seat].points = race.position[seat]
        scores[seat].rank = 1
        for other in range(race.players):
            scores[seat].rank += is_ahead(race, other, seat)
        winners += scores[seat].rank == 1
    for seat in range(race.players):
        scores[seat].win_share = 1.0 / winners if scores[seat].rank == 1 else 0.0


@compiler.part
def write_rows(setup: Any, race: Any, scores: Any, history: Any, seat_rows: Any, game_rows: Any, row: int) -> None:
    copy_named(race, game_rows[row])
    game_rows[row].decisions = history.decisions  # a turn is one choice
    for seat in range(race.players):
        out = seat_rows[row * race.players + seat]
        copy_named(scores[seat], out)
        out.first_roll = race.first_roll[seat] - 1
