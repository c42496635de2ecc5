"""Results folders: what they hold, and that nothing is lost or half-written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rogsim
from rogsim import jit
from rogsim.game import BotFault
from rogsim.results import Results, ResultsError, scenario_hash

pytestmark = pytest.mark.usefixtures("dice_race")

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
    """Results opened from a folder equal those kept in memory: rows, order, types."""
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


def test_rows_stand_in_the_order_of_the_plan(tmp_path: Path) -> None:
    """Players as in the scenario, then game, then seat, however the work was cut."""
    seats = rogsim.run(KEYS, out=tmp_path / "out", jobs=2, chunk=3).seats().collect()
    expected = [(players, game, seat) for players in (4, 2) for game in range(40) for seat in range(1, players + 1)]
    assert seats.select("players", "game", "seat").rows() == expected


def test_the_manifest_tells_how_the_rows_came_about(tmp_path: Path) -> None:
    """Scenario as resolved, hashes, versions, seed, games and chunks are all there."""
    manifest = rogsim.run(KEYS, out=tmp_path / "out", chunk=25).manifest
    assert manifest["scenario"]["options"] == {
        "short": 10,
        "long": 20,
        "end": "sudden",
        "handicap": "none",
    }
    assert manifest["scenario"]["players"] == [4, 2]
    assert manifest["scenario_hash"] == scenario_hash(manifest["scenario"])
    assert manifest["game"] == {"id": "dice-race", "title": "Dice race", "version": "1"}
    assert manifest["rogsim"] == rogsim.__version__
    assert manifest["source_hash"] == jit.source_hash()
    assert manifest["seed"] == 9
    assert manifest["games"] == {"4": 40, "2": 40}
    assert [bot["name"] for bot in manifest["bots"]] == ["moody"]
    assert manifest["chunk_ranges"] == [[4, 0, 25], [4, 25, 40], [2, 0, 25], [2, 25, 40]]
    assert manifest["chunks"] == [f"p{players}-{start:09d}.parquet" for players, start, _ in manifest["chunk_ranges"]]
    assert manifest["started"] <= manifest["ended"]
    assert json.loads((tmp_path / "out" / "manifest.json").read_text()) == manifest


def test_the_hash_of_a_scenario_ignores_the_order_of_keys() -> None:
    """The same scenario written in another order has the same hash, another seed another one."""
    hashes = [
        rogsim.run(keys).manifest["scenario_hash"] for keys in (KEYS, dict(reversed(KEYS.items())), KEYS | {"seed": 10})
    ]
    assert hashes[0] == hashes[1] != hashes[2]


def test_every_column_has_a_meaning(tmp_path: Path) -> None:
    """The list of columns is that of the rows, each with a type and a meaning."""
    results = rogsim.run(KEYS)
    columns = results.columns()
    for table in ("seats", "games"):
        listed = columns.filter(table=table)["name"].to_list()
        assert listed == getattr(results, table)().collect_schema().names()
    assert (columns["meaning"].str.len_chars() > 0).all()
    assert columns.filter(name="points")["unit"].to_list() == ["spaces"]


def test_older_results_are_replaced_whole(tmp_path: Path) -> None:
    """A second run into the same folder leaves nothing of the first, and nothing beside it."""
    rogsim.run(KEYS, out=tmp_path / "out", chunk=10)
    rogsim.run(KEYS | {"players": [3]}, out=tmp_path / "out")
    name = "p3-000000000.parquet"
    assert files(tmp_path) == ["out/games/" + name, "out/manifest.json", "out/seats/" + name]


def test_a_run_that_fails_leaves_older_results_alone(tmp_path: Path) -> None:
    """If a bot breaks the rules the folder stays as it was, and no draft remains."""
    rogsim.run(KEYS, out=tmp_path / "out")
    before = files(tmp_path)
    cheat = tmp_path.parent / "cheat.py"
    cheat.write_text("def cheat(race, weights, stream):\n    return 7\n")
    with pytest.raises(rogsim.errors.RogsimError):
        rogsim.run(KEYS | {"bots": [f"{cheat}:cheat"]}, out=tmp_path / "out")
    assert files(tmp_path) == before
    assert Results.open(tmp_path / "out").manifest["bots"][0]["name"] == "moody"


LATE = """
class Late:
    def choose(self, observation, actions):
        return 7 if self.rolls(observation) > 40 else 0

    def rolls(self, observation):
        return observation["goal"] * 4
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_that_a_bot_stops_keeps_the_finished_chunks(tmp_path: Path, jobs: int) -> None:
    """They are in `<out>.partial` with a manifest that says so; older complete results stay; the error tells where."""
    rogsim.run(KEYS, out=tmp_path / "out")
    before = files(tmp_path / "out")
    (tmp_path / "late.py").write_text(LATE)
    keys = KEYS | {"bots": [f"{tmp_path}/late.py:Late"], "players": [2], "games": 60}
    with pytest.raises(BotFault) as caught:
        rogsim.run(keys, out=tmp_path / "out", jobs=jobs, chunk=1)
    partial = tmp_path / "out.partial"
    manifest = json.loads((partial / "manifest.json").read_text())
    kept = len(manifest["chunks"])
    assert kept > 0
    assert str(caught.value).endswith(f"; {kept} games that were finished are kept in {partial}")
    assert manifest["format"] == "rogsim-partial-results/1"
    assert manifest["stopped_by"].startswith(f'bot "{tmp_path}/late.py:Late" answered place 7 of a menu of 2 in game')
    assert files(partial) == sorted(
        ["manifest.json", *(f"{table}/{name}" for table in ("games", "seats") for name in manifest["chunks"])]
    )
    with pytest.raises(ResultsError, match="holds only the finished games of a run that stopped"):
        Results.open(partial)
    assert files(tmp_path / "out") == before
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_partial_results_replace_only_their_like(tmp_path: Path) -> None:
    """An older partial run is replaced; a folder of another kind with that name is not touched."""
    (tmp_path / "late.py").write_text(LATE)
    keys = KEYS | {"bots": [f"{tmp_path}/late.py:Late"], "players": [2], "games": 60}
    (tmp_path / "out.partial").mkdir()
    (tmp_path / "out.partial" / "notes.txt").write_text("mine")
    for _ in range(2):
        with pytest.raises(BotFault, match=r"kept in .*out\.partial-2$"):
            rogsim.run(keys, out=tmp_path / "out", jobs=1, chunk=1)
    assert files(tmp_path / "out.partial") == ["notes.txt"]
    assert not (tmp_path / "out").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["late.py", "out.partial", "out.partial-2"]


