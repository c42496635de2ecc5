"""Results folders: what they hold, and that nothing is lost or half-written."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rogsim
from rogsim.base.errors import ResultsError, RogsimError
from rogsim.game.bot import BotFault
from rogsim.results.results import Results
from rogsim.results.store import Store
from rogsim.results.verify import status_of
from rogsim.scenario.fingerprint import engine_hash, key_of, scenario_hash
from rogsim.simulation import chunks
from rogsim.simulation.chunks import PlayedChunk

pytestmark = [pytest.mark.once_uncompiled, pytest.mark.usefixtures("dice_race")]

KEYS: dict[str, Any] = {
    "game": "dice-race",
    "players": [4, 2],
    "games": 40,
    "seed": 9,
    "bots": ["moody"],
    "options": {"long": 20},
}


def files(folder: Path) -> list[str]:
    """All that is in a folder, hidden or not."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_a_folder_gives_back_what_was_played(tmp_path: Path) -> None:
    """Results opened from a folder equal those kept in memory in rows, order and types."""
    kept = rogsim.run(KEYS)
    rogsim.run(KEYS, out=tmp_path / "out", chunk=9)
    opened = Results.open(tmp_path / "out")
    for table in ("seats", "games"):
        expected, found = (getattr(results, table)().collect() for results in (kept, opened))
        assert found.equals(expected)
        assert found.schema == expected.schema
    assert opened.columns().equals(kept.columns())
    assert kept.folder is None
    assert opened.folder == tmp_path / "out"


def test_the_first_games_are_taken_from_what_is_open(tmp_path: Path) -> None:
    """As many as wanted, also where a chunk is cut; None if some of them are missing."""
    rogsim.run(KEYS, out=tmp_path / "out", chunk=9)
    opened = Results.open(tmp_path / "out")
    first = opened.first_games(4, 20)
    assert first is not None
    assert first.seats().collect().equals(opened.seats().filter(players=4).filter(pl.col("game") < 20).collect())
    assert first.first_games(4, 40) is not None
    assert opened.first_games(4, 41) is None
    assert opened.first_games(3, 1) is None


def test_a_console_shows_a_short_table(tmp_path: Path) -> None:
    """A line on what was played, then win share and points of each seat; what names contain is no HTML."""
    kept = rogsim.run(KEYS, out=tmp_path / "a<b>")
    line, head, *rows = repr(kept).splitlines()
    assert line == f"{kept.manifest['title']}: scenario, 80 games by moody, seed 9, in {tmp_path / 'a<b>'}"
    assert head.split() == ["players", "seat", "games", "win", "share", "points"]
    cells = [row.split() for row in rows]
    assert [cell[:3] for cell in cells] == [
        [str(count), str(seat), "40"] for count in (2, 4) for seat in range(1, count + 1)
    ]
    for (players, seat), part in kept.seats().collect().group_by("players", "seat"):
        (cell,) = [cell for cell in cells if cell[:2] == [str(players), str(seat)]]
        assert cell[3:] == [f"{part['win_share'].mean():.1%}", f"{part['points'].mean():.1f}"]
    page = kept._repr_html_()
    assert "a&lt;b&gt;" in page and "<b>" not in page
    assert page.count("<tr>") == 1 + len(rows)
    assert "in memory" in repr(rogsim.run(KEYS))


def test_showing_results_never_fails(tmp_path: Path) -> None:
    """If the files are gone, the line is left."""
    kept = rogsim.run(KEYS, out=tmp_path / "out")
    for path in (tmp_path / "out" / "seats").iterdir():
        path.unlink()
    assert len(repr(kept).splitlines()) == 1
    assert "<table>" not in kept._repr_html_()


def test_pandas_gets_the_same_rows() -> None:
    """Names, values and missing entries are those of the polars frames; names are categorical."""
    kept = rogsim.run(KEYS)
    for table in ("seats", "games"):
        rows, frame = getattr(kept, table)().collect(), kept.to_pandas(table)
        assert list(frame.columns) == rows.columns
        for name in rows.columns:
            words = isinstance(rows[name].dtype, pl.Enum)
            assert (frame[name].dtype == "category") == words
            values = [None if word is None or word != word else word for word in frame[name].tolist()]
            assert values == rows[name].to_list()
    with pytest.raises(ValueError, match=r'^table: "cards" must be one of seats, games$'):
        kept.to_pandas("cards")


