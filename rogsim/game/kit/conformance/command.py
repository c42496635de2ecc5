"""The command line of the checks."""

from __future__ import annotations

import sys
from contextlib import suppress

from rogsim.base.errors import RogsimError
from rogsim.base.signals_and_streams import end_quietly, flush
from rogsim.game.kit.conformance.both_sides import PREFIX, digest
from rogsim.game.kit.conformance.checking import game_at, problems_of
from rogsim.game.kit.conformance.faults import in_one_line

BAD_INPUT, INTERRUPTED = 2, 130  # exit codes


def main(arguments: list[str]) -> int:
    """Print the problems of a game, or the hash of its games; return the exit code."""
    try:
        code = _answer(arguments)
        sys.stdout.flush()
    except RogsimError as fault:
        return _fail(in_one_line(fault))
    except BrokenPipeError:
        return end_quietly()
    except OSError as fault:  # such as a full disk
        flush(sys.stdout)
        return _fail(fault.strerror or str(fault))
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _fail(text: str) -> int:
    with suppress(OSError):  # the exit code is what is left to say it
        print(f"{PREFIX}{text}", file=sys.stderr)
    flush(sys.stderr)
    return BAD_INPUT


def _answer(arguments: list[str]) -> int:
    """Print what was asked for, and return the exit code: 1 if a game has problems."""
    match arguments:
        case [where, "--digest", games]:
            print(digest(game_at(where), int(games)))
        case [where] if not where.startswith("-"):
            problems = problems_of(where)
            print("\n".join(problems) or f"{where}: no problems found")
            return int(bool(problems))
        case _:
            raise RogsimError("name one game, by its id or as package.module:NAME")
    return 0
