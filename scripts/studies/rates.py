"""Rates that studies measure where the truth is known: how often an interval holds, or a statement is wrong."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rogsim.stats.estimates import wilson

DATA = Path(__file__).resolve().parents[2] / "docs" / "data"
COVERAGE = DATA / "coverage.csv"
NORMAL = 1.959964  # 95% of a normal distribution are within so many standard errors

Answers = Iterable[Iterable[tuple[str, bool]]]  # for each series: kinds, and whether each interval holds


@dataclass(frozen=True)
class Rate:
    """How often something happened.

    Attributes
    ----------
    case
        What was tried, and what was counted.
    games
        How many were played, or in words; empty where that says nothing.
    nominal
        What is promised, in percent; below 50 it is an error rate: at most this often.
    hits
        In how many of n series it happened; of a series with several intervals, in what share of them.
    n
        The number of independent series; None if hits is a chance that was computed exactly.
    """

    case: str
    games: int | str
    nominal: float
    hits: float
    n: int | None

    @classmethod
    def of(cls, case: str, games: int | str, nominal: float, found: Sequence[float] | Sequence[bool]) -> Rate:
        """The rate of what was found in each series."""
        return cls(case, games, nominal, float(np.sum(found)), len(found))

    @property
    def percent(self) -> tuple[float, float, float]:
        """The measured rate and the ends of its 95% interval."""
        if self.n is None:
            return (100 * self.hits,) * 3
        share = self.hits / self.n
        low, high = wilson(share, self.n, NORMAL)
        return 100 * share, 100 * low, 100 * high

    @property
    def row(self) -> list[str]:
        """The row in the table of all rates, after the name of the study."""
        percent = [f"{figure:.1f}" for figure in self.percent]
        return [self.case, str(self.games), f"{self.nominal:.3g}", *percent, "" if self.n is None else str(self.n)]

    def __str__(self) -> str:
        measured, low, high = self.percent
        allowed = f"at most {self.nominal:.3g}%" if self.nominal < 50 else f"promised {self.nominal:.3g}%"
        found = f"{measured:5.1f}%" + ("" if self.n is None else f" ({low:.1f} to {high:.1f})")
        counted = "exact" if self.n is None else f"n = {self.n:,}"
        games = f"{self.games:,}" if isinstance(self.games, int) else self.games
        return f"{found:24}{allowed:17}{counted:12}{games:>15}  {self.case}"


def tally(answers: Answers) -> dict[str, tuple[float, int]]:
    """Hits and number of series of each kind: a series counts once, as its intervals share its games."""
    held: dict[str, list[bool]] = defaultdict(list)
    series: dict[str, int] = defaultdict(int)
    for answer in answers:
        listed = list(answer)
        for name, hit in listed:
            held[name].append(hit)
        for name in {name for name, _ in listed}:
            series[name] += 1
    return {name: (float(np.mean(hits)) * series[name], series[name]) for name, hits in held.items()}


def each_kind(before: str, games: int | str, answers: Answers, errors: Sequence[str] = ()) -> Iterator[Rate]:
    """The rates of all kinds: 95% for intervals, and 5% for statements, whose names start with one of `errors`."""
    for name, (hits, n) in tally(answers).items():
        yield Rate(before + name, games, 5 if name.startswith(tuple(errors)) else 95, hits, n)


def covers(low: float | None, truth: float, high: float | None) -> bool:
    """Whether an interval contains the true value; one that is missing does not."""
    return low is not None and high is not None and low <= truth <= high


def write(study: str, rate: Rate, file: Path = COVERAGE) -> None:
    """Replace the row of a rate in the table of all rates, or add it to those of its study."""
    with file.open(encoding="utf-8", newline="") as text:
        head, *rows = csv.reader(text)
    new = [study, *rate.row]
    of_study = [place for place, row in enumerate(rows) if row[0] == study]
    same = [place for place in of_study if rows[place][:3] == new[:3]]
    if same:
        rows[same[0]] = new
    else:
        rows.insert(of_study[-1] + 1 if of_study else len(rows), new)
    with file.open("w", encoding="utf-8", newline="") as text:
        csv.writer(text, lineterminator="\n").writerows([head, *rows])
