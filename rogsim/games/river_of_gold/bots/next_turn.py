"""What the next turn of a seat is worth, as the policy sees it, before the die is cast."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import kernel
from rogsim.games.river_of_gold.bots import weights as w
from rogsim.games.river_of_gold.bots.best_actions import ALL_FACES, note_faces
from rogsim.games.river_of_gold.bots.features import BEST_FACE, NEXT_TURN, TURNS
from rogsim.games.river_of_gold.bots.notes import FACE_WORTH, policy_for, take_notes, weigh_moment
from rogsim.games.river_of_gold.bots.shore import note_outlook
from rogsim.games.river_of_gold.components.names import FACES
from rogsim.games.river_of_gold.rules.favor import favor_needed


@kernel
def note_next_turn(tables: Any, game: Any, viewer: int, position: Any) -> None:
    """Fill in what the viewer's next turn is worth, if it has one and the evaluation asks for it."""
    for seat in range(game.seats):
        position.seats[seat, NEXT_TURN] = 0.0
        position.seats[seat, BEST_FACE] = 0.0
    out, worths = position.seats[viewer], position.worths
    if not position.looks_ahead or out[TURNS] == 0.0:
        return
    policy = policy_for(tables, game, position.policies)
    weigh_moment(tables, game, policy)
    take_notes(tables, game, viewer, True, policy)
    note_outlook(tables, game, viewer, policy)
    note_faces(tables, game, viewer, ALL_FACES, policy)
    for face in range(1, FACES + 1):
        worths[face] = policy.notes[FACE_WORTH + face]
        out[BEST_FACE] = max(out[BEST_FACE], worths[face])
    favor = policy.notes[w.FAVOR]
    for die in range(1, FACES + 1):
        best = 0.0
        for face in range(1, FACES + 1):
            price = favor_needed(die, face)
            if price <= game.players[viewer].favor:
                best = max(best, worths[face] - favor * float(price))
        out[NEXT_TURN] += best / float(FACES)
