"""The section on the board: what its spaces have to do with winning, and how often they are visited, drawn as a map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import polars as pl

from rogsim.game.board_map import BoardMap, Spaces
from rogsim.report import words
from rogsim.report.balance.pieces import BLOCKS, SCREEN, THIN, labelled, one_line, rests_on, with_source
from rogsim.report.balance.sources import Material
from rogsim.report.document import Grid, Picture, Section, TableColumn
from rogsim.report.figures.board_plot import board_plot
from rogsim.report.figures.heat_map import LEAST_REACH
from rogsim.stats.balance.association import ASSOCIATION
from rogsim.stats.balance.measured import PlayersBalance

NAME, TITLE = "board", "The board"
WIN, VISITS, INCOME = "win", "visits", "income"
CONVENTION = (
    "Colours compare a space with the mean of its kind. Bold, full colour: the interval excludes that mean, which "
    "about one in twenty does by chance. Pale: it contains the mean."
)
NEVER = " A dash: never used."
LEAST_INCOME = 0.5  # of a colour scale
LEAST_VISITS = 0.5  # on a shorter scale, noise would look like an effect


INCOME_METHOD = (
    "Income: a regression on all spaces together compares seats of one game that used all other spaces equally often. "
    "It is an association, not an effect: a seat with more income can also afford more buildings. What a use costs is "
    "not subtracted."
)


def board_section(material: Material) -> Section | None:
    """Return the section on the board; None if the game has no map of it, or its spaces were not measured."""
    board = material.spec.board
    if board is None:
        return None
    frames = {kind.name: material.stacked(partial(_frame_of, name=kind.name)) for kind in board.spaces}
    frames = {name: frame for name, frame in frames.items() if not frame.is_empty()}
    if not frames:
        return None
    kinds = [kind for kind in board.spaces if kind.name in frames]
    return Section(
        NAME,
        TITLE,
        board.question,
        rests_on(material, screen=True),
        (),
        tuple(_pictures(material, board, frames)),
        tuple(_grid(material, kind, frames[kind.name], board.income_unit if board.income else "") for kind in kinds),
        (
            BLOCKS,
            "Visits are counted over all seats. They show how often a space pays, not how much: that depends on what "
            "is there.",
            *([INCOME_METHOD] if board.income else []),
            ASSOCIATION,
            SCREEN,
            THIN,
        ),
    )


def _frame_of(balance: PlayersBalance, name: str) -> pl.DataFrame | None:
    if name not in balance.board:
        return None
    frame = balance.board[name].frame()
    return frame.join(balance.income.frame(name), on="space", how="left") if balance.income else frame


def _pictures(material: Material, board: BoardMap, frames: Mapping[str, pl.DataFrame]) -> Iterator[Picture]:
    """Yield a map of win shares, one of income if the board has it, and one of visits."""
    uses = " and ".join(f"for one more {kind.use} ({kind.title.lower()})" for kind in board.spaces)
    win = {kind.name: WIN for kind in board.spaces}
    question = f"Where do winners go? Change in win share, in percentage points, {uses}"
    yield from _map(material, board, frames, WIN, win, "percentage points", question, LEAST_REACH)
    income = {kind.name: INCOME for kind in board.spaces}
    if board.income:
        question = f"Which spaces go with income? Change in {board.income_unit} gained, {uses}, all spaces together"
        yield from _map(material, board, frames, INCOME, income, board.income_unit, question, LEAST_INCOME)
    visits = {kind.name: VISITS for kind in board.spaces if kind.visits}
    if visits:
        what = " and ".join(f"{kind.visit} ({kind.title.lower()})" for kind in board.spaces if kind.visits)
        question = f"Which spaces are visited most? Mean per game over all seats: {what}"
        yield from _map(material, board, frames, VISITS, visits, "visits per game", question, LEAST_VISITS)


def _map(
    material: Material,
    board: BoardMap,
    frames: Mapping[str, pl.DataFrame],
    name: str,
    keys: Mapping[str, str],
    unit: str,
    caption: str,
    least: float,
) -> Iterator[Picture]:
    """Yield the map of one measure, of the last set of bots. keys: its column by kind of spaces."""
    cells = pl.concat([_cells(frames[kind], kind, key) for kind, key in keys.items() if kind in frames])
    cells = cells.filter(pl.col("bots").cast(pl.String) == material.sources[-1].label)
    for _, who, part in material.by_source(cells, name, screen=True):
        reach = float(part.filter("clear")["away"].abs().max() or 0.0)  # type: ignore[arg-type]
        others = "" if material.single else " The other sets of bots are in the tables."
        never = "" if (part["n"] > 0).all() or name == VISITS else NEVER
        yield Picture(
            f"{NAME}-{name}",
            f"{caption}{who}. {CONVENTION}{never} {board.layout}{others}",
            f"Map of the board. {caption}{who}. {_in_words(board, part, '' if unit == 'percentage points' else unit)}",
            partial(
                board_plot,
                part,
                board,
                f"{unit} against the mean of the spaces of its kind",
                1,
                name != VISITS,
                max(least, reach),
            ),
        )


def _cells(frame: pl.DataFrame, kind: str, key: str) -> pl.DataFrame:
    """Return the cells of one kind: the value, how far it is from the mean of its kind, and whether clearly so."""
    context = ["bots", "players"]
    known = pl.col(f"{key}_low").is_not_null()
    weight = pl.col("uses") if key != VISITS else pl.col("uses").is_not_null().cast(pl.Float64)
    mean = ((pl.col(key) * weight).filter(known).sum() / weight.filter(known).sum()).over(context)
    return frame.select(
        *context,
        pl.lit(kind).alias("kind"),
        "space",
        "n",
        pl.when(known).then(key).alias("value"),
        (pl.col(key) - mean).alias("away"),
        ((pl.col(f"{key}_low") > mean) | (pl.col(f"{key}_high") < mean)).fill_null(False).alias("clear"),
        mean.alias("mean"),
    )


def _in_words(board: BoardMap, part: pl.DataFrame, unit: str) -> str:
    """Describe a map in words: for each panel and kind the mean, and the highest and the lowest space."""
    found = []
    for (panel,), cells in part.group_by("panel", maintain_order=True):
        kinds = []
        for kind in board.spaces:
            of_kind = cells.filter(pl.col("kind") == kind.name).drop_nulls("value").sort("value", descending=True)
            if of_kind.height:
                ends = [of_kind.row(place, named=True) for place in (0, -1)]
                high, low = (f"{kind.labels[row['space']]} ({_amount(row['value'], unit)})" for row in ends)
                mean = _amount(ends[0]["mean"], unit)
                kinds.append(f"{kind.title.lower()} {mean} on average, highest {high}, lowest {low}")
        found.append(f"{one_line(panel)}: {'; '.join(kinds)}")
    return ". ".join(found) + "."


def _amount(value: float, unit: str) -> str:
    return f"{words.number(value, 1)} {unit}" if unit else words.pp(value)


def _grid(material: Material, kind: Spaces, frame: pl.DataFrame, unit: str) -> Grid:
    labels = {name: f"{kind.noun[:1].upper()}{kind.noun[1:]} {label}" for name, label in kind.labels.items()}
    columns = with_source(
        material,
        TableColumn("space", kind.noun),
        TableColumn("n", f"seats that {kind.used}", "count"),
        TableColumn("uses", f"{kind.use}s per seat", "number", digits=2),
        *(
            (TableColumn(VISITS, f"{kind.visit}, per game (95%)", "number", interval=True, digits=2),)
            if kind.visits
            else ()
        ),
        TableColumn(WIN, f"win share for one more {kind.use}, pp (95%)", "gain", interval=True, few=True),
        TableColumn("q", "q of the win share", "p", few=True),
        *(
            (
                TableColumn(INCOME, f"{unit} for one more {kind.use} (95%)", "gain", interval=True, digits=2, few=True),
                TableColumn("income_q", "q of the income", "p", few=True),
            )
            if unit
            else ()
        ),
    )
    what = "use, visits, win share and income" if unit else "use, visits and win share"
    return Grid(f"{NAME}-{kind.name}", f"{kind.title}: {what}", columns, labelled(frame, "space", labels))
