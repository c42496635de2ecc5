"""Runs that are killed: whatever moment it is, the next run goes on, and the rows are those of an undisturbed one."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rogsim
from rogsim.base.errors import ResultsError, RogsimError
from rogsim.base.files import DRAFT
from rogsim.game import compiler
from rogsim.results.manifest import read_manifest
from rogsim.results.results import Results
from rogsim.results.verify import status_of
from rogsim.simulation.chunks import TABLES
from tests.command_line import rogsim_command
from tests.dice_process import Command, Nursery, open_nursery, scenario_text, start_command

pytestmark = [
    pytest.mark.usefixtures("dice_race", "sketched"),
    pytest.mark.skipif(not compiler.ENABLED, reason="a run is killed the same way, compiled or not"),
    pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs Linux"),
]

PATIENCE = 120  # seconds until a test gives up waiting for another process
FIXED: dict[str, Any] = {
    "game": "dice-race",
    "players": [3, 2],
    "games": 300,
    "seed": 3,
    "bots": ["runner", "moody", "runner"],
    "options": {"long": 20},
}
ADAPTIVE = FIXED | {"players": [2], "games": 50_000, "until": ["seat_share ± 4 pp"], "bots": ["runner"]}
GO_ON = "The same command continues from there."
SCENARIO = """# Is any seat favoured?
game = "dice-race"
players = [2, 3]
games = 400
seed = 1
bots = ["runner"]
"""


@dataclass
class Sights:
    """What was seen in folders at the moments of the kills."""

    kills: int = 0
    stages: set[tuple[int, int]] = field(default_factory=set)  # how many files of seats and of games there were
    drafts: int = 0  # kills that left a draft
    halves: int = 0  # kills that left seats without their games
    whole: dict[Path, int] = field(default_factory=dict)  # files of whole chunks, and when they were written

    def look(self, folder: Path) -> None:
        """Look at what a killed player left."""
        seats, games = (
            {path.name.rpartition("-")[0]: path for path in (folder / table).glob("*.parquet")} for table in TABLES
        )
        self.kills += 1
        self.stages.add((len(seats), len(games)))
        self.drafts += any(name.endswith(DRAFT) for name in names(folder))
        self.halves += seats.keys() != games.keys()
        finished = [table[chunk] for table in (seats, games) for chunk in seats.keys() & games.keys()]
        self.check()
        self.whole |= {path: path.stat().st_mtime_ns for path in finished}

    def check(self) -> None:
        """Make sure that what was whole once is still there and was not written again."""
        assert all(path.stat().st_mtime_ns == written for path, written in self.whole.items())


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with open_nursery() as opened:
        yield opened


@pytest.mark.parametrize(
    ("keys", "chunks", "kills", "stages", "amid"),
    [(FIXED, [1, 2, 3, 5], 30, 15, 3), (ADAPTIVE, [50, 100, 150], 15, 8, 0)],
    ids=["fixed", "until"],
)
def test_a_run_killed_again_and_again_gives_the_rows_of_an_undisturbed_one(
    tmp_path: Path, nursery: Nursery, keys: Mapping[str, Any], chunks: list[int], kills: int, stages: int, amid: int
) -> None:
    """However often it is killed, and when: no row is wrong, double or missing, and no finished game is replayed."""
    expected, sights, chance = rogsim.run(keys), Sights(), random.Random(1)
    while sights.kills < kills:  # a folder may be done before: then the next one
        folder = tmp_path / f"after-{sights.kills}"
        while sights.kills < kills and killed(nursery, folder, keys, chance.choice(chunks), chance):
            sights.look(folder)
        rogsim.run(keys, out=folder)
        sights.check()
        check_rows(folder, expected)
        assert not [name for name in names(folder) if name.endswith(DRAFT)]
    # Or else the kills missed what they were to hit.
    assert len(sights.stages) >= stages
    assert min(sights.drafts, sights.halves) >= amid


def killed(nursery: Nursery, folder: Path, keys: Mapping[str, Any], chunk: int, chance: random.Random) -> bool:
    """Let somebody play into a folder, and kill it at a random moment; False if it was done before that.

    Most are killed a few milliseconds after some more files have appeared, the others while they start.
    """
    starting = chance.random() < 0.1
    files, seconds = (0, chance.uniform(0, 0.1)) if starting else (chance.randint(1, 10), chance.uniform(0, 0.01))
    before = names(folder)
    player = nursery.start(scenario=keys, out=str(folder), chunk=chunk, jobs=chance.choice([1, 2]))
    while is_alive(player) and len(names(folder) - before) < files:
        time.sleep(0.002)
    time.sleep(seconds)
    os.kill(player, signal.SIGKILL)
    end = nursery.wait()
    assert end in (0, -signal.SIGKILL)
    return end != 0


def names(folder: Path) -> set[str]:
    """The names of all files in a results folder and its tables."""
    found: set[str] = set()
    for table in ("", *TABLES):  # in strings: asked a thousand times
        with suppress(FileNotFoundError):
            found.update([f"{table}/{name}" for name in os.listdir(f"{folder}/{table}")])  # noqa: PTH208
    return found


def is_alive(player: int) -> bool:
    """Say whether a process that nobody has waited for still runs."""
    return Path(f"/proc/{player}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def check_rows(folder: Path, expected: Results) -> None:
    """The rows of a folder, and of a glob over its files, are those of another run."""
    opened = Results.open(folder)
    for table, keys in (("seats", ["players", "game", "seat"]), ("games", ["players", "game"])):
        rows = getattr(expected, table)().collect()
        assert getattr(opened, table)().collect().equals(rows)
        assert pl.read_parquet(folder / table / "*.parquet").sort(keys).equals(rows.sort(keys))


MORTAL = """
import os, signal, time
from contextlib import suppress
from pathlib import Path

