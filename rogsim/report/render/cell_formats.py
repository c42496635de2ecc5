"""The formats of the cells of a workbook."""

from __future__ import annotations

from xlsxwriter import Workbook
from xlsxwriter.format import Format

from rogsim.report.document import TableColumn


class CellFormats:
    """The formats of one workbook; each kind of number has one, made when it is first used."""

    def __init__(self, book: Workbook) -> None:
        self._book = book
        self._numbers: dict[str, Format] = {}
        top = {"valign": "top"}
        self.title = book.add_format({"bold": True, "font_size": 16})
        self.bold = book.add_format({"bold": True})
        self.head = book.add_format({"bold": True, "text_wrap": True, "bottom": 1, "valign": "bottom"})
        self.head_of_numbers = book.add_format(
            {"bold": True, "text_wrap": True, "bottom": 1, "valign": "bottom", "align": "right"}
        )
        self.text = book.add_format(top)
        # A text beside a number, which is at the right of its cell, keeps a distance.
        self.apart = book.add_format({**top, "indent": 1})
        self.wrapped_apart = book.add_format({**top, "text_wrap": True, "indent": 1})
        self.head_apart = book.add_format(
            {"bold": True, "text_wrap": True, "bottom": 1, "valign": "bottom", "indent": 1}
        )
        self.wrapped = book.add_format({**top, "text_wrap": True})
        self.missing = book.add_format({**top, "align": "right"})
        self.link = book.add_format({**top, "font_color": "#0563C1", "underline": 1})
        self.whole = book.add_format({**top, "num_format": "#,##0"})

    def number(self, column: TableColumn) -> Format:
        """Return the format of a column's numbers, with as many digits as the page shows."""
        pattern = number_pattern(column)
        if pattern not in self._numbers:
            self._numbers[pattern] = self._book.add_format({"num_format": pattern, "valign": "top"})
        return self._numbers[pattern]


def number_pattern(column: TableColumn) -> str:
    """Return how a spreadsheet shows a column's numbers."""
    if column.kind == "count":
        return "#,##0"
    if column.kind == "p":
        return '[<0.001]"< 0.001";0.000'
    if column.kind == "chance":
        return '[<0.01]"< 1%";[>0.99]"> 99%";0%'  # never 0 or 100%
    digits = f".{'0' * column.digits}" if column.digits else ""
    if column.kind == "share":
        return f"0{digits}%"
    return f"+#,##0{digits};-#,##0{digits};0{digits}" if column.kind == "gain" else f"#,##0{digits}"
