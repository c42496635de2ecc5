"""The page of `rogsim bots --profile`: bots are singled out only where intervals support it."""

from __future__ import annotations

import polars as pl
import pytest
from scipy.stats import t

from rogsim.experiments.profile import alike, extremes, with_joint_intervals
from rogsim.report.profile_page import alike_findings, answer_words

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


def answered(values: dict[str, list[float]], reach: float = 1.0) -> str:
    """What the page answers on such a profile."""
    found = profile(values, reach)
    return answer_words(found, extremes(with_joint_intervals(found)))


def test_the_answer_names_the_bot_that_stands_out() -> None:
    """With its value and that of the others; otherwise that none does."""
    text = answered({"a": [10, 5], "b": [14, 5], "c": [10, 5.5]})
    assert text.startswith("B stands out most: highest in steps (moves): 14.0 (")
    assert text.endswith("), the others 10.0.")
    assert answered({"a": [10, 5], "b": [14, 5]}).endswith("), the other 14.0.")
    assert answered({"a": [10, 5], "b": [10, 5]}).startswith("No bot stands out")


def test_findings_say_who_is_like_whom() -> None:
    """The pair that nothing tells apart."""
    (only,) = alike_findings(profile({"a": [10, 5], "b": [14, 5], "c": [10, 5.5]}))
    assert only.text == "2 players: no measure tells these apart: a and c."
    assert alike(with_joint_intervals(profile({"a": [10, 5], "b": [14, 5]})), 2, "ab") == []


def test_a_bot_alone_is_compared_with_nobody() -> None:
    """Its first measure is the answer."""
    assert answered({"a": [10, 5]}) == "A has steps: 10.0 (9.0 to 11.0)."


def test_a_narrow_interval_has_one_more_digit() -> None:
    """Otherwise both of its ends would look like the value."""
    assert ": 2.55 (2.5" in answered({"a": [2.55, 5], "b": [2.14, 5]}, reach=0.03)
