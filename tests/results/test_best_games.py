"""Stored games that are worth reading: found by their rows, and played again exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rogsim
from rogsim.base.errors import ResultsError
from rogsim.results.best_games import KINDS, best_games
from tests.command_line import Run

pytestmark = pytest.mark.once_uncompiled

KEYS: dict[str, Any] = {"players": [2, 3], "games": 6, "seed": 4, "bots": ["random", "balanced", "sailor"]}
MEASURES = {"closest": -pl.col("margin"), "comeback": pl.col("comeback"), "lead-changes": pl.col("lead_changes")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a few games with several player counts and bots, in many chunks."""
    out = tmp_path_factory.mktemp("run") / "out"
    rogsim.run(KEYS, change={"setup.koku_by_turn_order": [9, 9, 9, 9]}, out=out, chunk=2)
    return out


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_game_found_is_the_best_of_its_kind_and_is_replayed_exactly(folder: Path, kind: str) -> None:
    """Its row is an extreme, and the trace has the seats, the bots, the points and the turns of the rows."""
    results = rogsim.Results.open(folder)
    (found,) = best_games(folder, [kind])
    games = results.games().with_columns(MEASURES.get(kind, pl.col("turns")).alias("of_interest")).collect()
    row = games.filter(players=found.players, game=found.game).row(0, named=True)
    assert row["of_interest"] == games["of_interest"].max()
    seats = results.seats().filter(players=found.players, game=found.game).collect()
    assert found.trace["bots"] == seats["bot"].to_list()
    assert found.trace["final"]["points"] == seats["points"].to_list()
    assert len(found.trace["turns"]) == row["turns"]
    assert found.trace["change"]
    assert found.line.startswith(f"Game {found.game} with {found.players} players, of {len(games)}: ")


def test_the_command_prints_the_games_in_the_order_asked(folder: Path, command: Run) -> None:
    """The first line says which game it is and why; several kinds give several games."""
    both = best_games(folder, ["longest", "closest"])
    code, out, err = command("show", str(folder), "--best", "longest,closest")
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == both[0].line
    assert both[1].line in out.splitlines()
    assert "Changed for this game:" in out


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--best", "best"], '--best: "best" is not allowed: choose from closest, comeback, lead-changes, longest'),
        (["--best", "closest", "--deal", "1"], "--deal: cannot be combined with --best"),
        (["--bots-from", "."], "--bots-from: needs --best"),
        (["--best", "closest", "--bots-from", "nowhere"], "--bots-from: the folder nowhere does not exist"),
    ],
)
def test_what_cannot_be_found_is_one_line(folder: Path, command: Run, words: list[str], line: str) -> None:
    """With exit code 2 and no output."""
    assert command("show", str(folder), *words) == (2, "", f"rogsim: error: {line}\n")


@pytest.mark.usefixtures("dice_race")
def test_rows_without_the_column_are_one_line(tmp_path: Path, command: Run) -> None:
    """The dice race has turns, but nothing about the lead."""
    keys = {"game": "dice-race", "players": [2], "games": 20, "seed": 1, "bots": ["moody"]}
    results = rogsim.run(keys, out=tmp_path / "race")
    code, out, err = command("show", "race", "--best", "comeback")
    line = 'race: "comeback" needs the column "comeback", which the rows of its games do not have'
    assert (code, out, err) == (2, "", f"rogsim: error: {line}\n")
    code, out, _ = command("show", "race", "--best", "longest")
    turns = results.games().collect()["turns"]
    assert (code, out.splitlines()[0].split(":")[0]) == (0, f"Game {turns.arg_max()} of 20")
    assert len(out.strip().splitlines()) == 2 + turns.max()


@pytest.mark.usefixtures("dice_race")
def test_a_bot_that_is_a_file_runs_only_from_a_named_folder(tmp_path: Path) -> None:
    """As with verify: a folder is data. And a game that comes out differently is refused."""
    code = "def choose(setup, race, menu, memory):\n    return menu.count - {}\n"
    (tmp_path / "mine.py").write_text(code.format(1))
    keys = {"game": "dice-race", "players": [2], "games": 4, "seed": 1, "bots": ["mine.py:choose"]}
    (tmp_path / "x.toml").write_text("".join(f"{key} = {value!r}\n" for key, value in keys.items()))
    rogsim.run(tmp_path / "x.toml", out=tmp_path / "race")
    with pytest.raises(ResultsError, match=r'bot "mine.py:choose" is a program: .* with --bots-from'):
        best_games(tmp_path / "race", ["longest"])
    (found,) = best_games(tmp_path / "race", ["longest"], tmp_path)
    assert found.trace["turns"]
    path = tmp_path / "mine.py"
    path.write_text(code.format("menu.count"))
    with pytest.raises(ResultsError, match=r"comes out differently now \("):
        best_games(tmp_path / "race", ["longest"], tmp_path)
