"""Playing in parallel: the rows depend only on the scenario."""

from __future__ import annotations

import threading
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from rogsim import run as rogsim_run
from rogsim.base.errors import RogsimError
from rogsim.bots.loading import compile_bot, find_bot, must_compile
from rogsim.game import compiler
from rogsim.game.bot import BotFault
from rogsim.game.registry import get_game
from rogsim.game.spec import GameSpec
from rogsim.results.results import Results
from rogsim.scenario.model import Experiment, load
from rogsim.simulation import batch, chunks
from rogsim.simulation.batch import make_ready, run_batch
from rogsim.simulation.chunks import FIRST, PlayedChunk

pytestmark = pytest.mark.usefixtures("dice_race")

KEYS: dict[str, Any] = {
    "game": "dice-race",
    "players": [2, 3],
    "games": 60,
    "seed": 3,
    "bots": ["runner", "moody", "walker"],
    "options": {"long": 20},
}


def experiment(**changes: Any) -> Experiment:
    return load(KEYS | changes)


def play(given: Experiment, **how: Any) -> list[PlayedChunk]:
    return run_batch(given, make_ready(given, print), **how)


def frames(parts: list[PlayedChunk]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """All seat rows and all game rows, in the order of the parts."""
    return pl.concat([part.seats for part in parts]), pl.concat([part.games for part in parts])


@cache
def usual() -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows of the usual experiment, played by one worker."""
    return frames(play(experiment(), jobs=1))


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("chunk", [1, 7, 1000])
def test_rows_do_not_depend_on_workers_or_chunks(jobs: int, chunk: int) -> None:
    """One or two workers and any chunk size give the same rows, bit for bit and in the same order."""
    for found, table in zip(frames(play(experiment(), jobs=jobs, chunk=chunk)), usual(), strict=True):
        assert found.equals(table)
        assert found.schema == table.schema


@pytest.mark.once_compiled
@pytest.mark.parametrize("jobs", [1, 2])
def test_no_worker_plays_a_second_chunk_before_the_speed_is_known(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """So a run begins with at most one small chunk for each worker."""
    monkeypatch.setattr(batch, "_SPEEDS", {})
    sizes = [part.chunk.games for part in play(experiment(players=[2], games=3000), jobs=jobs)]
    assert sizes[0] == FIRST
    assert all(size > FIRST for size in sizes[jobs:-1])


@pytest.mark.parametrize("quick", [0.0, 10.0])
def test_a_quick_batch_starts_no_threads(quick: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its rows are the same."""
    monkeypatch.setattr(chunks, "QUICK", quick)
    monkeypatch.setattr(batch, "_SPEEDS", {})
    play(experiment(), jobs=1)  # from now on the speed is known
    threads, plain = set(), batch._play_chunk

    def noted(*arguments: Any) -> PlayedChunk:
        threads.add(threading.current_thread())
        return plain(*arguments)

    monkeypatch.setattr(batch, "_play_chunk", noted)
    found = frames(play(experiment(), jobs=2, chunk=10))
    assert (threads == {threading.main_thread()}) == (quick > 0)
    assert all(table.equals(same) for table, same in zip(found, usual(), strict=True))


def test_rows_come_in_the_order_of_the_plan() -> None:
    """Player counts as in the scenario, then games, then seats; the harness's columns come first."""
    seats, games = frames(play(experiment(players=[3, 2]), jobs=2, chunk=10))
    assert seats.columns[:5] == ["players", "game", "block", "seat", "bot"]
    assert games.columns[:3] == ["players", "game", "block"]
    expected = [(players, game, seat) for players in (3, 2) for game in range(60) for seat in range(1, players + 1)]
    assert seats.select("players", "game", "seat").rows() == expected
    assert games.select("players", "game").rows() == [row[:2] for row in expected if row[2] == 1]


def test_small_types_and_names_are_kept() -> None:
    """Columns have the game's small types, codes become names, and a code for nothing becomes null."""
    seats, games = usual()
    assert seats.schema["points"] == pl.Int16
    assert seats.schema["win_share"] == pl.Float32
    assert seats.schema["bot"] == pl.Enum(["runner", "moody", "walker"])
    assert games.schema["track"] == pl.Enum(["short", "long"])
    # Only who never rolls has no first roll, and a walker never does.
    walkers = seats.filter(pl.col("bot") == "walker")
    assert walkers["first_roll"].null_count() == len(walkers)
    assert (
        seats.filter(pl.col("bot") == "runner", pl.col("game") < 6, pl.col("seat") == 1)["first_roll"]
        .is_not_null()
        .all()
    )


def test_games_of_a_block_share_their_deal() -> None:
    """Rotations of one block run on the same track, and a runner in the same seat rolls the same first."""
    seats, games = frames(play(experiment(players=[2], bots=["runner", "runner", "moody"], games=90)))
    assert games.group_by("block").agg(pl.col("track").n_unique())["track"].max() == 1
    runners = seats.filter(pl.col("bot") == "runner", pl.col("first_roll").is_not_null())
    first = runners.group_by("block", "seat").agg(pl.col("first_roll").n_unique())
    assert first["first_roll"].max() == 1
    assert games["track"].n_unique() == 2


def test_every_row_tells_the_bot_that_decided() -> None:
    """The column `bot` follows the rotation: walkers, and only they, need the same turns each time."""
    seats, games = frames(play(experiment(options={"short": 12, "long": 12}, games=300)))
    rows = seats.join(games.select("players", "game", "turns"), on=["players", "game"])
    walkers = rows.filter(pl.col("bot") == "walker", pl.col("win_share") == 1)
    # A walker needs four turns, and wins in its fourth: after three rounds and its own place in turn order.
    assert walkers.select((pl.col("players") * 3 + pl.col("seat") == pl.col("turns")).all()).item()
    assert len(walkers) > 0
    others = rows.filter(pl.col("bot") == "runner", pl.col("win_share") == 1)
    assert not others.select((pl.col("players") * 3 + pl.col("seat") == pl.col("turns")).all()).item()


def test_another_seed_gives_other_games() -> None:
    """The seed matters, and the same seed gives the same games again."""
    first = usual()[0]
    again, other = (frames(play(experiment(seed=seed)))[0] for seed in (3, 4))
    assert first.equals(again)
    assert not first.equals(other)


def test_more_games_begin_with_the_same_games() -> None:
    """A longer run begins with the games of the shorter one."""
    short, long = (frames(play(experiment(players=[3], games=games)))[0] for games in (30, 60))
    assert long.head(90).equals(short)


def test_progress_is_told_in_games() -> None:
    """The numbers of finished games add up to the planned games."""
    counts: list[int] = []
    play(experiment(), jobs=2, chunk=16, advance=counts.append)
    assert sum(counts) == 120
    assert max(counts) == 16


@pytest.mark.parametrize("name", ["jobs", "chunk"])
def test_no_workers_and_empty_chunks_are_refused(name: str) -> None:
    """Workers and chunk size must be 1 or more."""
    with pytest.raises(RogsimError, match=f"^{name}: 0 is not allowed: must be 1 or more$"):
        play(experiment(), **{name: 0})
    value: Any
    for value, shown in ((1.5, "1.5"), (True, "true"), ("2", '"2"'), ([1], r"\[1\]")):
        with pytest.raises(RogsimError, match=f"^{name}: {shown} is not allowed: must be a whole number$"):
            rogsim_run(KEYS, **{name: value})


def test_arguments_of_other_types_are_refused() -> None:
    """A scenario, a folder and a results folder of the wrong type: a line that says what may be given."""
    given: Any
    for given in (None, 3, [1]):
        with pytest.raises(RogsimError, match=r"^scenario: .* is not allowed: name a scenario file, or give the keys"):
            rogsim_run(given)
    for given in (3, True, b"x", ["x"]):
        with pytest.raises(RogsimError, match=r"^out: .* is not allowed: must be a path$"):
            rogsim_run(KEYS, out=given)
        with pytest.raises(RogsimError, match=r"^folder: .* is not allowed: must be a path$"):
            Results.open(given)
    with pytest.raises(RogsimError, match=r"^out: must not be empty$"):  # it would stand for the current folder
        rogsim_run(KEYS, out="")


def test_the_compiler_is_announced_when_it_will_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that has to be compiled gives a status line first; a compiled one gives none."""
    for cold, lines in ((True, ["Compiling the rules (once after each change, up to a minute)…"]), (False, [])):
        said: list[str] = []
        monkeypatch.setattr(GameSpec, "is_cold", lambda spec, cold=cold: cold)
        make_ready(experiment(), said.append)
        assert said == lines


def test_bots_that_must_be_compiled_are_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the game is compiled but some of the bots are not, the line names them."""
    monkeypatch.setattr("rogsim.simulation.preparation.must_compile", lambda spec, source: source.name == "walker")
    said: list[str] = []
    make_ready(experiment(), said.append)
    assert said == ["Compiling walker (once after each change, up to a minute)…"]


@pytest.mark.skipif(not compiler.ENABLED, reason="nothing is compiled")
def test_a_bot_waits_for_the_compiler_if_its_machine_code_is_nowhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A bot of the package waits only if its machine code is not in the cache; a user's bot never does."""
    game = get_game("river-of-gold")
    bot = find_bot(game, "planner", tmp_path)
    compile_bot(game, bot)
    assert not must_compile(game, bot)
    monkeypatch.setattr(compiler, "cache_folder", lambda: tmp_path)
    assert must_compile(game, bot)
    (tmp_path / "mine.py").write_text("def choose(tables, view, menu, own):\n    return 0\n")
    assert not must_compile(game, find_bot(game, "mine.py:choose", tmp_path))


# Compiled, each worker process would compile the race.
@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.once_uncompiled)])
def test_a_bot_that_breaks_the_rules_ends_the_run(tmp_path: Path, jobs: int) -> None:
    """The error names a bot that chooses an action that is not on the menu, whichever worker plays it."""
    path = tmp_path / "cheat.py"
    path.write_text("def cheat(setup, race, menu, memory):\n    return 7\n")
    with pytest.raises(BotFault, match=r'bot ".*cheat\.py:cheat" answered place 7 of a menu of 2'):
        play(experiment(bots=[f"{path}:cheat"]), jobs=jobs, chunk=10)