def test_an_interrupted_run_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while games are written removes what was written."""

    def interrupt(path: Path, *_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rogsim.api.write_manifest", interrupt)
    with pytest.raises(KeyboardInterrupt):
        rogsim.run(KEYS, out=tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["notes.txt", "seats"])
def test_a_folder_of_something_else_is_not_touched(tmp_path: Path, name: str) -> None:
    """A folder without a manifest of ours, or with a file more, is refused before anything is played."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).write_text("mine")
    with pytest.raises(ResultsError, match=r"out: hold"):
        rogsim.run(KEYS, out=tmp_path / "out")
    assert files(tmp_path) == [f"out/{name}"]


def test_a_file_added_to_results_is_not_thrown_away(tmp_path: Path) -> None:
    """Somebody's notes among older results stop them from being replaced."""
    rogsim.run(KEYS, out=tmp_path / "out")
    (tmp_path / "out" / "notes.txt").write_text("mine")
    with pytest.raises(ResultsError, match=r'holds "notes\.txt", which is no part of results'):
        rogsim.run(KEYS, out=tmp_path / "out")
    assert (tmp_path / "out" / "notes.txt").read_text() == "mine"


def test_an_empty_folder_may_be_filled(tmp_path: Path) -> None:
    """An empty folder is as good as none."""
    (tmp_path / "out").mkdir()
    assert rogsim.run(KEYS, out=tmp_path / "out").games().collect().height == 80


def test_a_folder_may_have_any_name(tmp_path: Path) -> None:
    """Brackets, stars, spaces and equals signs in a folder's name are just letters."""
    for name in ("a[1]", "b *", "players=7", "ä"):
        assert rogsim.run(KEYS, out=tmp_path / name).seats().collect().height == 240


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "holds no results, there is no manifest.json"),
        ("{", "manifest.json cannot be read"),
        ("[]", 'manifest.json is not of the format "rogsim-results/1"'),
        ('{"format": "other/1"}', 'manifest.json is not of the format "rogsim-results/1"'),
        ('{"format": "rogsim-results/1"}', '"chunks" in manifest.json must be a list'),
        (
            '{"format": "rogsim-results/1", "chunks": ["../../secret.parquet"]}',
            '"chunks" in manifest.json must be a list',
        ),
        (
            '{"format": "rogsim-results/1", "chunks": ["p4-000000000.parquet"]}',
            "seats/p4-000000000.parquet is missing",
        ),
    ],
)
def test_what_is_no_results_folder_is_refused(tmp_path: Path, text: str | None, message: str) -> None:
    """Opening says what is missing or wrong; a manifest cannot point outside its folder."""
    if text is not None:
        (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(ResultsError, match=message):
        Results.open(tmp_path)
