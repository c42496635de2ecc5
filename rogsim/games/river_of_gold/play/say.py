"""A choice in words, as a person is offered it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rogsim.games.river_of_gold.components.load import TILES
from rogsim.games.river_of_gold.components.names import NONE
from rogsim.games.river_of_gold.rules.state import SELL, SET_DIE

PASS = {SELL: "Sell no more", SET_DIE: "Roll the die"}  # by phase
# By what a step of a trace does: what that is, then each thing that it names.
WORDS = {
    "exchange": ("Exchange", "{give} for {get}"),
    "favor": ("Turn the die with favor", "to {die}"),
    "build": ("Build", "on space {space}:", "{tile}"),
    "sail": ("Sail", "{ship} at {place}", "to {to}"),
    "deliver": ("Deliver", "to {customer}"),
    "good": ("Take", "{good}"),
    "journey": ("Take", "{take} for the journey"),
    "sell": ("Sell", "{good}"),
    "marker": ("Put a second marker", "on space {space}"),
    "royal": ("Make royal", "{ship} at {place}"),
    "discard": ("Discard", "{customer}"),
    "set_die": ("Set the die", "to {die}"),
    "patron": ("Choose", "{patron}"),
}


def say(setup: Any, game: Any, told: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a legal action in words: what is done, then each thing that it names.

    Parameters
    ----------
    told
        The action as a step of a trace.
    """
    if told["do"] == "pass":
        return (PASS.get(int(game.phase), "Go on"),)
    things = {name: str(value).replace("-", " ") for name, value in told.items()}
    if "patron" in told:
        things["patron"] = things["patron"].title()
    if "ship" in told:
        player, ship = game.players[game.actor], told["ship"]
        is_second = ship == 1 and player.ships[0] == player.ships[1] and player.royal == NONE
        things["ship"] = "the royal ship" if player.royal == ship else "the other ship" if is_second else "the ship"
        things["place"] = str(player.ships[ship] + 1)
    if "tile" in told:
        row = [TILES[tile] for tile in reversed(game.row[: int(game.row_length)].tolist())]  # as it is drawn
        things["tile"] = f"{told['tile'].split('-')[1]}, number {row.index(told['tile']) + 1} in the row"
    return tuple(words.format_map(things) for words in WORDS[told["do"]])
