"""Figures: common bins, colour scales and axes, and levels with too few games."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from matplotlib.colors import to_hex, to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from rogsim.report import words
from rogsim.report.balance.sources import NO_BREAK
from rogsim.report.document import Picture, Report
from rogsim.report.figures import charts, forest_plots
from rogsim.report.figures.charts import binned
from rogsim.report.figures.heat_map import convention, heat_map, judged, reach_of
from rogsim.report.figures.style import BEYOND, DARK_TEXT, INK, LIGHT_TEXT, WITHIN, narrow
from rogsim.report.render.pages import inline
from tests.report.conftest import KEYS, report_on

pytestmark = pytest.mark.once_uncompiled


def counted(bots: str, values: np.ndarray, players: int = 2, times: int = 1) -> pl.DataFrame:
    found, counts = np.unique(values, return_counts=True)
    return pl.DataFrame({"bots": bots, "players": players, "value": found.astype(np.int64), "count": counts * times})


def field(value: float | None, low: float | None, high: float | None, **more: object) -> dict[str, object]:
    return {"panel": "4 players", "row": "a", "column": "seat 1", "value": value, "low": low, "high": high} | more


def drawn(figure: Figure) -> Rectangle:
    (patch,) = [one for one in figure.axes[0].patches if isinstance(one, Rectangle)]
    return patch


def texts(figure: Figure) -> list[str]:
    return [text.get_text() for axes in figure.axes for text in axes.texts]


def pictures(report: Report) -> dict[str, Picture]:
    return {picture.name: picture for section in report.sections for picture in section.pictures}


@pytest.mark.parametrize("times", [1, 7, 1_000])
def test_more_games_of_the_same_distribution_look_the_same(times: int) -> None:
    """The bins and the heights do not depend on the number of games."""
    values = np.random.default_rng(1).normal(45, 6, 500).round()
    frame = binned(pl.concat([counted("few", values), counted("many", values, times=times)]))
    few, many = (frame.filter(bots=name).select("x", "width", "share") for name in ("few", "many"))
    assert few.equals(many)


def test_all_lines_and_panels_have_one_width_of_bins() -> None:
    """All lines share the bins, whatever their spread, games or player count, and their areas are equal."""
    generator = np.random.default_rng(2)
    narrow = counted("narrow", generator.normal(40, 5, 30_000).round())
    wide = counted("wide", generator.normal(150, 60, 300).round(), players=3)
    frame = binned(pl.concat([narrow, wide]))
    assert frame["width"].n_unique() == 1
    assert (frame["x"] % frame["width"] == 0).all()
    assert frame.group_by("bots").agg(pl.col("share").sum())["share"].min() > 0.98  # type: ignore[operator]
    assert frame.filter(bots="narrow").height >= 10
    figure = charts.histogram(
        frame.rename({"bots": "series"}).with_columns(panel=pl.col("players").cast(pl.String)), "x"
    )
    assert len({axes.get_xlim() for axes in figure.axes}) == len({axes.get_ylim() for axes in figure.axes}) == 1
    tops = [patch.get_data().values.max() for axes in figure.axes for patch in axes.patches]  # type: ignore[attr-defined]
    assert figure.axes[0].get_ylim()[1] > max(tops)


def test_bins_of_a_single_value_and_of_gaps() -> None:
    """A single value gives one bin; a gap between two values gives bins of height 0."""
    assert binned(counted("one", np.array([7, 7])))["share"].to_list() == [1.0]
    assert binned(counted("two", np.array([0, 3])))["share"].to_list() == [0.5, 0.0, 0.0, 0.5]


def test_what_is_not_distinguishable_from_0_is_pale() -> None:
    """Full colour and bold if the interval excludes 0, pale if it contains 0; q decides if there is one."""
    clear, pale = (heat_map(pl.DataFrame([field(5.0, low, 9.0)]), "pp") for low in (1.0, -1.0))
    assert drawn(clear).get_alpha() is None
    assert float(drawn(pale).get_alpha() or 1) < 0.5
    bold, plain = (figure.axes[0].texts[0] for figure in (clear, pale))
    assert (bold.get_fontweight(), plain.get_fontweight()) == ("bold", "normal")
    assert bold.get_color() in (DARK_TEXT, LIGHT_TEXT)  # the same on any page, as the cell is
    assert plain.get_color() == INK  # the page's text colour
    by_q = pl.DataFrame([field(5.0, 1.0, 9.0, q=q) for q in (0.04, 0.2, None)])
    assert judged(by_q)["clear"].to_list() == [True, False, False]
    assert "q" in convention(by_q)
    assert "interval" in convention(by_q.drop("q"))


def test_maps_that_are_compared_have_one_scale() -> None:
    """The same value has the same colour in two maps that share a reach; pale cells do not extend it."""
    small, large = pl.DataFrame([field(5.0, 1.0, 9.0)]), pl.DataFrame([field(40.0, 30.0, 50.0)])
    reach = reach_of(pl.concat([small, large, pl.DataFrame([field(90.0, -10.0, 190.0)])]))
    assert reach == 40.0
    first, second = (heat_map(pl.concat([small, other]), "pp", reach=reach) for other in (small, large))
    assert to_rgba(first.axes[0].patches[0].get_facecolor()) == to_rgba(second.axes[0].patches[0].get_facecolor())
    assert len({figure.axes[-1].get_xlim() for figure in (first, second)}) == 1


@pytest.mark.parametrize("nothing", [None, math.nan])
def test_too_few_games_are_named_and_not_drawn(nothing: float | None) -> None:
    """A level without an interval shows its n in a forest plot, and is a hatched cell in a heat map."""
    fields = pl.DataFrame([field(75.0, nothing, nothing, n=7)], strict=False)
    figure = heat_map(fields, "pp")
    assert texts(figure) == ["n = 7"]
    assert drawn(figure).get_hatch()
    assert "too few" in convention(fields)
    assert reach_of(fields) == 2.0
    lines = fields.with_columns(level=pl.lit("rare"), series=pl.lit("runner"))
    assert texts(forest_plots.forest(lines, 2.0, "pp")) == ["n = 7"]
    assert texts(forest_plots.forest(lines.with_columns(n=None), 2.0, "pp")) == ["too few"]
    for value in (nothing, 75.0):
        empty = forest_plots.forest(lines.with_columns(value=pl.lit(value, pl.Float64)), None, "pp")
        assert empty.axes[0].get_xlim() == (-1.0, 1.0), "an axis around its first value would be as short as its labels"
    parts = pl.DataFrame({"panel": "p", "part": ["a"], "winners": [nothing], "others": [1.0]}, strict=False)
    charts.bars_of_parts(parts, "points")


def test_rows_of_a_panel_are_its_own_and_sorted_by_size() -> None:
    """The largest effect is first, with its value beside it; levels of other panels have no row."""
    rows = [
        {"panel": panel, "series": "s", "level": level, "value": value, "low": value - 1, "high": value + 1}
        for panel, level, value in (
            ("2", "a", 1.0),
            ("2", "b", -5.0),
            ("3", "a", 9.0),
            ("3", "c", 4.0),
            ("3", "b", 0.0),
        )
    ]
    frame = pl.DataFrame(rows)
    two, three = forest_plots.forest(frame, 2.0, "pp").axes
    assert [label.get_text() for label in two.get_yticklabels()] == ["b", "a"]
    assert [label.get_text() for label in three.get_yticklabels()] == ["a", "c", "b"]
    assert [text.get_text() for text in two.texts] == ["+1.0", f"{words.MINUS}5.0"]
    assert two.get_ylim() == three.get_ylim(), "rows of all panels have one height"
    (lines, *_) = three.collections
    assert [to_hex(shade) for shade in lines.get_edgecolor()] == [BEYOND, BEYOND, WITHIN]  # type: ignore[arg-type]
    kept = forest_plots.forest(frame, 2.0, "pp", ranked=False).axes[0]
    assert [label.get_text() for label in kept.get_yticklabels()] == ["a", "b"]


def test_a_phone_has_the_panels_below_each_other() -> None:
    """Nothing is beside the screen: each panel is as wide as the figure."""
    frame = pl.DataFrame([field(5.0, 1.0, 9.0) | {"panel": panel} for panel in ("2", "3", "4")])
    wide = heat_map(frame, "pp")
    with narrow():
        phone = heat_map(frame, "pp")
    assert [len({axes.get_position().x0 for axes in figure.axes[:3]}) for figure in (wide, phone)] == [3, 1]
    assert phone.get_figwidth() < wide.get_figwidth()


def test_one_wide_interval_does_not_make_the_others_unreadable() -> None:
    """An axis ends where nearly all intervals do; a longer one ends in an arrow, and the legend says so."""
    rows = [{"panel": "p", "series": "s", "level": f"l{i}", "value": 1.0, "low": -2.0, "high": 4.0} for i in range(40)]
    frame = pl.DataFrame([*rows, rows[0] | {"level": "wide", "low": -500.0, "high": 500.0}])
    figure = forest_plots.forest(frame, None, "pp")
    low, high = figure.axes[0].get_xlim()
    assert -10 < low < -2
    assert 4 < high < 10
    assert "extends beyond the axis" in [text.get_text() for text in figure.legends[0].get_texts()]
    assert forest_plots.window_of(pl.DataFrame(rows)) == (None, None)


def test_panels_name_the_games_of_their_own_series(race: object) -> None:
    """With folders of different sizes, the title of a panel has the games of each bot."""
    found = pictures(report_on(KEYS | {"games": 400}, KEYS | {"bots": ["walker"], "seed": 6, "games": 300}))
    titles = [axes.get_title(loc="left").replace(NO_BREAK, " ") for axes in found["seats"].draw().axes]
    assert "2 players\n400 and 300 games" in titles


def test_inline_drawings_leave_out_what_has_no_effect() -> None:
    """Rotations by nothing and empty groups go; a real rotation stays."""
    texts = '<text transform="rotate(-0 1 2)">a</text><text transform="rotate(-90 1 2)">b</text>'
    drawn = f'<svg viewBox="0 0 9 9"><g/>{texts}</svg>'
    shown = inline(drawn, "name", "alt")
    assert shown.endswith('><text>a</text><text transform="rotate(-90 1 2)">b</text></svg>')
