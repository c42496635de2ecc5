"""How much of the result is luck: where the variance of points comes from.

Games of a block share their luck while the bots change seats. So two rows of a block may have in common: the game, the
seat, the bot, or none of these. How alike the rows of such pairs are, on average over all pairs, tells the components
apart (the method of moments for crossed random effects: Searle, Casella and McCulloch 1992, "Variance Components",
5). Seat and bot themselves are taken out first, as means. Intervals come from a jackknife over groups of blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.special import stdtrit

from rogsim.stats.blocks import BlockRows, Floats, Ints
from rogsim.stats.estimates import CONFIDENCE, Estimate

GROUPS = 100  # of blocks, each left out once
POINTS, RELATIVE = "points", "points against the game's mean"

SHARED_TOGETHER = "set-up, chance that all seats share, and how the game went (which cannot be separated)"
OWN_TOGETHER = "each seat's own: its chance, its choices, and what they make of the game (which cannot be separated)"
WORDS = {
    "seat": "the seat: how much more one place in the turn order scores than another, over all games",
    "bot": "the bot: how much more one bot scores than another, over all games and seats",
    "bot in seat": "the bot in its seat: what a bot scores in a seat beyond the sum of both effects",
    "shared luck": "luck of all seats: what all games on the same luck have in common, whoever sits where (set-up, "
    "order of decks; also who plays against whom)",
    "course": "the course of the game: what the seats of one game have in common and other games on the same luck have "
    "not (its length, for example). Less than 0: what one seat gains another loses",
    "seat's luck": "luck of a seat: what any bot in it scores on this luck (its dice, what lies before it)",
    "fit": "how the luck suits the bot: what a bot scores on this luck in any seat",
    "rest": "the rest: the joint effect of bot, seat, luck and game, which no two rows share",
}


@dataclass(frozen=True)
class Component:
    """One source of variance: its share, 0..1 of the variance (an estimate, which may be a bit below 0).

    known: whether the rows can tell it; if not, share is nan.
    """

    name: str
    words: str
    share: Estimate
    known: bool = True


@dataclass(frozen=True)
class Luck:
    """Where the variance of a value comes from; variance: of the value over all rows, in its unit squared."""

    players: int
    value: str
    variance: float
    games: int
    components: tuple[Component, ...]
    notes: tuple[str, ...]


class LuckRows:
    """Keeps the rows that `Luck` needs: points and bots."""

    def __init__(self, bots: Sequence[str]) -> None:
        self.bots = list(bots)
        self.points: list[Any] = []
        self.seated: list[Any] = []
        self.sizes: list[Any] = []

    def add(self, part: BlockRows) -> None:
        """Add some blocks."""
        self.points.append(part.points.astype(np.float32))
        self.seated.append(part.codes("bot", self.bots).astype(np.int16))
        self.sizes.append(np.bincount(part.block))

    def result(self, players: int) -> tuple[Luck, ...]:
        """Return the components of the points, and of the points relative to the mean of their game."""
        points = np.concatenate(self.points).astype(np.float64)
        rows = _Rows(points, np.concatenate(self.seated).astype(np.int64), np.concatenate(self.sizes), len(self.bots))
        relative = _Rows(points - points.mean(axis=1, keepdims=True), rows.bots, rows.sizes, len(self.bots))
        return luck_of(rows, players, POINTS), luck_of(relative, players, RELATIVE)


@dataclass(frozen=True)
class _Rows:
    """values, bots: [games, players], whole blocks one after the other; sizes: int64[blocks], games of each."""

    values: Floats
    bots: Ints
    sizes: Ints
    count: int  # of bots


def luck_of(rows: _Rows, players: int, value: str) -> Luck:
    """Return the components of one value."""
    moments = _moments(rows)
    total = moments.sum(axis=0)
    split = partial(_split, players=players, bots=rows.count, relative=value == RELATIVE)
    whole, variance = split(total)
    left_out = [split(total - one)[0] for one in moments] if len(moments) > 1 else [whole]
    components = []
    for name, share in whole.items():
        drawn = np.array([one[name] for one in left_out])
        error = float(np.sqrt((len(drawn) - 1) / len(drawn) * ((drawn - drawn.mean()) ** 2).sum()))
        reach = float(stdtrit(len(drawn) - 1, 0.5 + CONFIDENCE / 2)) * error if len(drawn) > 1 else np.nan
        estimate = Estimate(share, share - reach, share + reach, rows.values.size, float(len(rows.sizes)))
        components.append(Component(name, _words(name, rows.count, players, value), estimate, not np.isnan(share)))
    return Luck(players, value, variance, len(rows.values), tuple(components), _notes(rows, players))


def _moments(rows: _Rows) -> Floats:
    """Return what the components are made of, for each group of blocks: float64[groups, moments].

    First the number of rows and the sums of each bot in each seat, then the sums of squares, and for each kind of
    pair the sum of products and their number.
    """
    players = rows.values.shape[1]
    blocks = len(rows.sizes)
    block = np.repeat(np.arange(blocks), rows.sizes)
    starts = np.r_[0, np.cumsum(rows.sizes)[:-1]]
    cell = rows.bots * players + np.arange(players)
    cells = rows.count * players
    known = np.bincount(cell.ravel(), minlength=cells)
    means = np.bincount(cell.ravel(), rows.values.ravel(), cells) / np.maximum(known, 1)
    rest = rows.values - means[cell]
    pairs = [_pairs(product, block, starts, rows, blocks) for product in (rest, np.ones_like(rest))]
    group = np.arange(blocks) % min(GROUPS, blocks)
    count = int(group.max()) + 1
    of_row = group[block][:, None] * cells + cell
    sizes, sums = (
        np.bincount(of_row.ravel(), weight, count * cells).reshape(count, cells)
        for weight in (None, rows.values.ravel())
    )
    squares = np.bincount(group[block], (rest**2).sum(axis=1), count)
    by_group = [np.stack([np.bincount(group, one, count) for one in kind], axis=1) for kind in pairs]
    return np.concatenate([sizes, sums, squares[:, None], *by_group], axis=1)


def _pairs(value: Floats, block: Ints, starts: Ints, rows: _Rows, blocks: int) -> list[Floats]:
    """Return by block the sum over ordered pairs of different rows of the product of their values.

    Pairs that have just the game, just the seat, just the bot, and nothing but the block in common.
    """
    players, count = value.shape[1], rows.count
    own = value**2
    squares = np.add.reduceat(own.sum(axis=1), starts)

    def of_keys(keys: Ints, most: int) -> Floats:
        sums = np.bincount(keys.ravel(), value.ravel(), blocks * most).reshape(blocks, most)
        return (sums**2).sum(axis=1) - squares

    seat = np.arange(players)
    game = np.add.reduceat(value.sum(axis=1) ** 2, starts) - squares
    by_seat = of_keys(block[:, None] * players + seat, players)
    everything = np.add.reduceat(value.sum(axis=1), starts) ** 2 - squares
    if count == 1:
        return [game, by_seat, np.zeros(blocks), everything - game - by_seat]
    by_bot = of_keys(block[:, None] * count + rows.bots, count)
    seat_bot = of_keys((block[:, None] * players + seat) * count + rows.bots, players * count)
    twice = rows.bots[:, :, None] == rows.bots[:, None, :]
    game_bot = np.add.reduceat(np.einsum("gi,gij,gj->g", value, twice, value), starts) - squares
    return [
        game - game_bot,
        by_seat - seat_bot,
        by_bot - game_bot - seat_bot,
        everything - game - by_seat - by_bot + game_bot + seat_bot,
    ]


def _split(moments: Floats, players: int, bots: int, relative: bool) -> tuple[dict[str, float], float]:
    """Return each component's share of the variance, and the variance."""
    cells = bots * players
    sizes, sums, squares = moments[:cells], moments[cells : 2 * cells], moments[2 * cells]
    products, numbers = moments[2 * cells + 1 : 2 * cells + 5], moments[2 * cells + 5 : 2 * cells + 9]
    n = sizes.sum()
    with np.errstate(divide="ignore", invalid="ignore"):  # nan where there is nothing to divide by
        fixed = _fixed(sizes.reshape(bots, players), sums.reshape(bots, players))
        left = float(squares / n)
        variance = np.float64(left + sum(fixed.values()))
        game, seat, bot, block = np.where(numbers > 0, products / numbers, np.nan).tolist()
        if relative:
            found = _relative(left, seat - block, bot - block, players, bots)
        else:
            found = _absolute(left, game, seat, bot, block, bots)
        return {name: float(share / variance) for name, share in (fixed | found).items()}, float(variance)


