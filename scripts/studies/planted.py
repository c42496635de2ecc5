"""Whether proposals of a report move a level towards fair, in games with a planted imbalance.

python -m scripts.studies.planted [GAMES] [PLACES] plants an imbalance in one parameter, runs the scenario, takes the
proposal for the level, runs it as printed, and compares the level before and after on the same deals. PLACES are the first
and the last case, such as 1-8. A seat or a level that is dealt is fair at a fair share. A tile or a card is chosen by the
players: what it is worth is the difference between seats that have it and seats that do not, and it is fair at the
difference in the game without the planted change.
"""

from __future__ import annotations

import json
import os
import shlex
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
PLAYERS = 4
GAMES = 20_000
RIVER_OF_GOLD, THE_RIVER = "river-of-gold", "the-river"
PATRONS = {  # strong, weak
    "kaiu-shihobu.bonus_koku": (40, 0),
    "yasuki-taka.points": (6, 0),
    "yoritomo.bonus_customers": (5, 0),
    "kudaka.points": (12, 0),
    "daidoji-uji.points": (9, 0),
    "kakita-ryoku.cost_favor": (0, 6),
    "shosuro-hyobu.points": (9, 0),
}
KOKU = [7, 8, 9, 10]
TILES = {"era1-port-5.owner.points": (9, 0), "era1-market-1.build": (12, 0), "era2-port-4.owner.points": (12, 0)}
CARDS = {"merchant-6.amount": (20, 0), "artisan-1.order.porcelain": (0, 6)}
MEADOWS = {"G07.points": (20, 0), "G04.amount": (10, 0)}
BUILDINGS = {"H01.points": (20, 0), "H20.points": (25, 0)}


@dataclass(frozen=True)
class Case:
    """A game, the topic and the level that is made too strong or too weak, and the change that does it."""

    game: str
    topic: str
    level: str
    way: str
    change: dict[str, Any]


def cases() -> Iterator[Case]:
    """Yield 40 cases: all patrons that have a parameter, all seats, tiles and cards, each too strong and too weak."""
    listed = [(RIVER_OF_GOLD, "patrons", "patron", PATRONS), (RIVER_OF_GOLD, "tiles", "tile", TILES)]
    listed += [(RIVER_OF_GOLD, "cards", "customer", CARDS)]
    listed += [(THE_RIVER, "meadows", "tile", MEADOWS), (THE_RIVER, "cards", "card", BUILDINGS)]
    for game, topic, table, values in listed:
        for name, ends in values.items():
            for way, value in zip(("strong", "weak"), ends, strict=True):
                yield Case(game, topic, name.split(".")[0], way, {f"{table}.{name}": value})
    for seat in range(PLAYERS):
        for way, step in (("strong", 8), ("weak", -7)):
            koku = [value + step * (place == seat) for place, value in enumerate(KOKU)]
            yield Case(RIVER_OF_GOLD, "seats", str(seat + 1), way, {"setup.koku_by_turn_order": koku})
    # Colours of River Boards: a board of symbols, and one without any.
    for symbol, way in (("wood", "strong"), ("none", "weak")):
        yield Case(THE_RIVER, "boards", "blue", way, {f"board.blue.production.{spot}": symbol for spot in (3, 5)})


def topic_of(spec: GameSpec, case: Case) -> Topic | None:
    """Return the topic of a case; None for seats."""
    return next((topic for topic in spec.topics if topic.name == case.topic), None)


def effect(results: Results, spec: GameSpec, case: Case) -> float:
    """Return how much more often than a fair share a level wins, or than without it if players choose it, in pp."""
    topic = topic_of(spec, case)
    found = balance(results, spec, only=(case.topic,)).players[PLAYERS]
    if topic is None:
        assert found.seats is not None
        return next(level.effect.value for level in found.seats.levels if level.level == case.level)
    (column,) = topic.columns
    if topic.kind == "level":
        return next(level.effect.value for level in found.levels[column].levels if level.level == case.level)
    return float(found.members[column].frame().filter(pl.col("member") == case.level)["difference"].item())


def write(case: Case, name: str, games: int, change: dict[str, Any]) -> None:
    """Write a scenario into the current folder."""
    keys = {"game": case.game, "players": [PLAYERS], "games": games, "seed": 7, "bots": ["balanced"]}
    options = {"masteries": "random", "patrons": "dealt"} if case.game == RIVER_OF_GOLD else {"boards": "dealt"}
    tables = [("options", options), ("change", change)]
    lines = [f"{key} = {json.dumps(value)}" for key, value in keys.items()]
    lines += [line for name, table in tables for line in (f"[{name}]", *(f"{k} = {json.dumps(v)}" for k, v in table.items()))]
    Path(f"{name}.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def call(command: str) -> None:
    """Run a command as it is printed."""
    words = [sys.executable, "-m", *shlex.split(command)]
    subprocess.run(words, check=True, capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT)})


def tried(case: Case, games: int) -> tuple[str, ...]:
    """Return a row of the table: the level before, what is proposed for it, and the level after."""
    spec, topic = get_game(case.game), topic_of(get_game(case.game), case)
    label = f"seat {case.level}" if topic is None else topic.labels.get(case.level, case.level)
    write(case, "planted", games, case.change)
    call("rogsim run planted.toml --replace")
    results = Results.open("reports/planted")
    material = material_of([results], only=(case.topic,))
    fair = 0.0
    if topic is not None and topic.kind == "member":
        write(case, case.game, games, {})
        call(f"rogsim run {case.game}.toml")  # from the second time on, its games are there
        fair = effect(Results.open(f"reports/{case.game}"), spec, case)
    before = effect(results, spec, case) - fair
    level = OutOfBalance(case.topic, label, PLAYERS, before, material.sources[0])
    found = next(proposals(spec, [level]), None)
    start = (case.topic, label, case.way, f"{before:+.2f}")
    if found is None:
        return (*start, "", "no proposal", "")
    call(found.command)
    stored = [Results.open(folder) for folder in Path("reports/games").iterdir() if folder.is_dir()]
    (after,) = [effect(one, spec, case) - fair for one in stored if _is_variant(one, results)] or [before]
    moved = "curve" if " sweep " in found.command else "yes" if (after - before) * before < 0 else "NO"
    return (*start, "" if moved == "curve" else f"{after:+.2f}", found.sentence, moved)


def _is_variant(one: Results, planted: Results) -> bool:
    return bool(one.manifest["scenario"]["change"] != planted.manifest["scenario"]["change"])


def main() -> None:
    """Print the table of all cases, and how many levels moved towards fair."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    first, _, last = (sys.argv[2] if len(sys.argv) > 2 else "1-").partition("-")
    rows = []
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for case in list(cases())[int(first) - 1 : int(last) if last else None]:
            call_folder = Path("reports/games")
            subprocess.run(["rm", "-rf", str(call_folder)], check=True)
            rows.append(tried(case, games))
            print("; ".join(rows[-1]), file=sys.stderr, flush=True)
    print_table(Table("", ("topic", "level", "made", "before, pp", "after, pp", "proposal", "moved"), tuple(rows), of_text=True))
    ends = [row[-1] for row in rows]
    print(f"\n{ends.count('yes')} of {len(ends)} levels moved towards fair; {ends.count('NO')} moved away.")


if __name__ == "__main__":
    main()
