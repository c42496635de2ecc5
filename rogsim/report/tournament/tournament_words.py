"""What a tournament shows, as findings: who is strongest, by how much, and which bots are not distinguishable."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scipy.special import ndtri

from rogsim.experiments.tournament.standings import Standings
from rogsim.report import words
from rogsim.report.document import Finding
from rogsim.stats.alpha_spending import ALPHA, cost, weight
from rogsim.stats.estimates import CONFIDENCE
from rogsim.stats.verdict_words import look_words

MOST_LISTED = 6  # pairs in a sentence
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


def findings_of(found: PlayersFound) -> Iterator[Finding]:
    """Yield who is strongest, and which pairs are not distinguishable."""
    with_players = f"With {words.players(found.players)}"
    if not found.has_intervals:
        text = f"{with_players}: too few games to distinguish the bots."
        yield Finding("open", text, {"players": found.players}, short=text)
        return
    text, data = _strongest(found)
    text += look_words(found.look)
    undecided, count = found.undecided, len(found.leads)
    if not undecided and count > 1:
        text = f"{text} All {count} pairs of bots are distinguishable."
    text = f"{with_players} {text}"
    yield Finding("fact" if data["strongest"] else "open", text, data, short=text)
    if undecided and count > 1:
        yield _pairs(found, with_players)


def next_steps(found: Sequence[PlayersFound], command: Sequence[str], profile: Sequence[str]) -> Iterator[str]:
    """Yield what to do next.

    Parameters
    ----------
    command
        The words of the command that reproduces the page, without the number of games.
    profile
        The words of the command that shows what these bots do differently.
    """
    needed = [
        (needed, row, one) for one in found for row in one.undecided if (needed := _needed(row, one.games)) is not None
    ]
    if needed:
        games, row, one = min(needed, key=lambda entry: entry[0])
        again = shlex.join([*command, f"--games={words.about(games).replace(',', '')}"])
        yield (
            f"About {words.about(games)} games with {words.players(one.players)} would distinguish {row['bot']} "
            f"from {row['other']}, if the lead stays as it is: `{again}` plays only the missing ones."
        )
    yield f"`{shlex.join(profile)}` shows what these bots do differently."


def lead_words(row: Row) -> str:
    """Return a lead with its interval, if it has one."""
    reach = words.interval(row["lead_low"], row["lead_high"], digits=0)
    return words.number(row["lead"], 0) + (f" ({reach})" if reach else "")


def _strongest(found: PlayersFound) -> tuple[str, dict[str, Any]]:
    best, second = found.order[:2]
    lead = found.leads[best, second]
    data: dict[str, Any] = {"players": found.players, "strongest": best, "next": second}
    met = _ahead_words(found, best, second)
    if lead["lead_low"] is None and not found.is_level(best, second):
        always = all(found.ahead[best, other]["ahead"] == 1 for other in found.order[1:])
        how = "finished ahead of every other bot in all of their meetings" if always else f"{met}"
        return f"{best} is the strongest bot: it {how}. The games do not show by how many Elo points.", data
    data |= {"lead": lead["lead"], "lead_low": lead["lead_low"], "lead_high": lead["lead_high"]}
    if not found.is_level(best, second):
        by = f"by {words.number(lead['lead'], 0)} Elo points"
        reach = words.interval(lead["lead_low"], lead["lead_high"], digits=0)
        return f"{best} is the strongest bot: it leads {second}, the next, {by} ({reach}) and {met}.", data
    level = [best, *(other for other in found.order[1:] if found.is_level(best, other))]
    data |= {"strongest": None, "level": level}
    reach = words.interval(lead["lead_low"], lead["lead_high"], digits=0)
    by = f"{best} leads {second} by {words.number(lead['lead'], 0)} Elo points" + (f" ({reach})" if reach else "")
    return f"it is not clear which of {words.listed(level)} is the strongest: {by}.", data


def _always(row: Row, alpha: float) -> bool:
    """Return whether a bot was ahead in all meetings, in too many for chance: a sign test, over the blocks.

    The number of blocks follows from the lower end of Wilson's interval. alpha: the error rate of one test.
    """
    if row["ahead"] < 1 or row["ahead_low"] is None or row["ahead_low"] >= 1:
        return False
    blocks = ndtri(0.5 + CONFIDENCE / 2) ** 2 * row["ahead_low"] / (1 - row["ahead_low"])
    return bool(2 * 0.5**blocks <= alpha)


def _ahead_words(found: PlayersFound, bot: str, other: str) -> str:
    row = found.ahead[bot, other]
    reach = words.interval(row["ahead_low"], row["ahead_high"], 100)
    return f"finishes ahead of it in {words.share(row['ahead'])} of their meetings ({reach})"


def _pairs(found: PlayersFound, with_players: str) -> Finding:
    undecided, count = found.undecided, len(found.leads)
    pairs = [f"{row['bot']} and {row['other']} ({lead_words(row).replace(' (', ', ')}" for row in undecided]
    data = {"players": found.players, "not_distinguishable": [[row["bot"], row["other"]] for row in undecided]}
    listed = "; ".join(pairs[:MOST_LISTED])
    more = f"; and {len(pairs) - MOST_LISTED} more" if len(pairs) > MOST_LISTED else ""
    which = f"none of the {count} pairs of bots is" if len(pairs) == count else f"{len(pairs)} of {count} pairs are not"
    text = f"{with_players} {which} distinguishable: {listed}{more}."
    return Finding("open", text, data, short=text)


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
