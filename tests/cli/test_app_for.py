"""The app that is built for a command line: only the command that is called, with the same options."""

from __future__ import annotations

import pytest
import typer

from rogsim.cli.app import app, app_for
from tests.command_line import APP

COMMANDS = sorted(APP.commands)  # type: ignore[attr-defined] # a group


def options_of(command: object) -> list[str]:
    return [parameter.name for parameter in command.params]  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_the_same_alone(name: str) -> None:
    """Calling it builds no other command, except in a group."""
    group = typer.main.get_command(app_for([name, "--help"]))
    commands = group.commands  # type: ignore[attr-defined]
    assert list(commands) == ([name] if name != "scenario" else list(APP.commands))  # type: ignore[attr-defined]
    assert options_of(commands[name]) == options_of(APP.commands[name])  # type: ignore[attr-defined]


@pytest.mark.parametrize("words", [[], ["--help"], ["--version"], ["nosuch"], ["nosuch", "run"]])
def test_all_commands_are_built_where_none_is_called(words: list[str]) -> None:
    """The help lists them all."""
    assert app_for(words) is app