HOME = Path(__file__).parent


class Mortal:
    def choose(self, observation, actions):
        time.sleep(0.001)
        if (HOME / "die").exists() and len(list(HOME.glob("out/seats/*.parquet"))) >= 12:
            with suppress(FileNotFoundError):  # the other worker was faster: only one dies
                (HOME / "die").unlink()
                os.kill(os.getpid(), signal.SIGKILL)
        return observation["turns"] % len(actions)
"""


def test_a_worker_process_that_is_killed_costs_only_its_own_games(tmp_path: Path) -> None:
    """The run ends with one plain error that says what is kept; the next run gives the rows of an undisturbed one."""
    (tmp_path / "mortal.py").write_text(MORTAL)
    keys = FIXED | {"bots": [f"{tmp_path}/mortal.py:Mortal"], "games": 60}
    expected, folder = rogsim.run(keys, jobs=1), tmp_path / "out"
    (tmp_path / "die").touch()
    with pytest.raises(RogsimError, match=r"its process was killed; it may have run out of memory") as end:
        rogsim.run(keys, out=folder, jobs=2, chunk=5, backend="processes")
    kept = status_of(folder).stored
    assert 55 <= kept < 120
    assert str(end.value).endswith(f"; {kept} finished games are kept in {folder}")
    assert "\n" not in str(end.value)
    assert read_manifest(folder).state == "stopped"
    assert "its process was killed" in str(read_manifest(folder).sessions[-1].stopped_by)
    with pytest.raises(ResultsError, match="is not complete"):
        Results.open(folder)
    again = rogsim.run(keys, out=folder, jobs=2, backend="processes")
    assert sum(again.manifest["sessions"][-1]["played"].values()) == 120 - kept
    check_rows(folder, expected)


def test_a_second_run_into_the_same_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends with one line and exit code 2; the first run is not disturbed and has the right rows."""
    (tmp_path / "x.toml").write_text(SCENARIO.replace("400", "100"))
    arguments = ["run", "x.toml", "--chunk", "2", "--out", "out"]
    with start_command(*arguments, cwd=tmp_path) as first:
        wait_for_files(tmp_path / "out", 10, first)
        monkeypatch.chdir(tmp_path)
        ended = rogsim_command(*arguments)
        assert first.poll() is None
        line = "rogsim: error: out: another run is writing there; wait for it to finish, or name another folder\n"
        assert ended == (2, "", line)
        assert status_of(tmp_path / "out").is_locked
        assert first.wait(PATIENCE) == 0
    check_rows(tmp_path / "out", rogsim.run("x.toml"))
    assert not status_of(tmp_path / "out").is_locked


