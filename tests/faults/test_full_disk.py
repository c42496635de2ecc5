"""No room while something is written that is not a run's rows: a line, and all is as it was before.

The system itself refuses to make files larger than a limit, in whatever library writes them.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rogsim.game import compiler
from rogsim.report.document import Picture
from rogsim.report.render.write import write_picture
from tests.command_line import Run
from tests.sketches import DRAWING, MANY

resource = pytest.importorskip("resource", reason="needs a limit of file sizes")

pytestmark = [
    pytest.mark.usefixtures("dice_race"),
    pytest.mark.skipif(compiler.ENABLED, reason="files are written the same way, compiled or not"),
]

SCENARIO = """# Is any seat favoured?
game = "dice-race"
players = [2]
games = 40
seed = 1
bots = ["runner"]
"""
NO_ROOM = 100  # bytes: for no figure and no page
GAME = ["--game", "dice-race"]
WRITERS: dict[str, tuple[list[str], str]] = {  # a command, and what it writes
    "report": (["report", "rows", "--out", "there/page"], "there/page"),
    "compare": (["compare", "x.toml", "--change", "head_start.2 = 1", "--out", "there/page"], "there/page"),
    "tournament": (["tournament", *GAME, "--bots", "runner,walker", "--players", "2", "--games", "40"], "there/t"),
    "profile": (["bots", *GAME, "--profile", "--bots", "runner", "--players", "2", "--games", "40"], "there/p"),
    "csv": (["seats", "rows", "--csv", "there/seats.csv"], "there/seats.csv"),
    "traces": (["trace", *GAME, "--players", "2", "--bots", "runner", "--games", "20"], "there/games.jsonl"),
    "schema": (["scenario", "schema", *GAME, "--out", "there/s.json"], "there/s.json"),
    "tune": (["tune", "moody", *GAME, "--against", "walker", "--players", "2", "--generations", "1"], "there/w.toml"),
}
MORE = {
    "tournament": ["--out", "there/t"],
    "profile": ["--out", "there/p"],
    "traces": ["--out", "there/games.jsonl"],
    "tune": ["--games", "4", "--held-out", "100", "--out", "there/w.toml"],
}


@pytest.fixture
def command(command: Run) -> Run:
    """Run rogsim in a folder with a scenario and its rows: exit code, output, error output."""
    Path("x.toml").write_text(SCENARIO)
    Path("there").mkdir()
    assert command("run", "x.toml", "--out", "rows", "--jobs", "1")[0] == 0
    return command


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Let no file become larger than so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # Python would leave half of it
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        sys.dont_write_bytecode = bytecode


@pytest.fixture
def drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures are drawn the first time and where they find no room; otherwise their files are copied."""
    drawn: dict[str, tuple[dict[str, str], dict[str, bytes]]] = {}

    def write(picture: Picture, folder: Path, image: bool = True) -> dict[str, str]:
        name = picture.name
        if name not in drawn or resource.getrlimit(resource.RLIMIT_FSIZE)[0] == NO_ROOM:
            found = write_picture(picture, folder, image)
            drawn[name] = found, {path.name: path.read_bytes() for path in folder.glob(f"{name}.*")}
            return found
        for file, content in drawn[name][1].items():
            (folder / file).write_bytes(content)
        return drawn[name][0]

    monkeypatch.setattr(DRAWING, write)
    monkeypatch.setattr(MANY, math.inf)


@pytest.mark.usefixtures("drawn_once")
@pytest.mark.parametrize("what", WRITERS)
def test_without_room_all_is_as_it_was(command: Run, what: str) -> None:
    """Exit code 2 and one line with the path; no half of a file, new or over an older one, and nothing beside it."""
    arguments, target = WRITERS[what]
    arguments = [*arguments, *MORE.get(what, [])]
    assert command(*arguments)[0] == 0  # so that games are there, and the place is known to be good
    whole = files(Path("there"))
    largest = max(len(content) for content in whole.values())
    for size in (NO_ROOM, largest // 2, largest - 1):
        with room_for(size):
            code, out, err = command(*arguments)
        told = err.splitlines()[-1]
        assert (code, out, err.count("error")) == (2, "", 1), (size, err)
        assert told.startswith(f"rogsim: error: {target}"), (size, err)
        assert told.endswith(": cannot be written: File too large")
        assert files(Path("there")) == whole
    for path in sorted(Path("there").rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    with room_for(largest // 2):
        assert command(*arguments)[0] == 2
    assert not files(Path("there"))
    assert command(*arguments)[0] == 0
    assert files(Path("there")).keys() == whole.keys()


def files(folder: Path) -> dict[str, bytes]:
    """All files but for the state from which a tuning goes on."""
    found = [path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(".state.json")]
    return {str(path): path.read_bytes() for path in found}


def test_a_scenario_is_not_left_half_written(command: Run) -> None:
    """`scenario new` leaves nothing that would be in the way of the next attempt."""
    with room_for(100):
        code, out, err = command("scenario", "new", "there/mine.toml", "--game", "dice-race")
    assert (code, out, err) == (2, "", "rogsim: error: there/mine.toml: cannot be written: File too large\n")
    assert not files(Path("there"))
    assert command("scenario", "new", "there/mine.toml", "--game", "dice-race")[0] == 0


def test_a_report_that_is_there_stays_readable(command: Run) -> None:
    """The older page is untouched to the last byte when a new one finds no room."""
    assert command("report", "rows", "--out", "there/page")[0] == 0
    before = json.loads(Path("there/page/report.json").read_text())
    with room_for(1000):
        assert command("report", "rows", "--out", "there/page")[0] == 2
    assert json.loads(Path("there/page/report.json").read_text()) == before
