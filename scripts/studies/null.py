"""How often the statistics of a report see something where nothing is: played games, their results shuffled.

python -m scripts.studies.null FOLDER [REPEATS [PLAYERS GAMES [claims]]] draws games from a folder of results (8,000 or
more games of each number of players), shuffles the results among the seats of each game, and prints how often anything
is found; with "claims" without the screens, which is quicker.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from multiprocessing import get_context
from typing import Any

import numpy as np
import polars as pl

from rogsim.game.registry import get_game
from rogsim.game.spec import GameSpec
from rogsim.results.results import Results
from rogsim.simulation.chunks import Chunk
from rogsim.stats.balance.association import slopes
from rogsim.stats.balance.measure import PlayersBalance, balance, claims
from rogsim.stats.judgement import judge

SIZES = (300, 700, 1_000, 2_000, 4_000, 8_000)
RESULTS = ("points", "win_share")

Found = Iterator[tuple[str, bool]]


@cache
def pool(folder: str, players: int) -> tuple[Results, pl.DataFrame, pl.DataFrame]:
    """The played games of one number of players, in order of block, game and seat."""
    results = Results.open(folder)
    selected = pl.col("players") == players
    seats = results.seats().filter(selected).sort("block", "game", "seat").collect()
    return results, seats, results.games().filter(selected).sort("block", "game").collect()


def shuffled(folder: str, players: int, games: int, seed: int) -> Results:
    """Some of the blocks, as many as make so many games, with the results of each game dealt to its seats anew."""
    results, seats, played = pool(folder, players)
    generator = np.random.default_rng([players, games, seed])
    block = played["block"].to_numpy()
    starts = np.flatnonzero(np.r_[True, block[1:] != block[:-1]])
    size = len(block) // len(starts)
    wanted = np.sort(generator.permutation(len(starts))[: games // size])
    places = (starts[wanted][:, None] + np.arange(size)).ravel()
    rows = places[:, None] * players + np.arange(players)
    dealt = np.take_along_axis(rows, np.argsort(generator.random(rows.shape), axis=1), axis=1).ravel()
    names = [name for name in seats.columns if name.startswith(RESULTS)]
    some = seats[rows.ravel()].with_columns(seats.select(names)[dealt])
    kept = len(places)
    block_now = np.repeat(np.arange(len(wanted)), size)
    key = {"game": np.arange(kept), "block": block_now}
    few = played[places].with_columns(**{name: pl.Series(column) for name, column in key.items()})
    many = some.with_columns(**{name: pl.Series(np.repeat(column, players)) for name, column in key.items()})
    manifest = {key: results.manifest[key] for key in ("name", "bots")} | {"games": {str(players): kept}}
    return Results(manifest, None, [(Chunk(players, 0, kept), many, few)])


def asked(spec: GameSpec) -> tuple[str, ...]:
    """All topics, the seats and the bots."""
    return ("seats", "bots", *(topic.name for topic in spec.topics))


def covers(low: float | None, truth: float, high: float | None) -> bool:
    """Whether an interval contains the true value."""
    return low is not None and high is not None and low <= truth <= high


def page(seed: int, folder: str, players: int, games: int, screens: bool = True) -> list[tuple[str, bool]]:
    """What one page says of games without any effect: each test, each screen, each interval of wins."""
    results = shuffled(folder, players, games, seed)
    spec = get_game("river-of-gold")
    found = balance(results, spec, only=asked(spec) if screens else ("seats", "patrons", "clans", "masteries"))
    verdicts = judge(claims([found], spec.topics))
    rates = [("page: something differs", any(verdict.kind in ("beyond", "slight") for verdict in verdicts))]
    rates.append(("page: names a level", any(verdict.differing for verdict in verdicts)))
    return [*rates, *_of_levels(found.players[players]), *_of_screens(found.players[players])]


def _of_levels(found: PlayersBalance) -> Found:
    fair = 100 / found.players
    for name, levels in {"seats": found.seats, "bots": found.bots, **found.levels}.items():
        if levels is None:
            continue
        yield f"test: {name}", levels.overall.p < 0.05
        yield f"level marked: {name}", any(level.p_holm < 0.05 for level in levels.levels)
        for row in levels.frame().drop_nulls("share_low").iter_rows(named=True):
            yield f"covers: share {name}", covers(100 * row["share_low"], fair, 100 * row["share_high"])
    for name, cells in found.cells.items():
        yield from _of_rows(cells.frame(), f"{name} in seat", "beyond")
    for name, draws in found.draws.items():
        topic_name = "region" if name.startswith("region") else name
        yield f"test: {topic_name} x seat", draws.overall.p < 0.05
        yield from _of_rows(draws.seats(), f"{topic_name} x seat", "beyond")
        if not draws.by_member().is_empty():
            yield from _of_rows(draws.by_member(), f"member of {topic_name} x seat", "difference")


def _of_screens(found: PlayersBalance) -> Found:
    for name, members in found.members.items():
        yield from _of_rows(members.frame(), name, "difference")
    spec = get_game("river-of-gold")
    for topic in spec.topics:
        counts = [found.counts[column] for column in topic.columns if column in found.counts]
        if counts:
            frame = slopes(counts)
            yield from _of_rows(frame, f"{topic.name}: one more", "share")
            frame = frame.drop("q").rename({"q_difference": "q"})
            yield from _of_rows(frame, f"{topic.name}: having some", "difference")


def _of_rows(frame: pl.DataFrame, name: str, value: str) -> Found:
    yield f"screen: {name}", bool((frame["q"].fill_null(1.0) < 0.05).any())
    for low, high in frame.select(f"{value}_low", f"{value}_high").iter_rows():
        if low is not None:
            yield f"covers: {name}", covers(low, 0.0, high)


def every(work: Any, repeats: int, workers: int = 1) -> dict[str, tuple[int, float]]:
    """How many of each kind there were in all repeats, and which share was so."""
    held: dict[str, list[bool]] = defaultdict(list)
    if workers == 1:
        answers: list[Any] = [work(seed) for seed in range(repeats)]
    else:
        with ProcessPoolExecutor(workers, get_context("spawn")) as processes:  # not by fork: polars has threads
            answers = list(processes.map(work, range(repeats), chunksize=10))
    for answer in answers:
        for name, hit in answer:
            held[name].append(hit)
    return {name: (len(hits), sum(hits) / len(hits)) for name, hits in held.items()}


def main(folder: str, repeats: int, players: tuple[int, ...], sizes: tuple[int, ...], screens: bool) -> None:
    """Print a table for each number of players."""
    for count in players:
        page_of = partial(page, folder=folder, players=count, screens=screens)
        found = {games: every(partial(page_of, games=games), repeats) for games in sizes}
        print(f"\n| {count} players, {repeats} pages | {' | '.join(f'{games:,}' for games in sizes)} |")
        print("|---" * (len(sizes) + 1) + "|")
        for name in dict.fromkeys(name for shares in found.values() for name in shares):
            shares = [f"{100 * of_size[name][1]:.1f}%" if name in of_size else "-" for of_size in found.values()]
            print(f"| {name} | {' | '.join(shares)} |", flush=True)


if __name__ == "__main__":
    given = sys.argv[1:]
    main(
        given[0],
        int(given[1]) if len(given) > 1 else 1_000,
        (int(given[2]),) if len(given) > 2 else (2, 4),
        (int(given[3]),) if len(given) > 3 else SIZES,
        "claims" not in given,
    )
