"""The section on the board: what its spaces have to do with winning, and how often they are visited, drawn as a map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import polars as pl

from rogsim.game.board_map import BoardMap, Spaces
from rogsim.game.kit.text_layout import capital
from rogsim.report import words
from rogsim.report.balance.pieces import BLOCKS, SCREEN, THIN, labelled, one_line, rests_on, with_source
from rogsim.report.balance.sources import Material
from rogsim.report.document import Grid, Picture, Section, TableColumn
from rogsim.report.figures.board_plot import board_plot
from rogsim.stats.balance.association import ASSOCIATION
from rogsim.stats.balance.measured import PlayersBalance

NAME, TITLE = "board", "The board"
WIN, VISITS, INCOME = "win", "visits", "income"
CONVENTION = "Bold: the 95% interval excludes 0. Pale: it contains 0."
FEW = "Hatched: too few games; n seats used it."


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
    uses = " or ".join(f"{kind.use} ({kind.title.lower()})" for kind in board.spaces)
    change = "percentage points for one more use"
    yield from _map(material, board, frames, WIN, f"Win share for one more {uses}", change)
    if board.income:
        what = f"{capital(board.income_unit)} gained for one more {uses}, all spaces together"
        yield from _map(material, board, frames, INCOME, what, f"{board.income_unit} for one more use")
    if any(kind.visits for kind in board.spaces):
        what = " and ".join(f"{kind.visit} ({kind.title.lower()})" for kind in board.spaces if kind.visits)
        yield from _map(material, board, frames, VISITS, f"Visits per game over all seats: {what}", "visits per game")


def _map(
    material: Material, board: BoardMap, frames: Mapping[str, pl.DataFrame], measure: str, what: str, unit: str
) -> Iterator[Picture]:
    """Yield the map of one measure, which is a column of the frames, of the last set of bots."""
    cells = pl.concat([_cells(frame, kind, measure) for kind, frame in frames.items() if measure in frame.columns])
    cells = cells.filter(pl.col("bots").cast(pl.String) == material.sources[-1].label)
    changes = measure != VISITS
    convention = f"{CONVENTION} " if changes else ""
    few = f"{FEW} " if cells["value"].null_count() else ""
    others = "" if material.single else " The other sets of bots are in the tables."
    for _, who, part in material.by_source(cells, measure, screen=True):
        in_words = _in_words(board, part, {WIN: "", INCOME: board.income_unit, VISITS: unit}[measure])
        yield Picture(
            f"{NAME}-{measure}",
            f"{what}{who}. {convention}{few}{board.layout}{others}",
            f"Map of the board. {what}{who}. {in_words}",
            partial(board_plot, part, board, unit, changes),
        )


def _cells(frame: pl.DataFrame, kind: str, measure: str) -> pl.DataFrame:
    """Return the cells of one kind: the value, and whether it is distinguishable from 0."""
    low, high = pl.col(f"{measure}_low"), pl.col(f"{measure}_high")
    clear = ((low > 0) | (high < 0)).fill_null(False)
    known = pl.when(low.is_not_null()).then(measure)
    return frame.select(
        "bots", "players", pl.lit(kind).alias("kind"), "space", "n", known.alias("value"), clear.alias("clear")
    )


def _in_words(board: BoardMap, part: pl.DataFrame, unit: str) -> str:
    """Describe a map in words: for each panel and kind the highest and the lowest space."""
    found = []
    for (panel,), cells in part.group_by("panel", maintain_order=True):
        kinds = []
        for kind in board.spaces:
            of_kind = cells.filter(pl.col("kind") == kind.name).drop_nulls("value").sort("value", descending=True)
            if of_kind.height:
                ends = [of_kind.row(place, named=True) for place in (0, -1)]
                high, low = (f"{kind.labels[row['space']]} ({_amount(row['value'], unit)})" for row in ends)
                kinds.append(f"{kind.title.lower()} highest {high}, lowest {low}")
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
