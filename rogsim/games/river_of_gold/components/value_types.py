"""The types of values in components: whole numbers in a range, lists of a given length, known words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from rogsim.games.river_of_gold.components.errors import not_allowed
from rogsim.games.river_of_gold.components.limits import (
    MAX_FAVOR,
    MAX_GOODS,
    MAX_GOODS_IN_REWARD,
    MAX_INFLUENCE,
    MAX_KOKU,
    MAX_POINTS,
    MAX_POINTS_IN_REWARD,
    PLACES,
)
from rogsim.games.river_of_gold.components.names import REGIONS, RIVER_SPACES, SHORE_SPACES, SHORES_PER_RIVER_SPACE


@dataclass(frozen=True)
class Whole:
    """A whole number from `low` to `high`; 1.0 and true are not whole numbers."""

    low: int
    high: int

    @property
    def allowed(self) -> str:
        """Return what is allowed, in words."""
        return f"a whole number from {self.low} to {self.high}" if self.low < self.high else f"{self.low}"

    def check(self, value: object) -> object:
        """Return the value if it is allowed, and refuse any other."""
        if type(value) is not int or not self.low <= value <= self.high:
            raise not_allowed(self.allowed)
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Have pydantic call `check` first."""
        return core_schema.no_info_before_validator_function(self.check, handler(source))


whole = Whole


def _switch(value: object) -> object:
    """Allow true and false only."""
    if type(value) is not bool:
        raise not_allowed("true or false")
    return value


@dataclass(frozen=True)
class Listed:
    """A list of `fewest` to `most` entries."""

    fewest: int
    most: int

    @property
    def allowed(self) -> str:
        """Return what is allowed, in words."""
        return f"a list of {self.fewest}" + (f" to {self.most}" if self.most > self.fewest else "")

    def check(self, value: object) -> object:
        """Return the value if it is allowed, and refuse any other."""
        if not isinstance(value, list | tuple) or not self.fewest <= len(value) <= self.most:
            raise not_allowed(self.allowed)
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Have pydantic call `check` first."""
        return core_schema.no_info_before_validator_function(self.check, handler(source))


def listed(fewest: int, most: int | None = None) -> Listed:
    """Allow lists of `fewest` to `most` entries only; of exactly `fewest` if no `most` is given."""
    return Listed(fewest, fewest if most is None else most)


def _track_space(key: object) -> object:
    """Read the key of a track reward, which is a text in TOML."""
    for space in range(1, MAX_INFLUENCE + 1):
        if key == str(space) or (type(key) is int and key == space):
            return space
    raise not_allowed(f"the number of a track space, from 1 to {MAX_INFLUENCE}")


Koku = Annotated[int, whole(0, MAX_KOKU)]
Points = Annotated[int, whole(0, MAX_POINTS)]
RewardPoints = Annotated[int, whole(0, MAX_POINTS_IN_REWARD)]
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
Switch = Annotated[bool, BeforeValidator(_switch)]
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
