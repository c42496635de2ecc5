"""What lies on a River Board of The River, counted anew after each change, and the final scoring."""

from typing import Any

from .basics import Facts, by_id
from .the_river_setup import BASIC

Player = dict[str, Any]

END_EFFECTS = ("production", "collection", "boat", "token", "cleanup")


class BoardCounter:
    """Counts what is in sight on a player's River Board; `player` is a seat of `NaiveRiver`."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.tiles = by_id(facts["tile"])
        self.cards = by_id(facts["card"])
        self.boards = by_id(facts["board"])
        self.spots = sorted(facts["spot"], key=lambda spot: spot["id"])
        self.costs = {card: [figures[basic] for basic in BASIC] for card, figures in self.cards.items()}
        self._counted: dict[tuple[str, ...], tuple[int, dict[str, int]]] = {}

    def warehouses(self, player: Player) -> int:
        """Count the warehouses: printed ones not covered, and those of tiles (11, 24)."""
        return self.in_sight(player)[0]

    def symbols(self, player: Player, resource: str) -> int:
        """Count the production symbols: printed ones not covered, and those of tiles (25, J37)."""
        return self.in_sight(player)[1][resource]

    def in_sight(self, player: Player) -> tuple[int, dict[str, int]]:
        """Count the warehouses and each symbol; what was counted before for such a board is remembered."""
        looks = (player["board"], *player["tiles"])
        counted = self._counted.get(looks)
        if counted is None:
            printed = self.boards[player["board"]]["production"]
            bare, tiles = self._bare_spots(player), [self.tiles[tile] for tile in player["tiles"]]
            warehouses = sum(spot["store"] for spot in bare) + sum(tile["store"] for tile in tiles)
            symbols = [printed.get(str(spot["id"])) for spot in bare if spot["production"]]
            symbols += [name for tile in tiles for name, count in tile["production"].items() for _ in range(count)]
            counted = self._counted[looks] = (warehouses, {basic: symbols.count(basic) for basic in BASIC})
        return counted

    def framed(self, from_tile: int, to_tile: int) -> int:
        """Count the framed spots covered while a board grew from so many tiles to so many (38)."""
        return sum(spot["settlement"] for spot in self.spots[from_tile:to_tile])

    def _bare_spots(self, player: Player) -> list[dict[str, Any]]:
        return self.spots[len(player["tiles"]) :]

    # ---------------------------------------------------------------------------------------------- scoring

    def breakdown(self, player: Player) -> dict[str, Any]:
        """Return the points of one player by source, as in a trace (41)."""
        score = self.facts["score"]
        sets = sum(player["resources"].values()) // score["leftover_set"]
        return {
            "buildings": sum(self.cards[card]["points"] for card in player["built"]),
            "tokens": sum(player["tokens"]),
            "columns": [self.column_points(player, column) for column in (1, 2, 3, 4)],
            "leftovers": sets * score["leftover_points"],
            "meadows": {
                tile: self.meadow_points(player, tile)
                for tile in player["tiles"]
                if self.tiles[tile].get("effect") in END_EFFECTS
            },
        }

    def column_points(self, player: Player, column: int) -> int:
        """Score one column from the top (42, 44, J7)."""
        terrains: dict[int, set[str]] = {1: set(), 2: set(), 3: set()}
        for spot, tile in zip(self.spots, player["tiles"], strict=False):
            if spot["column"] == column:
                terrains[spot["row"]] = set(self.tiles[tile]["terrain"])
        if terrains[1] & terrains[2] & terrains[3]:
            return int(self.facts["score"]["column_three"])
        if terrains[1] & terrains[2]:
            return int(self.facts["score"]["column_top_two"])
        return 0

    def meadow_points(self, player: Player, tile: str) -> int:
        """Score one meadow tile (47-53)."""
        figures = self.tiles[tile]
        match figures["effect"]:
            case "production":
                return min(self.symbols(player, figures["resource"]), self.facts["score"]["production_meadow_cap"])
            case "collection":
                return sum(figures["terrain_counted"] in self.tiles[other]["terrain"] for other in player["tiles"])
            case "boat":
                return int(player["boat"])
            case "token":
                return len(player["tokens"])
            case "cleanup":
                return int(figures["points"])
        raise ValueError(f"{tile} has no effect at the end")

    def final(self, seats: list[Player], rounds: int) -> dict[str, Any]:
        """Return the `final` of a trace (40, 45, J35)."""
        parts = [self.breakdown(player) for player in seats]
        points = [_total(part) for part in parts]
        players = len(seats)
        return {
            "rounds": rounds,
            "trigger": {
                "tokens": [seat for seat in range(players) if self.has_last_token(seats[seat], players)],
                "tiles": [seat for seat in range(players) if self.has_last_tile(seats[seat])],
            },
            "points": points,
            "ranks": [1 + sum(other > own for other in points) for own in points],
            "winners": [seat for seat in range(players) if points[seat] == max(points)],
            "breakdown": parts,
        }

    def has_last_token(self, player: Player, players: int) -> bool:
        return len(player["tokens"]) >= self.facts["end"]["tokens"][str(players)]

    def has_last_tile(self, player: Player) -> bool:
        return len(player["tiles"]) >= self.facts["end"]["tiles"]


def _total(part: dict[str, Any]) -> int:
    """Add up a breakdown."""
    plain = part["buildings"] + part["tokens"] + part["leftovers"]
    return int(plain + sum(part["columns"]) + sum(part["meadows"].values()))
