"""Random games of River of Gold by the slow rules, as traces."""

import json
import random
from collections.abc import Callable
from typing import Any

from .river_of_gold import FORMAT, PASS, NaiveGame, Step
from .river_of_gold_setup import Facts, random_setup

Player = Callable[[NaiveGame, list[Step], random.Random], Step]


def any_step(game: NaiveGame, steps: list[Step], rng: random.Random) -> Step:
    """Choose any legal step, all equally likely."""
    return rng.choice(steps)


def eager_step(game: NaiveGame, steps: list[Step], rng: random.Random) -> Step:
    """Choose at random with a preference for deliveries, so that customers, masteries and markers are frequent."""
    by_kind: dict[str, list[Step]] = {}
    for step in steps:
        by_kind.setdefault(step["do"], []).append(step)
    if "deliver" in by_kind:
        return rng.choice(by_kind["deliver"])
    turns_to_customer = [step for step in by_kind.get("favor", []) if step["die"] in _payable_regions(game)]
    if turns_to_customer:
        return rng.choice(turns_to_customer)
    for kind, refusal in (("exchange", 0.9), ("favor", 0.9), ("build", 0.5)):
        if len(by_kind) > 1 and rng.random() < refusal:
            by_kind.pop(kind, None)
    return rng.choice(by_kind[rng.choice(sorted(by_kind))])


def _payable_regions(game: NaiveGame) -> set[int]:
    player = game.seats[game.active]
    hand = [game.customers[customer] for customer in player["hand"]]
    return {row["region"] for row in hand if all(player[good] >= n for good, n in row["order"].items())}


def play_random(
    facts: Facts,
    players: int,
    patrons: list[str] | str | None,
    rng: random.Random,
    *,
    setup: dict[str, Any] | None = None,
    choose: Player = any_step,
    stray_exchange: float = 0.1,
) -> dict[str, Any]:
    """Play a random game and return its trace.

    `setup`: drawn if not given. `choose` picks among the legal steps. `stray_exchange` (0-1) is how often the
    active seat, where it can, exchanges before chance, bookkeeping or another seat's choice, which `legal`
    does not offer.
    """
    setup = setup or random_setup(facts, players, patrons, None, rng)
    game = NaiveGame(facts, setup, players)
    turns = []
    while not game.over:
        number, seat, steps = game.turn_number, game.active, []
        while not game.over and game.turn_number == number:
            exchanges = game.exchanges() if game.chooser != game.active else []
            if exchanges and rng.random() < stray_exchange:
                step = rng.choice(exchanges)
            elif game.chooser is None:
                step = game.chance_step(rng)
            else:
                step = choose(game, game.legal(), rng)
            game.take(step)
            if step != PASS:
                steps.append(step)
        turns.append({"seat": seat, "steps": steps, "after": _copy(game.state())})
    head = {"format": FORMAT, "players": players, "seed": 0, "game": 0, "bots": ["naive-random"] * players}
    return _copy({**head, "setup": setup, "turns": turns, "final": game.final()})


def _copy(value: Any) -> Any:
    """Copy through JSON, so that a trace in memory is the same as one read from a file."""
    return json.loads(json.dumps(value))
