"""A trace is the game that was played, in the format of the page on traces."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rogsim.game import compiler
from rogsim.games.river_of_gold.components.names import GOODS, MASTERIES, PATRONS
from rogsim.games.river_of_gold.components.tables import note_more
from tests.games.river_of_gold.games import BOT_NAMES, PATRON_MODES, batch_of, outcomes, setup_for, traces
from tests.games.river_of_gold.table import Table

pytestmark = pytest.mark.once_compiled  # records are made in Python either way

HERE = Path(__file__).parent
PAGE = next(folder / "docs" / "trace-format.md" for folder in HERE.parents if (folder / "docs").is_dir())

BOTS = ("random", "courier", "builder", "sailor")
CASES = [(players, mode) for players in (2, 3, 4) for mode in PATRON_MODES]
CASES = CASES if compiler.ENABLED else CASES[::5]
GAMES = 3 if compiler.ENABLED else 1

Trace = dict[str, Any]


def recorded(players: int, mode: str) -> tuple[Any, Any, list[Trace]]:
    """Play some games with generous parameters and record them: seat rows by game, game rows, traces."""
    setup = setup_for("generous", players, mode)
    batch = batch_of(BOTS[:players], GAMES, seed=11, first=players)
    seat_rows, game_rows = outcomes(setup, batch)
    return seat_rows.reshape(GAMES, players), game_rows, traces(setup, batch)


@pytest.fixture(scope="module", params=CASES, ids=str)
def games(request: pytest.FixtureRequest) -> tuple[Any, Any, list[Trace]]:
    return recorded(*request.param)


def steps_of(trace: Trace, seat: int) -> list[Trace]:
    return [step for turn in trace["turns"] if turn["seat"] == seat for step in turn["steps"]]


# --------------------------------------------------------------------------------------- the game as played


def test_a_recorded_game_ends_as_the_played_one(games: tuple[Any, Any, list[Trace]]) -> None:
    """Points, winners, patrons and what is left at the end are those of the outcome rows."""
    for seats, game, trace in zip(*games, strict=True):
        last = trace["turns"][-1]["after"]["seats"]
        assert trace["final"]["points"] == seats["points"].tolist()
        assert trace["final"]["winners"] == [seat for seat, row in enumerate(seats) if row["win_share"] > 0]
        assert [seat["favor"] for seat in last] == seats["favor"].tolist()
        assert [seat["koku"] for seat in last] == seats["koku_left"].tolist()
        patrons = trace["setup"]["patrons"] or [None] * len(seats)
        assert patrons == [PATRONS[row["patron"]] if row["patron"] >= 0 else None for row in seats]
        assert len(trace["turns"]) == game["turns"]


def test_the_steps_of_a_recording_are_those_that_the_rows_count(games: tuple[Any, Any, list[Trace]]) -> None:
    """Builds, sails, deliveries, exchanges, journeys, claims and the end trigger are as many in both."""
    for seats, game, trace in zip(*games, strict=True):
        for seat, row in enumerate(seats):
            done = Counter(step["do"] for step in steps_of(trace, seat))
            counted = [row["builds"], row["sails"], row["deliveries"], row["exchanges"], row["journeys"]]
            assert [done[kind] for kind in ("build", "sail", "deliver", "exchange", "journey")] == counted
            assert done["end_trigger"] == row["ended_game"] == (game["ended_by"] == seat + 1)
            claims = [step for step in steps_of(trace, seat) if step["do"] == "claim"]
            assert sum(step["points"] for step in claims) == row["points_masteries"]
            assert {step["mastery"] for step in claims} == {name for name in MASTERIES if row[f"mastery_{name}"]}


def test_the_breakdown_adds_up_to_the_points(games: tuple[Any, Any, list[Trace]]) -> None:
    """The parts of each seat sum to its points, and agree with the columns of its row."""
    for seats, _, trace in zip(*games, strict=True):
        for row, parts, points in zip(seats, trace["final"]["breakdown"], trace["final"]["points"], strict=True):
            flat = [sum(part) if isinstance(part, list) else part for part in parts.values()]
            assert sum(flat) == points
            assert sum(parts["regions"]) == row["points_regions"] + row["points_elders"]
            for name in ("customers", "merchants", "artisans", "nobles"):
                assert parts[name] == row[f"points_{name}"]


def test_recording_changes_nothing() -> None:
    """The same batch has the same rows before and after it was recorded, and recorded games do not depend on others."""
    setup, batch = setup_for("printed", 2, "draft"), batch_of(["random", "balanced"], 2, seed=4)
    before = [rows.tolist() for rows in outcomes(setup, batch)]
    written = traces(setup, batch)
    assert [rows.tolist() for rows in outcomes(setup, batch)] == before
    assert traces(setup, batch_of(["random", "balanced"], 1, seed=4, first=1)) == written[1:]


def test_the_same_seed_writes_the_same_text() -> None:
    """Two recordings of the same games are identical to the letter, keys in the same order."""
    setup, batch = setup_for("printed", 3), batch_of(["random"] * 3, 2, seed=9)
    first, second = (json.dumps(traces(setup, batch)) for _ in range(2))
    assert first == second


def test_a_card_drawn_on_another_turn_names_its_seat() -> None:
    """With an owner reward of a customer, which changes allow, the draw names the owner as the discard does."""
    table = Table().place(12, "era1-port-1", 1).lay_deck(["monk-1"])
    reward = table.tables.tiles[table.tile_ids.index("era1-port-1")].owner
    reward.draw = 1
    note_more(reward)
    table.sail_to(6)
    assert table.steps[-1] == {"do": "draw", "customers": ["monk-1"], "seat": 1}
    assert table.go_on().options("discard") == [{"do": "discard", "customer": "monk-1", "seat": 1}]


# ----------------------------------------------------------------------------------------- the format as told


def keys_told(heading: str, table: int = 0) -> list[str]:
    """The keys in a table of the page, in order: the first column of the n-th table under a heading."""
    text = PAGE.read_text(encoding="utf-8")
    part = re.split(r"^#+ ", text.split(f"# {heading}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]
    rows = re.findall(r"(?:^\|.*\n)+", part, flags=re.MULTILINE)[table].splitlines()[2:]
    return [key for row in rows for key in re.findall(r"`(\w+)`", row.split("|")[1])]


def described_steps() -> dict[str, list[str]]:
    """The further keys of each kind of step, in order."""
    text = PAGE.read_text(encoding="utf-8").split("### Steps\n", 1)[1].split("###", 1)[0]
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| `")]
    keys_of = {}
    for row in rows:
        if row[1].strip() != "`do`":
            keys_of[row[1].strip(" `")] = re.findall(r"`(\w+)`", row[2])
    return keys_of


def test_every_object_has_the_keys_that_the_page_tells(games: tuple[Any, Any, list[Trace]]) -> None:
    """Game, set-up, turns, states, seats and final have exactly the keys of the page, in its order."""
    for trace in games[2]:
        assert list(trace) == keys_told("The game")
        assert trace["format"] == "river-of-gold-trace/1"
        assert list(trace["setup"]) == keys_told("`setup`")
        assert list(trace["final"]) == keys_told("`final`")
        for parts in trace["final"]["breakdown"]:
            assert list(parts) == keys_told("`final`", 1)
        for turn in trace["turns"]:
            assert list(turn) == ["seat", "steps", "after"]
            assert list(turn["after"]) == keys_told("`after`")
            for seat in turn["after"]["seats"]:
                assert list(seat) == keys_told("`after`", 1)


def test_every_step_has_the_keys_that_the_page_tells(games: tuple[Any, Any, list[Trace]]) -> None:
    """`do`, the keys of its kind, and `seat` at the end only where another seat had to choose."""
    keys_of = described_steps()
    for trace in games[2]:
        for turn in trace["turns"]:
            for step in turn["steps"]:
                keys = ["do", *keys_of[step["do"]]]
                if "seat" in step:
                    assert step["seat"] != turn["seat"]
                    keys.append("seat")
                assert list(step) == keys


def test_the_page_knows_no_other_kinds_of_step() -> None:
    """Each kind on the page occurs in some game."""
    found = set()
    names = list(BOT_NAMES) if compiler.ENABLED else ["random"]
    for players in (2, 3, 4):
        for mode in ("dealt", "none"):
            for name in names:
                for trace in traces(setup_for("generous", players, mode), batch_of([name] * players, 1, seed=2)):
                    found |= {step["do"] for turn in trace["turns"] for step in turn["steps"]}
    assert found <= set(described_steps())
    if compiler.ENABLED:
        assert found == set(described_steps())


def test_a_trace_is_plain_data(games: tuple[Any, Any, list[Trace]]) -> None:
    """A trace is unchanged after being written as JSON and read again, and its numbers are whole."""
    for trace in games[2]:
        again = json.loads(json.dumps(trace))
        assert again == trace
        check_plain(trace)


def check_plain(value: Any) -> None:
    assert type(value) in (dict, list, str, int, type(None)), f"{value!r} is {type(value)}"
    if isinstance(value, dict):
        assert all(type(key) is str for key in value)
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            check_plain(part)


def test_seats_ships_and_numbers_follow_the_conventions(games: tuple[Any, Any, list[Trace]]) -> None:
    """Seats and ships count from 0, spaces and faces from 1; hands are in alphabetical order."""
    for trace in games[2]:
        players = trace["players"]
        assert [turn["seat"] for turn in trace["turns"]] == [n % players for n in range(len(trace["turns"]))]
        for turn in trace["turns"]:
            for seat in turn["after"]["seats"]:
                assert seat["hand"] == sorted(seat["hand"])
                assert all(1 <= space <= 14 for space in seat["ships"])
                assert seat["royal"] in (None, 0, 1)
                assert 1 <= seat["die"] <= 6
            for space, owners in turn["after"]["markers"].items():
                assert 1 <= int(space) <= 30
                assert 1 <= len(owners) <= 2
                assert set(owners) <= set(range(players))
            for step in turn["steps"]:
                assert step.get("good", "silk") in GOODS
                assert 1 <= step.get("to", 1) <= 14
                assert 1 <= step.get("space", 1) <= 30
