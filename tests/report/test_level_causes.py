"""Why a level is strong or weak: its points by source and over time, in the statistics, on the page and in files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from rogsim.game.registry import register, unregister
from rogsim.report.document import Section
from rogsim.report.figures import charts
from rogsim.report.render.pages import inline
from rogsim.stats.balance.association import ALL, FINAL, LevelPoints, LevelPointSums
from rogsim.stats.blocks import BlockRows
from tests.dice_game import GAME
from tests.report.conftest import KEYS, RIVER, TOPICS, report_on

pytestmark = pytest.mark.once_uncompiled
SEATS, GAMES = 2, 400


def played(gain: float) -> BlockRows:
    """Return games of independent seats: level "a" gets `gain` more points from the first source."""
    generator = np.random.default_rng(3)
    level = np.array(["a", "b", "c"])[generator.integers(3, size=GAMES * SEATS)]
    first = generator.normal(5, 1, GAMES * SEATS) + gain * (level == "a")
    second = generator.normal(2, 1, GAMES * SEATS)
    seats = pl.DataFrame(
        {
            "game": np.repeat(np.arange(GAMES), SEATS),
            "block": np.repeat(np.arange(GAMES), SEATS),
            "seat": np.tile([1, 2], GAMES),
            "win_share": np.tile([1.0, 0.0], GAMES),
            "level": level,
            "points": first + second,
            "first": first,
            "second": second,
            "half": first / 2,
        }
    )
    return BlockRows(SEATS, seats, pl.DataFrame({"game": np.arange(GAMES), "block": np.arange(GAMES)}))


def measured(part: BlockRows) -> LevelPoints:
    sums = LevelPointSums("level", ["a", "b", "c"], ["first", "second"], ["half"])
    sums.add(part)
    return sums.result()


def test_differences_are_those_of_the_means() -> None:
    """Each mean is that of the level's seats, each difference is against all seats, and the sources add up."""
    part = played(3.0)
    frame = measured(part).by_source()
    for name, part_name in (("points", ALL), ("first", "first"), ("second", "second")):
        own = part.seats.filter(level="a")[name].mean()
        row = frame.filter(level="a", part=part_name).row(0, named=True)
        assert row["n"] == part.seats.filter(level="a").height
        assert row["mean"] == pytest.approx(own)
        assert row["difference"] == pytest.approx(own - part.seats[name].mean())  # type: ignore[operator]
    by_part = {name: frame.filter(part=name)["difference"].to_numpy() for name in (ALL, "first", "second")}
    np.testing.assert_allclose(by_part["first"] + by_part["second"], by_part[ALL])


def test_an_effect_is_found_in_its_source_only() -> None:
    """q is small for the source with the effect, and its interval excludes 0; the other source shows nothing."""
    frame = measured(played(3.0)).by_source().filter(level="a")
    first, second = (frame.filter(part=name).row(0, named=True) for name in ("first", "second"))
    assert first["q"] < 0.001
    assert first["difference_low"] > 1.5
    assert second["q"] > 0.05
    assert second["difference_low"] < 0 < second["difference_high"]


def test_moments_are_in_order_and_end_with_the_result() -> None:
    """The course has the points so far at each step, and last the points."""
    found = measured(played(3.0))
    course = found.over_time().filter(level="a")
    assert course["progress"].to_list() == [0.5, 1.0]
    assert course["difference"][1] == found.by_source().filter(level="a", part=ALL)["difference"][0]
    assert LevelPointSums("level", ["a"], ["first"], []).result().over_time().is_empty()


def test_a_level_in_few_games_has_no_interval() -> None:
    """With fewer than 30 blocks behind it a level has a mean, but no interval and no q."""
    part = played(0.0)
    part = BlockRows(SEATS, part.seats.head(40), part.games.head(20))
    row = measured(part).by_source().row(0, named=True)
    assert row["mean"] is not None
    assert row["difference_low"] is row["q"] is None


@pytest.fixture
def dealt() -> Iterator[None]:
    """The dice race with a topic of levels that chance deals."""
    register(replace(GAME, topics=(replace(TOPICS[0], dealt={}), TOPICS[3])))
    yield
    unregister(GAME.id)


def section(name: str, keys: dict[str, object]) -> Section:
    return next(section for section in report_on(keys).sections if section.name == name)


