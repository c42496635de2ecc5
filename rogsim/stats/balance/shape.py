"""The shape of games: points and margins, length, who led when, and how sure the win was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from rogsim.game.topics import Lead
from rogsim.stats.balance.draws import margins
from rogsim.stats.blocks import BlockRows, Floats, Sums
from rogsim.stats.contrasts import columns, ratios, selector, table

CLOSE = (0, 1, 2, 3, 5, 10, 20)  # points: games decided by at most so many
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
SINCE_STEPS = 20  # bins of the share of the turns after which the winner was never behind again


@dataclass(frozen=True)
class Shape:
    """The shape of all games with one number of players.

    points (of all seats), winning (of winners), margin, turns, changes (of the lead), behind (how far the winner was):
    frames with value and count. close: within, share, low, high: games decided by at most so many points. lead:
    progress (0..1), q05 .. q95 of the winner's lead on the best other seat, ahead (share of games in which the winner
    was not behind then). since: since (0..1 of the turns, lower end of a bin), count. The last four are empty if the
    game does not tell.
    """

    players: int
    games: int
    rows: tuple[dict[str, Any], ...]
    points: pl.DataFrame
    winning: pl.DataFrame
    margin: pl.DataFrame
    turns: pl.DataFrame
    close: pl.DataFrame
    changes: pl.DataFrame
    behind: pl.DataFrame
    since: pl.DataFrame
    lead: pl.DataFrame

    def figures(self) -> pl.DataFrame:
        """Return one row a figure: name, value, low, high, unit ("" for a share of games, 0..1)."""
        return table(self.rows)


@dataclass
class _Figures:
    """Means of things of which each game has one."""

    units: dict[str, str] = field(default_factory=dict)
    sums: Sums | None = None

    def add(self, part: BlockRows, values: Mapping[str, tuple[Floats, str]]) -> None:
        whole = np.stack([np.ones(part.games.height), *(value for value, _ in values.values())], axis=1)
        if self.sums is None:
            self.units = {name: unit for name, (_, unit) in values.items()}
            self.sums = Sums(whole.shape[1])
        self.sums.add(part.by_block(whole))

    def rows(self) -> list[dict[str, Any]]:
        assert self.sums is not None
        count = len(self.units)
        means = ratios(self.sums, selector(range(1, count + 1), count + 1), selector([0] * count, count + 1))
        return [
            {"name": name}
            | {key.replace("value_", ""): number for key, number in columns("value", means.estimate(place)).items()}
            | {"unit": unit}
            for place, (name, unit) in enumerate(self.units.items())
        ]


class ShapeSums:
    """Adds up what `Shape` needs."""

    def __init__(self, players: int, lead: Lead | None) -> None:
        self.players, self.lead, self.games = players, lead, 0
        self.figures = _Figures()
        self.close = Sums(1 + len(CLOSE))
        self.counts: dict[str, Counter[int]] = {
            name: Counter() for name in ("points", "winning", "margin", "turns", "changes", "behind", "since")
        }
        steps = len(lead.progress) if lead else 0
        self.leads: list[Counter[int]] = [Counter() for _ in range(steps)]

    def add(self, part: BlockRows) -> None:
        """Add some blocks."""
        self.games += part.games.height
        margin, turns, best = margins(part.points), part.of_games("turns"), part.points.max(axis=1)
        values = {
            "points of a seat": (part.points.mean(axis=1), "points"),
            "points of the winner": (best, "points"),
            "points between first and second": (margin, "points"),
            "points between first and last": (best - part.points.min(axis=1), "points"),
            "games with a shared win": ((part.wins.max(axis=1) < 1).astype(float), ""),
            "turns": (turns, "turns"),
        }
        found = {"points": part.points, "winning": best, "margin": margin, "turns": turns}
        if self.lead:
            more, counted = self._of_lead(part, turns, self.lead)
            values |= more
            found |= counted
        self.figures.add(part, values)
        close = margin[:, None] <= np.array(CLOSE)
        self.close.add(part.by_block(np.concatenate([np.ones((len(margin), 1)), close], axis=1)))
        for name, numbers in found.items():
            _count(self.counts[name], numbers)

    def _of_lead(
        self, part: BlockRows, turns: Floats, lead: Lead
    ) -> tuple[dict[str, tuple[Floats, str]], dict[str, Floats]]:
        changes, since, behind = (part.of_games(name) for name in (lead.changes, lead.since, lead.behind))
        winner = part.wins.argmax(axis=1)
        rows = np.arange(len(winner))
        for place, name in enumerate(lead.progress):
            points = part.of_seats(name)
            own = points[rows, winner]
            others = points.copy()
            others[rows, winner] = -np.inf
            _count(self.leads[place], own - others.max(axis=1))
        values = {
            "lead changes": (changes, "changes"),
            "most points the winner was behind": (behind, "points"),
            "games the winner led from the start": ((since == 0).astype(float), ""),
            "games decided after the last turn": ((since < 0).astype(float), ""),
        }
        known = np.where(since >= 0, np.floor(since / np.maximum(turns, 1) * SINCE_STEPS), -1)
        return values, {"changes": changes, "behind": behind, "since": np.minimum(known, SINCE_STEPS - 1)}

    def result(self) -> Shape:
        """Return the shape of all games so far."""
        size = 1 + len(CLOSE)
        within = ratios(self.close, selector(range(1, size), size), selector([0] * len(CLOSE), size))
        close = table({"within": limit} | _plain(within.share(place)) for place, limit in enumerate(CLOSE))
        histograms = {name: _histogram(self.counts[name]) for name in self.counts if name != "since"}
        since = {step / SINCE_STEPS: count for step, count in self.counts["since"].items() if step >= 0}
        return Shape(
            players=self.players,
            games=self.games,
            rows=tuple(self.figures.rows()),
            close=close,
            since=_histogram(since, "since", pl.Float64),
            lead=self._lead_frame(),
            **histograms,
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


def _plain(estimate: Any) -> dict[str, float]:
    return {"share": estimate.value, "low": estimate.low, "high": estimate.high}


def _count(counter: Counter[int], numbers: Floats) -> None:
    whole = numbers.astype(np.int64).ravel()
    lowest = int(whole.min())
    counts = np.bincount(whole - lowest)
    counter.update({lowest + int(place): int(counts[place]) for place in np.flatnonzero(counts)})


def _quantile(values: Sequence[int] | Any, counts: Floats, q: float) -> float:
    """Return the smallest value that at least a share `q` of all is not above."""
    return float(np.quantile(values, q, weights=counts, method="inverted_cdf"))


def _histogram(counts: Mapping[Any, int], name: str = "value", kind: Any = pl.Int64) -> pl.DataFrame:
    return pl.DataFrame(
        {name: sorted(counts), "count": [counts[key] for key in sorted(counts)]}, schema={name: kind, "count": pl.Int64}
    )
