"""Write the generated parts of the project: the schema of scenarios, columns, bots, and what commands print.

A part of a page is between `<!-- part: NAME -->` and `<!-- end of part -->`; the rest of the page is written by hand.
Pages are given by name, or all are written: `scripts/update-docs docs/questions.md`.
"""

from __future__ import annotations

import inspect
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from string import Template

import numpy as np
import polars as pl

from rogsim.cli.new_game import SUFFIX, TEMPLATES
from rogsim.game import plain
from rogsim.game.columns import Column
from rogsim.game.compiler import as_python
from rogsim.game.kit.kinds import Kind
from rogsim.game.registry import get_game
from rogsim.game.topics import Lead
from rogsim.scenario.schema import schema_file, schema_text
from rogsim.simulation.rows import game_columns, seat_columns

ROOT = Path(__file__).resolve().parent.parent
NAMES = ("start", "questions", "adding-a-question", "river-of-gold", "bots", "results", "your-game", "api-plain")
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


def new_game() -> str:
    """Return the module of the game that `rogsim game new tricks` writes, as a block."""
    text = (TEMPLATES / f"game.py{SUFFIX}").read_text(encoding="utf-8")
    return f"```python\n{Template(text).substitute(title='Tricks')}```"


DECLARING = tuple(f"rogsim.game.{module}" for module in ("plain.declare", "plain.fields", "kit.kinds", "plain.numbers"))


def plain_kinds() -> list[str]:
    """Return the names of the kinds of fields of plain games."""
    return [name for name in plain.__all__ if inspect.isclass(made := getattr(plain, name)) and issubclass(made, Kind)]


def plain_functions(module: object) -> list[str]:
    """Return the names of the functions of plain games that a module defines."""
    found = {name: as_python(getattr(plain, name)) for name in plain.__all__}
    return [name for name, one in found.items() if inspect.isfunction(one) and one.__module__ == module]


def kind_list() -> str:
    """Return the kinds of fields, each with what it is, as a table."""
    return table(("kind", "what it is"), [(f"`{written(name)}`", summary(name)) for name in plain_kinds()])


def function_list() -> str:
    """Return the functions that rules may call, each with what it does, as a table."""
    names = plain_functions("rogsim.game.plain.pieces")
    return table(("function", "what it does"), [(f"`{written(name)}`", summary(name)) for name in names])


def written(name: str) -> str:
    """Return how a kind, or a call of a function, is written."""
    made = as_python(getattr(plain, name))
    names = [
        {parameter.VAR_POSITIONAL: f"{parameter.name}", parameter.VAR_KEYWORD: f"**{parameter.name}"}.get(
            parameter.kind, parameter.name + ("=…" if parameter.default is not parameter.empty else "")
        )
        for parameter in inspect.signature(made).parameters.values()
    ]
    if inspect.isclass(made) and issubclass(made, Kind):
        return f"{name}[{', '.join(names)}]" if names else name
    return f"{name}({', '.join(names)})"


def summary(name: str) -> str:
    """Return the first sentence of the docstring of a public name of plain games."""
    return " ".join(inspect.getdoc(as_python(getattr(plain, name))).split("\n\n")[0].split())  # type: ignore[union-attr]


def plain_reference() -> str:
    """Return all public names of plain games with their docstrings."""
    groups = {
        "Declaring": [name for module in DECLARING for name in plain_functions(module)],
        "Kinds of fields": plain_kinds(),
        "In rules and bots": plain_functions("rogsim.game.plain.pieces"),
    }
    rest = [name for name in plain.__all__ if not any(name in names for names in groups.values())]
    lines = []
    for title, names in groups.items():
        lines.append(f"## {title}")
        for name in names:
            lines += [f"### `{written(name)}`", in_markdown(inspect.getdoc(as_python(getattr(plain, name))) or "")]
    lines += ["## Constants and errors", table(("name", "meaning"), [(f"`{name}`", meaning(name)) for name in rest])]
    return "\n\n".join(lines)


def meaning(name: str) -> str:
    """Return what a constant or an error means: the comment beside it, or its docstring."""
    if inspect.isclass(getattr(plain, name)):
        return summary(name)
    source = "".join(inspect.getsource(sys.modules[module]) for module in (Kind.__module__, plain.cards.__module__))
    found = re.search(rf"^(?:\w+, )*{name}(?:, \w+)* = .*?  # (.*)$", source, re.MULTILINE)
    assert found, f"{name} has no comment"
    return found[1][:1].upper() + found[1][1:]


def in_markdown(docstring: str) -> str:
    """Return a docstring with sections, as numpydoc has them, as Markdown."""
    text = re.sub(r"^(\w+)\n-+$", r"**\1**\n", docstring, flags=re.MULTILINE)
    return re.sub(r"^(\S.*)\n    (\S[^\n]*(?:\n    \S[^\n]*)*)", entry, text, flags=re.MULTILINE)


def entry(found: re.Match[str]) -> str:
    """Return an entry of a section of a docstring as an item of a list."""
    return f"- `{found[1]}`: {' '.join(found[2].split())}"


LISTS: Mapping[str, Callable[[], str]] = {
    "bots": bot_list,
    "columns-of-seats": lambda: column_list(seat_columns(get_game(GAME)), get_game(GAME).lead),
    "columns-of-games": lambda: column_list(game_columns(get_game(GAME))),
    "new-game-code": new_game,
    "field-kinds": kind_list,
    "ready-functions": function_list,
    "plain-reference": plain_reference,
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
