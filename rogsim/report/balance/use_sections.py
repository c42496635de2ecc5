"""Sections on what goes with winning: spaces of the board, members, counts, and points by source."""

from __future__ import annotations

from functools import partial
from typing import Any

import polars as pl

from rogsim.base.text import capital
from rogsim.game.topics import BoardMap, Spaces, Topic
from rogsim.report import words
from rogsim.report.balance.sheet import main_sources
from rogsim.report.balance.sources import Material, extremes, labelled, of_last, one_line, played, sortable, with_source
from rogsim.report.document import Grid, Picture, Section, TableColumn
from rogsim.report.figures import charts, forest_plots
from rogsim.report.figures.heat_map import board_plot
from rogsim.stats.balance.association import slopes
from rogsim.stats.balance.measure import PlayersBalance

BOARD, WIN, VISITS, INCOME = "board", "win", "visits", "income"
METHOD = (
    "What goes with winning need not cause it: a seat that is ahead can afford more. q allows for all rows compared."
)
ANCHOR = "what-is-associated-with-winning"
CONVENTION = "Bold: the 95% interval excludes 0."
MOST_DRAWN = 12  # members in a figure; a table shows more of them
Q = TableColumn("q", "q", "p", few=True)
N = TableColumn("n", "n", "count")


def member_section(material: Material, topic: Topic) -> Section | None:
    """Return the section of a topic of the kind `member`: who had it, and how much more often they won.

    None if there is nothing that only some seats had.
    """
    (column,) = topic.columns
    frame = material.stacked(lambda balance: balance.members[column].frame() if column in balance.members else None)
    if frame.is_empty() or frame.filter(pl.col("had").is_between(0, 1, closed="none")).is_empty():
        return None
    frame = labelled(frame, "member", topic.labels)
    answer = _clearest(of_last(material, frame), "member", "difference", "q")
    caption, share = f"Win share with and without each {topic.noun}", ("win share with", "without")
    if topic.seats_that:
        answer, caption, share = _who_won(of_last(material, frame)), topic.title, ("win share", "of the others")
        frame = frame.with_columns(pl.Series("member", [capital(name) for name in frame["member"]]))
    columns = with_source(
        material,
        TableColumn("member", topic.noun),
        N,
        TableColumn("share_with", share[0], "share"),
        TableColumn("share_without", share[1], "share"),
        TableColumn("difference", "difference, pp (95%)", "gain", interval=True, few=True),
        TableColumn("points", "points, difference (95%)", "gain", interval=True, few=True),
        Q,
    )
    grid = Grid(topic.name, caption, columns, frame)
    if 1 < frame["member"].n_unique() <= MOST_DRAWN:
        drawn = _drawn(material, frame, "member", "difference")
        pictures = _forest(topic, drawn, "win share minus that of the others")
        return _section(material, topic, answer, pictures, more=(grid,))
    return _section(material, topic, answer, grids=(grid,))


def _who_won(frame: pl.DataFrame) -> str:
    """Return how often the seats won that differ most clearly from the others."""
    top, is_clear = _top(frame, "member", "difference", "q")
    if top is None:
        return "There are too few games to tell."
    reach = words.interval(top["difference_low"], top["difference_high"], sign=True)
    return (
        f"With {words.players(top['players'])}, {top['member']} won {words.share(top['share_with'])}, others "
        f"{words.share(top['share_without'])} ({words.pp(top['difference'])}, {reach}); "
        f"{'not shown to be a cause' if is_clear else 'that may be chance'}."
    )


def _drawn(material: Material, frame: pl.DataFrame, level: str, value: str) -> pl.DataFrame:
    """Return what a forest plot shows of a screen: the rows that have an interval."""
    ends = {value: "value", f"{value}_low": "low", f"{value}_high": "high"}
    return material.panels(frame.drop_nulls(f"{value}_low"), screen=True).select(
        "panel", "series", pl.col(level).alias("level"), *(pl.col(old).alias(new) for old, new in ends.items())
    )


