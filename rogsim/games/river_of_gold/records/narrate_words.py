"""Words for the ids and numbers of a trace, from the components."""

from __future__ import annotations

from collections.abc import Mapping

from rogsim.game.kit.narration import counted
from rogsim.games.river_of_gold.components.load import Facts
from rogsim.games.river_of_gold.components.models import (
    Artisan,
    Customer,
    DeliveryReward,
    Elder,
    Merchant,
    Monk,
    Order,
    Patron,
    Reward,
    Tile,
    TrackReward,
)
from rogsim.games.river_of_gold.components.names import BUILDINGS, GOODS

# What merchants give for every completed journey and nobles add to the royal ship, by the labels in the data.
JOURNEY_ABILITIES = {
    "influence_1_in_each_region_where_you_own_a_building": (
        "{amount} influence in every region where the player owns a building"
    ),
    "point_per_customer_delivered": "{points} for every customer delivered to",
    "any_good": "{goods} of choice",
    "sell_goods_for_5_koku_each": "any number of goods may be sold for {amount} koku each",
    "favor": "{amount} favor",
    "koku_3": "{amount} koku",
}
ROYAL_ABILITIES = {
    "market_good_is_any_good": "goods from markets may be of any kind",
    "koku_per_empty_space": "{amount} koku more for every empty shore space",
    "influence_1_in_each_adjacent_region": "{amount} influence in every region adjacent to its river space",
    "point_if_opponent_building_visited": "{points} for visiting an opponent's building",
    "die_plus_or_minus_1": "may sail up to {amount} more or less than the die shows",
    "point_if_own_building_visited": "{points} for visiting a building of the player",
}


def goods_words(order: Order) -> str:
    """Return the goods of an order: "2 silk, 1 rice"."""
    return ", ".join(f"{getattr(order, good)} {good}" for good in GOODS if getattr(order, good)) or "no goods"


def reward_words(reward: TrackReward, region: int | None = None, holdings: Mapping[str, int] | None = None) -> str:
    """Return a reward in words, in the order of its parts.

    Parameters
    ----------
    region
        The region to name with influence, if any.
    holdings
        The numbers of the player's customers and of its buildings by type: koku for each of them are added up.
    """
    parts = [counted(reward.points, "point")] if reward.points else []
    parts += [f"{reward.koku} koku"] if reward.koku else []
    if isinstance(reward, Reward):
        parts += _koku_for_each(reward, holdings)
    parts += [f"{getattr(reward, good)} {good}" for good in GOODS if getattr(reward, good)]
    parts += [f"{reward.favor} favor"] if reward.favor else []
    parts += [counted(reward.any_good, "good") + " of choice"] if reward.any_good else []
    if isinstance(reward, Reward):
        parts += [influence_words(reward.influence, region)] if reward.influence else []
        parts += ["draw and discard a customer"] if reward.draw_and_discard else []
    return ", ".join(parts) or "nothing"


def _koku_for_each(reward: Reward, holdings: Mapping[str, int] | None) -> list[str]:
    parts = []
    for kind in (*BUILDINGS, "customer"):
        koku = getattr(reward, f"koku_per_{kind}")
        if koku and holdings is None:
            parts.append(f"{koku} koku for each {kind}")
        elif koku and holdings is not None:
            parts.append(f"{koku * holdings[kind]} koku for {counted(holdings[kind], kind)}")
    return parts


def influence_words(amount: int, region: int | None) -> str:
    """Return "2 influence in region 3"."""
    return f"{amount} influence" + (f" in region {region}" if region else "")


def delivery_words(reward: DeliveryReward, region: int) -> str:
    """Return the immediate reward of a delivery."""
    parts = [f"favor limit up by {reward.favor_limit}"] if reward.favor_limit else []
    parts += [f"{reward.favor} favor"] if reward.favor else []
    parts += [influence_words(reward.influence, region)] if reward.influence else []
    return ", ".join(parts)


def ability_words(customer: Customer, facts: Facts) -> str:
    """Return the ability of a customer, besides the reward of every delivery to its type."""
    if isinstance(customer, Artisan):
        return f"building in region {customer.region} costs {facts.exchange.artisan_discount} koku less"
    if isinstance(customer, Elder):
        return f"region {customer.region} scores double at the end"
    if isinstance(customer, Monk):
        whose = "the player's own" if customer.second_marker == "own" else "an opponent's"
        return f"a second marker on {whose} building"
    if isinstance(customer, Merchant):
        return f"with every completed journey: {journey_words(customer)}"
    return f"with the royal ship: {_with_amount(ROYAL_ABILITIES[customer.royal_ship], customer.amount)}"


def journey_words(merchant: Merchant) -> str:
    """Return what a merchant gives for every completed journey."""
    return _with_amount(JOURNEY_ABILITIES[merchant.journey], merchant.amount)


def _with_amount(phrase: str, amount: int) -> str:
    return phrase.format(amount=amount, points=counted(amount, "point"), goods=counted(amount, "good"))


def tile_words(tile: Tile) -> str:
    """Return a building tile with its rewards."""
    build = f"build bonus {tile.build} influence; " if tile.build else ""
    return f"{tile.id} ({build}visitor: {reward_words(tile.visitor)}; owner: {reward_words(tile.owner)})"


def era_name(era: str) -> str:
    """Return the name of an era's key: "era 1"."""
    return f"{era[:-1]} {era[-1]}"


def patron_name(patron: str) -> str:
    """Return the name of an id: "Kaiu Shihobu"."""
    return patron.replace("-", " ").title()


def patron_words(patron: Patron) -> str:
    """Return a patron with its title, clan and effect."""
    numbers = [f"{patron.bonus_koku} koku"] if patron.bonus_koku else []
    numbers += [counted(patron.bonus_customers, "customer")] if patron.bonus_customers else []
    numbers += [counted(patron.points, "point")] if patron.points else []
    numbers += [f"{patron.cost_favor} favor"] if patron.cost_favor else []
    brackets = f" ({', '.join(numbers)})" if numbers else ""
    return f"{patron_name(patron.id)}, {patron.title}, {patron.clan} clan: {patron.effect}{brackets}"
