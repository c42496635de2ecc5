"""`rogsim game`: a new game is complete and right, and the check of a game finds what is wrong."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from rogsim.base.process_settings import ROOT
from rogsim.cli.new_game import TEMPLATES, next_commands
from rogsim.game.kit.conformance import random_walk
from tests.command_line import Ended, Run

pytestmark = pytest.mark.once_uncompiled

TEMPLATE = (TEMPLATES / "game.py.txt").read_text(encoding="utf-8").replace("$title", "Tricks")
counter = count()


@pytest.fixture(autouse=True)
def _no_modules_of_games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Forget the folders and the modules that a check adds."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


def test_a_new_game_has_no_problems(command: Run) -> None:
    """Its folder has a module, a scenario, tests, and what pip needs; nothing else is written."""
    code, out, err = command("game", "new", "tricks")
    assert (code, err) == (0, "")
    files = ["pyproject.toml", "test_tricks.py", "tricks.py", "tricks.toml"]
    assert out.splitlines()[:4] == [f"Wrote tricks/{name}" for name in files]
    assert sorted(path.as_posix() for path in Path().rglob("*")) == ["tricks", *(f"tricks/{name}" for name in files)]
    code, out, err = command("game", "check", "tricks/tricks.py", "--plain", "--show")
    assert code == 0
    assert "Tricks: deal 0 of seed 20, 4 players\n" in out
    *_, found, speed = out.splitlines()
    assert found == "Tricks: no problems found"
    expected = r"\d+ games of random with 4 players, uncompiled: [\d.e+]+ a second, 5\.0 turns and 20\.0 decisions each"
    assert re.fullmatch(expected, speed)
    assert err.splitlines() == [f"Checking games with {players} players…" for players in (2, 3, 4)]


def test_a_name_may_have_dashes(command: Run) -> None:
    """The module then has underscores, and the id of the game dashes."""
    assert command("game", "new", "Two_words-3")[0] == 0
    assert sorted(path.name for path in Path("Two_words-3").glob("*.py")) == ["Two_words_3.py", "test_Two_words_3.py"]
    text = Path("Two_words-3/pyproject.toml").read_text()
    assert '\nTwo-words-3 = "Two_words_3:GAME"\n' in text
    assert Path("Two_words-3/Two_words_3.toml").read_text().splitlines()[1] == 'game = "Two-words-3"'


@pytest.mark.parametrize("beside", [(), ("pyproject.toml", "rogsim")])
def test_a_new_game_passes_lint(beside: tuple[str, ...], command: Run) -> None:
    """With the usual rules and sorted imports, alone and in a checkout that has settings of its own."""
    for name in beside:
        Path(name).symlink_to(ROOT / name)
    command("game", "new", "tricks")
    for more in ([], ["--extend-select", "I"]):
        lint = subprocess.run([sys.executable, "-m", "ruff", "check", "tricks", *more], capture_output=True, text=True)
        assert lint.returncode == 0, lint.stdout


def test_what_comes_next_can_be_copied(command: Run) -> None:
    """The first command line checks the game, and the second one installs it where rogsim is; its tests pass, too."""
    command("game", "new", "tricks")
    check, install, run = next_commands("tricks")
    done = subprocess.run(check, shell=True, capture_output=True, text=True)
    assert (done.returncode, "Tricks: no problems found\n" in done.stdout) == (0, True), done.stderr
    python, *words = shlex.split(install)
    assert Path(python).samefile(sys.executable)
    assert words == ["-m", "pip", "install", "-e", "./tricks"]
    assert shlex.split(run)[-2:] == ["run", "tricks/tricks.toml"]
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tricks"]
    done = subprocess.run(tests, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert "2 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("there", "there: already exists; choose another name"),
        ("the_river", 'there is a game "the-river"; choose another name'),
        ("random", 'Python has a module or a word "random" already; choose another name'),
        ("class", 'Python has a module or a word "class" already; choose another name'),
        ("2nd", '"2nd" cannot be the name of a game: begin with a letter; then letters and digits, '),
        ("a/b", '"a/b" cannot be the name of a game: begin with a letter'),
        ("", "NAME: must not be empty"),
    ],
)
def test_a_name_that_cannot_be_used_is_one_line(name: str, why: str, command: Run) -> None:
    """Nothing is written then."""
    Path("there").write_text("x")
    code, out, err = command("game", "new", name)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert why in err
    assert [path.name for path in Path().iterdir()] == ["there"]


def test_a_folder_is_written_in_full_or_not_at_all(command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the last file cannot be written, the others are removed."""
    write = Path.write_text

    def fail_at_the_last(path: Path, text: str, encoding: str) -> int:
        if path.name.startswith("test_"):
            raise OSError(28, "No space left on device", str(path))
        return write(path, text, encoding=encoding)

    monkeypatch.setattr(Path, "write_text", fail_at_the_last)
    code, out, err = command("game", "new", "tricks")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "No space left on device" in err
    assert list(Path().iterdir()) == []


def check(command: Run, old: str, new: str) -> tuple[Ended, str, str]:
    """Check the game with one part of its file replaced: how the command ended, the name of the file, and its text."""
    text, name = TEMPLATE.replace(old, new, 1), f"tricks{next(counter)}.py"  # a process knows rules by their module
    assert text != TEMPLATE
    Path(name).write_text(text)
    return command("game", "check", name, "--plain"), name, text


