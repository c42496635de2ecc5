"""Finding games and bots by name."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest
from pydantic import Field

from rogsim.bots.loading import compile_bot, find_bot
from rogsim.game import compiler
from rogsim.game.columns import Column
from rogsim.game.kit import recording
from rogsim.game.kit.workspace import BOT_MEMORY
from rogsim.game.registry import RegistryError, game_commands, game_names, get_game, register, unregister
from rogsim.game.spec import GameSpec
from rogsim.game.topics import Lead, Topic
from tests.dice_game import rules
from tests.dice_game.spec import Options


def test_a_registered_game_is_found_by_name(dice_race: GameSpec) -> None:
    """What was registered is listed and handed out until it is taken back."""
    assert "dice-race" in game_names()
    assert get_game("dice-race") is dice_race


def test_a_folder_with_a_spec_is_a_game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A folder of games is listed by its name, with dashes; one without a spec is none."""
    for name in ("second_game", "half_a_game"):
        (tmp_path / name).mkdir()
    (tmp_path / "second_game" / "spec.py").write_text("raise SystemError('listing must not import')")
    monkeypatch.setattr("rogsim.game.registry.GAMES", tmp_path)
    assert game_names() == ["second-game"]


def offer(monkeypatch: pytest.MonkeyPatch, game: str, load: Callable[[], Any]) -> None:
    """Let an installed package offer a game."""
    entry = SimpleNamespace(name=game, load=load, dist=None, value=f"{game}:GAME")
    monkeypatch.setattr("rogsim.game.registry.offered", lambda _: [entry])


def test_what_a_game_finds_wrong_with_its_data_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ValueError while a game is loaded becomes an error that names the game."""

    def load() -> None:
        raise ValueError('data/tiles.toml: key "cost": -1 is not allowed')

    offer(monkeypatch, "broken", load)
    message = 'game "broken" of an unknown package: data/tiles.toml: key "cost": -1 is not allowed'
    with pytest.raises(RegistryError, match=f"^{message}$"):
        get_game("broken")


def load_by_mistake() -> None:
    int("x")


def load_from_python() -> None:
    json.loads("no JSON")


@pytest.mark.parametrize(
    ("load", "why"),
    [(load_by_mistake, "ValueError: invalid literal for int"), (load_from_python, "JSONDecodeError: Expecting value")],
)
def test_an_error_in_the_code_of_a_game_has_its_line(
    load: Callable[[], Any], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line is one of the game, even if Python's own code raised the error; a ValueError is no word on its data."""
    offer(monkeypatch, "broken", load)
    message = rf'^game "broken" of an unknown package: cannot be imported: {why}.* at test_registry\.py, line \d+$'
    with pytest.raises(RegistryError, match=message):
        get_game("broken")


