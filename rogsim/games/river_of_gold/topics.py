"""The topics of reports on this game, in the rulebook's words, and the measures that distinguish the play of bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rogsim.game.topics import Measure, ProfileTable, Topic, counts, levels, members, sources
from rogsim.games.river_of_gold.components.names import (
    BUILDINGS,
    CLANS,
    CUSTOMER_TYPES,
    CUSTOMERS,
    MASTERIES,
    PATRONS,
    REGIONS,
)
from rogsim.games.river_of_gold.play.rows import BUILT, MASTERY_SETS


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

REGION_COLUMNS = {f"region_{number}": f"Region {number}" for number in range(1, REGIONS + 1)}

TOPICS = (
    levels("patrons", "Patrons", "patron", "patron", _titles(PATRONS), dealt={"patrons": "dealt"}),
    levels("clans", "Clans", "clan", "clan", _titles(CLANS)),
    Topic(
        "masteries",
        "Masteries in play",
        "Does the seat matter more with some masteries than with others?",
        "draw",
        ("masteries",),
        "mastery",
        {**_titles(MASTERIES), **{name: name.replace("+", ", ").title() for name in MASTERY_SETS}},
    ),
    counts(
        "claims",
        "Masteries claimed",
        "What is a claimed mastery worth?",
        "place in claiming (0 = not claimed, or not in play)",
        _titles(MASTERIES, "mastery_"),
        whether=True,
    ),
    counts(
        "customers",
        "Types of customers",
        "Which type of customer goes with winning?",
        "customers delivered to",
        _titles(CUSTOMER_TYPES, ending="s"),
    ),
    counts(
        "buildings",
        "Types of buildings",
        "Which type of building goes with winning?",
        "buildings owned",
        _titles(BUILDINGS, ending="s"),
    ),
    members("cards", "cards", "customer", {name: _customer(name) for name in CUSTOMERS}, title="Customer cards"),
    members("tiles", "tiles", "building tile", {name: _tile(name) for name in BUILT}),
    Topic(
        "regions",
        "Region tiles",
        "Does it matter which scoring tile a region has?",
        "setup",
        tuple(REGION_COLUMNS),
        "region tile",
        REGION_COLUMNS,
        claim=False,
    ),
    sources(POINTS),
)


ACTIONS = ("builds", "sails", "deliveries")
ABILITIES = ("points_merchants", "points_artisans", "points_nobles", "points_elders")

PROFILE = (
    ProfileTable(
        "what it does",
        (
            Measure("build", ("builds",), ACTIONS),
            Measure("sail", ("sails",), ACTIONS),
            Measure("deliver", ("deliveries",), ACTIONS),
            Measure("favor spent", ("favor_spent",)),
            Measure("exchanges", ("exchanges",)),
            Measure("journeys", ("journeys",)),
            Measure("koku gained", ("koku_gained",)),
        ),
    ),
    ProfileTable(
        "points by source",
        (
            Measure("visits", ("points_visits",)),
            Measure("owners", ("points_owners",)),
            Measure("tracks", ("points_tracks",)),
            Measure("regions", ("points_regions",)),
            Measure("customers", ("points_customers",)),
            Measure("abilities", ABILITIES),
            Measure("masteries", ("points_masteries",)),
            Measure("patron", ("points_patron",)),
            Measure("other", ("points_other",)),
        ),
    ),
)
