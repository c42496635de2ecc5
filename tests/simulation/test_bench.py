"""The benchmark: what it measures and how it prints it, but never how fast it is."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rogsim.base.errors import RogsimError
from rogsim.base.process_settings import ROOT
from rogsim.game import compiler
from rogsim.game.registry import get_game
from rogsim.report.console.bench_tables import print_benchmark
from rogsim.simulation import benchmark
from rogsim.simulation.benchmark import signature
from tests.command_line import rogsim_command
from tests.dice_game.spec import GAME

pytestmark = pytest.mark.once_compiled


def test_a_speed_tells_games_and_decisions_of_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is one speed for each player count, with consistent numbers, and each round has its own process."""
    started = []

    def run(command: list[str], **settings: Any) -> Any:
        assert settings["env"]["PYTHONPATH"].split(os.pathsep)[0] == str(ROOT)  # wherever it is started
        started.append(subprocess.Popen(command, stdout=settings["stdout"], env=settings["env"], text=True))
        return subprocess.CompletedProcess(command, 0, started[-1].communicate()[0])

    monkeypatch.setattr(benchmark.subprocess, "run", run)
    monkeypatch.setattr(benchmark, "ROUNDS", 2)
    spec, folder = get_game(), compiler.cache_folder()
    assert folder is not None
    asked = [("random", players) for players in spec.players]
    speeds = benchmark.speeds_of(spec, asked, str(folder.parent), seconds=0.001)
    assert [process.returncode for process in started] == [0, 0]
    assert len({process.pid for process in started} | {os.getpid()}) == 3
    assert [speed.players for speed in speeds] == list(spec.players)
    for speed in speeds:
        assert speed.decisions_per_game > 0
        assert len(speed.seconds_per_decision) == 2
        assert speed.decisions_per_second == pytest.approx(speed.games_per_second * speed.decisions_per_game)
        assert speed.decisions_per_second == pytest.approx(1 / min(speed.seconds_per_decision))


def test_a_round_that_fails_is_an_error_of_one_line(tmp_path: Path) -> None:
    """What went wrong is printed by its process; here it cannot find the game, which only this process knows."""
    with pytest.raises(RogsimError, match="a process that plays for the benchmark failed with exit code 1"):
        benchmark.speeds_of(GAME, [("runner", 2)], str(tmp_path), seconds=0.001)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--bots", "nobody"], '--bots: no bot "nobody": choose from'),
        (["--bots", "random,random"], '--bots: "random" is listed twice'),
        (["--players", "9"], "--players: 9 is not allowed: choose from 2, 3, 4"),
        (["--seconds", "0"], "--seconds: 0.0 is not allowed: must be from 1 to 600"),
        (["--seconds", "601"], "--seconds: 601.0 is not allowed: must be from 1 to 600"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_one_line(words: list[str], message: str) -> None:
    """Before anything is compiled."""
    ended = rogsim_command("bench", *words)
    assert ended.code == 2
    assert message in ended.err
    assert len(ended.err.splitlines()) == 1


def test_only_what_is_asked_for_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each bot with each number of players, for as long as asked."""
    measured = []

    def speeds_of(spec: Any, asked: Any, cache: str, before_each: Any, seconds: float) -> list[Any]:
        measured.append((list(asked), seconds))
        before_each()
        return []

    monkeypatch.setattr(benchmark, "speeds_of", speeds_of)
    monkeypatch.setattr(benchmark, "start_time", lambda spec, asked, cache: float(len(asked)))
    monkeypatch.setattr(benchmark, "signature", lambda spec: "00ff00ff00ff00ff")
    ended = rogsim_command("bench", "--bots", "random", "--players", "2,3", "--seconds", "11", "--json")
    assert measured == [([("random", 2), ("random", 3)], 1.0)]
    assert json.loads(ended.out)["cold_start_seconds"] == 2.0


def test_rows_of_more_players_take_more_memory() -> None:
    """One row for each seat and one for the game."""
    sizes = benchmark.row_bytes(GAME)
    two, three = sizes["2"], sizes["3"]
    assert two < three < 2 * two


def test_the_text_tells_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    """All numbers that --json prints are in the table, too."""
    results = {
        "game": "dice-race",
        "rules_version": "7",
        "cold_start_seconds": 41.23,
        "warm_start_seconds": 1.56,
        "bytes_per_game_in_memory": 720,
        "bytes_per_game_in_rows": {"2": 111, "3": 222},
        "signature": "00ff00ff00ff00ff",
        "speeds": [
            {
                "bot": "random",
                "players": 2,
                "games_per_second": 1234.5,
                "decisions_per_second": 98765.4,
                "decisions_per_game": 80.0,
            }
        ],
    }
    print_benchmark(results)
    text = capsys.readouterr().out
    for shown in ("dice-race", "7", "41.2 s", "1.6 s", "720", "111", "222", "00ff00ff00ff00ff", "98,765", "80.0"):
        assert shown in text


def test_a_signature_is_the_same_twice_and_another_for_other_games() -> None:
    """Hashing the same games again gives the same digits."""
    assert signature(GAME, 4) == signature(GAME, 4) != signature(GAME, 5)
