"""The meaning of each parameter in a few words, by patterns of names; the first match counts."""

from __future__ import annotations

from collections.abc import Mapping

REWARDS = {
    "points": "points",
    "koku": "koku",
    "silk": "silk",
    "rice": "rice",
    "porcelain": "porcelain",
    "favor": "divine favor",
    "any_good": "goods of choice",
    "influence": "influence in the region",
    "draw_and_discard": "1: draw a customer, then discard one",
    "koku_per_customer": "koku for each customer delivered to",
    "koku_per_*": "koku for each building of that type owned",
}


def _rewards(prefix: str, who: str) -> dict[str, str]:
    return {f"{prefix}.{key}": f"{who}: {text}" for key, text in REWARDS.items()}


MEANINGS: Mapping[str, str] = {
    "limits.koku": "most koku that a player can hold",
    "limits.good": "most of each good that a player can hold",
    "limits.favor_limit": "how far the favor limit can rise",
    "limits.influence": "spaces of every influence track",
    "setup.koku_by_turn_order": "koku at the start, by turn order",
    "setup.goods.*": "at the start, for every player",
    "setup.favor": "divine favor at the start",
    "setup.favor_limit": "favor limit at the start",
    "setup.hand": "customer cards at the start",
    "setup.building_row": "building tiles on offer",
    "setup.era_tiles.*": "tiles in the stacks of era 1 and era 2, with this number of players",
    "setup.ship_spaces": "river spaces of the top and the middle ship before their first roll",
    "exchange.goods_for_good": "equal goods paid for one of another kind",
    "exchange.koku_for_favor": "koku paid for a divine favor",
    "exchange.empty_space_koku": "koku for each empty shore space visited",
    "exchange.journey_koku": "koku for a completed journey, unless a good is taken",
    "exchange.row_end_favor": "favor for building the tile at the row's end",
    "exchange.artisan_discount": "koku off in the region of an artisan delivered to",
    "track.imperial_flower": "space of the imperial flower",
    "track.good_at_2": "good of the track's space 2, by region",
    **_rewards("track.rewards.*", "for reaching this space of a track"),
    "scoring.customers_delivered": "points for each number of customers delivered to; the last entry also for more",
    "scoring.end_trigger": "points for triggering the end of the game",
    "scoring.merchant_koku_per_point": "koku left for each point, for each merchant",
    "scoring.artisan_goods_per_point": "goods left for each point, for each artisan",
    "scoring.noble_points": "points for each building, type or region that a noble counts",
    "scoring.second_place_within": "two players: second place scores only within this many influence of the first",
    "mastery_points.*": "points for claiming a mastery first, second, ..., with this number of players",
    "rulings.end_trigger_bonus": "triggering the end of the game scores",
    "rulings.last_turns": "after the end is triggered, every other player has one more turn",
    "rulings.emperors_visit": "the last tile of era 1 triggers the Emperor's Visit",
    "rulings.two_player_distance": "with two players, second place scores only near the first",
    "rulings.favor_breaks_ties": "favor left breaks ties between equal points",
    "region_tiles.two_players.*": "points for the places on this region tile, two players",
    "region_tiles.three_or_four_players.*": "points for the places on this region tile, three or four players",
    "shore.*.cost": "koku to build on this shore space",
    "tile.*.copies": "number of these tiles",
    "tile.*.build": "influence for the builder",
    **_rewards("tile.*.visitor", "for the visitor"),
    **_rewards("tile.*.owner", "for each marker's owner"),
    "delivery.*.influence": "influence for a delivery of this type",
    "delivery.*.favor_limit": "rise of the favor limit for a delivery of this type",
    "delivery.*.favor": "favor for a delivery of this type",
    "customer.*.order.*": "goods that the customer orders",
    "customer.merchant-*.amount": "what the merchant gives for a completed journey",
    "customer.noble-*.amount": "what the noble adds to the royal ship",
    "customer.monk-*.second_marker": "whose building gets the second marker",
    "mastery.*.count": "number that the mastery requires",
    "patron.*.bonus_koku": "additional koku at the start",
    "patron.*.bonus_customers": "additional customer cards at the start",
    "patron.*.points": "points each time the effect applies",
    "patron.*.cost_favor": "favor for each use",
}

# The names of lists where their values are shown in a row; `{}` is the last part of the name.
LABELS = {
    "setup.koku_by_turn_order": "Starting koku",
    "setup.era_tiles.*": "Era 1 and era 2 tiles with {} players",
    "setup.ship_spaces": "Ship spaces",
    "track.good_at_2": "Goods at space 2",
    "scoring.customers_delivered": "Points for customers",
    "mastery_points.*": "Mastery points with {} players",
    "region_tiles.two_players.*": "Points of region tile {} with two players",
    "region_tiles.three_or_four_players.*": "Points of region tile {} with three or four players",
}
