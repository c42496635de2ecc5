"""What a tournament shows, in words: who is strongest and by how much, and which bots cannot be told apart."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scipy.special import ndtri

from rogsim.base.text import listing
from rogsim.experiments.standings import Standings
from rogsim.report import words
from rogsim.report.document import Badge, Finding, Step
from rogsim.report.sentences import look_words
from rogsim.stats.estimates import ALPHA, CONFIDENCE
from rogsim.stats.sequential import cost, weight

MOST_LISTED = 3  # pairs in a sentence
MOST_MORE = 100  # times the games played: more are not proposed

Row = Mapping[str, Any]


@dataclass(frozen=True)
class PlayersFound:
    """What a tournament found with one player count.

    Attributes
    ----------
    order
        The bots, best rating first.
    leads
        The lead of each bot over each other one, by their names.
    ahead
        How often each finishes ahead of each other one.
    games
        The number of games.
    tests
        Number of pairs with all player counts.
    """

    players: int
    order: Sequence[str]
    leads: Mapping[tuple[str, str], Row]
    ahead: Mapping[tuple[str, str], Row]
    games: int
    tests: int

    @property
    def look(self) -> int:
        """Return the number of the look at these games."""
        return max(row["look"] for row in self.leads.values())

    @property
    def undecided(self) -> list[Row]:
        """Return the pairs whose lead may be 0."""
        return [row for row in self.leads.values() if self.is_level(row["bot"], row["other"])]

    @property
    def best(self) -> list[str]:
        """Return the strongest bot, with those that may be as strong."""
        first, *others = self.order
        return [first, *(other for other in others if self.is_level(first, other))]

    def is_level(self, bot: str, other: str) -> bool:
        """Return whether two bots may be equally strong, the better one first."""
        row = self.leads[bot, other]
        if row["lead_low"] is not None:
            return bool(row["lead_low"] <= 0)
        return not _always(self.ahead[bot, other], ALPHA * weight(self.look) / self.tests)

    @property
    def has_intervals(self) -> bool:
        """Return whether there are enough blocks for any interval."""
        return any(row["ahead_low"] is not None for row in self.ahead.values())

    @property
    def verdict(self) -> Badge:
        """Return whether it is known which bot is the strongest."""
        return "fact" if self.has_intervals and len(self.best) == 1 else "open"


def found_in(standings: Standings, games: Mapping[int, int]) -> list[PlayersFound]:
    """Return what a tournament found with each player count."""
    return [
        PlayersFound(
            players,
            order,
            {(row["bot"], row["other"]): row for row in standings.leads.filter(players=players).iter_rows(named=True)},
            {(row["bot"], row["other"]): row for row in standings.pairs.filter(players=players).iter_rows(named=True)},
            games[players],
            len(standings.leads),
        )
        for players, order in standings.order.items()
    ]


def strongest_words(found: PlayersFound) -> str:
    """Return who is strongest and by how much, in one sentence."""
    if not found.has_intervals:
        return "There are too few games to tell the bots apart."
    best, second = found.order[:2]
    lead, met = found.leads[best, second], found.ahead[best, second]
    often = f"finishes ahead in {words.number(100 * met['ahead'], 0)} of 100 games"
    if lead["lead_low"] is None:
        won = meetings_words("won", met["n"], found.players)
        if found.is_level(best, second):
            return f"It is not known yet whether {best} is stronger than {second}: it {won}."
        rest = second if len(found.order) == 2 else f"{second}, the next bot"
        return f"The strongest is {best}: it {won} against {rest.rstrip(',')}, so the size of its lead is not known."
    by = f"{words.number(lead['lead'], 0)} Elo ({words.interval(lead['lead_low'], lead['lead_high'], digits=0)})"
    if len(found.best) == 1:
        return f"The strongest is {best}: it leads {second} by {by} and {often}."
    return f"It is not known yet which of {listing(found.best)} is the strongest: {best} leads {second} by {by}."


def pairs_words(found: PlayersFound) -> str:
    """Return which pairs of bots cannot be told apart yet; "" if there is a single pair."""
    undecided, count = found.undecided, len(found.leads)
    if count == 1 or not found.has_intervals:
        return ""
    if not undecided:
        return f"All {count} pairs of bots differ in strength."
    pairs = [f"{row['bot']} and {row['other']}" for row in undecided]
    more = [f"{len(pairs) - MOST_LISTED} more"] if len(pairs) > MOST_LISTED else []
    listed = "; ".join([*pairs[:MOST_LISTED], *more])
    return f"{len(pairs)} of {count} pairs cannot be told apart yet: {listed}."


def finding_of(found: PlayersFound) -> Finding:
    """Return who is strongest with one player count, and which pairs cannot be told apart."""
    parts = [strongest_words(found), pairs_words(found), look_words(found.look).strip()]
    text = f"{words.players(found.players)}: {' '.join(filter(None, parts))}"
    best, second = found.order[:2]
    lead = found.leads[best, second]
    data = {
        "players": found.players,
        "strongest": best if found.verdict == "fact" else None,
        "level": found.best,
        "next": second,
        **{name: lead[name] for name in ("lead", "lead_low", "lead_high")},
        "not_distinguishable": [[row["bot"], row["other"]] for row in found.undecided],
    }
    return Finding(found.verdict, text, data)


def next_steps(found: Sequence[PlayersFound], command: Sequence[str], profile: Sequence[str]) -> Iterator[Step]:
    """Yield what to do next.

    Parameters
    ----------
    command
        The words of the command that reproduces the page, without the number of games.
    profile
        The words of the command that shows what these bots do differently.
    """
    needed = [(games, row, one) for one in found for row in one.undecided if (games := _needed(row, one.games))]
    if needed:
        games, row, one = min(needed, key=lambda entry: entry[0])
        again = shlex.join([*command, f"--games={words.about(games).replace(',', '')}"])
        yield Step(
            f"About {words.about(games)} games with {words.players(one.players)} would tell {row['bot']} and "
            f"{row['other']} apart if the lead stays as it is.",
            again,
        )
    yield Step("See what these bots do differently.", shlex.join(profile))


def meetings_words(verb: str, count: int, players: int) -> str:
    """Return "lost all 600 games"; with more than two players bots meet several times in a game."""
    return f"{verb} all {count:,} {'games' if players == 2 else 'meetings'}"


def always_words(found: PlayersFound, bot: str, other: str = "") -> str:
    """Return that a bot won or lost all of its games, against another or against all; "" if neither."""
    rows = [row for pair, row in found.ahead.items() if pair[0] == bot and other in ("", pair[1])]
    shares, count = {row["ahead"] for row in rows}, sum(row["n"] for row in rows)
    if shares in ({0.0}, {1.0}):
        return meetings_words("won" if shares == {1.0} else "lost", count, found.players)
    return ""


def _always(row: Row, alpha: float) -> bool:
    """Return whether a bot was ahead in all meetings, in too many for chance: a sign test, over the blocks.

    The number of blocks follows from the lower end of Wilson's interval. alpha: the error rate of one test.
    """
    if row["ahead"] < 1 or row["ahead_low"] is None or row["ahead_low"] >= 1:
        return False
    blocks = ndtri(0.5 + CONFIDENCE / 2) ** 2 * row["ahead_low"] / (1 - row["ahead_low"])
    return bool(2 * 0.5**blocks <= alpha)


def _needed(row: Row, games: int) -> float | None:
    """Return how many games would make an interval exclude 0 if the lead stays as it is; None if too many.

    They are the next look, whose share of the error rate is smaller.
    """
    if row["lead_low"] is None:
        return None
    lead = abs(row["lead"])
    reach = max(row["lead_high"] - row["lead"], row["lead"] - row["lead_low"])
    wider = cost(row["look"] + 1, 0.5) / cost(row["look"], 0.5)
    factor = wider * (reach / lead) ** 2 if lead > 0 else math.inf
    return games * factor if factor <= MOST_MORE else None
