"""Damaged results folders: no row is ever wrong, duplicated or missing, and the next run repairs the folder."""

from __future__ import annotations

import dataclasses
import errno
import hashlib
import json
import os
import re
import shutil
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rogsim
from rogsim.base.errors import ResultsError, RogsimError
from rogsim.base.files import DRAFT, is_plain_folder
from rogsim.results import inventory
from rogsim.results.inventory import LOCK
from rogsim.results.manifest import MANIFEST, read_manifest
from rogsim.results.results import Results
from rogsim.results.verify import status_of
from rogsim.scenario.fingerprint import key_of
from rogsim.simulation.chunks import TABLES, Chunk, ChunkName

pytestmark = [pytest.mark.once_uncompiled, pytest.mark.usefixtures("dice_race")]

KEYS: dict[str, Any] = {
    "game": "dice-race",
    "players": [3, 2],
    "games": 12,
    "seed": 3,
    "bots": ["runner"],
    "options": {"long": 20},
}
CHUNK = 5  # games: 5, 5 and 2 with three players, and the same with two
SORTED = {"seats": ["players", "game", "seat"], "games": ["players", "game"]}

Harm = Callable[[Path], None]


@cache
def undisturbed(folder: Path) -> Results:
    """Play once for all tests: the rows in memory, and the folder of such a run, which tests copy."""
    rogsim.run(KEYS, out=folder, chunk=CHUNK, jobs=1)
    return rogsim.run(KEYS, jobs=1)


@pytest.fixture
def expected(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """An undisturbed run in memory."""
    return undisturbed(tmp_path_factory.getbasetemp() / "undisturbed")


@pytest.fixture
def folder(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, expected: Results) -> Path:
    """The folder of an undisturbed run."""
    shutil.copytree(tmp_path_factory.getbasetemp() / "undisturbed", tmp_path / "out")
    return tmp_path / "out"


def play(folder: Path, **changes: Any) -> Results:
    return rogsim.run(KEYS | changes, out=folder, chunk=CHUNK, jobs=1)


def check_rows(folder: Path, expected: Results, only_asked: bool = True) -> None:
    """The rows of a folder are those of another run, read by rogsim and, if there are no other games, by anybody."""
    opened = Results.open(folder)
    for table, keys in SORTED.items():
        rows = getattr(expected, table)().collect()
        assert getattr(opened, table)().collect().equals(rows)
        if only_asked:
            assert pl.read_parquet(folder / table / "*.parquet").sort(keys).equals(rows.sort(keys))


def files(folder: Path) -> dict[str, bytes]:
    """All files in a folder except the lock."""
    found = (path for path in folder.rglob("*") if path.is_file() and path.name != LOCK)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def first(folder: Path, table: str = "seats") -> Path:
    return min((folder / table).glob("*.parquet"))


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def alter(path: Path) -> None:
    """Change one bit in the middle of a file, but not its length."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def copy_as(path: Path, start: int, stop: int) -> None:
    """Copy a chunk's file to the name of other games."""
    name = ChunkName.read(path.name)
    assert name is not None
    chunk = Chunk(name.chunk.players, start, stop)
    shutil.copy(path, path.with_name(str(ChunkName(chunk, name.key, name.content))))


def swap(folder: Path) -> None:
    """Swap the names of the files of two chunks."""
    first_file, second_file = sorted((folder / "seats").glob("p2-*.parquet"))[:2]
    first_file.rename(folder / "seats" / "between")
    second_file.rename(first_file)
    (folder / "seats" / "between").rename(second_file)


def take_manifest_back(folder: Path) -> None:
    """Write a manifest without chunks, as at the beginning of a run."""
    data = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps(data | {"chunks": [], "state": "running"}))


BROKEN: dict[str, tuple[Harm, int]] = {  # what happened, and how many games are to be played again
    "cut": (lambda folder: cut(first(folder)), 5),
    "cut-games": (lambda folder: cut(first(folder, "games")), 5),
    "altered": (lambda folder: alter(first(folder)), 5),
    "empty": (lambda folder: first(folder).write_bytes(b"") and None, 5),
    "no-seats": (lambda folder: first(folder).unlink(), 5),
    "no-games": (lambda folder: first(folder, "games").unlink(), 5),
    "neither": (lambda folder: [first(folder, table).unlink() for table in TABLES] and None, 0),
    "no-table": (lambda folder: shutil.rmtree(folder / "games"), 24),
    "swapped": (swap, 10),
    "other-content": (lambda folder: shutil.copy(first(folder, "games"), first(folder)) and None, 5),
}


