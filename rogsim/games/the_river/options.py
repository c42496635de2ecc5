"""The options of The River: the [options] table of a scenario."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, field_validator

from rogsim.game.kit.option_checks import all_different, one_of
from rogsim.games.the_river.components.names import BOARDS, NONE

FIRST_PLAYERS = ("seat 1", "random")


class Options(BaseModel):
    """The options of a scenario.

    first_player: "seat 1" (seats are numbered from the first player) or "random".
    boards: "dealt" (at random) or the colour of each seat's River Board.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    first_player: str = FIRST_PLAYERS[0]
    boards: str | list[str] = "dealt"

    @field_validator("first_player")
    @classmethod
    def _known_first_player(cls, value: str) -> str:
        return one_of(value, FIRST_PLAYERS)

    @field_validator("boards")
    @classmethod
    def _known_boards(cls, value: str | list[str]) -> str | list[str]:
        if isinstance(value, str):
            return one_of(value, ("dealt",), f"or a list with one of {', '.join(BOARDS)} for each seat")
        for name in value:
            one_of(name, BOARDS)
        all_different(value)
        return value


def fill_options(tables: Any, options: Options) -> None:
    """Write the options into a TABLES record; ValueError if they do not fit its player count."""
    players = int(tables.seats)
    tables.first = 0 if options.first_player == FIRST_PLAYERS[0] else NONE
    tables.boards[:] = NONE
    if isinstance(options.boards, list):
        if len(options.boards) != players:
            raise ValueError(
                f'option "boards" names {len(options.boards)} for {players} players: give one for each seat'
            )
        tables.boards[:players] = [BOARDS.index(name) for name in options.boards]
