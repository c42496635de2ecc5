"""The tables of a tournament's page."""

from __future__ import annotations

import polars as pl

from rogsim.experiments.tournament.standings import Standings
from rogsim.report.document import Grid, TableColumn

PLAYERS, COUNT = TableColumn("players", "players", "count"), TableColumn("n", "n", "count")
BOT = TableColumn("bot", "bot")
WIN_SHARE = TableColumn("win_share", "win share (95%)", "share", interval=True)
FAIR = TableColumn("fair", "fair share", "share")
BOTS = (BOT, PLAYERS, COUNT, WIN_SHARE, FAIR, TableColumn("points", "points (95%)", "number", interval=True))
SEATS = (BOT, PLAYERS, TableColumn("seat", "seat", "count"), COUNT, WIN_SHARE, FAIR)
PAIRS = (
    BOT,
    TableColumn("other", "other bot"),
    PLAYERS,
    TableColumn("n", "n", "count"),
    TableColumn("ahead", "finishes ahead (95%)", "share", interval=True),
)
RATINGS = (
    BOT,
    PLAYERS,
    TableColumn("rating", "rating, Elo (95%)", "gain", interval=True, digits=0),
    TableColumn("lead", "lead on the next, Elo (95%)", "gain", interval=True, digits=0),
)
NOT_DETERMINED = (
    "A dash in place of a rating or a lead: a bot always finished ahead or always behind, so the games do not show by "
    "how much."
)
LEADS = (BOT, TableColumn("other", "ahead of"), PLAYERS, TableColumn("lead", "lead, Elo (95%)", "gain", True, 0))


def ratings_grids(standings: Standings) -> tuple[Grid, ...]:
    """Return the ratings, and the lead of each bot over each other one."""
    ratings, leads = _determined(standings.ratings, "rating", "lead"), _determined(standings.leads, "lead")
    missing = (NOT_DETERMINED,) if ratings["rating"].has_nulls() or leads["lead"].has_nulls() else ()
    together = "These intervals hold for all pairs and player counts together."
    return (
        Grid("ratings", "Ratings, the best bot first", RATINGS, ratings, missing),
        Grid("leads", "The lead of each bot over each other one", LEADS, leads, (together, *missing)),
    )


def win_grids(standings: Standings) -> tuple[Grid, ...]:
    """Return the win shares of the bots, and the same by seat."""
    counted = ("n counts seats played.",)
    return (
        Grid("bots", "Win shares and points", BOTS, _best_first(standings), counted),
        Grid("seats", "Win shares by seat", SEATS, standings.seats, counted),
    )


def pairs_grid(standings: Standings) -> Grid:
    """Return how often each bot finishes ahead of each other one."""
    notes = ("Ties count half. n counts meetings.",)
    return Grid("pairs", "How often a bot finishes ahead", PAIRS, standings.pairs, notes)


def _determined(frame: pl.DataFrame, *names: str) -> pl.DataFrame:
    """Return a frame without the values that the games do not determine; those of a single block are only too few."""
    found = [pl.col(f"{name}_low").is_not_null() for name in names]
    several = pl.any_horizontal(found).any().over("players")
    return frame.with_columns(
        pl.when(known | ~several).then(name).alias(name) for name, known in zip(names, found, strict=True)
    )


def _best_first(standings: Standings) -> pl.DataFrame:
    return standings.bots.sort("players", "win_share", descending=[False, True], maintain_order=True)