@pytest.mark.parametrize("harm", BROKEN)
def test_broken_chunks_are_found_and_played_again(
    folder: Path, expected: Results, harm: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """If files are cut, altered, empty, lost or swapped, opening names one and a run says how many games it replays."""
    happen, games = BROKEN[harm]
    happen(folder)
    with pytest.raises(ResultsError, match=r"^\S+: (seats|games)/p\S+ is (broken|missing)[;:] .*the same `rogsim run`"):
        Results.open(folder)
    assert sum(count.broken for count in status_of(folder).counts) == games
    capsys.readouterr()
    assert play(folder).manifest["sessions"][-1]["replayed"] == games
    message = f": {games} games are played again.\n"
    assert (message in capsys.readouterr().err) == (games > 0)
    check_rows(folder, expected)
    assert len(list((folder / "seats").iterdir())) == 6


WRONG_ROWS: dict[str, tuple[str, Callable[[pl.DataFrame], pl.DataFrame]]] = {  # rows that the dice race cannot have
    "shares": ("seats", lambda rows: rows.with_columns(win_share=pl.lit(1.0, pl.Float32))),
    "not-a-number": ("seats", lambda rows: rows.with_columns(win_share=pl.lit(float("nan"), pl.Float32))),
    "no-number": ("games", lambda rows: rows.with_columns(turns=pl.lit(None, rows.schema["turns"]))),
    "fewer": ("games", lambda rows: rows.head(2)),
    "none": ("seats", lambda rows: rows.head(0)),
    "twice": ("seats", lambda rows: pl.concat([rows.head(1)] * rows.height)),
    "other-order": ("games", lambda rows: rows.reverse()),
    "other-seats": ("seats", lambda rows: rows.with_columns(seat=pl.lit(9, pl.UInt8))),
    "other-players": ("games", lambda rows: rows.with_columns(players=pl.lit(4, pl.UInt8))),
    "other-column": ("games", lambda rows: rows.rename({"turns": "moves"})),
    "other-type": ("games", lambda rows: rows.with_columns(pl.col("turns").cast(pl.Float64))),
    "other-bots": ("seats", lambda rows: rows.with_columns(bot=pl.lit("x", pl.Enum(["x"])))),
}


def rewrite(folder: Path, table: str, change: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
    """Write other rows into a chunk, under the name that belongs to the new content."""
    path = first(folder, table)
    metadata = {"rogsim": pl.read_parquet_metadata(path)["rogsim"]}
    change(pl.read_parquet(path)).write_parquet(path, metadata=metadata)
    name = ChunkName.read(path.name)
    assert name is not None
    content = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    path.rename(path.with_name(str(dataclasses.replace(name, content=content))))


@pytest.mark.parametrize("kind", WRONG_ROWS)
def test_rows_that_no_game_has_are_played_again(
    folder: Path, expected: Results, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Even if names and checksums are right, as in a folder from somebody else."""
    rewrite(folder, *WRONG_ROWS[kind])
    assert play(folder).manifest["sessions"][-1]["replayed"] == 5
    assert ": 5 games are played again.\n" in capsys.readouterr().err
    check_rows(folder, expected)


HARMLESS: dict[str, Harm] = {
    "other-range": lambda folder: copy_as(first(folder), 2, 7),
    "later-range": lambda folder: copy_as(first(folder), 12, 17),
    "draft": lambda folder: (folder / "seats" / f"p2-000.abcd{DRAFT}").write_bytes(b"PAR1") and None,
    "manifest-draft": lambda folder: (folder / f"{MANIFEST}.abcd{DRAFT}").write_text("{") and None,
    "old-manifest": take_manifest_back,
}


@pytest.mark.parametrize("harm", HARMLESS)
def test_what_is_too_much_is_removed(
    folder: Path, expected: Results, harm: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The next run removes drafts and files that hold other games than their names state; it plays nothing again."""
    HARMLESS[harm](folder)
    before = status_of(folder).stored
    assert before == 24
    capsys.readouterr()
    found = play(folder)
    assert capsys.readouterr().err == "All 24 games are already stored.\n"
    assert [session["replayed"] for session in found.manifest["sessions"]] == [0]
    assert sum(map(len, found.pieces)) == 18
    check_rows(folder, expected)
    assert len(list((folder / "seats").iterdir())) == len(list((folder / "games").iterdir())) == 6


def test_a_broken_chunk_that_nobody_asks_for_is_not_played_again(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run of fewer games neither plays its games nor says so."""
    cut(max((folder / "seats").glob("p2-*")))
    capsys.readouterr()
    assert play(folder, games=6).manifest["sessions"][-1]["replayed"] == 0
    assert capsys.readouterr().err == "All 12 games are already stored.\n"


def test_a_chunk_with_the_content_of_another_is_refused_with_the_reason(folder: Path) -> None:
    """Its name is right, so only its checksum shows it."""
    names = sorted((folder / "seats").glob("p2-*"))
    shutil.copy(names[0], names[1])
    with pytest.raises(
        ResultsError, match=r" is broken: its content does not match its checksum; the same `rogsim run`"
    ):
        Results.open(folder)
    assert [count.broken for count in status_of(folder).counts] == [0, 5]


@pytest.mark.parametrize("text", [None, "", "half", "[]", '{"format": "rogsim-results/1"}', "\0" * 100])
def test_a_lost_manifest_is_written_anew(
    folder: Path, expected: Results, text: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    """If it is missing, empty or cut, opening and status say so; a run finds all games and writes it again."""
    path = folder / MANIFEST
    whole = path.read_text()
    if text is None:
        path.unlink()
    else:
        path.write_text(whole[: len(whole) // 2] if text == "half" else text)
    for look in (Results.open, status_of):
        with pytest.raises(ResultsError, match=f"^{folder}: (not a results folder: it has no )?{MANIFEST}"):
            look(folder)
    capsys.readouterr()
    play(folder)
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1] == "All 24 games are already stored."
    assert text is None or lines[0].endswith("; it will be rewritten.")
    check_rows(folder, expected)


@pytest.mark.parametrize("place", ["notes.txt", "seats/notes.txt", "games/deep/p2.parquet", "seats/.hidden"])
def test_a_foreign_file_stops_a_run_before_it_begins(folder: Path, expected: Results, place: str) -> None:
    """The message names it, and nothing is changed; once it is removed the run continues."""
    cut(first(folder))
    (folder / place).parent.mkdir(exist_ok=True)
    (folder / place).write_text("years")
    before = files(folder)
    for options in ({}, {"replace": True}):
        with pytest.raises(ResultsError, match="which does not belong to results; name another folder"):
            rogsim.run(KEYS, out=folder, **options)
    assert files(folder) == before
    shutil.rmtree(folder / "games" / "deep", ignore_errors=True)
    (folder / place).unlink(missing_ok=True)
    play(folder)
    check_rows(folder, expected)


def test_a_draft_that_another_run_has_just_renamed_is_not_foreign(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was listed, and is gone when it is looked at: the status is that of the folder without it."""
    expected = status_of(folder)
    draft = folder / "seats" / f"{first(folder).stem[:-2]}.8685d730{DRAFT}"
    draft.touch()
    is_plain_file = inventory.is_plain_file

    def look(path: Path) -> bool:
        if path == draft:
            path.unlink(missing_ok=True)
        return is_plain_file(path)

    monkeypatch.setattr(inventory, "is_plain_file", look)
    assert status_of(folder) == expected
    assert not draft.exists()


def test_a_table_that_another_run_has_just_made_is_not_foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is one that is removed before it is listed."""
    folder = tmp_path / "out"
    (folder / TABLES[1]).mkdir(parents=True)

    def look(path: Path) -> bool:
        found = is_plain_folder(path)
        (folder / TABLES[0]).mkdir(exist_ok=True)
        return found

    monkeypatch.setattr("rogsim.base.files.is_plain_folder", look)
    inventory.check_place(folder)

    def remove(path: Path) -> bool:
        found = is_plain_folder(path)
        path.rmdir()
        return found

    monkeypatch.setattr("rogsim.base.files.is_plain_folder", remove)
    inventory.check_place(folder)
    assert not list(folder.iterdir())


@pytest.mark.parametrize("place", ["", "seats", "games", MANIFEST])
def test_a_file_where_a_folder_should_be_is_refused(tmp_path: Path, place: str) -> None:
    """So is a folder in place of the manifest: one line, and nothing is changed."""
    path = tmp_path / "out" / place
    path.parent.mkdir(exist_ok=True)
    if place == MANIFEST:
        path.mkdir()
    else:
        path.write_text("mine")
    with pytest.raises(ResultsError) as refused:
        play(tmp_path / "out")
    assert "\n" not in str(refused.value)
    assert path.is_dir() if place == MANIFEST else path.read_text() == "mine"
    assert {path.name for path in tmp_path.rglob("*")} == {"out", place or "out"}


@pytest.mark.parametrize(
    ("old", "new"),
    [("-[0-9a-f]{16}-", "-0123456789abcdef-"), ("^p2", "p02"), ("-000000000-000000005", "-0000000000-0000000005")],
)
def test_a_chunk_of_another_run_is_not_taken_for_ours(folder: Path, expected: Results, old: str, new: str) -> None:
    """So is one with a differently written name: it changes no row, a run names it, and only `replace` removes it."""
    name = re.sub(old, new, first(folder).name, count=1)
    shutil.copy(first(folder), folder / "seats" / name)
    check_rows(folder, expected, only_asked=False)
    with pytest.raises(
        ResultsError, match=f'^{folder}: holds "seats/{name}", which belongs to another run: name another'
    ):
        play(folder)
    rows = rogsim.run(KEYS, out=folder, replace=True)
    assert len(rows.manifest["sessions"]) == 1
    check_rows(folder, expected)


class Disk:
    """A function of `os` that fails as on a full disk after some calls: always from then on, or once."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, name: str, after: int, lasting: bool) -> None:
        self.calls, self.after, self.lasting = 0, after, lasting
        self.real = getattr(os, name) if name != "fsync" else lambda file: None  # it takes long, and nothing crashes
        monkeypatch.setattr(os, name, self)

    def __call__(self, *given: Any, **named: Any) -> Any:
        self.calls += 1
        if self.is_full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return self.real(*given, **named)

    @property
    def is_full(self) -> bool:
        return self.calls > self.after if self.lasting else self.calls == self.after + 1

    @property
    def was_full(self) -> bool:
        return self.calls > self.after


@pytest.mark.parametrize("lasting", [True, False], ids=["lasting", "once"])
@pytest.mark.parametrize(("name", "fewest"), [("fsync", 14), ("replace", 14), ("mkdir", 3)])
def test_a_full_disk_stops_a_run_and_the_next_one_goes_on(
    tmp_path: Path, expected: Results, monkeypatch: pytest.MonkeyPatch, name: str, fewest: int, lasting: bool
) -> None:
    """Whichever file is affected: one line, no draft is left, and with space again only missing games are played."""
    after, was_full = 0, True
    while was_full:
        folder = tmp_path / str(after)
        with monkeypatch.context() as patch:
            disk = Disk(patch, name, after, lasting)
            refused = refusal(folder)
        after, was_full = after + 1, disk.was_full
        kept = status_of(folder).stored if (folder / MANIFEST).exists() else 0
        if refused:
            kept_words = f"; {kept} finished games are kept in {folder}" if kept else ""
            assert refused == f"{folder}: cannot be written: No space left on device{kept_words}"
            assert kept or not folder.exists()
        assert not list(tmp_path.rglob(f"*{DRAFT}"))
        session = play(folder).manifest["sessions"][-1]
        assert kept == 24 or sum(session["played"].values()) == 24 - kept
        check_rows(folder, expected)
    assert after > fewest


def refusal(folder: Path) -> str:
    """Return the message of a run that cannot write; empty if it can."""
    try:
        play(folder)
    except ResultsError as fault:
        return str(fault)
    return ""


def test_a_folder_that_cannot_be_written_can_be_read(
    folder: Path, expected: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run into it is refused in one line; status and rows can be read."""
    before = files(folder)
    with monkeypatch.context() as patch:
        read_only(patch)
        for games in (12, 24):
            with pytest.raises(ResultsError, match=f"^{folder}: cannot be written: Read-only file system$"):
                play(folder, games=games)
        status = status_of(folder)
        assert (status.is_complete, status.is_locked, status.stored) == (True, False, 24)
        check_rows(folder, expected)
    assert files(folder) == before


def read_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse whatever opens files for writing, makes folders, or moves and removes files."""
    real = os.open

    def refuse(*_: Any, **__: Any) -> Any:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    def only_read(path: Any, flags: int, *given: Any, **named: Any) -> Any:
        writes = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        return refuse() if writes else real(path, flags, *given, **named)

    monkeypatch.setattr(os, "open", only_read)
    for name in ("mkdir", "unlink", "replace", "rename", "rmdir"):
        monkeypatch.setattr(os, name, refuse)


@pytest.mark.parametrize("jump", [timedelta(days=-4000), timedelta(days=4000)], ids=["back", "forth"])
def test_a_clock_that_jumps_does_no_harm(
    tmp_path: Path, expected: Results, monkeypatch: pytest.MonkeyPatch, jump: timedelta
) -> None:
    """Rows are the same, and the duration of a session is right."""
    times = count()

    class Jumping(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return datetime(2026, 1, 1, tzinfo=tz) + next(times) * jump / 10

    monkeypatch.setattr("rogsim.results.store.datetime", Jumping)
    monkeypatch.setattr(time, "time", lambda: Jumping.now(UTC).timestamp())
    play(tmp_path / "out", games=5)
    session = play(tmp_path / "out").manifest["sessions"][-1]
    check_rows(tmp_path / "out", expected)
    assert abs(datetime.fromisoformat(session["ended"]) - datetime.fromisoformat(session["started"])) > abs(jump) / 20
    assert 0 <= session["seconds"] < 60


def test_longer_and_shorter_runs_share_their_games(tmp_path: Path) -> None:
    """Each gives the rows of an independent run, and no game is played twice, whatever came before it."""
    folder, played = tmp_path / "out", 0
    for games in (12, 5, 12, 1, 20, 7, 20, 33):
        rows = play(folder, games=games)
        check_rows(folder, rogsim.run(KEYS | {"games": games}), only_asked=False)
        assert rows.seats().collect().equals(Results.open(folder).seats().collect())
        most = sum(sum(session["played"].values()) for session in rows.manifest["sessions"])
        assert most == max(played, 2 * games)
        played = most
        assert status_of(folder).is_complete


def test_broken_chunks_beyond_what_is_asked_for_do_no_harm(folder: Path, expected: Results) -> None:
    """A shorter run over a longer one with a broken file gives its own rows, and the longer one is repaired later."""
    alter(max((folder / "seats").glob("p3-*.parquet")))
    play(folder, games=5)
    check_rows(folder, rogsim.run(KEYS | {"games": 5}), only_asked=False)
    play(folder)
    check_rows(folder, expected)


def test_a_session_without_a_game_that_failed_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a run stops before it has finished a chunk, the manifest says why."""

    def fail(*_: Any) -> None:
        raise RogsimError("the cat\nwalked over it")

    with monkeypatch.context() as patch:
        patch.setattr("rogsim.experiments.run.play_chunks", fail)
        with pytest.raises(RogsimError, match="; 24 finished games are kept in "):
            play(folder, games=20)
    manifest = read_manifest(folder)
    assert (manifest.state, manifest.sessions[-1].stopped_by) == ("stopped", "the cat walked over it")
    assert len(manifest.sessions) == 2


FORGED: dict[str, tuple[dict[str, Any], str]] = {
    "twice": ({"chunks": [0, 0, 2, 3, 4, 5]}, '"chunks" lists games twice'),
    "endless": ({"games": {"2": 10**18}}, 'key "games.2": 1000000000000000000 is not allowed: must be less than'),
    "players": ({"games": {"4": 0}}, '"scenario" has no games with 4 players'),
    "scenario": ({"scenario": {}}, '"scenario_hash" is not the hash of "scenario"'),
    "no-scenario": ({"scenario": {}, "scenario_hash": key_of({})}, 'key "scenario.players": is missing'),
}


@pytest.mark.parametrize("what", FORGED)
def test_a_manifest_that_contradicts_itself_is_refused(folder: Path, expected: Results, what: str) -> None:
    """Games listed twice, more than there can be, of player counts or invalid scenarios: a run writes it again."""
    change, message = FORGED[what]
    data = json.loads((folder / MANIFEST).read_text())
    if "chunks" in change:
        change = {"chunks": [data["chunks"][place] for place in change["chunks"]]}
    (folder / MANIFEST).write_text(json.dumps(data | change))
    for look in (Results.open, status_of):
        with pytest.raises(ResultsError, match=f"^{folder}: {MANIFEST} is broken: {message}"):
            look(folder)
    play(folder)
    check_rows(folder, expected)


@pytest.mark.parametrize("number", ["NaN", "1e999", "-Infinity"])
def test_a_number_that_is_none_does_not_get_into_a_manifest(folder: Path, expected: Results, number: str) -> None:
    """It would be written as null, and could not be read again."""
    path = folder / MANIFEST
    path.write_text(re.sub(r'"seconds": [0-9.]+', f'"seconds": {number}', path.read_text()))
    with pytest.raises(ResultsError, match=f"{MANIFEST} is broken: "):
        Results.open(folder)
    play(folder)
    check_rows(folder, expected)
