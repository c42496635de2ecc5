"""The components of The River: read from `data`, checked against each other, listed, and changed by name."""

from __future__ import annotations

from pathlib import Path

from rogsim.game.kit.parameters import ParameterBook
from rogsim.game.kit.parameters.models import Problems, at_most, exact_keys, problem
from rogsim.games.the_river.components import names
from rogsim.games.the_river.components.models import Sections
from rogsim.games.the_river.components.names import MAX_TOKENS


def check_setup(facts: Sections) -> Problems:
    """Everybody finds a first tile and at most one is left over; a trade gives up more than it gets."""
    for players in names.PLAYER_COUNTS:
        tiles = facts.setup.preliminary_tiles[players]
        if tiles not in (players, players + 1):
            path = ("setup", "preliminary_tiles", str(players))
            yield problem(path, tiles, f"{players} or {players + 1} with {players} players")
    yield from at_most(("turn", "trade_get"), facts.turn.trade_get, facts.turn.trade_give - 1, "turn.trade_give less 1")


def check_tokens(facts: Sections) -> Problems:
    """There are enough tokens, and spots for them, to end the game."""
    for place, tokens in enumerate(facts.token_set):
        players, total = tokens.players, len(tokens.values) + tokens.zeros
        path, end = ("end", "tokens", str(players)), facts.end.tokens[players]
        spots = min(board.token_spots[players] for board in facts.board)
        yield from at_most(("token_set", place, "zeros"), total, MAX_TOKENS, "values and zeros together")
        yield from at_most(path, end, total, f"the tokens with {players} players")
        yield from at_most(path, end, spots, f"the fewest spots for tokens, with {players} players")


def check_places(facts: Sections) -> Problems:
    """Only claims are counted by player; only production has an extra resource."""
    for place, row in enumerate(facts.place):
        if (row.kind == "player") != (row.id == "claim"):
            yield problem(("place", place, "class"), row.kind, '"player" for the place "claim" and only for it')
        needed = ("first_bonus",) if row.id in names.PRODUCED else ()
        yield from exact_keys(("place", place), row, ("first_bonus",), needed)


def check_boards(facts: Sections) -> Problems:
    """The river winds through the rows; a printed symbol is on a spot for one."""
    for place, spot in enumerate(facts.spot):
        column = next(column for column, spots in enumerate(names.COLUMN_SPOTS) if place in spots)
        row = names.COLUMN_SPOTS[column].index(place)
        for key, found, expected in (("row", spot.row, row + 1), ("column", spot.column, column + 1)):
            if found != expected:
                yield problem(("spot", place, key), found, f"{expected}, as the river winds")
        symbols = {symbol for board in facts.board for key, symbol in board.production.items() if key == str(spot.id)}
        if spot.production and symbols <= {"none"}:
            yield problem(("spot", place, "production"), True, "false, because no board has a symbol for this spot")


def check_tiles(facts: Sections) -> Problems:
    """Tiles have the terrain that their ids name; meadows have an effect, with what it needs."""
    for place, tile in enumerate(facts.tile):
        terrain = names.TERRAIN_OF_LETTER.get(tile.id[0], "")
        if terrain and tile.terrain != (terrain,):
            yield problem(("tile", place, "terrain"), tile.terrain, f'["{terrain}"]')
        elif not terrain and (len(set(tile.terrain)) != 2 or "meadow" in tile.terrain):
            yield problem(("tile", place, "terrain"), tile.terrain, "two different terrains, no meadow")
        if (tile.effect != "none") != (terrain == "meadow"):
            yield problem(("tile", place, "effect"), tile.effect, "an effect for meadows and only for them")
        if terrain != "meadow":
            yield from exact_keys(("tile", place), tile, ("resource", "amount", "points", "terrain_counted"), ())
        for key in names.EFFECT_KEYS.get(tile.effect, ()):
            if getattr(tile, key) == "none":
                yield problem(("tile", place, key), "none", f'one that the effect "{tile.effect}" can have')


def check_cards(facts: Sections) -> Problems:
    """Every building costs something, and the discount is never more than that."""
    costs = [card.wood + card.stone + card.clay for card in facts.card]
    for place, cost in enumerate(costs):
        if not cost:
            yield problem(("card", place), cost, "a cost of at least 1 resource")
    path, cheapest = ("turn", "reserved_discount"), min(filter(None, costs), default=0)
    yield from at_most(path, facts.turn.reserved_discount, cheapest, "the cost of the cheapest building")


CHECKS = (check_setup, check_tokens, check_places, check_boards, check_tiles, check_cards)


# Unlike those of the other places, these spots are those of each player.
CLAIMS = "as turn.claims_per_round, with this number of players: the lower counts; -1: any number"


class Components(Sections):
    """All components, each value within its range and in agreement with the others."""

    checks = CHECKS


BOOK = ParameterBook(
    model=Components,
    folder=Path(__file__).parent / "data",
    files={"the-river.toml": tuple(Sections.model_fields)},
    fixed=("players", "class", "row", "column"),  # what the rules depend on
    meanings={"place.claim.spots.*": CLAIMS},
)
