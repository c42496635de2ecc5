"""The search for fair values, on the dice race, whose fair head starts can be computed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rogsim.base.errors import RogsimError
from rogsim.experiments.design_points import Resources, fresh_seed
from rogsim.experiments.optimize import Candidate, SearchOutcome, answer, choose, find_optimum, pareto
from rogsim.experiments.optimize_request import SearchRequest, request_optimum
from rogsim.game import compiler
from rogsim.game.registry import register, unregister
from rogsim.report import words
from rogsim.report.optimize_words import closer_words, may_improve
from rogsim.scenario.goals import Goal
from rogsim.scenario.model import ScenarioError
from rogsim.stats.paired.common_random_numbers import Estimates
from rogsim.stats.paired.deviations import deviations_of, farther_by
from tests.dice_game import GAME, exact

pytestmark = [
    pytest.mark.usefixtures("dice_race"),
    pytest.mark.skipif(not compiler.ENABLED, reason="a search plays too many games to do so uncompiled"),
]

SPACES = 12
RACE: dict[str, Any] = {
    "game": "dice-race",
    "players": [2],
    "games": 1_000,
    "seed": 5,
    "bots": ["runner"],
    "options": {"short": SPACES, "long": SPACES},
}
SEARCH = {"goal": ["seat_share equal ± 5 pp"], "over": {"head_start.2": {"from": 0, "to": 9}}}


def off(second: int, first: int = 0) -> float:
    """How far the first seat really is from a half."""
    return abs(exact.sudden([exact.RUNNER] * 2, SPACES, [first, second])[0] - 0.5)


def searched(folder: Path, request: SearchRequest, **by: Any) -> SearchOutcome:
    return find_optimum(request, Resources(folder, **by))


def value(outcome: SearchOutcome) -> int:
    return int(outcome.chosen.design_point.setting["head_start.2"])


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> tuple[SearchOutcome, Path]:
    """The search that several tests look at, with two workers, and the folder of its games."""
    folder = tmp_path_factory.mktemp("search")
    register(GAME)
    outcome = searched(folder, request_optimum(RACE, **SEARCH), jobs=2)
    unregister(GAME.id)
    return outcome, folder


def test_the_fair_head_start_is_found(stored: tuple[SearchOutcome, Path]) -> None:
    """Of all head starts of the second seat, the search chooses the least change among those within 5 pp."""
    outcome, _ = stored
    fair = [start for start in range(10) if off(start) <= 0.05]
    assert fair and off(0) > 0.05
    assert value(outcome) == min(fair)
    assert outcome.chosen.found.kind == "within"
    assert outcome.listed[0].found.kind == "beyond"


def test_the_improvement_allows_for_the_choice_of_the_answer(stored: tuple[SearchOutcome, Path]) -> None:
    """Its interval has the confidence with which those of all candidates hold together."""
    outcome, _ = stored
    base, found = outcome.listed[0].found, outcome.chosen.found
    assert found.confidence == pytest.approx(1 - 0.05 / len(outcome.listed))
    closer_by, plain = (farther_by(base, found, confidence) for confidence in (found.confidence, 0.95))
    ends, others = (words.interval(5 * each.low, 5 * each.high) for each in (closer_by, plain))
    said = closer_words(outcome, outcome.listed[0], outcome.chosen)
    assert ends in said
    assert others not in said


def test_a_planted_imbalance_is_removed(tmp_path: Path) -> None:
    """A second seat that starts 6 spaces too far ahead is brought back to within 1 of its fair start."""
    best = min(range(10), key=off)
    request = request_optimum(RACE, change={"head_start.2": min(9, best + 6)}, **SEARCH)
    assert abs(value(searched(tmp_path, request)) - best) <= 1


def test_with_two_values_to_choose_the_smaller_change_is_taken(tmp_path: Path) -> None:
    """A head start planted on the first seat is removed there or compensated, with no more change than needed."""
    over = {"head_start.1": {"from": 0, "to": 6}, "head_start.2": {"from": 0, "to": 6}}
    request = request_optimum(RACE, goal=SEARCH["goal"], over=over, change={"head_start.1": 3})
    chosen = searched(tmp_path, request).chosen
    first, second = (chosen.design_point.setting[f"head_start.{seat}"] for seat in (1, 2))
    assert off(second, first) <= 0.06
    reachable = [abs(a - 3) + b for a in range(7) for b in range(7) if off(b, a) <= 0.05]
    assert chosen.change <= min(reachable) + 1


def test_the_intervals_of_new_deals_hold_the_truth(stored: tuple[SearchOutcome, Path]) -> None:
    """The estimates of every listed candidate agree with the exact win shares, within 99.9% intervals."""
    outcome, _ = stored
    assert outcome.seed == fresh_seed(RACE["seed"])
    for confirmed in outcome.listed:
        start = confirmed.design_point.setting.get("head_start.2", 0)
        share = exact.sudden([exact.RUNNER] * 2, SPACES, [0, start])[0]
        interval = confirmed.found.estimate(0, 0.999)
        assert interval.low <= 100 * (share - 0.5) <= interval.high


def test_the_search_is_the_same_for_everybody_and_plays_nothing_twice(
    stored: tuple[SearchOutcome, Path], tmp_path: Path
) -> None:
    """Other workers and chunks, or stored games, lead to the same candidates and the same answer."""
    request = request_optimum(RACE, **SEARCH)
    first, folder = stored
    alone = searched(tmp_path, request, jobs=1, chunk=170)
    stamps = {path: path.stat().st_mtime_ns for path in folder.rglob("*.parquet")}
    again = searched(folder, request)
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.parquet")} == stamps
    for other in (alone, again):
        assert [(c.point, c.distance) for c in other.played] == [(c.point, c.distance) for c in first.played]
        assert other.chosen.point == first.chosen.point


def test_a_goal_out_of_reach_takes_the_closest(tmp_path: Path) -> None:
    """If no value reaches the goal, the answer is the closest one, and the goal is called not reached."""
    request = request_optimum(RACE, goal=["turns = 40 ± 0.2"], over={"spaces.more": {"from": 0, "to": 9}})
    outcome = searched(tmp_path, request)
    assert outcome.chosen.design_point.setting == {"spaces.more": 9}
    assert outcome.chosen.found.kind == "beyond"


def test_two_goals_must_both_hold(tmp_path: Path) -> None:
    """A longer race with equal seats: both values move."""
    over = {"head_start.2": {"from": 0, "to": 6}, "spaces.more": {"from": 0, "to": 9}}
    request = request_optimum(RACE, goal=["seat_share equal ± 5 pp", "turns = 10 ± 1"], over=over)
    outcome = searched(tmp_path, request)
    found = outcome.chosen.found
    assert found.kind == "within"
    assert {goal.value for goal in found.goals} == {"win_share", "turns"}


def made(change: float, distance: float) -> Candidate:
    class Found:
        def __init__(self) -> None:
            self.distance = distance

    return Candidate(None, None, change, Found(), Found())  # type: ignore[arg-type]


def test_the_list_of_pareto_gets_closer_with_every_change() -> None:
    """A candidate is left out if another one with no more change is closer."""
    all_of_them = [made(0, 3.0), made(1, 2.0), made(1, 1.5), made(2, 1.8), made(4, 0.5), made(5, 0.5)]
    assert [(candidate.change, candidate.distance) for candidate in pareto(all_of_them)] == [
        (0, 3.0),
        (1, 1.5),
        (4, 0.5),
    ]


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ({}, "scenario: needs a [balance] with `goal` and `over`, or --over"),
        ({"goal": ["fair"], "over": {"head_start.1": [1]}}, '--goal: "fair" is not allowed: write NAME equal'),
        ({"goal": SEARCH["goal"], "over": {"head_stat.1": [1]}}, "--over: head_stat.1: unknown, did you mean"),
        ({"goal": SEARCH["goal"], "over": {"bots": ["runner"]}}, "--over: bots: cannot be searched"),
        ({"goal": SEARCH["goal"], "over": {"head_start.1": 3}}, "--over: head_start.1: 3 is not allowed: write a list"),
        ({**SEARCH, "confirm": 0}, "--confirm: 0 is not allowed: must be from 1 to 1,000,000,000"),
    ],
)
def test_what_cannot_be_searched(asked: dict[str, Any], line: str) -> None:
    """Each mistake has its line, and nothing is played."""
    with pytest.raises(RogsimError) as caught:
        request_optimum(RACE, option_prefix="--", **asked)
    assert str(caught.value).startswith(line)


def test_values_that_the_game_refuses(tmp_path: Path) -> None:
    """A value that the game does not allow is reported before anything is played."""
    with pytest.raises(RogsimError, match="head_start"):
        searched(tmp_path / "x", request_optimum(RACE, goal=SEARCH["goal"], over={"head_start.1": [0, 99]}))


def test_a_goal_of_what_does_not_come_up(tmp_path: Path) -> None:
    """A goal for a third seat with two players is refused before play; one for a rare level once that is missing."""
    with pytest.raises(RogsimError, match=r"^goal: .* there is no seat 3 with 2 players"):
        request_optimum(RACE, goal=["seat_share of 3 equal ± 2 pp"], over=SEARCH["over"])
    request = request_optimum(RACE, goal=["first_roll_share of 5 equal ± 40 pp"], over=SEARCH["over"], confirm=1)
    with pytest.raises(RogsimError, match="nothing to estimate this from in 1 games with 2 players"):
        searched(tmp_path, request)


def test_choosing_nothing_is_no_choice() -> None:
    """There is always at least one entrant."""
    with pytest.raises(ValueError, match="empty"):
        choose([])


def test_what_is_fair_already_needs_no_change(tmp_path: Path) -> None:
    """If the goal is reached already, nothing is changed, even if the current values are not among those searched."""
    request = request_optimum(RACE, goal=["seat_share equal ± 40 pp"], over={"head_start.2": [1, 2]})
    outcome = searched(tmp_path, request)
    assert outcome.chosen is outcome.listed[0]
    assert (outcome.chosen.change, outcome.chosen.found.kind) == (0, "within")
    assert not outcome.ran_out
    assert not may_improve(replace(outcome, ran_out=True))  # no change is less than none


def test_a_search_whose_games_run_out_says_so(tmp_path: Path) -> None:
    """It plays no more than allowed, in whole cycles, and says that other values may be better."""
    keys = RACE | {"bots": ["runner", "walker", "moody"], "players": [2, 3]}
    over = {"spaces.more": {"from": 0, "to": 9}, "head_start.2": {"from": 0, "to": 9}}
    outcome = searched(tmp_path, request_optimum(keys, goal=["turns = 60 ± 0.1"], over=over, games=1_000, confirm=1))
    assert outcome.ran_out
    assert may_improve(outcome)
    assert outcome.games <= 1_000
    assert {confirmed.found.games for confirmed in outcome.listed} == {6}
    assert outcome.chosen.found.prospect is None


def shown(changes: list[float], distances: list[float], half: float = 0.1) -> list[Candidate]:
    """Candidates on new deals, so far from a goal in one direction, known to so much."""
    rng, made_up = np.random.default_rng(3), []
    goal = Goal("points", "seat", None, 1.0, "seat_points equal ± 1")
    for change, distance in zip(changes, distances, strict=True):
        influence = rng.normal(0, half / 1.96 * np.sqrt(1_000), 1_000)
        both = np.stack([influence - influence.mean(), influence.mean() - influence], axis=1)
        value = np.array([distance, -distance])
        estimates = Estimates(("1", "2"), value, np.full(2, 1_000), np.arange(1_000), both, fair=np.array(0.5))
        found = deviations_of([(goal, 2, estimates)])
        made_up.append(Candidate(None, None, change, found, found))  # type: ignore[arg-type]
    return made_up


def test_the_answer_is_the_least_change_that_reaches_the_goals_on_new_deals() -> None:
    """A closer candidate that changes more is not chosen, nor one that may be beyond the tolerance."""
    listed = shown([0, 2, 3, 5], [4.0, 0.99, 0.6, 0.1])
    assert answer(listed, unchanged_allowed=True) is listed[2]


def test_the_answer_is_beaten_by_none_that_is_listed() -> None:
    """If none reaches the goals, the answer is the least change among those hardly farther than the closest."""
    assert answer(listed := shown([0, 1, 4], [4.0, 2.0, 3.0]), unchanged_allowed=True) is listed[1]
    assert answer(listed := shown([0, 1, 4], [4.0, 2.01, 2.0]), unchanged_allowed=True) is listed[1]
    assert answer(listed := shown([0, 1, 4], [4.0, 3.0, 2.0]), unchanged_allowed=True) is listed[2]


def test_what_changes_no_game_is_no_answer() -> None:
    """Values that leave every game as it is are not chosen; if there are no others, nothing is changed."""
    base, other = shown([0, 3], [4.0, 2.0])
    idle = Candidate(None, None, 1, base.found, base.found)  # type: ignore[arg-type]
    assert answer([base, idle, other], unchanged_allowed=False) is other
    assert answer([base, idle], unchanged_allowed=False) is base


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        (
            {"over": {"head_start.4": [0, 3]}},
            "--over: head_start.4: changes nothing in this scenario: there is",
        ),
        ({"over": {"head_start.1": [0]}}, "--over: head_start.1: changes nothing in this scenario: it is already 0"),
        ({"goal": ["seat_share equal ± 0.0001 pp"]}, "the smallest tolerance that can be tested is 0.02 pp"),
        ({"goal": ["seat_share equal ± 0 pp"]}, "the tolerance must be more than 0; the smallest tolerance"),
        ({"goal": ["turns = 9 ± 0"]}, "the tolerance must be more than 0"),
        ({"goal": ["seat_share equal ± inf pp"]}, "is not allowed: write NAME equal"),
        ({"goal": ["turns = nan ± 1"]}, "is not allowed: write NAME equal"),
    ],
)
def test_what_cannot_matter_or_be_judged_is_refused_before_play(asked: dict[str, Any], line: str) -> None:
    """One line each, and nothing is played."""
    with pytest.raises(ScenarioError) as caught:
        request_optimum(RACE, option_prefix="--", **{**SEARCH, **asked})
    assert line in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_a_value_that_matters_through_another_one_is_searched() -> None:
    """A fourth seat's head start matters with four players; playing rounds out unless the options say so already."""
    request_optimum(RACE | {"players": [2, 4]}, goal=SEARCH["goal"], over={"head_start.4": [0, 3]})
    fair = RACE | {"options": {"end": "fair"}}
    with pytest.raises(ScenarioError, match="says so already"):
        request_optimum(fair, goal=SEARCH["goal"], over={"played_out": [True, False]})
    request_optimum(fair, goal=SEARCH["goal"], over={"played_out": [True, False], "end": ["fair", "sudden"]})


def test_a_tolerance_that_takes_too_many_games_is_refused_after_a_first_look(tmp_path: Path) -> None:
    """The line names the smallest tolerance that can be judged, and the one for 20,000 games."""
    with pytest.raises(ScenarioError, match=r"± [\d.e-]+ turns, and ± [\d.]+ turns with 20,000 games$") as caught:
        searched(tmp_path, request_optimum(RACE, goal=["turns = 9 ± 0.00001"], over=SEARCH["over"]))
    assert len(str(caught.value).splitlines()) == 1


def test_new_deals_is_nobodys_search() -> None:
    """The seed of new deals depends on the seed of the search, and is no seed that a search would have."""
    seeds = {fresh_seed(seed) for seed in range(1_000)}
    assert len(seeds) == 1_000
    assert all(2**52 <= seed < 2**53 for seed in seeds)
