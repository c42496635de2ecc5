"""The board: how often its spaces are used, what that goes with, what it brings, and the map of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from scipy.stats import t

from rogsim.game.registry import register, unregister
from rogsim.game.topics import Area, BoardMap, Spaces
from rogsim.report import words
from rogsim.report.document import Section
from rogsim.report.figures.heat_map import board_plot
from rogsim.stats.balance.regression import SpaceSums, SpaceUse
from rogsim.stats.blocks import BlockRows
from tests.dice_game import GAME
from tests.report.conftest import KEYS, RIVER, report_on

pytestmark = pytest.mark.once_uncompiled
SEATS, GAMES = 2, 300
ISLES = Spaces(
    "isles",
    "Isles",
    "isle",
    {"west": "W", "east": "E", "far": "F"},
    ("west", "east", "far"),
    "landing",
    "landed there",
    ((0.5, 0.5), (1.5, 0.5), (2.5, 0.5)),
    visit="landings on either side",
    visits=(("west",), ("east",), ("west", "east")),
)
SET = replace(ISLES, columns=("visited",))


def played() -> BlockRows:
    """Return games in which a landing in the east brings 3 points, and one in the west none; nobody gets far."""
    generator = np.random.default_rng(4)
    west, east = generator.integers(4, size=(2, SEATS * GAMES))
    points = 10 + 3 * east + generator.normal(0, 1, SEATS * GAMES)
    won = points.reshape(-1, SEATS).argmax(axis=1)
    seats = pl.DataFrame(
        {
            "game": np.repeat(np.arange(GAMES), SEATS),
            "block": np.repeat(np.arange(GAMES), SEATS),
            "seat": np.tile([1, 2], GAMES),
            "points": points,
            "win_share": np.eye(SEATS)[won].ravel(),
            "west": west,
            "east": east,
            "far": np.zeros_like(west),
            "visited": ((west > 0) + 2 * (east > 0)).astype(np.uint8),
        }
    )
    return BlockRows(SEATS, seats, pl.DataFrame({"game": np.arange(GAMES), "block": np.arange(GAMES)}))


def measured(part: BlockRows, spaces: Spaces = ISLES, members: tuple[str, ...] = ()) -> SpaceUse:
    sums = SpaceSums(spaces, members, SEATS)
    sums.add(part)
    return sums.result()


def test_visits_are_the_sums_of_their_columns() -> None:
    """Visits are means of games over all seats, with the interval of a mean of independent games."""
    part = played()
    frame = measured(part).frame()
    assert frame["space"].to_list() == ["west", "east", "far"]
    west, east = (part.seats[name].to_numpy().reshape(GAMES, SEATS).sum(axis=1) for name in ("west", "east"))
    np.testing.assert_allclose(frame["visits"].to_numpy(), [west.mean(), east.mean(), (west + east).mean()])
    width = 2 * t.ppf(0.975, GAMES - 1) * (west + east).std(ddof=1) / np.sqrt(GAMES)
    found = (frame["visits_high"] - frame["visits_low"]).to_numpy()
    np.testing.assert_allclose(found[2], width, rtol=1e-6)


def test_parts_add_up_to_the_whole() -> None:
    """Rows added in two parts give the same estimates as rows added at once."""
    part = played()
    sums = SpaceSums(ISLES, (), SEATS)
    sums.add(BlockRows(SEATS, part.seats[:200], part.games[:100]))
    sums.add(BlockRows(SEATS, part.seats[200:], part.games[100:]))
    whole, both = measured(part).frame(), sums.result().frame()
    assert whole.columns == both.columns
    np.testing.assert_allclose(both["visits_low"].to_numpy(), whole["visits_low"].to_numpy())


def test_the_space_that_wins_is_found() -> None:
    """A landing in the east goes with winning, one in the west does not; a set counts who was there."""
    west, east, far = measured(played()).frame().rows(named=True)
    assert west["q"] > 0.05
    assert east["q"] < 0.001
    assert east["win_low"] > 0
    assert far["n"] == 0
    assert far["win_low"] is None
    part = played()
    sets = measured(part, SET, ("west", "east", "far")).frame().rows(named=True)
    for row in sets:
        assert row["n"] == part.seats.filter(pl.col(row["space"]) > 0).height
        assert row["uses"] == pytest.approx(row["n"] / (SEATS * GAMES))


MAP = BoardMap("Where to land?", (ISLES,), (Area("Sea", 0, 3),), "Not to scale.")
ROLLS = Spaces(
    "rolls",
    "Rolls",
    "roll",
    {"points": "all"},
    ("points",),
    "space",
    "moved",
    ((0.5, 0.5),),
    visit="spaces moved",
    visits=(("points",),),
)


@pytest.fixture
def mapped() -> Iterator[None]:
    """The dice race with a board of one space, whose uses are the spaces moved."""
    register(replace(GAME, board=BoardMap("Does moving help?", (ROLLS,))))
    yield
    unregister(GAME.id)


def section(keys: dict[str, object]) -> Section:
    return next(section for section in report_on(keys).sections if section.name == "board")


@pytest.fixture
def earning() -> Iterator[None]:
    """The dice race with a board whose income is winning, which more spaces moved go with."""
    board = BoardMap("Does moving help?", (ROLLS,), income=("win_share",), income_unit="wins")
    register(replace(GAME, board=board))
    yield
    unregister(GAME.id)


def test_the_map_of_the_board_of_a_game() -> None:
    """River of Gold has its river spaces and shore spaces, with names and places for all of them."""
    found = section(RIVER)
    (picture,) = found.pictures
    assert [grid.name for grid in found.more] == ["board-river", "board-shore"]
    (title, *_) = [axes.get_title(loc="left") for axes in picture.draw().axes]
    assert title.startswith("2 players")


def test_the_answer_names_the_space_that_goes_with_winning(mapped: None) -> None:
    """The answer has the number of the table that only the files have."""
    found = section(KEYS)
    (grid,) = found.more
    clear = grid.frame.filter(pl.col("q") < 0.05).sort(pl.col("win").abs(), descending=True).row(0, named=True)
    assert found.answer.startswith("Largest clear difference: roll all")
    assert words.pp(clear["win"]) in found.answer


def test_income_is_in_the_table(earning: None) -> None:
    """A board with income has it in the table, with its interval."""
    (grid,) = section(KEYS).more
    assert grid.columns[-1].key == "income"
    for row in grid.frame.rows(named=True):
        assert 0 < row["income_low"] < row["income"] < row["income_high"]


def test_a_space_shows_its_number_and_whether_it_is_clear() -> None:
    """A clear change is bold and has the colour of its number; a space with too few uses, or none, shows its n."""
    rows = [
        {"panel": "p", "kind": "isles", "space": "west", "n": 9, "value": 5.0, "clear": True},
        {"panel": "p", "kind": "isles", "space": "east", "n": 9, "value": None, "clear": False},
    ]
    course = replace(MAP, course=((1.0, 0.0), (2.0, 0.5), (1.0, 1.0)))
    axes = board_plot(pl.DataFrame(rows), course, "gold", True).axes[0]
    shown = {text.get_text(): text.get_fontweight() for text in axes.texts}
    assert shown["+5.0"] == "bold"
    assert [patch.get_hatch() is None for patch in axes.patches] == [True, False, False]
    assert len(axes.collections) == 1, "the river"
    assert {"n = 9", "n = 0", "W", "E", "F", "Sea"} <= set(shown)
