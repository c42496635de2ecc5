"""The standard streams of the command as a process: closed, full, in an old encoding, or written to by a bot."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rogsim.base.signals_and_streams import in_plain_characters
from tests.dice_process import scenario_text

pytestmark = pytest.mark.once_uncompiled

WRITES = """
import os

class Writes:
    def choose(self, observation, actions):
        os.write(1, b"noise\\n")
        os.system("echo more")
        return actions[0]
"""


@pytest.fixture
def race(tmp_path: Path) -> Path:
    """A folder with a scenario of the dice race."""
    (tmp_path / "race.toml").write_text(scenario_text(20))
    return tmp_path


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder with a scenario that was run there, and what that printed."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "race.toml").write_text(scenario_text(20))
    return folder, shell("rogsim run race.toml --out ran", folder).stdout


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line of a shell in which `rogsim` is the command with the dice race."""
    command = f"{sys.executable} -m tests.dice_process"
    line = f'rogsim() {{ PYTHONPATH={Path.cwd()} {command} "$@"; }}; cd {folder}; {line}'
    return subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("command", ["games", "--help", "status ran", "scenario list", "show nothing"])
def test_a_closed_standard_output_is_no_error_of_its_own(command: str, played: tuple[Path, str]) -> None:
    """Nothing is printed; the command does what it would do otherwise, and its exit code is the same."""
    usual, closed = (shell(f"rogsim {command} {output}", played[0]) for output in (">/dev/null", ">&-"))
    assert (closed.returncode, closed.stderr) == (usual.returncode, usual.stderr)


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "cp1252"])
def test_an_old_encoding_gets_similar_characters(encoding: str, race: Path, played: tuple[Path, str]) -> None:
    """A true minus becomes a hyphen, not a question mark."""
    _, usual = played
    assert "\N{MINUS SIGN}" in usual
    old = shell(f"export PYTHONIOENCODING={encoding}; rogsim run race.toml --out other", race)
    assert old.returncode == 0
    table, expected = (text.split("\nRows and manifest")[0] for text in (old.stdout, usual))
    assert table == expected.replace("\N{MINUS SIGN}", "-").replace("\N{EN DASH}", "-")


def test_what_an_encoding_lacks_is_replaced_by_what_it_has() -> None:
    """By letters without accents, and by a question mark where nothing is similar."""
    texts = {"\N{LATIN SMALL LETTER E WITH ACUTE}": "e", "\N{PLUS-MINUS SIGN}": "+-", "\N{SNOWMAN}": "?"}
    for text, expected in texts.items():
        assert in_plain_characters(UnicodeEncodeError("ascii", text, 0, 1, "")) == (expected, 1)


def test_a_full_standard_error_does_not_change_the_exit_code(race: Path) -> None:
    """Nor does a full standard output turn into another one than that of bad input."""
    assert shell("rogsim show nothing 2>/dev/full", race).returncode == 2
    full = shell("rogsim games >/dev/full", race)
    assert (full.returncode, full.stderr) == (2, "rogsim: error: No space left on device\n")


def test_what_a_bot_and_its_programs_write_goes_to_standard_error(race: Path) -> None:
    """So the output stays valid JSON."""
    (race / "writes.py").write_text(WRITES)
    found = shell("rogsim run race.toml --jobs 1 --bots writes.py:Writes --out ran --json", race)
    assert found.returncode == 0
    assert json.loads(found.stdout)["played"] == 20
    assert {"noise", "more"} <= set(found.stderr.splitlines())
