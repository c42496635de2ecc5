"""Training against bots that do not learn, in two games whose best responses are known exactly."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rogsim.base.errors import RogsimError
from rogsim.bots.loading import compile_bot, find_bot
from rogsim.experiments.fitting import Lines
from rogsim.experiments.lessons import Course, Learner, collect
from rogsim.experiments.train import request_training, train
from rogsim.experiments.training_check import TrainingCheck
from rogsim.game import compiler
from rogsim.game.kit.learning import Sampling
from rogsim.game.registry import register, unregister
from rogsim.game.spec import GameSpec
from tests.command_line import Run
from tests.kuhn import GAME as KUHN
from tests.kuhn.bots import learned as card_learner
from tests.kuhn.exact import best_share, honest, random
from tests.kuhn.rules import HANDS, QUEEN
from tests.pig import GAME as PIG
from tests.pig.bots import learned as pig_learner

needs_speed = pytest.mark.skipif(not compiler.ENABLED, reason="thousands of games take too long uncompiled")
pytestmark = pytest.mark.once_compiled

SCENARIO = 'game = "{game}"\nplayers = [2]\ngames = 10\nseed = 1\nbots = ["{bot}"]\n'
DICE = Sampling(random_turns=100, compared_choices=600, worlds=1, turns=1_000)
CARDS = Sampling(random_turns=100, compared_choices=500, worlds=8, turns=1_000)


@pytest.fixture(autouse=True)
def solved_games() -> Iterator[None]:
    for game in (PIG, KUHN):
        register(game)
    yield
    for game in (PIG, KUHN):
        unregister(game.id)


def trained(folder: Path, game: GameSpec, against: str, sampling: Sampling, **more: Any) -> TrainingCheck:
    """How strong a bot is after a training, on held-out deals."""
    (folder / "game.toml").write_text(SCENARIO.format(game=game.id, bot="learned"))
    asked = {"games": 3_000, "generations": 2, "held_out": 8_000, "out": folder / "trained.toml"} | more
    request = request_training([str(folder / "game.toml")], against=against, sampling=sampling, **asked)
    return train(request, 2).checks[2]


@needs_speed
@pytest.mark.slow
def test_the_best_response_to_holding_at_20_is_nearly_found(tmp_path: Path) -> None:
    """It wins 5.49 pp more than its fair share; the trained bot gains at least four, and so it says over the start."""
    check = trained(tmp_path, PIG, "hold20", DICE)
    assert check.gain.value >= 0.04
    assert check.gain.low <= 0.0549
    assert check.over_start.low > 0.03
    assert abs(check.over_start.value - (check.gain.value - 0.0032)) < 0.015  # the start wins 50.32%


@needs_speed
@pytest.mark.slow
def test_nothing_is_gained_from_the_best_play_of_pig(tmp_path: Path) -> None:
    """The interval of the gain contains zero."""
    gain = trained(tmp_path, PIG, "optimum", DICE, games=2_000, generations=1).gain
    assert gain.low <= 0 <= gain.high


@needs_speed
@pytest.mark.slow
@pytest.mark.parametrize(("against", "plan", "least"), [("honest", honest, 0.07), ("random", random, 0.18)])
def test_what_a_bet_tells_of_a_hidden_card_is_learned(tmp_path: Path, against: str, plan: Any, least: float) -> None:
    """The trained bot wins most of what the best response does, and no more."""
    gain = trained(tmp_path, KUHN, against, CARDS).gain
    assert least <= gain.value
    assert gain.low <= best_share(plan) - 0.5


def lessons(game: GameSpec, against: str | None, worlds: int, games: int) -> Lines:
    """What is compared in some games against a bot that does not learn, or among learners."""
    learned = pig_learner if game is PIG else card_learner
    learner, rival = (name and compile_bot(game, find_bot(game, name, Path())) for name in ("learned", against))
    course = Course(game.prepare(game.options(), 2), 2, 5, 0, games)
    sampling = Sampling(random_turns=500, compared_choices=1_000, worlds=worlds, turns=1_000)
    return collect(
        Learner(game, learner, (learned.SEARCH, learned.EVALUATION), rival), learner.weights, [course], sampling, 1
    )[2]


def test_every_choice_within_a_turn_is_a_lesson() -> None:
    """In Pig a turn begins with a roll that is no choice; all lessons come after it, several in a turn."""
    lines = lessons(PIG, "hold20", 1, 20)
    assert lines.choices > 100
    assert np.bincount(lines.choice).tolist() == [2] * lines.choices


def test_worlds_in_which_a_bot_would_not_have_done_that_do_not_count() -> None:
    """An honest bot bets with a king only, so in every world a queen that calls its bet in the last hand loses two."""
    lines, checked = lessons(KUHN, "honest", 8, 100), 0
    own = lines.features[np.arange(len(lines.seat)), lines.seat]
    for i in np.flatnonzero(lines.place == HANDS - 1):
        lead, said, card = card_learner.FEATURES[int(own[i].argmax())].rsplit("-", 2)
        if said in ("bb", "cbb") and int(card) == QUEEN:
            after = int(lead) - 2
            assert lines.value[i] == (1 + (after > 0) - (after < 0)) / 2
            checked += 1
    assert checked > 5


def test_the_game_itself_stands_in_where_no_world_counts() -> None:
    """A king is one of two cards, so of ten worlds hardly ever none has it; among learners every world counts."""
    assert lessons(KUHN, "honest", 8, 100).share_undealt < 0.01
    assert lessons(KUHN, None, 8, 20).share_undealt == 0


def test_a_training_without_lessons_writes_no_file(tmp_path: Path) -> None:
    """One line says that nothing was learned, and nothing is left behind."""
    none = Sampling(compared_choices=0)
    with pytest.raises(RogsimError, match="nothing was learned, so no file is written: no choice of"):
        trained(tmp_path, PIG, "hold20", none, games=20, held_out=20)
    assert [path.name for path in tmp_path.iterdir()] == ["game.toml"]


@needs_speed
@pytest.mark.slow
def test_each_generation_says_how_much_it_wins_over_the_start(command: Run) -> None:
    """On held-out deals, with its interval and the number of games, among the bots that it is trained against."""
    Path("game.toml").write_text(SCENARIO.format(game="kuhn", bot="learned"))
    words = ["--games", "400", "--generations", "2", "--held-out", "600", "--jobs", "1", "--out", "trained.toml"]
    code, _, err = command("train", "game.toml", "--against", "honest", *words)
    assert code == 0
    told = [line for line in err.splitlines() if line.startswith("generation ")]
    assert len(told) == 2
    for line in told:
        assert "of 600 held-out games, +" in line
        assert "pp over the start (" in line
        assert "choices compared" in line
