"""The components of The River: read from `data`, checked against each other, listed, and changed by name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rogsim.base.validation import Problem
from rogsim.game.kit.components import Book, at_most, wrong
from rogsim.games.the_river.components import names
from rogsim.games.the_river.components.declared import Sections
from rogsim.games.the_river.components.names import MAX_TOKENS

Problems = Iterator[Problem]


def check_setup(facts: Any) -> Problems:
    """Everybody finds a first tile and at most one is left over; a trade gives up more than it gets."""
    for players, tiles in facts.setup.preliminary_tiles.items():
        if tiles not in (players, players + 1):
            name = f"setup.preliminary_tiles.{players}"
            yield wrong(name, tiles, f"{players} or {players + 1} with {players} players")
    yield from at_most("turn.trade_get", facts.turn.trade_get, facts.turn.trade_give - 1, "turn.trade_give less 1")


def check_tokens(facts: Any) -> Problems:
    """There are enough tokens, and spots for them, to end the game."""
    for tokens in facts.token_set:
        players, total = tokens.players, len(tokens.values) + tokens.zeros
        name, end = f"end.tokens.{players}", facts.end.tokens[players]
        spots = min(board.token_spots[players] for board in facts.board)
        yield from at_most(f"token_set.{players}.zeros", total, MAX_TOKENS, "values and zeros together")
        yield from at_most(name, end, total, f"the tokens with {players} players")
        yield from at_most(name, end, spots, f"the fewest spots for tokens, with {players} players")


def check_boards(facts: Any) -> Problems:
    """Only claims are counted by player; the river winds through the rows; a printed symbol is on a spot for one."""
    for place in facts.place:
        if (place.class_ == "player") != (place.id == "claim"):
            yield wrong(f"place.{place.id}.class", place.class_, '"player" for the place "claim" and only for it')
    for at, spot in enumerate(facts.spot):
        column = next(column for column, spots in enumerate(names.COLUMN_SPOTS) if at in spots)
        row = names.COLUMN_SPOTS[column].index(at)
        for key, found, expected in (("row", spot.row, row + 1), ("column", spot.column, column + 1)):
            if found != expected:
                yield wrong(f"spot.{spot.id}.{key}", found, f"{expected}, as the river winds")
        if spot.production and {board.production.get(spot.id, "none") for board in facts.board} == {"none"}:
            yield wrong(f"spot.{spot.id}.production", True, "false, because no board has a symbol for this spot")


def check_tiles(facts: Any) -> Problems:
    """Tiles have the terrain that their ids name; meadows have an effect, with what it needs."""
    for tile in facts.tile:
        name, terrain = f"tile.{tile.id}", names.TERRAIN_OF_LETTER.get(tile.id[0], "")
        if terrain and [*tile.terrain] != [terrain]:
            yield wrong(f"{name}.terrain", tile.terrain, f'["{terrain}"]')
        elif not terrain and (len(set(tile.terrain)) != 2 or "meadow" in tile.terrain):
            yield wrong(f"{name}.terrain", tile.terrain, "two different terrains, no meadow")
        if tile.effect == "none" and terrain == "meadow":
            yield wrong(f"{name}.effect", tile.effect, "an effect for meadows and only for them")
        for key in names.EFFECT_KEYS.get(tile.effect, ()):
            if getattr(tile, key) == "none":
                yield wrong(f"{name}.{key}", "none", f'one that the effect "{tile.effect}" can have')


def check_cards(facts: Any) -> Problems:
    """Every building costs something, and the discount is never more than that."""
    costs = {card.id: card.wood + card.stone + card.clay for card in facts.card}
    for card, cost in costs.items():
        if not cost:
            yield wrong(f"card.{card}", cost, "a cost of at least 1 resource")
    cheapest = min(filter(None, costs.values()), default=0)
    yield from at_most(
        "turn.reserved_discount", facts.turn.reserved_discount, cheapest, "the cost of the cheapest building"
    )


BOOK = Book(
    Sections,
    Path(__file__).parent / "data",
    (check_setup, check_tokens, check_boards, check_tiles, check_cards),
    {  # unlike those of the other places, these spots are those of each player
        f"place.claim.spots.{players}": (
            "as turn.claims_per_round, with this number of players: the lower counts; -1: any number"
        )
        for players in names.PLAYER_COUNTS
    },
)
