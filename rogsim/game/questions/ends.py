"""Whether it pays to end the game, for a game with the seat column `ended_game`."""

import polars as pl

TITLE = "End of the game"
QUESTION = "Does it pay to trigger the end of the game?"
SEATS_THAT = {"triggered the end": pl.col("ended_game") == 1}
