"""Which parameters cannot matter in the games of a scenario, and which levels cannot occur: from the rules alone."""

from __future__ import annotations

from collections.abc import Sequence

from rogsim.game.parameters import Change, by_name, unless_players
from rogsim.games.the_river.components.load import BOOK
from rogsim.games.the_river.components.names import BOARDS, EFFECT_KEYS
from rogsim.games.the_river.options import Options


def absent_levels(options: Options, players: int, column: str) -> dict[str, str]:
    """Return the River Boards that no seat has, each with the reason."""
    played = options.boards if column == "board" and isinstance(options.boards, list) else BOARDS
    return {board: f"no seat has the {board} board" for board in BOARDS if board not in played}


@by_name
def without_effect(options: Options, players: int, change: Change, name: Sequence[str]) -> str:
    """Return why a parameter cannot matter; empty if it can."""
    match name:
        case ["supply" | "token_set", count, *_]:
            return unless_players(count, players)
        case ["board", board, *_] if board in absent_levels(options, players, "board"):
            return absent_levels(options, players, "board")[board]
        case ["board", _, "production", spot] if not BOOK.value(f"spot.{spot}.production", change):
            return f"spot.{spot}.production is switched off"
        case ["tile", tile, "resource" | "amount" | "points" | "terrain_counted" as key]:
            effect = BOOK.value(f"tile.{tile}.effect", change)
            return "" if key in EFFECT_KEYS.get(effect, ()) else f"the effect of {tile} ({effect}) does not use it"
        case ["score", "leftover_set"] if not BOOK.value("score.leftover_points", change):
            return "score.leftover_points is 0"
        case ["setup" | "display_tiles" | "end" | "place" | "board", *_, key, "2" | "3" | "4" as count]:
            return "" if key == "production" else unless_players(count, players)
    return ""
