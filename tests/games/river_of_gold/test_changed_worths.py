"""Bots value what scenarios can change by the changed numbers: those of nobles, merchants and exchanges."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest

from rogsim.game.compiler import kernel, records
from rogsim.game.kit.workspace import BOT_MEMORY, make_view
from rogsim.game.rules import copy_of
from rogsim.games.river_of_gold.bots.actions_worth import (
    NOTHING,
    delivery_with_exchanges,
    delivery_worth,
    journey_worth,
    sail_worth,
)
from rogsim.games.river_of_gold.bots.evaluation import SHEET
from rogsim.games.river_of_gold.bots.position import FEATURES, describe
from rogsim.games.river_of_gold.bots.worth import TILE, take_notes, weigh_moment
from rogsim.games.river_of_gold.components.names import CUSTOMERS, MERCHANT, NOBLE, REGIONS, RIVER_SPACES
from rogsim.games.river_of_gold.rules import sail
from tests.games.river_of_gold.games import bot
from tests.games.river_of_gold.playing import playing

pytestmark = [pytest.mark.slow, pytest.mark.once_uncompiled]

Worths = Callable[[Any, Any, int, Any], list[float]]


def moments() -> Iterator[tuple[Any, Any, int]]:
    """Tables, views and seats of positions of random games."""
    for kind in [("printed", 2, "none"), ("printed", 4, "none")]:
        for table, _ in islice(playing(kind, 3), 5, None, 13):
            make_view(table.workspace, table.active)
            yield table.tables, table.workspace.bot_view, table.active


def worths_by(tables: Any, view: Any, seat: int, worths: Worths) -> list[float]:
    """What something is worth to `balanced`, by its notes of the moment."""
    memory, weights = records(BOT_MEMORY, 1)[0], bot("balanced").weights
    memory.weights[: len(weights)] = weights
    weigh_moment(tables, view, memory)
    take_notes(tables, view, seat, True, memory)
    return worths(tables, view, seat, memory)


@kernel
def sail_worth_of(tables: Any, view: Any, seat: int, to: int, memory: Any) -> float:
    return sail_worth(tables, view, seat, 0, to, memory)


@kernel
def delivery_of(tables: Any, view: Any, seat: int, customer: int, memory: Any) -> float:
    return delivery_with_exchanges(tables, view, seat, customer, memory)


def sails(tables: Any, view: Any, seat: int, memory: Any) -> list[float]:
    return [sail_worth_of(tables, view, seat, to, memory) for to in range(RIVER_SPACES)]


def journeys(tables: Any, view: Any, seat: int, memory: Any) -> list[float]:
    return [journey_worth(tables, view, seat, memory)]


def described_journeys(tables: Any, view: Any, seat: int, _: Any) -> list[float]:
    position = records(SHEET, 1)[0].position
    describe(tables, view, seat, position)
    return [float(position.seats[seat, FEATURES.index("journey")])]


def prices(tables: Any, view: Any, seat: int, memory: Any) -> list[float]:
    """What deliveries after an exchange are worth, turned around, because it falls as exchanges cost more; or nan."""
    view.players[seat].goods[:] = (6, 0, 0)
    found = [delivery_of(tables, view, seat, customer, memory) for customer in range(len(CUSTOMERS))]
    return [-worth if worth > NOTHING else math.nan for worth in found]


def row(tables: Any, view: Any, seat: int, memory: Any) -> list[float]:
    return [float(memory.notes[TILE + place]) for place in range(view.row_length)]


def nobles(tables: Any, view: Any, seat: int, memory: Any) -> list[float]:
    first = NOBLE * REGIONS
    return [delivery_worth(tables, view, seat, customer, memory) for customer in range(first, first + REGIONS)]


def noble(number: int) -> tuple[str, int, int]:
    return "noble_amount", number - sail.FIRST_NOBLE, number


def merchant(number: int) -> tuple[str, int, int]:
    return "merchant_amount", number - sail.FIRST_MERCHANT, number


CASES = {
    "noble-koku": (*noble(sail.NOBLE_KOKU), sails),
    "noble-influence": (*noble(sail.NOBLE_INFLUENCE), sails),
    "noble-rival": (*noble(sail.NOBLE_RIVAL), sails),
    "noble-own": (*noble(sail.NOBLE_OWN), sails),
    **{f"merchant-{i}": (*merchant(MERCHANT * REGIONS + i), journeys) for i in range(REGIONS)},
    **{f"merchant-{i}-described": (*merchant(MERCHANT * REGIONS + i), described_journeys) for i in range(REGIONS)},
    "noble-points-row": ("noble_points", None, sail.FIRST_NOBLE, row),
    "noble-points": ("noble_points", None, sail.FIRST_NOBLE, nobles),
    "goods-for-good": ("goods_for_good", None, None, prices),
}


@pytest.mark.parametrize("case", CASES)
def test_bots_value_what_a_changed_number_gives(case: str) -> None:
    """No worth falls if the number is raised, and some rise: as far as limits, tracks and the board allow."""
    field, place, customer, worths = CASES[case]
    rises = 0
    for tables, view, seat in moments():
        player = view.players[seat]
        player.royal, player.koku, player.ships[0] = 0, 0, RIVER_SPACES - 1
        if customer is not None:
            player.delivered |= 1 << customer
            player.delivered_by_type[customer // REGIONS] = 1
        raised = copy_of(tables)
        if place is None:
            raised[field] += 1
        else:
            raised[field][place] += 1
        before, after = (worths_by(each, view, seat, worths) for each in (tables, raised))
        both = [(old, new) for old, new in zip(before, after, strict=True) if not math.isnan(old + new)]
        assert all(new >= old for old, new in both)
        rises += sum(new > old for old, new in both)
    assert rises > 0
