"""Divine favor on the die: each favor turns it by one, up or down, and 6 and 1 are adjacent."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import inlined, part
from rogsim.game.kit.menus import at
from rogsim.games.river_of_gold.components.names import FACES


@inlined
def favor_needed(die: int, face: int) -> int:
    """Return the favor that it costs to turn a die to a face, the shorter way round."""
    steps = abs(int(face) - int(die))
    return min(steps, FACES - steps)


@part
def turn_die(game: Any, face: int) -> None:
    """Turn the active player's die to a face and pay for it."""
    player = game.players[at(game.active)]
    price = favor_needed(player.die, face)
    player.favor -= price
    player.ledger.favor_spent += price
    player.die = face