@pytest.mark.parametrize(
    "fault", [ImportError("no module"), SystemExit(0), SyntaxError("invalid"), AttributeError("GAME")]
)
def test_a_package_whose_game_cannot_be_imported_is_named_in_a_line(
    fault: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it raises, even if it asks to end the program."""

    def load() -> None:
        raise fault

    offer(monkeypatch, "broken", load)
    message = rf'^game "broken" of an unknown package: cannot be imported: {type(fault).__name__}: '
    with pytest.raises(RegistryError, match=message) as caught:
        get_game("broken")
    # a SyntaxError has its place itself, and this one has none
    assert ("at test_registry.py, line " in str(caught.value)) is not isinstance(fault, SyntaxError)
    offer(monkeypatch, "broken", lambda: 5)
    with pytest.raises(RegistryError, match=r'its entry point "broken:GAME" is not a GameSpec$'):
        get_game("broken")


def test_the_id_of_a_game_is_the_name_of_its_entry_point(monkeypatch: pytest.MonkeyPatch, dice_race: GameSpec) -> None:
    """A game under another name would be found in one place and missing in the next."""
    offer(monkeypatch, "dicerace", lambda: dice_race)
    message = 'its id is "dice-race", and must be the name of its entry point, "dicerace"'
    with pytest.raises(RegistryError, match=f'^game "dicerace" of an unknown package: {message}$'):
        get_game("dicerace")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tests.dice_game.robots", "does not exist: give the dotted name of the package with the game's bots"),
        ("tests.dice_game.rules.bots", "does not exist: give the dotted name of the package with the game's bots"),
        ("", "does not exist: give the dotted name of the package with the game's bots"),
        ("tests.dice_game.spec", "is a module: give a package, with a module for each bot"),
        ("rogsim.games", 'is not inside the package of the rules: move it into "tests"'),
        ("tests", 'is not inside the package of the rules: move it into "tests"'),
    ],
)
def test_bots_are_in_a_package_beside_the_rules(dice_race: GameSpec, name: str, message: str) -> None:
    """Otherwise they would not be found, or their files would not be part of a run's identity."""
    with pytest.raises(RegistryError, match=f'^game "dice-race": bots_package "{name}" {message}$'):
        register(replace(dice_race, bots_package=name))


def test_rules_in_a_script_are_refused(dice_race: GameSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    """No change in them would be noticed by stored runs; the line says where they belong."""
    monkeypatch.setattr(dice_race.rules.begin, "__module__", "__main__")
    with pytest.raises(RegistryError, match=r"the package of the rules: move them out of the script or notebook$"):
        register(dice_race)


def test_a_package_cannot_replace_a_built_in_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its game of that name is not even imported."""
    offer(monkeypatch, "river-of-gold", lambda: pytest.fail("must not be imported"))
    assert get_game("river-of-gold").title == "River of Gold"


def test_an_unknown_game_lists_the_known_ones(dice_race: GameSpec) -> None:
    """The error names the wrong game and all right ones."""
    with pytest.raises(RegistryError, match=r'no game "dice": choose from .*dice-race'):
        get_game("dice")


def test_without_a_name_the_only_game_is_meant(monkeypatch: pytest.MonkeyPatch, dice_race: GameSpec) -> None:
    """One game needs no name, several do."""
    monkeypatch.setattr("rogsim.game.registry._built_in", list)
    assert get_game() is dice_race
    register(replace(dice_race, id="other"))
    with pytest.raises(RegistryError, match="name a game: dice-race, other"):
        get_game()
    unregister("other")


def test_without_a_name_the_default_among_several_games_is_meant(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A built-in game says in `commands.toml` that it is the default; if two say so, a game must be named."""
    for name, content in (
        ("first_game", ""),
        ("second_game", "default = true\n[cards]\nhelp = 'Show cards.'\nscenario = 'quick'\n"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "spec.py").write_text("raise ValueError('loaded')")
        (tmp_path / name / "commands.toml").write_text(content)
    monkeypatch.setattr("rogsim.game.registry.GAMES", tmp_path)
    monkeypatch.setattr("rogsim.game.registry._load", lambda name: name)
    monkeypatch.setattr("rogsim.game.registry.check_spec", lambda _: None)
    assert get_game() == "second-game"
    assert game_commands() == {"cards": ("Show cards.", "quick")}
    (tmp_path / "first_game" / "commands.toml").write_text("default = true")
    with pytest.raises(RegistryError, match=r"name a game: .*first-game, second-game"):
        get_game()


def test_a_game_that_does_not_say_what_fair_means_is_refused(dice_race: GameSpec) -> None:
    """So is one without players, and one that compares seats which win or lose together."""
    with pytest.raises(RegistryError, match=r'^game "dice-race": players has 0: every count must be 1 or more$'):
        register(replace(dice_race, players=(0, 2)))
    for fair in ("even", {2: "ABA"}, {2: "AA"}, {2: (60, 50)}, {2: (100, 0)}, 3):
        with pytest.raises(RegistryError, match=r'^game "dice-race": fair='):
            register(replace(dice_race, players=(2,), fair=fair))
    topic = Topic("starts", "Starts", "Who starts?", "level", ("points",), "start")
    with pytest.raises(RegistryError, match="topics compare seats, and here all of them win or lose together"):
        register(replace(dice_race, fair="everyone", topics=(topic,)))


def test_a_game_with_columns_that_the_harness_cannot_use_is_refused(dice_race: GameSpec) -> None:
    """Needed columns must be there, and none may have a name that the harness gives."""
    bot = Column("bot", "i1", "a second column of that name")
    with pytest.raises(RegistryError, match="its seat columns lack points, win_share"):
        register(replace(dice_race, seat_columns=()))
    with pytest.raises(RegistryError, match="its game columns lack decisions"):
        turns_only = tuple(column for column in dice_race.game_columns if column.name != "decisions")
        register(replace(dice_race, game_columns=turns_only))
    with pytest.raises(RegistryError, match="its seat columns may not be named bot: rogsim adds players, game, "):
        register(replace(dice_race, seat_columns=(*dice_race.seat_columns, bot)))
    with pytest.raises(RegistryError, match=r"its game columns list turns twice$"):
        register(replace(dice_race, game_columns=(dice_race.game_columns[0], *dice_race.game_columns)))
    with pytest.raises(RegistryError, match="no column for the factor weather"):
        register(replace(dice_race, game_factors=("weather",)))


@pytest.mark.parametrize(
    ("dtype", "members", "labels"),
    [
        ("i4", ("red", "blue"), None),  # signed
        ("f4", ("red", "blue"), None),
        ("u1", tuple("abcdefghi"), None),  # nine in eight bits
        ("u1", ("red", "red"), None),
        ("u1", ("red", "blue"), ("red", "blue")),
    ],
)
def test_a_set_has_a_bit_for_each_of_its_members(
    dice_race: GameSpec, dtype: str, members: tuple[str, ...], labels: tuple[str, ...] | None
) -> None:
    """A column of sets is an unsigned number that is wide enough, its members have names of their own and no others."""
    column = Column("colours", dtype, "colours seen", labels=labels, members=members)
    with pytest.raises(RegistryError, match="column colours cannot be a set of its members"):
        register(replace(dice_race, seat_columns=(*dice_race.seat_columns, column)))


@pytest.mark.parametrize("dtype", ["int7", "", "U5", "O", "c8", "f16", "m8", "i2,i2"])
def test_a_column_holds_numbers(dice_race: GameSpec, dtype: str) -> None:
    """A dtype that numpy does not know, or of anything else than numbers, is named with its column."""
    column = Column("colour", dtype, "the colour of a seat")
    with pytest.raises(RegistryError, match=rf'^game "dice-race": column colour: dtype "{dtype}" is not allowed: name'):
        register(replace(dice_race, seat_columns=(*dice_race.seat_columns, column)))


class NoDefault(Options):
    wide: int = Field(alias="width")


def test_every_option_has_a_default(dice_race: GameSpec) -> None:
    """The line names the option as a scenario does."""
    message = '^game "dice-race": option "width" has no default: give it one in the model$'
    with pytest.raises(RegistryError, match=message):
        register(replace(dice_race, options=NoDefault))


class Formless(recording.Recorder):
    def take(self, action: int) -> None:
        self.apply(action)

    def body(self) -> dict[str, Any]:
        return {}


class Bodiless(recording.Recorder):
    format = "dice-race-trace/1"

    def take(self, action: int) -> None:
        self.apply(action)


@pytest.mark.parametrize(("recorder", "lacking"), [(Bodiless, 'method "body"'), (Formless, 'attribute "format"')])
def test_a_recorder_is_complete(dice_race: GameSpec, recorder: Any, lacking: str) -> None:
    """What it lacks is named when the game is loaded, not when the first trace is written."""
    rules = replace(dice_race.rules, recorder=recorder)
    with pytest.raises(RegistryError, match=rf"its recorder \(class {recorder.__name__}\) has no {lacking}$"):
        register(replace(dice_race, rules=rules))


def test_a_lead_is_told_by_columns_that_exist(dice_race: GameSpec) -> None:
    """Progress stands in columns of seats, the rest in columns of games."""
    lead = Lead(("first_roll",), "rounds", "turns", "decisions")
    spec = replace(dice_race, id="led", lead=lead)
    assert register(spec).lead == lead
    unregister("led")
    for wrong, message in (
        (replace(lead, progress=("first_roll", "rounds")), "no column rounds for the lead"),
        (replace(lead, changes="points", behind="gap"), "no column points, gap for the lead"),
        (replace(lead, progress=()), "no column of progress for the lead"),
    ):
        with pytest.raises(RegistryError, match=message):
            register(replace(spec, lead=wrong))


def test_a_bot_of_the_game_comes_with_its_weights(dice_race: GameSpec) -> None:
    """A bot's weights are those of its module, or none."""
    assert find_bot(dice_race, "moody", Path()).weights.tolist() == [0.5]
    assert find_bot(dice_race, "walker", Path()).weights.shape == (0,)


def test_an_unknown_bot_lists_the_known_ones(dice_race: GameSpec) -> None:
    """The error names the wrong bot and all right ones."""
    with pytest.raises(RegistryError, match='no bot "jumper": choose from runner, walker, moody'):
        find_bot(dice_race, "jumper", Path())


def test_a_users_bot_is_a_function_in_a_file(dice_race: GameSpec, tmp_path: Path) -> None:
    """A file's function is found beside the scenario, compiled, and answers."""
    (tmp_path / "mine.py").write_text("WEIGHTS = [0, 1]\ndef lazy(setup, race, menu, memory):\n    return 1\n")
    bot = compile_bot(dice_race, find_bot(dice_race, "mine.py:lazy", tmp_path, here=True))
    assert bot.name == "mine.py:lazy"
    assert bot.weights.dtype == np.float64
    given = (compiler.records(dtype, 1)[0] for dtype in (rules.SETUP, rules.RACE, rules.MENU, BOT_MEMORY))
    assert bot.choose(*given) == rules.WALK


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("gone.py:f", None, r'bot "gone.py:f": the file .*gone\.py does not exist'),
        ("a.py", "", r'bot "a.py": write it as path/to/file.py:name'),
        ("a.py:f", "x = 1", r'bot "a.py:f": .*a\.py has no function, class or object "f"'),
        ("a.py:f", "f = 1", r'bot "a.py:f": "f" in .*a\.py is not a function'),
        ("a.py:f", "def f(:\n  pass", r'bot "a.py:f": .*a\.py cannot be imported: line 1: '),
        ("a.py:f", "import nothing_of_that_name", r"cannot be imported: ModuleNotFoundError: No module"),
        ("a.py:f", "def f(): pass\nWEIGHTS = [[1]]", r"WEIGHTS in .*a\.py must be a flat list of numbers"),
        ("a.py:f", "def f(): pass\nWEIGHTS = ['x']", r"WEIGHTS in .*a\.py must be a flat list of numbers"),
    ],
)
def test_a_users_bot_that_cannot_be_had_is_a_plain_error(
    dice_race: GameSpec, tmp_path: Path, name: str, text: str | None, message: str
) -> None:
    """Whatever is wrong with a bot's file is one line that names the bot and the file."""
    if text is not None:
        (tmp_path / "a.py").write_text(text)
    with pytest.raises(RegistryError, match=message) as caught:
        find_bot(dice_race, name, tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(not compiler.ENABLED, reason="nothing is compiled")
@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("return nothing_of_that_name", 2),
        ("return 'x'", 2),
        ("return race.speed", 2),
        ("return 0.5", 1),  # that is no error to the compiler: the function is named
        ("pass", 2),
    ],
)
def test_a_bot_that_does_not_compile_is_a_plain_error(
    dice_race: GameSpec, tmp_path: Path, body: str, line: int
) -> None:
    """What the compiler says is cut down to one short line without colours, which ends with the place."""
    (tmp_path / "a.py").write_text(f"def f(setup, race, menu, memory):\n    {body}\n")
    source = find_bot(dice_race, "a.py:f", tmp_path, here=True)
    with pytest.raises(RegistryError, match=rf'^bot "a.py:f" does not compile: .+ at a\.py, line {line}$') as caught:
        compile_bot(dice_race, source)
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 320


