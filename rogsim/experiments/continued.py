"""What `rogsim tune` and `rogsim train` share: checks of the request, and a stored state that can be continued."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rogsim.base.errors import RogsimError
from rogsim.base.files import MEGABYTE, parse_json, read_bytes
from rogsim.base.formats import format_fault
from rogsim.base.output_paths import check_file
from rogsim.base.validation import LONGEST_VALUE, not_allowed, show
from rogsim.bots.weights import read_file
from rogsim.game.registry import RegistryError

MOST_BYTES = 64 * MEGABYTE  # of a stored state
SHOWN = 5  # settings that differ; of the rest only the number is given
AGAIN = "remove it to start again"
MISSING = object()


def kept_in(state: Path, out: Path) -> str:
    """Say from where an interrupted command continues, or where the weights are once it has written them."""
    return f"The same command continues from {state}." if state.exists() else f"The weights are in {out}."


def check_range(name: str, value: int, least: int, most: int, error: type[RogsimError]) -> None:
    """Raise the error unless a number is in its range."""
    if not least <= value <= most:
        raise error(f"{name}: {not_allowed(value, f'must be from {least:,} to {most:,}')}")


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
        raise error(f"{path}: cannot be read: {what}; {AGAIN}") from fault
    if why := format_fault(state, form, AGAIN):
        raise error(f"{path}: {why if why.endswith(AGAIN) else f'{why}; {AGAIN}'}")
    return dict(state)


def check_same_settings(path: Path, kept: Any, settings: Mapping[str, Any], error: type[RogsimError]) -> None:
    """Raise the error, which says what differs, unless a stored state has the settings of this command."""
    now = json.loads(json.dumps(settings))
    changed = list(_changed("", kept if isinstance(kept, dict) else {}, now))
    if not changed:
        return
    more = [f"and {len(changed) - SHOWN} more"] if len(changed) > SHOWN else []
    listed = ", ".join([*changed[:SHOWN], *more])
    raise error(f"{path}: was started with other settings ({listed}): repeat that command, or remove the file")


def _changed(name: str, kept: Any, now: Any) -> Iterator[str]:
    """Yield how two settings differ; of tables, and of lists too long to show, only the entries that differ."""
    if kept == now:
        return
    if isinstance(kept, dict) and isinstance(now, dict):
        for key in dict.fromkeys([*now, *kept]):
            yield from _changed(f"{name}.{key}" if name else key, kept.get(key, MISSING), now.get(key, MISSING))
    elif _is_long_list(kept) and _is_long_list(now) and len(kept) == len(now):
        for place, (before, after) in enumerate(zip(kept, now, strict=True), start=1):
            yield from _changed(f"{name}.{place}", before, after)
    else:
        yield f"{name} was {_shown(kept)} and is {_shown(now)}"


def _is_long_list(value: Any) -> bool:
    return isinstance(value, list) and len(json.dumps(value)) > LONGEST_VALUE


def _shown(value: Any) -> str:
    return "missing" if value is MISSING else "none" if value is None else show(value)
