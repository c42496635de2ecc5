"""Commands that a report prints: to play the same games again, and to play more of them."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from rogsim.base.errors import RogsimError
from rogsim.base.output_paths import REPORTS
from rogsim.base.version import __version__
from rogsim.experiments.ladder import LadderVerdicts, games_of_look
from rogsim.game.spec import GameSpec
from rogsim.report.balance.sources import Material, Source
from rogsim.scenario.axes import change_words
from rogsim.scenario.model import load
from rogsim.scenario.scenario_files import FOLDER, SUFFIX
from rogsim.stats.settling import RUNGS

RULES = ("game", "options", "change", "components")  # keys of a scenario that say what is played


def page_files(material: Material) -> list[str]:
    """Return a distinct file name for the scenario of each results folder, in order; its text is on the page."""
    names = (str(folder.manifest["name"]) for source in material.sources for folder in source.folders)
    return [f"{name}.toml" for name in distinct(names)]


def scenario_words(source: Source, spec: GameSpec, *options: str) -> list[str]:
    """Return the words of a command that name the scenario of a set of bots, and what its run replaced in the file.

    Parameters
    ----------
    source
        The set of bots; of several pooled folders, the first counts.
    spec
        The game.
    options
        The keys of a scenario that the command must have as in the run, and can have as options. All other keys except
        the rules of the game may be those of the file.

    Returns
    -------
    The path of the file, or the name of a scenario that comes with rogsim, and options; empty if no file leads to the
    games that were played.
    """
    manifest = source.folders[0].manifest
    played, name = manifest["scenario"], str(manifest["name"])
    found = []
    for path in (Path(f"{name}{SUFFIX}"), FOLDER / f"{name}{SUFFIX}", Path(name)):
        with suppress(RogsimError):
            stored = _scenario_in(path)
            given = _replaced(path, stored, played, spec, options)
            if _agree(_scenario_in(path, given) if given else stored, played, (*RULES, *options)):
                found.append([path.as_posix(), *_option_words(given)])
    return min(found, key=len, default=[])


def _scenario_in(path: Path, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the scenario in a file, with replaced keys; RogsimError if there is none."""
    return load(path, given, run_programs=False).scenario.model_dump(mode="json")


def _agree(first: Mapping[str, Any], second: Mapping[str, Any], keys: Iterable[str]) -> bool:
    return all((first.get(key) or None) == (second.get(key) or None) for key in keys)


def _replaced(
    path: Path, stored: Mapping[str, Any], played: Mapping[str, Any], spec: GameSpec, options: Sequence[str]
) -> dict[str, Any]:
    """Return the keys that a run replaced in a scenario file, as far as there are options for them."""
    given: dict[str, Any] = {}
    if "components" in options and not _agree(stored, played, ("components",)):
        given["components"] = (played.get("components") or {}).get("file")
        stored = _scenario_in(path, given)
    if "change" in options and not _agree(stored, played, ("change",)):
        usual = {parameter.name: parameter.value for parameter in spec.facts()}
        names = dict.fromkeys((*stored["change"], *played["change"]))
        values = {name: played["change"].get(name, usual.get(name)) for name in names}
        given["change"] = {
            name: value for name, value in values.items() if value != stored["change"].get(name, usual.get(name))
        }
    plain = [key for key in options if key not in ("components", "change")]
    return given | {key: played[key] for key in plain if not _agree(stored, played, (key,))}


def _option_words(given: Mapping[str, Any]) -> Iterator[str]:
    """Yield replaced keys as options of a command."""
    for key, value in given.items():
        if key == "change":
            for name, changed in value.items():
                yield from ("--change", change_words({name: changed}))
        elif key == "until":
            for target in value:
                yield from ("--until", target)
        else:
            yield from (f"--{key}", ",".join(map(str, value)) if isinstance(value, list) else str(value))


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


def report_command(folders: Sequence[str], settled: Sequence[str], asked: Sequence[Path], out: str) -> str:
    """Return the command that writes a report."""
    named = [word for folder in settled for word in ("--settled", folder)]
    named += [word for file in asked for word in ("--question", shown_folder(file))]
    return shlex.join(["rogsim", "report", *folders, *named, "--out", out])


def commands_to_reproduce(material: Material, files: Sequence[str], out: Path) -> Iterator[str]:
    """Yield the commands that play the same games and write the same report.

    files: the scenario file of each results folder. out: folder of the report.
    """
    yield f"# with rogsim {__version__}, and the scenarios below"
    sources = [folder for source in material.sources for folder in source.folders]
    folders = distinct(map(results_folder, sources))
    for source, file, folder in zip(sources, files, folders, strict=True):
        yield run_command(source, file, folder=folder)
    settled = settled_folders(material.settled, Path(files[0]).stem)
    for ladder, folder in zip(material.settled, settled, strict=True):
        yield shlex.join([*settle_command(ladder, files[:1]), "--games", str(_most_games(ladder)), "--out", folder])
    yield report_command(folders, settled, material.asked, shown_folder(out))


def distinct(names: Iterable[str]) -> list[str]:
    """Return names with a number at the end of each that repeats an earlier one: x, y, x-2."""
    found: list[str] = []
    for name in names:
        numbered = (f"{name}-{number}" if number > 1 else name for number in range(1, len(found) + 2))
        found.append(next(candidate for candidate in numbered if candidate not in found))
    return found


def _default_folder(name: str) -> str:
    return (REPORTS / name).as_posix()
