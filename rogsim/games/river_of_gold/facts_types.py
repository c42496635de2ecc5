"""The kinds of value in component figures: whole numbers in a range, lists of a length, known words."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from rogsim.games.river_of_gold.facts_errors import not_allowed
from rogsim.games.river_of_gold.facts_limits import (
    MAX_FAVOR,
    MAX_GOODS,
    MAX_GOODS_IN_REWARD,
    MAX_INFLUENCE,
    MAX_KOKU,
    MAX_POINTS,
    PLACES,
)
from rogsim.games.river_of_gold.names import (
    REGIONS,
    RIVER_SPACES,
    SHORE_SPACES,
    SHORES_PER_RIVER_SPACE,
)


def whole(low: int, high: int) -> BeforeValidator:
    """Allow whole numbers from `low` to `high` only; neither 1.0 nor true is one."""
    allowed = f"a whole number from {low} to {high}" if low < high else f"{low}"

    def check(value: object) -> object:
        if type(value) is not int or not low <= value <= high:
            raise not_allowed(allowed)
        return value

    return BeforeValidator(check)


def listed(fewest: int, most: int | None = None) -> BeforeValidator:
    """Allow lists of `fewest` to `most` entries only; of exactly `fewest` if no `most` is given."""
    last = fewest if most is None else most
    allowed = f"a list of {fewest}" if last == fewest else f"a list of {fewest} to {last}"

    def check(value: object) -> object:
        if not isinstance(value, list | tuple) or not fewest <= len(value) <= last:
            raise not_allowed(allowed)
        return value

    return BeforeValidator(check)


def _track_space(key: object) -> object:
    """Read the key of a track reward, which TOML has as a text."""
    for space in range(1, MAX_INFLUENCE + 1):
        if key == str(space) or (type(key) is int and key == space):
            return space
    raise not_allowed(f"the number of a track space, from 1 to {MAX_INFLUENCE}")


Koku = Annotated[int, whole(0, MAX_KOKU)]
Points = Annotated[int, whole(0, MAX_POINTS)]
Goods = Annotated[int, whole(0, MAX_GOODS)]
RewardGoods = Annotated[int, whole(0, MAX_GOODS_IN_REWARD)]
Favor = Annotated[int, whole(0, MAX_FAVOR)]
Influence = Annotated[int, whole(0, MAX_INFLUENCE)]
Region = Annotated[int, whole(1, REGIONS)]
ShoreNumber = Annotated[int, whole(1, SHORE_SPACES)]
RiverNumber = Annotated[int, whole(1, RIVER_SPACES)]
TrackSpace = Annotated[int, BeforeValidator(_track_space)]
Divisor = Annotated[int, whole(1, MAX_KOKU)]
TwoPlaces = Annotated[tuple[Points, ...], listed(1, 2)]
ThreePlaces = Annotated[tuple[Points, ...], listed(1, PLACES)]
FourShores = Annotated[tuple[ShoreNumber, ...], listed(SHORES_PER_RIVER_SPACE)]
Text = Annotated[str, Field(min_length=1)]

Good = Literal["silk", "rice", "porcelain"]
Building = Literal["port", "market", "manor", "shrine"]
TileSet = Literal["start", "era1", "era2", "imperial"]
ShoreKind = Literal["open", "imperial", "start23", "start2"]
Clan = Literal["crab", "mantis", "crane", "scorpion"]
MasteryId = Literal["air", "courts", "earth", "fire", "void", "water"]
PatronId = Literal[
    "kaiu-shihobu",
    "yasuki-taka",
    "yoritomo",
    "kudaka",
    "daidoji-uji",
    "kakita-ryoku",
    "shosuro-hyobu",
    "bayushi-kashiko",
]
