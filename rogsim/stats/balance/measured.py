"""What a report knows about one folder of results: everything that `rogsim.stats.balance.measure` computes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rogsim.stats.balance.association import Counts, Members, Parts
    from rogsim.stats.balance.board import SpaceUse
    from rogsim.stats.balance.draws import Draws
    from rogsim.stats.balance.level_by_seat import Cells
    from rogsim.stats.balance.level_points import LevelPoints
    from rogsim.stats.balance.levels import Levels
    from rogsim.stats.balance.regression import Model
    from rogsim.stats.balance.shape import Shape
    from rogsim.stats.balance.space_income import SpaceIncome


@dataclass
class PlayersBalance:
    """All results for one number of players; what was not requested, or does not exist, is None or empty.

    Attributes
    ----------
    screened
        Number of games, from the first one on, behind level points, members, counts, board and model.
    levels
        Levels by column.
    cells
        Each level in each seat, by column.
    level_points
        Points by source and over time of each level, by column of the levels.
    draws
        Draws by column.
    members
        Members by column.
    counts
        Counts by column.
    board
        The board's spaces by name of their kind.
    income
        How income changes with the uses of the board's spaces.
    parts
        Sources of points by name of the topic.
    adjusted_for
        Randomly dealt columns for which the win shares of seats and draws are adjusted.
    look
        Number of this look at the folder, from 1.
    """

    players: int
    games: int
    blocks: int
    screened: int = 0
    seats: Levels | None = None
    bots: Levels | None = None
    levels: dict[str, Levels] = field(default_factory=dict)
    cells: dict[str, Cells] = field(default_factory=dict)
    level_points: dict[str, LevelPoints] = field(default_factory=dict)
    draws: dict[str, Draws] = field(default_factory=dict)
    members: dict[str, Members] = field(default_factory=dict)
    counts: dict[str, Counts] = field(default_factory=dict)
    parts: dict[str, Parts] = field(default_factory=dict)
    board: dict[str, SpaceUse] = field(default_factory=dict)
    income: SpaceIncome | None = None
    shape: Shape | None = None
    model: Model | None = None
    adjusted_for: tuple[str, ...] = ()
    look: int = 1


@dataclass(frozen=True)
class Balance:
    """All results for one folder.

    Attributes
    ----------
    name
        Name of the run.
    folder
        Name of the folder, or of the run if it is in memory.
    margin
        Margin of equivalence, in percentage points.
    players
        Results by player count.
    """

    name: str
    folder: str
    bots: tuple[str, ...]
    margin: float
    players: Mapping[int, PlayersBalance]
