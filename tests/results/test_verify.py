"""`rogsim status` and `rogsim verify`: what is in a folder, and whether a replay gives the same rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rogsim
from rogsim.base.errors import ResultsError, RogsimError
from rogsim.bots.names import read_bot_name
from rogsim.game.spec import GameSpec
from rogsim.results.manifest import full_hash, read_manifest
from rogsim.results.results import Results
from rogsim.results.store import is_locked, open_store
from rogsim.results.verify import sample, status_as_data, status_lines, status_of, verify, verify_lines
from rogsim.scenario.fingerprint import short_hash
from rogsim.scenario.model import load
from rogsim.simulation.chunks import Chunk, ChunkName, encode
from rogsim.simulation.rows import seat_columns

pytestmark = pytest.mark.once_compiled

KEYS: dict[str, Any] = {"game": "dice-race", "players": [2, 3], "games": 60, "seed": 9, "bots": ["moody"]}


@pytest.fixture
def folder(dice_race: GameSpec, tmp_path: Path) -> Path:
    """A complete run of 60 games for each player count, in six chunks."""
    rogsim.run(KEYS, out=tmp_path / "out", chunk=20)
    return tmp_path / "out"


def test_a_complete_folder_says_so(folder: Path) -> None:
    """Game, bots, games done by player count, and that nothing is missing."""
    status = status_of(folder)
    assert status.is_complete
    assert status_lines(status) == [
        "scenario",
        "Dice race, bots moody",
        "",
        "2 players: 60 of 60 games",
        "3 players: 60 of 60 games",
        "Complete.",
    ]


def test_missing_and_broken_games_are_counted(folder: Path) -> None:
    """If a file is lost, its games are missing; if it was altered, they are broken."""
    files = sorted((folder / "seats").glob("p2-*.parquet"))
    files[0].unlink()
    files[1].write_bytes(files[1].read_bytes()[:-1])
    (folder / "games" / files[0].name).unlink(missing_ok=True)
    status = status_of(folder)
    assert [(count.done, count.missing, count.broken) for count in status.counts] == [(20, 40, 40), (60, 0, 0)]
    assert "2 players: 20 of 60 games, 40 missing (40 of them broken)" in status_lines(status)
    rogsim.run(KEYS, out=folder)
    assert status_of(folder).is_complete


def test_games_that_the_manifest_does_not_list_are_missing_there(folder: Path) -> None:
    """Nobody can open them until the same run has written the manifest again."""
    path = folder / "manifest.json"
    data = json.loads(path.read_text())
    path.write_text(json.dumps(data | {"chunks": data["chunks"][:-1]}))
    status = status_of(folder)
    assert not status.is_complete
    assert status_as_data(status)["unlisted"] == 20
    line = "manifest.json lacks 20 of these games. The same rogsim run command adds them to it."
    assert status_lines(status)[-3:] == ["2 players: 60 of 60 games", "3 players: 60 of 60 games", line]
    with pytest.raises(ResultsError, match="not complete"):
        Results.open(folder)
    rogsim.run(KEYS, out=folder)
    assert status_of(folder).is_complete


@pytest.mark.parametrize("name", ["notes.txt", "seats/p2 (copy).parquet", ".lock"])
def test_what_is_not_of_rogsim_is_told_and_left_alone(folder: Path, name: str) -> None:
    """The status is that of the games, as for every command that reads; a line says why no run continues there."""
    (folder / name).write_text("years")
    status = status_of(folder)
    assert status.is_complete
    assert status_lines(status)[-2:] == [
        "Complete.",
        f'Not written by rogsim: "{name}". Move it elsewhere before a run continues here.',
    ]
    assert status_as_data(status)["foreign"] == [name]
    assert (folder / name).read_text() == "years"


def test_games_kept_for_a_longer_run_are_told(folder: Path) -> None:
    """After a shorter run the folder still holds the games of the longer one."""
    rogsim.run(KEYS, games=10, out=folder)
    lines = status_lines(status_of(folder))
    assert lines[-4:-2] == ["2 players: 10 of 10 games", "3 players: 10 of 10 games"]
    assert lines[-2:] == ["100 more games are kept for a longer run.", "Complete."]


def test_a_run_that_is_at_it_is_told(folder: Path) -> None:
    """A process that holds the lock is writing."""
    assert not is_locked(folder)
    with open_store(folder, load(KEYS), replace=False, say=lambda line: None):
        assert status_of(folder).is_locked
        assert status_lines(status_of(folder))[-1] == "A run is writing here now."
    assert not is_locked(folder)


def test_a_status_for_scripts_has_the_same_numbers(folder: Path) -> None:
    """It is plain JSON with the counts and all sessions."""
    data = json.loads(json.dumps(status_as_data(status_of(folder))))
    assert data["games"] == [
        {"players": players, "wanted": 60, "done": 60, "missing": 0, "broken": 0} for players in (2, 3)
    ]
    assert data["complete"] is True
    assert [session["played"] for session in data["sessions"]] == [{"2": 60, "3": 60}]


def test_games_come_out_again(folder: Path) -> None:
    """A sample, or all games if there are fewer, has the rows that are stored."""
    for games, count in ((5, 10), (1000, 120)):
        verified = verify(folder, games, seed=1)
        assert (verified.games, verified.differing, verified.sources) == (count, (), ())
    assert verify_lines(folder, verified) == [f"120 games of {folder} were played again: every row is the same."]


def test_a_row_that_was_changed_is_found(folder: Path, dice_race: GameSpec) -> None:
    """Rows that are wrong although all checksums match come out differently, and are named."""
    manifest = read_manifest(folder)
    chunk = Chunk(2, 20, 40)
    (name,) = (stored.seats.file for stored in manifest.chunks if stored.chunk == chunk)
    rows = pl.read_parquet(folder / "seats" / name)
    wrong = rows.with_columns(pl.when(pl.col("game") == 33).then(99).otherwise("points").cast(pl.Int16).alias("points"))
    content = encode(wrong, "seats", chunk, manifest.key, seat_columns(dice_race))
    (folder / "seats" / name).unlink()
    anew = str(ChunkName(chunk, manifest.key, short_hash(content)))
    (folder / "seats" / anew).write_bytes(content)
    text = (folder / "manifest.json").read_text().replace(name, anew)
    data = json.loads(text)
    for stored in data["chunks"]:
        if stored["seats"]["file"] == anew:
            stored["seats"] |= {"sha256": full_hash(content), "bytes": len(content)}
    (folder / "manifest.json").write_text(json.dumps(data))
    verified = verify(folder, 60, seed=1)
    assert verified.differing == ((2, 33),)
    assert verify_lines(folder, verified) == ["1 of 120 games come out differently: game 33 with 2 players."]


def test_rows_of_other_sources_are_compared_all_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says that other sources wrote the folder; whether rows differ is a separate question."""
    monkeypatch.setattr("rogsim.scenario.fingerprint.engine_hash", lambda package: "0" * 16)
    verified = verify(folder, 5, seed=1)
    assert verified.differing == ()
    assert verify_lines(folder, verified)[0] == (
        "Other code wrote the folder: the source code of the rules and bots differs"
    )


