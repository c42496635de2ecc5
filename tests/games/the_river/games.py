"""Whole games of The River for tests: recorded in several ways of playing, and played in batches."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from rogsim.bots.loading import compile_bot, find_bot
from rogsim.game.batches import Batch
from rogsim.game.bot import Bot
from rogsim.game.kit.setup import Setup
from rogsim.games.the_river.components.load import BOOK
from rogsim.games.the_river.components.names import PRODUCED, RESOURCES
from rogsim.games.the_river.options import Options
from rogsim.games.the_river.play.contract import RULES
from rogsim.games.the_river.play.recording import Recorder
from rogsim.games.the_river.spec import GAME, prepare
from tests.naive.the_river_replay import any_action, builder_action, claimer_action

Trace = dict[str, Any]
Chooser = Callable[[Any, list[str], random.Random], str]

COUNTS = (2, 3, 4)  # of players
# Few resources, warehouses and places, so that empty islands, discards, passes and reshuffles are frequent.
NARROW: Mapping[str, Any] = {
    **{f"supply.{players}.{resource}": 3 for players in COUNTS for resource in RESOURCES},
    **{f"place.{place}.spots.{players}": 1 for place in ("swap", "construct") for players in COUNTS},
    **{f"tile.F{number:02}.store": 0 for number in range(6, 15)},
    "display_tiles.spots.4": 12,
    "spot.2.store": 0,
    "turn.claims_per_round": 1,
}
# Much of everything, and every rule with another figure.
WIDE: Mapping[str, Any] = {
    **{f"supply.{players}.{resource}": 20 for players in COUNTS for resource in RESOURCES},
    **{f"place.{resource}.spots.{players}": -1 for players in COUNTS for resource in PRODUCED},
    **{f"place.{resource}.first_bonus.{players}": 2 for players in COUNTS for resource in PRODUCED},
    "tile.G07.amount": 3,
    "tile.G15.amount": 3,
    "tile.M04.production.wood": 2,
    "tile.X01.terrain": ["badlands", "mountain"],
    "tile.G01.effect": "cleanup",
    "tile.G01.amount": 2,
    "tile.G01.points": 3,
    "tile.G10.effect": "token",
    "tile.G16.effect": "gift",
    "tile.G16.resource": "clay",
    "tile.G16.amount": 3,
    "spot.6.production": True,
    "board.blue.production.6": "clay",
    "board.black.production.3": "none",
    "card.H31.points": 12,
    "card.H02.stone": 2,
    "spot.5.settlement": True,
    "spot.9.store": 2,
    "setup.pioneers_on_boat": 5,
    "setup.display_cards": 6,
    "turn.trade_give": 2,
    "turn.reserved_max": 3,
    "turn.reserved_discount": 2,
    "turn.extra_pioneer_on_token": 1,
    "turn.food_action": 2,
    "score.leftover_points": 2,
    "score.column_three": 7,
}
CHANGES = {"printed": {}, "narrow": NARROW, "wide": WIDE}
CHOOSERS: tuple[Chooser, ...] = (any_action, builder_action, claimer_action)


@cache
def setup_for(players: int, figures: str = "printed", **options: Any) -> Setup:
    """What `prepare` returns, with changed figures and options."""
    nested: dict[str, Any] = {}
    for name, value in CHANGES[figures].items():
        *path, field = name.split(".")
        table = nested
        for part in path:
            table = table.setdefault(part, {})
        table[field] = value
    change, problems = BOOK.check_change(nested)
    assert not problems, problems
    return prepare(Options(**options), players, change)


class Remembering(Recorder):
    """Finds the legal actions of a position once, though a test asks for them and the recorder does again."""

    position, menu = b"", [0]

    def legal(self) -> list[int]:
        position = self.state.tobytes()
        if position != self.position:
            self.position, self.menu = position, super().legal()
        return self.menu


def recorded(setup: Setup, deal: int, choose: Chooser = any_action) -> Trace:
    """Record a game in which all seats choose in this way."""
    recorder, rng = Remembering(RULES, setup), random.Random(deal)
    recorder.begin(1, deal)
    while not RULES.is_over(recorder.state):
        actions = recorder.legal()
        texts = recorder.texts(actions)
        recorder.take(actions[texts.index(choose(None, texts, rng))])
    names = ["random"] * int(setup.tables.seats)
    return {**recorder.head(1, deal, names), **recorder.body()}


def some_games(count: int, first: int = 0) -> Iterator[Trace]:
    """Record games of every player count with every change, in every way of playing; the first player is random."""
    for number in range(first, first + count):
        figures = ("printed", "narrow", "printed", "wide")[number // 3 % 4]
        setup = setup_for(COUNTS[number % 3], figures, first_player="random")
        yield recorded(setup, number, CHOOSERS[number // 12 % 3])


@cache
def random_bot() -> Bot:
    return compile_bot(GAME, find_bot(GAME, "random", Path()))


def batch_of(players: int, games: int) -> Batch:
    """Games of random bots."""
    return Batch(3, players, np.arange(games), np.zeros((games, players), np.int8), (random_bot(),) * players)


def played(setup: Setup, games: int) -> tuple[Any, Any, list[Trace]]:
    """Play and record games of random bots; return seat rows by game, game rows and traces."""
    players = int(setup.tables.seats)
    batch = batch_of(players, games)
    seat_dtype, game_dtype = GAME.row_dtypes
    seat_rows, game_rows = np.zeros(games * players, seat_dtype), np.zeros(games, game_dtype)
    GAME.play(setup, batch, seat_rows, game_rows)
    traces = [dict(trace) for trace in GAME.record(setup, batch)]
    return seat_rows.reshape(games, players), game_rows, traces
