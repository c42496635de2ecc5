"""The page of `rogsim settle`: what the sentences say, and what the figure leaves out."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.text import Annotation

from rogsim.report.render.pages import write_files
from rogsim.report.settle_page import against_strength, short_name
from rogsim.stats.settling import EffectSeries, settle

pytestmark = pytest.mark.once_uncompiled


@pytest.mark.parametrize(
    ("bot", "short"), [("tuned", "tuned"), ("search@rollouts=30", "search 30"), ("a@x=1+y=2.5", "a 1 2.5")]
)
def test_short_names_leave_out_the_names_of_settings(bot: str, short: str) -> None:
    """The values remain."""
    assert short_name(bot) == short


def test_the_figure_has_a_line_for_each_level_and_no_point_without_an_interval() -> None:
    """Too few blocks on the first rung: it has no point; names that would lie over each other are moved apart."""
    blocks = np.array([5.0, 900.0, 900.0, 900.0])
    made = [EffectSeries(name, np.array([9.0, 1.0, 1.0, 1.0]), np.eye(4) * 0.01, blocks) for name in ("1", "2")]
    found = [(f"Seat {one.series.name}", one) for one in settle(made, 2.0)]
    figure = against_strength([("2 players", found)], ["a", "b", "c", "d"])
    (axes,) = figure.axes
    assert axes.get_title(loc="left") == "2 players"
    lines = [line for line in axes.lines if line.get_linestyle() == "-" and len(np.asarray(line.get_ydata())) == 4]
    assert len(lines) == 2
    for line in lines:
        drawn = np.asarray(line.get_ydata(), dtype=np.float64)
        assert np.isnan(drawn[0])
        assert drawn[1:].tolist() == [1.0, 1.0, 1.0]
    names = {text.get_text(): text.xy[1] for text in axes.texts if isinstance(text, Annotation)}
    assert set(names) == {"Seat 1", "Seat 2"}
    assert names["Seat 2"] > names["Seat 1"]


HOSTILE = {"text.usetex": True, "ytick.labelsize": 60, "lines.linewidth": 9, "errorbar.capsize": 9, "axes.grid": True}
HOSTILE |= {"figure.autolayout": True, "font.size": 30, "savefig.bbox": "tight", "svg.fonttype": "path"}


def test_a_figure_is_drawn_in_its_own_style(tmp_path: Path) -> None:
    """The global settings affect neither the files nor what a notebook shows."""
    found = settle([EffectSeries("1", np.array([7.0, 6.0, 13.0, 7.0]), np.eye(4) * 6.0, np.full(4, 900.0))], 2.0)
    written = []
    for settings in ({}, HOSTILE):
        with mpl.rc_context(settings):
            figure = against_strength([("2 players", [("Seat 1", found[0])])], ["a", "b", "c", "d"])
            shown = figure._repr_png_()
            written.append((shown, write_files(figure, tmp_path, "figure"), (tmp_path / "figure.png").read_bytes()))
    assert written[0] == written[1]


def test_a_character_that_the_font_lacks_is_drawn_without_a_word(tmp_path: Path) -> None:
    """The SVG file has it as text."""
    found = settle([EffectSeries("1", np.array([7.0, 6.0, 13.0, 7.0]), np.eye(4) * 6.0, np.full(4, 900.0))], 2.0)
    assert "机器人" in write_files(
        against_strength([("2 players", [("机器人", found[0])])], ["a", "b", "c", "d"]), tmp_path, "figure"
    )
