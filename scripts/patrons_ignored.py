"""A bot for measurements: `learned` as if nobody had a patron, in its evaluation, its policy and its worlds.

So it never uses Kaiu Shihobu's or Yoritomo's choices. Kakita Ryoku's die is set as the policy would set it.
"""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import records
from rogsim.game.kit.search import plan_choice
from rogsim.game.kit.search.lines import place_on_menu
from rogsim.games.river_of_gold.bots.evaluation import NAMES
from rogsim.games.river_of_gold.bots.learned import WEIGHTS as SHIPPED
from rogsim.games.river_of_gold.bots.plan import SCRATCH, answer_choice
from rogsim.games.river_of_gold.components.names import NONE, PATRONS
from rogsim.games.river_of_gold.rules.actions import MENU
from rogsim.games.river_of_gold.rules.legal import legal
from rogsim.games.river_of_gold.rules.state import SET_DIE, TURN

WEIGHTS = f"../rogsim/games/river_of_gold/bots/{SHIPPED}"
WEIGHT_NAMES = NAMES
SETTINGS = {name: 0.0 for name in NAMES if name.endswith(PATRONS)}


def choose(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    """Return the place on the menu of what `learned` would choose if nobody had a patron."""
    options, scratches = records(MENU, 1), records(SCRATCH, 1)
    if view.phase == SET_DIE:
        return answer_choice(tables, view, menu, memory, scratches)
    for seat in range(view.seats):
        view.players[seat].patron = NONE
    legal(tables, view, options[0])
    if view.phase == TURN:
        place = plan_choice(tables, view, options[0], memory, scratches)
    else:
        place = answer_choice(tables, view, options[0], memory, scratches)
    return place_on_menu(menu, int(options[0].actions[place]))
