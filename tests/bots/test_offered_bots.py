"""Bots that installed packages offer under the entry point group `rogsim.bots`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import rogsim
from rogsim.base.child_process import end_children
from rogsim.bots.loading import compile_bot, find_bot, listed_bots
from rogsim.game.registry import RegistryError
from rogsim.game.spec import GameSpec
from tests.command_line import rogsim_command

pytestmark = pytest.mark.once_uncompiled

MODULE = """
WEIGHTS = [1.0, 2.0]


class Lazy:
    def choose(self, observation, actions):
        return {"do": "walk"}


lazy = Lazy()


def steady(setup, race, menu, memory):
    return 1
"""
ENTRIES = """
[rogsim.bots]
lazy-class = {name}_bots:Lazy
lazy-object = {name}_bots:lazy
steady = {name}_bots:steady
walker = {name}_bots:steady
"""
BROKEN = """
[rogsim.bots]
broken = broken_bots:Bot
absent = absent_bots:Bot
nameless = friends_bots
gone = friends_bots:Gone
"""


def install(folder: Path, name: str, entries: str, module: str | None) -> None:
    """Lay out a distribution as an installer would."""
    info = folder / f"{name}-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text(entries.format(name=name))
    if module is not None:
        (folder / f"{name}_bots.py").write_text(module)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages: one that works and one that does not."""
    folder = tmp_path / "site"
    folder.mkdir()
    install(folder, "friends", ENTRIES, MODULE)
    install(folder, "broken", BROKEN, "raise RuntimeError('not today')")
    monkeypatch.syspath_prepend(folder)
    end_children()  # those of an older test have loaded modules of these names
    for name in ("friends_bots", "broken_bots"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return folder


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(("name", "is_agent"), [("lazy-class", True), ("lazy-object", True), ("steady", False)])
def test_a_package_offers_functions_classes_and_objects(dice_race: GameSpec, name: str, is_agent: bool) -> None:
    """A plain name finds any of the three, with the hash of its file; weights belong to functions."""
    source = find_bot(dice_race, name, Path())
    bot = compile_bot(dice_race, source)
    assert bot.name == name
    assert (bot.agent is not None) is is_agent
    assert bot.weights.tolist() == ([] if is_agent else [1.0, 2.0])
    assert len(source.source_hash) == 16


@pytest.mark.parametrize("jobs", [1, 2])
def test_offered_bots_play_by_plain_name(dice_race: GameSpec, site: Path, jobs: int) -> None:
    """In a scenario, in this process and in others, and the manifest has their hashes."""
    keys: dict[str, Any] = {"game": "dice-race", "players": [2], "games": 20, "seed": 1}
    results = rogsim.run(keys | {"bots": ["lazy-class", "steady"]}, jobs=jobs)
    seats = results.seats().collect()
    expected = rogsim.run(keys | {"bots": ["walker", "walker"]}).seats().collect()
    assert seats["points"].to_list() == expected["points"].to_list()
    hashes = [bot["source_hash"] for bot in results.manifest["bots"]]
    assert hashes[0] == hashes[1] == find_bot(dice_race, f"{site}/friends_bots.py:steady", Path()).source_hash


@pytest.mark.usefixtures("site")
def test_a_bot_of_the_game_comes_before_one_that_is_offered(dice_race: GameSpec) -> None:
    """A package cannot take the name of a built-in bot."""
    assert len(find_bot(dice_race, "walker", Path()).weights) == 0


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("broken", 'bot "broken" of broken 1.2 cannot be imported: RuntimeError: not today'),
        (
            "absent",
            "bot \"absent\" of broken 1.2 cannot be imported: ModuleNotFoundError: No module named 'absent_bots'",
        ),
        ("nameless", 'bot "nameless" of broken 1.2: its entry point "friends_bots" is not a bot'),
    ],
)
def test_a_broken_package_is_a_plain_error(dice_race: GameSpec, name: str, message: str) -> None:
    """Only for who names its bots, and with what is wrong."""
    with pytest.raises(RegistryError) as caught:
        find_bot(dice_race, name, Path())
    assert str(caught.value) == message


@pytest.mark.usefixtures("site")
def test_an_entry_point_to_nothing_is_a_plain_error(dice_race: GameSpec) -> None:
    """The module and the missing name are told."""
    with pytest.raises(RegistryError, match=r'bot "gone": .*friends_bots\.py has no function, class or object "Gone"'):
        find_bot(dice_race, "gone", Path())


@pytest.mark.usefixtures("site", "dice_race")
def test_bots_lists_offered_ones_without_loading_any() -> None:
    """`rogsim bots` tells where each comes from, and a broken package does not matter."""
    ended = rogsim_command("bots", "--game", "dice-race")
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert "lazy-class   from the package friends 1.2" in lines
    assert "broken       from the package broken 1.2" in lines
    assert "walker       walks, and never trusts a die" in lines
    assert "walker       from the package friends 1.2 (hidden: the game has a bot of this name)" in lines
    assert not {"friends_bots", "broken_bots"} & set(sys.modules)


def test_a_name_that_two_packages_offer_is_refused(dice_race: GameSpec, site: Path) -> None:
    """Nobody can tell which one is meant; other names of both are not affected."""
    install(site, "rivals", "[rogsim.bots]\nsteady = friends_bots:steady\nother = friends_bots:steady\n", None)
    with pytest.raises(
        RegistryError, match=r'^bot "steady": offered by friends 1\.2 and rivals 1\.2, so the name is ambiguous'
    ):
        find_bot(dice_race, "steady", Path())
    assert find_bot(dice_race, "other", Path()).function is not None
    doubled = [line for name, line in listed_bots(dice_race) if name == "steady"]
    assert doubled == [
        f"from the package {name} 1.2 (unavailable: two packages offer this name)" for name in ("friends", "rivals")
    ]


@pytest.mark.usefixtures("site")
def test_an_unknown_bot_lists_the_offered_ones_too(dice_race: GameSpec) -> None:
    """The error names all right names."""
    with pytest.raises(
        RegistryError,
        match=r"choose from runner, walker, moody, .*, absent, broken, .*, steady, or name",
    ):
        find_bot(dice_race, "jumper", Path())