def test_rows_stand_in_the_order_of_the_plan(tmp_path: Path) -> None:
    """Players as in the scenario, then game, then seat, however the games were divided into chunks."""
    seats = rogsim.run(KEYS, out=tmp_path / "out", jobs=2, chunk=3).seats().collect()
    expected = [(players, game, seat) for players in (4, 2) for game in range(40) for seat in range(1, players + 1)]
    assert seats.select("players", "game", "seat").rows() == expected


def test_the_manifest_tells_how_the_rows_came_about(tmp_path: Path) -> None:
    """Scenario as resolved, hashes, bots with weights, versions, seed, games, chunks and sessions are all there."""
    manifest = rogsim.run(KEYS, out=tmp_path / "out", chunk=25).manifest
    assert manifest["scenario"]["options"] == {
        "short": 10,
        "long": 20,
        "end": "sudden",
        "handicap": "none",
    }
    assert manifest["scenario"]["players"] == [4, 2]
    assert manifest["scenario_hash"] == scenario_hash(manifest["scenario"])
    identity = manifest["identity"]
    assert (identity["game"], identity["rules"], identity["seed"]) == ("dice-race", "1", 9)
    assert identity["engine"] == engine_hash("tests.dice_game.bots")
    assert manifest["key"] == key_of(identity)
    assert manifest["games"] == {"4": 40, "2": 40}
    assert [(bot["name"], list(bot["weights"].values())) for bot in manifest["bots"]] == [("moody", [0.5])]
    ranges = [[chunk[name] for name in ("players", "start", "stop")] for chunk in manifest["chunks"]]
    assert ranges == [[4, 0, 25], [4, 25, 40], [2, 0, 25], [2, 25, 40]]
    (session,) = manifest["sessions"]
    assert session["played"] == {"4": 40, "2": 40}
    assert session["started"] <= session["ended"]
    assert (session["rogsim"], session["stopped_by"]) == (rogsim.__version__, None)
    assert json.loads((tmp_path / "out" / "manifest.json").read_text()) == manifest


def test_every_file_has_its_checksum_in_its_name_and_in_the_manifest(tmp_path: Path) -> None:
    """They match the content, and the Parquet file itself records what its columns mean."""
    manifest = rogsim.run(KEYS, out=tmp_path / "out", chunk=25).manifest
    stored = [(table, chunk[table]) for chunk in manifest["chunks"] for table in ("seats", "games")]
    assert len(stored) == 8
    for table, file in stored:
        path = tmp_path / "out" / table / file["file"]
        content = path.read_bytes()
        assert (hashlib.sha256(content).hexdigest(), len(content)) == (file["sha256"], file["bytes"])
        assert path.stem.endswith(f"-{manifest['key']}-{file['sha256'][:16]}")
        about = json.loads(pl.read_parquet_metadata(path)["rogsim"])
        assert (about["run"], about["table"]) == (manifest["key"], table)
        assert list(about["columns"]) == pl.read_parquet_schema(path).names()
        assert all(column["meaning"] for column in about["columns"].values())


def test_the_hash_of_a_scenario_ignores_the_order_of_keys() -> None:
    """The same scenario written in another order has the same hash, another seed another one."""
    hashes = [
        rogsim.run(keys).manifest["scenario_hash"] for keys in (KEYS, dict(reversed(KEYS.items())), KEYS | {"seed": 10})
    ]
    assert hashes[0] == hashes[1] != hashes[2]


def test_every_column_has_a_meaning(tmp_path: Path) -> None:
    """The list of columns is that of the rows, each with its polars type and a meaning."""
    results = rogsim.run(KEYS)
    columns = results.columns()
    for table in ("seats", "games"):
        listed = columns.filter(table=table)["name"].to_list()
        schema = getattr(results, table)().collect_schema()
        assert listed == schema.names()
        assert columns.filter(table=table)["type"].to_list() == [str(kind.base_type()) for kind in schema.dtypes()]
    assert columns.filter(name="bot")["type"].to_list() == ["Enum"]
    assert (columns["meaning"].str.len_chars() > 0).all()
    assert columns.filter(name="points")["unit"].to_list() == ["spaces"]


