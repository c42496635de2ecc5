"""Which parameters cannot matter in the games of a scenario, and which levels cannot occur there.

This follows from the rules alone, before a game is played: patrons that nobody has, seats that nobody takes, tiles that
stay in the box. A parameter that is not listed may still make no difference to the bots that play.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from rogsim.game.parameters import Change, by_name, unless_players
from rogsim.games.river_of_gold.components.load import BOOK
from rogsim.games.river_of_gold.components.names import CLANS, PATRONS, PLAYER_COUNTS
from rogsim.games.river_of_gold.options import Options

FLOWER_MASTERY = "courts"  # the only one that depends on the imperial flower
COVERED = {
    "imperial": PLAYER_COUNTS,
    "start23": (2, 3),
    "start2": (2,),
}  # by kind of space: player counts with a tile there


def absent_levels(options: Options, players: int, column: str) -> dict[str, str]:
    """Return the levels of a seat column that cannot occur, each with the reason."""
    if column not in ("patron", "clan") or not (isinstance(options.patrons, list) or options.patrons == "none"):
        return {}
    levels = PATRONS if column == "patron" else CLANS
    if options.patrons == "none":
        return dict.fromkeys(levels, "no patrons are in play")
    there = {name if column == "patron" else CLANS[PATRONS.index(name) // 2] for name in options.patrons}
    return {level: f"{level} is not in play" for level in levels if level not in there}


@by_name
def without_effect(options: Options, players: int, change: Change, name: Sequence[str]) -> str:
    """Return why a parameter cannot matter; empty if it can."""
    match name:
        case ["patron", patron, *_]:
            return absent_levels(options, players, "patron").get(patron, "")
        case ["mastery", mastery, *_]:
            return _unless_in_play(options, mastery)
        case ["track", "imperial_flower"]:
            return _unless_in_play(options, FLOWER_MASTERY)
        case ["scoring" | "rulings", parameter]:
            return _scoring(players, change, parameter)
        case ["setup", "koku_by_turn_order", place]:
            return _unless_seated(int(place), players)
        case ["setup", "era_tiles", count, *_] | ["mastery_points", count]:
            return unless_players(count, players)
        case ["mastery_points", count, place]:
            return unless_players(count, players) or _unless_seated(int(place), players)
        case ["region_tiles", "two_players", *_]:
            return _only_two(players)
        case ["region_tiles", *_]:
            return "it only counts with three or four players" if players == 2 else ""
        case ["shore", space, *_]:
            return "there is a tile from the start" if players in COVERED.get(_kinds()[space], ()) else ""
        case ["tile", tile, *_] if tile in _starting_tiles():
            return "" if players in (2, 3) else "starting tiles are only used with 2 and 3 players"
    return ""


def _scoring(players: int, change: Change, parameter: str) -> str:
    match parameter:
        case "two_player_distance":
            return _only_two(players)
        case "second_place_within":
            return _only_two(players) or _unless_on(change, "two_player_distance")
        case "end_trigger":
            return _unless_on(change, "end_trigger_bonus")
        case "end_trigger_bonus":
            return "" if BOOK.value("scoring.end_trigger", change) else "scoring.end_trigger is 0"
    return ""


def _unless_in_play(options: Options, mastery: str) -> str:
    chosen = options.masteries
    return f"{mastery} is not in play" if isinstance(chosen, list) and mastery not in chosen else ""


def _unless_seated(place: int, players: int) -> str:
    return f"there is no player {place}" if place > players else ""


def _only_two(players: int) -> str:
    return "it only counts with two players" if players != 2 else ""


def _unless_on(change: Change, ruling: str) -> str:
    return "" if change.get(f"rulings.{ruling}", True) else f"rulings.{ruling} is switched off"


@cache
def _kinds() -> Mapping[str, str]:
    return {str(space["id"]): space["kind"] for space in BOOK.printed()["shore"]}


@cache
def _starting_tiles() -> frozenset[str]:
    tiles: Sequence[Mapping[str, Any]] = BOOK.printed()["tile"]
    return frozenset(tile["id"] for tile in tiles if tile["set"] == "start")
