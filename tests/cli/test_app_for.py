"""The app that is built for a command line: only the command that is called, with the same options."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import pytest
import typer

from rogsim.cli.app import app, app_for
from rogsim.cli.help import GROUPS, example
from rogsim.game.registry import RegistryError
from tests.command_line import APP, rogsim_command

COMMANDS = sorted(APP.commands)  # type: ignore[attr-defined] # a group


def options_of(command: object) -> list[str]:
    return [parameter.name for parameter in command.params]  # type: ignore[attr-defined]


def help_of(command: typer.core.TyperGroup) -> str:
    return command.get_help(command.make_context("rogsim", [], resilient_parsing=True))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_the_same_alone(name: str) -> None:
    """Calling it builds no other command, except in a group."""
    group = typer.main.get_command(app_for([name, "--help"]))
    commands = group.commands  # type: ignore[attr-defined]
    assert list(commands) == ([name] if name not in ("scenario", "game") else list(APP.commands))  # type: ignore[attr-defined]
    assert options_of(commands[name]) == options_of(APP.commands[name])  # type: ignore[attr-defined]


@pytest.mark.parametrize("words", [[], ["--version"], ["nosuch"], ["nosuch", "run"]])
def test_all_commands_are_built_where_none_is_called(words: list[str]) -> None:
    """The error for an unknown command proposes similar ones."""
    assert app_for(words) is app


@pytest.mark.parametrize("word", ["-h", "--help"])
def test_the_help_of_all_commands_needs_none_of_their_options(word: str) -> None:
    """The text is the same with them."""
    small = typer.main.get_command(app_for([word]))
    assert not any(map(options_of, small.commands.values()))  # type: ignore[attr-defined]
    assert help_of(small) == help_of(APP)


def test_what_completes_a_line_needs_all_options(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line is then not among the words."""
    monkeypatch.setenv("_ROGSIM_COMPLETE", "complete_bash")
    assert app_for(["--help"]) is app


TOPICS = """
[winds]
help = "Show whether the wind is fair."
scenario = "windy"
[patrons]
help = "Show something else."
scenario = "windy"
"""


def offer(folder: Path, monkeypatch: pytest.MonkeyPatch, topics: str) -> None:
    """Install a game of another package that has commands, and cannot be imported."""
    (folder / "kites").mkdir()
    for name in ("__init__", "spec"):
        (folder / "kites" / f"{name}.py").write_text("raise SystemError('must not be imported')")
    (folder / "kites" / "commands.toml").write_text(topics)
    info = folder / "kites-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: kites\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text("[rogsim.games]\nkites = kites.spec:GAME\nodd = kites_of_others:GAME\n")
    monkeypatch.syspath_prepend(folder)


def test_games_of_other_packages_have_commands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A topic in the file beside the game's module is a command, which replaces none; no game is imported."""
    offer(tmp_path, monkeypatch, TOPICS)
    alone = typer.main.get_command(app_for(["winds", "folder"])).commands  # type: ignore[attr-defined]
    assert list(alone) == ["winds"]
    assert alone["winds"].help == "Show whether the wind is fair."
    assert alone["winds"].epilog == f"Example: rogsim winds {Path('reports/windy')}"
    assert options_of(alone["winds"]) == options_of(APP.commands["patrons"])  # type: ignore[attr-defined]
    similar = typer.main.get_command(app_for(["wind"])).commands  # type: ignore[attr-defined]
    assert set(similar) == {"winds", *COMMANDS}
    assert similar["patrons"].help == APP.commands["patrons"].help  # type: ignore[attr-defined]
    assert "winds" not in COMMANDS


@pytest.mark.parametrize("words", [["run"], ["scenario"], ["--help"], ["--version"], []])
def test_packages_are_read_only_for_an_unknown_command(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """That takes half as long as the help."""
    monkeypatch.setattr("rogsim.game.registry.offered", lambda _: pytest.fail("must not be read"))
    app_for(words)


@pytest.mark.parametrize(
    ("topics", "fault"),
    [("[winds", "Expected ']'"), ("[winds]\nhelp = 3", 'key "winds.help": must be text in quotes')],
)
def test_a_wrong_file_of_commands_is_named(
    topics: str, fault: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The error names the game and its package."""
    offer(tmp_path, monkeypatch, topics)
    with pytest.raises(RegistryError, match=f'^game "kites" of kites 1.2: commands.toml: {fault}'):
        app_for(["winds"])


def test_help_lists_every_command_in_one_group() -> None:
    """Hidden ones are left out, commands of games are among those that look at results."""
    code, shown, _ = rogsim_command("--help")
    assert code == 0
    parts = {part.partition(":")[0]: part for part in shown.split("\n\n")}
    lines = [line for group in GROUPS for line in parts[group].splitlines()[1:]]
    listed = [line.split()[0] for line in lines if not line.startswith("   ")]  # others continue the line above
    assert sorted(listed) == sorted(COMMANDS)
    assert "\n  patrons " in parts["Look"]
    assert set(chain(*GROUPS.values())) <= set(COMMANDS)
    assert example("") in shown


def test_bare_rogsim_and_h_show_the_help() -> None:
    """So does -h after each command."""
    assert rogsim_command() == rogsim_command("-h") == rogsim_command("--help")
    for words in (["run"], ["tournament"], ["patrons"], ["scenario"], ["scenario", "list"]):
        assert rogsim_command(*words, "-h") == rogsim_command(*words, "--help")
        assert rogsim_command(*words, "-h").code == 0
