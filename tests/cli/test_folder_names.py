"""Folders of any name: every command reads and writes in them as in any other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rogsim
from rogsim.results.results import Results
from tests.command_line import Run
from tests.dice_process import scenario_text

pytestmark = [pytest.mark.once_uncompiled, pytest.mark.usefixtures("dice_race", "sketched", "few_draws")]

# What a name may contain that means something to a shell, to polars, or in the address of a page.
PROJECT, TARGET = "[v2] *?{a,b}", "~k=v 50%41'\"#[1]"
SHORT = ["--generations", "1", "--games", "20", "--held-out", "100", "--players", "2"]
RACE = ["--game", "dice-race", "--players", "2", "--games", "40"]
STORED = ["--out", "{0}", "--store", "{0}-games"]
LADDER = ["--bots", "walker,moody,runner", "--first-look", "40", "--games", "200"]
COMMANDS = {
    "sweep": [["sweep", "{0}.toml", *STORED]],
    "compare": [["compare", "{0}.toml", "--change", "head_start.2 = 1", *STORED]],
    "optimize": [["optimize", "{0}.toml", "--confirm", "100", *STORED]],
    "settle": [["settle", "{0}.toml", *LADDER, *STORED]],
    "tournament": [["tournament", *RACE, "--bots", "runner,walker", *STORED]],
    "profile": [["bots", *RACE, "--profile", "--bots", "runner", "--out", "{0}"]],
    "tune": [
        ["tune", "moody", "--game", "dice-race", "--against", "walker", *SHORT, "--out", "{0}-tuned.toml"],
        ["run", "{0}.toml", "--bots", "moody@{0}-tuned.toml", "--out", "{0}"],
    ],
    "trace": [["trace", "{0}.toml", "--out", "{0}.jsonl"], ["show", "{0}.jsonl"]],
}


@pytest.fixture
def project(command: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder whose name is as strange as those of the files in it."""
    folder = tmp_path / PROJECT
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / f"{TARGET}.toml").write_text(scenario_text(40).replace('["runner"]', '["runner", "walker"]'))
    return folder


def test_results_are_read_where_they_were_written(project: Path, command: Run) -> None:
    """By every command, by Python, and by a run that continues."""
    for number in ("1", "2"):
        ended = command("run", f"{TARGET}.toml", "--seed", number, "--out", f"{TARGET}{number}", "--jobs", "1")
        assert ended.code == 0, ended
    folders = [f"{TARGET}1", f"{TARGET}2"]
    for words in (
        ["status", folders[0]],
        ["verify", folders[0], "--games", "5"],
        ["seats", *folders, "--csv", f"{TARGET}.csv"],
        ["report", *folders, "--out", TARGET],
        ["run", f"{TARGET}.toml", "--seed", "1", "--games", "60", "--out", folders[0], "--jobs", "1"],
    ):
        ended = command(*words)
        assert (ended.code, "error" in ended.err) == (0, False), (words, ended)
    rows = Results.open(project / folders[0]).seats().collect()
    played = rogsim.run(f"{TARGET}.toml", games=60)
    assert rows.equals(played.seats().collect())
    assert json.loads(Path(TARGET, "report.json").read_text())["provenance"]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_writes_into_such_folders(project: Path, command: Run, name: str) -> None:
    """Twice: the second time it finds what the first time left."""
    for line in COMMANDS[name] * 2:
        ended = command(*(word.format(TARGET) for word in line))
        assert (ended.code, "error" in ended.err) == (0, False), ended