def _forest(topic: Topic, drawn: pl.DataFrame, change: str) -> tuple[Picture, ...]:
    """Return the forest plot of a screen if it has several rows; change: what it shows."""
    if drawn["level"].n_unique() < 2:
        return ()
    axis = f"{change}, percentage points"
    draw = partial(forest_plots.forest, drawn, None, axis, "no difference")
    return (Picture(topic.name, f"{topic.title}: {axis}.", f"Forest plot. {extremes(drawn)}", draw),)


def count_section(material: Material, topic: Topic) -> Section | None:
    """Return the section of a topic of the kind `count`: win share by value, and its change for each additional one."""
    frame = material.stacked(partial(_slopes, topic=topic))
    if frame.is_empty():
        return None
    frame = labelled(frame, "column", topic.labels)
    if topic.whether:
        share, points, having, q = "difference", "points_difference", "having", "q_difference"
        change, how = "with it minus without it", ""
    else:
        share, points, having, q = "share", "points", "n", "q"
        change, how = "for each additional one", " for one more"
    drawn = _drawn(material, frame, "column", share)
    columns = with_source(
        material,
        TableColumn("column", topic.title.lower()),
        TableColumn(having, "n", "count"),
        TableColumn("mean", "mean", "number", digits=2),
        TableColumn(share, f"win share {change}, pp (95%)", "gain", interval=True, few=True),
        TableColumn(points, f"points {change} (95%)", "gain", interval=True, few=True),
        TableColumn(q, "q", "p", few=True),
    )
    value_columns = with_source(
        material,
        TableColumn("column", topic.title.lower()),
        TableColumn("value", topic.noun),
        N,
        TableColumn("share", "win share (95%)", "share", interval=True),
        TableColumn("points", "points (95%)", "number", interval=True),
    )
    seat_columns = with_source(
        material,
        TableColumn("column", topic.title.lower()),
        TableColumn("seat", "seat", "count"),
        TableColumn("mean", "mean (95%)", "number", interval=True, digits=2),
    )
    return _section(
        material,
        topic,
        _clearest(of_last(material, frame), "column", share, q, how),
        pictures=_forest(topic, drawn, f"win share {change}"),
        more=(
            Grid(topic.name, f"{topic.title} and the win share", columns, frame),
            Grid(
                f"{topic.name}-by-value", f"{topic.title}: win share", value_columns, _counts(material, topic, "frame")
            ),
            Grid(
                f"{topic.name}-by-seat",
                f"{topic.title}: means by seat",
                seat_columns,
                _counts(material, topic, "by_seat"),
            ),
        ),
    )


def _slopes(balance: PlayersBalance, topic: Topic) -> pl.DataFrame | None:
    counted = [balance.counts[column] for column in topic.columns if column in balance.counts]
    return slopes(counted) if counted else None


def _counts(material: Material, topic: Topic, frame_of: str) -> pl.DataFrame:
    """Return the frames of all columns of a topic; frame_of: the method of `Counts` that returns one."""
    frames = []
    for column in topic.columns:

        def of_column(balance: PlayersBalance, column: str = column) -> pl.DataFrame | None:
            return getattr(balance.counts[column], frame_of)() if column in balance.counts else None

        found = material.stacked(of_column)
        if not found.is_empty():
            frames.append(found.with_columns(pl.lit(words.name(column, topic.labels)).alias("column")))
    return pl.concat(frames, how="diagonal_relaxed")


def _clearest(frame: pl.DataFrame, row: str, key: str, q: str, how: str = "") -> str:
    """Return what goes with winning most clearly, in one or two sentences.

    Parameters
    ----------
    frame
        Rows of one set of bots.
    row, key, q
        Columns with the name of a row, the change of the win share in pp, and q.
    how
        What the change is for, after "in the win share".
    """
    top, is_clear = _top(frame, row, key, q)
    if top is None:
        return "There are too few games to tell what goes with winning."
    reach = words.interval(top[f"{key}_low"], top[f"{key}_high"], sign=True)
    found = f"{top[row]} with {words.players(top['players'])}, {words.pp(top[key])} of wins ({reach}){how}."
    count = frame[row].n_unique()
    if is_clear:
        return f"Largest clear difference{f' of {count}' if count > 1 else ''}: {found}"
    return f"Nothing is shown to go with winning. The largest difference may be chance: {found}"


