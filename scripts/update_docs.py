"""Write the generated parts of the project: the schema of scenarios, columns, bots, and what commands print.

A part of a page is between `<!-- part: NAME -->` and `<!-- end of part -->`; the rest of the page is written by hand.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import polars as pl
from rich.console import Console

import rogsim
from rogsim.game.columns import Column
from rogsim.game.registry import get_game
from rogsim.report.console.tables import print_tables
from rogsim.scenario.schema import schema_file, schema_text
from rogsim.simulation.rows import game_columns, seat_columns

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "docs/bots.md", "docs/results.md")
PART = re.compile(r"(<!-- part: ([\w-]+) -->\n).*?(<!-- end of part -->)", re.DOTALL)
GAME = "river-of-gold"
GAMES = (GAME, "the-river")


def bot_list() -> str:
    """Return the bots that come with the game and their plans, as a table."""
    return table(("bot", "plan"), [(f"`{bot.name}`", bot.plan) for bot in get_game(GAME).bots])


def column_list(columns: Sequence[Column]) -> str:
    """Return what each column holds, as a table."""
    rows = [(f"`{column.name}`", type_of(column), column.unit, column.meaning) for column in columns]
    return table(("column", "type", "unit", "meaning"), rows)


def type_of(column: Column) -> str:
    """Return the polars type of a column."""
    return "Enum" if column.labels or column.name == "bot" else str(pl.Series(np.zeros(0, column.dtype)).dtype)


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def code(path: str) -> str:
    """Return a Python file of the project as a block."""
    return f"```python\n{(ROOT / path).read_text(encoding='utf-8')}```"


def printed(scenario: str) -> str:
    """Play a scenario in full and return what `rogsim run` prints, as a block."""
    text = io.StringIO()
    results = rogsim.run(ROOT / scenario)
    print_tables(results, Console(file=text, highlight=False, markup=False, emoji=False))
    version = f"rogsim {rogsim.__version__}, rules version {results.manifest['identity']['rules']}"
    return f"```text\n{text.getvalue()}```\n\nPrinted by `scripts/rogsim run {scenario}` ({version})."


LISTS: Mapping[str, Callable[[], str]] = {
    "bots": bot_list,
    "columns-of-seats": lambda: column_list(seat_columns(get_game(GAME))),
    "columns-of-games": lambda: column_list(game_columns(get_game(GAME))),
    "trader-code": lambda: code("docs/examples/trader.py"),
    "peddler-code": lambda: code("docs/examples/peddler.py"),
}
PRINTED: Mapping[str, Callable[[], str]] = {  # these play games
    "seat-order": lambda: printed("scenarios/seat-order.toml"),
    "trader-table": lambda: printed("docs/examples/trader.toml"),
    "peddler-table": lambda: printed("docs/examples/peddler.toml"),
}


def filled(text: str, parts: Mapping[str, Callable[[], str]]) -> str:
    """Return a page with these parts rewritten; other parts do not change."""

    def fill(found: re.Match[str]) -> str:
        begin, name, end = found.groups()
        return f"{begin}{parts[name]()}\n{end}" if name in parts else found.group()

    return PART.sub(fill, text)


def main() -> None:
    """Write the schemas of scenarios and all parts of all pages."""
    for spec in map(get_game, GAMES):
        (ROOT / "scenarios" / schema_file(spec)).write_text(schema_text(spec), encoding="utf-8")
    for page in PAGES:
        path = ROOT / page
        text = path.read_text(encoding="utf-8")
        path.write_text(filled(text, {**LISTS, **PRINTED}), encoding="utf-8")


if __name__ == "__main__":
    main()
