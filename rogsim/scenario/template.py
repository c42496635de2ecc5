"""A scenario file to start from, with comments."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from rogsim.base.errors import RogsimError
from rogsim.base.files import check_file, naming_path
from rogsim.base.text import path_fault
from rogsim.base.validation import show
from rogsim.game.parameters import Parameter
from rogsim.game.spec import GameSpec
from rogsim.scenario.model import TABLES
from rogsim.scenario.scenario_files import FOLDER, SUFFIX
from rogsim.scenario.schema import schema_file, schema_text

GAMES = 2_000
COMMENT_COLUMN = 26


def path_for(name: str) -> Path:
    """Return the file that a name stands for: a plain word is a file in `scenarios`, anything else is a path."""
    path = Path(name)
    if fault := path_fault(path):
        raise RogsimError(f"{show(name)} is not a file name: {fault}")
    if path.name in ("", "..") or name.endswith("/"):
        raise RogsimError(f"{show(name)} is not a file name: write a word or a path")
    for folder in (path, FOLDER / path):
        if folder.is_dir():  # otherwise the file would be written beside it
            raise RogsimError(f"{folder}: is a folder; name a file, such as {folder / f'mine{SUFFIX}'}")
    if path.suffix == SUFFIX:
        return path
    return FOLDER / f"{name}{SUFFIX}" if len(path.parts) == 1 else path.with_name(path.name + SUFFIX)


def write_start(path: Path, spec: GameSpec) -> list[Path]:
    """Write a scenario to start from, and the schema beside it if there is none. No file is overwritten.

    Returns the files that were written. Raises RogsimError if the scenario already exists.
    """
    if path.exists() or path.is_symlink():
        raise RogsimError(f"{path}: already exists; choose another name")
    check_file(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    written = [path]
    write_new(path, start_text(spec))
    schema = path.with_name(schema_file(spec))
    with suppress(FileExistsError):
        write_new(schema, schema_text(spec))
        written.append(schema)
    return written


def write_new(path: Path, text: str) -> None:
    """Write a new file, in full or not at all; FileExistsError if it exists."""
    file = path.open("x", encoding="utf-8")
    try:
        with naming_path(path), file:
            file.write(text)
    except BaseException:
        path.unlink()
        raise


def start_text(spec: GameSpec) -> str:
    """Return a scenario that can be played as it is, with further keys as comments."""
    tables = list(dict.fromkeys([*TABLES, *spec.seat_factors, *spec.game_factors]))
    lines = [
        f"#:schema {schema_file(spec)}",
        "# Is any seat favoured? Write your own question here; it is printed above the tables up to its question mark.",
        *_line("game", spec.id),
        *_line("players", list(spec.players)),
        *_line("games", GAMES, "for each player count"),
        *_line("seed", 1, "another seed gives other games of the same kind"),
        *_line("bots", [_first_bot(spec)], "one takes every seat, several are rotated; rogsim bots lists them"),
        *_line("tables", tables[:1], f"what to print tables by: {', '.join(tables)}"),
        *_line("margin", 2.0, "percentage points from fair that still count as fair"),
        *_line("# until", "seat_share ± 0.5 pp", "ends the run once intervals are this narrow"),
        *_options(spec),
        *_change(spec.facts()),
        *_sweep(spec),
    ]
    return "\n".join(lines) + "\n"


def _line(key: str, value: Any, comment: str = "") -> list[str]:
    line = f"{key} = {toml_value(value)}"
    return [f"{line:<{COMMENT_COLUMN - 1}} # {comment}" if comment else line]


def toml_value(value: Any) -> str:
    """Return a value as written in a TOML file, with underscores in integers of four digits or more."""
    if type(value) is int:
        return f"{value:_}"
    return json.dumps(value, ensure_ascii=False)


def _first_bot(spec: GameSpec) -> str:
    known = [bot.name for bot in spec.bots]
    measured = [name for name in spec.bench_bots if name in known]
    return (measured or known)[-1 if measured else 0]


def _options(spec: GameSpec) -> list[str]:
    values = spec.options().model_dump(mode="json")
    given = [line for name, value in values.items() if value is not None for line in _line(name, value)]
    return ["", "[options]", *given] if given else []


def _change(parameters: Any) -> list[str]:
    """Return the head of the table of changes and one parameter with its current value, as comments."""
    example = next((parameter for parameter in parameters if not parameter.places), None)
    if example is None:
        return []
    return [
        "",
        "# [change]                # parameters of the game: rogsim parameters lists them",
        *_parameter(example),
    ]


def _parameter(parameter: Parameter) -> list[str]:
    return _line(f"# {parameter.name}", parameter.value, parameter.meaning)


def _sweep(spec: GameSpec) -> list[str]:
    numbers = (parameter for parameter in spec.facts() if type(parameter.value) is int and not parameter.places)
    example = next(numbers, None)
    if example is None or example.low is None or example.high is None:
        return []
    steps = f"[{max(example.low, example.value - 1)}, {min(example.high, example.value + 1)}]"
    return ["", "# [sweep]                 # what to vary", f'# over = {{ "{example.name}" = {steps} }}']
