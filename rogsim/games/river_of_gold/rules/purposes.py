"""What chance is drawn for; each purpose has a stream of its own, so that none moves another."""

from __future__ import annotations

from rogsim.games.river_of_gold.components.names import MAX_SEATS

(
    REGION_TILES,
    MASTERIES_DRAWN,
    IMPERIAL_MARKETS,
    STARTING_TILES,
    ERA_1,
    ERA_2,
    DECK,
    CLANS_DEALT,
    PATRONS_DEALT,  # which of each clan's two
    RESHUFFLE,
    DICE,  # one a seat
) = range(11)
BOT = DICE + MAX_SEATS  # one a seat