LATE = """
class Late:
    def choose(self, observation, actions):
        return 7 if self.rolls(observation) > 40 else 0

    def rolls(self, observation):
        return observation["goal"] * 4
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_that_a_bot_stops_keeps_the_finished_chunks(tmp_path: Path, jobs: int) -> None:
    """They stay in the folder; manifest and error say what happened; an incomplete run cannot be opened."""
    (tmp_path / "late.py").write_text(LATE)
    keys = KEYS | {"bots": [f"{tmp_path}/late.py:Late"], "players": [2], "games": 60}
    with pytest.raises(BotFault) as caught:
        rogsim.run(keys, out=tmp_path / "out", jobs=jobs, chunk=1)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    kept = len(manifest["chunks"])
    assert kept > 0
    assert str(caught.value).endswith(f"; {kept} finished games are kept in {tmp_path / 'out'}")
    assert manifest["state"] == "stopped"
    message = f'bot "{tmp_path}/late.py:Late" answered place 7 of a menu of 2 in deal'
    assert message in manifest["sessions"][0]["stopped_by"]
    names = [f"{table}/{chunk[table]['file']}" for chunk in manifest["chunks"] for table in ("games", "seats")]
    assert files(tmp_path / "out") == sorted([".lock", "manifest.json", *names])
    with pytest.raises(ResultsError, match=r"holds a run that is not complete \(bot .*, of 60 games"):
        Results.open(tmp_path / "out")


def test_a_bot_that_goes_wrong_at_once_leaves_no_folder(tmp_path: Path) -> None:
    """A folder into which nothing was written is removed."""
    cheat = tmp_path / "cheat.py"
    cheat.write_text("def cheat(setup, race, menu, memory):\n    return 7\n")
    with pytest.raises(BotFault):
        rogsim.run(KEYS | {"bots": [f"{cheat}:cheat"]}, out=tmp_path / "deep" / "out")
    assert not (tmp_path / "deep" / "out").exists()


@pytest.mark.parametrize("name", ["notes.txt", "seats"])
def test_a_folder_of_something_else_is_not_touched(tmp_path: Path, name: str) -> None:
    """A folder without rogsim's manifest, or with another file, is refused before anything is played."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).write_text("mine")
    with pytest.raises(ResultsError, match=r"out: hold"):
        rogsim.run(KEYS, out=tmp_path / "out")
    assert files(tmp_path) == [f"out/{name}"]


def test_a_file_added_to_results_is_not_thrown_away(tmp_path: Path) -> None:
    """Older results are not replaced if there are notes of a user among them."""
    rogsim.run(KEYS, out=tmp_path / "out")
    (tmp_path / "out" / "notes.txt").write_text("mine")
    with pytest.raises(ResultsError, match=r'holds "notes\.txt", which does not belong to results'):
        rogsim.run(KEYS, out=tmp_path / "out")
    assert (tmp_path / "out" / "notes.txt").read_text() == "mine"


