"""Weights of a bot in a file beside it, and weights changed in the name of a bot."""

from __future__ import annotations

from pathlib import Path

import pytest

from rogsim.bots.loading import BotSource, compile_bot, find_bot
from rogsim.game.registry import RegistryError, get_game
from rogsim.game.spec import GameSpec
from rogsim.games.river_of_gold.bots import learned
from tests.command_line import rogsim_command

BOT = """
WEIGHTS = "mine.toml"
WEIGHT_NAMES = ("haste", "daring")


def choose(setup, race, menu, memory):
    return 0 if memory.weights[0] > memory.weights[1] else 1
"""
FILE = """format = "rogsim-weights/1"
bot = "mine.py:choose"

[weights]
daring = 2
haste = 0.25
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a bot in a subfolder, and its weights beside it."""
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "mine.py").write_text(BOT)
    (tmp_path / "bots" / "mine.toml").write_text(FILE)
    return tmp_path


def found(spec: GameSpec, folder: Path, name: str = "bots/mine.py:choose") -> BotSource:
    return find_bot(spec, name, folder)


def test_a_bot_may_have_its_weights_in_a_file_beside_it(dice_race: GameSpec, folder: Path) -> None:
    """They are read by name, in the bot's order, wherever the bot is named from; and they play."""
    for source in (found(dice_race, folder), found(dice_race, folder / "bots", "mine.py:choose")):
        assert source.weights.tolist() == [0.25, 2.0]
        assert source.weight_names == ("haste", "daring")
        assert compile_bot(dice_race, source).weights.tolist() == [0.25, 2.0]


def test_other_weights_in_the_file_are_another_hash(dice_race: GameSpec, folder: Path) -> None:
    """The hash of the weights tells them apart, though the bot's file is the same."""
    before = found(dice_race, folder)
    (folder / "bots" / "mine.toml").write_text(FILE.replace("daring = 2", "daring = 3"))
    after = found(dice_race, folder)
    assert after.weights.tolist() == [0.25, 3.0]
    assert after.weights_hash != before.weights_hash
    assert after.source_hash == before.source_hash


def test_another_file_takes_the_place_of_the_one_beside_the_bot(dice_race: GameSpec, folder: Path) -> None:
    """BOT@file, the file being named from the folder that the bot is named from."""
    (folder / "other.toml").write_text(FILE.replace("0.25", "0.75"))
    assert found(dice_race, folder, "bots/mine.py:choose@other.toml").weights.tolist() == [0.75, 2.0]


def test_weights_of_a_file_are_changed_by_name(dice_race: GameSpec, folder: Path) -> None:
    """`BOT@name=value` changes one, `+` joins several, the bot is called as written, and the file stays as it is."""
    changed = found(dice_race, folder, "bots/mine.py:choose@haste=5")
    assert changed.weights.tolist() == [5.0, 2.0]
    both = found(dice_race, folder, "bots/mine.py:choose@daring=-1.5+haste=1e-2")
    assert both.weights.tolist() == [0.01, -1.5]
    assert both.name == "bots/mine.py:choose@daring=-1.5+haste=1e-2"
    assert found(dice_race, folder).weights.tolist() == [0.25, 2.0]
    assert (folder / "bots" / "mine.toml").read_text() == FILE


