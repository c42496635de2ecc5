"""Machine code: one process compiles for all, and only code compiled from the same source folder counts."""

from __future__ import annotations

import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from rogsim.base.files import locked
from rogsim.bots.loading import find_bot, must_compile
from rogsim.game import compiler
from rogsim.game.kit.loop import play_games
from rogsim.game.registry import get_game

pytestmark = pytest.mark.skipif(not compiler.ENABLED, reason="nothing is compiled")

HOLDER = """
import sys, time
from pathlib import Path
from rogsim.game import compiler
from rogsim.game.kit.loop import play_games
compiler.cache_folder = lambda: Path(sys.argv[1])
with compiler.compiling_alone(lambda: True):
    print("mine", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(compiler, "cache_folder", lambda: tmp_path)
    return tmp_path


def lock(folder: Path, seconds: float = 0) -> AbstractContextManager[None]:
    return locked(folder / compiler.LOCK, seconds)


def is_free(folder: Path, seconds: float = 0) -> bool:
    try:
        with lock(folder, seconds):
            return True
    except TimeoutError:
        return False


def test_who_compiles_does_so_alone(folder: Path) -> None:
    """The lock is held while there is something to compile, and is free afterwards."""
    with compiler.compiling_alone(lambda: True):
        assert not is_free(folder)
    assert is_free(folder)


def test_who_waited_and_finds_all_compiled_loads_beside_others(folder: Path) -> None:
    """It is asked again whether anything is cold once the lock is got, and then nobody is kept waiting."""
    answers = [True, False]
    with compiler.compiling_alone(lambda: answers.pop(0)):
        assert is_free(folder)
    assert answers == []


def test_who_has_nothing_to_compile_waits_for_nobody(folder: Path) -> None:
    """Also while another process compiles."""
    with lock(folder), compiler.compiling_alone(lambda: False):
        pass


def test_without_a_cache_everybody_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a cache nobody waits, because nothing can be shared."""
    monkeypatch.setattr(compiler, "cache_folder", lambda: None)
    with compiler.compiling_alone(lambda: True):
        pass


def test_a_process_that_is_killed_while_it_compiles_holds_up_nobody(folder: Path) -> None:
    """The lock goes with the process."""
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(folder)], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "mine\n"
        assert not is_free(folder)
        holder.kill()
    assert is_free(folder, seconds=10)


def test_machine_code_of_another_checkout_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same sources at another place have another folder, because numba keeps each source folder apart."""
    here = compiler.cache_folder.__wrapped__()
    known = compiler.source_hash()
    monkeypatch.setattr(compiler, "source_hash", lambda: known)
    assert compiler.cache_folder.__wrapped__() == here == compiler.cache_folder()
    monkeypatch.setattr(compiler, "PACKAGE", compiler.PACKAGE.parent / "elsewhere")
    assert compiler.cache_folder.__wrapped__() != here
    monkeypatch.setattr(compiler.numba.config, "CACHE_DIR", str(here))


def test_a_bot_that_games_share_is_cold_until_it_is_compiled_for_each(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Machine code of a bot of the kit for one game is not taken for that of another."""
    games = [get_game("river-of-gold"), get_game("the-river")]
    random = find_bot(games[0], "random", folder)
    compiler.mark_compiled(random.function, games[0].id, games[0].rules.state)
    assert [must_compile(game, random) for game in games] == [False, True]


def test_a_game_from_elsewhere_is_cold_after_a_change(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mark holds for the sources with which it was made."""
    game = get_game("river-of-gold")
    sources = {game.rules.state: "before"}
    monkeypatch.setattr(compiler, "_SOURCES", sources)
    compiler.mark_compiled(play_games, game.id, game.rules.state)
    assert not game.is_cold()
    sources[game.rules.state] = "after"
    assert game.is_cold()
