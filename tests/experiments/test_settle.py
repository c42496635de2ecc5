"""Ladders of strength: what is played and judged, on the dice race, whose win shares are known exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rogsim.base.errors import RogsimError
from rogsim.experiments.design_points import Resources
from rogsim.experiments.settle.allocation import allocate
from rogsim.experiments.settle.ladder_verdicts import ClaimFamily
from rogsim.experiments.settle.rounds import LadderOutcome, play_ladder
from rogsim.experiments.settle.strength_ladder import SettleRequest, arrange_ladder, families_of
from rogsim.game.registry import get_game, register, unregister
from rogsim.scenario.model import load
from tests.dice_game import GAME
from tests.dice_game.exact import MOODY, RUNNER, sudden

pytestmark = [pytest.mark.once_compiled, pytest.mark.usefixtures("dice_race", "sketched")]

BASE: dict[str, Any] = {"game": "dice-race", "players": [2, 3], "games": 10, "seed": 5, "bots": ["runner"]}
RACE = {**BASE, "options": {"short": 20, "long": 20}}
LADDER = ["walker", "moody", "runner"]


def arranged(**more: Any) -> SettleRequest:
    return arrange_ladder(more.pop("scenario", RACE), **{"bots": LADDER, **more})


def families_in(keys: dict[str, Any]) -> tuple[ClaimFamily, ...]:
    experiment = load(keys)
    return families_of(experiment.spec, experiment.scenario.options)


def played(request: SettleRequest, folder: Path, **more: Any) -> LadderOutcome:
    return play_ladder(request, Resources(folder, jobs=1), **more)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"bots": None}, "--bots: this game has no ladder of its own: name its bots, the weakest first"),
        ({"bots": ["runner", "walker"]}, "--bots: 2 given, and a ladder has 3 to 30 bots, the weakest first"),
        ({"bots": ["runner", "walker", "runner"]}, '--bots: "runner" is listed twice'),
        ({"claims": ["colours"]}, '--claims: "colours" is not allowed: choose from seats'),
        ({"first_look": 29}, "--first-look: 29 is not allowed: must be from 30 to 2,604,166"),
        ({"most_games": 100}, "--games: 100 is not allowed: the first look needs 1,200 games"),
    ],
)
def test_wrong_requests_are_refused_in_one_line(more: dict[str, Any], message: str) -> None:
    """Each says what is allowed."""
    with pytest.raises(RogsimError) as fault:
        arranged(**more)
    assert str(fault.value) == message


@pytest.mark.parametrize("game", ["river-of-gold", "the-river"])
def test_the_ladders_of_the_games_can_be_played(game: str) -> None:
    """Each rung is a bot of the game, and the last steps double one setting."""
    keys = {"game": game, "players": [2], "games": 1, "seed": 1, "bots": [get_game(game).bots[0].name]}
    assert arrange_ladder(keys).step == "doubling"


def test_a_ladder_of_different_bots_has_steps() -> None:
    """No number doubles between these bots."""
    assert arranged().step == "step"


def test_what_chance_deals_is_judged_and_nothing_else() -> None:
    """Patrons only where the set-up deals them, and never what players choose."""
    keys = {"game": "river-of-gold", "players": [2], "games": 1, "seed": 1, "bots": ["random"]}
    names = [
        [family.name for family in families_in({**keys, "options": {"patrons": mode}})] for mode in ("dealt", "draft")
    ]
    assert ("patrons" in names[0], "patrons" in names[1]) == (True, False)
    with pytest.raises(RogsimError, match="they are not dealt at random in this scenario"):
        arrange_ladder({**keys, "options": {"patrons": "draft"}}, claims=["patrons"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("store")


def test_effects_are_those_known_on_paper(folder: Path) -> None:
    """Every rung's effects agree with the exact win probabilities, and the walkers' race is no game of chance."""
    outcome = played(arranged(first_look=1_600), folder)
    for claim in outcome.claims:
        seat = int(claim.found.series.name) - 1
        for rung, steps in ((1, MOODY), (2, RUNNER)):
            exact = 100 * (sudden([steps] * claim.players, 20)[seat] - 1 / claim.players)
            error = float(np.sqrt(claim.found.series.covariance[rung, rung]))
            assert abs(claim.found.series.values[rung] - exact) < 4 * error
    assert [claim.players for claim in outcome.claims] == [2, 3, 3, 3]
    assert {claim.found.verdict for claim in outcome.claims} == {"still moving"}
    assert outcome.stopped_by == "decided"


WIDE = {"margin": 1.0, "bots": ["moody", "random", "runner"], "first_look": 60, "most_games": 3 * 240}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[LadderOutcome, Path]:
    """A ladder played in one call, and its folder."""
    folder = tmp_path_factory.mktemp("whole")
    register(GAME)
    outcome = played(arranged(**WIDE), folder)
    unregister(GAME.id)
    return outcome, folder


def test_a_continued_ladder_gives_what_one_call_gives(tmp_path: Path, whole: tuple[LadderOutcome, Path]) -> None:
    """With less time first, and then without a limit: the same verdicts from the same games."""
    once, _ = whole
    ticks = iter(range(0, 10_000, 60))
    first = played(arranged(**WIDE), tmp_path / "b", minutes=1, clock=lambda: float(next(ticks)))
    assert first.stopped_by == "time"
    assert sum(first.games[3]) < sum(once.games[3])
    again = played(arranged(**WIDE), tmp_path / "b")
    assert (again.games, again.stopped_by) == (once.games, once.stopped_by)
    for one, other in zip(again.claims, once.claims, strict=True):
        assert (one.found.verdict, one.found.look) == (other.found.verdict, other.found.look)
        assert np.array_equal(one.found.series.values, other.found.series.values)


def test_the_plan_does_not_depend_on_the_folder_or_the_time(tmp_path: Path, whole: tuple[LadderOutcome, Path]) -> None:
    """A repeated call, and one that begins anew elsewhere, play the same games of each bot."""
    first, folder = whole
    second, elsewhere = (played(arranged(**WIDE), where) for where in (folder, tmp_path))
    assert first.games == second.games == elsewhere.games


def test_games_go_where_they_show_most() -> None:
    """Equal rungs: the last one, which is in both changes, plays most; a precise rung plays less."""
    even = allocate((100, 100, 100), 1_600, np.ones(3))
    assert sum(even) == 1_900
    assert even[2] > even[0]
    assert abs(even[0] - even[1]) <= 100
    precise = allocate((100, 100, 100), 1_600, np.array([0.01, 1.0, 1.0]))
    assert precise[0] == 100
