"""The workbook of a report and the CSV files of its tables, read back."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from openpyxl import Workbook as Read
from openpyxl import load_workbook

from rogsim.report.document import Finding, Grid, Report, Section, Sheet, SheetCell, SheetRow, TableColumn, plain
from rogsim.report.render.data_files import as_data, file_names, write_tables
from rogsim.report.render.workbook import number_pattern, workbook
from rogsim.report.words import NOTHING

pytestmark = pytest.mark.once_uncompiled

EVIL = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    '=HYPERLINK("http://x.y")',
    "{=1}",
    "http://x.y",
    "007",
    "<r><bad & </r>",
    "a\u202eb",
]
COLUMNS = (
    TableColumn("bot", "bot"),
    TableColumn("n", "n", "count"),
    TableColumn("share", "win share (95%)", "share", interval=True),
    TableColumn("gain", "difference, pp (95%)", "gain", interval=True),
    TableColumn("chance", "chance", "chance"),
)
FRAME = pl.DataFrame(
    {
        "bot": EVIL,
        "n": range(1000, 1000 + len(EVIL)),
        "share": [0.1234567891] * len(EVIL),
        "share_low": [0.1] * len(EVIL),
        "share_high": [0.2] * len(EVIL),
        "gain": [-1.25] * len(EVIL),
        "gain_low": [None] * len(EVIL),
        "gain_high": [None] * len(EVIL),
        "chance": [float("nan")] * len(EVIL),
        "levels": [[1, 2]] * len(EVIL),
    }
)


def report(*names: str) -> Report:
    grids = tuple(Grid(name, "=Caption", COLUMNS, FRAME, ("=a note",)) for name in names)
    finding = Finding("fair", "=Seat 1 wins 25% (24 to 26).")
    section = Section("seats", "=Turn order", "Who?", "=Seat 1 wins.", "20 games", (finding,), (), grids)
    sheet = Sheet(
        ("2 players", "3"), (SheetRow("=First seat", (SheetCell("+5.9", "+4.7 to +7.1", "out"), None), "=so"),)
    )
    return Report(
        *("=1+2", "=who?", "=lead", "=context", (section,), "=sure", (), (), "=cmd"),
        sheet=sheet,
        reconstructed={"text": "3 values are reconstructed."},
    )


def read(made: Report) -> Read:
    return load_workbook(io.BytesIO(workbook(made)))


def test_values_are_those_of_the_data() -> None:
    """Numbers are numbers to six digits as in report.json, with ends of intervals; what is missing is said in words."""
    made = report("seats")
    sheet = read(made)["seats"]
    head, *rows = list(sheet.iter_rows(min_row=4, max_row=4 + FRAME.height, values_only=True))
    interval = ("win share: 95% interval from", "win share: 95% interval to")
    assert head[:5] == ("bot", "n", "win share", *interval)
    assert head[5:7] == ("difference, pp", "difference, pp: 95% interval from")
    data = as_data(made)["sections"][0]["tables"][0]["rows"]
    keys = ("n", "share", "share_low", "share_high")
    assert [row[1:5] for row in rows] == [tuple(plain(row[key]) for key in keys) for row in data]
    assert {row[5:] for row in rows} == {("too few",) * 4}  # also the difference itself, as on the page
    assert [cell.number_format for cell in sheet[5]][1:5] == ["#,##0", "0.0%", "0.0%", "0.0%"]


def test_numbers_never_show_more_than_is_known() -> None:
    """Small p, chances near 0 and 1, and whole numbers too large for a spreadsheet."""
    assert number_pattern(TableColumn("p", "p", "p")) == '[<0.001]"< 0.001";0.000'
    assert number_pattern(TableColumn("chance", "chance", "chance")) == '[<0.01]"< 1%";[>0.99]"> 99%";0%'
    assert number_pattern(TableColumn("gain", "gain", "gain")) == "+#,##0.0;-#,##0.0;0.0"
    grid = Grid("seeds", "Seeds", (TableColumn("seed", "seed", "count"),), pl.DataFrame({"seed": [2**62 + 1, 7]}))
    made = report("seats")
    made = replace(made, sections=(replace(made.sections[0], grids=(grid,)),))
    values = [row[0] for row in read(made)["seeds"].iter_rows(values_only=True)]
    assert values[4:6] == [str(2**62 + 1), 7]


def test_a_sheet_has_a_head_that_stays_and_a_filter() -> None:
    """The head is bold and frozen, and the filter covers all rows; above it is what the table rests on."""
    sheet = read(report("seats"))["seats"]
    assert sheet.freeze_panes == "B5"
    assert sheet.auto_filter.ref == f"A4:I{4 + FRAME.height}"
    assert all(cell.font.bold for cell in sheet[4])
    top = [sheet.cell(row, 1).value for row in (1, 2, 3)]
    assert top == ["=Turn order: =Caption", "Based on 20 games.", "3 values are reconstructed."]


def test_the_first_sheet_is_the_balance_sheet() -> None:
    """Question, answer, context, then each measure with its intervals and verdicts, and the list of the sheets."""
    sheet = read(report("seats", "boards")).worksheets[0]
    rows = [tuple(cell for cell in row if cell is not None) for row in sheet.iter_rows(values_only=True)]
    assert rows[:4] == [("=1+2 · =who?",), ("=lead",), ("=context 3 values are reconstructed.",), ("=sure",)]
    assert rows[5][:4] == ("Balance sheet", "2 players", "95% interval", "verdict")
    assert tuple(filter(None, rows[6])) == ("=First seat", "+5.9", "+4.7 to +7.1", "Out of balance", "=so")
    assert ("seats", FRAME.height, "=Turn order: =Caption") in rows
    assert ("boards", FRAME.height, "=Turn order: =Caption") in rows
    assert ("=Turn order", "=Seat 1 wins.") in rows
    assert rows[-1] == ("=cmd",)


def test_no_text_becomes_a_formula_or_a_link() -> None:
    """Whatever a name begins with, it is a text; hidden characters are shown."""
    content = workbook(report("seats"))
    with zipfile.ZipFile(io.BytesIO(content)) as files:
        sheets = [files.read(name).decode() for name in files.namelist() if "worksheets/sheet" in name]
        assert not any("http" in files.read(name).decode() for name in files.namelist() if "sheets/_rels" in name)
    assert not any(re.search(r"<f[ >]", sheet) for sheet in sheets)
    cells = [row[0] for row in load_workbook(io.BytesIO(content))["seats"].iter_rows(min_row=5)][: len(EVIL)]
    assert [cell.value for cell in cells] == [*EVIL[:-2], " <r><bad & </r>", "a\\u202eb"]
    assert {cell.data_type for cell in cells} == {"s"}


def test_a_text_longer_than_a_cell_is_cut() -> None:
    """It ends with an ellipsis, rather than being left out."""
    made = replace(report("seats"), answer="x" * 40_000)
    title = read(made).worksheets[0]["A2"].value
    assert (len(title), title[-1]) == (32_767, "…")


def test_names_of_sheets_are_short_and_unique() -> None:
    """Also where only the case differs, characters are not allowed, or the name is taken."""
    names = ["seats", "Seats", "a/b:c", "x" * 40, "x" * 41, "Overview", "history", "..", "'"]
    found = [table.name for table in report(*names).tables]
    assert found[:3] == ["seats", "Seats-2", "a-b-c"]
    assert len({name.lower() for name in found}) == len(names)
    assert all(re.fullmatch(r"[\w-]{1,31}", name) for name in found)
    assert read(report(*names)).sheetnames == ["Balance sheet", *found]


def test_the_same_report_gives_the_same_bytes() -> None:
    """The workbook contains no time of writing."""
    assert workbook(report("seats")) == workbook(report("seats"))


def test_each_table_is_a_csv_file(tmp_path: Path) -> None:
    """All columns and digits, and lists as JSON; the data names the files."""
    made = report("seats", "boards")
    write_tables(made, tmp_path)
    assert as_data(made)["files"] == file_names(made) == ["report.xlsx", "tables/seats.csv", "tables/boards.csv"]
    found = pl.read_csv(tmp_path / "tables" / "seats.csv", infer_schema_length=None)
    assert found.columns == FRAME.columns
    assert found["share"].to_list() == FRAME["share"].to_list()
    assert set(found["levels"].to_list()) == {"[1, 2]"}


def test_what_is_not_known_is_not_called_too_few() -> None:
    """A difference that is missing is a dash, with its ends, as on the page; one without an interval is "too few"."""
    column = TableColumn("lead", "lead (95%)", "gain", interval=True)
    frame = pl.DataFrame({"lead": [None, 3.0], "lead_low": [None, None], "lead_high": [None, None]})
    made = report("seats")
    made = replace(made, sections=(replace(made.sections[0], grids=(Grid("leads", "Leads", (column,), frame),)),))
    rows = list(read(made)["leads"].iter_rows(min_row=5, max_row=6, values_only=True))
    assert rows == [(NOTHING,) * 3, ("too few",) * 3]
