"""Goals of a search: what is read, and what is refused in which words."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rogsim.scenario.goals import read_goals
from tests.dice_game import GAME

pytestmark = pytest.mark.once_uncompiled


def problem(text: str) -> str:
    goals, problems = read_goals([text], GAME)
    assert not goals
    (line,) = problems
    return line


def test_shares_of_all_levels() -> None:
    """A share is asked for in percentage points and kept from 0 to 1; the text is written in one way."""
    (goal,), problems = read_goals(["  seat_share   equal +- 2.50 pp "], GAME)
    assert not problems
    assert (goal.value, goal.factor, goal.level, goal.aim, goal.within) == ("win_share", "seat", "", None, 0.025)
    assert (goal.text, goal.scale, goal.unit) == ("seat_share equal ± 2.5 pp", 100.0, "pp")


def test_points_of_one_level() -> None:
    """Points have no unit; one level may be named."""
    (goal,), problems = read_goals(["first_roll_points of 6 equal ± 1"], GAME)
    assert not problems
    assert (goal.value, goal.factor, goal.level, goal.within) == ("points", "first_roll", "6", 1.0)
    assert goal.text == "first_roll_points of 6 equal ± 1"


def test_the_mean_of_a_column() -> None:
    """A column of games is to have a mean."""
    (goal,), problems = read_goals(["turns = 9.5 ± 0.5"], GAME)
    assert not problems
    assert (goal.value, goal.factor, goal.aim, goal.within, goal.text) == ("turns", "", 9.5, 0.5, "turns = 9.5 ± 0.5")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is not allowed: write NAME equal ± NUMBER"),
        ("seat_share equal 2 pp", "is not allowed: write NAME equal ± NUMBER"),
        ("seet_share equal ± 2 pp", '"seet_share" is unknown, did you mean "seat_share"'),
        ("seat_share equal ± 2", "write shares in pp"),
        ("seat_share equal ± 60 pp", "up to 50 pp"),
        ("seat_share equal ± 0 pp", "the tolerance must be more than 0"),
        ("seat_share equal ± 1.2.3 pp", '"1.2.3" is not a number'),
        ("seat_share equal ± 1e999 pp", "is too large"),
        ("seat_points equal ± 2 pp", "write points without a unit"),
        ("seat_share of 7 equal ± 2 pp", '"7" is unknown: choose from 1, 2, 3, 4'),
        ("bot_share equal ± 2 pp", '"bot_share" is unknown'),
        ("turn = 9 ± 1", '"turn" is unknown, did you mean "turns"'),
        ("turns = 9 ± 0", "the tolerance must be more than 0"),
        ("turns = 9 ± 1 pp", "write turns without a unit"),
        ("track = 1 ± 1", '"track" is unknown'),
    ],
)
def test_what_cannot_be_asked(text: str, words: str) -> None:
    """Each mistake has its line, which says what is allowed."""
    assert words in problem(text)


def test_the_same_goal_twice() -> None:
    """A goal that is listed twice, with another tolerance, is refused."""
    goals, problems = read_goals(["turns = 9 ± 1", "turns = 8 ± 1"], GAME)
    assert len(goals) == 1
    assert problems == ['"turns = 8 ± 1": this goal is listed twice']


NUMBER = r"[-+0-9.einfa]{0,8}"


@pytest.mark.slow
@given(st.from_regex(rf"(seat_share|seat_points|turns|x)( of .)? ?(equal|=)? ?{NUMBER} ?(±|\+-) ?{NUMBER} ?(pp)?"))
@example("seat_share equal ± 1e-320 pp")
@example("turns = 1e308 ± 1e308")
@example("turns = -0 ± 5e-324")
@settings(max_examples=300, deadline=None)
def test_any_text_is_a_goal_or_one_line(text: str) -> None:
    """Whatever is typed is read, with a tolerance that can be worked with, or refused in a line."""
    goals, problems = read_goals([text], GAME, [2])
    assert len(goals) + len(problems) == 1
    assert all(len(line.splitlines()) == 1 for line in problems)
    assert all(1e-6 <= goal.within < float("inf") and abs(goal.aim or 0) <= 1e9 for goal in goals)
