"""How well pooled estimates are calibrated: simulated series with known effects.

python -m scripts.studies.pooling numbers 1000 [NAME ...] draws the estimates themselves, `... games 200` plays games
and goes the whole way from their rows; both print tables of docs/statistics.md.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
import polars as pl

from rogsim.results.results import Results
from rogsim.stats.balance.measure import Balance, balance
from rogsim.stats.balance.pooled_levels import pooled_draws, pooled_levels
from rogsim.stats.partial_pooling import Pooled, pool
from tests.series import DRAWS, HANDS, SPEC, joined, of_points

MARGIN = 2.0
EDGES = np.linspace(0, 1, 11)
LEVELS = len(HANDS)

Array = np.ndarray
Truth = Callable[[np.random.Generator, int], Array]  # effects in pp, [levels, contexts]


@dataclass(frozen=True)
class Case:
    """effects: of levels against fair. games: of each context. contexts: player counts, and sets of bots."""

    effects: Truth
    games: int
    players: tuple[int, ...] = (4,)
    bots: int = 1
    rare: int = 0  # levels that come up in one of 20 games only

    @property
    def contexts(self) -> list[tuple[int, int]]:
        return [(players, bots) for bots in range(self.bots) for players in self.players]


def normal(spread: float) -> Truth:
    return lambda generator, contexts: np.repeat(generator.normal(0, spread, (LEVELS, 1)), contexts, axis=1)


def any_spread(generator: np.random.Generator, contexts: int) -> Array:
    """Normal, each series with a spread of its own: 0.5 to 8 pp, and more or less of it common to all contexts."""
    spread, common = 0.5 * 16 ** generator.random(), np.sqrt(generator.random())
    single = generator.normal(size=(LEVELS, contexts)) * np.sqrt(1 - common**2)
    return spread * (common * generator.normal(size=(LEVELS, 1)) + single)


def crossed(common: float, players: float, bots: float, rest: float) -> Truth:
    def effects(generator: np.random.Generator, contexts: int) -> Array:
        of_players = np.tile(generator.normal(0, players, (LEVELS, 3)), 2)
        of_bots = np.repeat(generator.normal(0, bots, (LEVELS, 2)), 3, axis=1)
        single = generator.normal(0, rest, (LEVELS, 6))
        return generator.normal(0, common, (LEVELS, 1)) + of_players + of_bots + single

    return effects


def one_out(generator: np.random.Generator, contexts: int) -> Array:
    """One level 15 pp above fair, the others a little below, half a point apart."""
    effects = generator.normal(0, 0.5, (LEVELS, contexts))
    effects[0] += 17
    return effects


def some_out(generator: np.random.Generator, contexts: int) -> Array:
    """Three levels of ten are out, by 6 pp or so; the others are as good as fair."""
    return generator.normal(0, 6, (LEVELS, contexts)) * (generator.random((LEVELS, 1)) < 0.3)


def two_heaps(generator: np.random.Generator, contexts: int) -> Array:
    return generator.choice([-4.0, 4.0], (LEVELS, 1)) + generator.normal(0, 0.5, (LEVELS, contexts))


def about_margin(generator: np.random.Generator, contexts: int) -> Array:
    """All a little more or less than the margin from fair."""
    return np.where(np.arange(LEVELS) % 2, 2.0, -2.0)[:, None] + generator.normal(0, 0.5, (LEVELS, contexts))


def zero(generator: np.random.Generator, contexts: int) -> Array:
    return np.zeros((LEVELS, contexts))


def exactly_margin(generator: np.random.Generator, contexts: int) -> Array:
    return np.tile(np.where(np.arange(LEVELS) % 2, 2.0, -2.0)[:, None], contexts)


CASES: Mapping[str, Case] = {
    "spread of 0.5 to 8 pp, 300 games": Case(any_spread, 300),
    "spread of 0.5 to 8 pp, 1,000 games": Case(any_spread, 1_000),
    "spread of 0.5 to 8 pp, 8,000 games": Case(any_spread, 8_000),
    "the same, half of the levels rare, 2,000 games": Case(any_spread, 2_000, rare=4),
    "the same, 3 player counts, 2 bots, 1,000 games each": Case(any_spread, 1_000, (2, 3, 4), 2),
    "spread of 1 pp, 4,000 games": Case(normal(1), 4_000),
    "spread of 2 pp, 4,000 games": Case(normal(2), 4_000),
    "spread of 4 pp, 4,000 games": Case(normal(4), 4_000),
    "crossed 2, 1, 1, 0.5 pp, 1,000 games each": Case(crossed(2, 1, 1, 0.5), 1_000, (2, 3, 4), 2),
    "one level 15 pp out, 2,000 games": Case(one_out, 2_000),
    "three of ten out, 2,000 games": Case(some_out, 2_000),
    "all about 4 pp out, 2,000 games": Case(two_heaps, 2_000),
    "all about 2 pp out, 2,000 games": Case(about_margin, 2_000),
    "all exactly fair, 2,000 games": Case(zero, 2_000),
    "all exactly 2 pp out, 2,000 games": Case(exactly_margin, 2_000),
}


def dealt(generator: np.random.Generator, games: int, players: int, rare: int) -> Array:
    """Which levels each game's seats have, int64[games, players]; rare ones come up in one of 20 games."""
    order = generator.random((games, LEVELS))
    if rare:
        order[:, LEVELS - rare :] += (generator.random((games, rare)) > 0.05) * 1.0
    return np.argsort(order, axis=1)[:, :players]


