"""Scenario files: finding one by path or name, those that come with rogsim, and the question at the top of each."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass
from pathlib import Path

from rogsim.base.files import MEGABYTE, is_by_system, read_text
from rogsim.base.text import safe

FOLDER = Path("scenarios")  # where scenarios are kept, in the project and usually in the current folder
SUFFIX = ".toml"
MOST_BYTES = MEGABYTE
FOR_EDITORS = "#:schema"  # begins a line that names the schema
PACKAGE = Path(__file__).parents[1]


@dataclass(frozen=True)
class ShippedScenario:
    """A scenario that comes with rogsim: its name, its file, the game that it plays and the question it answers."""

    name: str
    path: Path
    game: str
    question: str


def shipped_folder() -> Path:
    """Return the folder of the scenarios that come with rogsim: inside an installed package, beside a checkout's."""
    inside = PACKAGE / FOLDER
    return inside if inside.is_dir() else PACKAGE.parent / FOLDER


def shipped_scenarios() -> list[ShippedScenario]:
    """Return the scenarios that come with rogsim, sorted by name."""
    found = []
    for path in _shipped_files().values():
        text = read_text(path, MOST_BYTES)
        found.append(ShippedScenario(path.stem, path, str(tomllib.loads(text).get("game", "")), question_of(text)))
    return found


def find_scenario(path: Path) -> Path:
    """Return the file that a path or name stands for; the path itself if there is none.

    A file at the path goes first. Otherwise a plain word is a file in `scenarios`, or comes with rogsim.
    """
    if not is_word(path) or path.is_file():
        return path
    own = FOLDER / f"{path}{SUFFIX}"
    if own.is_file():
        return own
    return _shipped_files().get(path.name, path)


def file_of(source: object) -> Path:
    """Return the file or the name of a scenario; of keys, the name of a file that could hold them."""
    return Path(source) if isinstance(source, str | Path) else Path(f"scenario{SUFFIX}")


def is_word(path: Path) -> bool:
    """Return whether a path can be the name of a scenario: a word without folders and suffix."""
    return len(path.parts) == 1 and path.suffix != SUFFIX and path.name not in ("", "..")


def known_names() -> list[str]:
    """Return the names that `find_scenario` knows, sorted."""
    return sorted({path.stem for path in _scenarios_in(FOLDER)} | set(_shipped_files()))


def names_instead(path: Path) -> str:
    """Return which names resemble that of a scenario that does not exist, or all names; empty for a path."""
    if not is_word(path):
        return ""
    names = known_names()
    near = " or ".join(f'"{name}"' for name in difflib.get_close_matches(path.name, names))
    return " and no scenario of that name" + (
        f", did you mean {near}?" if near else f": choose from {', '.join(names)}"
    )


def question_of(text: str) -> str:
    """Return the comment at the top of a scenario file, up to its question mark, without lines for editors."""
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith(FOR_EDITORS):
            continue
        if not line.startswith("#"):
            break
        lines.append(line.lstrip("# ").rstrip())
    whole = safe(" ".join(" ".join(lines).split()))
    return whole[: whole.index("?") + 1] if "?" in whole else whole


def _shipped_files() -> dict[str, Path]:
    return dict(sorted((path.stem, path) for path in _scenarios_in(shipped_folder())))


def _scenarios_in(folder: Path) -> list[Path]:
    return [path for path in folder.glob(f"*{SUFFIX}") if not is_by_system(path)]
