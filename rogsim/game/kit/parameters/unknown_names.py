"""Why a name is not that of a parameter, and which name may be meant."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping, Sequence

from rogsim.base.validation import show, unknown_key
from rogsim.game.kit.parameters.marks import MARKS
from rogsim.game.parameters import Parameter

MOST_NEAR = 3
CLOSE = 0.75  # how similar a name must be, from 0 to 1


def why_unknown(path: Sequence[str], known: Mapping[str, Parameter], fixed: Collection[str]) -> str:
    """Return why there is no parameter of a name, and similar names.

    Parameters
    ----------
    path
        The name, split at the dots.
    known
        All parameters by name.
    fixed
        The names of values that cannot be changed.
    """
    name, (whole, _, _) = ".".join(path), ".".join(path).rpartition(".")
    if path[-1] in MARKS and _below(whole, known):
        return "is not a parameter: it says whether values have a source"
    inside = _below(name, known)
    if inside:
        return f"is a table: change a parameter in it, such as {inside[0]}"
    if any(name == other or name.startswith(f"{other}.") for other in fixed):
        return "cannot be changed: the rules depend on it"
    if whole in known:
        places = known[whole].places
        return unknown_key(path[-1], places) if places else f"is part of {whole}, which is a single parameter"
    row = ".".join(path[:2])
    if len(path) > 2 and _below(row, fixed):
        inside = _below(row, known)
        return unknown_key(name, inside) if inside else f"unknown: {row} has no parameter that can be changed"
    near = difflib.get_close_matches(name, known, n=MOST_NEAR, cutoff=CLOSE)
    if not near and len(path) > 2 and _below(path[0], known) and not _below(row, known):
        return _unknown_part(path, list(known))
    if near := near or _near(path, list(known)):
        return "unknown, did you mean " + " or ".join(f'"{other}"' for other in near) + "?"
    return _unknown_part(path, list(known))


def _below(name: str, names: Collection[str]) -> list[str]:
    return [other for other in names if other.startswith(f"{name}.")]


def _near(path: Sequence[str], names: list[str]) -> list[str]:
    """Return similar names: in the same table, or elsewhere with the same last part."""
    table = _below(path[0], names)
    inside = [known for known in table if path[-1] in known.rpartition(".")[2] or known.rpartition(".")[2] in path[-1]]
    return inside[:MOST_NEAR] or [known for known in names if known.rpartition(".")[2] == path[-1]][:MOST_NEAR]


def _unknown_part(path: Sequence[str], names: list[str]) -> str:
    """Return the first unknown part of a name, and the known ones in its place."""
    for length in range(1, len(path) + 1):
        before = ".".join(path[: length - 1])
        prefix = f"{before}." if before else ""
        known = list(dict.fromkeys(n[len(prefix) :].split(".")[0] for n in names if n.startswith(prefix)))
        if path[length - 1] not in known:
            where = f"{show(path[length - 1])} in {show(before)} is " if before else ""
            return where + unknown_key(path[length - 1], known)
    return unknown_key(".".join(path), names)
