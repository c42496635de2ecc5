"""The curve of one number: what its answer says, and what its table and its figure have."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from rogsim.report.curve import curve_answer, curve_grid, curve_picture
from rogsim.stats.contrasts import JointTest
from rogsim.stats.effects import Contrast, Effects, Question
from rogsim.stats.estimates import Estimate
from rogsim.stats.judgement import Curve, judge
from rogsim.stats.special_functions import ndtr

pytestmark = pytest.mark.once_uncompiled

QUESTION = Question("characters", "Characters", noun="character", share=True, against="than a fair share")


def curve(*sizes: float, values: Sequence[int] = range(9)) -> Curve:
    """Return the curve of Ann with one number after the other: effects in pp, with a standard error of 0.5."""
    found = []
    for size in sizes:
        wide, narrow = (Estimate(size, size - 0.5 * z, size + 0.5 * z, 20_000, 20_000.0) for z in (1.96, 1.645))
        p = float(2 * ndtr(-abs(size) / 0.5))
        contrast = Contrast("Ann", wide, narrow, p, 0.25, 5_000)
        found.append(Effects(QUESTION, 4, "", (contrast,), JointTest(1.0, 1, 5_000, p), 20_000))
    return Curve(4, "Ann", tuple(values[: len(sizes)]), judge(found))


@pytest.mark.parametrize(
    ("sizes", "start"),
    [
        ((-9.0, 0.1, 9.0), "Only 1 is fair: with 1, Ann wins 25.1% instead of 25.0% ("),
        ((-9.0, 0.1, 0.2, 9.0), "1 and 2 are fair: with 1, Ann wins 25.1% instead of 25.0% ("),
        ((-9.0, -5.0, 5.0), "Fair would be between 1 and 2, so no whole number is fair: with 1, Ann wins 20.0% "),
        ((5.0, 7.0, 9.0), "No number from 0 to 2 is fair: even with 0, Ann wins 30.0% instead of 25.0% ("),
        ((1.5, 7.0, 9.0), "Not known yet: with 0, Ann wins 26.5% instead of 25.0% ("),
    ],
)
def test_the_answer_names_the_numbers_that_are_fair(sizes: tuple[float, ...], start: str) -> None:
    """Or between which numbers a fair one would be, or which is nearest."""
    assert curve_answer(curve(*sizes)).startswith(start)


def test_only_is_said_if_all_others_are_shown_not_to_be_fair() -> None:
    """A number that is not known yet is named."""
    assert curve_answer(curve(0.1, 1.5, 9.0)).startswith("0 is fair: ")
    assert curve_answer(curve(0.1, 1.5, 9.0)).endswith(" 1 is not known yet.")


def test_numbers_that_are_not_neighbours_leave_room_for_others() -> None:
    """Nobody says that no whole number is fair if some were not tried."""
    said = curve_answer(curve(-9.0, 9.0, values=(0, 5)))
    assert said.startswith("Fair would be between 0 and 5, so none of the numbers tried is fair: ")


def test_the_table_and_the_figure_have_every_number() -> None:
    """The number as it is is marked in both."""
    found = curve(-9.0, 0.1, 9.0)
    grid = curve_grid(found, 2, "ann.cost")
    assert grid.frame["value"].to_list() == ["0", "1", "2, as it is"]
    assert grid.frame["share"].to_list() == pytest.approx([0.16, 0.251, 0.34])
    assert grid.frame["verdict"].to_list() == ["Out of balance", "Fair", "Out of balance"]
    picture = curve_picture(found, 2, "ann.cost")
    assert picture.caption.endswith("The ring marks the number as it is.")
    (axes,) = picture.draw().axes
    ring = next(line for line in axes.lines if line.get_markerfacecolor() == "none")
    assert np.asarray(ring.get_xdata(), dtype=np.float64).tolist() == [2.0]
    assert "The ring" not in curve_picture(found, 7, "ann.cost").caption
