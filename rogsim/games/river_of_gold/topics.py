"""The topics of reports on this game, in the rulebook's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rogsim.game.topics import Topic
from rogsim.games.river_of_gold.components.names import (
    BUILDINGS,
    CLANS,
    CUSTOMER_TYPES,
    CUSTOMERS,
    MASTERIES,
    PATRONS,
    REGIONS,
)
from rogsim.games.river_of_gold.records.rows import MASTERY_SETS, TILES


def _titles(names: Sequence[str], prefix: str = "", ending: str = "") -> Mapping[str, str]:
    """Return titles by column: "kaiu-shihobu" is Kaiu Shihobu. Columns are names with a prefix or a suffix."""
    return {f"{prefix}{name}{ending}": f"{name}{ending}".replace("-", " ").title() for name in names}


def _customer(name: str) -> str:
    """Return a customer in words: "artisan-3" is the Artisan of region 3."""
    kind, region = name.split("-")
    return f"{kind.title()} of region {region}"


def _tile(name: str) -> str:
    """Return a building tile in words: "era1-port-3" is Port 3 of era 1."""
    era, kind, number = name.split("-")
    return f"{kind.title()} {number} of {era.replace('era', 'era ')}"


POINTS = {
    "points_tracks": "Influence tracks",
    "points_visits": "Visitor rewards",
    "points_owners": "Owner rewards",
    "points_masteries": "Masteries",
    "points_patron": "Patron",
    "points_other": "Royal ship, journeys, end of the game",
    "points_regions": "Regions (final scoring)",
    "points_elders": "Elders (doubled regions)",
    "points_customers": "Customers delivered to",
    "points_merchants": "Merchants (koku left)",
    "points_artisans": "Artisans (goods left)",
    "points_nobles": "Nobles (buildings)",
}

TOPICS = (
    Topic(
        "patrons",
        "Patrons",
        "Is any patron too strong or too weak?",
        "level",
        ("patron",),
        "patron",
        _titles(PATRONS),
        dealt={"patrons": "dealt"},
    ),
    Topic("clans", "Clans", "Is any clan too strong or too weak?", "level", ("clan",), "clan", _titles(CLANS)),
    Topic(
        "masteries",
        "Masteries in play",
        "Does the seat matter more with some masteries than with others?",
        "draw",
        ("masteries",),
        "mastery",
        {**_titles(MASTERIES), **{name: name.replace("+", ", ").title() for name in MASTERY_SETS}},
    ),
    Topic(
        "claims",
        "Masteries claimed",
        "What is a claimed mastery worth?",
        "count",
        tuple(f"mastery_{name}" for name in MASTERIES),
        "place in claiming (0 = not claimed, or not in play)",
        _titles(MASTERIES, "mastery_"),
        whether=True,
    ),
    Topic(
        "customers",
        "Types of customers",
        "Which type of customer goes with winning?",
        "count",
        tuple(f"{name}s" for name in CUSTOMER_TYPES),
        "customers delivered to",
        _titles(CUSTOMER_TYPES, ending="s"),
    ),
    Topic(
        "buildings",
        "Types of buildings",
        "Which type of building goes with winning?",
        "count",
        tuple(f"{name}s" for name in BUILDINGS),
        "buildings owned",
        _titles(BUILDINGS, ending="s"),
    ),
    Topic(
        "cards",
        "Customer cards",
        "Does any single customer go with winning?",
        "member",
        ("cards",),
        "customer",
        {name: _customer(name) for name in CUSTOMERS},
        claim=False,
    ),
    Topic(
        "tiles",
        "Building tiles",
        "Does any single building tile go with winning?",
        "member",
        ("tiles",),
        "building tile",
        {name: _tile(name) for name in TILES},
        claim=False,
    ),
    Topic(
        "regions",
        "Region tiles",
        "Does it matter which scoring tile a region has?",
        "setup",
        tuple(f"region_{number}" for number in range(1, REGIONS + 1)),
        "region tile",
        {f"region_{number}": f"Region {number}" for number in range(1, REGIONS + 1)},
        claim=False,
    ),
    Topic(
        "ends",
        "End of the game",
        "Does it pay to trigger the end of the game?",
        "count",
        ("ended_game",),
        "triggered the end",
        {"ended_game": "Triggered the end"},
        whether=True,
    ),
    Topic(
        "sources",
        "Points by source",
        "Where do the winners' points come from?",
        "parts",
        tuple(POINTS),
        "source",
        POINTS,
    ),
)
