"""Golden games: whole games of the random bot as short text, one line per step, stored and compared exactly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.games.river_of_gold.games import batch_of, setup_for, traces

FOLDER = Path(__file__).parent / "golden"
SEED = 7

# By player count and patrons: the number of a game that is short and yet has many kinds of step.
GAMES = {(2, "none"): 14, (2, "draft"): 19, (3, "none"): 0, (3, "draft"): 6, (4, "none"): 42, (4, "draft"): 13}
CASES = tuple(GAMES)

Trace = Mapping[str, Any]


def path_of(players: int, patrons: str) -> Path:
    return FOLDER / f"{players}-players-{patrons}.txt"


def golden_text(players: int, patrons: str) -> str:
    """Play a golden game and return it as text."""
    setup = setup_for("printed", players, patrons)
    batch = batch_of(["random"] * players, 1, seed=SEED, first=GAMES[players, patrons])
    (trace,) = traces(setup, batch)
    title = f"{trace['format']}: {players} players, patrons: {patrons}, seed {trace['seed']}, game {trace['game']}"
    return "\n".join([title, "", *setup_lines(trace["setup"]), "", *turn_lines(trace), *final_lines(trace)]) + "\n"


def setup_lines(setup: Trace) -> Iterator[str]:
    yield f"region tiles: {'  '.join(dashed(tile) for tile in setup['region_tiles'])}"
    yield f"masteries: {' '.join(setup['masteries'])}"
    yield f"shore: {'  '.join(f'{space} {tile}' for space, tile in setup['shore'].items())}"
    for name in ("era1", "era2", "deck"):
        yield f"{name}: {' '.join(setup[name])}"
    for seat, hand in enumerate(setup["hands"]):
        patron = f"{setup['patrons'][seat]}, " if setup["patrons"] else ""
        ships = dashed(setup["ships"][seat])
        yield f"seat {seat}: {patron}ships {ships}, die {setup['dice'][seat]}, {' '.join(hand)}"


def turn_lines(trace: Trace) -> Iterator[str]:
    """Yield the number of a turn, its steps, and what they changed."""
    before: dict[str, str] = {}
    for number, turn in enumerate(trace["turns"], 1):
        yield f"{number}. seat {turn['seat']}"
        for step in turn["steps"]:
            yield f"   {step_line(step)}"
        after = state_lines(turn["after"])
        for name, line in after.items():
            if before.get(name) != line:
                yield f"     {name}: {line}"
        before = after
    yield ""


def step_line(step: Trace) -> str:
    """Write a step as its words in order: `build 12 era1-port-1`, `good silk (seat 1)`."""
    words = [" ".join(value) if isinstance(value, list) else str(value) for key, value in step.items() if key != "seat"]
    return " ".join(words) + (f" (seat {step['seat']})" if "seat" in step else "")


def state_lines(after: Trace) -> dict[str, str]:
    lines = {"row": " ".join(after["row"])}
    for number, seat in enumerate(after["seats"]):
        goods = dashed([seat[good] for good in ("silk", "rice", "porcelain")])
        parts = [
            f"{seat['points']} points, koku {seat['koku']}, goods {goods}",
            f"favor {seat['favor']}/{seat['favor_limit']}, influence {dashed(seat['influence'])}",
            f"ships {dashed(seat['ships'])}, die {seat['die']}",
            "" if seat["royal"] is None else f"royal {seat['royal']}",
            " ".join(["hand", *seat["hand"]]),
            " ".join(["delivered", *seat["delivered"]]) if seat["delivered"] else "",
        ]
        lines[f"seat {number}"] = ", ".join(part for part in parts if part)
    lines["markers"] = " ".join(f"{space}:{dashed(owners)}" for space, owners in after["markers"].items())
    lines["masteries"] = " ".join(f"{name}:{dashed(seats)}" for name, seats in after["masteries"].items())
    return {name: line for name, line in lines.items() if line}


def final_lines(trace: Trace) -> Iterator[str]:
    final = trace["final"]
    for seat, parts in enumerate(final["breakdown"]):
        scored = (f"{name} {dashed(part) if isinstance(part, list) else part}" for name, part in parts.items())
        yield f"seat {seat}: {final['points'][seat]} points: {', '.join(scored)}"
    yield f"winners: {dashed(final['winners'])}"


def dashed(numbers: list[int]) -> str:
    return "-".join(str(number) for number in numbers)