def played(generator: np.random.Generator, games: int, players: int, effects: Array, rare: int = 0) -> Results:
    """Games that a level's seat wins with the fair chance and its effect, less the mean effect of the table's levels.

    effects: pp, before they are told against the levels met; `truth_of` tells them.
    """
    hand = dealt(generator, games, players, rare)
    gain = effects[hand] / 100
    chances = np.maximum(1 / players + gain - gain.mean(axis=1, keepdims=True), 0.0)
    winner = (chances.cumsum(axis=1) < generator.random((games, 1)) * chances.sum(axis=1, keepdims=True)).sum(axis=1)
    nobody = np.zeros((games, players), dtype=np.int64)
    draw = generator.integers(0, len(DRAWS), games)
    return of_points(generator, np.eye(players)[winner], np.arange(games), nobody, ("one",), hand, draw)


def strengths(effects: Array, players: int) -> Array:
    """What levels must add to a chance to have these effects, pp (add up to 0), if all are met equally often."""
    return (effects - effects.mean()) * players / (players - 1) * (LEVELS - 1) / LEVELS


def truth_of(effects: Array, players: int, rare: int) -> Array:
    """The effects against fair, in pp: exact if levels are met equally often, else from very many deals."""
    if not rare:
        return effects * (players - 1) / players * LEVELS / (LEVELS - 1)
    hand = dealt(np.random.default_rng(1), 200_000, players, rare)
    effect = effects[hand]
    beyond = effect - effect.mean(axis=1, keepdims=True)
    return np.bincount(hand.ravel(), beyond.ravel(), LEVELS) / np.bincount(hand.ravel(), minlength=LEVELS)


def one_series(case: Case, seed: int) -> list[dict[str, float]]:
    """What pooling says of each level and context of one series, and the truth."""
    generator = np.random.default_rng([20, seed])
    contexts = case.contexts
    planned = case.effects(generator, len(contexts))
    truth, balances = np.zeros_like(planned), []
    for bots in range(case.bots):
        pieces = []
        for place, (players, who) in enumerate(contexts):
            if who == bots:
                strength = strengths(planned[:, place], players)
                truth[:, place] = truth_of(strength, players, case.rare)
                pieces.append(played(generator, case.games, players, strength, case.rare))
        balances.append(balance(joined(*pieces), SPEC, MARGIN, only=("hands",)))
    return levels_rows(balances, contexts, truth)


