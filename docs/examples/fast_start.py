"""Whether the start decides the game."""

TITLE = "Fast start"
QUESTION = "Does a fast start win?"
COLUMNS = ["points_at_20"]
SEATS_THAT = {"led after a fifth of the game": "points_at_20 = MAX(points_at_20) OVER (PARTITION BY players, game)"}
