"""The help: the commands in groups, by what they are for, and of each command its types in words and an example."""

from __future__ import annotations

import re
from typing import Any

from typer.core import TyperCommand, TyperGroup

from rogsim.base.errors import RogsimError
from rogsim.base.numbers import read_number

GROUPS = {
    "Ask": ("run", "report", "compare", "optimize", "sweep", "settle"),
    "Look": ("open", "seats", "parameters", "trace", "show"),
    "Bots": ("bots", "tournament", "tune", "train", "check-bot"),
    "Upkeep": ("status", "verify", "scenario", "games", "game", "bench"),
}
FOR_GAMES = "Look"  # the group of the commands that games add
WHOLE = 200  # characters of a first sentence: longer than any, so that none is cut
TYPE = re.compile(r" <[^>]+>$")  # what typer writes behind the name of an argument
EXAMPLES = {  # complete command lines; the folders are those that the commands before write
    "": "rogsim run seat-order --games 2000",
    "run": "rogsim run seat-order --games 2000",
    "report": "rogsim report reports/seat-order",
    "compare": "rogsim compare seat-order no-end-bonus --games 1000",
    "optimize": "rogsim optimize fair-start-2 --games 20000",
    "sweep": "rogsim sweep sweep-start --games 500",
    "settle": "rogsim settle seat-order --minutes 30",
    "open": "rogsim open seat-order",
    "seats": "rogsim seats reports/seat-order",
    "parameters": "rogsim parameters setup",
    "trace": "rogsim trace seat-order --games 3 --out games.jsonl",
    "show": "rogsim show games.jsonl",
    "bots": "rogsim bots --profile --bots tuned,random",
    "tournament": "rogsim tournament --bots tuned,random --players 2",
    "tune": "rogsim tune tuned --against random --generations 20",
    "train": "rogsim train seat-order --players 2 --minutes 30",
    "check-bot": "rogsim check-bot tuned",
    "status": "rogsim status reports/seat-order",
    "verify": "rogsim verify reports/seat-order",
    "scenario list": "rogsim scenario list",
    "scenario new": "rogsim scenario new mine",
    "scenario check": "rogsim scenario check scenarios/mine.toml",
    "scenario explain": "rogsim scenario explain seat-order",
    "scenario schema": "rogsim scenario schema --out scenario.schema.json",
    "scenario": "rogsim scenario new mine",
    "games": "rogsim games",
    "game": "rogsim game new tricks",
    "game new": "rogsim game new tricks",
    "game check": "rogsim game check tricks/tricks.py --plain",
    "bench": "rogsim bench --out before.json",
}


def example(command: str) -> str:
    """Return the line of a command's help that has an example."""
    return f"Example: {EXAMPLES[command]}"


def check_plain(name: str, word: str) -> None:
    """Refuse a number that is not written in plain digits; RogsimError names the option."""
    try:
        read_number(word)
    except ValueError:
        raise RogsimError(f'{name}: "{word}" is not allowed: must be a number in plain digits, such as 1000') from None


def check_not_empty(params: list[Any], words: dict[str, Any], args: list[str]) -> None:
    """Refuse empty words, as an empty path would stand for the current folder; RogsimError names what is empty.

    Parameters
    ----------
    params
        The arguments and options of the command.
    words
        What was typed for each of them, by name.
    args
        All words of the command line; those that no parameter takes belong to options of a game.
    """
    own = {option for param in params for option in param.opts}
    for before, word in zip(["", *args], args, strict=False):
        if word.startswith("--") and word.endswith("="):
            raise RogsimError(f"{word.rstrip('=')}: must not be empty")
        if not word and len(before) > 2 and before.startswith("--") and "=" not in before and before not in own:
            raise RogsimError(f"{before}: must not be empty")
    for param in params:
        typed = words.get(param.name)
        if typed == "" or (isinstance(typed, list | tuple) and "" in typed):
            name = param.metavar if param.param_type_name == "argument" else max(param.opts, key=len)
            raise RogsimError(f"{name}: must not be empty")
    if "" in args:
        raise RogsimError("an argument: must not be empty")


class CommandHelp(TyperCommand):
    """A command whose help names the types of its arguments in words only, and which takes only plain numbers."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words of a command line; RogsimError for what typer takes: empty words, numbers such as 1_000."""
        words, *_ = self.make_parser(ctx).parse_args(args=list(args))
        check_not_empty(self.params, words, args)
        rest: list[str] = super().parse_args(ctx, args)
        for param in self.params:
            word = words.get(param.name)
            if type(ctx.params.get(param.name)) in (int, float) and isinstance(word, str):
                check_plain(max(param.opts, key=len), word)
        return rest

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and options, without the names of types in Python."""
        write = formatter.write_dl
        formatter.write_dl = lambda rows, **layout: write([(TYPE.sub("", name), text) for name, text in rows], **layout)
        super().format_options(ctx, formatter)
        formatter.write_dl = write


class GroupedHelp(TyperGroup):
    """Commands that the help lists in groups."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write each group with its commands."""
        shown = {name: self.commands[name] for name in self.list_commands(ctx)}
        listed = {name for names in GROUPS.values() for name in names}
        for group, names in GROUPS.items():
            added = [name for name in shown if name not in listed] if group == FOR_GAMES else []
            rows = [(name, shown[name].get_short_help_str(WHOLE)) for name in (*names, *added) if name in shown]
            if rows:
                with formatter.section(group):
                    formatter.write_dl(rows)