def numbers(case: Case, seed: int) -> list[dict[str, float]]:
    """The same with estimates that are drawn: normal, with the noise of so many games, adding up to 0 as shares do."""
    generator = np.random.default_rng([22, seed])
    contexts = case.contexts
    truth = case.effects(generator, len(contexts))
    truth -= truth.mean(axis=0)
    fair = np.array([1 / players for players, _ in contexts])
    error = 100 * np.sqrt(fair * (1 - fair) / (case.games / fair / LEVELS))
    noise = generator.normal(0, error, truth.shape)
    noise -= noise.mean(axis=0)
    plain = truth + noise * np.sqrt(LEVELS / (LEVELS - 1))
    free = np.full(LEVELS, (LEVELS - 1) / LEVELS)
    return _rows(pool(plain, np.tile(error**2, (LEVELS, 1)), contexts, MARGIN, free), truth, plain)


def numbers_of_draws(spread: float, games: int, seed: int, names: int = 20, players: int = 4) -> list[dict[str, float]]:
    """The same for draws by seats: what is left of cells after draws and seats add up to 0."""
    generator = np.random.default_rng([23, seed])
    spread = spread or 0.5 * 16 ** generator.random()
    error = 100 * np.sqrt((1 / players) * (1 - 1 / players) / (games / names))
    truth, noise = (_centred(generator.normal(0, scale, (names, players))) for scale in (spread, error))
    free = (names - 1) * (players - 1) / (names * players)
    plain, true = (values.reshape(-1, 1) for values in (truth + noise, truth))
    # `_centred` takes noise away: what is left is `free` of it, as for shares that add up to 1.
    found = pool(plain, np.full(plain.shape, error**2 * free), [(players, 0)], MARGIN, np.full(len(plain), free))
    return _rows(found, true, plain)


def _centred(values: Array) -> Array:
    values = values - values.mean(axis=1, keepdims=True)
    return values - values.mean(axis=0)


def _rows(found: Pooled, truth: Array, plain: Array) -> list[dict[str, float]]:
    """One row for each item and context; then one for each item, over the contexts if there are several."""
    true, estimate = (np.column_stack([values, values.mean(axis=1)]) for values in (truth, plain))
    figures = (true, estimate, found.value, found.low, found.high, found.chance)
    width = truth.shape[1]
    return [
        {"kind": "each" if column < width else "overall"}
        | {name: float(values[row, column]) for name, values in zip(KEPT[1:], figures, strict=True)}
        for row in range(len(truth))
        for column in range(width + (width > 1))
    ]


def levels_rows(balances: Sequence[Balance], contexts: list[tuple[int, int]], truth: Array) -> list[dict[str, float]]:
    found = pooled_levels(balances, "hand", MARGIN)
    plain = {
        (folder, players, level.level): level.effect
        for folder, balance in enumerate(balances)
        for players, found_ in balance.players.items()
        for level in found_.levels["hand"].levels
    }
    rows = []
    for row in found.each.drop_nulls("chance").iter_rows(named=True):
        key = (row["folder"], row["players"], row["level"])
        known = truth[HANDS.index(row["level"]), contexts.index((row["players"], row["folder"]))]
        rows.append(row | {"kind": "each", "truth": known, "plain": plain[key].value})
    rows += [
        row | {"kind": "overall", "truth": truth[HANDS.index(row["level"])].mean()}
        for row in (found.overall.drop_nulls("chance").to_dicts() if found.overall.height else [])
    ]
    return [{name: row[name] for name in KEPT} for row in rows]


KEPT = ("kind", "truth", "plain", "pooled", "pooled_low", "pooled_high", "chance")


def draws_series(spread: float, games: int, seed: int, names: int = 20, players: int = 4) -> list[dict[str, float]]:
    """The same for 20 draws and 4 seats: what a draw adds to the chance of a seat, normal with this spread."""
    generator = np.random.default_rng([21, seed])
    spread = spread or 0.5 * 16 ** generator.random()
    truth = generator.normal(0, spread, (names, players))
    truth -= truth.mean(axis=1, keepdims=True)
    truth -= truth.mean(axis=0)
    draw = generator.integers(0, names, games)
    chances = np.maximum(1 / players + truth[draw] / 100, 0)
    winner = (chances.cumsum(axis=1) < generator.random((games, 1)) * chances.sum(axis=1, keepdims=True)).sum(axis=1)
    nobody = np.zeros((games, players), dtype=np.int64)
    hand = np.tile(np.arange(players), (games, 1))
    results = of_points(generator, np.eye(players)[winner], np.arange(games), nobody, ("one",), hand, draw % len(DRAWS))
    chunk, seats, rows = results.pieces[0]
    labels = [f"draw {place}" for place in range(names)]
    rows = rows.with_columns(pl.Series("draw", [labels[place] for place in draw], dtype=pl.Enum(labels)))
    found = pooled_draws(
        [balance(Results(results.manifest, None, [(chunk, seats, rows)]), SPEC, only=("draws",))], "draw", MARGIN
    )
    return [
        {"kind": "each", "truth": truth[labels.index(row["level"]), row["seat"] - 1], "plain": np.nan}
        | {name: row[name] for name in KEPT[3:]}
        for row in found.each.drop_nulls("chance").iter_rows(named=True)
    ]