@pytest.mark.parametrize(
    ("backend", "bot", "number"),
    [
        ("threads", "runner", signal.SIGINT),
        ("processes", "runner", signal.SIGINT),
        ("processes", "mortal.py:Mortal", signal.SIGINT),
        ("threads", "runner", signal.SIGTERM),
        ("processes", "runner", signal.SIGTERM),
        ("threads", "runner", signal.SIGHUP),
    ],
)
def test_ctrl_c_and_the_end_of_a_session_keep_what_was_played(
    tmp_path: Path, backend: str, bot: str, number: signal.Signals
) -> None:
    """The usual exit code, no traceback, a line that says what is kept; the next run continues from there."""
    (tmp_path / "mortal.py").write_text(MORTAL)
    games = 400 if bot == "runner" else 100  # for each number of players; one in Python takes long
    (tmp_path / "x.toml").write_text(SCENARIO.replace("runner", bot).replace("400", str(games)))
    arguments = ["run", "x.toml", "--chunk", "2", "--jobs", "2", "--out", "out", "--backend", backend]
    with start_command(*arguments, cwd=tmp_path) as process:
        wait_for_files(tmp_path / "out", 20, process)
        if number == signal.SIGINT:
            os.killpg(process.pid, number)  # as a terminal does: to the run and to all of its workers
        else:
            process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    kept = status_of(tmp_path / "out").stored
    assert 0 < kept < 2 * games, (process.returncode, out, err)
    messages = [f"Interrupted. {games} finished games are kept in out. {GO_ON}\n" for games in (kept, kept - 2)]
    assert (process.returncode, out) == (130 if number == signal.SIGINT else -number, "")
    assert err in messages  # the last chunk may have come to lie there and not have been counted
    manifest = read_manifest(tmp_path / "out")
    assert (manifest.state, manifest.sessions[-1].stopped_by) == (
        "stopped",
        "Ctrl-C" if number == signal.SIGINT else number.name,
    )
    rogsim.run(tmp_path / "x.toml", out=tmp_path / "out")
    assert sum(read_manifest(tmp_path / "out").sessions[-1].played.values()) == 2 * games - kept
    check_rows(tmp_path / "out", rogsim.run(tmp_path / "x.toml"))


SLEEPER = """import time
from pathlib import Path


class Sleeper:
    def choose(self, view, options):
        Path("asked").touch()
        time.sleep(60)
        return 0
"""


@pytest.mark.parametrize(
    "command", ["run x.toml --out out", "compare x.toml --change spaces.more=1"], ids=["run", "compare"]
)
def test_ctrl_c_before_anything_was_played_says_so(tmp_path: Path, command: str) -> None:
    """One line, and nothing is left behind."""
    (tmp_path / "sleeper.py").write_text(SLEEPER)
    scenario = scenario_text(games=100).split("[sweep")[0]  # which `run` would mention
    (tmp_path / "x.toml").write_text(scenario.replace("runner", "sleeper.py:Sleeper"))
    with start_command(*command.split(), cwd=tmp_path) as process:
        until = time.monotonic() + PATIENCE
        while not (tmp_path / "asked").exists():
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < until
            time.sleep(0.005)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (130, "", "Interrupted; nothing was stored.\n")
    assert not list(tmp_path.rglob("*.parquet"))


