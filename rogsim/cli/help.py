"""The help of `rogsim` itself: its commands in groups, by what they are for."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup

GROUPS = {
    "Ask": ("run", "report", "compare", "optimize", "sweep", "settle"),
    "Look": ("seats", "parameters", "trace", "show"),
    "Bots": ("bots", "tournament", "tune", "train", "check-bot"),
    "Upkeep": ("status", "verify", "scenario", "games", "bench"),
}
FOR_GAMES = "Look"  # the group of the commands that games add
EXAMPLE = "Example: rogsim run seat-order --games 2000"


class GroupedHelp(TyperGroup):
    """Commands that the help lists in groups."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write each group with its commands; hidden ones are left out."""
        shown = {name: command for name in self.list_commands(ctx) if not (command := self.commands[name]).hidden}
        width = max((formatter.width - 6 - max(map(len, shown))), 20)
        listed = {name for names in GROUPS.values() for name in names}
        for group, names in GROUPS.items():
            added = [name for name in shown if name not in listed] if group == FOR_GAMES else []
            rows = [(name, shown[name].get_short_help_str(width)) for name in (*names, *added) if name in shown]
            if rows:
                with formatter.section(group):
                    formatter.write_dl(rows)
