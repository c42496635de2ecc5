"""The options of River of Gold: the [options] table of a scenario."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from pydantic import field_validator

from rogsim.game.kit.setup import StrictOptions, mode_or_names, one_for_each_seat
from rogsim.games.river_of_gold.components.names import CLANS, MASTERIES, MASTERIES_PER_GAME, NONE, PATRONS
from rogsim.games.river_of_gold.rules.setup import MASTERIES_AT_RANDOM, MASTERIES_IN_TURN, PATRON_MODES, PATRONS_BY_SEAT

MASTERY_MODES = ("random", "each")
NAMED_PATRON_MODES = PATRON_MODES[:PATRONS_BY_SEAT]
ALL_DRAWS = tuple(combinations(range(len(MASTERIES)), MASTERIES_PER_GAME))


class Options(StrictOptions):
    """The options of a scenario.

    masteries: "random", "each" (all 20 draws equally often) or three names.
    patrons: "none", "draft", "alternative", "dealt" (each seat a random clan and one of its two patrons) or one
    name for each seat, in turn order.
    """

    masteries: str | list[str] = "random"
    patrons: str | list[str] = "none"

    @field_validator("masteries")
    @classmethod
    def _known_masteries(cls, value: str | list[str]) -> str | list[str]:
        value = mode_or_names(
            value, MASTERY_MODES, MASTERIES, f"or a list of {MASTERIES_PER_GAME} of {', '.join(MASTERIES)}"
        )
        if isinstance(value, list) and len(value) != MASTERIES_PER_GAME:
            raise ValueError(f"{len(value)} masteries are not allowed: {MASTERIES_PER_GAME} are in play")
        return value

    @field_validator("patrons")
    @classmethod
    def _known_patrons(cls, value: str | list[str]) -> str | list[str]:
        value = mode_or_names(value, NAMED_PATRON_MODES, PATRONS, "or a list of one patron for each seat")
        clans = [CLANS[PATRONS.index(name) // 2] for name in value] if isinstance(value, list) else []
        for i, clan in enumerate(clans):
            if clan in clans[:i]:
                other = value[clans.index(clan)]
                raise ValueError(f'"{other}" and "{value[i]}" are both of the {clan} clan, which one seat plays')
        return value


def fill_options(tables: Any, options: Options) -> None:
    """Write the options into a TABLES record; ValueError if they do not fit its player count."""
    players = int(tables.seats)
    if isinstance(options.masteries, str):
        sets: tuple[tuple[int, ...], ...] = ALL_DRAWS
        tables.mastery_mode = MASTERIES_AT_RANDOM if options.masteries == "random" else MASTERIES_IN_TURN
    else:
        sets = (tuple(MASTERIES.index(name) for name in options.masteries),)
        tables.mastery_mode = MASTERIES_IN_TURN
    tables.mastery_sets[: len(sets)] = sets
    tables.mastery_sets_count = len(sets)
    tables.patrons[:] = NONE
    if isinstance(options.patrons, str):
        tables.patron_mode = PATRON_MODES.index(options.patrons)
        return
    one_for_each_seat("patrons", options.patrons, players)
    tables.patron_mode = PATRONS_BY_SEAT
    tables.patrons[:players] = [PATRONS.index(name) for name in options.patrons]