def line_of(text: str, part: str) -> int:
    """The number of the line of a file that has this part."""
    return next(number for number, line in enumerate(text.splitlines(), start=1) if part in line)


MISTAKES = [  # a part of the file, what stands there instead, and what the check says of it
    ("player.tricks += 1", "player.trickz += 1", 'there is no field "trickz", did you mean "tricks"? ('),
    ("player.tricks += 1", "player.tricks += 0.5", 'the field "tricks" holds whole numbers, and 0.5 is none ('),
    ("[seat] > state", "[seat + 4] > state", 'the field "cards" has the places 0 to 3, and 4 is none of them ('),
    ("[seat] > state", "[NONE] > state", 'the field "cards" has the places 0 to 3, and -1 is none of them ('),
    ("[seat] = take(", "[seat] = 0.5 + take(", 'TypeError: the field "cards" holds whole numbers, and '),
    ("draw(state.deck)", "drew(state.deck)", "NameError: name 'drew' is not defined ("),
    (
        "view.trick.cards",
        "view.trik.cards",
        'there is no field "trik", did you mean "trick"? in deal 0 with 2 players, turn 1 (',
    ),
]


@pytest.mark.parametrize(("old", "new", "why"), MISTAKES)
def test_a_mistake_is_one_line_that_says_where(old: str, new: str, why: str, command: Run) -> None:
    """It names the file and the line; the exit code is 1."""
    (code, out, _), name, text = check(command, old, new)
    assert (code, out.count("\n")) == (1, 1)
    assert why in out
    assert out.endswith(f"({name}, line {line_of(text, new)})\n")


WRONG_STATES = [
    ("player.points += ", "player.points += 300 + ", r"Player\.points is 3\d\d, and must be from 0 to 200"),
    ("put(state.played, state.trick.cards[seat])\n", "pass\n", r"there are 0 of the card \d+ instead of 1"),
    (".hand.count):\n", ".hand.count - 1):\n", "there is no legal action, and the game is not over"),
    (
        "return PLAY + (",
        "0 + (",
        r'bot "thrifty" raised TypeError: it returns nothing: .*',
    ),
    ("return PLAY + (", "return PLAY + 4 + (", r'bot "thrifty" returned an action that is not legal; return one of .*'),
    ("most_turns=MOST_CARDS", "most_turns=3", "turn 4 is played, but most_turns is 3"),
]


@pytest.mark.parametrize(("old", "new", "why"), WRONG_STATES)
def test_what_no_line_is_to_blame_for_is_told_with_its_place_in_the_game(
    old: str, new: str, why: str, command: Run
) -> None:
    """Once, although it comes up with every number of players, each time with other numbers."""
    (code, out, _), *_ = check(command, old, new)
    assert code == 1
    assert re.fullmatch(rf"2 players, {{}}, deal 0(, turn \d, decision \d)?: {why}\n", out)


def test_a_game_that_does_not_end_is_given_up(command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """After many decisions, of which not all are checked; the line says what must end it."""
    monkeypatch.setattr(random_walk, "MOST_STEPS", 30)
    monkeypatch.setattr(random_walk, "THOROUGH", 10)
    (code, out, _), *_ = check(command, "    seat = state.actor\n", "    state.actor = 0\n    return\n")
    assert code == 1
    assert out.endswith("decision 30: after 30 decisions the game is not over: apply must end it\n")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("def legal(", "def legl(", 'there is no function "legal"'),
        ("points: Count[0, 200]", "points: Count[5]", "Count[5]: write Count[low, high]"),
        ("points: Count[0, 200]", "points: int", "is no kind of field; write Count[0, 10]"),
        (
            "def legal(numbers, state, menu):",
            "def legal(numbers, state, menu)",
            "SyntaxError: expected ':' (",
        ),
        ("    draw,\n", "    drew,\n", "cannot import name 'drew'"),
        ("GAME = ", "GAMES = ", 'there is no variable "GAME"; name a game by '),
    ],
)
def test_a_file_that_is_no_game_is_bad_input(old: str, new: str, why: str, command: Run) -> None:
    """One line, and the exit code is 2; the line of the file is in it, if one is to blame."""
    (code, out, err), name, _ = check(command, old, new)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"rogsim: error: {name}: ")
    assert why in err
    assert (f"{name}, line " in err) == (old != "GAME = ")


@pytest.mark.parametrize(
    ("where", "why"),
    [
        ("nothing.py", "nothing.py: there is no such file"),
        ("two-words.py", "two-words.py: cannot be imported; name the file with letters, digits and underscores"),
        ("colorsys.py", "colorsys.py: another module has the name colorsys; rename the file"),
        ("chess", 'no game "chess": choose from '),
    ],
)
def test_a_place_without_a_game_is_one_line(where: str, why: str, command: Run) -> None:
    """The exit code is 2."""
    for name in ("two-words.py", "colorsys.py"):
        Path(name).write_text(TEMPLATE)
    code, out, err = command("game", "check", where)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert why in err


def test_an_installed_game_is_checked_by_its_id(dice_race: object, command: Run) -> None:
    """As every command names it."""
    code, out, _ = command("game", "check", "dice-race", "--plain")
    assert (code, out.splitlines()[0]) == (0, "Dice race: no problems found")
