"""The narration of a game of The River covers its trace: every step, the state after every round, the end."""

from __future__ import annotations

import re
from typing import Any

import pytest

from rogsim.games.the_river.play.narrate import narrate
from tests.games.the_river.games import Trace, recorded, setup_for, some_games

pytestmark = pytest.mark.once_uncompiled

# A pattern for each answer and event, with the things that it names put in; prose around them is free.
NEEDLES = {
    "start": r"[Pp]laces {0} .*on the first spot",
    "trade": r"trades .*\d \w+ for food",
    "claim": r"claims {0} \(",
    "produce": r"produces {0}\b",
    "food": r"goes to the food island",
    "reserve": r"reserves {0} \(",
    "construct": r"constructs {0} \(",
    "first": r"takes the First Player Pawn",
    "swap": r"swaps terrain tiles",
    "pass": r"spends it without effect",
    "discard": r"ives up 1 {0} because no warehouse has room",
    "take": r"[Tt]akes {0} instead of food",
    "pay": r"Pays (\d|nothing)",
    "exchange": r"spots {0} and {1}\b",
    "skip": r"[Ss]waps no more tiles",
    "display": r"leaves the game|leave the game",
    "round": r"^Round \d+: seat \d \(random\) begins",
    "reshuffle": r"shuffled into a new pile",
    "cleanup": r"^  Cleanup: \d+ terrain tiles? removed\.",
    "meadow": r"[Gg]ets \w+ from G\d\d",
}


@pytest.fixture(scope="module")
def games() -> list[tuple[Trace, str]]:
    return [(trace, narrate(trace)) for trace in some_games(18)]


def needle(step: dict[str, Any]) -> str:
    word, *named = step["action"].split() if "action" in step else (step["event"],)
    return NEEDLES[word].format(*named)


def sentences(text: str) -> str:
    """The text with the lines of a paragraph joined."""
    return re.sub(r"\n {4,6}(?! |[A-Z][a-z])", " ", text)


def test_every_step_is_told_in_its_order(games: list[tuple[Trace, str]]) -> None:
    """Each decision and event has its sentence, in the order of play, and each turn names its seat."""
    for trace, text in games:
        ahead = iter(sentences(text).splitlines())
        for step in trace["steps"]:
            line = next((line for line in ahead if re.search(needle(step), line)), None)
            assert line is not None, step
            if step.get("kind") in ("start", "turn") or step.get("event") == "meadow":
                assert line.startswith(f"  Seat {step['seat'] + 1} (random) "), line


def test_no_line_is_too_long(games: list[tuple[Trace, str]]) -> None:
    """The text is plain ASCII in lines of at most 100 columns, without blanks at their ends."""
    for _, text in games:
        assert text.isascii()
        assert all(len(line) <= 100 and line == line.rstrip() for line in text.splitlines())


def test_a_table_follows_every_round(games: list[tuple[Trace, str]]) -> None:
    """After each round there is a table with the resources of every seat, and its tiles."""
    for trace, text in games:
        parts = re.split(r"^---- (.*?) -+$", text, flags=re.MULTILINE)
        rounds = trace["final"]["rounds"]
        assert parts[1::2] == [*(f"After round {number}" for number in range(1, rounds)), "End of the game"]
        last = trace["steps"][-1]["state"]["seats"]
        for seat, player in enumerate(last):
            row = next(line for line in parts[-1].splitlines() if line.startswith(f"  {seat + 1} random "))
            assert " ".join(map(str, player["resources"])) in row
            assert f"Seat {seat + 1}: {' '.join(player['tiles'])}" in parts[-1]


def test_the_end_has_all_points_and_the_winners(games: list[tuple[Trace, str]]) -> None:
    """The totals are those of the trace, and every winner is named."""
    for trace, text in games:
        final = trace["final"]
        total = next(line for line in text.splitlines() if line.startswith("  total "))
        assert total.split()[1:] == list(map(str, final["points"]))
        verdict = " ".join(text.split("total", 1)[1].split())
        assert all(f"eat {seat + 1} (random)" in verdict for seat in final["winners"])
        assert f"{max(final['points'])} points" in verdict


def test_changed_figures_are_told() -> None:
    """Tiles and cards are told as they were played, not as they are printed."""
    trace = recorded(setup_for(4, "wide"), 3)
    text = narrate(trace)
    assert ("M04 (mountain, produces 2 wood, 2 warehouses)" in text) == ("M04" in text)
    assert ("H31 (3 wood, 2 stone and 2 clay: 12 points)" in " ".join(text.split())) == ("H31" in text)


def test_a_trace_cut_off_is_refused() -> None:
    """A trace that lacks something raises one of the errors that `rogsim show` turns into a line."""
    trace = recorded(setup_for(2), 1)
    for key in ("setup", "steps", "final", "bots", "change"):
        with pytest.raises((KeyError, IndexError, TypeError, ValueError)):
            narrate({name: value for name, value in trace.items() if name != key})
    trace["steps"][3] = {"event": "flood"}
    with pytest.raises(ValueError, match='"flood" is not a kind of step'):
        narrate(trace)
