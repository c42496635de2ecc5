"""The directive `rogsim-commands`: every command of rogsim with its arguments and options, from the program itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import typer.main
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from rogsim.cli.app import app as command_line
from rogsim.cli.help import FOR_GAMES, GROUPS

PROGRAM = "rogsim"


class RogsimCommands(SphinxDirective):
    """Lists the commands in the groups of `rogsim --help`, one section for each."""

    has_content: ClassVar[bool] = False

    def run(self) -> list[nodes.Node]:
        """Return the sections of all groups."""
        root: Any = typer.main.get_command(command_line)
        known = {name: command for name, command in root.commands.items() if not command.hidden}
        added = [name for name in known if all(name not in names for names in GROUPS.values())]
        return [
            self.group(title, {name: known[name] for name in (*names, *(added if title == FOR_GAMES else ()))})
            for title, names in GROUPS.items()
        ]

    def group(self, title: str, commands: dict[str, Any]) -> nodes.section:
        """Return one group of commands as a section."""
        group = self.section(title, title.lower())
        for name, command in commands.items():
            group += self.command(f"{PROGRAM} {name}", command)
        return group

    def command(self, name: str, command: Any) -> nodes.section:
        """Return the section of a command; those of a group of commands are inside it."""
        section = self.section(name, nodes.make_id(name))
        context = command.make_context(name, [], resilient_parsing=True)
        inside = getattr(command, "commands", {})
        if not inside:
            section += nodes.literal_block("", usage(command, context), language="text")
        section += [nodes.paragraph("", text) for text in paragraphs(command.help)]
        rows = [found for found in records(command, context) if found]
        if rows:
            section += definitions(rows)
        section += [nodes.paragraph("", text) for text in paragraphs(command.epilog)]
        for inner, one in inside.items():
            section += self.command(f"{name} {inner}", one)
        return section

    def section(self, title: str, anchor: str) -> nodes.section:
        """Return an empty section that links can lead to."""
        section = nodes.section("", nodes.title("", title), ids=[anchor], names=[nodes.fully_normalize_name(title)])
        self.state.document.note_explicit_target(section)
        return section


def usage(command: Any, context: Any) -> str:
    """Return how a command is called, in one line."""
    return " ".join([context.command_path, *command.collect_usage_pieces(context)])


def paragraphs(text: str | None) -> Iterator[str]:
    """Yield the paragraphs of a help text, each as one line."""
    yield from (" ".join(part.split()) for part in (text or "").split("\n\n") if part.strip())


def records(command: Any, context: Any) -> Iterator[tuple[str, str] | None]:
    """Yield each argument and option but --help as the help shows it: how it is written, and what it means."""
    for parameter in command.get_params(context):
        if parameter.name != "help":
            yield parameter.get_help_record(context)


def definitions(rows: list[tuple[str, str]]) -> nodes.definition_list:
    """Return arguments and options as a list of definitions."""
    listed = nodes.definition_list(classes=["options"])
    for written, meaning in rows:
        term = nodes.term("", "", nodes.literal("", written))
        listed += nodes.definition_list_item("", term, nodes.definition("", nodes.paragraph("", meaning)))
    return listed


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("rogsim-commands", RogsimCommands)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
