"""The components as one record that the compiled rules read: changed parameters need no compiling."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import records
from rogsim.game.kit.bits import mask_of
from rogsim.game.kit.kinds import columns_of, fill
from rogsim.game.records import record
from rogsim.games.the_river.components import names
from rogsim.games.the_river.components.declared import Sections
from rogsim.games.the_river.components.names import MAX_COST, UNLIMITED

TILE = record(
    [
        ("terrain", "i1"),  # mask: a mixed tile has two kinds
        ("production", "i1", (len(names.PRODUCED),)),  # symbols
        ("store", "i1"),  # warehouses
        ("effect", "i1"),  # see names.EFFECTS
        ("resource", "i1"),  # of the effect, or NONE
        ("counted", "i1"),  # mask of the terrain that the effect counts
        ("amount", "i1"),  # resources taken, or swaps
        ("points", "i1"),  # at the end, of a cleanup meadow
    ]
)

MOST_MISSING = MAX_COST * len(names.PRODUCED)  # resources, for any card

CARD = record([("cost", "i1", (len(names.PRODUCED),)), ("points", "i1")])

TABLES = record(
    [
        ("seats", "i2"),
        ("first", "i2"),  # the seat of the first player, or NONE if chance decides
        ("boards", "i2", (names.MAX_SEATS,)),  # by seat; the first is NONE if they are dealt
        *columns_of(Sections),
        ("token_count", "i2"),
        # places
        ("spots", "i1", (len(names.PLACES),)),  # pioneers of all players, or UNLIMITED; for a claim, those of each
        ("first_bonus", "i1", (len(names.PRODUCED),)),  # for the first pioneer on the island in a round
        # River Boards
        ("printed_production", "i2", (len(names.BOARDS), names.SPOTS)),  # a resource, or NONE
        # tiles and cards
        ("tiles", TILE, (len(names.TILES),)),
        ("cards", CARD, (len(names.CARDS),)),
        # masks of the cards that can be paid, by the number that `holding_of` returns, and by resources missing at most
        ("payable", "i8", ((MAX_COST + 1) ** len(names.PRODUCED), MOST_MISSING + 1)),
        ("terrain", "i1", (1 + len(names.TILES),)),  # by 1 + tile, as in `tiles`; the first is that of NONE
    ]
)


def make_tables(facts: Sections, players: int) -> Any:
    """Return a TABLES record of checked components for a player count, with default options."""
    tables = records(TABLES, 1)[0]
    tables.seats = players
    tables.boards[:] = names.NONE  # dealt
    fill(tables, facts, players)
    tokens = next(tokens for tokens in facts.token_set if tokens.players == players)
    tables.token_count = len(tokens.values) + tokens.zeros
    spots = [place.spots[players] for place in facts.place]
    tables.spots[:] = [UNLIMITED if limit == names.ANY else limit for limit in spots]
    tables.spots[names.CLAIM] = min(tables.spots[names.CLAIM], facts.turn.claims_per_round)
    tables.first_bonus[:] = [place.first_bonus[players] for place in facts.place if place.id in names.PRODUCED]
    _fill_boards(tables, facts)
    _fill_tiles_and_cards(tables, facts)
    return tables


def _fill_boards(tables: Any, facts: Sections) -> None:
    tables.printed_production[:] = names.NONE
    for at, spot in enumerate(facts.spot):
        for number, board in enumerate(facts.board):
            symbol = board.production.get(spot.id, "none")
            if spot.production and symbol != "none":
                tables.printed_production[number, at] = names.RESOURCES.index(symbol)


def _fill_tiles_and_cards(tables: Any, facts: Sections) -> None:
    for out, tile in zip(tables.tiles, facts.tile, strict=True):
        used = {key: getattr(tile, key) for key in names.EFFECT_KEYS.get(tile.effect, ())}
        out.terrain = mask_of(tile.terrain, names.TERRAINS)
        out.production[:] = [getattr(tile.production, resource) for resource in names.PRODUCED]
        out.store, out.effect = tile.store, names.EFFECTS.index(tile.effect)
        out.amount, out.points = used.get("amount", 0), used.get("points", 0)
        out.resource = names.RESOURCES.index(used["resource"]) if "resource" in used else names.NONE
        out.counted = mask_of([used["terrain_counted"]] if "terrain_counted" in used else [], names.TERRAINS)
    tables.terrain[1:] = tables.tiles["terrain"]
    for out, card in zip(tables.cards, facts.card, strict=True):
        out.cost[:] = [getattr(card, resource) for resource in names.PRODUCED]
        out.points = card.points
    held = np.indices((MAX_COST + 1,) * len(names.PRODUCED)).reshape(len(names.PRODUCED), -1).T[:, None]
    missing = np.maximum(tables.cards["cost"] - held, 0).sum(axis=2)
    paid = missing[:, None] <= np.arange(MOST_MISSING + 1)[:, None]
    tables.payable[:] = (paid << np.arange(len(names.CARDS))).sum(axis=2)
