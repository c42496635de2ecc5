"""Which figures tell one bot's play from another's."""

from __future__ import annotations

from rogsim.game.contract import Figure, ProfileTable

ACTIONS = ("builds", "sails", "deliveries")
ABILITIES = ("points_merchants", "points_artisans", "points_nobles", "points_elders")

PROFILE = (
    ProfileTable(
        "what it does",
        (
            Figure("build", ("builds",), ACTIONS),
            Figure("sail", ("sails",), ACTIONS),
            Figure("deliver", ("deliveries",), ACTIONS),
            Figure("favor spent", ("favor_spent",)),
            Figure("exchanges", ("exchanges",)),
            Figure("journeys", ("journeys",)),
            Figure("koku gained", ("koku_gained",)),
        ),
    ),
    ProfileTable(
        "points by source",
        (
            Figure("visits", ("points_visits",)),
            Figure("owners", ("points_owners",)),
            Figure("tracks", ("points_tracks",)),
            Figure("regions", ("points_regions",)),
            Figure("customers", ("points_customers",)),
            Figure("abilities", ABILITIES),
            Figure("masteries", ("points_masteries",)),
            Figure("patron", ("points_patron",)),
            Figure("other", ("points_other",)),
        ),
    ),
)