def test_the_page_has_a_figure_and_the_files_have_a_table(dealt: None) -> None:
    """A topic whose levels are dealt has its points by source, without those over time if the game keeps none."""
    found = section("rolls", KEYS)
    (picture,) = [picture for picture in found.pictures if picture.name == "rolls-by-source"]
    assert "rolls-over-time" not in {picture.name for picture in found.pictures}
    (grid,) = [grid for grid in found.more if grid.name == "rolls-by-source"]
    assert grid.frame["part"].unique().sort().to_list() == ["All sources", "points"]
    titles = [axes.get_title(loc="left") for axes in picture.draw().axes[:-1]]
    assert titles == ["2 players\n300 games", "3 players\n300 games"]


def test_levels_that_nobody_deals_have_no_causes(race: object) -> None:
    """Where the level is chosen or earned, a difference would not be its effect, so there is no such figure."""
    assert not [picture for picture in section("rolls", KEYS).pictures if "by-source" in picture.name]


def both(part: BlockRows) -> pl.DataFrame:
    seats = part.seats.with_columns(first_at_50=pl.col("first") / 4, final=pl.col("points") - pl.col("first"))
    part = BlockRows(SEATS, seats, part.games)
    sums = LevelPointSums("level", ["a", "b", "c"], ["first", "second"], ["half"], {"first": ["first_at_50"]})
    sums.add(part)
    return sums.result().by_source_over_time()


def test_sources_over_time_are_means_at_each_moment() -> None:
    """By hand: the source at half time and at the end, and all that the final scoring adds to it."""
    part = played(3.0)
    frame = both(part)
    own, every = part.seats.filter(level="a"), part.seats
    expected = {
        ("first", 0.5): own["first"].mean() / 4 - every["first"].mean() / 4,  # type: ignore[operator]
        ("first", 1.0): own["first"].mean() - every["first"].mean(),  # type: ignore[operator]
        (FINAL, 1.0): own["second"].mean() - every["second"].mean(),  # type: ignore[operator]
    }
    found = {(row["part"], row["progress"]): row for row in frame.filter(level="a").rows(named=True)}
    assert {key: row["difference"] for key, row in found.items()} == pytest.approx(expected)
    assert found["first", 0.5]["difference_low"] > 0.3
    assert found["first", 0.5]["n"] == own.height
    assert found[FINAL, 1.0]["q"] > 0.05


def test_points_over_time_are_in_the_files() -> None:
    """A game with points over time has them for each patron: after every tenth, and by source after every fifth."""
    found = section("patrons", RIVER)
    grids = {
        grid.name: grid.frame["progress"].unique().sort().to_list() for grid in found.more if "progress" in grid.frame
    }
    assert grids["patrons-over-time"] == pytest.approx([i / 10 for i in range(1, 11)])
    assert grids["patrons-by-turn"] == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])
    assert "patrons-over-time" in {picture.name for picture in found.pictures}


def test_colours_that_repeat_have_other_lines_and_markers() -> None:
    """The seventh line has the first one's colour, but neither its dashes nor its marker."""
    rows = [{"panel": "p", "series": str(i), "x": x, "value": i, "low": i, "high": i} for i in range(7) for x in (0, 1)]
    lines = charts.trend(pl.DataFrame(rows), "x", "y", points=True, reach=9.0).axes[0].lines
    drawn = [line for line in lines if len(line.get_xdata()) == 2 and line.get_marker() not in ("", "None")]
    assert drawn[0].get_color() == drawn[6].get_color()
    assert drawn[0].get_linestyle() != drawn[6].get_linestyle()
    assert drawn[0].get_marker() != drawn[6].get_marker()


def test_inline_drawings_are_small_and_complete() -> None:
    """Plain and empty groups go, those with attributes stay with what is in them; places get one decimal; styles used
    often become one class.
    """
    text = "".join(f'<text style="fill: red; opacity: 0.25" x="{i}.26">{i}</text>' for i in range(4))
    empty = '<g clip-path="none"/>'
    drawn = f'<svg viewBox="0 0 9 9"><style></style><g>{empty}<g clip-path="none"><g>{text}</g></g></g></svg>'
    shown = inline(drawn, "name", "alt")
    assert shown.count("<g") == shown.count("</g>") == 1
    assert shown.count("opacity: 0.25") == 1
    assert 'x="0.3">0</text>' in shown
    path = inline('<svg viewBox="0 0 9 9"><path d="M 1.04 2 \nL -3.25 4.96 \nz"/></svg>', "name", "alt")
    assert 'd="M1 2L-3.2 5z"' in path
