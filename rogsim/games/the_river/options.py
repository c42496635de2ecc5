"""The options of The River: the [options] table of a scenario."""

from __future__ import annotations

from typing import Any

from pydantic import field_validator

from rogsim.game.kit.setup import StrictOptions, mode_or_names, one_for_each_seat, one_of
from rogsim.games.the_river.components.names import BOARDS, NONE

FIRST_PLAYERS = ("seat 1", "random")


class Options(StrictOptions):
    """The options of a scenario.

    first_player: "seat 1" (seats are numbered from the first player) or "random".
    boards: "dealt" (at random) or the colour of each seat's River Board.
    """

    first_player: str = FIRST_PLAYERS[0]
    boards: str | list[str] = "dealt"

    @field_validator("first_player")
    @classmethod
    def _known_first_player(cls, value: str) -> str:
        return one_of(value, FIRST_PLAYERS)

    @field_validator("boards")
    @classmethod
    def _known_boards(cls, value: str | list[str]) -> str | list[str]:
        return mode_or_names(value, ("dealt",), BOARDS, f"or a list with one of {', '.join(BOARDS)} for each seat")


def fill_options(tables: Any, options: Options) -> None:
    """Write the options into a TABLES record with default ones; ValueError if they do not fit its player count."""
    players = int(tables.seats)
    tables.first = 0 if options.first_player == FIRST_PLAYERS[0] else NONE
    if isinstance(options.boards, list):
        one_for_each_seat("boards", options.boards, players)
        tables.boards[:players] = [BOARDS.index(name) for name in options.boards]
