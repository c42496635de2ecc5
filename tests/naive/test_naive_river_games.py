"""The slow rules of The River: random games, what never changes in them, and traces that must be refused."""

import copy
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from .basics import Mismatch, read_components
from .the_river import NaiveRiver
from .the_river_replay import any_action, builder_action, claimer_action, play_random, replay
from .the_river_setup import RESOURCES, random_setup, with_change

pytestmark = pytest.mark.once_uncompiled

FACTS = read_components(Path(__file__).parent / "the_river.toml")
PLAYERS = [any_action, builder_action, claimer_action]
# Narrow figures, so that boards without warehouses, empty islands, passes and reshuffles are frequent.
NARROW: dict[str, Any] = {
    **{f"supply.{players}.{resource}": 3 for players in (2, 3, 4) for resource in RESOURCES},
    **{f"place.{place}.spots.{players}": 1 for place in ("swap", "construct") for players in (2, 3, 4)},
    **{f"tile.F{number:02}.store": 0 for number in range(6, 15)},
    "display_tiles.spots.4": 16,
    "spot.2.store": 0,
    "turn.claims_per_round": 1,
}

Trace = dict[str, Any]


# ----------------------------------------------------------------------------------------------- random games


@pytest.mark.parametrize("change", [{}, NARROW], ids=["published", "narrow"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_replay_agrees_with_random_games(players: int, change: dict[str, Any]) -> None:
    """Random games of every kind replay without a mismatch."""
    for number, choose in enumerate(PLAYERS):
        replay(play_random(FACTS, players, random.Random(number), choose=choose, change=change), FACTS)


def test_random_games_meet_every_kind_of_decision_and_event() -> None:
    """The random games cover each kind, event, action word, meadow and way to end."""
    met: Counter[str] = Counter()
    for number in range(12):
        change = NARROW if number % 2 else {}
        choose = PLAYERS[number % 3]
        trace = play_random(FACTS, 2 + number % 3, random.Random(number), choose=choose, change=change)
        for step in trace["steps"]:
            met.update([step["event"]] if "event" in step else [step["kind"], step["action"].split()[0]])
        met.update(f"ended by {kind}" for kind, seats in trace["final"]["trigger"].items() if seats)
        met.update(tile for part in trace["final"]["breakdown"] for tile in part["meadows"])
    wanted = "start turn discard take pay exchange display round reshuffle cleanup meadow "
    wanted += "trade claim produce food reserve construct first swap pass skip G01 G07 G10 G16 G17"
    assert {*wanted.split(), "ended by tokens", "ended by tiles"} <= set(met)


def test_nothing_is_lost_or_doubled() -> None:
    """After each step all resources, pioneers, tiles, cards and tokens are there, and everything is stored."""
    for number in range(6):
        rng, players = random.Random(number), 2 + number % 3
        facts = with_change(FACTS, NARROW if number % 2 else {})
        game = NaiveRiver(
            facts,
            players,
            random_setup(facts, players, rng),
            lambda removed, rng=rng: rng.sample(removed, len(removed)),
        )
        resources, tokens = dict(game.islands), len(game.tokens)
        while not game.over:
            legal = game.legal()
            assert len(legal) == len(set(legal)) > (game.kind not in ("start", "turn"))
            game.choose(PLAYERS[(number + number // 3) % 3](game, legal, rng))
            check_conservation(game, resources, tokens)
        assert sum(game.final()["ranks"].count(rank) for rank in range(1, players + 1)) == players
        assert game.end or all(player["boat"] == 0 for player in game.seats)


def check_conservation(game: NaiveRiver, resources: dict[str, int], tokens: int) -> None:
    for resource, amount in resources.items():
        held = [player["resources"][resource] for player in game.seats]
        assert min(held) >= 0 <= game.islands[resource] and sum(held) + game.islands[resource] == amount
    tiles = game.pile + game.face_up + game.removed
    cards = game.deck + [card for card in game.cards if card]
    for player in game.seats:
        tiles, cards = tiles + player["tiles"], cards + player["reserved"] + player["built"]
        tokens -= len(player["tokens"])
        assert player["boat"] + player["placed"] + player["settled"] + player["fifth"] == 5
        assert min(player["boat"], player["placed"], player["settled"]) >= 0
        assert len(player["tiles"]) <= 12 and len(player["reserved"]) <= 2
        if game.kind != "discard":
            assert sum(player["resources"].values()) <= game.counter.warehouses(player)
    left_over = 1 if game.round else 0
    assert len(set(tiles)) == len(tiles) == 65 - left_over
    assert len(set(cards)) == len(cards) == 33
    assert tokens == len(game.tokens)


# -------------------------------------------------------------------------------------------------- tampering


@pytest.fixture(scope="module")
def traces() -> list[Trace]:
    changes = ({}, NARROW, NARROW)
    return [
        play_random(FACTS, players, random.Random(players), choose=builder_action, change=change)
        for players, change in zip((2, 3, 4), changes, strict=True)
    ]


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        return [leaf for key in value for leaf in leaves(value[key], (*path, key))]
    if isinstance(value, list):
        return [leaf for index, item in enumerate(value) for leaf in leaves(item, (*path, index))]
    return [path]


def changed(value: Any, path: tuple[Any, ...]) -> Any:
    value = copy.deepcopy(value)
    place_in = value
    for key in path[:-1]:
        place_in = place_in[key]
    old = place_in[path[-1]]
    place_in[path[-1]] = not old if isinstance(old, bool) else old + 1 if isinstance(old, int) else "no-such-thing"
    return value


def with_steps(trace: Trace, steps: list[dict[str, Any]]) -> Trace:
    return {**trace, "steps": steps}


def where(trace: Trace, key: str, value: str) -> list[int]:
    """List the steps whose field has a value."""
    return [number for number, step in enumerate(trace["steps"]) if step.get(key) == value]


def test_a_changed_figure_is_found(traces: list[Trace]) -> None:
    """One number or name changed in any step or in `final` is a mismatch there."""
    rng = random.Random(1)
    for trace in traces:
        for number in rng.sample(range(len(trace["steps"])), 6):
            path = rng.choice(leaves(trace["steps"][number]))
            with pytest.raises(Mismatch, match=rf"step {number}\b"):
                replay(changed(trace, ("steps", number, *path)), FACTS)
        for path in rng.sample(leaves(trace["final"]), 2):
            with pytest.raises(Mismatch, match="final"):
                replay(changed(trace, ("final", *path)), FACTS)


def test_a_missing_or_doubled_step_is_found(traces: list[Trace]) -> None:
    """A step that is missing, or given twice, is a mismatch."""
    rng = random.Random(2)
    for trace in traces:
        steps = trace["steps"]
        for number in rng.sample(range(len(steps)), 3):
            for tampered in (steps[:number] + steps[number + 1 :], [*steps[: number + 1], *steps[number:]]):
                with pytest.raises(Mismatch, match=r"step \d+"):
                    replay(with_steps(trace, tampered), FACTS)


def test_the_legal_actions_are_compared_as_a_set_of_singles(traces: list[Trace]) -> None:
    """Any order will do; an action too many, too few or given twice will not."""
    trace = traces[0]
    number = where(trace, "kind", "turn")[5]
    legal = trace["steps"][number]["legal"]
    for tampered, fine in [
        (legal[::-1], True),
        (legal[1:], False),
        ([*legal, legal[0]], False),
        ([*legal, "pass"], False),
    ]:
        other = copy.deepcopy(trace)
        other["steps"][number]["legal"] = tampered
        if fine:
            replay(other, FACTS)
        else:
            with pytest.raises(Mismatch, match=rf"step {number}, turn of seat \d, legal"):
                replay(other, FACTS)


def test_a_follow_up_with_one_answer_must_not_be_in_the_trace(traces: list[Trace]) -> None:
    """A decision that is not asked (J24) is a mismatch, though its only action is right."""
    trace = play_random(FACTS, 2, random.Random(5), choose=builder_action)
    for number in where(trace, "kind", "turn"):
        step = trace["steps"][number]
        following = trace["steps"][number + 1]
        if step["action"].startswith("construct") and following.get("kind") != "pay":
            break
    asked = {**step, "kind": "pay", "legal": ["pay 1 1 0 0"], "action": "pay 1 1 0 0"}
    with pytest.raises(Mismatch, match=rf"step {number + 1}\b"):
        replay(with_steps(trace, [*trace["steps"][: number + 1], asked, *trace["steps"][number + 1 :]]), FACTS)


def test_a_wrong_reshuffle_is_found(traces: list[Trace]) -> None:
    """The new pile must be all removed tiles, and must stand before the refill that needs it."""
    trace = traces[2]
    number = where(trace, "event", "reshuffle")[0]
    steps = trace["steps"]
    tampered = copy.deepcopy(steps)
    tampered[number]["tiles"].pop()
    with pytest.raises(Mismatch, match=rf"step {number}, tiles of the reshuffle"):
        replay(with_steps(trace, tampered), FACTS)
    swapped = [*steps[:number], steps[number + 1], steps[number], *steps[number + 2 :]]
    with pytest.raises(Mismatch, match=f"step {number}: expected reshuffle, found cleanup"):
        replay(with_steps(trace, swapped), FACTS)


def test_the_change_belongs_to_the_game(traces: list[Trace]) -> None:
    """Without its changes, or with one more, a trace is not the same game."""
    with pytest.raises(Mismatch):
        replay({**traces[1], "change": {}}, FACTS)
    with pytest.raises(Mismatch, match="final"):
        replay({**traces[0], "change": {"score.leftover_set": 1}}, FACTS)


def test_a_trace_that_stops_early_or_goes_on_is_found(traces: list[Trace]) -> None:
    """The steps end with the last cleanup's, neither before nor after."""
    trace = traces[0]
    with pytest.raises(Mismatch, match=r"expected cleanup, found the end of the trace|expected meadow"):
        replay(with_steps(trace, trace["steps"][: where(trace, "event", "cleanup")[-1]]), FACTS)
    with pytest.raises(Mismatch, match="expected no more steps"):
        replay(with_steps(trace, [*trace["steps"], trace["steps"][0]]), FACTS)


def test_the_head_of_a_trace_is_checked(traces: list[Trace]) -> None:
    """Format, number of bots, options and keys."""
    trace = traces[0]
    for key, value in [("format", "the-river-trace/2"), ("bots", ["one"]), ("options", {"luck": 1}), ("extra", 1)]:
        with pytest.raises(Mismatch, match=key):
            replay({**trace, key: value}, FACTS)