def test_a_file_of_weights_may_have_an_equals_sign_in_its_name(dice_race: GameSpec, folder: Path) -> None:
    """What ends in .toml is a file."""
    (folder / "haste=1.toml").write_text(FILE.replace("0.25", "0.5"))
    assert found(dice_race, folder, "bots/mine.py:choose@haste=1.toml").weights.tolist() == [0.5, 2.0]


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (None, "mine.toml: there is no such file"),
        ("weights = [1", "mine.toml: broken TOML: "),
        (FILE.replace("/1", "/2"), "mine.toml: was written by a later version of rogsim; tune or train it again"),
        (FILE.replace("mine.py", "yours.py"), 'mine.toml: key "bot": "yours.py:choose" is not allowed'),
        (FILE.replace("daring", "darling"), 'mine.toml: key "weights.darling": unknown, did you mean "daring"?'),
        (FILE.replace("daring", "d" * 200), f'mine.toml: key "weights.{"d" * 59}…": unknown'),
        (FILE.replace("daring = 2", ""), 'mine.toml: key "weights.daring": is missing'),
        (FILE.replace("= 2", "= nan"), 'mine.toml: key "weights.daring": nan is not allowed: must be a finite number'),
    ],
)
def test_a_file_beside_the_bot_that_cannot_be_used_is_one_line(
    dice_race: GameSpec, folder: Path, file: str | None, message: str
) -> None:
    """It names the file and the key, and says what is allowed."""
    path = folder / "bots" / "mine.toml"
    path.unlink()
    if file is not None:
        path.write_text(file)
    with pytest.raises(RegistryError) as caught:
        found(dice_race, folder)
    assert str(caught.value).startswith('bot "bots/mine.py:choose": ')
    assert f"bots/{message}" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_settings_in_a_file_have_the_same_range(tmp_path: Path) -> None:
    """A file from a stranger cannot make a bot think for ever."""
    spec = get_game("river-of-gold")
    lines = (Path(learned.__file__).parent / learned.WEIGHTS).read_text().splitlines()
    endless = ["worlds = 1e300" if line.startswith("worlds =") else line for line in lines]
    (tmp_path / "endless.toml").write_text("\n".join(endless))
    rule = r'endless.toml: "worlds" must be a whole number from 0 to 1,000,000, not 1e\+300$'
    with pytest.raises(RegistryError, match=rule):
        find_bot(spec, "learned@endless.toml", tmp_path)


@pytest.mark.parametrize("names", ['("haste", "haste")', '("haste", 2)', '"haste"', "7", "()"])
def test_a_file_of_weights_needs_names_that_differ(dice_race: GameSpec, folder: Path, names: str) -> None:
    """One line tells which file has other names."""
    (folder / "bots" / "mine.py").write_text(BOT.replace('("haste", "daring")', names))
    with pytest.raises(RegistryError) as caught:
        found(dice_race, folder)
    assert str(caught.value).startswith('bot "bots/mine.py:choose": WEIGHT_NAMES in ')
    assert str(caught.value).endswith("mine.py must be different names, one for each weight in mine.toml")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ("hast=1", 'bots/mine.py:choose has no weight "hast": its weights include haste'),
        ("boldness=1", 'has no weight "boldness": its weights include haste, daring'),
        ("=1", 'has no weight "": its weights include haste, daring'),
        ("haste=", '"haste" must be a finite number, not ""'),
        ("haste=fast", '"haste" must be a finite number, not "fast"'),
        ("haste=1_0", '"haste" must be a finite number, not "1_0"'),
        ("haste=\u0662", '"haste" must be a finite number, not "\u0662"'),
        ("haste=inf", '"haste" must be a finite number, not "inf"'),
        ("haste=1+daring", '"daring" must be a finite number, not ""'),
        ("haste=1,5", '"haste" must be a finite number, not "1,5"'),
        ("haste=1++daring=2", 'has no weight ""'),
        ("haste=1+daring=2+haste=3", '"haste" is given twice; once is enough'),
    ],
)
def test_a_change_that_is_none_is_one_line(dice_race: GameSpec, folder: Path, changes: str, message: str) -> None:
    """It names the bot as written and the weight, and what is allowed."""
    name = f"bots/mine.py:choose@{changes}"
    with pytest.raises(RegistryError) as caught:
        found(dice_race, folder, name)
    assert str(caught.value).startswith(f'bot "{name}": ')
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ("rollouts=-1", "must be a whole number from 0 to 1,000,000"),
        ("rollouts=2.5", "must be a whole number from 0 to 1,000,000"),
        ("worlds=1e9", "must be a whole number from 0 to 1,000,000"),
        ("choices=0", "must be a whole number from 1 to 1,000,000"),
        ("clear=-1", "must be 0 or more"),
    ],
)
@pytest.mark.parametrize("game", ["river-of-gold", "the-river"])
def test_settings_of_a_bot_that_thinks_ahead_have_a_range(game: str, change: str, rule: str) -> None:
    """Other weights may be any number."""
    spec = get_game(game)
    with pytest.raises(RegistryError, match=f'"{change.partition("=")[0]}" {rule}, not "{change.partition("=")[2]}"$'):
        find_bot(spec, f"search@{change}", Path())
    assert find_bot(spec, "search@rollouts=20+clear=1.5+trust=0.5", Path()).weights[2] == 20


