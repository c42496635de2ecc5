"""The command line of the checks."""

from __future__ import annotations

import sys

from rogsim.base.errors import RogsimError
from rogsim.game.kit.conformance.both_sides import PREFIX, digest
from rogsim.game.kit.conformance.checking import game_at, problems_of
from rogsim.game.kit.conformance.faults import told


def main(arguments: list[str]) -> int:
    """Print the problems of a game, or the hash of its games; return the exit code."""
    try:
        match arguments:
            case [where, "--digest", games]:
                print(digest(game_at(where), int(games)))
            case [where] if not where.startswith("-"):
                problems = problems_of(where)
                print("\n".join(problems) or f"{where}: no problems found")
                return bool(problems)
            case _:
                raise RogsimError("name one game, by its id or as package.module:NAME")
    except RogsimError as fault:
        print(f"{PREFIX}{told(fault)}", file=sys.stderr)
        return 2
    return 0
