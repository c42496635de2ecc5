"""Questions that cannot be distinguished, or hardly, because a seat always, or nearly always, has the same level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rogsim.report import words
from rogsim.report.balance.pieces import few
from rogsim.report.balance.sources import Material
from rogsim.stats.balance.level_by_seat import Cells
from rogsim.stats.null import LEAST_ROWS
from rogsim.stats.verdicts import Verdict

LEAST_GAMES = LEAST_ROWS  # with fewer games a seat may have had the same level in all of them by chance
NEARLY_ALWAYS = 90  # percent of the games of a seat, or of a level
ELSEWHERE = 50  # percent of the other seats' games: a level that is usual there, too, does not set a seat apart
MOST_PAIRS = 2  # in a sentence
SEATS = "seats"


def confounding_words(material: Material, verdicts: Sequence[Verdict]) -> str:
    """Return a sentence on the questions that one cannot be distinguished from, or hardly; "" if there are none.

    verdicts: those of one set of bots on one question, one for each number of players.
    """
    return _always(verdicts, material.verdicts) or _nearly_always(material, verdicts)


def _always(verdicts: Sequence[Verdict], every: Sequence[Verdict]) -> str:
    """Say which other questions have the same effects because the same rows answer them, if any do."""
    if max(verdict.claim.games for verdict in verdicts) < LEAST_GAMES:
        return ""
    always = None
    for verdict in verdicts:
        claim = verdict.claim
        same = {
            other.claim.noun: None
            for other in every
            if (other.claim.folder, other.claim.players) == (claim.folder, claim.players)
            and other.claim.topic != claim.topic
            and _effects(other) == _effects(verdict)
        }
        always = [noun for noun in (same if always is None else always) if noun in same]
    if not always:
        return ""
    return (
        f" Each {verdicts[0].claim.noun} always has the same {words.listed(always)}, so they cannot be distinguished."
    )


def _effects(verdict: Verdict) -> list[tuple[float, float]]:
    """Return the effects of all levels with their numbers of rows, in ascending order."""
    return sorted((round(one.effect.value, 9), one.effect.n) for one in verdict.claim.contrasts)


def _nearly_always(material: Material, verdicts: Sequence[Verdict]) -> str:
    """Say which seats and levels are nearly always together, if both are judged."""
    shares: dict[str, list[str]] = {}
    for verdict in verdicts:
        asked, players = verdict.claim.topic, verdict.claim.players
        measured = material.source_of(verdict).balance.players[players]
        topics = material.spec.topics if measured.seats is not None else ()
        compared = [one for one in topics if one.kind == "level" and one.claim and asked in (SEATS, one.name)]
        found = [
            (one, measured.cells[column]) for one in compared for column in one.columns if column in measured.cells
        ]
        for pair, share in (pair for one, cells in found for pair in _pairs(cells, one.labels, asked == SEATS)):
            known = shares.setdefault(pair, [])
            known.append(f"{share}% {f'with {players}' if known else f'of its games with {players} players'}")
    if not shares:
        return ""
    together = words.listed(few([f"{pair} in {words.listed(found)}" for pair, found in shares.items()], MOST_PAIRS))
    return f" {together[:1].upper()}{together[1:]}, so these effects can hardly be distinguished."


def _pairs(cells: Cells, labels: Mapping[str, str], about_seats: bool) -> list[tuple[str, int]]:
    """Return in words each seat that nearly always has the same level, and in how many percent of its games.

    If there is none, it is each level that is nearly always in the same seat; not if the question is about seats, as a
    rare level matters little for its seat.
    """
    rows = np.array([row["n"] for row in cells.rows]).reshape(len(cells.levels), cells.players)
    names = [labels.get(level, level) for level in cells.levels]
    of_level, of_seat = rows.sum(axis=1), rows.sum(axis=0)
    seats, levels = [], []
    for (level, seat), both in np.ndenumerate(rows):
        elsewhere = 100 * (of_level[level] - both) > ELSEWHERE * (rows.sum() - of_seat[seat])
        if _is_nearly_all(both, of_seat[seat]) and not elsewhere:
            seats.append((f"seat {seat + 1} has {names[level]}", int(100 * both // of_seat[seat])))
        if _is_nearly_all(both, of_level[level]):
            levels.append((f"{names[level]} is in seat {seat + 1}", int(100 * both // of_level[level])))
    return seats or ([] if about_seats else levels)


def _is_nearly_all(both: int, rows: int) -> bool:
    return rows >= LEAST_GAMES and 100 * both >= NEARLY_ALWAYS * rows