@pytest.mark.usefixtures("dice_race")
@pytest.mark.parametrize(("changes", "code"), [("haste=9", 0), ("haste=9+hasty=1", 2)])
def test_the_command_line_takes_changes_of_weights(
    folder: Path, monkeypatch: pytest.MonkeyPatch, changes: str, code: int
) -> None:
    """`--bots BOT@name=value` plays with that weight; a wrong one is a line on its own, without a traceback."""
    monkeypatch.chdir(folder)
    bots = f"bots/mine.py:choose@{changes},walker"
    result = rogsim_command("trace", "--game", "dice-race", "--players", "2", "--bots", bots)
    assert result.code == code
    assert ('has no weight "hasty"' in result.err) is (code == 2)
    assert (len(result.err.splitlines()) == 1) is (code == 2)
    assert bool(result.out) is (code == 0)


SHARED = """
WEIGHTS = "mine.toml"
WEIGHT_NAMES = ("haste", "daring")
SETTINGS = {"daring": 7}


def choose(setup, race, menu, memory):
    return 0
"""


def test_a_bot_may_share_the_weights_of_another_and_differ_in_settings(dice_race: GameSpec, folder: Path) -> None:
    """Its settings also replace those of any other file for that bot, but not those of a file for itself."""
    (folder / "bots" / "mine.toml").write_text(FILE.replace("mine.py:choose", "mine"))
    (folder / "bots" / "other.py").write_text(SHARED)
    assert found(dice_race, folder, "bots/other.py:choose").weights.tolist() == [0.25, 7.0]
    (folder / "trained.toml").write_text(FILE.replace("mine.py:choose", "mine").replace("0.25", "0.5"))
    assert found(dice_race, folder, "bots/other.py:choose@trained.toml").weights.tolist() == [0.5, 7.0]
    (folder / "own.toml").write_text(FILE.replace("mine.py", "other.py"))
    assert found(dice_race, folder, "bots/other.py:choose@own.toml").weights.tolist() == [0.25, 2.0]
    (folder / "third.toml").write_text(FILE.replace("mine.py:choose", "third"))
    with pytest.raises(RegistryError, match=r'these must be weights of "bots/other\.py:choose" or "mine"'):
        found(dice_race, folder, "bots/other.py:choose@third.toml")


@pytest.mark.parametrize("settings", ['{"speed": 1}', '{"haste": "fast"}', '{"haste": float("nan")}', "[1]"])
def test_settings_must_be_numbers_for_weights_that_there_are(dice_race: GameSpec, folder: Path, settings: str) -> None:
    """One line names the file."""
    (folder / "bots" / "mine.toml").write_text(FILE.replace("mine.py:choose", "mine"))
    (folder / "bots" / "other.py").write_text(SHARED.replace('{"daring": 7}', settings))
    with pytest.raises(RegistryError, match=r"SETTINGS in .*other\.py must give finite numbers to names in") as caught:
        found(dice_race, folder, "bots/other.py:choose")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("game", ["river-of-gold", "the-river"])
def test_bots_that_think_ahead_share_an_evaluation(game: str, tmp_path: Path) -> None:
    """planner and search evaluate positions with the weights of learned."""
    spec = get_game(game)
    learned = found(spec, tmp_path, "learned")
    places = [at for at, weight in enumerate(learned.weight_names) if weight.startswith("value-")]
    for name in ("planner", "search"):
        source = found(spec, tmp_path, name)
        assert source.weights[places].tolist() == learned.weights[places].tolist()
        assert source.weights.tolist() != learned.weights.tolist()
