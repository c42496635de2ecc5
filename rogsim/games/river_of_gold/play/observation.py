"""What a seat sees: for agents in the rulebook's words, and for learners as fields of a vector with their bounds.

Seats and ships count from 0; regions, spaces, die faces and turns from 1, as in a trace.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import SimpleNamespace
from typing import Any

from rogsim.game.kit.bits import members
from rogsim.game.kit.setup import FrozenDict, frozen
from rogsim.game.kit.vector import MOST_POINTS, VectorField, bits, category, number, numbers, seat
from rogsim.game.kit.views import Seen
from rogsim.games.river_of_gold.components.names import (
    BUILDINGS,
    CUSTOMER_TYPES,
    CUSTOMERS,
    EMPTY,
    ERAS,
    FACES,
    GOODS,
    MASTERIES,
    MAX_ROW,
    NONE,
    PATRONS,
    REGIONS,
    RIVER_SPACES,
    SHORE_SPACES,
    TILES_PER_ERA,
)
from rogsim.games.river_of_gold.rules.actions import words_of as words_of
from rogsim.games.river_of_gold.rules.state import GAME, PHASES, PLAYER
from rogsim.games.river_of_gold.rules.turn import MOST_TURNS

Facts = FrozenDict


@dataclass(frozen=True, slots=True)
class Player:
    """What everybody can see of a player; for the player itself, also the hand."""

    seat: int
    koku: int
    points: int
    goods: dict[str, int]
    favor: int
    favor_limit: int
    die: int
    ships: tuple[int, int]  # the river space of each ship
    royal: int | None  # which ship is royal
    influence: dict[int, int]  # by region, the space on its track
    hand: tuple[str, ...] | None  # customers; None for other players
    hand_size: int
    delivered: tuple[str, ...]
    buildings: dict[str, int]  # owned, by type
    masteries: dict[str, int]  # those claimed, with the place: 1 = first
    patron: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation(Seen):
    """What a seat can see when it chooses; `facts` has costs, tiles, customers, limits …"""

    players: tuple[Player, ...]  # by seat
    row: tuple[str, ...]  # tiles, the newest first and the row's end last
    shore: dict[int, str]  # the tile on each space that has one
    markers: dict[int, tuple[int, ...]]  # the seats with a marker there, in the order placed
    masteries: dict[str, int]  # those in play, and how often each was claimed
    region_tiles: dict[int, tuple[int, ...]]  # points for the places in a region
    tiles_left: dict[str, int]  # by era, in the stacks
    deck_left: int
    discards: tuple[str, ...]
    last_turns: int | None  # turns still to come after the end is triggered

    @property
    def own(self) -> Player:
        """Return the player that chooses."""
        return self.players[self.me]


class Observer:
    """Describes the views and actions of a batch for agents."""

    def __init__(self, tables: Any, tile_ids: Sequence[str], facts: Facts) -> None:
        self.tile_ids, self.facts = tuple(tile_ids), facts
        points = tables.region_points.tolist()
        self.region_points = [tuple(value for value in places if value) for places in points]

    def observe(self, view: Any, chance: Random, seat: int | None = None) -> Observation:
        """Return the observation of a view, a GAME record without hidden information; by default that of the actor."""
        seen = _fields(GAME.names, view.item())
        me, seats = seen["actor"] if seat is None else seat, seen["seats"]
        ids, row = self.tile_ids, seen["row"].tolist()[: seen["row_length"]]
        return Observation(
            me=me,
            active=seen["active"],
            question=PHASES[seen["phase"]],
            turn=seen["turn"] + 1,
            players=tuple(_player(seat, seen["players"][seat].item(), seat == me) for seat in range(seats)),
            row=tuple(ids[tile] for tile in reversed(row)),
            shore={space: ids[tile] for space, tile in enumerate(seen["shore"].tolist(), 1) if tile != EMPTY},
            markers={
                space: tuple(seat for seat in pair if seat != NONE)
                for space, pair in enumerate(seen["markers"].tolist(), 1)
                if pair[0] != NONE or pair[1] != NONE
            },
            masteries=_named(MASTERIES, seen["claims"], NONE),
            region_tiles={
                region: self.region_points[tile] for region, tile in enumerate(seen["region_tiles"].tolist(), 1)
            },
            tiles_left=dict(zip(ERAS, seen["era_left"].tolist(), strict=True)),
            deck_left=seen["deck_left"],
            discards=_customers(seen["discards"]),
            last_turns=_unless_none(seen["last_turns"]),
            facts=self.facts,
            random=chance,
        )

    def actions(self, view: Any, menu: Any) -> list[dict[str, Any]]:
        """Return the actions of a menu as steps of a trace; every call returns new dicts."""
        table = SimpleNamespace(row=view.row.tolist())
        return [words_of(table, action, self.tile_ids) for action in menu.actions[: int(menu.count)].tolist()]


def facts_by_id(facts: Mapping[str, Any]) -> Facts:
    """Return the components as dicts that cannot be changed, with rows by their ids."""
    book = {key: value for key, value in facts.items() if key not in ("tile", "customer", "mastery", "patron", "river")}
    for name, key in (("tiles", "tile"), ("customers", "customer"), ("masteries", "mastery"), ("patrons", "patron")):
        book[name] = {entry["id"]: entry for entry in facts[key]}
    book["shore"] = {space["id"]: space for space in facts["shore"]}
    rivers = zip(facts["river"]["shore"], facts["river"]["regions"], strict=True)
    book["river"] = {space: {"shore": shore, "regions": regions} for space, (shore, regions) in enumerate(rivers, 1)}
    facts_of_all: Facts = frozen(book)
    return facts_of_all


def _player(seat: int, record: Any, with_hand: bool) -> Player:
    seen = _fields(PLAYER.names, record)
    return Player(
        seat=seat,
        koku=seen["koku"],
        points=seen["points"],
        goods=dict(zip(GOODS, seen["goods"].tolist(), strict=True)),
        favor=seen["favor"],
        favor_limit=seen["favor_limit"],
        die=seen["die"],
        ships=tuple(space + 1 for space in seen["ships"].tolist()),
        royal=_unless_none(seen["royal"]),
        influence=dict(zip(range(1, REGIONS + 1), seen["influence"].tolist(), strict=True)),
        hand=_customers(seen["hand"]) if with_hand else None,
        hand_size=seen["hand_size"],
        delivered=_customers(seen["delivered"]),
        buildings=dict(zip(BUILDINGS, seen["owned"].tolist(), strict=True)),
        masteries=_named(MASTERIES, seen["claimed"], 0),
        patron=None if seen["patron"] == NONE else PATRONS[seen["patron"]],
    )


def _fields(names: Any, values: Any) -> dict[str, Any]:
    return dict(zip(names, values, strict=True))


def _customers(mask: int) -> tuple[str, ...]:
    return tuple(members(mask, CUSTOMERS))


def _named(names: Sequence[str], values: Any, absent: int) -> dict[str, int]:
    return {name: value for name, value in zip(names, values.tolist(), strict=True) if value != absent}


def _unless_none(value: int) -> int | None:
    return None if value == NONE else value


REGION_NAMES = tuple(str(region) for region in range(1, REGIONS + 1))
RIVER_NAMES = tuple(str(space) for space in range(1, RIVER_SPACES + 1))
FACE_NAMES = tuple(str(face) for face in range(1, FACES + 1))
SHIPS = ("0", "1")


def vector(setup: Any) -> tuple[VectorField, ...]:
    """Return the fields of the vector. Bounds are those of the set-up, which changed parameters may move."""
    return (*_players(setup.tables), *_table(setup))


def _players(tables: Any) -> tuple[VectorField, ...]:
    """Return what is in front of the players; `[me]` is the hand that only its owner sees."""
    koku = max(tables.koku_limit, *tables.start_koku)
    goods = max(tables.good_limit, *tables.start_goods)
    favor = tables.favor_limit_end
    seats = int(tables.seats)
    return (
        bits("players[me].hand", CUSTOMERS),
        *numbers("players[seat]", koku=koku, points=MOST_POINTS),
        number("players[seat].goods", 0, goods, GOODS),
        *numbers("players[seat]", favor=favor, favor_limit=favor),
        number("players[seat].influence", 0, tables.influence_end, REGION_NAMES),
        category("players[seat].ships", RIVER_NAMES, places=SHIPS),
        category("players[seat].royal", SHIPS),
        category("players[seat].die", FACE_NAMES, first=1),
        number("players[seat].hand_size", 0, len(CUSTOMERS)),
        category("players[seat].patron", PATRONS),
        bits("offers[seat]", PATRONS),
        bits("players[seat].delivered", CUSTOMERS),
        number("players[seat].delivered_by_type", 0, REGIONS, CUSTOMER_TYPES),
        number("players[seat].owned", 0, SHORE_SPACES, BUILDINGS),
        number("players[seat].claimed", 0, seats, MASTERIES),
    )


def _table(setup: Any) -> tuple[VectorField, ...]:
    """Return what lies on the table, and what is being played."""
    seats, spaces = int(setup.tables.seats), tuple(str(space) for space in range(1, SHORE_SPACES + 1))
    tiles = setup.tile_ids
    return (
        category("phase", PHASES),
        seat("active"),
        seat("actor"),
        number("turn", 0, MOST_TURNS),
        number("last_turns", -1, seats - 1),
        seat("ended_by"),
        category("row", tiles),
        number("row_length", 0, MAX_ROW),
        number("era_left", 0, max(TILES_PER_ERA), ERAS),
        bits("tiles_gone", tiles),
        category("shore", tiles, places=spaces),
        seat("markers"),
        number("deck_left", 0, len(CUSTOMERS)),
        bits("deck_cards", CUSTOMERS),
        bits("discards", CUSTOMERS),
        number("claims", -1, seats, MASTERIES),
        category("region_tiles", REGION_NAMES, places=REGION_NAMES),
        category("ship", SHIPS),
        *numbers(journey=1, must_sell=1),
        category("monk_region", REGION_NAMES),
        *numbers(visit_due=1, trigger_due=1),
    )