def test_a_fraction_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled or not: numba would cut it off. Truth values count as whole numbers."""
    halved = numba.int64(numba.int64)
    if compiler.ENABLED:
        with pytest.raises(
            TypeError, match=r"^it may return a float64, and must return a whole number, at test_registry.py, line \d+$"
        ):
            compiler.compile_for(halved, lambda number: number if number > 3 else number * 0.5)
        assert compiler.compile_for(halved, lambda number: number > 3)(5) == 1
    monkeypatch.setattr(compiler, "ENABLED", False)
    with pytest.raises(TypeError, match=r"^it may return a float, and must return a whole number$"):
        compiler.compile_for(halved, lambda number: number * 0.5)(4)
    assert compiler.compile_for(halved, lambda number: number > 3)(5) == 1


def test_the_hash_of_a_bot_follows_its_file_and_its_weights(dice_race: GameSpec, tmp_path: Path) -> None:
    """Another text gives another source hash, other weights another weights hash."""
    path, hashes = tmp_path / "a.py", set()
    for weight in (1, 2):
        path.write_text(f"WEIGHTS = [{weight}]\ndef f(setup, race, menu, memory):\n    return 0\n")
        source = find_bot(dice_race, "a.py:f", tmp_path)
        hashes |= {source.source_hash, source.weights_hash}
    assert len(hashes) == 4


def test_bytecode_of_an_older_text_is_not_run(
    dice_race: GameSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of the same size, written in the same second, is read anew; Python would take its bytecode for current."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path, weights = tmp_path / "a.py", []
    for weight in (1, 2):
        path.write_text(f"WEIGHTS = [{weight}]\ndef f(setup, race, menu, memory):\n    return 0\n")
        os.utime(path, (1, 1))
        weights += find_bot(dice_race, "a.py:f", tmp_path).weights.tolist()
    assert weights == [1.0, 2.0]
    assert not (tmp_path / "__pycache__").exists()
