"""Whether it pays to end the game, in any game whose rows say who did."""

TITLE = "End of the game"
QUESTION = "Does it pay to trigger the end of the game?"
COLUMNS = ["ended_game"]
SEATS_THAT = {"triggered the end": "ended_game = 1"}
