"""The measures that distinguish the play of bots."""

from __future__ import annotations

from rogsim.game.topics import Measure, ProfileTable

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
