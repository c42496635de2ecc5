"""Protects a run from bots that did not come with its game: bots that never return, crash, or print.

Games with such bots are played in small pieces, so that a thread that watches the clock knows which game takes too
long. A worker process notes what it plays before it plays it; after a crash, the note says which bot it was.
"""

from __future__ import annotations

import ctypes
import faulthandler
import math
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from rogsim.base.errors import RogsimError
from rogsim.base.validation import not_allowed
from rogsim.bots.printing import spoken_by
from rogsim.game.agents import in_a_line
from rogsim.game.batches import Batch
from rogsim.game.spec import GameSpec
from rogsim.simulation.executors.worker_lifetime import end_with_parent

VARIABLE = "ROGSIM_GAME_SECONDS"  # an environment variable, so that workers find it too
DEFAULT_SECONDS = 600.0  # that a single game may take
SHORT, LONG = 0.05, 0.2  # range of seconds that a piece should take
CHECK_SECONDS = 0.1  # between two checks of the clock
GRACE = 3.0  # seconds that Python code is given to stop before its process is ended
NOTE, WORDS, CRASH = ".playing", ".words", ".crash"  # suffixes of the files of a worker, named after its process id


def game_seconds() -> float:
    """Return how many seconds a single game may take; RogsimError if the environment variable is not a valid limit."""
    text = os.environ.get(VARIABLE, "")
    return read_seconds(text, VARIABLE) if text else DEFAULT_SECONDS


def limit_games(seconds: str | None) -> None:
    """Set how many seconds a single game may take, in this process and in all workers that it starts.

    Parameters
    ----------
    seconds
        The limit as typed; None changes nothing.

    Raises
    ------
    RogsimError
        If it is not a valid limit.
    """
    if seconds is not None:
        read_seconds(seconds, "--game-seconds")
        os.environ[VARIABLE] = seconds
    game_seconds()


def read_seconds(text: str, where: str) -> float:
    """Parse a limit in seconds, `inf` for none; RogsimError if it is not a number above 0.

    Parameters
    ----------
    where
        The option or variable, for the message.
    """
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not seconds > 0:
        raise RogsimError(f"{where}: {not_allowed(text, 'must be a number of seconds above 0, or inf')}")
    return seconds


def play_watched(
    spec: GameSpec, setup: Any, batch: Batch, seat_rows: NDArray[Any], game_rows: NDArray[Any], limit: float
) -> None:
    """Play a batch with foreign bots, as `spec.play` does, in pieces of about a tenth of a second.

    Parameters
    ----------
    seat_rows, game_rows
        Structured arrays, filled in place.
    limit
        Seconds that a single game may take.

    Raises
    ------
    RogsimError
        If the limit is exceeded, or if a bot raises an error that the game does not expect; the error names the bots.
    """
    start, size, count = 0, 1, len(batch.deals)
    names = ", ".join(dict.fromkeys(bot.name for bot in batch.line_up if bot.foreign))
    while start < count:
        stop = min(start + size, count)
        piece = replace(batch, deals=batch.deals[start:stop], seating=batch.seating[start:stop])
        begin = time.monotonic()
        rows = seat_rows[start * batch.players : stop * batch.players], game_rows[start:stop]
        _play_piece(spec, setup, piece, rows, names, limit)
        seconds = time.monotonic() - begin
        size = 2 * size if seconds < SHORT else max(1, size // 2) if seconds > LONG else size
        start = stop


def start_worker(parent: int, folder: str) -> None:
    """Prepare a new worker process: it ends with its parent, prints to standard error, and leaves notes.

    Parameters
    ----------
    parent
        Id of the process that started it.
    folder
        Folder for its notes, which `last_words` reads.
    """
    global _notes
    end_with_parent(parent)
    os.dup2(2, 1)
    _notes = Path(folder) / str(os.getpid())
    # The file stays open: the system writes to it while the process dies.
    faulthandler.enable(_notes.with_suffix(CRASH).open("w"), all_threads=False)


def last_words(folder: Path) -> str | None:
    """Return one line on what ended a worker process, according to its notes; None if there are none."""
    for words in sorted(folder.glob(f"*{WORDS}")):
        return words.read_text(encoding="utf-8")
    for crash in sorted(folder.glob(f"*{CRASH}")):
        note = crash.with_suffix(NOTE)
        if (report := crash.read_text(encoding="utf-8", errors="replace")) and note.exists():
            kind = report.splitlines()[0].removeprefix("Fatal Python error: ")
            return f"{note.read_text(encoding='utf-8')}: its process crashed ({kind}). {HINT}"
    return None


class _TooLong(BaseException):
    """Raised from outside in a thread whose game takes too long."""


HINT = 'Examine it with "rogsim check-bot"'
_notes: Path | None = None  # in a worker process: path of its notes, without suffix


@dataclass
class _Game:
    """A piece that is being played: its description, its limit in seconds, and the time when it must have ended."""

    words: str
    limit: float
    end: float
    thread: int = field(default_factory=threading.get_ident)
    interrupted: bool = False


class _Watch:
    """A thread that watches the clock for all threads of this process that play."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._playing: dict[int, _Game] = {}
        self._started = False

    @contextmanager
    def over(self, game: _Game) -> Iterator[None]:
        with self._lock:
            self._playing[game.thread] = game
            if not self._started:
                threading.Thread(target=self._watch, name="watch games", daemon=True).start()
                self._started = True
        try:
            yield
        finally:
            with self._lock:
                del self._playing[game.thread]

    def _watch(self) -> None:
        while True:
            time.sleep(CHECK_SECONDS)
            now = time.monotonic()
            with self._lock:
                late = [game for game in self._playing.values() if now > game.end]
                for game in late:
                    if not game.interrupted:
                        game.interrupted = True
                        ctypes.pythonapi.PyThreadState_SetAsyncExc(
                            ctypes.c_ulong(game.thread), ctypes.py_object(_TooLong)
                        )
                    elif now > game.end + GRACE:
                        _end_process(_late_words(game))


_watch = _Watch()


def _play_piece(
    spec: GameSpec, setup: Any, piece: Batch, rows: tuple[NDArray[Any], NDArray[Any]], names: str, limit: float
) -> None:
    games = f"game {piece.deals[0]}" + (f" to {piece.deals[-1]}" if len(piece.deals) > 1 else "")
    words = f'bot "{names}", {games} with {piece.players} players'
    if _notes is not None:
        _notes.with_suffix(NOTE).write_text(words, encoding="utf-8")
    game = _Game(words, limit, time.monotonic() + limit)
    try:
        with _watch.over(game), spoken_by(names):
            spec.play(setup, piece, *rows)
    except _TooLong:
        raise RogsimError(_late_words(game)) from None
    except RogsimError:
        raise
    except Exception as fault:
        raise RogsimError(f"{words}: raised {in_a_line(fault)}. {HINT}") from fault


def _late_words(game: _Game) -> str:
    more = f"--game-seconds or {VARIABLE} raises the limit"
    return f"{game.words}: not finished after {game.limit:g} s. Is there an endless loop? {HINT}; {more}"


def _end_process(words: str) -> None:
    """End this process: compiled code cannot be stopped in any other way."""
    if _notes is not None:
        _notes.with_suffix(WORDS).write_text(words, encoding="utf-8")
        os._exit(1)
    print(f"rogsim: error: {words}", file=sys.stderr, flush=True)
    os._exit(2)
