"""Write the generated parts of the project: the schema of scenarios, columns, bots, and what commands print.

A part of a page is between `<!-- part: NAME -->` and `<!-- end of part -->`; the rest of the page is written by hand.
"""

from __future__ import annotations

import functools
import io
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np
import polars as pl
from rich.console import Console
from rogsim.report.console.optimize_tables import print_outcome

import rogsim
from rogsim.experiments.design_points import Resources
from rogsim.experiments.optimize import find_optimum
from rogsim.experiments.optimize_request import request_optimum
from rogsim.game.columns import Column
from rogsim.game.registry import get_game
from rogsim.game.topics import Lead
from rogsim.report.balance.build import all_sections
from rogsim.report.balance.sources import material_of
from rogsim.report.console.tables import print_results
from rogsim.scenario.schema import schema_file, schema_text
from rogsim.simulation.rows import game_columns, seat_columns

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "docs/start.md", "docs/river-of-gold.md", "docs/bots.md", "docs/results.md")
PART = re.compile(r"(<!-- part: ([\w-]+) -->\n).*?(<!-- end of part -->)", re.DOTALL)
GAME = "river-of-gold"
GAMES = (GAME, "the-river")
SEAT_ORDER = "scenarios/seat-order.toml"
FAIR_START, FAIR = "scenarios/fair-start-2.toml", "seat_share equal ± 3 pp"
CHUNK = 4_000  # games in a file of a search, which only this script reads: few files take less time
FEW = 6  # lines of each command that README.md shows


def bot_list() -> str:
    """Return the bots that come with the game and their plans, as a table."""
    return table(("bot", "plan"), [(f"`{bot.name}`", bot.plan) for bot in get_game(GAME).bots])


def column_list(columns: Sequence[Column], lead: Lead | None = None) -> str:
    """Return what each column holds, as a table; the points from one source over time are one line."""
    series = list(lead.by_source.values()) if lead else []
    last = {names[0]: names[-1] for names in series}
    hidden = {name for names in series for name in names[1:]}
    rows = [
        (
            f"`{column.name}` … `{last[column.name]}`" if column.name in last else f"`{column.name}`",
            type_of(column),
            column.unit,
            column.meaning.replace("20%", "20%, 40%, 60% and 80%") if column.name in last else column.meaning,
        )
        for column in columns
        if column.name not in hidden
    ]
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


@functools.cache
def played(scenario: str) -> rogsim.Results:
    """Play a scenario in full, once."""
    return rogsim.run(ROOT / scenario)


def tables(scenario: str) -> str:
    """Return the tables that `rogsim run` prints."""
    text = io.StringIO()
    print_results(played(scenario), Console(file=text, highlight=False, markup=False, emoji=False))
    return text.getvalue()


def printed(scenario: str) -> str:
    """Return what `rogsim run` prints, as a block, and by which version."""
    rules = played(scenario).manifest["identity"]["rules"]
    version = f"rogsim {rogsim.__version__}, rules version {rules}"
    return f"```text\n{tables(scenario)}```\n\nPrinted by `scripts/rogsim run {scenario}` ({version})."


def lines_of_run() -> str:
    """Return the table of the last player count that `rogsim run` prints, without its title, and its last line."""
    lines = tables(SEAT_ORDER).rstrip().split("\n\n")[-1].splitlines()
    return block([*lines[1:FEW], lines[-1]])


def lines_of_report() -> str:
    """Return the answers of a report, as Markdown."""
    material = material_of([played(SEAT_ORDER)])
    lines = [f"- **{section.title}**: {section.answer}" for section in all_sections(material) if section.findings]
    return "\n".join(lines[:FEW])


def lines_of_optimize() -> str:
    """Return the table that `rogsim optimize` prints."""
    text, request = io.StringIO(), request_optimum(ROOT / FAIR_START, goal=[FAIR])
    with tempfile.TemporaryDirectory() as store, redirect_stdout(text):
        print_outcome(find_optimum(request, Resources(Path(store), chunk=CHUNK)))
    header = "change "
    lines = text.getvalue().splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith(header))
    return block(lines[start : start + FEW])


def block(lines: Sequence[str]) -> str:
    """Return lines as a block of text."""
    return "\n".join(["```text", *(line.rstrip() for line in lines), "```"])


LISTS: Mapping[str, Callable[[], str]] = {
    "bots": bot_list,
    "columns-of-seats": lambda: column_list(seat_columns(get_game(GAME)), get_game(GAME).lead),
    "columns-of-games": lambda: column_list(game_columns(get_game(GAME))),
    "trader-code": lambda: code("docs/examples/trader.py"),
    "peddler-code": lambda: code("docs/examples/peddler.py"),
}
PRINTED: Mapping[str, Callable[[], str]] = {  # these play games
    "run": lines_of_run,
    "report": lines_of_report,
    "optimize": lines_of_optimize,
    "seat-order": lambda: printed(SEAT_ORDER),
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