DRAW_CASES: Mapping[str, partial[list[dict[str, float]]]] = {
    "20 draws by 4 seats, spread of 0.5 to 8 pp, 4,000 games": partial(draws_series, 0.0, 4_000),
    "20 draws by 4 seats, spread of 0.5 to 8 pp, 20,000 games": partial(draws_series, 0.0, 20_000),
    "20 draws by 4 seats, spread of 2 pp, 20,000 games": partial(draws_series, 2.0, 20_000),
}
DRAW_NUMBERS: Mapping[str, Callable[[int], list[dict[str, float]]]] = {
    name: partial(numbers_of_draws, *work.args) for name, work in DRAW_CASES.items()
}
WAYS: Mapping[str, Mapping[str, Callable[[int], list[dict[str, float]]]]] = {
    "numbers": {name: partial(numbers, case) for name, case in CASES.items() if not case.rare} | DRAW_NUMBERS,
    "games": {name: partial(one_series, case) for name, case in CASES.items()} | dict(DRAW_CASES),
}


def rows_of(work: Callable[[int], list[dict[str, float]]], count: int) -> pl.DataFrame:
    """The rows of so many series; `series` numbers them."""
    return pl.DataFrame([row | {"series": seed} for seed in range(count) for row in work(seed)])


def deciles(frame: pl.DataFrame) -> list[tuple[int, float, float, float]]:
    """For each tenth of the chances: how many levels, the mean chance, the share outside, its standard error.

    Levels of one series depend on each other, so the error is that of series as clusters.
    """
    found = []
    for low, high in pairwise(EDGES):
        part = frame.filter(pl.col("chance") >= low, (pl.col("chance") < high) | (high == 1))
        if part.is_empty():
            found.append((0, np.nan, np.nan, np.nan))
            continue
        out = (part["truth"].abs() > MARGIN).cast(pl.Float64)
        off = part.with_columns(off=out - out.mean()).group_by("series").agg(pl.col("off").sum())["off"].to_numpy()
        found.append((part.height, part["chance"].mean(), out.mean(), float(np.sqrt((off**2).sum())) / part.height))
    return found


def line(name: str, frame: pl.DataFrame) -> str:
    """One line of the table: outside of those given 0-10%, 10-20%, ..., coverage, and how far off estimates are."""
    cells = [f"{100 * share:.0f} ±{196 * error:.0f}" if n >= 100 else "" for n, _, share, error in deciles(frame)]
    covered = frame.select(pl.col("truth").is_between("pooled_low", "pooled_high").mean()).item()
    off = frame.select(
        ((pl.col("pooled") - pl.col("truth")) ** 2).mean().sqrt(),
        ((pl.col("plain") - pl.col("truth")) ** 2).mean().sqrt(),
    ).row(0)
    return " | ".join([f"| {name}", *cells, f"{covered:.1%}", f"{off[0]:.2f} / {off[1]:.2f} |"])


def main(way: str, count: int, wanted: Sequence[str]) -> None:
    """Print one line for each case."""
    for name, work in WAYS[way].items():
        if wanted and not any(part in name for part in wanted):
            continue
        frame = rows_of(work, count)
        for kind in frame["kind"].unique(maintain_order=True):
            print(line(name if kind == "each" else "… its means over contexts", frame.filter(kind=kind)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
