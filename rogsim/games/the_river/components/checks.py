"""Checks that the components agree with each other; each check yields the problems that it finds."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic_core import InitErrorDetails

from rogsim.game.kit.parameters.checks import Problems, at_most, exact_keys
from rogsim.game.kit.parameters.problems import problem
from rogsim.games.the_river.components.limits import MAX_TOKENS
from rogsim.games.the_river.components.models import Sections, Tile
from rogsim.games.the_river.components.names import (
    BOARDS,
    CARDS,
    COLUMN_SPOTS,
    PLACES,
    PRODUCED,
    SPOTS,
    TERRAIN_OF_LETTER,
    TERRAINS,
    TILES,
)

COUNTS = (2, 3, 4)  # of players
IDS = {"place": PLACES, "spot": range(1, SPOTS + 1), "board": BOARDS, "tile": TILES, "card": CARDS}
PLACE_OF_SPOT = {spot: (row, column) for column, spots in enumerate(COLUMN_SPOTS) for row, spot in enumerate(spots)}
EFFECT_KEYS = {  # the parameters of each effect of a meadow
    "production": ("resource",),
    "gift": ("resource", "amount"),
    "cleanup": ("resource", "amount", "points"),
    "collection": ("terrain_counted",),
    "swap": ("amount",),
}


def all_problems(facts: Sections) -> list[InitErrorDetails]:
    """Run every check; an empty list means that the components agree."""
    if wrong := [*check_rows(facts)]:
        return wrong  # the other checks need all rows
    return [
        *check_setup(facts),
        *check_tokens(facts),
        *check_places(facts),
        *check_boards(facts),
        *check_tiles(facts),
        *check_cards(facts),
    ]


def check_rows(facts: Sections) -> Problems:
    """Lists have all their rows, in order; tokens and supply have one for each number of players."""
    for section, ids in IDS.items():
        found = [row.id for row in getattr(facts, section)]
        wrong = next((place for place, pair in enumerate(zip(found, ids, strict=False)) if pair[0] != pair[1]), None)
        if wrong is not None:
            yield problem((section, wrong, "id"), found[wrong], f"{ids[wrong]}, because the rows are in order")
        elif len(found) != len(ids):
            yield problem((section,), len(found), f"{len(ids)} rows, {ids[0]} to {ids[-1]}")
    for section in ("token_set", "supply"):
        counts = sorted(row.players for row in getattr(facts, section))
        if counts != list(COUNTS):
            yield problem((section,), counts, "one row for each of 2, 3 and 4 players")


def check_setup(facts: Sections) -> Problems:
    """Everybody finds a first tile and at most one is left over; a trade gives up more than it gets."""
    for players in COUNTS:
        tiles = facts.setup.preliminary_tiles[players]
        if tiles not in (players, players + 1):
            path = ("setup", "preliminary_tiles", str(players))
            yield problem(path, tiles, f"{players} or {players + 1} with {players} players")
    most = facts.turn.trade_give - 1
    yield from at_most(("turn", "trade_get"), facts.turn.trade_get, most, "turn.trade_give less 1")


def check_tokens(facts: Sections) -> Problems:
    """There are enough tokens, and spots for them, to end the game."""
    for place, tokens in enumerate(facts.token_set):
        total, end = len(tokens.values) + tokens.zeros, facts.end.tokens[tokens.players]
        yield from at_most(("token_set", place, "zeros"), total, MAX_TOKENS, "values and zeros together")
        yield from at_most(
            ("end", "tokens", str(tokens.players)), end, total, f"the tokens with {tokens.players} players"
        )
    for players in COUNTS:
        spots = min(board.token_spots[players] for board in facts.board)
        path = ("end", "tokens", str(players))
        yield from at_most(
            path, facts.end.tokens[players], spots, f"the fewest spots for tokens, with {players} players"
        )


def check_places(facts: Sections) -> Problems:
    """Only claims are counted by player; only production has an extra resource."""
    for place, row in enumerate(facts.place):
        if (row.kind == "player") != (row.id == "claim"):
            yield problem(("place", place, "class"), row.kind, '"player" for the place "claim" and only for it')
        needed = ("first_bonus",) if row.id in PRODUCED else ()
        yield from exact_keys(("place", place), row, ("first_bonus",), needed)


def check_boards(facts: Sections) -> Problems:
    """The river winds through the rows; a printed symbol is on a spot for one."""
    for place, spot in enumerate(facts.spot):
        for key, index in (("row", 0), ("column", 1)):
            expected = PLACE_OF_SPOT[place][index] + 1
            if getattr(spot, key) != expected:
                yield problem(("spot", place, key), getattr(spot, key), f"{expected}, as the river winds")
        if spot.production and not any(str(spot.id) in board.production for board in facts.board):
            yield problem(("spot", place, "production"), True, "false, because no board has a symbol for this spot")


def check_tiles(facts: Sections) -> Problems:
    """Tiles have the terrain that their ids tell; meadows have an effect, with exactly its parameters."""
    every = ("resource", "amount", "points", "terrain_counted")
    for place, tile in enumerate(facts.tile):
        yield from _terrain_problems(place, tile)
        if (tile.effect != "none") != (tile.terrain == ("meadow",)):
            yield problem(("tile", place, "effect"), tile.effect, "an effect for meadows and only for them")
        yield from exact_keys(("tile", place), tile, every, EFFECT_KEYS.get(tile.effect, ()))


def _terrain_problems(place: int, tile: Tile) -> Problems:
    found: Sequence[str] = tile.terrain
    expected = TERRAIN_OF_LETTER.get(tile.id[0])
    if expected is None:
        if len(set(found)) != 2 or TERRAINS[-1] in found:
            yield problem(("tile", place, "terrain"), found, "two different terrains, no meadow")
    elif found != (expected,):
        yield problem(("tile", place, "terrain"), found, f'["{expected}"]')


def check_cards(facts: Sections) -> Problems:
    """Every building costs something, and the discount is never more than that."""
    costs = [card.wood + card.stone + card.clay for card in facts.card]
    for place, cost in enumerate(costs):
        if not cost:
            yield problem(("card", place), cost, "a cost of at least 1 resource")
    discount = facts.turn.reserved_discount
    yield from at_most(("turn", "reserved_discount"), discount, min(costs), "the cost of the cheapest building")