def test_a_job_that_ignores_ctrl_c_can_be_ended(tmp_path: Path) -> None:
    """As those that a script starts in the background do: SIGTERM stops it as if it did not."""
    command = [sys.executable, "-m", "rogsim", "run", "seat-order", "--bots", "random", "--games", "100000"]
    command += ["--players", "2", "--jobs", "1", "--chunk", "2", "--out", "out"]
    script = ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *command]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(Path(rogsim.__file__).parents[1])}
    with subprocess.Popen(script, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True) as process:
        until = time.monotonic() + PATIENCE
        while len(list(tmp_path.glob("out/games/*.parquet"))) < 2:  # so that one has been counted
            assert process.poll() is None
            assert time.monotonic() < until
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == -signal.SIGTERM
    assert GO_ON in err
    manifest = read_manifest(tmp_path / "out")
    assert (manifest.state, manifest.sessions[-1].stopped_by) == ("stopped", "SIGTERM")


def wait_for_files(folder: Path, count: int, process: Command) -> None:
    """Wait until there are so many files in a results folder."""
    until = time.monotonic() + PATIENCE
    while len(names(folder)) < count:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.005)


SEVERAL = {
    "sweep": ["sweep", "x.toml"],
    "compare": ["compare", "x.toml", "--change", "head_start.2 = 1"],
    "optimize": ["optimize", "x.toml", "--confirm", "100"],
}


STOPS = [("sweep", signal.SIGKILL), ("compare", signal.SIGINT), ("optimize", signal.SIGKILL)]


@pytest.mark.parametrize(("command", "number"), STOPS, ids=["sweep-kill", "compare-ctrl-c", "balance-kill"])
def test_many_runs_go_on_from_where_they_were_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, number: int
) -> None:
    """The same command plays only what is missing, and reports the same as an undisturbed one."""
    arguments = [*SEVERAL[command], "--chunk", "10", "--jobs", "1", "--out", "page"]
    for where in ("calm", "stopped"):
        (tmp_path / where).mkdir()
        (tmp_path / where / "x.toml").write_text(scenario_text(games=100))
    with start_command(*arguments, cwd=tmp_path / "stopped") as process:
        until = time.monotonic() + PATIENCE
        while len(played := played_files(tmp_path / "stopped")) < 15:
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < until
            time.sleep(0.005)
        os.killpg(process.pid, number)
        _, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == (-number if number == signal.SIGKILL else 130)
        kept = f"Interrupted. Finished games are kept in reports/games. {GO_ON}\n"
        assert err == ("" if number == signal.SIGKILL else kept)
    assert not (tmp_path / "stopped" / "page").exists()
    messages = []
    for where in ("calm", "stopped"):
        monkeypatch.chdir(tmp_path / where)
        code, out, err = rogsim_command(*arguments)
        assert (code, "error" in err) == (0, False), err
        messages.append(out)
    assert messages[0] == messages[1]
    after = played_files(tmp_path / "stopped")
    assert {path: after[path] for path in played} == played
    assert not [path for path in (tmp_path / "stopped").rglob("*") if path.name.endswith(".new")]


def played_files(folder: Path) -> dict[Path, int]:
    """The files of rows below a folder, and when they were written."""
    return {path: path.stat().st_mtime_ns for path in folder.glob("reports/games/*/games/*.parquet")}


def test_two_sweeps_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    """Both report the same, or the second one gets a line that says that the folder is in use."""
    (tmp_path / "x.toml").write_text(scenario_text(games=24))
    arguments = ["sweep", "x.toml", "--chunk", "4", "--jobs", "1", "--out"]
    with (
        start_command(*arguments, "one", cwd=tmp_path) as first,
        start_command(*arguments, "two", cwd=tmp_path) as second,
    ):
        ended = [(process.communicate(timeout=PATIENCE), process.returncode) for process in (first, second)]
    refused = [err for (_, err), code in ended if code]
    assert len(refused) < 2
    assert all(err.count("\n") == 1 and "another run is writing there; wait for it" in err for err in refused)
    assert len({out.replace("two", "one") for (out, _), code in ended if not code}) == 1
