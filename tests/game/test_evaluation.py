"""The kit's evaluation, in the dice race, and the lines from which it learns, against exact values."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from rogsim.experiments.fitting import chances, moment_shares
from rogsim.game import compiler
from rogsim.game.batches import Batch
from rogsim.game.bot import Bot
from rogsim.game.compiler import records
from rogsim.game.kit.evaluation import chance_to_win, take_weights
from rogsim.game.kit.learning import Sampling, all_asked, place_of, play_and_compare, random_action
from tests.dice_game import GAME, exact
from tests.dice_game.bots import learned
from tests.dice_game.rules import ROLL, WALK
from tests.dice_game.spec import RULES

GOAL = 10
GAMES, WORLDS = (60, 400) if compiler.ENABLED else (4, 20)


def race(players: int, places: list[int], actor: int = 0) -> Any:
    state, setup = records(RULES.state, 1)[0], GAME.prepare(GAME.options(short=GOAL, long=GOAL), players)
    RULES.begin(setup, state, 1, 0)
    state.position[:players] = places
    state.actor = actor
    return setup, state


def weights_with_luck(seed: int) -> np.ndarray:
    weights = np.array(learned.WEIGHTS)
    weights[learned.FIRST :] = np.random.default_rng(seed).normal(size=len(weights) - learned.FIRST)
    return weights


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_chance_to_win_is_what_fitting_takes_it_for(players: int) -> None:
    """The compiled evaluation and the formula of the fit agree in every position."""
    weights, sheet = weights_with_luck(players), records(learned.SHEET, 1)[0]
    take_weights(weights, players, sheet)
    first = place_of(learned.EVALUATION, players)
    sets = weights[first : first + learned.SET].reshape(len(learned.MOMENTS), -1)
    random = np.random.default_rng(7)
    for _ in range(20):
        setup, state = race(players, random.integers(0, GOAL, players).tolist(), int(random.integers(players)))
        for seat in range(players):
            found = chance_to_win(setup, state, seat, sheet)
            features = sheet.position.seats[:players].astype(np.float32)[None]
            assert found == pytest.approx(chances(features, moment_shares(np.zeros(1), 2), sets)[0, seat], rel=1e-5)


def test_a_finished_game_is_worth_its_win_share() -> None:
    """Whatever the weights say."""
    sheet = records(learned.SHEET, 1)[0]
    take_weights(weights_with_luck(1), 2, sheet)
    setup, state = race(2, [GOAL - 1, 4])
    RULES.apply(setup, state, WALK)
    assert [chance_to_win(setup, state, seat, sheet) for seat in range(2)] == [1.0, 0.0]


def test_all_features_are_asked_for_in_lessons() -> None:
    """Also those that have no weight yet; settings stay as they are."""
    weights = np.zeros(len(learned.WEIGHTS))
    asked = all_asked(learned.EVALUATION, weights)
    assert asked[: learned.FIRST].tolist() == [0.0] * learned.FIRST
    assert (asked[learned.FIRST :] == 1.0).all()


@pytest.mark.once_compiled  # needs many worlds to be able to fail
def test_the_value_of_a_line_is_the_exact_chance_to_win() -> None:
    """Worlds are played to the end by steps that prefer rolling, so that the chances can be computed."""
    weights = np.array(learned.WEIGHTS)
    weights[learned.FIRST :] = 0.0
    sets = weights[place_of(learned.EVALUATION, 2) :][: len(learned.FEATURES)]
    to_go = np.arange(float(learned.PLACES))
    sets[:] = (to_go[None, :] - to_go[:, None] ** 1.5).ravel()  # the fewer to go the better, more than evenly
    bot = Bot("learned", GAME.compile_bot(learned.choose), weights)
    deals = np.arange(GAMES)
    seating = np.tile(np.arange(2, dtype=np.int8), (GAMES, 1))
    setup = GAME.prepare(GAME.options(short=GOAL, long=GOAL), 2)
    sampling = Sampling(random_turns=300, compared_choices=600, worlds=WORLDS, turns=1_000)
    batch = Batch(3, 2, deals, seating, (bot, bot))
    found = play_and_compare(RULES, setup, batch, learned.SEARCH, learned.EVALUATION, weights, sampling, learners=2)
    assert len(found) >= 4
    assert (found["decision"][::2] == found["decision"][1::2]).all()
    rolling, walking = found[0::2], found[1::2]
    for line in walking:
        assert line["ended"] in (0.0, 1.0)
        assert line["won"] == line["ended"]  # who arrives first has won
    spread = 4.5 * 0.5 / WORLDS**0.5
    values = mover_values(weights)
    for line, walk in zip(rolling, walking, strict=True):
        if walk["ended"] == 0:  # otherwise nothing shows how many spaces were left
            after, other = divmod(int(walk["features"][walk["seat"]].argmax()), learned.PLACES)
            mine = after + 3
            assert line["value"] == pytest.approx(values[mine, other]["roll"], abs=spread)
            assert walk["value"] == pytest.approx(values[mine, other]["walk"], abs=spread)


def mover_values(weights: np.ndarray) -> dict[tuple[int, int], dict[str, float]]:
    """The chance to win by each step, if both then take the step that the evaluation prefers."""
    sets = weights[place_of(learned.EVALUATION, 2) :][: len(learned.FEATURES)]

    def seen(mine: int, other: int, spaces: int) -> float:
        return 1.0 if spaces >= mine else 1.0 / (1.0 + np.exp(-sets[(mine - spaces) * learned.PLACES + other]))

    def preferred(mine: int, other: int) -> str:
        rolled = sum(seen(mine, other, spaces) for spaces in range(1, 7)) / 6
        return "roll" if rolled > seen(mine, other, 3) else "walk"

    return exact.values_of(GOAL, lambda pair, found: found[preferred(*pair)])


def test_best_play_is_at_least_as_good_as_any_fixed_one() -> None:
    """The value iteration of the tests against the exact chances of walkers and runners."""
    best = exact.optimum(GOAL)[GOAL, GOAL]
    always = exact.sudden([exact.RUNNER, exact.RUNNER], GOAL)[0]
    assert max(best.values()) >= 1 - exact.sudden([exact.RUNNER, exact.RUNNER], GOAL)[1] - 0.05
    assert abs(max(best.values()) - always) < 0.1


def test_random_actions_draw_a_kind_first() -> None:
    """In the race both steps are of one kind, and equally likely."""
    menu, position = records(RULES.menu, 1)[0], records(learned.POSITION, 1)[0]
    menu.count, menu.actions[:2] = 2, (ROLL, WALK)
    counts = Counter(int(random_action(menu, np.uint64(9), number, position)) for number in range(4_000))
    assert set(counts) == {ROLL, WALK}
    assert abs(counts[ROLL] - 2_000) < 4 * 32
