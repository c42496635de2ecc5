"""Whether the first marker on a mastery is worth hurrying for."""

import polars as pl

from rogsim.games.river_of_gold.components.names import MASTERIES

FIRST = pl.any_horizontal(pl.col(f"mastery_{name}") == 1 for name in MASTERIES)

TITLE = "First to claim"
QUESTION = "Does it pay to be first to claim a mastery?"
SEATS_THAT = {"claimed a mastery first": FIRST}
