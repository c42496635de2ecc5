"""A trace is the game that was played, in the format of its page."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

import pytest

from rogsim.game import compiler
from tests.games.rulings import DOCS
from tests.games.the_river.games import Trace, played, recorded, setup_for, some_games

PAGE = (DOCS / "the-river-trace.md").read_text(encoding="utf-8")
CASES = (2, 3, 4) if compiler.ENABLED else (3,)


@pytest.fixture(scope="module")
def traces() -> list[Trace]:
    return list(some_games(12))


def told(heading: str, number: int = 0) -> list[str]:
    """The rows of the n-th table under a heading of the page."""
    text = PAGE.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    rows: list[str] = re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE)[number].splitlines()[2:]
    return rows


def keys_told(heading: str, number: int = 0) -> list[str]:
    """The keys in the first column of a table of the page, in order."""
    return [key for row in told(heading, number) for key in re.findall(r"`(\w+)`", row.split("|")[1])]


def states(trace: Trace) -> list[Any]:
    return [step["state"] for step in trace["steps"] if "state" in step]


def test_every_object_has_the_keys_that_the_page_tells(traces: list[Trace]) -> None:
    """Game, set-up, decisions, states, seats, final and breakdowns have exactly the keys of the page, in its order."""
    for trace in traces:
        assert list(trace) == keys_told("The game")
        assert list(trace["setup"]) == keys_told("`setup`")
        assert list(trace["final"]) == keys_told("`final`")
        assert all(list(parts) == keys_told("`final`", 1) for parts in trace["final"]["breakdown"])
        for state in states(trace):
            assert list(state) == keys_told("`state`")
            assert all(list(seat) == keys_told("`state`", 1) for seat in state["seats"])


def test_every_step_is_of_a_kind_that_the_page_tells(traces: list[Trace]) -> None:
    """Decisions have the kinds and the answers of the page, events their keys."""
    rows = [row.split("|") for row in told("Decisions", 1)]
    kinds, kind = set(), ""
    for row in rows:
        kind = row[1].strip(" `") or kind
        kinds.add((kind, row[2].strip(" `").split()[0]))
    events = {row.split("|")[1].strip(" `"): re.findall(r"`(\w+)`", row.split("|")[2]) for row in told("Events")}
    for trace in traces:
        for step in trace["steps"]:
            if "event" in step:
                ending = ["state"] if step["event"] != "reshuffle" else []
                assert list(step) == ["event", *events[step["event"]], *ending]
            else:
                assert list(step) == keys_told("Decisions")
                assert {(step["kind"], action.split()[0]) for action in step["legal"]} <= kinds
                assert step["action"] in step["legal"]
                assert len(set(step["legal"])) == len(step["legal"])
                assert len(step["legal"]) > 1 or step["kind"] in ("start", "turn")


@pytest.mark.parametrize("players", CASES)
def test_a_recorded_game_is_the_one_that_was_played(players: int) -> None:
    """Points, ranks, winners, rounds and decisions of a trace are those of the rows."""
    for seats, game, trace in zip(*played(setup_for(players), 3), strict=True):
        final = trace["final"]
        assert final["points"] == seats["points"].tolist()
        assert final["ranks"] == seats["rank"].tolist()
        assert final["winners"] == [seat for seat, row in enumerate(seats) if row["win_share"] > 0]
        assert final["rounds"] == game["rounds"] == trace["steps"][-1]["state"]["round"]
        assert sum("kind" in step for step in trace["steps"]) == game["decisions"]


def test_a_trace_is_plain_data(traces: list[Trace]) -> None:
    """A trace is unchanged after being written as JSON and read again, and has no numbers but whole ones."""
    for trace in traces:
        text = json.dumps(trace)
        assert json.loads(text) == trace
        assert not re.search(r"\d\.\d|NaN", text)


def test_nothing_is_lost(traces: list[Trace]) -> None:
    """Resources, pioneers, bonus tokens, tiles and cards add up in every state."""
    for trace in traces:
        setup = trace["setup"]
        pioneers = trace["change"].get("setup.pioneers_on_boat", 4) + 1
        left_over = 1  # tile, until the display event
        for step in trace["steps"]:
            if "state" not in step:
                continue
            state = step["state"]
            left_over -= step.get("event") == "display"
            seats = state["seats"]
            held = [
                sum(amounts) for amounts in zip(state["islands"], *(seat["resources"] for seat in seats), strict=True)
            ]
            assert held == list(setup["supply"].values())
            for seat in seats:
                assert seat["boat"] + seat["placed"] + seat["settled"] + seat["fifth"] == pioneers
            assert state["tokens"] + sum(len(seat["tokens"]) for seat in seats) == sum(map(len, setup["tokens"]))
            tiles = len(state["tiles"]) + state["pile"] + state["removed"] + sum(len(seat["tiles"]) for seat in seats)
            assert tiles == 64 + left_over
            cards = sum(len(seat["reserved"]) + len(seat["built"]) for seat in seats)
            assert state["deck"] + cards + sum(card is not None for card in state["cards"]) == 33


def test_pioneers_stand_where_they_were_placed(traces: list[Trace]) -> None:
    """Every turn but a pass puts its seat at the end of the list of its place; a cleanup empties all places."""
    for trace in traces:
        before: dict[str, list[int]] = {}
        for step in trace["steps"]:
            if "state" not in step:
                continue
            places = step["state"]["places"]
            word, *rest = step.get("action", "none").split()
            if step.get("kind") == "turn" and word not in ("trade", "pass"):
                place = rest[0] if word == "produce" else word
                assert places == {**before, place: [*before[place], step["seat"]]}
            elif step.get("event") == "cleanup":
                assert not any(places.values())
            elif before:
                assert places == before
            before = places


def test_buildings_and_tokens_are_in_the_order_taken(traces: list[Trace]) -> None:
    """What a seat has built only grows at its end."""
    for trace in traces:
        for old, new in pairwise(states(trace)):
            for before, after in zip(old["seats"], new["seats"], strict=True):
                assert after["built"][: len(before["built"])] == before["built"]
                assert after["tokens"][: len(before["tokens"])] == before["tokens"]


def test_the_head_has_options_and_changes_that_differ() -> None:
    """Defaults are left out, whether an option was given or not."""
    assert recorded(setup_for(2, first_player="seat 1"), 0)["options"] == {}
    trace = recorded(setup_for(2, "wide", first_player="random"), 0)
    assert trace["options"] == {"first_player": "random"}
    assert trace["change"]["card.H31.points"] == 12
    assert "supply.3.wood" in trace["change"]