def _top(frame: pl.DataFrame, row: str, key: str, q: str) -> tuple[dict[str, Any] | None, bool]:
    """Return the row with the largest change, of those that q is small for if there are any, and whether it is."""
    known = frame.filter(pl.col(f"{key}_low").is_not_null())
    order = known.sort(sortable(pl.col(key).abs()), row, descending=[True, False])
    clear = order.filter(pl.col(q) < 0.05)
    return next((clear if clear.height else order).iter_rows(named=True), None), clear.height > 0


def parts_section(material: Material, topic: Topic) -> Section | None:
    """Return the section on points by source: those of winners and of others."""
    frame = material.stacked(lambda balance: balance.parts[topic.name].frame() if topic.name in balance.parts else None)
    if frame.is_empty():
        return None
    frame = labelled(frame, "part", topic.labels)
    drawn = material.of_last_with_panel(frame)
    differences = drawn.select("panel", pl.lit("").alias("series"), level="part", value="difference")
    picture = Picture(
        topic.name,
        f"Mean points by {topic.noun}, of winners and of the others.",
        f"Dot plot. Winners minus others: {extremes(differences, ' points')}",
        partial(charts.bars_of_parts, drawn, "points", charts.ends_of_parts(frame)),
    )
    columns = with_source(
        material,
        TableColumn("part", topic.noun),
        TableColumn("winners", "winners (95%)", "number", interval=True),
        TableColumn("others", "others (95%)", "number", interval=True),
        TableColumn("difference", "difference (95%)", "gain", interval=True),
        TableColumn("of_gap", "of the winners' lead", "share"),
    )
    grid = Grid(topic.name, "Points of winners and of the others", columns, frame)
    found = main_sources(of_last(material, frame))
    leads = [
        f"with {words.players(row['players'])} {row['part']}, {words.number(row['difference'], 1, sign=True)} points "
        f"({words.interval(row['difference_low'], row['difference_high'], sign=True)}), "
        f"{words.share(row['of_gap'], 0)} of it"
        for row in found.tail(1).iter_rows(named=True)
    ]
    return _section(
        material,
        topic,
        f"The largest part of the winners' lead: {'; '.join(leads)}." if leads else "",
        pictures=(picture,),
        grids=(grid,) if frame.height <= 15 else (),
        more=() if frame.height <= 15 else (grid,),
        method="Winners who share a victory count in part.",
        screen=False,
    )


def board_section(material: Material) -> Section | None:
    """Return the section on the board; None if the game has no map of it, or its spaces were not measured."""
    board = material.spec.board
    if board is None:
        return None
    frames = {kind.name: material.stacked(partial(_spaces, name=kind.name)) for kind in board.spaces}
    frames = {name: frame for name, frame in frames.items() if not frame.is_empty()}
    if not frames:
        return None
    kinds = [kind for kind in board.spaces if kind.name in frames]
    kind = max(kinds, key=lambda kind: _largest_clear(of_last(material, frames[kind.name])))
    cells = pl.concat([_cells(frames[kind.name], kind.name) for kind in kinds])
    part = material.of_last_with_panel(cells, screen=True)
    uses = " or ".join(f"{kind.use} ({kind.title.lower()})" for kind in board.spaces)
    caption = f"Change in win share for one more {uses}, percentage points"
    picture = Picture(
        f"{BOARD}-{WIN}",
        f"{caption}{'' if material.single else f' ({material.last.label})'}. {CONVENTION} {board.layout}",
        f"Map of the board. {_in_words(board, part)}",
        partial(board_plot, part, board, "percentage points for one more use", True),
    )
    unit = board.income_unit if board.income else ""
    return Section(
        BOARD,
        "The board",
        board.question,
        _best_space(of_last(material, frames[kind.name]), kind),
        played(material, screen=True),
        pictures=(picture,),
        method=METHOD,
        anchor=ANCHOR,
        more=tuple(_space_grid(material, kind, frames[kind.name], unit) for kind in kinds),
    )


