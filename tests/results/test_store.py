"""Results folders that are resumed, extended, refused and replaced: the rows are those of an undisturbed run."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from filelock import FileLock

import rogsim
from rogsim.base.errors import ResultsError
from rogsim.game.spec import GameSpec
from rogsim.results.inventory import LOCK
from rogsim.results.results import Results
from rogsim.results.store import PATIENCE, Store, check_free, open_store
from rogsim.scenario.model import load
from rogsim.simulation.chunks import PlayedChunk

KEYS: dict[str, Any] = {"game": "dice-race", "players": [3, 2], "games": 60, "seed": 9, "bots": ["moody"]}

pytestmark = [pytest.mark.once_compiled, pytest.mark.usefixtures("dice_race")]


def rows(results: Results) -> list[pl.DataFrame]:
    return [results.seats().collect(), results.games().collect()]


def same(results: Results, **changes: Any) -> bool:
    """Whether the rows are those of the scenario played in one go and kept in memory."""
    expected = rogsim.run(KEYS | changes)
    return all(a.equals(b) for a, b in zip(rows(results), rows(expected), strict=True))


def stop_after(monkeypatch: pytest.MonkeyPatch, chunks: int, fault: BaseException) -> None:
    """Make the store fail once it has written a number of chunks."""
    add, written = Store.add, []

    def failing(self: Store, part: PlayedChunk) -> None:
        if len(written) == chunks:
            raise fault
        add(self, part)
        written.append(part.chunk)

    monkeypatch.setattr(Store, "add", failing)


@pytest.mark.parametrize("chunks", [1, 4, 9])
def test_the_same_run_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunks: int) -> None:
    """Nothing is played twice, and the rows are those of an undisturbed run, even in other chunks."""
    with monkeypatch.context() as failing:
        stop_after(failing, chunks, KeyboardInterrupt())
        with pytest.raises(KeyboardInterrupt):
            rogsim.run(KEYS, out=tmp_path / "out", chunk=12)
    with pytest.raises(
        ResultsError, match=r"not complete \(Ctrl-C\), of 120 games; the same `rogsim run` continues it"
    ):
        Results.open(tmp_path / "out")
    results = rogsim.run(KEYS, out=tmp_path / "out", chunk=7)
    assert same(results)
    assert same(Results.open(tmp_path / "out"))
    sessions = results.manifest["sessions"]
    assert [sum(session["played"].values()) for session in sessions] == [chunks * 12, 120 - chunks * 12]
    assert [session["stopped_by"] for session in sessions] == ["Ctrl-C", None]


def test_what_is_kept_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On Ctrl-C a note of the exception says how many games are kept and where; after an error, its message does."""
    with monkeypatch.context() as failing:
        stop_after(failing, 2, KeyboardInterrupt())
        with pytest.raises(KeyboardInterrupt) as stop:
            rogsim.run(KEYS, out=tmp_path / "out", chunk=10)
    message = f"20 finished games are kept in {tmp_path / 'out'}. The same command continues from there."
    assert stop.value.__notes__ == [message]
    with monkeypatch.context() as failing:
        stop_after(failing, 1, ResultsError("the disk is full"))
        with pytest.raises(ResultsError, match=r"^the disk is full; 30 finished games are kept in .*out$"):
            rogsim.run(KEYS, out=tmp_path / "out", chunk=10)


