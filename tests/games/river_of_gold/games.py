"""Whole games for tests: batches, traces, and parameters changed so that more happens."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from rogsim.bots.loading import compile_bot, find_bot
from rogsim.game.batches import Batch
from rogsim.game.bot import Bot
from rogsim.game.columns import row_dtype
from rogsim.game.kit.setup import Setup, frozen
from rogsim.games.river_of_gold import spec
from rogsim.games.river_of_gold.components.declared import Facts
from rogsim.games.river_of_gold.components.load import BOOK
from rogsim.games.river_of_gold.components.tables import make_tables
from rogsim.games.river_of_gold.options import Options, fill_options
from rogsim.games.river_of_gold.play.rows import GAME_COLUMNS, SEAT_COLUMNS
from tests.naive.river_of_gold_setup import load_facts as load_naive_facts

Figures = dict[str, Any]

BOT_NAMES = tuple(bot.name for bot in spec.BOTS if bot.quick_games is None)  # of the fast ones
PATRON_MODES = ("none", "draft", "alternative", "dealt")


def as_printed(facts: Figures) -> Figures:
    return facts


def generous(facts: Figures) -> Figures:
    """Change parameters in place so that deliveries, and everything that depends on them, are frequent."""
    start = facts["setup"]
    start["koku_by_turn_order"] = [20, 20, 20, 20]
    start["goods"] = {"silk": 6, "rice": 6, "porcelain": 6}
    start["favor"] = start["favor_limit"] = 4
    start["hand"] = 5  # so that deck and discards give out at last
    for customer in facts["customer"]:
        customer["order"] = dict.fromkeys(customer["order"], 1)
    for space in facts["shore"]:
        space["cost"] //= 2
    return facts


CHANGES = {"printed": as_printed, "generous": generous}


@cache
def setup_for(figures: str, players: int, patrons: str = "none", masteries: str = "each") -> Setup:
    """What `spec.prepare` returns, with "printed" or "generous" parameters."""
    facts = CHANGES[figures](copy.deepcopy(BOOK.printed()))
    assert BOOK.problems_of(facts) == []
    tables = make_tables(Facts.from_dict(facts), players)
    fill_options(tables, Options(patrons=patrons, masteries=masteries))
    return Setup(tables, frozen(facts))


@cache
def naive_facts(figures: str) -> Figures:
    """The same components for the slow rules."""
    return CHANGES[figures](load_naive_facts(Path(BOOK.folder)))


@cache
def bot(name: str) -> Bot:
    return compile_bot(spec.GAME, find_bot(spec.GAME, name, Path()))


def batch_of(names: Sequence[str], games: int, seed: int = 1, first: int = 0) -> Batch:
    """Games `first`, `first` + 1, ... with these bots by seat."""
    deals = np.arange(first, first + games, dtype=np.int64)
    seating = np.tile(np.arange(len(names), dtype=np.int8), (games, 1))
    return Batch(seed, len(names), deals, seating, tuple(bot(name) for name in names))


def outcomes(setup: Setup, batch: Batch) -> tuple[Any, Any]:
    """Play a batch; return its seat rows and game rows."""
    seat_rows = np.zeros(len(batch.deals) * batch.players, row_dtype(SEAT_COLUMNS))
    game_rows = np.zeros(len(batch.deals), row_dtype(GAME_COLUMNS))
    spec.GAME.play(setup, batch, seat_rows, game_rows)
    return seat_rows, game_rows


def traces(setup: Setup, batch: Batch) -> list[dict[str, Any]]:
    return list(spec.GAME.record(setup, batch))
