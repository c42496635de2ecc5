"""Reading the verdicts that `rogsim settle` wrote: from its folder, or from the data of its page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from rogsim.base.errors import ResultsError, RogsimError
from rogsim.base.files import parse_json, read_bytes
from rogsim.base.validation import explain, format_fault
from rogsim.experiments.ladder import FORMAT, KEY, LadderVerdicts, SettleRecord, verdicts_of
from rogsim.game.registry import get_game
from rogsim.report.render.json_data import DATA, MOST_BYTES


def read_settled(path: Path) -> LadderVerdicts:
    """Read the verdicts of `rogsim settle`.

    Parameters
    ----------
    path
        The folder that it wrote, or a file with what its `--json` printed.

    Raises
    ------
    ResultsError
        If there are no such verdicts, or if they are broken.
    """
    file = path / DATA if path.is_dir() else path
    data = _read(path, file)
    record = data.get(KEY) if isinstance(data, dict) else None
    if not isinstance(record, dict):
        raise ResultsError(f"{path}: holds no verdicts of rogsim settle")
    if why := format_fault(record, FORMAT, "call rogsim settle again"):
        raise ResultsError(f"{path}: {why}")
    try:
        checked = SettleRecord.model_validate(record)
        found = verdicts_of(checked, get_game(checked.played.game))
    except ValidationError as fault:
        problem = explain(fault, record, SettleRecord)[0]
        raise ResultsError(f"{file}: is broken: {_in_a_line(_where(problem.key) + problem.text)}") from fault
    except (RogsimError, ValueError) as fault:
        raise ResultsError(f"{file}: cannot be used: {_in_a_line(fault)}") from fault
    return replace(found, place=str(path))


def _read(path: Path, file: Path) -> Any:
    try:
        return parse_json(read_bytes(file, MOST_BYTES))
    except (FileNotFoundError, NotADirectoryError):
        missing = f"has no {DATA}; name a folder that rogsim settle wrote" if path.is_dir() else "does not exist"
        raise ResultsError(f"{path}: {missing}") from None
    except OSError as fault:
        raise ResultsError(f"{file}: cannot be read: {fault.strerror}") from fault
    except ValueError as fault:
        raise ResultsError(f"{file}: cannot be read: {_in_a_line(fault)}") from fault


def _where(key: tuple[str, ...]) -> str:
    return f'key "{".".join((KEY, *key))}": '


def _in_a_line(text: object) -> str:
    return " ".join(str(text).split())[:200]
