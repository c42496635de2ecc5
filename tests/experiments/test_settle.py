"""Ladders of strength: what is played and judged, on the dice race, whose win shares are known exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rogsim.base.errors import RogsimError
from rogsim.experiments.design_points import Resources
from rogsim.experiments.ladder import ClaimFamily, SettleRequest, arrange_ladder, families_of
from rogsim.experiments.settle import LadderOutcome, allocate, play_ladder
from rogsim.game.registry import get_game, register, unregister
from rogsim.report.settle.settle_page import rising_words, steps
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


@pytest.mark.parametrize("game", ["river-of-gold", "the-river"])
def test_bots_with_one_file_of_weights_share_an_evaluation(game: str) -> None:
    """`planner` and `search` name the file of `learned`, with any settings; `balanced` and `tuned` have their own."""
    bots = ["balanced", "tuned", "learned", "planner", "search@rollouts=60", "search"]
    keys = {"game": game, "players": [2], "games": 1, "seed": 1, "bots": ["random"]}
    shared = [rung.evaluation for rung in arrange_ladder(keys, bots=bots).bots_as_rungs]
    assert shared == ["balanced", "tuned", "learned", "learned", "learned", "learned"]


def test_bots_from_one_file_of_code_share_an_evaluation(tmp_path: Path) -> None:
    """Also two functions of a user's file; those of another file do not."""
    text = "def choose(setup, view, menu, memory):\n    return 0\n\n\nother = choose\n"
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text(f"# {name}\n{text}", encoding="utf-8")
    one, two = (tmp_path / f"{name}.py" for name in ("one", "two"))
    bots = [f"{one}:choose", f"{two}:choose", f"{one}:other"]
    shared = [rung.evaluation for rung in arranged(bots=bots).bots_as_rungs]
    assert shared == [bots[0], bots[1], bots[0]]


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
        for rung, paces in ((1, MOODY), (2, RUNNER)):
            exact = 100 * (sudden([paces] * claim.players, 20)[seat] - 1 / claim.players)
            error = float(np.sqrt(claim.found.series.covariance[rung, rung]))
            assert abs(claim.found.series.values[rung] - exact) < 4 * error
    assert [claim.players for claim in outcome.claims] == [2, 3, 3, 3]
    assert {claim.found.verdict for claim in outcome.claims} == {"still moving"}
    assert outcome.stopped_by == "decided"


# Every seat has the same chance, with whatever bots: so every effect settles, if the bots get stronger.
FAIR: dict[str, Any] = {
    "scenario": {**BASE, "players": [2], "options": {"short": 20, "long": 20, "end": "fair"}},
    "margin": 12.0,
}


def test_a_ladder_that_rises_settles(tmp_path: Path) -> None:
    """Runners are faster than the moody, who are faster than walkers: both steps are shown, in a tenth of the games."""
    outcome = played(arranged(**FAIR), tmp_path)
    assert [claim.found.verdict for claim in outcome.claims] == ["settled"]
    assert [(step.below, step.bot, step.is_stronger) for step in outcome.steps] == [
        ("walker", "moody", True),
        ("moody", "runner", True),
    ]
    assert sum(step.games for step in outcome.steps) <= outcome.request.games_at(2) / 10
    assert outcome.stopped_by == "decided"
    assert rising_words(outcome) == "Each bot is shown to be stronger than the one before."


def test_an_inverted_ladder_is_never_settled(tmp_path: Path) -> None:
    """The effects agree, but the bots get weaker: the verdict says so, and play stops as soon as that is clear."""
    outcome = played(arranged(**FAIR, bots=LADDER[::-1]), tmp_path)
    (claim,) = outcome.claims
    assert (claim.found.verdict, claim.found.within) == ("not known yet", True)
    assert outcome.stopped_by == "decided"
    assert "; with 2 players walker is weaker than moody" in rising_words(outcome)
    assert any("weaker than the one before" in step.text for step in steps(outcome, "rogsim settle"))


def test_more_games_promise_nothing_on_an_inverted_ladder(tmp_path: Path) -> None:
    """Play ends although the changes are unknown, because nothing can settle: not a number of games, but why."""
    outcome = played(arranged(**FAIR | {"margin": 0.1}, bots=LADDER[::-1]), tmp_path)
    (claim,) = outcome.claims
    assert (claim.found.within, claim.more_games, outcome.stopped_by) == (False, None, "decided")
    assert "with 2 players moody is " in rising_words(outcome)
    assert not [step for step in steps(outcome, "rogsim settle") if "more games" in step.text]


def test_rungs_rest_while_only_the_strength_is_unknown(tmp_path: Path) -> None:
    """The games between the bots go on, up to the last look."""
    request = arranged(**FAIR, bots=["moody", "random", "runner"], most_games=4_800)  # the first two are equal
    outcome = played(request, tmp_path)
    assert outcome.games == {2: (400, 400, 400)}
    assert [claim.found.verdict for claim in outcome.claims] == ["not known yet"]
    assert [step.games for step in outcome.steps] == [240, 240]
    assert outcome.stopped_by == "games"


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
