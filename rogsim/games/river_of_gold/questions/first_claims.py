"""Whether players should hurry to be the first at a mastery."""

from rogsim.games.river_of_gold.components.names import MASTERIES

TITLE = "First claims"
QUESTION = "Does it pay to be first to claim a mastery?"
COLUMNS = [f"mastery_{name}" for name in MASTERIES]
SEATS_THAT = {"claimed a mastery first": " OR ".join(f"{column} = 1" for column in COLUMNS)}
