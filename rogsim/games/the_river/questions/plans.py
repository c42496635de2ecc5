"""Which plan a game rewards: tiles, buildings, or neither more than the other."""

import polars as pl

GAME = ("players", "game")
tiles, buildings = (pl.col(name) == pl.col(name).max().over(GAME) for name in ("tiles", "buildings"))

TITLE = "Plans"
QUESTION = "Does it pay to lay the most tiles, or to construct the most buildings?"
SEATS_THAT = {
    "laid the most tiles": tiles & ~buildings,
    "constructed the most buildings": buildings & ~tiles,
    "did both": tiles & buildings,
}
