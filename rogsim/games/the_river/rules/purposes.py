"""The purposes of chance; each has a separate stream, so that draws for one never change another."""

from __future__ import annotations

FIRST_PLAYER, BOARDS_DEALT, TERRAIN_TILES, BUILDING_CARDS, RESHUFFLE, BOT = range(6)  # BOT: one per seat
