"""The figures of a profile: estimated from rows, as a frame, and as tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from rogsim.game.contract import Figure, GameSpec
from rogsim.report.console.tables import Table
from rogsim.stats.estimates import Clusters, Estimate, clusters, mean, share

RESULT = "result"  # the table that every game has
WON = Figure("won", ("win_share",))
POINTS = Figure("points", ("points",))
TURNS = "turns of the game"
NARROW = 0.05


def figures_of(
    spec: GameSpec, bot: str, seats: pl.DataFrame, games: pl.DataFrame, against: str | None = None
) -> list[dict[str, Any]]:
    """Return all figures of one bot, given the rows of its games at one number of players (see `profile_frame`).

    Only the seats of that bot count. Where it plays copies of itself its win share tells nothing, and is left out.
    """
    players, own = games["players"][0], seats.filter(pl.col("bot") == bot)
    alone = against in (None, bot)
    result = (POINTS,) if alone else (WON, POINTS)
    wanted = [(RESULT, figure) for figure in result]
    wanted += [(table.title, figure) for table in spec.profile for figure in table.figures]
    base = {"players": players, "bot": bot, "n": len(games)}
    found = [base | _row(title, figure.name, *_estimate(own, figure)) for title, figure in wanted]
    ((turns,),) = (group.values() for group in clusters(games.lazy(), ("turns",), ("players",)).values())
    found.insert(len(result), base | _row(RESULT, TURNS, False, mean(turns)))
    return found


def profile_frame(found: Sequence[Sequence[Mapping[str, Any]]]) -> pl.DataFrame:
    """Return the figures of all bots as a frame.

    Columns: players, bot, n (games), table and figure (names), share (whether it is one, from 0 to 1; else a mean for a
    game and seat), value and its 95% interval value_low, value_high (null where there is a single block).
    """
    columns = ("players", "bot", "n", "table", "figure", "share", "value", "value_low", "value_high")
    rows = [row for figures in found for row in figures]
    frame = pl.DataFrame(rows, infer_schema_length=None).select(columns)
    return frame.with_columns(pl.col("players").cast(pl.UInt8)).fill_nan(None)


def profile_tables(profile: pl.DataFrame) -> list[Table]:
    """Return the tables of each number of players; figures that are 0 throughout are named below instead.

    The number of games stands in the title if it is the same for all bots, else in a column.
    """
    groups = profile.partition_by("players", "table", maintain_order=True)
    return [_table(rows, explained=place == 0) for place, rows in enumerate(groups)]


def name_text(name: str, is_share: bool) -> str:
    """Return the heading of a figure."""
    return f"{name} %" if is_share else name


def figure_text(row: Mapping[str, Any]) -> str:
    """Return the figure of a row with its interval, if it has one; a narrow interval has a digit more."""
    value, low, high = (row[name] for name in ("value", "value_low", "value_high"))
    scale = 100 if row["share"] else 1
    if low is None:
        return f"{value * scale:.1f}"
    reach = max(high - value, value - low) * scale
    digits = 2 if 0 < reach < NARROW else 1
    return f"{value * scale:.{digits}f} ±{reach:.{digits}f}"


def _estimate(own: pl.DataFrame, figure: Figure) -> tuple[bool, Estimate]:
    """Return whether a figure is a share, and its estimate."""
    summed = own.lazy().select("players", "block", value=_sum(figure.columns), size=_sum(figure.of or figure.columns))
    groups = clusters(summed, ("value",), ("players",), "size" if figure.of else None)
    ((group,),) = (values.values() for values in groups.values())
    if figure is WON:
        return True, share(group)
    if not figure.of:
        return False, mean(group)
    return True, share(group) if group.rows else _none(group)


def _sum(columns: Sequence[str]) -> pl.Expr:
    return pl.sum_horizontal(pl.col(name).cast(pl.Float64) for name in columns)


def _none(group: Clusters) -> Estimate:
    """Return what there is of a share of nothing."""
    return Estimate(math.nan, math.nan, math.nan, group.rows, math.nan)


def _row(table: str, figure: str, is_share: bool, estimate: Estimate) -> dict[str, Any]:
    ends = {"value": estimate.value, "value_low": estimate.low, "value_high": estimate.high}
    return {"table": table, "figure": figure, "share": is_share, **ends}


def _table(rows: pl.DataFrame, explained: bool) -> Table:
    names = rows["figure"].unique(maintain_order=True).to_list()
    shares = dict(rows.select("figure", "share").iter_rows())
    never = [name for name in names if not any(rows.filter(figure=name)["value"].fill_null(0))]
    shown = [name for name in names if name not in never]
    counts = rows["n"].unique().to_list()
    lines = []
    for bot in rows["bot"].unique(maintain_order=True):
        cells = {row["figure"]: row for row in rows.filter(bot=bot).iter_rows(named=True)}
        n = [f"{row['n']:,}" for row in cells.values()][:1] if len(counts) > 1 else []
        lines.append((bot, *n, *(_cell(cells.get(name)) for name in shown)))
    header = ("bot", *(["n"] if len(counts) > 1 else []), *(name_text(name, shares[name]) for name in shown))
    title = f"{rows['players'][0]} players: {rows['table'][0]}"
    if len(counts) == 1:
        title += f" (n = {counts[0]:,})"
    return Table(title, header, tuple(lines), _notes(never, explained))


def _notes(never: Sequence[str], explained: bool) -> tuple[str, ...]:
    notes = [f"0 for all: {', '.join(never)}."] if never else []
    if explained:
        notes.append("Over n games of each bot: shares, and means for a game and seat; ± is the 95% interval.")
    return tuple(notes)


def _cell(row: Mapping[str, Any] | None) -> str:
    return "-" if row is None or row["value"] is None else figure_text(row)
