"""How often the statistics of a report see something where nothing is: played games, their results shuffled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

import rogsim
from rogsim.game.registry import get_game
from rogsim.game.spec import GameSpec
from rogsim.results.results import Results
from rogsim.simulation.chunks import Chunk
from rogsim.stats.balance.association import slopes
from rogsim.stats.balance.measure import PlayersBalance, balance, claims
from rogsim.stats.judgement import judge
from scripts.studies.rates import Rate, covers, each_kind

SIZES = (300, 700, 1_000, 2_000, 4_000, 8_000)
RESULTS = ("points", "win_share")

FIELD = ("balanced", "builder", "courier", "tuned")
WORDS = {  # of a screen, and of its intervals
    "patron": ("patron and seat", "a patron in a seat, beyond both"),
    "clan": ("clan and seat", "a clan in a seat, beyond both"),
    "masteries": ("draw and seat", "a draw in a seat"),
    "mastery": ("mastery and seat", "a seat with a mastery minus without"),
    "region": ("region tile and seat", "a region tile in a seat"),
    "cards": ("cards", "with a card minus without"),
    "tiles": ("building tiles", "with a tile minus without"),
    "kind first-claims": ("first claims", "with a first claim minus without"),
    "kind ends": ("setting off the end", "setting off the end"),
    "claims: one more": ("masteries claimed, one more", "one more mastery claimed"),
    "claims: having some": ("masteries claimed, having some", "having claimed a mastery"),
    "customers: one more": ("customers, one more", "one more customer of a kind"),
    "customers: having some": ("customers, having some", "having a customer of a kind"),
    "buildings: one more": ("buildings, one more", "one more building of a kind"),
    "buildings: having some": ("buildings, having some", "having a building of a kind"),
}

Found = Iterator[tuple[str, bool]]
Pool = tuple[Results, pl.DataFrame, pl.DataFrame]


def play(game: str, games: int, players: Sequence[int], bots: Sequence[str] = ("balanced",), **options: str) -> Results:
    """Games to draw from."""
    keys = {"game": game, "players": list(players), "games": games, "seed": 5, "bots": list(bots)}
    return rogsim.run(keys | {"options": options}, jobs=2)


def pool(results: Results, players: int) -> Pool:
    """The played games of one number of players, in order of block, game and seat."""
    selected = pl.col("players") == players
    seats = results.seats().filter(selected).sort("block", "game", "seat").collect()
    return results, seats, results.games().filter(selected).sort("block", "game").collect()


def shuffled(drawn_from: Pool, players: int, games: int, seed: int) -> Results:
    """Some of the blocks, as many as make so many games, with the results of each game dealt to its seats anew."""
    results, seats, played = drawn_from
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


def page(seed: int, drawn_from: Pool, players: int, games: int, screens: bool) -> Found:
    """What one page says of games without any effect: each test, each screen, each interval of wins."""
    results = shuffled(drawn_from, players, games, seed)
    spec = get_game("river-of-gold")
    found = balance(results, spec, only=asked(spec) if screens else ("seats", "patrons", "clans", "masteries"))
    verdicts = judge(claims([found], spec.topics))
    yield "a page says that something differs", any(verdict.kind in ("beyond", "slight") for verdict in verdicts)
    yield "a page names a level", any(verdict.differing for verdict in verdicts)
    yield from _of_levels(found.players[players])
    yield from _of_screens(found.players[players])


def _of_levels(found: PlayersBalance) -> Found:
    fair = 100 / found.players
    for name, levels in {"seat": found.seats, "bot": found.bots, **found.levels}.items():
        if levels is None:
            continue
        yield f"test of {name}s", levels.overall.p < 0.05
        for row in levels.frame().drop_nulls("share_low").iter_rows(named=True):
            yield f"win share of a {name}", covers(100 * row["share_low"], fair, 100 * row["share_high"])
    for name, cells in found.cells.items():
        yield from _of_rows(cells.frame(), name, "beyond")
    for name, draws in found.draws.items():
        kind = "region" if name.startswith("region") else name
        yield f"test of {WORDS[kind][0]}", draws.overall.p < 0.05
        yield from _of_rows(draws.seats(), kind, "beyond")
        if not draws.by_member().is_empty():
            yield from _of_rows(draws.by_member(), "mastery", "difference")


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
    screen, interval = WORDS[name]
    yield f"screen of {screen}", bool((frame["q"].fill_null(1.0) < 0.05).any())
    for low, high in frame.select(f"{value}_low", f"{value}_high").iter_rows():
        if low is not None:
            yield interval, covers(low, 0.0, high)


def rates(repeats: int = 1_000) -> Iterator[Rate]:
    """River of Gold as bots play it, its results shuffled among the seats of a game."""
    for kind, bots, mode, sizes in (
        ("", FIELD[:1], "draft", SIZES),
        (", four bots that rotate", FIELD, "draft", (700,)),
        (", adjusted for the deal", FIELD[:1], "dealt", (300, 700, 8_000)),
    ):
        results = play("river-of-gold", 2 * max(SIZES), [2, 4], bots, masteries="random", patrons=mode)
        for players in (2, 4):
            drawn_from = pool(results, players)
            for games in sizes:
                pages = (page(seed, drawn_from, players, games, screens=not kind) for seed in range(repeats))
                yield from each_kind(f"{players} players{kind}: ", games, pages, ("a page", "test of", "screen of"))
