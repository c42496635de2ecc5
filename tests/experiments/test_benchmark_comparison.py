"""Comparing benchmarks: planted ratios are named, and files that are no benchmarks are refused in one line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from rogsim.base.errors import RogsimError
from rogsim.cli.games import bench
from rogsim.experiments.benchmark_comparison import (
    StoredBenchmark,
    as_data,
    check_target,
    compare_benchmarks,
    read_benchmark,
    write_benchmark,
)
from rogsim.game.registry import get_game
from rogsim.report.console.bench_tables import print_compared
from scripts import bench_against


def results(start: float = 1.0, play: float = 1e-6) -> dict[str, Any]:
    """A benchmark with times that vary by a few percent."""
    noise = [1 + 0.01 * (step % 5) for step in range(11)]
    speed = {"bot": "random", "players": 2, "seconds_per_decision": [play * each for each in noise]}
    return {
        "game": "dice-race",
        "signature": "00ff00ff00ff00ff",
        "warm_starts": [start * each for each in noise],
        "speeds": [speed],
    }


def stored(**times: float) -> StoredBenchmark:
    return StoredBenchmark.model_validate(results(**times))


def test_what_became_faster_and_what_slower_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """A start in half the time, and play in 1.3 times the time."""
    print_compared(compare_benchmarks(stored(), stored(start=0.5, play=1.3e-6)))
    lines = capsys.readouterr().out.strip().splitlines()
    assert lines[1].split() == ["start", "1.00", "s", "0.50", "s", "0.50", "(0.49", "to", "0.51)", "faster"]
    assert lines[2].split()[:7] == ["random,", "2", "players", "1.00", "µs", "1.30", "µs"]
    assert lines[2].endswith("  slower")


def test_the_same_times_are_no_clear_difference() -> None:
    """Neither is faster."""
    data = as_data(compare_benchmarks(stored(), stored()))
    assert [entry["verdict"] for entry in data] == ["no clear difference"] * 2
    assert all(low <= 1 <= high for low, high in (entry["interval"] for entry in data))


def test_a_stored_benchmark_is_read_again(tmp_path: Path) -> None:
    """What `--out` writes, `--against` reads."""
    path = tmp_path / "bench.json"
    write_benchmark(path, results())
    assert read_benchmark(path, "dice-race") == stored()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("{", "is not from rogsim bench --out"),
        ("[]", "is not from rogsim bench --out: the file"),
        (json.dumps(results() | {"warm_starts": [0.0]}), "is not from rogsim bench --out: warm_starts.0"),
        (json.dumps(results() | {"game": "chess"}), "is about chess, not dice-race"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: str, why: str) -> None:
    """One line says what is wrong."""
    path = tmp_path / "bench.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(RogsimError) as fault:
        read_benchmark(path, "dice-race")
    assert why in str(fault.value)
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize("place", ["taken.txt", "taken.txt/new.json", ".", "/proc/new.json"])
def test_a_place_for_no_benchmark_is_refused_before_anything_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """One line names the place as it was given, and nothing there changes."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("rogsim.simulation.benchmark.measure", lambda spec: pytest.fail("it was measured"))
    Path("taken.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(RogsimError) as fault:
        bench(out=Path(place))
    assert place in str(fault.value)
    assert "\n" not in str(fault.value)
    assert Path("taken.txt").read_text(encoding="utf-8") == "mine"


def test_an_older_benchmark_may_be_overwritten_and_folders_are_created(tmp_path: Path) -> None:
    """As with other commands."""
    path = tmp_path / "new" / "bench.json"
    for start in (1.0, 2.0):
        check_target(path)
        write_benchmark(path, results(start))
    assert read_benchmark(path, "dice-race").warm_starts[0] == 2.0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([".", "--game", "chess"], '--game: no game "chess": choose from '),
        ([".", "--pairs", "2"], "--pairs: must be"),
        (["elsewhere"], "elsewhere is not a checkout of rogsim"),
    ],
)
def test_the_script_refuses_wrong_words(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2 and one line, before a process starts."""
    with pytest.raises(SystemExit) as stop:
        bench_against.main(words)
    assert stop.value.code == 2
    assert why in capsys.readouterr().err


def test_a_checkout_that_cannot_play_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A package without a game in place of a checkout."""
    (tmp_path / "rogsim").mkdir()
    for name in ("__init__.py", "__main__.py"):
        (tmp_path / "rogsim" / name).touch()
    with pytest.raises(SystemExit) as stop:
        bench_against.main([str(tmp_path)])
    assert stop.value.code == 2
    assert f"rogsim: error: {tmp_path} cannot play {get_game().id}" in capsys.readouterr().err


def test_the_command_stores_a_benchmark_and_compares_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--out` writes what `--against` names; other games are mentioned."""
    path = tmp_path / "bench.json"
    figures = {"rules_version": "1", "bytes_per_game_in_memory": 720, "bytes_per_game_in_rows": {"2": 111}}
    figures |= {"cold_start_seconds": 40.0, "warm_start_seconds": 1.0, "game": get_game().id}

    def measured(**other: Any) -> None:
        found = results() | figures | other
        found["speeds"][0] |= {"games_per_second": 1.0, "decisions_per_second": 1e6, "decisions_per_game": 80.0}
        monkeypatch.setattr("rogsim.simulation.benchmark.measure", lambda *_: found)

    measured()
    bench(out=path)
    assert "ratio" not in capsys.readouterr().out
    measured(warm_starts=[2.0] * 11, signature="ffffffffffffffff")
    bench(against=path)
    shown = capsys.readouterr().out
    assert re.search(r"^start +1\.00 s +2\.00 s +\S+ \(.*\) +slower$", shown, re.MULTILINE)
    assert "The games differ, too" in shown
    bench(against=path, json=True)
    assert [entry["verdict"] for entry in json.loads(capsys.readouterr().out)["against"]] == [
        "slower",
        "no clear difference",
    ]
