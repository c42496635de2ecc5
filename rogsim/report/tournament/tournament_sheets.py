"""The standings of a tournament as a report without findings, which a workbook is made from."""

from __future__ import annotations

from rogsim.experiments.tournament.standings import Standings
from rogsim.report.document import Grid, Report, Section, TableColumn

PLAYERS, COUNT = TableColumn("players", "players", "count"), TableColumn("n", "n", "count")
BOTS = (
    PLAYERS,
    TableColumn("bot", "bot"),
    COUNT,
    TableColumn("win_share", "win share (95%)", "share", interval=True),
    TableColumn("fair", "fair share", "share"),
    TableColumn("points", "points (95%)", "number", interval=True),
)
PAIRS = (
    PLAYERS,
    TableColumn("bot", "bot"),
    TableColumn("other", "other bot"),
    TableColumn("n", "n", "count"),
    TableColumn("ahead", "finishes ahead (95%)", "share", interval=True),
)
RATINGS = (
    PLAYERS,
    TableColumn("bot", "bot"),
    TableColumn("rating", "rating, Elo (95%)", "gain", interval=True, digits=0),
    TableColumn("lead", "lead on the next, Elo (95%)", "gain", interval=True, digits=0),
    TableColumn("joined", "joined"),
)


def as_report(standings: Standings, heading: str, bots: int) -> Report:
    """Return the three tables of a tournament, with what was played on top."""
    title, *lines = heading.splitlines()
    ahead = "How often the bot finishes ahead of the other one; ties count half."
    ratings = "Plackett-Luce on the Elo scale, mean 0. Intervals by bootstrap over blocks."
    joined = "joined: whether the games determine the rating; a rating that they do not determine has no interval."
    grids = (
        Grid("bots", "By bot", BOTS, standings.bots, ("n counts seats played.",)),
        Grid("pairs", "Against each other", PAIRS, standings.pairs, (ahead, "n counts meetings.")),
        Grid("ratings", "Ratings", RATINGS, standings.ratings, (ratings, joined)),
    )
    return Report(
        title=f"Tournament of {bots} bots",
        lead=" ".join(line for line in (f"{title}.", *lines) if line),
        units="Each estimate has a 95% interval of its own; among many, some miss the true value by chance.",
        next_steps=(),
        sections=(Section("tournament", "Tournament", "", "", (), (), grids, ()),),
        family="",
        provenance=(),
        scenarios=(),
        command="",
    )
