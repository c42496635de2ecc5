"""What the best response to a plan wins in a match, by going through all that it could do in each hand.

A plan gives the chance to bet or to call, by the card and by what was said in the hand. A hand is worth what is won of
the match after it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import permutations, product

from tests.kuhn.rules import CARDS, HANDS, KING, QUEEN

Plan = Callable[[int, str], float]
SAID_BEFORE = (("", "cb"), ("c", "b"))  # the choices of the seat that begins the hand, and of the other one
PURE = [dict(zip(product(CARDS, range(2)), bets, strict=True)) for bets in product((0.0, 1.0), repeat=6)]


def honest(card: int, said: str) -> float:
    """Bet or call with a king; call with a queen every other time."""
    return 1.0 if card == KING else 0.5 if card == QUEEN and said in ("b", "cb") else 0.0


def random(card: int, said: str) -> float:
    return 0.5


def hand_worth(plans: tuple[Plan, Plan], worth: Callable[[int], float]) -> float:
    """The worth of a hand by the chips that its first seat wins, if the seats play so."""
    first, second = plans
    total = 0.0
    for mine, other in permutations(CARDS, 2):
        shown = 1 if mine > other else -1
        bet, called = first(mine, ""), second(other, "b")
        raised, stayed = second(other, "c"), first(mine, "cb")
        after_bet = called * worth(2 * shown) + (1 - called) * worth(1)
        after_raise = stayed * worth(2 * shown) + (1 - stayed) * worth(-1)
        total += bet * after_bet + (1 - bet) * (raised * after_raise + (1 - raised) * worth(shown))
    return total / 6


def best_share(other: Plan) -> float:
    """What the best response wins of a match, averaged over the seats."""

    @cache
    def worth(seat: int, hand: int, lead: int) -> float:
        if hand == HANDS:
            return (1.0 + (lead > 0) - (lead < 0)) / 2
        place = (seat + hand) % 2  # 0: begins the hand
        sign = 1 if place == 0 else -1

        def share(bets: dict[tuple[int, int], float]) -> float:
            def mine(card: int, said: str) -> float:
                return bets[card, SAID_BEFORE[place].index(said)]

            plans = (mine, other) if place == 0 else (other, mine)
            return hand_worth(plans, lambda chips: worth(seat, hand + 1, lead + sign * chips))

        return max(map(share, PURE))

    return (worth(0, 0, 0) + worth(1, 0, 0)) / 2
