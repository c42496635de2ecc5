"""The options of The River: the [options] table of a scenario."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from pydantic import AfterValidator

from rogsim.game.kit.setup import StrictOptions, mode_or_names, one_for_each_seat, one_of
from rogsim.games.the_river.components.names import BOARDS, NONE

FIRST_PLAYERS = ("seat 1", "random")
FOR_EACH = f"or a list with one of {', '.join(BOARDS)} for each seat"


class Options(StrictOptions):
    """The options of a scenario.

    first_player: "seat 1" (seats are numbered from the first player) or "random".
    boards: "dealt" (at random) or the colour of each seat's River Board.
    """

    first_player: Annotated[str, AfterValidator(partial(one_of, allowed=FIRST_PLAYERS))] = FIRST_PLAYERS[0]
    boards: Annotated[
        str | list[str], AfterValidator(partial(mode_or_names, modes=("dealt",), names=BOARDS, more=FOR_EACH))
    ] = "dealt"


def fill_options(tables: Any, options: Options) -> None:
    """Write the options into a TABLES record with default ones; ValueError if they do not fit its player count."""
    players = int(tables.seats)
    tables.first = 0 if options.first_player == FIRST_PLAYERS[0] else NONE
    if isinstance(options.boards, list):
        one_for_each_seat("boards", options.boards, players)
        tables.boards[:players] = [BOARDS.index(name) for name in options.boards]