def test_more_games_are_added_and_fewer_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A longer run plays what is missing, a shorter one shows the first games, and the longer one is still there."""
    out = tmp_path / "out"
    assert same(rogsim.run(KEYS, out=out, chunk=25))
    assert same(rogsim.run(KEYS, games=100, out=out, chunk=11), games=100)
    assert same(rogsim.run(KEYS, games=30, out=out), games=30)
    assert same(Results.open(out), games=30)
    assert same(rogsim.run(KEYS, games=100, out=out), games=100)
    played = [sum(session["played"].values()) for session in Results.open(out).manifest["sessions"]]
    assert played == [120, 80]
    assert capsys.readouterr().err.splitlines() == [
        "120 of 200 games are already stored.",
        "All 60 games are already stored.",
        "All 200 games are already stored.",
    ]
    plain = pl.read_parquet(out / "seats" / "*.parquet")
    assert plain.height == plain.unique(["players", "game", "seat"]).height == 500


def test_a_run_that_is_done_writes_nothing(tmp_path: Path) -> None:
    """The same command again leaves every file as it is."""
    rogsim.run(KEYS, out=tmp_path / "out")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.*") if path.name != ".lock"}
    rogsim.run(KEYS, out=tmp_path / "out")
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_other_tables_change_the_manifest_only(tmp_path: Path) -> None:
    """What a run prints does not belong to what determines the rows."""
    rogsim.run(KEYS, out=tmp_path / "out")
    results = rogsim.run(KEYS | {"tables": ["bot"]}, out=tmp_path / "out")
    assert results.manifest["scenario"]["tables"] == ["bot"]
    assert len(results.manifest["sessions"]) == 1


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"seed": 8}, "seed is 9 in the stored run and 8 in this one"),
        ({"players": [2, 3]}, "players is [3, 2] in the stored run and [2, 3] in this one"),
        ({"bots": ["walker"]}, 'bots is ["moody"] in the stored run and ["walker"] in this one'),
        ({"options": {"end": "fair"}}, 'options.end is "sudden" in the stored run and "fair" in this one'),
    ],
)
def test_rows_of_another_run_are_refused(tmp_path: Path, change: dict[str, Any], line: str) -> None:
    """The error says what is different and what to do; the folder is not changed; --replace starts over."""
    rogsim.run(KEYS, out=tmp_path / "out")
    before = sorted((tmp_path / "out").rglob("*"))
    with pytest.raises(ResultsError) as caught:
        rogsim.run(KEYS | change, out=tmp_path / "out")
    assert str(caught.value).splitlines() == [
        f"{tmp_path / 'out'}: holds the rows of another run:",
        f"  {line}",
        "  name another folder with --out, or discard the old rows with --replace",
    ]
    assert sorted((tmp_path / "out").rglob("*")) == before
    assert same(rogsim.run(KEYS | change, out=tmp_path / "out", replace=True), **change)
    assert not set(before) & set((tmp_path / "out").rglob("*.parquet"))


def test_replace_keeps_the_rows_of_the_same_run(tmp_path: Path) -> None:
    """Nothing that fits is removed."""
    rogsim.run(KEYS, out=tmp_path / "out")
    results = rogsim.run(KEYS, games=70, out=tmp_path / "out", replace=True)
    assert [sum(session["played"].values()) for session in results.manifest["sessions"]] == [120, 20]


def test_rows_of_other_sources_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a change of the rules old rows are never extended."""
    rogsim.run(KEYS, out=tmp_path / "out")
    monkeypatch.setattr("rogsim.scenario.fingerprint.engine_hash", lambda package: "0" * 16)
    with pytest.raises(ResultsError, match="the source code of the rules and bots differs"):
        rogsim.run(KEYS, games=100, out=tmp_path / "out")


def test_two_runs_do_not_write_into_one_folder(tmp_path: Path) -> None:
    """The second one is refused while the first one holds the folder, and can continue afterwards."""
    said = "out: another run is writing there; wait for it to finish, or name another"
    with open_store(tmp_path / "out", load(KEYS), replace=False, say=print), pytest.raises(ResultsError, match=said):
        rogsim.run(KEYS, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert same(rogsim.run(KEYS, out=tmp_path / "out"))


def test_an_adaptive_run_stops_at_the_same_game_whichever_way_it_went(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dice_race: GameSpec
) -> None:
    """Stopped half-way, or with more games than needed in the folder, a run gives the games of an undisturbed one."""
    keys = KEYS | {"games": 20_000, "until": "seat_share ± 4 pp"}
    whole = rogsim.run(keys)
    games = whole.manifest["games"]
    assert all(1_000 <= count < 20_000 for count in games.values())
    with monkeypatch.context() as failing:
        stop_after(failing, 5, KeyboardInterrupt())
        with pytest.raises(KeyboardInterrupt):
            rogsim.run(keys, out=tmp_path / "out", chunk=150)
    resumed = rogsim.run(keys, out=tmp_path / "out")
    rogsim.run(KEYS | {"games": 9_000}, out=tmp_path / "more")
    shown = rogsim.run(keys, out=tmp_path / "more")
    for results in (resumed, shown, Results.open(tmp_path / "out")):
        assert results.manifest["games"] == games
        assert all(a.equals(b) for a, b in zip(rows(results), rows(whole), strict=True))


def test_who_looks_for_a_moment_stops_no_run(tmp_path: Path) -> None:
    """`rogsim status` locks a folder for a moment to see whether it is locked; a run that begins then waits."""
    (tmp_path / LOCK).touch()
    lock = FileLock(tmp_path / LOCK, thread_local=False)
    lock.acquire()
    with pytest.raises(ResultsError, match="another run is writing there"):
        check_free(tmp_path)
    looking = threading.Timer(PATIENCE / 3, lock.release)
    looking.start()
    check_free(tmp_path)
    looking.join()
