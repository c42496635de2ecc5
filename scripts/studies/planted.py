"""Whether proposals of a report move a level towards fair, in games with a planted imbalance.

What a report proposes for the level is run as printed, and the level before and after is compared on the same deals.
A seat or a level that is dealt is fair at a fair share. A tile or a card is
chosen by the players: what it is worth is the difference between seats that have it and seats that do not, and it is
fair at the difference in the game without the planted change. Intervals are of deals, which are the same in all games.
"""

from __future__ import annotations

import json
import math
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl

from rogsim.game.registry import get_game
from rogsim.game.topics import Topic
from rogsim.report.balance.proposals import OutOfBalance, proposals
from rogsim.report.balance.sources import material_of
from rogsim.results.results import Results
from rogsim.stats.blocks import Floats
from rogsim.stats.estimates import Estimate
from rogsim.stats.paired.common_random_numbers import interval

ROOT = Path(__file__).parents[2]
PLAYERS, GAMES = 4, 20_000
RIVER_OF_GOLD, THE_RIVER, KOKU = "river-of-gold", "the-river", [7, 8, 9, 10]
PLANTED: list[tuple[str, str, str, dict[str, tuple[int, int]]]] = [  # game, topic, table, (strong, weak) by parameter
    (RIVER_OF_GOLD, "patrons", "patron", {
        "kaiu-shihobu.bonus_koku": (18, 0), "yasuki-taka.points": (6, 0), "yoritomo.bonus_customers": (4, 0),
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


@dataclass(frozen=True)
class Worth:
    """By how much a level is off, in pp, with what each deal adds to it (linearised, as in `rogsim.stats.blocks`)."""

    value: float
    by_deal: Floats

    def __sub__(self, other: Worth) -> Worth:
        return Worth(self.value - other.value, self.by_deal - other.by_deal)

    @property
    def estimate(self) -> Estimate:
        """Return it with its interval."""
        deals = len(self.by_deal)
        return interval(self.value, float(self.by_deal.std(ddof=1)) / math.sqrt(deals), deals, deals)


def worth(results: Results, topic: Topic | None, level: str) -> Worth:
    """Return how much more often seats with a level win than a fair share, or if it is chosen, than the other seats."""
    if topic is None:
        has = pl.col("seat") == int(level)
    elif topic.kind == "member":
        bit = list(topic.labels).index(level)
        has = pl.col(topic.columns[0]).cast(pl.UInt64) // 2**bit % 2 == 1
    else:
        has = pl.col(topic.columns[0]) == level
    rows = results.seats().with_columns(has.alias("has"))
    sums = rows.group_by("block").agg(
        pl.col("has").sum().alias("with"),
        (~pl.col("has")).sum().alias("without"),
        pl.col("win_share").filter(pl.col("has")).sum().alias("won_with"),
        pl.col("win_share").filter(~pl.col("has")).sum().alias("won_without"),
    )
    found = sums.sort("block").collect().cast(pl.Float64)
    with_it, by_deal = _share(found, "with")
    if topic is None or topic.kind != "member":
        return Worth(100 * (with_it - 1 / PLAYERS), 100 * by_deal)
    without, others = _share(found, "without")
    return Worth(100 * (with_it - without), 100 * (by_deal - others))


def _share(sums: pl.DataFrame, rows: str) -> tuple[float, Floats]:
    """Return the win share of the seats of a kind, and what each deal adds to it."""
    count, won = sums[rows].to_numpy(), sums[f"won_{rows}"].to_numpy()
    share = float(won.sum() / count.sum())
    return share, (won - share * count) / count.mean()


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


def tried(case: Case, games: int) -> tuple[str, str]:
    """Return what became of a level, and how: the level before, what is proposed for it, and the level after."""
    spec = get_game(case.game)
    topic = next((topic for topic in spec.topics if topic.name == case.topic), None)
    label = topic.labels.get(case.level, case.level) if topic else f"seat {case.level}"
    write(case, "planted", games, case.change)
    call("rogsim run planted.toml --replace")
    results = Results.open("reports/planted")
    before = off = worth(results, topic, case.level)
    if topic and topic.kind == "member":
        write(case, case.game, games, {})
        call(f"rogsim run {case.game}.toml")  # from the second time on, its games are there
        off = before - worth(Results.open(f"reports/{case.game}"), topic, case.level)
    source = material_of([results], only=(case.topic,)).sources[0]
    start = f"{case.topic}, {label}, made {case.way}: {shown(off.estimate)} pp"
    found = next(proposals(spec, [OutOfBalance(case.topic, label, PLAYERS, off.value, source)]), None)
    if found is None:
        return "no proposal", start
    call(found.command)
    if not found.is_step:
        return "curve", f"{start}. {found.sentence}"
    stored = [Results.open(folder) for folder in Path("reports/games").iterdir() if folder.is_dir()]
    (variant,) = [one for one in stored if one.manifest["scenario"]["change"] != results.manifest["scenario"]["change"]]
    move = worth(variant, topic, case.level) - before
    after = f"{off.value + move.value:+.1f}, a move of {shown(move.estimate)}"
    return verdict(off.value, move.estimate), f"{start}. {found.sentence} After: {after}"


def shown(found: Estimate) -> str:
    """Return an estimate with its interval."""
    return f"{found.value:+.1f} ({found.low:+.1f} to {found.high:+.1f})"


def verdict(off: float, move: Estimate) -> str:
    """Return whether a level that was off moved towards fair; unclear if the interval of the move includes 0."""
    if move.low == move.high == 0:
        return "not at all"
    if move.low <= 0 <= move.high:
        return "unclear"
    if move.value * off > 0:
        return "AWAY"
    past = abs(off) < min(abs(move.low), abs(move.high))
    return "towards, and past fair" if past else "towards"


def proposed(count: int = 40) -> Iterator[str]:
    """Levels made too strong or too weak: whether what a report proposes moves them towards fair; so many cases."""
    ends = []
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for case in islice(cases(), count):
            shutil.rmtree("reports/games", ignore_errors=True)
            end, told = tried(case, GAMES)
            ends.append(end)
            yield f"{end}: {told}"
    yield ", ".join(f"{number} {end}" for end, number in Counter(ends).items())
