"""Write the generated parts of the project: the schema of scenarios, columns, bots, and what commands print.

A part of a page is between `<!-- part: NAME -->` and `<!-- end of part -->`; the rest of the page is written by hand.
Pages are given by name, or all are written: `scripts/update-docs docs/questions.md`.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from rogsim.game.columns import Column
from rogsim.game.registry import get_game
from rogsim.game.topics import Lead
from rogsim.scenario.schema import schema_file, schema_text
from rogsim.simulation.rows import game_columns, seat_columns

ROOT = Path(__file__).resolve().parent.parent
NAMES = ("start", "questions", "adding-a-question", "river-of-gold", "bots", "results")
PAGES = ("README.md", *(f"docs/{name}.md" for name in NAMES))
SHELL = re.compile(r"^```sh\n(.*?)^```", re.DOTALL | re.MULTILINE)
PART = re.compile(r"(<!-- part: ([\w-]+) -->\n).*?(<!-- end of part -->)", re.DOTALL)
GAME = "river-of-gold"
GAMES = (GAME, "the-river")
WIDTH = 118  # characters of a line of output


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


def with_outputs(page: str) -> str:
    """Return a page with what its commands print: a part `output` shows the last block of commands before it.

    `output-12` shows at most 12 lines. All commands of a page share one folder, so they use what earlier ones made.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for shown in ("docs", "scenarios"):
            (folder / shown).symlink_to(ROOT / shown)

        def fill(found: re.Match[str]) -> str:
            begin, part, end = found.groups()
            kind, _, most = part.partition("-")
            if kind != "output":
                return found.group()
            commands = SHELL.findall(page[: found.start()])[-1].splitlines()
            lines = [line for command in commands for line in lines_of(command, folder)]
            few = lines if not most or len(lines) <= int(most) else [*lines[: int(most)], "…"]
            return f"{begin}{block(few)}\n{end}"

        return PART.sub(fill, page)


def lines_of(command: str, folder: Path) -> list[str]:
    """Return what a command of rogsim prints, long sentences wrapped."""
    script, *words = shlex.split(command, comments=True)
    assert script == "scripts/rogsim", command
    done = subprocess.run([sys.executable, "-m", "rogsim", *words], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{command}\n{done.stderr}")
    return [part for line in done.stdout.rstrip().splitlines() for part in wrapped(line)]


def wrapped(line: str) -> list[str]:
    """Return a sentence in lines that fit on a page; a row of a table stays as it is."""
    return [line] if len(line) <= WIDTH or "  " in line else textwrap.wrap(line, WIDTH, break_on_hyphens=False)


def block(lines: Sequence[str]) -> str:
    """Return lines as a block of text."""
    return "\n".join(["```text", *(line.rstrip() for line in lines), "```"])


LISTS: Mapping[str, Callable[[], str]] = {
    "bots": bot_list,
    "columns-of-seats": lambda: column_list(seat_columns(get_game(GAME)), get_game(GAME).lead),
    "columns-of-games": lambda: column_list(game_columns(get_game(GAME))),
    "trader-code": lambda: code("docs/examples/trader.py"),
    "peddler-code": lambda: code("docs/examples/peddler.py"),
    "fast-start-code": lambda: code("docs/examples/fast_start.py"),
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
    for page in sys.argv[1:] or PAGES:
        path = ROOT / page
        text = path.read_text(encoding="utf-8")
        path.write_text(with_outputs(filled(text, LISTS)), encoding="utf-8")


if __name__ == "__main__":
    main()
