"""Names of bots: which bot a name means, whether it is a program in a file, and with which weights it plays.

All names are parsed here, so that no two places can read the same name differently.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rogsim.base.text import name_fault
from rogsim.base.validation import show
from rogsim.game.registry import RegistryError

LONGEST = 4_096  # characters
# The last `.py:` counts: a folder may have an @ or a colon in its name. A file has a name before its suffix.
PROGRAM = re.compile(r"(?P<path>.*[^/\\]\.py):(?P<attribute>[^\W\d]\w*(?:\.[^\W\d]\w*)*)(?:@(?P<rest>.*))?")
PROGRAM_FORM = "write it as path/to/file.py:name"
WEIGHTS_FORM = "write it as BOT@path/to/file.toml"


@dataclass(frozen=True)
class BotName:
    """The parts of the name of a bot.

    Attributes
    ----------
    text
        The whole name.
    base
        The bot without weights.
    path, attribute
        For a program, the Python file and the name of the bot in it; otherwise empty.
    weights, changes
        The path of a weights file, or `name=value+name=value`. At most one of these is not empty.
    """

    text: str
    base: str
    path: str = ""
    attribute: str = ""
    weights: str = ""
    changes: str = ""

    @property
    def is_program(self) -> bool:
        """Return whether this bot is a Python file, which runs when the bot is loaded."""
        return bool(self.path)

    @property
    def needs_folder(self) -> bool:
        """Return whether the bot can only be found with the folder where its paths start."""
        return self.is_program or bool(self.weights)


def read_bot_name(text: str) -> BotName:
    """Parse the name of a bot; RegistryError says in one line what is wrong with it."""
    fault = name_fault(text) or (f"a name must have at most {LONGEST:,} characters" if len(text) > LONGEST else None)
    if fault:
        raise RegistryError(f"bot {show(text)}: {fault}")
    if program := PROGRAM.fullmatch(text):
        path, attribute, rest = program["path"], program["attribute"], program["rest"]
        return _with_weights(BotName(text, f"{path}:{attribute}", path, attribute), rest)
    base, at, rest = text.partition("@")
    if "/" in base or ".py:" in base or base.endswith(".py"):
        raise RegistryError(f"bot {show(text)}: {PROGRAM_FORM}")
    return _with_weights(BotName(text, base), rest if at else None)


def _with_weights(bot: BotName, rest: str | None) -> BotName:
    """Return a bot with the weights after the @ of its name; None if there is no @."""
    if rest is None:
        return bot
    if not rest or not bot.base:
        raise RegistryError(f"bot {show(bot.text)}: {WEIGHTS_FORM}")
    if "=" in rest and not rest.endswith(".toml"):
        return replace(bot, changes=rest)
    return replace(bot, weights=rest)


def near_names(name: str, names: Sequence[str], count: int = 8) -> list[str]:
    """Return the names most similar to a given name, or the first ones if none is similar."""
    return difflib.get_close_matches(name, names, count, cutoff=0.5) or list(names[:count])
