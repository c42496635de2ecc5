"""Whether proposals of a report move a level towards fair, in games with a planted imbalance.

python -m scripts.studies.planted [GAMES] [CASES] plants an imbalance in one parameter, runs the scenario, takes the
proposal for the level, runs it as printed, and compares the level before and after on the same deals. CASES are numbers
such as 1,4,9; by default all 40 are tried. A seat or a level that is dealt is fair at a fair share. A tile or a card is
chosen by the players: what it is worth is the difference between seats that have it and seats that do not, and it is
fair at the difference in the game without the planted change.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from rogsim.game.registry import get_game
from rogsim.game.spec import GameSpec
from rogsim.game.topics import Topic
from rogsim.report.balance.proposals import OutOfBalance, proposals
from rogsim.report.balance.sources import material_of
from rogsim.report.console.text_table import Table, print_table
from rogsim.results.results import Results
from rogsim.stats.balance.measure import balance

ROOT = Path(__file__).parents[2]
PLAYERS, GAMES = 4, 20_000
RIVER_OF_GOLD, THE_RIVER, KOKU = "river-of-gold", "the-river", [7, 8, 9, 10]
PLANTED: list[tuple[str, str, str, dict[str, tuple[int, int]]]] = [  # game, topic, table, (strong, weak) by parameter
    (RIVER_OF_GOLD, "patrons", "patron", {
        "kaiu-shihobu.bonus_koku": (14, 0), "yasuki-taka.points": (6, 0), "yoritomo.bonus_customers": (5, 0),
        "kudaka.points": (12, 0), "daidoji-uji.points": (9, 0), "kakita-ryoku.cost_favor": (0, 3),
        "shosuro-hyobu.points": (9, 0)}),
    (RIVER_OF_GOLD, "tiles", "tile", {
        "era1-port-5.owner.points": (9, 0), "era1-market-1.build": (12, 0), "era2-port-4.owner.points": (12, 0)}),
    (RIVER_OF_GOLD, "cards", "customer", {"merchant-6.amount": (12, 0), "artisan-1.order.porcelain": (0, 6)}),
    (THE_RIVER, "meadows", "tile", {"G07.points": (20, 0), "G04.amount": (10, 0)}),
    (THE_RIVER, "cards", "card", {"H01.points": (20, 0)}),
]  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A game, the topic and the level that is made too strong or too weak, and the change that does it."""

    game: str
    topic: str
    level: str
    way: str
    change: dict[str, Any]


def cases() -> Iterator[Case]:
    """Yield 40 cases: all patrons with a parameter, all seats, a board, some tiles and cards, each strong and weak."""
    for game, topic, table, values in PLANTED:
        for name, ends in values.items():
            for way, value in zip(("strong", "weak"), ends, strict=True):
                yield Case(game, topic, name.split(".")[0], way, {f"{table}.{name}": value})
    for seat in range(PLAYERS):
        for way, step in (("strong", 8), ("weak", -7)):
            koku = [value + step * (place == seat) for place, value in enumerate(KOKU)]
            yield Case(RIVER_OF_GOLD, "seats", str(seat + 1), way, {"setup.koku_by_turn_order": koku})
    for symbol, way in (("wood", "strong"), ("none", "weak")):
        yield Case(THE_RIVER, "boards", "blue", way, {f"board.blue.production.{spot}": symbol for spot in (3, 5)})


def effect(results: Results, spec: GameSpec, topic: Topic | None, level: str) -> float:
    """Return by how much the win share of a level is off, or of a chosen one, how much it differs without it, in pp."""
    found = balance(results, spec, only=(topic.name if topic else "seats",)).players[PLAYERS]
    levels = found.levels.get(topic.columns[0]) if topic else found.seats
    if levels is not None:
        return next(one.effect.value for one in levels.levels if one.level == level)
    assert topic is not None
    return float(found.members[topic.columns[0]].frame().filter(pl.col("member") == level)["difference"].item())


def write(case: Case, name: str, games: int, change: dict[str, Any]) -> None:
    """Write a scenario into the current folder."""
    keys = {"game": case.game, "players": [PLAYERS], "games": games, "seed": 7, "bots": ["balanced"]}
    options = {"masteries": "random", "patrons": "dealt"} if case.game == RIVER_OF_GOLD else {"boards": "dealt"}
    lines = [f"{key} = {json.dumps(value)}" for key, value in keys.items()]
    for head, table in (("options", options), ("change", change)):
        lines += [f"[{head}]", *(f"{key} = {json.dumps(value)}" for key, value in table.items())]
    Path(f"{name}.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def call(command: str) -> None:
    """Run a command as it is printed."""
    words = [sys.executable, "-m", *shlex.split(command)]
    ended = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    if ended.returncode:
        sys.exit(f"{command}\n{ended.stderr}")


def tried(case: Case, games: int) -> tuple[str, ...]:
    """Return a row of the table: the level before, what is proposed for it, and the level after."""
    spec = get_game(case.game)
    topic = next((topic for topic in spec.topics if topic.name == case.topic), None)
    label = topic.labels.get(case.level, case.level) if topic else f"seat {case.level}"
    write(case, "planted", games, case.change)
    call("rogsim run planted.toml --replace")
    results, fair = Results.open("reports/planted"), 0.0
    if topic and topic.kind == "member":
        write(case, case.game, games, {})
        call(f"rogsim run {case.game}.toml")  # from the second time on, its games are there
        fair = effect(Results.open(f"reports/{case.game}"), spec, topic, case.level)
    before = effect(results, spec, topic, case.level) - fair
    level = OutOfBalance(case.topic, label, PLAYERS, before, material_of([results], only=(case.topic,)).sources[0])
    start = (case.topic, label, case.way, f"{before:+.2f}")
    found = next(proposals(spec, [level]), None)
    if found is None:
        return (*start, "", "", "no proposal")
    call(found.command)
    if not found.command.startswith("rogsim compare"):
        return (*start, "", found.sentence, "curve")
    stored = [Results.open(folder) for folder in Path("reports/games").iterdir() if folder.is_dir()]
    (variant,) = [one for one in stored if one.manifest["scenario"]["change"] != results.manifest["scenario"]["change"]]
    after = effect(variant, spec, topic, case.level) - fair
    moved = "not at all" if after == before else "yes" if (after - before) * before < 0 else "AWAY"
    return (*start, f"{after:+.2f}", found.sentence, moved)


def main() -> None:
    """Print the table of the cases, and how many levels moved towards fair."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    wanted, rows = [int(number) for number in sys.argv[2].split(",")] if len(sys.argv) > 2 else range(1, 41), []
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for number in wanted:
            shutil.rmtree("reports/games", ignore_errors=True)
            rows.append(tried(list(cases())[number - 1], games))
            print("; ".join(rows[-1]), file=sys.stderr, flush=True)
    header = ("topic", "level", "made", "before, pp", "after, pp", "proposal", "moved")
    print_table(Table("", header, tuple(rows), of_text=True))
    ends = [row[-1] for row in rows]
    counts = ", ".join(f"{ends.count(end)} {end}" for end in dict.fromkeys(ends))
    print(f"\nMoved towards fair, of {len(ends)} cases: {counts}.")


if __name__ == "__main__":
    main()
