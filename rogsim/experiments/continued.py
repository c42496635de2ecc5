"""What `rogsim tune` and `rogsim train` share: checks of the request, and a stored state that can be continued."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rogsim.base.errors import RogsimError
from rogsim.base.files import MEGABYTE, parse_json, read_bytes
from rogsim.base.output_paths import check_file
from rogsim.base.validation import not_allowed, show
from rogsim.bots.weights import read_file
from rogsim.game.registry import RegistryError

MOST_BYTES = 64 * MEGABYTE  # of a stored state


def check_range(name: str, value: int, least: int, most: int, error: type[RogsimError]) -> None:
    """Raise the error unless a number is in its range."""
    if not least <= value <= most:
        raise error(f"{name}: {not_allowed(value, f'must be {least:,} to {most:,}')}")


def check_target(out: Path, error: type[RogsimError]) -> None:
    """Raise the error if `out` would overwrite anything but older weights."""
    if out.is_dir():
        raise error(f"--out: {show(str(out))} is a folder; name a file")
    if out.exists():
        try:
            read_file(out)
        except RegistryError as fault:
            raise error(f"--out: {out} already exists and holds no weights; choose another name") from fault
    check_file(out)


def read_state(path: Path, form: str, error: type[RogsimError]) -> dict[str, Any] | None:
    """Return a stored state of a format, None if there is no file; the error if it is anything else."""
    try:
        state = parse_json(read_bytes(path, MOST_BYTES))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as fault:
        what = fault.strerror if isinstance(fault, OSError) else " ".join(str(fault).split())
        raise error(f"{path}: cannot be read: {what}; remove it to start again") from fault
    if not isinstance(state, dict) or state.get("format") != form:
        raise error(f'{path}: is not of the format "{form}"; remove it to start again')
    return state
