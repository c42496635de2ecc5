"""All actions as whole numbers, and as steps of a trace.

`BUILD + space * MAX_ROW + place` builds the tile at that place of the row (0 = the row's end) on that shore space, and
so on.
"""

from __future__ import annotations

from typing import Any

from rogsim.game.kit.menus import ActionList, family
from rogsim.game.rules import menu_of
from rogsim.games.river_of_gold.components.load import TILES
from rogsim.games.river_of_gold.components.names import (
    CUSTOMERS,
    FACES,
    GOODS,
    MAX_ROW,
    PATRONS,
    RIVER_SPACES,
    SHORE_SPACES,
)

ACTIONS = ActionList(
    family("pass"),  # sell no more; roll; continue
    family("exchange", give=GOODS, get=GOODS),
    family("exchange", give=("koku",), get=("favor",)),
    family("favor", die=range(1, FACES + 1)),
    family("build", space=range(1, SHORE_SPACES + 1), tile=MAX_ROW),
    family("sail", ship=range(2), to=range(1, RIVER_SPACES + 1)),
    family("deliver", customer=CUSTOMERS),
    family("good", good=GOODS),
    family("journey", take=("koku",)),
    family("journey", take=GOODS),
    family("sell", good=GOODS),
    family("marker", space=range(1, SHORE_SPACES + 1)),
    family("royal", ship=range(2)),
    family("discard", customer=CUSTOMERS),
    family("set_die", die=range(1, FACES + 1)),
    family("patron", patron=PATRONS),
)
PASS, EXCHANGE, BUY_FAVOR, TURN_DIE, BUILD, SAIL, DELIVER, TAKE_GOOD = ACTIONS.starts[:8]
JOURNEY_KOKU, JOURNEY_GOOD, SELL_GOOD, PLACE_MARKER, MAKE_ROYAL = ACTIONS.starts[8:13]
DISCARD_CUSTOMER, SET_FACE, TAKE_PATRON = ACTIONS.starts[13:]
ACTION_COUNT = ACTIONS.count

# The longest menu: a Kaiu Shihobu who can pay for every space, with all exchanges, faces, ships and customers.
MENU_SIZE = 256

MENU = menu_of(MENU_SIZE)


def words_of(game: Any, action: int) -> dict[str, Any]:
    """Return an action in words, as seen before it is applied."""
    return ACTIONS.words(action, lambda place: TILES[game.row[place]])


def step_of(game: Any, action: int) -> dict[str, Any] | None:
    """Return an action as a step of a trace, which has none for PASS and the patron draft."""
    return None if action == PASS or action >= TAKE_PATRON else words_of(game, action)