def _fixed(sizes: Floats, sums: Floats) -> dict[str, float]:
    """Return the variance of the means of seats, of bots, and of both together above that."""
    n = sizes.sum()
    grand = sums.sum() / n
    cell = np.where(sizes > 0, sums / sizes, grand)
    seat, bot = sums.sum(axis=0) / sizes.sum(axis=0), sums.sum(axis=1) / sizes.sum(axis=1)
    both = float((sizes * (cell - grand) ** 2).sum() / n)
    of_seat = float((sizes.sum(axis=0) * (seat - grand) ** 2).sum() / n)
    if len(sizes) == 1:
        return {"seat": of_seat}
    of_bot = float((sizes.sum(axis=1) * (bot - grand) ** 2).sum() / n)
    return {"seat": of_seat, "bot": of_bot, "bot in seat": both - of_seat - of_bot}


def _absolute(left: float, game: float, seat: float, bot: float, block: float, bots: int) -> dict[str, float]:
    """Return the components of points from how alike pairs are (covariances)."""
    if np.isnan(block) or bots == 1:
        return {"shared luck": game, "rest": left - game}
    return {
        "shared luck": block,
        "course": game - block,
        "seat's luck": seat - block,
        "fit": bot - block,
        "rest": left - game - seat - bot + 2 * block,
    }


def _relative(left: float, seat: float, bot: float, players: int, bots: int) -> dict[str, float]:
    """Return the components of points relative to their game; subtracting its mean takes 1 / players off each."""
    if np.isnan(seat) or bots == 1:
        return {"rest": left}
    seat, bot = seat * (1 - 1 / players), bot * (1 - 1 / players)
    return {"seat's luck": seat, "fit": bot, "rest": left - seat - bot}


def _words(name: str, bots: int, players: int, value: str) -> str:
    if bots > 1 and players > 2:
        return WORDS[name]
    return {"shared luck": SHARED_TOGETHER, "rest": OWN_TOGETHER}.get(name, WORDS[name])


def _notes(rows: _Rows, players: int) -> tuple[str, ...]:
    """Return notes on the components that cannot be told apart."""
    if rows.count == 1:
        return (
            "With one bot in every seat each game has its own luck. So set-up, dice and draws cannot be told apart: "
            "only what all seats of a game share, and what is specific to each seat. With several bots they can.",
        )
    if players == 2:
        return (
            "With two players any two rows on the same luck share the seat, the bot or the game, so the luck of a "
            "seat and how luck suits a bot cannot be told apart. With three or four players they can.",
        )
    return ("The rest includes both what luck gives to one seat and what that seat makes of it in a single game.",)
