"""The meaning of each parameter in a few words, by patterns of names; the first match counts."""

from __future__ import annotations

from collections.abc import Mapping

MEANINGS: Mapping[str, str] = {
    "setup.pioneers_on_boat": "pioneers on each boat at the start",
    "setup.display_cards": "face-up building cards",
    "setup.preliminary_tiles.*": "face-up terrain tiles in the preliminary turn, with this number of players",
    "display_tiles.spots.*": "face-up terrain tiles in a round, with this number of players",
    "turn.trade_give": "resources given in a trade",
    "turn.trade_get": "food for a trade",
    "turn.claims_per_round": "terrain tiles that a player may claim in a round",
    "turn.reserved_max": "reserved building cards that a player may have",
    "turn.reserved_discount": "resources off the cost of a reserved building",
    "turn.extra_pioneer_on_token": "the bonus token that frees the extra pioneer",
    "turn.food_action": "food for a pioneer on the food island, or so much of another resource",
    "end.tokens.*": "bonus tokens of a player that end the game, with this number of players",
    "end.tiles": "terrain tiles of a player that end the game",
    "score.column_top_two": "points for a column whose upper two tiles match",
    "score.column_three": "points for a column whose three tiles match",
    "score.leftover_set": "resources left for each set",
    "score.leftover_points": "points for each set of resources left",
    "score.production_meadow_cap": "most points of a production meadow",
    "token_set.*.values": "the bonus tokens in the order in which they are taken, with this number of players",
    "token_set.*.zeros": "bonus tokens without points after those, with this number of players",
    "supply.*": "resources on this island at the start, with this number of players",
    "place.claim.spots.*": "as turn.claims_per_round, with this number of players: the lower counts; -1: any number",
    "place.*.spots.*": "pioneers of all players in a round, with this number of players; -1: any number",
    "place.*.first_bonus.*": "extra resources for the first pioneer in a round, with this number of players",
    "spot.*.production": "whether the board's production symbol is printed here",
    "spot.*.store": "warehouses printed here",
    "spot.*.settlement": "whether covering this spot settles a pioneer",
    "board.*.production.*": "the production symbol printed on this spot",
    "board.*.token_spots.*": "spots for bonus tokens, with this number of players",
    "tile.*.production.*": "production symbols for this resource",
    "tile.*.store": "warehouses on the tile",
    "tile.*.terrain": "the two kinds of terrain of a mixed tile",
    "tile.*.effect": "what the meadow does",
    "tile.*.resource": "the resource of the meadow",
    "tile.*.amount": "resources that the meadow gives, or swaps",
    "tile.*.points": "points of the meadow at the end",
    "tile.*.terrain_counted": "the terrain for which the meadow gives points",
    "card.*.points": "points of the building",
    "card.*": "cost of the building in this resource",
}

# The names of lists where their values are shown in a row.
LABELS = {"token_set.*.values": "Bonus tokens", "tile.*.terrain": "Terrain"}