def test_an_empty_folder_may_be_filled(tmp_path: Path) -> None:
    """An empty folder is treated as if there were none."""
    (tmp_path / "out").mkdir()
    assert rogsim.run(KEYS, out=tmp_path / "out").games().collect().height == 80


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "not a results folder: it has no manifest.json"),
        ("{", "manifest.json is broken: EOF"),
        ("[]", 'manifest.json is not in the format "rogsim-results/2"$'),
        ('{"format": "other/1"}', 'manifest.json is not in the format "rogsim-results/2"$'),
        (
            '{"format": "rogsim-results/1"}',
            "manifest.json was written by an earlier version of rogsim; play it again$",
        ),
        ('{"format": "rogsim-results/2"}', 'manifest.json is broken: key "state": is missing'),
    ],
)
def test_what_is_no_results_folder_is_refused(tmp_path: Path, text: str | None, message: str) -> None:
    """Opening a folder says what is missing or wrong."""
    if text is not None:
        (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(ResultsError, match=message):
        Results.open(tmp_path)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("chunks", 0, "seats", "file"), "../../secret.parquet", "is not the name of this chunk"),
        (("chunks", 0, "stop"), 26, "is not the name of this chunk"),
        (("chunks", 0, "seats", "sha256"), "0" * 64, "is not the name of this chunk"),
        (("identity", "seed"), 10, '"key" is not the hash of "identity"'),
        (("games",), {"4": -1}, "-1 is not allowed: must be 0 or more"),
        (("state",), "done", '"done" is not allowed: choose from running, stopped, complete'),
        (("columns", 1, 2), "object", 'key "columns": "game": "object" is not allowed: the type of a column is'),
        (("columns", 1, 0), "deals", 'key "columns": "deals" is not allowed: a column is of seats or games'),
        (("columns", 1, 1), "block", 'key "columns": "block" is listed twice'),
        (("columns", 1, 1), "hand", 'key "columns": "game" of seats is missing'),
        (("factors", "seat"), ["turns"], 'key "factors.seat": "turns" is not allowed: must be a column of seats'),
        (("factors",), {"deal": []}, '"deal" is not allowed: choose from seat, game'),
        (("sessions", 0, "seconds"), -1.5, 'key "sessions.seconds": -1.5 is not allowed: must be 0.0 or more'),
        (("looks", 0), {"9": 5}, '"scenario" has no games with 9 players'),
    ],
)
def test_a_manifest_that_was_changed_is_refused(
    tmp_path: Path, path: tuple[str | int, ...], value: object, message: str
) -> None:
    """It can neither point outside its folder nor list files that do not belong to the run."""
    rogsim.run(KEYS, out=tmp_path, chunk=25)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    inner = manifest
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ResultsError, match=f"manifest.json is broken: .*{message}"):
        Results.open(tmp_path)


@pytest.mark.parametrize(
    ("key", "value"),
    [("game", "go"), ("players", [3]), ("seed", 10), ("options", {"long": 99}), ("change", {"x": 1})],
)
@pytest.mark.parametrize("read", [Results.open, status_of], ids=["open", "status"])
def test_scenario_and_identity_of_a_manifest_agree(
    tmp_path: Path, key: str, value: Any, read: Callable[[Path], object]
) -> None:
    """A manifest whose scenario says something else than what the rows depend on is refused in one line."""
    rogsim.run(KEYS, out=tmp_path, chunk=25)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert manifest["scenario"][key] != value
    manifest["scenario"][key] = value
    manifest["scenario_hash"] = scenario_hash(manifest["scenario"])
    if key == "players":
        manifest["games"], manifest["looks"], manifest["chunks"] = {"3": 1}, [], []
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(
        ResultsError, match=f'manifest.json is broken: key "scenario.{key}": .* is not that in "identity"'
    ):
        read(tmp_path)


def test_a_file_of_the_wrong_size_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`status` and a run that continues tell by its size that a file is not the one in the manifest."""
    rogsim.run(KEYS, out=tmp_path, jobs=1)
    path = next((tmp_path / "seats").iterdir())
    with path.open("ab") as file:
        file.truncate(3 * 10**9)
    read: list[Path] = []
    monkeypatch.setattr(chunks, "checksum", lambda path: read.append(path) or "")
    assert not status_of(tmp_path).is_complete
    assert path not in read
    assert len(read) == 3


def test_nothing_is_said_to_be_kept_in_a_folder_that_was_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the folder goes away while games are played, the error does not say that it holds them."""
    stored = Store.add

    def removed(store: Store, part: PlayedChunk) -> None:
        stored(store, part)
        shutil.rmtree(tmp_path / "gone")

    monkeypatch.setattr(Store, "add", removed)
    with pytest.raises(RogsimError, match=r"gone: cannot be written: No such file or directory$"):
        rogsim.run(KEYS, out=tmp_path / "gone", jobs=1, chunk=4)
