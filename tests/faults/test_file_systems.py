"""What file systems and operating systems do to folders: locks that do not exist, files that nobody asked for."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest

from rogsim.base.errors import ResultsError
from rogsim.base.files import BY_SYSTEMS
from rogsim.game import compiler
from rogsim.game.spec import GameSpec
from rogsim.results.output_folders import alone_at, writing
from rogsim.results.results import Results
from rogsim.results.verify import status_of
from rogsim.scenario.fingerprint import hash_of_files
from rogsim.scenario.scenario_files import known_names
from tests.command_line import Run

fcntl = pytest.importorskip("fcntl", reason="files are locked in another way here")

pytestmark = [pytest.mark.once_uncompiled, pytest.mark.usefixtures("dice_race", "sketched")]

SCENARIO = """# Is any seat favoured?
game = "dice-race"
players = [2]
games = 40
seed = 1
bots = ["runner"]
"""
CANNOT = "cannot be written: its file system cannot lock files; choose a folder on another one"
RACE = ["--game", "dice-race", "--players", "2", "--games", "40", "--bots", "runner,walker"]
WRITERS = {
    "report": ["report", "rows", "--out", "page"],
    "tournament": ["tournament", *RACE, "--out", "page"],
    "profile": ["bots", "--profile", *RACE, "--out", "page"],
}
LEFT = [".DS_Store", "._notes.txt", "Thumbs.db", "desktop.ini", ".nfs000000000123", ".directory"]


@pytest.fixture
def played(dice_race: GameSpec, command: Run, tmp_path: Path) -> Path:
    """A scenario and its results in the current folder."""
    (tmp_path / "x.toml").write_text(SCENARIO)
    assert command("run", "x.toml", "--out", "rows", "--jobs", "1").code == 0
    return tmp_path / "rows"


@pytest.fixture(params=[errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK], ids=errno.errorcode.get)
def no_locks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system on which files cannot be locked."""

    def refuse(*_: object) -> None:
        raise OSError(request.param, os.strerror(request.param))

    monkeypatch.setattr(fcntl, "flock", refuse)


@pytest.mark.usefixtures("no_locks")
def test_what_cannot_be_locked_is_refused_in_a_line(command: Run, tmp_path: Path) -> None:
    """A run, a page and the file of a tuning need locks; nothing is left behind."""
    (tmp_path / "x.toml").write_text(SCENARIO)
    for _ in range(2):
        ended = command("run", "x.toml", "--out", "rows", "--jobs", "1")
        assert (ended.code, ended.out, ended.err) == (2, "", f"rogsim: error: rows: {CANNOT}\n")
        for alone in (writing(tmp_path / "page", lambda folder: None), alone_at(tmp_path / "w.toml", [])):
            with pytest.raises(ResultsError, match=CANNOT), alone:
                pass
    assert [path.name for path in tmp_path.iterdir()] == ["x.toml"]


@pytest.mark.usefixtures("played", "no_locks")
def test_results_can_be_read_where_nothing_can_be_locked(command: Run, tmp_path: Path) -> None:
    """Their status says that nobody is writing, and no file changes."""
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    assert not status_of(tmp_path / "rows").is_locked
    assert command("seats", "rows").code == 0
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


@pytest.mark.usefixtures("no_locks")
def test_code_is_compiled_where_nothing_can_be_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several processes may then compile the same; none waits, and none fails."""
    monkeypatch.setattr(compiler, "cache_folder", lambda: tmp_path)
    with compiler.compiling_alone(lambda: True):
        pass
    assert not list(tmp_path.iterdir())


def leave(folder: Path) -> dict[Path, str]:
    """Leave files in a folder and its subfolders as operating systems do."""
    folders = [folder, *(path for path in folder.rglob("*") if path.is_dir())]
    left = {inside / name: f"{inside.name} {name}" for inside in folders for name in LEFT}
    for path, text in left.items():
        path.write_text(text)
    return left


def test_files_of_systems_do_not_disturb_results(played: Path, command: Run) -> None:
    """They are neither counted nor removed: by `status`, by a run that continues, nor with --replace."""
    rows = Results.open(played).seats().collect()
    chunk = next((played / "seats").glob("*.parquet"))
    left = leave(played)
    left[chunk.with_name(f"._{chunk.name}")] = "of the chunk"
    chunk.with_name(f"._{chunk.name}").write_text("of the chunk")
    status = status_of(played)
    assert (status.is_complete, status.foreign) == (True, ())
    assert Results.open(played).seats().collect().equals(rows)
    for words in (["--games", "60"], ["--seed", "2", "--replace"]):
        ended = command("run", "x.toml", *words, "--out", "rows", "--jobs", "1")
        assert ended.code == 0, ended
        assert {path: path.read_text() for path in left} == left
    assert command("status", "rows").code == 0
    shutil.rmtree(played / "seats")
    (played / "seats").mkdir()
    assert status_of(played).counts[0].missing == 40


@pytest.mark.parametrize("name", WRITERS)
def test_files_of_systems_stay_in_a_page_that_is_replaced(played: Path, command: Run, name: str) -> None:
    """Also those in its subfolders."""
    for _ in range(2):
        ended = command(*WRITERS[name])
        assert ended.code == 0, ended
        left = leave(played.with_name("page"))
    assert {path: path.read_text() for path in left} == left
    assert {path.name for path in played.parent.iterdir()} <= {"page", "rows", "x.toml", "reports"}


def test_a_file_of_the_users_is_none_of_a_system(played: Path, command: Run) -> None:
    """A link or a folder with such a name, or a file with nearly such a name, is refused as before."""
    (played / "seats" / ".DS_Store").symlink_to(played / "manifest.json")
    assert 'holds "seats/.DS_Store"' in command("run", "x.toml", "--out", "rows").err
    assert not [name for name in ("DS_Store", "._", "thumbs.db.txt", ".nfs", "notes") if BY_SYSTEMS.fullmatch(name)]


def test_files_of_systems_are_no_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They change neither what identifies a run nor the list of scenarios."""
    monkeypatch.chdir(tmp_path)
    Path("scenarios").mkdir()
    Path("scenarios/x.toml").write_text(SCENARIO)
    found = hash_of_files(tmp_path, tmp_path.rglob("*")), known_names()
    Path("scenarios/._x.toml").write_bytes(b"\0")
    assert (hash_of_files(tmp_path, tmp_path.rglob("*")), known_names()) == found
