"""Whether the game rewards one plan over the other: a full River Board, or many buildings."""

TITLE = "Plans"
QUESTION = "Does it pay to lay the most tiles, or to construct the most buildings?"
COLUMNS = ["tiles", "buildings"]

tiles, buildings = (f"{name} = MAX({name}) OVER (PARTITION BY players, game)" for name in COLUMNS)
SEATS_THAT = {
    "laid the most tiles": f"{tiles} AND NOT {buildings}",
    "constructed the most buildings": f"{buildings} AND NOT {tiles}",
    "did both": f"{tiles} AND {buildings}",
}
