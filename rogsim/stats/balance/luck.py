"""Variance components of points: how much of the result is luck.

Games of a block share a deal while the bots change seats. So two rows of a block may have in common the game, the seat,
the bot, or none of these. How similar the rows of such pairs are, on average over all pairs, separates the components
(method of moments for crossed random effects: Searle, Casella and McCulloch 1992, "Variance Components", 5). Effects of
seat and bot are removed first, as means. Intervals come from a jackknife over groups of blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from rogsim.stats.blocks import BlockRows, Floats, Ints
from rogsim.stats.estimates import CONFIDENCE, Estimate
from rogsim.stats.special_functions import stdtrit

GROUPS = 100  # of blocks, each left out once
POINTS, RELATIVE = "points", "points against the game's mean"

SHARED_TOGETHER = "set-up, chance that all seats share, and how the game went (which cannot be separated)"
REST_TOGETHER = (
    "specific to each seat: its chance, its choices, and what they make of the game (which cannot be separated)"
)
WORDS = {
    "seat": "the seat: how much more one place in the turn order scores than another, over all games",
    "bot": "the bot: how much more one bot scores than another, over all games and seats",
    "bot in seat": "the bot in its seat: what a bot scores in a seat beyond the sum of both effects",
    "shared luck": "luck of all seats: what all games with the same deal have in common, whoever sits where (set-up, "
    "order of decks; also who plays against whom)",
    "course": "the course of the game: what the seats of one game have in common beyond other games with the same deal "
    "(its length, for example). Below 0 if one seat's gain is another's loss",
    "seat's luck": "luck of a seat: what any bot in it scores with this deal (its dice, its starting position)",
    "fit": "how well the deal suits the bot: what a bot scores with this deal in any seat",
    "rest": "the rest: the joint effect of bot, seat, deal and game, which no two rows share",
}


@dataclass(frozen=True)
class Component:
    """One source of variance.

    Attributes
    ----------
    words
        Description for a reader.
    share
        Share of the variance, 0 to 1; an estimate may be slightly below 0.
    known
        Whether the rows determine the share; if not, it is nan.
    """

    name: str
    words: str
    share: Estimate
    known: bool = True


@dataclass(frozen=True)
class Luck:
    """The variance components of a value.

    Attributes
    ----------
    value
        Name of the value, POINTS or RELATIVE.
    variance
        Variance of the value over all rows, in squared points.
    notes
        Notes on components that cannot be separated.
    """

    players: int
    value: str
    variance: float
    games: int
    components: tuple[Component, ...]
    notes: tuple[str, ...]


class LuckRows:
    """Collects the rows that `Luck` needs: points and bots."""

    def __init__(self, bots: Sequence[str]) -> None:
        self.bots = list(bots)
        self.points: list[Any] = []
        self.seated: list[Any] = []
        self.sizes: list[Any] = []

    def add(self, part: BlockRows) -> None:
        """Add the blocks of a part."""
        self.points.append(part.points.astype(np.float32))
        self.seated.append(part.codes("bot", self.bots).astype(np.int16))
        self.sizes.append(np.bincount(part.block))

    def result(self, players: int) -> tuple[Luck, ...]:
        """Return the variance components of points, and of points relative to the mean of their game."""
        points = np.concatenate(self.points).astype(np.float64)
        rows = _Rows(points, np.concatenate(self.seated).astype(np.int64), np.concatenate(self.sizes), len(self.bots))
        relative = _Rows(points - points.mean(axis=1, keepdims=True), rows.bots, rows.sizes, len(self.bots))
        return luck_of(rows, players, POINTS), luck_of(relative, players, RELATIVE)


@dataclass(frozen=True)
class _Rows:
    """Rows of whole blocks; values, bots: [games, players]. sizes: int64[blocks], games of each. count: of bots."""

    values: Floats
    bots: Ints
    sizes: Ints
    count: int


def luck_of(rows: _Rows, players: int, value: str) -> Luck:
    """Return the variance components of one value, which is POINTS or RELATIVE."""
    moments = _moments(rows)
    total = moments.sum(axis=0)
    split = partial(_split, players=players, bots=rows.count, relative=value == RELATIVE)
    whole, variance = split(total)
    left_out = [split(total - group)[0] for group in moments] if len(moments) > 1 else [whole]
    components = []
    for name, share in whole.items():
        drawn = np.array([shares[name] for shares in left_out])
        error = float(np.sqrt((len(drawn) - 1) / len(drawn) * ((drawn - drawn.mean()) ** 2).sum()))
        reach = float(stdtrit(len(drawn) - 1, 0.5 + CONFIDENCE / 2)) * error if len(drawn) > 1 else np.nan
        estimate = Estimate(share, share - reach, share + reach, rows.values.size, float(len(rows.sizes)))
        components.append(Component(name, _words(name, rows.count, players, value), estimate, not np.isnan(share)))
    return Luck(players, value, variance, len(rows.values), tuple(components), _notes(rows, players))


def _moments(rows: _Rows) -> Floats:
    """Return the moments that determine the components, for each group of blocks: float64[groups, moments].

    These are the number of rows and the sum of each bot in each seat, the sum of squares, and for each kind of pair the
    sum of products and the number of pairs.
    """
    players = rows.values.shape[1]
    blocks = len(rows.sizes)
    block = np.repeat(np.arange(blocks), rows.sizes)
    starts = np.r_[0, np.cumsum(rows.sizes)[:-1]]
    seated = rows.bots * players + np.arange(players)  # a number for each bot in each seat
    size = rows.count * players
    known = np.bincount(seated.ravel(), minlength=size)
    means = np.bincount(seated.ravel(), rows.values.ravel(), size) / np.maximum(known, 1)
    rest = rows.values - means[seated]
    pairs = [_pairs(product, block, starts, rows, blocks) for product in (rest, np.ones_like(rest))]
    group = np.arange(blocks) % min(GROUPS, blocks)
    count = int(group.max()) + 1
    of_row = group[block][:, None] * size + seated
    sizes, sums = (
        np.bincount(of_row.ravel(), weight, count * size).reshape(count, size) for weight in (None, rows.values.ravel())
    )
    squares = np.bincount(group[block], (rest**2).sum(axis=1), count)
    by_group = [np.stack([np.bincount(group, values, count) for values in kind], axis=1) for kind in pairs]
    return np.concatenate([sizes, sums, squares[:, None], *by_group], axis=1)


def _pairs(value: Floats, block: Ints, starts: Ints, rows: _Rows, blocks: int) -> list[Floats]:
    """Return sums by block, over ordered pairs of different rows, of the product of their values.

    The four kinds of pairs have only the game, only the seat, only the bot, or nothing but the block in common.
    """
    players, count = value.shape[1], rows.count
    squares = np.add.reduceat((value**2).sum(axis=1), starts)

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
    size = bots * players
    sizes, sums, squares = moments[:size], moments[size : 2 * size], moments[2 * size]
    products, numbers = moments[2 * size + 1 : 2 * size + 5], moments[2 * size + 5 : 2 * size + 9]
    n = sizes.sum()
    with np.errstate(divide="ignore", invalid="ignore"):  # nan where there are no pairs
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
    """Return the variance of the means of seats, of bots, and of their combinations beyond both."""
    n = sizes.sum()
    grand = sums.sum() / n
    seated = np.where(sizes > 0, sums / sizes, grand)
    seat, bot = sums.sum(axis=0) / sizes.sum(axis=0), sums.sum(axis=1) / sizes.sum(axis=1)
    both = float((sizes * (seated - grand) ** 2).sum() / n)
    of_seat = float((sizes.sum(axis=0) * (seat - grand) ** 2).sum() / n)
    if len(sizes) == 1:
        return {"seat": of_seat}
    of_bot = float((sizes.sum(axis=1) * (bot - grand) ** 2).sum() / n)
    return {"seat": of_seat, "bot": of_bot, "bot in seat": both - of_seat - of_bot}


def _absolute(left: float, game: float, seat: float, bot: float, block: float, bots: int) -> dict[str, float]:
    """Return the components of points from the covariances of pairs."""
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
    """Return the components of points relative to their game; subtracting its mean takes 1 / players from each."""
    if np.isnan(seat) or bots == 1:
        return {"rest": left}
    seat, bot = seat * (1 - 1 / players), bot * (1 - 1 / players)
    return {"seat's luck": seat, "fit": bot, "rest": left - seat - bot}


def _words(name: str, bots: int, players: int, value: str) -> str:
    if bots > 1 and players > 2:
        return WORDS[name]
    return {"shared luck": SHARED_TOGETHER, "rest": REST_TOGETHER}.get(name, WORDS[name])


def _notes(rows: _Rows, players: int) -> tuple[str, ...]:
    """Return notes on the components that cannot be separated."""
    if rows.count == 1:
        return (
            "With one bot in every seat each deal is played only once. So luck and the course of a game cannot be "
            "separated: one component is what all seats of a game share, the other what is specific to each seat. The "
            "former is below 0 where one seat's gain is another's loss. With several bots there are more components.",
        )
    if players == 2:
        return (
            "With two players any two rows with the same deal share the seat, the bot or the game, so the luck of a "
            "seat and how well the deal suits a bot cannot be separated. With three or four players they can.",
        )
    return ("The rest includes both what luck gives to one seat and what that seat makes of it in a single game.",)
