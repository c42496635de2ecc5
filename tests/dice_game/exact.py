"""What the dice race must give, computed from the distribution of the turns that each seat needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod

Steps = dict[int, float]  # spaces moved in a turn -> probability

RUNNER: Steps = dict.fromkeys(range(1, 7), 1 / 6)
WALKER: Steps = {3: 1.0}
MOODY: Steps = {spaces: 1 / 12 + (0.5 if spaces == 3 else 0) for spaces in range(1, 7)}  # a coin decides


def turns_needed(steps: Steps, goal: int) -> list[float]:
    """Return the probability of reaching the goal in exactly t turns, for t = 0 .. goal."""
    places, arrival = {0: 1.0}, [0.0]
    for _ in range(goal):
        moved: dict[int, float] = {}
        for place, chance in places.items():
            for spaces, likely in steps.items():
                moved[min(place + spaces, goal)] = moved.get(min(place + spaces, goal), 0.0) + chance * likely
        arrival.append(moved.pop(goal, 0.0))
        places = moved
    return arrival


def sudden(line_up: Sequence[Steps], goal: int, starts: Sequence[int] = ()) -> list[float]:
    """Return each seat's win probability when the first to arrive wins at once; starts: spaces ahead, by seat."""
    ahead = [*starts, *[0] * (len(line_up) - len(starts))]
    arrivals = [turns_needed(steps, goal - start) + [0.0] * start for steps, start in zip(line_up, ahead, strict=True)]
    return [
        sum(
            arrivals[seat][turn]
            * prod(sum(arrivals[other][turn + (other < seat) :]) for other in range(len(line_up)) if other != seat)
            for turn in range(goal + 1)
        )
        for seat in range(len(line_up))
    ]


def fair(line_up: Sequence[Steps], goal: int) -> list[float]:
    """Return each seat's expected win share when the round is played out and the win is shared."""
    arrivals = [turns_needed(steps, goal) for steps in line_up]
    shares = [0.0] * len(line_up)
    for turn in range(goal + 1):
        for together in product((False, True), repeat=len(line_up)):
            if any(together):
                chance = prod(
                    arrival[turn] if now else sum(arrival[turn + 1 :])
                    for arrival, now in zip(arrivals, together, strict=True)
                )
                for seat, now in enumerate(together):
                    shares[seat] += chance / sum(together) if now else 0.0
    return shares


Actions = dict[str, float]  # the chance to win by each step


def optimum(goal: int) -> dict[tuple[int, int], Actions]:
    """Return the chance to win a sudden race of two by each step, by (spaces to go, the other's), if both play best."""
    return values_of(goal, lambda pair, found: max(found.values()))


def values_of(goal: int, taken: Callable[[tuple[int, int], Actions], float]) -> dict[tuple[int, int], Actions]:
    """Return these chances if `taken` gives the one of the step that is taken in a position.

    This is value iteration over all positions; the race always moves on, so as many rounds as spaces are enough.
    """
    pairs = list(product(range(1, goal + 1), repeat=2))
    values = dict.fromkeys(pairs, 0.5)
    found: dict[tuple[int, int], Actions] = {}
    for _ in range(2 * goal):
        found = {pair: _by_step(values, *pair) for pair in pairs}
        values = {pair: taken(pair, found[pair]) for pair in pairs}
    return found


def _by_step(values: dict[tuple[int, int], float], mine: int, other: int) -> Actions:
    def after(spaces: int) -> float:
        return 1.0 if spaces >= mine else 1.0 - values[other, mine - spaces]

    return {"roll": sum(map(after, range(1, 7))) / 6, "walk": after(3)}
