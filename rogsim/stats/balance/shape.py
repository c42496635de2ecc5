"""The shape of games: points and margins, length, who led when, and how early the win was decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from rogsim.game.fair import noun_of
from rogsim.game.topics import Lead
from rogsim.stats.balance.level_by_seat import margins
from rogsim.stats.blocks import BlockRows, Floats, Sums
from rogsim.stats.contrasts import per_game, table
from rogsim.stats.estimates import Estimate

CLOSE = (0, 1, 2, 3, 5, 10, 20)  # points: limits for the margin of close games
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
CLOSE_GAME = 3  # points: what the balance sheet calls a close game
LEADER_WINS, COMEBACKS = "games that the leader at half-time wins", "games won from behind at half-time"
SINCE_STEPS = 20  # bins of the share of the turns after which the winner was never behind again


@dataclass(frozen=True)
class Shape:
    """The shape of all games with one number of players.

    margin and turns are histograms with the columns value and count. since and lead are empty if the game does not
    record who led.

    Attributes
    ----------
    margin
        Points between the first and the second.
    turns
        Turns of all seats together.
    close
        Games decided by at most `within` points, with columns within, share (0 to 1), low and high.
    since
        Histogram with the columns since (share of the turns after which the winner was never behind again, 0 to 1,
        lower end of a bin) and count.
    lead
        One row for each progress (share of the turns, 0 to 1): quantiles q05 to q95 of the winner's lead over the best
        other seat, and ahead, the share of games in which the winner was not behind then.
    """

    players: int
    games: int
    rows: tuple[dict[str, Any], ...]
    margin: pl.DataFrame
    turns: pl.DataFrame
    close: pl.DataFrame
    since: pl.DataFrame
    lead: pl.DataFrame

    def figures(self) -> pl.DataFrame:
        """Return one row for each mean: name, value, low, high and unit ("" for a share of games, 0 to 1)."""
        return table(self.rows)


class ShapeSums:
    """Accumulates what `Shape` needs; lead: the game's columns on who led, None if it has none."""

    def __init__(self, players: int, lead: Lead | None) -> None:
        self.players, self.lead, self.games = players, lead, 0
        self.units: dict[str, str] = {}
        self.means = Sums(1)
        self.close = Sums(1 + len(CLOSE))
        self.counts: dict[str, Counter[int]] = {name: Counter() for name in ("margin", "turns", "since")}
        steps = len(lead.progress) if lead else 0
        self.leads: list[Counter[int]] = [Counter() for _ in range(steps)]

    def add(self, part: BlockRows) -> None:
        """Add the blocks of a part."""
        self.games += part.games.height
        part = part.by_side()
        noun, turns, best = noun_of(part.sides.levels), part.of_games("turns"), part.points.max(axis=1)
        values = {f"points of a {noun}" if noun else "points": (part.points.mean(axis=1), "points")}
        found = {"turns": turns}
        if noun:
            margin = found["margin"] = margins(part.points)
            values |= {
                "points of the winner": (best, "points"),
                "points between first and second": (margin, "points"),
                "points between first and last": (best - part.points.min(axis=1), "points"),
                "games with a shared win": ((part.wins.max(axis=1) < 1).astype(float), ""),
            }
            close = margin[:, None] <= np.array(CLOSE)
            self.close.add(part.by_block(np.concatenate([np.ones((len(margin), 1)), close], axis=1)))
        values["turns"] = (turns, "turns")
        if self.lead:
            more, found["since"] = self._of_lead(part, turns, self.lead)
            values |= more
        self.units = {name: unit for name, (_, unit) in values.items()}
        numbers = np.stack([np.ones(len(turns)), *(value for value, _ in values.values())], axis=1)
        self.means = self.means if self.means.blocks else Sums(numbers.shape[1])
        self.means.add(part.by_block(numbers))
        for name, numbers in found.items():
            _count(self.counts[name], numbers)

    def _of_lead(self, part: BlockRows, turns: Floats, lead: Lead) -> tuple[dict[str, tuple[Floats, str]], Floats]:
        changes, since, behind = (part.of_games(name) for name in (lead.changes, lead.since, lead.behind))
        winner = part.wins.argmax(axis=1)
        rows = np.arange(len(winner))
        values: dict[str, tuple[Floats, str]] = {}
        for place, name in enumerate(lead.progress):
            points = part.of_seats(name)
            of_winner = points[rows, winner]
            others = points.copy()
            others[rows, winner] = -np.inf
            ahead = of_winner - others.max(axis=1)
            _count(self.leads[place], ahead)
            if place == len(lead.progress) // 2:
                leaders = points == points.max(axis=1, keepdims=True)
                values[LEADER_WINS] = ((part.wins * leaders).sum(axis=1) / leaders.sum(axis=1), "")
                values[COMEBACKS] = ((ahead < 0).astype(float), "")
        values |= {
            "lead changes": (changes, "changes"),
            "most points the winner was behind": (behind, "points"),
            "games the winner led from the start": ((since == 0).astype(float), ""),
            "games decided after the last turn": ((since < 0).astype(float), ""),
        }
        known = np.where(since >= 0, np.floor(since / np.maximum(turns, 1) * SINCE_STEPS), -1)
        return values, np.minimum(known, SINCE_STEPS - 1)

    def result(self) -> Shape:
        """Return the shape of all games so far."""
        within, means = per_game(self.close), per_game(self.means)
        limits = enumerate(CLOSE if self.close.blocks else ())
        close = table({"within": limit} | _ends("share", within.share(place)) for place, limit in limits)
        since = {step / SINCE_STEPS: count for step, count in self.counts["since"].items() if step >= 0}
        return Shape(
            players=self.players,
            games=self.games,
            rows=tuple(
                {"name": name} | _ends("value", means.known(place) if unit else means.share(place)) | {"unit": unit}
                for place, (name, unit) in enumerate(self.units.items())
            ),
            margin=_histogram(self.counts["margin"]),
            turns=_histogram(self.counts["turns"]),
            close=close,
            since=_histogram(since, "since", pl.Float64),
            lead=self._lead_frame(),
        )

    def _lead_frame(self) -> pl.DataFrame:
        steps = len(self.leads)
        rows = []
        for place, leads in enumerate(self.leads):
            values = np.array(sorted(leads))
            counts = np.array([leads[value] for value in values.tolist()], dtype=np.float64)
            row: dict[str, float] = {"progress": (place + 1) / (steps + 1)}
            row |= {f"q{round(q * 100):02}": _quantile(values, counts, q) for q in QUANTILES}
            rows.append(row | {"ahead": float(counts[values >= 0].sum() / counts.sum())})
        names = ["progress", *(f"q{round(q * 100):02}" for q in QUANTILES), "ahead"]
        return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.Float64))


def _ends(name: str, estimate: Estimate) -> dict[str, float]:
    return {name: estimate.value, "low": estimate.low, "high": estimate.high}


def _count(counter: Counter[int], numbers: Floats) -> None:
    whole = numbers.astype(np.int64).ravel()
    lowest = int(whole.min())
    counts = np.bincount(whole - lowest)
    counter.update({lowest + int(place): int(counts[place]) for place in np.flatnonzero(counts)})


def _quantile(values: Sequence[int] | Any, counts: Floats, q: float) -> float:
    """Return the smallest value that at least a share `q` of all values does not exceed."""
    return float(np.quantile(values, q, weights=counts, method="inverted_cdf"))


def _histogram(counts: Mapping[Any, int], name: str = "value", kind: Any = pl.Int64) -> pl.DataFrame:
    return pl.DataFrame(
        {name: sorted(counts), "count": [counts[key] for key in sorted(counts)]}, schema={name: kind, "count": pl.Int64}
    )
