"""Commands that a report prints: to play the same games again, and to play more of them."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from typing import Any

from rogsim.base.errors import RogsimError
from rogsim.base.output_paths import REPORTS
from rogsim.base.version import __version__
from rogsim.experiments.settle.ladder_verdicts import LadderVerdicts
from rogsim.experiments.settle.strength_ladder import games_of_look
from rogsim.report.balance.sources import Material, Source
from rogsim.scenario.model import load
from rogsim.scenario.scenario_files import FOLDER, SUFFIX, find_scenario
from rogsim.stats.settling import RUNGS

PLAYED = ("game", "players", "bots", "options", "change", "components")  # keys that must agree with what was played


def page_files(material: Material) -> list[str]:
    """Return a distinct file name for the scenario of each results folder, in order; its text is on the page."""
    names = (str(folder.manifest["name"]) for source in material.sources for folder in source.folders)
    return [f"{name}.toml" for name in distinct(names)]


def scenario_words(material: Material, source: Source) -> list[str]:
    """Return the words of a command that name the scenario of a set of bots; of several pooled folders, of the first.

    They are the path of its file, or its name if it comes with rogsim, and `--seed` if the file has another seed. If no
    file has the scenario that was played, they are the name of the file on the page.
    """
    manifest = source.folders[0].manifest
    name = str(manifest["name"])
    for path in (Path(f"{name}{SUFFIX}"), FOLDER / f"{name}{SUFFIX}", Path(name)):
        stored = _scenario_in(path)
        if stored and all((stored.get(key) or {}) == (manifest["scenario"].get(key) or {}) for key in PLAYED):
            seed = manifest["scenario"]["seed"]
            return [path.as_posix(), *([] if stored["seed"] == seed else ["--seed", str(seed)])]
    earlier = takewhile(lambda other: other is not source, material.sources)
    return [page_files(material)[sum(len(other.folders) for other in earlier)]]


def _scenario_in(path: Path) -> dict[str, Any]:
    """Return the scenario in a file; empty if there is none."""
    try:
        return load(path, run_programs=False).scenario.model_dump(mode="json") if find_scenario(path).is_file() else {}
    except RogsimError:
        return {}


def shown_folder(folder: Path) -> str:
    """Return a folder as given; of an absolute path outside the current folder only the last part.

    The rest would be of no use to other readers.
    """
    if not folder.is_absolute():
        return folder.as_posix()
    return folder.relative_to(Path.cwd()).as_posix() if folder.is_relative_to(Path.cwd()) else folder.name


def reached_folder(folder: Path) -> str:
    """Return a folder as a command in the current one reaches it, for steps that need its games."""
    if folder.is_absolute():
        with suppress(ValueError):  # another drive of Windows
            return Path(os.path.relpath(folder)).as_posix()
    return folder.as_posix()


def results_folder(source: Source) -> str:
    """Return the folder of some results; of results in memory, the folder that `rogsim run` would write."""
    return _default_folder(str(source.manifest["name"])) if source.folder is None else shown_folder(source.folder)


def run_command(source: Source, file: str, *options: str, folder: str = "") -> str:
    """Return the command that plays a scenario file into a folder, by default that of the results."""
    folder = folder or results_folder(source)
    out = [] if folder == _default_folder(Path(file).stem) else ["--out", folder]
    return shlex.join(["rogsim", "run", file, *options, *out])


def settle_command(ladder: LadderVerdicts, words: Sequence[str]) -> list[str]:
    """Return the words of the command that plays a ladder again; words: of the scenario."""
    return [
        *("rogsim", "settle", *words, "--bots", ",".join(ladder.bots)),
        *("--players", ",".join(map(str, ladder.games)), "--seed", str(ladder.played.seed)),
        *("--claims", ",".join(family.name for family in ladder.families), "--margin", f"{ladder.margin:g}"),
        *("--first-look", str(ladder.first_look)),
    ]


def _most_games(ladder: LadderVerdicts) -> int:
    """Return the `--games` that allow as many looks as a ladder had; its rungs may have rested at the last of them."""
    look = max(claim.found.look for claim in ladder.claims)
    planned = games_of_look(look, ladder.first_look) + ladder.first_look * (len(ladder.rungs) - RUNGS)
    return max(planned, *map(sum, ladder.games.values()))


def settled_folders(ladders: Sequence[LadderVerdicts], name: str) -> list[str]:
    """Return the folder of each ladder, as given; of those in memory, what `rogsim settle` would call it."""
    default = settle_folder(name)
    return distinct(shown_folder(Path(ladder.place)) if ladder.place else default for ladder in ladders)


def settle_folder(name: str) -> str:
    """Return the folder that `rogsim settle` writes for a scenario of that name."""
    return _default_folder(f"settle-{name}")


def report_command(folders: Sequence[str], settled: Sequence[str], out: str) -> str:
    """Return the command that writes a report."""
    named = [word for folder in settled for word in ("--settled", folder)]
    return shlex.join(["rogsim", "report", *folders, *named, "--out", out])


def commands_to_reproduce(
    sources: Sequence[Source], files: Sequence[str], out: Path, ladders: Sequence[LadderVerdicts] = ()
) -> Iterator[str]:
    """Yield the commands that play the same games and write the same report.

    sources: each results folder as a separate source. files: the scenario file of each. out: folder of the report.
    ladders: the verdicts with stronger bots.
    """
    yield f"# with rogsim {__version__}, and the scenarios below"
    folders = distinct(map(results_folder, sources))
    for source, file, folder in zip(sources, files, folders, strict=True):
        yield run_command(source, file, folder=folder)
    settled = settled_folders(ladders, Path(files[0]).stem)
    for ladder, folder in zip(ladders, settled, strict=True):
        yield shlex.join([*settle_command(ladder, files[:1]), "--games", str(_most_games(ladder)), "--out", folder])
    yield report_command(folders, settled, shown_folder(out))


def distinct(names: Iterable[str]) -> list[str]:
    """Return names with a number at the end of each that repeats an earlier one: x, y, x-2."""
    found: list[str] = []
    for name in names:
        numbered = (f"{name}-{number}" if number > 1 else name for number in range(1, len(found) + 2))
        found.append(next(candidate for candidate in numbered if candidate not in found))
    return found


def _default_folder(name: str) -> str:
    return (REPORTS / name).as_posix()
