"""The help of each command: an example that can be typed, types in words; and what the shell completes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from rogsim.cli import completion
from rogsim.cli.help import EXAMPLES
from rogsim.game.registry import game_names, get_game
from rogsim.scenario.scenario_files import known_names, shipped_scenarios
from tests.command_line import APP, Run, rogsim_command

pytestmark = pytest.mark.once_uncompiled

COMMANDS: dict[str, Any] = APP.commands  # type: ignore[attr-defined] # a group
SHOWN = sorted(COMMANDS)
PARTS = [f"{group} {name}" for group in ("scenario", "game") for name in COMMANDS[group].commands]
FOLDERS = {f"reports/{scenario.name}" for scenario in shipped_scenarios()}  # written by `rogsim run NAME`


def example_of(name: str) -> list[str]:
    """The words of the example in a command's help, without `rogsim`."""
    text = rogsim_command(*name.split(), "--help").out
    found = re.search(r"^  Example: rogsim (.*?)\s*\Z", text, re.MULTILINE | re.DOTALL)
    assert found, text
    return shlex.split(found[1])


@pytest.mark.parametrize("name", [*SHOWN, *PARTS])
def test_each_help_page_has_an_example_that_can_be_run(name: str) -> None:
    """It calls this command, with options it has, scenarios that come with rogsim and folders that a run writes."""
    words = example_of(name)
    command = COMMANDS[words[0]]
    called = [words.pop(0)]
    if words and words[0] in getattr(command, "commands", {}):
        called.append(words.pop(0))
        command = command.commands[called[1]]
    assert name in (" ".join(called), called[0])
    with command.make_context(called[-1], list(words)) as context:
        assert not context.args  # options of the game would end up here
        given = context.params
    for key in ("scenario", "base", "variants", "scenarios"):
        named = given.get(key) or []
        assert {str(word) for word in (named if isinstance(named, (list, tuple)) else [named])} <= set(known_names())
    folders = given.get("folders") or ([given["folder"]] if "folder" in given else [])
    assert {Path(folder).as_posix() for folder in folders} <= FOLDERS
    bots = {bot.name for bot in get_game().bots}
    for key in ("bots", "bot", "against"):
        if isinstance(given.get(key), str):
            assert set(given[key].split(",")) <= bots


def test_no_example_is_left_over() -> None:
    """Each belongs to a command."""
    assert set(EXAMPLES) <= {"", *SHOWN, *PARTS}


@pytest.mark.parametrize("name", [*SHOWN, *PARTS])
def test_types_are_words(name: str) -> None:
    """No help page shows the name of a type in Python."""
    text = rogsim_command(*name.split(), "--help").out
    assert not re.search(r"<(?!scenario>|bot>)[^>]*>|INTEGER|FLOAT|TEXT|PATH\b", text.replace("NAME|PATH", "")), text


def test_the_shell_completes_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scenarios, games, the last of several bots, and parameters, of the game that the line is about."""
    assert completion.scenarios("koku") == [name for name in known_names() if name.startswith("koku")] != []
    assert completion.games("") == game_names()
    for game, line in (("river-of-gold", "rogsim run"), ("the-river", "rogsim settle the-river-seat-order --bots")):
        monkeypatch.setenv("COMP_WORDS", line)
        spec = get_game(game)
        names = [bot.name for bot in spec.bots]
        assert completion.bot("") == names
        assert completion.bots(f"{names[0]},{names[1][:3]}") == [f"{names[0]},{names[1]}"]
        assert {parameter.name for parameter in spec.facts()} <= set(completion.parameter(""))
    monkeypatch.setenv("COMP_WORDS", "rogsim bots --game the-river --bots exp")
    assert completion.bots("exp") == ["explorer"]


def test_completion_answers_the_shell(command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """As bash asks for it, through typer."""
    monkeypatch.setenv("_ROGSIM_COMPLETE", "complete_bash")
    for line, found in (("rogsim sett", "settle"), ("rogsim run seat", "seat-order"), ("rogsim run --ga", "--games")):
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
        assert found in command().out.split()
