"""How often intervals of points by source contain the true value: of simulated and of played games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from rogsim.game.registry import get_game
from rogsim.stats.balance.association import ALL, FINAL, LevelPointSums, PartSums
from rogsim.stats.blocks import BlockRows, places
from scripts.studies.null import play
from scripts.studies.rates import Rate, covers, each_kind

SIZES = (300, 1_000, 4_000)
GAMES = 200_000  # whose means are taken as true
RARE = {"scored by under 1% of seats": 0.01, "by 1 to 10% of seats": 0.1, "by 10% or more of seats": 1.1}
LEVELS = tuple("abcdefgh")
CHANCES = {"rarest": 0.003, "rare": 0.02, "some": 0.1, "usual": 0.5, "own": 0.0}  # of a seat to score; only a has "own"
SIZE = 3.0  # mean points of a seat that scores

Key = tuple[Any, ...]
Values = dict[Key, Mapping[str, Any]]
Told = tuple[str, str, bool]


@dataclass(frozen=True)
class Asked:
    """What to measure: the column with the levels, the sources, and the points of these on the way."""

    players: int
    column: str
    levels: Sequence[str]
    sources: Sequence[str]
    progress: Sequence[str] = ()
    by_source: Mapping[str, Sequence[str]] | None = None

    def rows(self, parts: Iterable[BlockRows]) -> Values:
        """Every row with intervals of points by source, by what it is about."""
        points = LevelPointSums(self.column, self.levels, self.sources, self.progress, self.by_source)
        halves = PartSums(self.sources)
        for part in parts:
            points.add(part)
            halves.add(part)
        found = points.result()
        frames = {"by source": found.by_source(), "over time": found.over_time()}
        frames["by source over time"] = found.by_source_over_time()
        rows: Values = {("parts", row["part"]): row for row in halves.result().frame().to_dicts()}
        for name, frame in frames.items():
            rows |= {(name, row["level"], row.get("part"), row.get("progress")): row for row in frame.to_dicts()}
        return rows


def told(rows: Values, truth: Values, often: Mapping[Key, float]) -> Iterator[Told]:
    """Yield for each interval its kind, how rare that is, and whether it contains the true value.

    often: the share of seats that score, 0 to 1; where none ever does, nothing is rare.
    """
    for key, row in rows.items():
        known = truth[key]
        rare = next(name for name, most in RARE.items() if often[key] < most)
        of_level = key[0] != "parts"
        for value in ("mean", "difference") if of_level else ("winners", "others", "difference"):
            low, high = row[f"{value}_low"], row[f"{value}_high"]
            if low is None:
                continue
            if of_level:
                kind = f"points of a level {key[0]}{', minus the mean of all seats' if value == 'difference' else ''}"
            else:
                kind = "winners minus others" if value == "difference" else value
            yield kind, rare, covers(low, known[value], high)


SIMULATED = Asked(4, "level", LEVELS, tuple(CHANCES))


def simulated(seed: int, blocks: int, rotations: int = 1) -> list[Told]:
    """What intervals say of simulated games: sources that few seats score, and that all levels and winners score alike.

    rotations: games of a block; a seat scores in all of them or in none.
    """
    generator = np.random.default_rng([13, seed, blocks, rotations])
    games, players = blocks * rotations, SIMULATED.players
    level = np.repeat(np.argsort(generator.random((blocks, len(LEVELS))), axis=1)[:, :players], rotations, axis=0)
    chance = np.array([*CHANCES.values()]) + np.zeros((blocks, players, 1))
    chance[:, :, -1] = 0.5 * (level[::rotations] == 0)
    scores = np.repeat(generator.random(chance.shape) < chance, rotations, axis=0)
    points = scores * (1.0 + generator.poisson(SIZE - 1, scores.shape))
    winner = generator.integers(players, size=games)[:, None] == np.arange(players)
    seats = pl.DataFrame(
        {"level": np.array(LEVELS)[level.ravel()], "win_share": winner.ravel().astype(np.float64)}
        | {name: points[:, :, place].ravel() for place, name in enumerate(CHANCES)}
        | {"points": points.sum(axis=2).ravel()}
    )
    block = np.repeat(np.arange(blocks), rotations)
    rows = SIMULATED.rows([BlockRows(players, seats, pl.DataFrame({"block": block}))])
    truth, often = _planted(rows)
    return list(told(rows, truth, often))


def _planted(rows: Values) -> tuple[Values, dict[Key, float]]:
    """Return the true means of simulated games, and how often seats score."""
    truth: Values = {}
    often = {}
    for key in rows:
        part = key[1] if key[0] == "parts" else key[2]
        own = 0.5 if key[1] == LEVELS[0] else 0.0
        everyone = 0.5 / len(LEVELS)
        chances, means = CHANCES | {"own": own}, CHANCES | {"own": everyone}
        of_level, of_all = (sum(each.values()) if part == "all" else each[part] for each in (chances, means))
        if key[0] == "parts":
            truth[key] = {"winners": SIZE * of_all, "others": SIZE * of_all, "difference": 0.0}
        else:
            truth[key] = {"mean": SIZE * of_level, "difference": SIZE * (of_level - of_all)}
        often[key] = min(1.0, of_all if key[0] == "parts" else of_level)
    return truth, often


@dataclass(frozen=True)
class Played:
    """Rows of played games in order, those of seats game by game; each game is a block."""

    asked: Asked
    seats: pl.DataFrame
    games: pl.DataFrame

    def rows(self, start: int, count: int) -> Values:
        """Every row with intervals, from some of the games."""
        size = self.asked.players
        seats = self.seats[start * size : (start + count) * size]
        return self.asked.rows([BlockRows(size, seats, self.games[start : start + count])])

    def column(self, key: Key) -> str:
        """The column that a row of `Asked.rows` is about, "" for the final scoring."""
        if key[0] == "parts":
            return str(key[1])
        _, _, part, progress = key
        if key[0] == "by source":
            return "points" if part == ALL else str(part)
        if part == FINAL:
            return ""
        of_source = self.asked.by_source or {}
        names = [*self.asked.progress, "points"] if part is None else [*of_source[part], part]
        return str(names[round(progress * len(names)) - 1])

    def truth(self, keys: Iterable[Key]) -> tuple[Values, dict[Key, float]]:
        """The means of all games, and how often seats score."""
        level = places(self.seats[self.asked.column], self.asked.levels)
        count = np.bincount(level)
        won = self.seats["win_share"].cast(pl.Float64).to_numpy()
        whole = {"winners": won, "others": won == 0}
        truth: Values = {}
        often: dict[Key, float] = {}
        by_column: dict[str, list[Key]] = defaultdict(list)
        for key in keys:
            by_column[self.column(key)].append(key)
        for name, about in by_column.items():
            final = pl.col("points") - pl.sum_horizontal(pl.col(list(self.asked.by_source or {})).cast(pl.Float64))
            values = self.seats.select((pl.col(name) if name else final).cast(pl.Float64)).to_series().to_numpy()
            means, scores = (np.bincount(level, each) / count for each in (values, values != 0))
            halves = {half: float(np.average(values, weights=weights)) for half, weights in whole.items()}
            for key in about:
                if key[0] == "parts":
                    truth[key] = halves | {"difference": halves["winners"] - halves["others"]}
                    often[key] = float((values != 0).mean())
                else:
                    place = self.asked.levels.index(key[1])
                    truth[key] = {"mean": means[place], "difference": means[place] - values.mean()}
                    often[key] = float(scores[place])
        return truth, often


def played(game: str, **options: str) -> Played:
    """Games with dealt levels, and what to measure."""
    results = play(game, GAMES, [4], **options)
    spec = get_game(game)
    sources = next(topic.columns for topic in spec.topics if topic.kind == "parts")
    (column,) = next(topic.columns for topic in spec.topics if topic.kind == "level" and topic.dealt)
    (names,) = (of_seats.labels for of_seats in spec.seat_columns if of_seats.name == column)
    assert spec.lead is not None
    asked = Asked(4, column, names or (), sources, spec.lead.progress, spec.lead.by_source)
    return Played(asked, results.seats().collect(), results.games().select("game", "block").collect())


def rates(repeats: int = 15) -> Iterator[Rate]:
    """Sources with known mean points, simulated and in samples from 200,000 games of each of two games."""
    answers = [
        simulated(seed, size // rotations, rotations)
        for size in SIZES
        for rotations in (1, 4)
        for seed in range(repeats)
    ]
    yield from _each("simulated: ", answers)
    answers = []
    for pool in (played("river-of-gold", patrons="dealt"), played("the-river", boards="dealt")):
        truth, often = pool.truth(pool.rows(0, SIZES[0]))
        for size in SIZES:
            for start in range(0, min(repeats * size, GAMES - size + 1), size):
                answers.append(list(told(pool.rows(start, size), truth, often)))
    yield from _each("", answers)


def _each(before: str, answers: Iterable[Iterable[Told]]) -> Iterator[Rate]:
    """Yield the rates of each kind of interval, and of those that are about what is so rare."""
    told_twice = ([(name, hit) for *names, hit in answer for name in names] for answer in answers)
    return each_kind(before, "300 to 4000", told_twice)
