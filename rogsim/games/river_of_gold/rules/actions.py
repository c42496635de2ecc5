"""All actions as whole numbers, and as steps of a trace.

The numbers form consecutive ranges: `BUILD + space * MAX_ROW + place` builds the tile at that place of the row
(0 = the row's end) on that shore space, and so on.
"""

from __future__ import annotations

from typing import Any

from rogsim.game.rules import menu_of
from rogsim.games.river_of_gold.components.names import (
    CUSTOMERS,
    FACES,
    GOODS,
    MAX_ROW,
    PATRONS,
    RIVER_SPACES,
    SHORE_SPACES,
)

PASS = 0  # sell no more; roll; continue
EXCHANGE = PASS + 1  # + give * 3 + get
BUY_FAVOR = EXCHANGE + len(GOODS) ** 2  # 5 koku for 1 favor
TURN_DIE = BUY_FAVOR + 1  # + face - 1, paid with favor
BUILD = TURN_DIE + FACES  # + space * MAX_ROW + place in the row
SAIL = BUILD + SHORE_SPACES * MAX_ROW  # + ship * 14 + river space reached
DELIVER = SAIL + 2 * RIVER_SPACES  # + customer
TAKE_GOOD = DELIVER + len(CUSTOMERS)  # + good
JOURNEY_KOKU = TAKE_GOOD + len(GOODS)
JOURNEY_GOOD = JOURNEY_KOKU + 1  # + good
SELL_GOOD = JOURNEY_GOOD + len(GOODS)  # + good
PLACE_MARKER = SELL_GOOD + len(GOODS)  # + space
MAKE_ROYAL = PLACE_MARKER + SHORE_SPACES  # + ship
DISCARD_CUSTOMER = MAKE_ROYAL + 2  # + customer
SET_FACE = DISCARD_CUSTOMER + len(CUSTOMERS)  # + face - 1
TAKE_PATRON = SET_FACE + FACES  # + patron
ACTION_COUNT = TAKE_PATRON + len(PATRONS)

# The longest menu: a Kaiu Shihobu who can pay for every space, with all exchanges, faces, ships and customers.
MENU_SIZE = 256

MENU = menu_of(MENU_SIZE)


def step_of(game: Any, action: int, tile_ids: tuple[str, ...]) -> dict[str, Any] | None:
    """Return an action as a step of a trace, as seen before it is applied; None for PASS and the patron draft."""
    if EXCHANGE <= action < BUY_FAVOR:
        give, get = divmod(action - EXCHANGE, len(GOODS))
        return {"do": "exchange", "give": GOODS[give], "get": GOODS[get]}
    if action == BUY_FAVOR:
        return {"do": "exchange", "give": "koku", "get": "favor"}
    if TURN_DIE <= action < BUILD:
        return {"do": "favor", "die": action - TURN_DIE + 1}
    if BUILD <= action < SAIL:
        space, place = divmod(action - BUILD, MAX_ROW)
        return {"do": "build", "space": space + 1, "tile": tile_ids[game.row[place]]}
    if SAIL <= action < DELIVER:
        ship, to = divmod(action - SAIL, RIVER_SPACES)
        return {"do": "sail", "ship": ship, "to": to + 1}
    if DELIVER <= action < TAKE_GOOD:
        return {"do": "deliver", "customer": CUSTOMERS[action - DELIVER]}
    if JOURNEY_KOKU <= action < SELL_GOOD:
        return {"do": "journey", "take": ("koku", *GOODS)[action - JOURNEY_KOKU]}
    return _choice_step(action)


def _choice_step(action: int) -> dict[str, Any] | None:
    """Return the step of a trace for a choice that follows an action."""
    if TAKE_GOOD <= action < JOURNEY_KOKU:
        return {"do": "good", "good": GOODS[action - TAKE_GOOD]}
    if SELL_GOOD <= action < PLACE_MARKER:
        return {"do": "sell", "good": GOODS[action - SELL_GOOD]}
    if PLACE_MARKER <= action < MAKE_ROYAL:
        return {"do": "marker", "space": action - PLACE_MARKER + 1}
    if MAKE_ROYAL <= action < DISCARD_CUSTOMER:
        return {"do": "royal", "ship": action - MAKE_ROYAL}
    if DISCARD_CUSTOMER <= action < SET_FACE:
        return {"do": "discard", "customer": CUSTOMERS[action - DISCARD_CUSTOMER]}
    if SET_FACE <= action < TAKE_PATRON:
        return {"do": "set_die", "die": action - SET_FACE + 1}
    return None
