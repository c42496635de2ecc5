"""Runs that stop by themselves: what may be asked, when to look, the judge, and how it is told."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

import numpy as np
import polars as pl
import pytest

from rogsim.experiments.run import LevelPrecision, Look, look_at, look_schedule
from rogsim.game.topics import Topic
from rogsim.report.console.run_results import until_table
from rogsim.scenario.precision import Target, names_of, read_targets
from rogsim.stats.estimates import Clusters, Estimate
from rogsim.stats.sequential import anytime_mean, anytime_share, boundary

pytestmark = pytest.mark.once_compiled

FACTORS = ("colour", "side")
SEATS = Target("seat", "win_share", 0.005, "seat_share ± 0.5 pp")
POINTS = Target("colour", "points", 1.0, "colour_points ± 1")


def read(*texts: str, bots: tuple[str, ...] = ("a", "b")) -> tuple[tuple[Target, ...], list[str]]:
    return read_targets(texts, FACTORS, bots)


@pytest.mark.parametrize(
    "text", ["seat_share ± 0.5 pp", "seat_share±0.5pp", " seat_share  +-  .5pp ", "seat_share +/- 0.50 pp"]
)
def test_a_share_is_read(text: str) -> None:
    """Signs and spaces are optional; the half width is kept as a share."""
    assert read(text) == ((SEATS,), [])


@pytest.mark.parametrize("text", ["colour_points ± 1", "colour_points+-1.0 points", "colour_points ±1points"])
def test_points_are_read(text: str) -> None:
    """Points have no unit, or the unit points."""
    assert read(text) == ((POINTS,), [])


def test_what_is_read_can_be_read_again() -> None:
    """The text of a target is a statement of the same target; bots are a factor like others."""
    targets, problems = read(
        "bot_share ± 1.25 pp", "bot_points ± 0.123456789", "seat_points ± 1e7", "side_share ± 2 pp"
    )
    assert problems == []
    assert read(*(target.text for target in targets)) == (targets, [])


def test_names_are_those_of_seats_bots_and_the_games_factors() -> None:
    """Each factor has a share and points."""
    assert names_of(("colour",)) == [
        *("seat_share", "seat_points", "bot_share", "bot_points", "colour_share", "colour_points")
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", '"" is not allowed: write NAME ± NUMBER'),
        ("seat_share 0.5 pp", "is not allowed: write NAME ± NUMBER, such as seat_share ± 0.5 pp or seat_points ± 1"),
        ("seat_share ± pp", "is not allowed: write NAME"),
        ("seat_share ± 0.5 pp or so", "is not allowed: write NAME"),
        ("seat_share ± nan pp", "is not allowed: write NAME"),
        ("seat_share ± 0,5 pp", '"0,5" is not a number'),
        ("seat_share ± 0 pp", "must be more than 0"),
        ("seat_share ± -1 pp", "must be more than 0"),
        ("seat_points ± 1e999", "must be more than 0 and finite"),
        ("seat_share ± 0.5", "the unit of a share is pp, percentage points"),
        ("seat_share ± 0.5 %", "the unit of a share is pp, percentage points"),
        ("seat_share ± 0.001 pp", "from 0.01 to 25 pp"),
        ("seat_share ± 50 pp", "from 0.01 to 25 pp"),
        ("seat_points ± 1 pp", "write points without a unit, or with the unit points"),
        ("colur_share ± 1 pp", '"colur_share" is unknown, did you mean "colour_share"'),
        ("zebra ± 1", '"zebra" is unknown: choose from seat_share, seat_points, bot_share'),
        ("seat ± 1 pp", '"seat" is unknown'),
    ],
)
def test_what_cannot_be_a_target_is_reported(text: str, said: str) -> None:
    """The line names what was written, what is wrong and what is allowed."""
    targets, (problem,) = read(text)
    assert targets == ()
    assert said in problem and f'"{text}"' in problem


def test_every_wrong_statement_is_reported() -> None:
    """Right ones are kept beside the wrong ones; a name twice is wrong."""
    targets, problems = read("seat_share ± 0.5 pp", "x", "seat_share ± 1 pp", "y", "colour_points ± 1")
    assert targets == (SEATS, POINTS)
    assert len(problems) == 3
    assert '"seat_share" is listed twice' in problems


def test_a_single_bot_has_no_share_to_ask_for() -> None:
    """However often it is named it wins its fair share; its points may be asked for."""
    for bots in (("a",), ("a", "a")):
        _, (problem,) = read("bot_share ± 1 pp", bots=bots)
        assert "a single bot wins its fair share" in problem
        assert read("bot_points ± 1", bots=bots)[1] == []


@pytest.mark.parametrize("cycle", [1, 4, 10, 24, 5_313])
def test_a_larger_cap_only_adds_looks(cycle: int) -> None:
    """All looks but the last are the same for every cap, in whole cycles, about a fourth more games each time."""
    longest = look_schedule(2_000_000 * cycle, cycle)
    for cap in (cycle, 250 * cycle, 251 * cycle, 40_000 * cycle):
        found = look_schedule(cap, cycle)
        assert found[-1] == cap
        assert found[:-1] == longest[: len(found) - 1]
        assert all(games % cycle == 0 for games in found)
        assert found == sorted(set(found))
    steps = np.diff([0, *longest[:-1]])
    expected = np.maximum(1_000, np.array([0, *longest[:-2]]) // 4)
    assert ((steps >= expected) & (steps < expected + cycle)).all()


def test_looks_are_these() -> None:
    """After 1,000 games, and then after each thousand until a fourth is more."""
    assert look_schedule(8_200, 1) == [1_000, 2_000, 3_000, 4_000, 5_000, 6_250, 7_812, 8_200]
    assert look_schedule(300, 4) == [300]


def some_rows(games: int = 1_200, players: int = 3, seed: int = 1) -> list[dict[str, Any]]:
    """Games in blocks of two; colours are dealt, one of them rarely, and some seats have none."""
    generator = np.random.default_rng(seed)
    rows = []
    for game in range(games):
        winner = generator.integers(players)
        for seat in range(players):
            colour = generator.choice(["red", "blue", None, "gold"], p=[0.5, 0.29, 0.2, 0.01])
            points = float(generator.integers(20, 90))
            same = {"players": players, "game": game, "block": game // 2, "seat": seat + 1, "bot": "ab"[seat % 2]}
            rows.append(same | {"colour": colour, "win_share": float(seat == winner), "points": points})
    return rows


def slowly(rows: list[dict[str, Any]], target: Target) -> dict[Any, tuple[Estimate, int]]:
    """Each level's interval and blocks, with dicts and loops."""
    blocks: dict[Any, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        blocks[row[target.factor]][row["block"]].append(row[target.value])
    found = {}
    for level, by_block in blocks.items():
        n = sum(map(len, by_block.values()))
        value = sum(map(sum, by_block.values())) / n
        residuals = sum((sum(values) - value * len(values)) ** 2 for values in by_block.values())
        count = len(by_block)
        error = math.sqrt(residuals * count / (count - 1)) / n
        if count < 100:
            found[level] = Estimate(value, math.nan, math.nan, n, math.nan), count
        elif target.value == "points":
            reach = boundary(count) * error
            found[level] = Estimate(value, value - reach, value + reach, n, count), count
        else:
            # Wilson's limits: where the distance is as many standard errors of a share that lies there.
            effective, z = value * (1 - value) / error**2, boundary(count)
            ends = np.roots([1 + z * z / effective, -2 * value - z * z / effective, value * value])
            found[level] = Estimate(value, min(ends), max(ends), n, effective), count
    return found


def test_the_judge_agrees_with_plain_loops() -> None:
    """Levels, intervals and blocks are those of dicts and loops, whatever other player counts the rows have."""
    rows = some_rows()
    frame = pl.concat([pl.DataFrame(rows), pl.DataFrame(some_rows(players=2, seed=2))]).sample(fraction=1, shuffle=True)
    targets = (SEATS, POINTS, Target("colour", "win_share", 0.3, "colour_share ± 30 pp"))
    look = look_at(frame.lazy(), 3, targets)
    assert (look.players, look.games) == (3, 1_200)
    for target in targets:
        expected = slowly(rows, target)
        found = {precision.level: precision for precision in look.precisions if precision.target == target}
        assert set(found) == set(expected)
        for level, (estimate, blocks) in expected.items():
            assert found[level].blocks == blocks
            got = found[level].estimate
            assert got.n == estimate.n
            assert [got.value, got.low, got.high] == pytest.approx(
                [estimate.value, estimate.low, estimate.high], nan_ok=True
            )


def test_a_level_in_few_blocks_is_not_narrow() -> None:
    """While a level is too rare for an interval, the run is not done, and the games needed for one are reported."""
    target = Target("colour", "points", 1_000.0, "colour_points ± 1000")
    look = look_at(pl.DataFrame(some_rows()).lazy(), 3, [target])
    rare = look.widest
    assert rare.level == "gold" and rare.blocks < 100 and not rare.is_narrow
    assert not look.is_done
    assert [precision.level for precision in look.precisions if not precision.is_narrow] == ["gold"]
    assert look.more_games == math.ceil(1_200 * (100 / rare.blocks - 1))


def standing(target: Target, level: Any, half_width: float, blocks: int = 5_000) -> LevelPrecision:
    value = 0.25 if target.value == "win_share" else 50.0
    return LevelPrecision(
        target, level, Estimate(value, value - half_width, value + half_width, 20_000, 20_000), blocks
    )


def test_a_look_is_done_when_every_interval_is() -> None:
    """One interval that is too wide is enough to continue, and the widest is measured against its own target."""
    narrow = standing(SEATS, 1, 0.00499), standing(POINTS, "red", 0.99)
    assert Look(4, 20_000, narrow).is_done
    assert Look(4, 20_000, narrow).more_games == 0
    wide = standing(SEATS, 2, 0.00501)
    look = Look(4, 20_000, (*narrow, wide, standing(POINTS, "blue", 1.001)))
    assert not look.is_done
    assert look.widest == wide


def test_half_the_width_needs_about_four_times_the_games() -> None:
    """The estimate is that of the interval's own formula, from the level that needs most."""
    look = Look(4, 20_000, (standing(SEATS, 1, 0.01), standing(POINTS, "red", 1.5)))
    assert 60_000 < look.more_games < 70_000


def test_the_estimated_games_are_about_right() -> None:
    """After as many games as a look says are needed, the intervals are within 5% of their targets."""
    draws = np.random.default_rng(5).random(400_000) < 0.3

    def look_at(games: int) -> LevelPrecision:
        total = int(draws[:games].sum())
        estimate = anytime_share(Clusters(games, games, total, total, total, games))
        return LevelPrecision(SEATS, 1, estimate, games)

    first = Look(2, 2_000, (look_at(2_000),))
    then = look_at(2_000 + first.more_games)
    assert then.excess == pytest.approx(1, rel=0.05)


def test_the_table_says_why_it_stopped() -> None:
    """Levels with their estimates, and a sentence that names all targets."""
    look = Look(4, 20_000, (standing(SEATS, 1, 0.00491), standing(POINTS, None, 0.5)))
    table = until_table(look, (SEATS, POINTS), 100_000)
    assert table.title == "4 players: until seat_share ± 0.5 pp and colour_points ± 1"
    assert table.rows == (
        ("seat 1", "20,000", "25.0% (24.5 to 25.5)", "0.50 pp", "0.5 pp"),
        ("colour none", "20,000", "50.0 (49.5 to 50.5)", "0.50 points", "1 point"),
    )
    assert all(len(row) == len(table.header) for row in table.rows)
    assert table.notes[0] == (
        "Stopped after 20,000 games: every seat's win share is known to ±0.5 pp and "
        "every colour's mean of points is known to ±1 point."
    )
    assert "at all looks" in table.notes[1]


def test_the_table_says_that_the_cap_was_too_low() -> None:
    """The widest interval with its target, and about how many more games."""
    look = Look(4, 20_000, (standing(SEATS, 1, 0.004), standing(SEATS, 2, 0.0050001)))
    table = until_table(look, (SEATS,), 20_000)
    assert table.rows[1][3] == "0.51 pp"  # never shown as narrow if it is not
    assert table.notes[0] == (
        "The cap of 20,000 games is reached: the widest interval, seat 2 (win share), is ±0.51 pp instead of ±0.5 pp; "
        f"about {look.more_games} more games would be enough."
    )
    assert until_table(look, (SEATS,), 30_000).notes[0].startswith("20,000 games are played: the widest")


def test_the_table_names_a_level_that_is_too_rare() -> None:
    """Without an interval there is no half-width; a sentence says how many blocks had the level."""
    rare = LevelPrecision(POINTS, "gold", Estimate(50.0, math.nan, math.nan, 12, 10.0), 10)
    table = until_table(Look(3, 1_000, (rare,)), (POINTS,), 1_000)
    assert table.rows == (("colour gold", "12", "50.0 (too few)", "-", "1 point"),)
    assert table.notes[0] == (
        "The cap of 1,000 games is reached: colour gold (mean of points) is in only 10 blocks, too few for an "
        "interval; about 9,000 more games would give one."
    )
    topics = (Topic("colours", "Colours", "Which?", "level", ("colour",), labels={"gold": "Golden"}),)
    named = until_table(Look(3, 1_000, (rare,)), (POINTS,), 1_000, topics)
    assert named.rows[0][0] == "colour Golden"
    assert "colour Golden (mean of points)" in named.notes[0]


def test_many_intervals_come_with_a_warning() -> None:
    """The guarantee is for each interval alone, so one of twenty may miss; few intervals need no such line."""
    many = until_table(Look(4, 20_000, tuple(standing(SEATS, seat, 0.004) for seat in range(20))), (SEATS,), 20_000)
    assert many.notes[2:] == ("Of 20 such intervals up to 1.0 may miss the true value at some look by chance alone.",)
    assert len(until_table(Look(4, 20_000, (standing(SEATS, 1, 0.004),)), (SEATS,), 20_000).notes) == 2


def test_narrow_targets_show_more_digits() -> None:
    """An interval of a tenth of a point is not rounded to nothing."""
    target = Target("seat", "win_share", 0.0005, "seat_share ± 0.05 pp")
    (row,) = until_table(Look(4, 20_000, (standing(target, 1, 0.00049),)), (target,), 20_000).rows
    assert row[2:] == ("25.00% (24.95 to 25.05)", "0.049 pp", "0.05 pp")


def test_equal_blocks_have_an_interval_of_no_width() -> None:
    """Points that never vary are known once there are enough blocks."""
    group = Clusters(100, 400, 4_000.0, 160_000.0, 16_000.0, 1_600.0)
    assert anytime_mean(group).half_width == 0
    assert LevelPrecision(POINTS, "red", anytime_mean(group), 100).growth == 1