def _spaces(balance: PlayersBalance, name: str) -> pl.DataFrame | None:
    if name not in balance.board:
        return None
    frame = balance.board[name].frame()
    return frame.join(balance.income.frame(name), on="space", how="left") if balance.income else frame


def _cells(frame: pl.DataFrame, kind: str) -> pl.DataFrame:
    """Return the cells of one kind: the value, its interval, and whether it is distinguishable from 0."""
    low, high = pl.col(f"{WIN}_low"), pl.col(f"{WIN}_high")
    known = low.is_not_null()
    return frame.select(
        "bots",
        "players",
        pl.lit(kind).alias("kind"),
        "space",
        "n",
        pl.when(known).then(WIN).alias("value"),
        pl.when(known).then(low).alias("low"),
        pl.when(known).then(high).alias("high"),
        ((low > 0) | (high < 0)).fill_null(False).alias("clear"),
    )


def _largest_clear(frame: pl.DataFrame) -> float:
    largest = frame.filter(pl.col("q") < 0.05).select(pl.col(WIN).abs().max()).item()
    return -1.0 if largest is None else float(largest)


def _best_space(frame: pl.DataFrame, kind: Spaces) -> str:
    """Return the space of a kind that goes with winning most clearly."""
    named = frame.with_columns(pl.Series("space", [f"{kind.noun} {kind.labels[name]}" for name in frame["space"]]))
    return _clearest(named, "space", WIN, "q", f" for one more {kind.use}")


def _in_words(board: BoardMap, part: pl.DataFrame) -> str:
    """Describe a map in words: for each panel and kind the highest and the lowest space."""
    found = []
    for (panel,), cells in part.group_by("panel", maintain_order=True):
        kinds = []
        for kind in board.spaces:
            of_kind = cells.filter(pl.col("kind") == kind.name).drop_nulls("value").sort("value", descending=True)
            if of_kind.height:
                rows = [of_kind.row(place, named=True) for place in (0, -1)]
                high, low = (f"{kind.labels[row['space']]} ({words.pp(row['value'])})" for row in rows)
                kinds.append(f"{kind.title.lower()}: highest {high}, lowest {low}")
        found.append(f"{one_line(panel)}: {'; '.join(kinds)}")
    return ". ".join(found) + "."


def _space_grid(material: Material, kind: Spaces, frame: pl.DataFrame, unit: str) -> Grid:
    labels = {name: f"{capital(kind.noun)} {label}" for name, label in kind.labels.items()}
    visits = TableColumn(VISITS, f"{kind.visit}, per game (95%)", "number", interval=True, digits=2)
    columns = with_source(
        material,
        TableColumn("space", kind.noun),
        TableColumn("n", f"seats that {kind.used}", "count"),
        TableColumn("uses", f"{kind.use}s per seat", "number", digits=2),
        *((visits,) if kind.visits else ()),
        TableColumn(WIN, f"win share for one more {kind.use}, pp (95%)", "gain", interval=True, few=True),
        Q,
        *(
            (TableColumn(INCOME, f"{unit} for one more {kind.use} (95%)", "gain", interval=True, digits=2, few=True),)
            if unit
            else ()
        ),
    )
    return Grid(f"{BOARD}-{kind.name}", f"{kind.title}: use and win share", columns, labelled(frame, "space", labels))


def _section(
    material: Material,
    topic: Topic,
    answer: str,
    pictures: tuple[Picture, ...] = (),
    grids: tuple[Grid, ...] = (),
    more: tuple[Grid, ...] = (),
    method: str = METHOD,
    screen: bool = True,
) -> Section:
    return Section(
        topic.name,
        topic.title,
        topic.question,
        answer,
        played(material, screen),
        pictures=pictures,
        grids=grids,
        method=method,
        anchor=ANCHOR,
        more=more,
    )
