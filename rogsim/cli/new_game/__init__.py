"""A game to start from: a folder with its module, its tests, a scenario, and what pip needs to install it."""

from __future__ import annotations

import importlib.util
import keyword
import os
import re
import shlex
import shutil
import sys
from pathlib import Path
from string import Template

from rogsim.base.errors import RogsimError
from rogsim.base.process_settings import ROOT
from rogsim.base.validation import show
from rogsim.game.registry import game_names

TEMPLATES = Path(__file__).parent
SUFFIX = ".txt"  # of a template, so that no tool takes it for a module of rogsim
NAME = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*", re.IGNORECASE)


def write_game(name: str) -> list[Path]:
    """Write a game to start from into a new folder of this name, in full or not at all; return its files.

    Raises
    ------
    RogsimError
        If it cannot have this name.
    """
    module, folder = _module_of(name), Path(name)
    _check(name, module, folder)
    words = {"module": module, "id": _id_of(name), "title": name.replace("-", " ").replace("_", " ").capitalize()}
    draft = folder.with_name(f".{name}-{os.getpid()}")
    draft.mkdir()
    try:
        for template in sorted(TEMPLATES.glob(f"*{SUFFIX}")):
            text = Template(template.read_text(encoding="utf-8")).substitute(words)
            file = template.name.removesuffix(SUFFIX).replace("game", module)
            (draft / file).write_text(text, encoding="utf-8")
        draft.rename(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return sorted(folder.iterdir())


def next_commands(name: str) -> list[str]:
    """Return the command lines that check, install and play a new game, as they can be copied."""
    folder, module = Path(name), _module_of(name)
    rogsim = _rogsim()
    return [
        f"{rogsim} game check {shlex.quote(str(folder / module))}.py --plain",
        f"{_shown(Path(sys.executable))} -m pip install -e {shlex.quote(f'./{folder}')}",
        f"{rogsim} run {shlex.quote(str(folder / module))}.toml",
    ]


def _module_of(name: str) -> str:
    return name.replace("-", "_")


def _id_of(name: str) -> str:
    return name.replace("_", "-")


def _check(name: str, module: str, folder: Path) -> None:
    """Refuse a name that a game cannot have."""
    if not NAME.fullmatch(name):
        rule = "begin with a letter; then letters and digits, in words with a dash or an underscore between them"
        raise RogsimError(f"{show(name)} cannot be the name of a game: {rule}")
    if folder.exists() or folder.is_symlink():
        raise RogsimError(f"{folder}: already exists; choose another name")
    if _id_of(name) in game_names():
        raise RogsimError(f'{show(name)}: there is a game "{_id_of(name)}"; choose another name')
    if keyword.iskeyword(module) or importlib.util.find_spec(module) is not None:
        raise RogsimError(f'{show(name)}: Python has a module or a word "{module}" already; choose another name')


def _rogsim() -> str:
    """Return what calls this rogsim in a shell."""
    if (found := shutil.which("rogsim")) and Path(found).resolve().parent == Path(sys.executable).parent.resolve():
        return "rogsim"
    script = ROOT / "scripts" / "rogsim"
    if script.is_file() and Path(sys.prefix).parent == ROOT:
        return _shown(script)
    return f"{_shown(Path(sys.executable))} -m rogsim"


def _shown(path: Path) -> str:
    """Return a path as it can be typed, from the current folder if it is inside."""
    here = Path.cwd()
    return shlex.quote(str(path.relative_to(here) if path.is_relative_to(here) else path))
