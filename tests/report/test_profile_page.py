"""The page of `rogsim bots --profile`: bots are singled out only where intervals support it."""

from __future__ import annotations

import polars as pl
import pytest
from rogsim.report.profile.profile_figures import draw_profile
from rogsim.report.profile.profile_words import findings_of, singling_out
from scipy.stats import t

from rogsim.experiments.profile import alike, extremes, with_joint_intervals

pytestmark = pytest.mark.once_uncompiled


def profile(values: dict[str, list[float]], reach: float = 1.0) -> pl.DataFrame:
    """A profile with one table of two measures, each with the same interval."""
    rows = [
        {"players": 2, "bot": bot, "n": 400, "table": "moves", "figure": figure, "share": False, "value": value}
        for bot, two in values.items()
        for figure, value in zip(("steps", "jumps"), two, strict=True)
    ]
    return pl.DataFrame(rows).with_columns(value_low=pl.col("value") - reach, value_high=pl.col("value") + reach)


def test_joint_intervals_are_wider() -> None:
    """By the ratio of Student's quantiles at the error rate divided by the number of rows; never below 0."""
    joint = with_joint_intervals(profile({"a": [10, 0.5], "b": [20, 9]}))
    ratio = t.ppf(1 - 0.025 / 4, 199) / t.ppf(0.975, 199)
    assert joint["joint_high"][0] == pytest.approx(10 + ratio)
    assert joint["joint_low"][1] == 0


def test_a_bot_is_singled_out_only_beyond_joint_intervals() -> None:
    """Values 2.2 apart with intervals of ±1 do not overlap one by one, but together they do."""
    assert [one.bot for one in extremes(with_joint_intervals(profile({"a": [10, 5], "b": [12.2, 5]})))] == []
    found = extremes(with_joint_intervals(profile({"a": [10, 5], "b": [14, 5], "c": [10, 5.5]})))
    assert [(one.bot, one.measure, one.end, one.others) for one in found] == [("b", "steps", "highest", (10, 10))]


def test_findings_say_who_is_like_whom() -> None:
    """The bot that is singled out, those in the middle, and the pair that nothing tells apart."""
    texts = [one.text for one in findings_of(profile({"a": [10, 5], "b": [14, 5], "c": [10, 5.5]}))]
    assert texts[0].startswith("With 2 players b is highest in steps (moves): 14.0 (")
    assert texts[0].endswith("), the others 10.0.")
    assert texts[1] == "With 2 players a and c are not clearly highest or lowest in any measure."
    assert texts[2] == "With 2 players no measure distinguishes these: a and c."
    texts = [one.text for one in findings_of(profile({"a": [10, 5], "b": [14, 5]}))]
    assert texts[0].endswith("), the other 14.0.")
    assert alike(with_joint_intervals(profile({"a": [10, 5], "b": [14, 5]})), 2, "ab") == []


def test_a_bot_alone_is_compared_with_nobody() -> None:
    """One plain sentence."""
    (only,) = findings_of(profile({"a": [10, 5]}))
    assert "no other bot" in only.text


def test_a_narrow_interval_has_one_more_digit() -> None:
    """Otherwise both of its ends would look like the value."""
    first, *_ = findings_of(profile({"a": [2.55, 5], "b": [2.14, 5]}, reach=0.03))
    assert ": 2.55 (2.5" in first.text


def test_the_first_figure_shows_what_singles_bots_out() -> None:
    """The measures that the findings name, the first of each bot before the second."""
    findings = findings_of(profile({"a": [10, 5], "b": [30, 90], "c": [20, 5]}))
    assert singling_out(findings, 2) == [("moves", "jumps"), ("moves", "steps")]
    assert singling_out(findings, 3) == []


def test_a_figure_with_few_measures_is_not_stretched() -> None:
    """The rest of the figure stays empty."""
    figure = draw_profile(profile({"a": [10, 5], "b": [14, 5]}))
    assert [ax.get_visible() for ax in figure.axes[:2]] == [True, False]
