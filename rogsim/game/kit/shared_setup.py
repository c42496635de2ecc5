"""What all games of a scenario and a player count share, as `GameSpec.prepare` returns it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rogsim.game.kit.frozen import frozen
from rogsim.game.kit.parameters.book import ParameterBook
from rogsim.game.parameters import Change


@dataclass(frozen=True)
class Setup:
    """What all games of a scenario and a player count share; a game may add to it."""

    tables: Any  # the record that the rules read
    facts: Mapping[str, Any]  # the components in words, for agents
    options: Mapping[str, Any] = field(default_factory=dict)  # those that differ from the default
    change: Change = field(default_factory=dict)  # the parameters that differ from those in the files


def preparing(
    book: ParameterBook[Any], make_tables: Callable[[Any, int], Any], fill_options: Callable[[Any, Any], None]
) -> Callable[..., Setup]:
    """Return what `GameSpec.prepare` is for a game with component files.

    Parameters
    ----------
    book
        All parameters of the game.
    make_tables
        Takes the components and a player count, and returns the record that the rules read, for default options.
    fill_options
        Writes the options into that record; ValueError if they do not fit its player count.
    """

    def prepare(options: Any, players: int, change: Change | None = None) -> Setup:
        """Return the set-up for the options and checked changes of a scenario and a player count."""
        facts = frozen(book.with_change(change or {}))
        tables = make_tables(facts, players)
        fill_options(tables, options)
        return Setup(tables, facts, options.model_dump(exclude_defaults=True), dict(change or {}))

    return prepare
