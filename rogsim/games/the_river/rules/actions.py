"""All actions as whole numbers, and as words of a trace."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from rogsim.game.kit.menus import ActionList, family
from rogsim.game.rules import menu_of
from rogsim.games.the_river.components.names import CARDS, MAX_COST, MAX_GIVEN, PRODUCED, RESOURCES, SPOTS, TILES

PAIRS = tuple(combinations(range(1, SPOTS + 1), 2))  # of spots
GIVEN = range(MAX_GIVEN + 1)  # of one resource in a trade
PAID = range(MAX_COST + 1)  # of one resource for a card

# The food in a trade or a payment is what is missing to their sum, which the parameters give.
ACTIONS = ActionList(
    family("pass"),
    family("skip"),
    family("first"),
    family("swap"),
    family("food"),
    family("produce", resource=PRODUCED),
    family("take", resource=PRODUCED),
    family("discard", resource=RESOURCES),
    family("claim", tile=TILES),
    family("start", tile=TILES),
    family("reserve", card=CARDS),
    family("construct", card=CARDS),
    family("exchange", spots=PAIRS),
    family("trade", wood=GIVEN, stone=GIVEN, clay=GIVEN),
    family("pay", wood=PAID, stone=PAID, clay=PAID),
)
PASS, SKIP, FIRST, SWAP, FOOD, PRODUCE, TAKE, DISCARD, CLAIM, START, RESERVE, CONSTRUCT, EXCHANGE, TRADE, PAY = (
    ACTIONS.starts
)
ACTION_COUNT = ACTIONS.count
MENU = menu_of(len(PAID) ** len(PRODUCED))  # a payment has the most ways


def named_in(code: int, most: int) -> tuple[int, int, int]:
    """Return the wood, stone and clay that a trade or a payment names; `most`: of one resource."""
    step = most + 1
    return code // (step * step), code // step % step, code % step


def step_of(action: int, total: int = 0) -> dict[str, Any]:
    """Return an action in words; `total` is the sum of all resources in a trade or a payment, food included."""
    words = ACTIONS.words(action)
    if words["do"] in ("trade", "pay"):
        words["food"] = total - sum(words[name] for name in PRODUCED)
    return words


def text_of(words: dict[str, Any]) -> str:
    """Return an action as a trace writes it: its words, one after the other."""
    parts = [part for value in words.values() for part in (value if isinstance(value, tuple) else (value,))]
    return " ".join(map(str, parts))