@pytest.mark.parametrize(("wanted", "games"), [(10, 10), (10, 3), (1000, 20), (10**9, 50)])
def test_a_sample_has_no_doubles(wanted: int, games: int) -> None:
    """A sample has as many different games as requested, from the whole plan."""
    places = sample(wanted, games, seed=4).tolist()
    assert len(set(places)) == games
    assert all(0 <= place < wanted for place in places)
    assert places == sorted(places)
    assert places != sample(wanted, games, seed=5).tolist() or games == wanted


def test_what_cannot_be_verified_is_refused(folder: Path, tmp_path: Path) -> None:
    """A number of games below 1, a folder that does not exist, and one that is not complete are refused."""
    with pytest.raises(ResultsError, match="--games: 0 is not allowed: must be 1 or more"):
        verify(folder, 0, seed=1)
    with pytest.raises(RogsimError, match="none: there is no such folder"):
        verify(tmp_path / "none", 5, seed=1)
    with pytest.raises(RogsimError, match="there is no such folder"):
        status_of(tmp_path / "none")
    next((folder / "games").iterdir()).unlink()
    with pytest.raises(RogsimError, match="is missing; the same `rogsim run` plays its games again"):
        verify(folder, 5, seed=1)


def test_programs_that_a_folder_names_are_not_run(tmp_path: Path, dice_race: GameSpec) -> None:
    """A bot that is a file is loaded only from the folder that the user names."""
    (tmp_path / "mine.py").write_text("def choose(setup, race, menu, memory):\n    return 0\n")
    (tmp_path / "x.toml").write_text(
        'game = "dice-race"\nplayers = [2]\ngames = 5\nseed = 1\nbots = ["mine.py:choose"]\n'
    )
    rogsim.run(tmp_path / "x.toml", out=tmp_path / "out")
    with pytest.raises(ResultsError, match=r'bot "mine.py:choose" is a program: inspect it, and name the folder'):
        verify(tmp_path / "out", 5, seed=1)
    assert verify(tmp_path / "out", 5, seed=1, bots_from=tmp_path).differing == ()


@pytest.mark.parametrize(
    ("name", "is_one"),
    [("a.py:b", True), ("a.py:b@w.toml", True), ("tuned", False), ("tuned@w/x.toml", False), ("tuned@koku=1", False)],
)
def test_weights_are_no_program(name: str, is_one: bool) -> None:
    """Only a Python file is; weights in a file are data."""
    assert read_bot_name(name).is_program is is_one
