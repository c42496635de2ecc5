"""The purposes of chance; each has a separate stream, so that draws for one never change another."""

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
    PATRONS_DEALT,  # which of the two of each clan
    RESHUFFLE,
    DICE,  # one per seat
) = range(11)
BOT = DICE + MAX_SEATS  # one per seat
