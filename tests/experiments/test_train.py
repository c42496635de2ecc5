"""Training: the best play of the dice race is found, what was interrupted goes on, and wrong requests are refused."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rogsim.base.errors import RogsimError
from rogsim.bots.loading import compile_bot, find_bot
from rogsim.experiments import train
from rogsim.experiments.continued import load_state, save_state
from rogsim.experiments.lessons import Course, Learner, collect
from rogsim.experiments.train import (
    Lessons,
    Trained,
    TrainingGeneration,
    TrainingRequest,
    check_of,
    identity,
    request_training,
    save_generations,
)
from rogsim.experiments.training_check import check_in, plain, verdict, verdicts
from rogsim.game import compiler
from rogsim.game.bot import Bot
from rogsim.game.kit.learning import Sampling, weights_of
from rogsim.game.registry import get_game
from rogsim.report.console.weights_tables import print_trained
from rogsim.report.words import MINUS
from tests.command_line import Run
from tests.dice_game.bots import learned
from tests.dice_game.exact import optimum
from tests.terminal_process import on_screen

pytestmark = [pytest.mark.once_compiled, pytest.mark.usefixtures("dice_race")]

GOAL = 10
SCENARIO = """game = "dice-race"
players = [2]
games = 10
seed = 1
bots = ["runner"]
"""
SHORT = ["--games", "400", "--generations", "2", "--held-out", "20", "--jobs", "1", "--out", "trained.toml"]
OFTEN = Sampling(random_turns=300, compared_choices=500)


@pytest.fixture
def train_command(command: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `rogsim train` for a scenario of the dice race: exit code, output, error output."""
    monkeypatch.setattr("rogsim.experiments.train.today", lambda: "2030-01-01")
    Path("race.toml").write_text(SCENARIO)
    Path("race.py").write_text("class Racer:\n    def choose(self, observation, actions):\n        return actions[0]\n")
    return partial(command, "train")


def asked(folder: Path, **more: Any) -> TrainingRequest:
    (folder / "race.toml").write_text(SCENARIO)
    wanted = {"games": 2_000, "generations": 4, "held_out": 200, "sampling": OFTEN, "out": folder / "trained.toml"}
    return request_training([str(folder / "race.toml")], **(wanted | more))


@cache
def trained_from_random_weights(folder: Path) -> tuple[TrainingRequest, Trained]:
    """Train once for all tests that need a bot which plays best."""
    folder.mkdir()
    # So many games that the result does not rest on the seed or on how a processor rounds sums.
    request = asked(folder, games=4_000, held_out=2_000)
    return request, train.train(request, 2)


def chances_after(weights: np.ndarray) -> Any:
    """The chance to win of a seat with some spaces to go when the other, with others, is next."""
    sets = weights_of(learned.EVALUATION, weights, 2)[0]

    def chance(mine: int, other: int) -> float:
        return float(1.0 / (1.0 + np.exp(-sets[mine * learned.PLACES + other])))

    return chance


def reached() -> set[tuple[int, int]]:
    """The positions that can come up in a race, as the spaces to go of the mover and of the other."""
    found, new = set(), {(GOAL, GOAL)}
    while new:
        found |= new
        new = {(other, mine - spaces) for mine, other in new for spaces in range(1, 7) if spaces < mine} - found
    return found


@pytest.mark.skipif(not compiler.ENABLED, reason="thousands of games take too long uncompiled")
def test_the_best_play_of_the_race_is_found_from_random_weights(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Wherever one step is clearly better, the trained evaluation says so; before the training it does not."""
    request, found = trained_from_random_weights(tmp_path_factory.getbasetemp() / "best")

    def mistakes(weights: np.ndarray) -> float:
        after, lost, best_play = chances_after(weights), 0.0, optimum(GOAL)
        for mine, other in reached():
            best = best_play[mine, other]
            rolled = sum(1.0 if spaces >= mine else after(mine - spaces, other) for spaces in range(1, 7)) / 6
            walked = 1.0 if mine <= 3 else after(mine - 3, other)
            lost = max(lost, max(best.values()) - best["roll" if rolled > walked else "walk"])
        return lost

    assert mistakes(request.bot.weights) > 0.2
    assert mistakes(found.weights) < 0.005
    assert found.checks[2].win_share.low > 0.5


@pytest.mark.once_uncompiled
@pytest.mark.parametrize(("blocks", "reach"), [(5, 1.0), (50, 0.2)])
def test_deals_without_a_difference_leave_one_possible(blocks: int, reach: float) -> None:
    """The gain over the start has an interval with a width, and one that can be stored, however few deals there are."""
    shares = np.tile([0.0, 1.0, 0.5, 0.5, 0.5], blocks // 5)
    check = check_of([shares], 4, [shares])
    assert check.over_start.value == 0
    assert 0.02 < check.over_start.high <= reach
    assert check.over_start.low == -check.over_start.high
    assert check_in(plain(check)).over_start.high == pytest.approx(check.over_start.high)


@pytest.mark.skipif(not compiler.ENABLED, reason="thousands of games take too long uncompiled")
def test_nobody_gains_by_training_against_the_best_play(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """From random weights a bot learns to beat one that only runs, and gains nothing from one that plays best."""
    best, _ = trained_from_random_weights(tmp_path_factory.getbasetemp() / "best")
    # The lead over the runner is about five points, so few games show it; no lead is shown by many.
    for against, held_out, is_beaten in (("runner", 2_000, True), (f"learned@{best.out}", 20_000, False)):
        request = asked(tmp_path, against=against, games=1_000, generations=2, held_out=held_out)
        gain = train.train(request, 2).checks[2].gain
        assert (gain.low > 0) == is_beaten
        assert gain.high > 0


def test_only_turns_of_the_bot_that_learns_are_compared() -> None:
    """Against a rival the learner sits in one seat of each game, and in a different seat in the next."""
    spec = get_game("dice-race")
    bot = Bot("learned", spec.compile_bot(learned.choose), np.array(learned.WEIGHTS, dtype=np.float64))
    rival = compile_bot(spec, find_bot(spec, "runner", Path()))
    learner = Learner(spec, bot, (learned.SEARCH, learned.EVALUATION), rival)
    course = Course(spec.prepare(spec.options(), 3), 3, 5, 0, 40)
    lines = collect(learner, bot.weights, [course], Sampling(compared_choices=900, worlds=4), 1)[3]
    assert set(lines.deal) == set(range(40))
    assert np.array_equal(lines.seat, -lines.deal % 3)


def test_the_same_command_gives_the_same_file_with_any_number_of_workers(train_command: Run) -> None:
    """Bit for bit, and the file is read as the weights of the bot."""
    assert train_command("race.toml", *SHORT)[0] == 0
    first = Path("trained.toml").read_bytes()
    Path("trained.toml").unlink()
    code, output, _ = train_command("race.toml", *SHORT[:-3], "2", *SHORT[-2:])
    assert code == 0
    assert Path("trained.toml").read_bytes() == first
    assert "for use as learned@trained.toml" in output
    assert "verdict" in output
    weights = find_bot(get_game("dice-race"), "learned@trained.toml", Path()).weights
    assert len(weights) == len(learned.WEIGHTS)
    assert not np.array_equal(weights, learned.WEIGHTS)
    origin = tomllib.loads(first.decode())["origin"]
    assert (origin["generations"], origin["games_a_generation"]) == (2, 400)
    assert not Path("trained.toml.state.json").exists()


@pytest.mark.skipif(not compiler.ENABLED, reason="thousands of games take too long uncompiled")
def test_no_word_and_no_number_is_broken_in_a_terminal(train_command: Run) -> None:
    """A narrow terminal shows every word that a pipe gets, and no line is wider unless one word is."""
    piped = train_command("race.toml", *SHORT).out
    Path("trained.toml").unlink()
    ((screen,),) = on_screen([["train", "race.toml", *SHORT]], [60], Path.cwd(), compiled=True)
    assert "verdict" in screen
    assert not set(piped.split()) - {word.removesuffix(":") for word in screen.split()} - set(screen.split())
    assert not [line for line in screen.split("\n") if len(line.rstrip()) > 60 and " " in line.strip()]


def test_an_interrupted_training_continues(train_command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is learned before and after an interruption is what is learned at once."""
    assert train_command("race.toml", *SHORT)[0] == 0
    whole = Path("trained.toml").read_bytes()
    Path("trained.toml").unlink()
    plays, once = train.collect, []

    def interrupted(*arguments: Any) -> Any:
        if once:
            raise KeyboardInterrupt
        once.append(True)
        return plays(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(train, "collect", interrupted)
        code, _, errors = train_command("race.toml", *SHORT)
    assert code != 0
    assert "The same command continues" in errors
    assert not Path("trained.toml").exists()
    code, _, errors = train_command("race.toml", *SHORT)
    assert code == 0
    assert "Continuing after generation 1" in errors
    assert Path("trained.toml").read_bytes() == whole


def test_a_state_of_another_command_is_refused(train_command: Run, tmp_path: Path) -> None:
    """The message names what differs; a file that is no state is refused, too."""
    request = asked(tmp_path)
    path = request.state
    path.write_text('{"format": "rogsim-training/2", "command": {"seed": 2}, "generations": []}')
    with pytest.raises(RogsimError, match=r"with other settings \(bot was missing and is .* and \d+ more\)"):
        train.train(request, 1)
    assert path.exists()
    for text in ("[]", "no json", '{"format": "rogsim-training/2"}'):
        path.write_text(text)
        with pytest.raises(RogsimError, match=r"remove (it|the file)"):
            load_state(path, train.FORMAT, {"seed": 1}, dict)


@pytest.mark.parametrize(
    ("option", "difference"),
    [
        (["--games", "500"], "games was 400 and is 500"),
        (["--seed", "7"], "seed was 1 and is 7"),
        (["--players", "3"], "scenarios.1.players was [2] and is [3]"),
        (["--against", "learned"], 'against was none and is ["learned", '),
    ],
)
def test_a_training_with_a_changed_setting_names_both_values(
    train_command: Run, tmp_path: Path, option: list[str], difference: str
) -> None:
    """The line says what differs, with the value of the state and of the command, and the state is kept."""
    request = asked(tmp_path, games=400, generations=2, held_out=20, sampling=Sampling())
    save_state(Path("trained.toml.state.json"), train.FORMAT, identity(request), [])
    kept = Path("trained.toml.state.json").read_bytes()
    code, out, err = train_command("race.toml", *SHORT, *option)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"trained.toml.state.json: was started with other settings ({difference}" in err
    assert Path("trained.toml.state.json").read_bytes() == kept


def test_of_many_weights_only_those_that_differ_are_named(tmp_path: Path) -> None:
    """A list too long to show is compared entry by entry, and after five differences only their number is given."""
    weights = [float(place) for place in range(100)]
    other = [*weights[:40], 40.5, *weights[41:]]
    path = tmp_path / "state"
    save_state(path, "state/1", {"start": weights}, [])
    with pytest.raises(RogsimError, match=r"\(start\.41 was 40\.0 and is 40\.5\)"):
        load_state(path, "state/1", {"start": other}, dict)
    with pytest.raises(RogsimError, match=r"start\.5 was 4\.0 and is 5\.0, and 95 more\)"):
        load_state(path, "state/1", {"start": [one + 1 for one in weights]}, dict)


def test_no_generation_begins_after_the_minutes_are_over(train_command: Run) -> None:
    """One generation is always played."""
    code, _, errors = train_command("race.toml", *SHORT, "--minutes", "0.0001")
    assert code == 0
    assert "Stopped after 1 generation" in errors


def test_the_time_before_an_interruption_counts(train_command: Run, tmp_path: Path) -> None:
    """A training that was interrupted gets no new minutes, and without a number of generations they end it."""
    request = replace(asked(tmp_path, games=20, held_out=20), generations=None, minutes=1.0)
    done = TrainingGeneration(
        request.bot.weights, {2: Lessons(1, 0.0)}, {2: check_of([np.full(10, 0.5)], 2)}, seconds=60.5
    )
    save_generations(request, identity(request), [done])
    assert len(train.train(request, 1).generations) == 1
    save_generations(request, identity(request), [replace(done, seconds=59.9)])
    assert len(train.train(request, 1).generations) >= 2


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (["--games", "3"], "--games"),
        (["--generations", "0"], "--generations"),
        (["--minutes", "0"], "--minutes"),
        (["--seed", "-1"], "--seed"),
        (["--bot", "runner"], "--bot: .*learned"),
        (["--bot", "nobody"], "nobody"),
        (["--against", "nobody"], "nobody"),
        (["--against", "race.py:Racer"], "--against: .* must be a bot that rogsim compiles"),
        (["--out", "."], "folder"),
        (["--out", "race.toml"], "holds no weights"),
        (["--players", "5"], "players"),
    ],
)
def test_wrong_requests_are_refused_in_a_line(train_command: Run, words: list[str], wrong: str) -> None:
    """With exit code 2, before anything is played."""
    code, output, errors = train_command("race.toml", *SHORT, *words)
    assert code == 2
    assert not output
    assert len(errors.strip().splitlines()) == 1
    assert pytest.importorskip("re").search(wrong, errors)
    assert not Path("trained.toml").exists()


def test_scenarios_of_two_games_are_refused(train_command: Run) -> None:
    """One bot is trained, and it plays one game."""
    Path("other.toml").write_text(SCENARIO.replace("dice-race", "river-of-gold").replace("runner", "random"))
    code, _, errors = train_command("race.toml", "other.toml", *SHORT)
    assert code == 2
    assert "one game" in errors


def test_lines_do_not_depend_on_the_number_of_workers() -> None:
    """Courses of several player counts are kept apart, and every line of a turn is there."""
    spec = get_game("dice-race")
    bot = Bot("learned", spec.compile_bot(learned.choose), np.array(learned.WEIGHTS, dtype=np.float64))
    learner = Learner(spec, bot, (learned.SEARCH, learned.EVALUATION))
    courses = [Course(spec.prepare(spec.options(), players), players, 5, 40, 45) for players in (2, 3)]
    sampling = Sampling(random_turns=300, compared_choices=500, worlds=4)
    one, two = (collect(learner, bot.weights, courses, sampling, jobs) for jobs in (1, 2))
    for players in (2, 3):
        assert one[players].features.shape[1] == players
        assert np.bincount(one[players].choice).tolist() == [2] * one[players].choices
        assert set(one[players].deal) <= set(range(40, 85))
        for name, values in vars(one[players]).items():
            assert np.array_equal(values, vars(two[players])[name]), name


@pytest.mark.skipif(not compiler.ENABLED, reason="playing lines on takes too long uncompiled")
@pytest.mark.parametrize("game", ["river-of-gold", "the-river"])
def test_the_bots_of_both_games_learn(train_command: Run, game: str) -> None:
    """A short training writes weights that play, and changes only those of the evaluation."""
    text = SCENARIO.replace("dice-race", game).replace("runner", "random").replace("[2]", "[3]")
    Path("game.toml").write_text(text)
    words = ["--games", "40", "--generations", "1", "--held-out", "20", "--jobs", "2", "--out", "trained.toml"]
    assert train_command("game.toml", *words)[0] == 0
    before, after = (find_bot(get_game(game), name, Path()) for name in ("learned", "learned@trained.toml"))
    changed = [
        name for name, old, new in zip(before.weight_names, before.weights, after.weights, strict=True) if old != new
    ]
    assert all(name.startswith("value-3-") for name in changed)
    assert np.isfinite(after.weights).all()


def test_a_bot_that_plays_as_the_others_do_is_not_called_stronger() -> None:
    """Each block's share is fair but for a rounding error, which is no lead."""
    third = np.mean([np.float32(1 / 3), np.float32(0), np.float32(2 / 3)], dtype=np.float64)  # as rows hold them
    check = check_of([np.full(800, third)], 3)
    assert verdict(check) == "not distinguishable"
    assert verdict(check_of([np.full(800, 0.34)], 3)) == "stronger"


def test_the_verdict_agrees_with_the_interval_beside_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The difference from fair decides; its interval does not contain 0 where the verdict is weaker or stronger."""
    generator = np.random.default_rng(1)
    shares = generator.permuted([0.0, 0.5] * 40 + [0.5, 1.0] * 36)
    check = check_of([shares], 2)
    assert verdict(check) == "not distinguishable"
    print_trained(asked(tmp_path), {2: check, 3: check_of([np.tile([0.2, 0.3], 400)], 3)})
    rows = [line.split("  ") for line in capsys.readouterr().out.splitlines() if line[:1] in ("2", "3")]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    assert [row[-1] for row in cells] == ["not distinguishable", "weaker"]
    assert all(cell[-2].endswith(")") for cell in cells)
    ends = [re.findall(f"[+{MINUS}]", row[-2].partition("(")[2]) for row in cells]
    assert ends == [[MINUS, "+"], [MINUS, MINUS]]


def test_the_verdicts_of_several_player_counts_are_judged_together() -> None:
    """Bots of equal strength are called stronger or weaker with any of three player counts in 5% of 400 trainings."""
    generator = np.random.default_rng(6)
    told = []
    for _ in range(400):
        shares = {players: generator.binomial(players, 1 / players, 600) / players for players in (2, 3, 4)}
        found = verdicts({players: check_of([share], players) for players, share in shares.items()})
        told.append(set(found.values()) != {"not distinguishable"})
    assert np.mean(told) < 0.05 + 0.033  # three standard errors; each judged for itself it is 14%


def test_a_kept_start_is_reported_whatever_the_other_player_counts_show() -> None:
    """Its own interval has decided that; a clear gain is still called stronger."""
    weaker = replace(check_of([np.tile([0.1, 0.85], 400)], 2), is_kept=False)
    assert verdicts({2: weaker, 3: check_of([np.tile([0.35, 0.40], 400)], 3)})[3] == "stronger"
    just = check_of([np.random.default_rng(3).permuted([0.0] * 431 + [1.0] * 369)], 2)
    assert just.is_weaker
    others = {players: check_of([np.tile([0.0, 2 / players], 400)], players) for players in (3, 4)}
    assert verdicts({2: just, **others})[2] == "not distinguishable"
    assert verdicts({2: replace(just, is_kept=False), **others})[2] == "weaker: the start is kept"


def test_weights_that_make_a_bot_weaker_are_not_kept(tmp_path: Path) -> None:
    """Those of the start stay for the player counts with which they are clearly stronger, if the bot met itself."""
    request = asked(tmp_path)
    trained = request.bot.weights + 1.0
    checks = {2: check_of([np.tile([0.40, 0.45], 400)], 2), 3: check_of([np.tile([0.35, 0.40], 400)], 3)}
    weights, told = train.gated(request, trained, checks)
    kept, left = (weights_of(learned.EVALUATION, weights, players) for players in (3, 2))
    assert np.array_equal(kept, weights_of(learned.EVALUATION, trained, 3))
    assert np.array_equal(left, weights_of(learned.EVALUATION, request.bot.weights, 2))
    assert {players: verdict(check) for players, check in told.items()} == {
        2: "weaker: the start is kept",
        3: "stronger",
    }
    rival = find_bot(request.spec, "runner", Path())
    weights, told = train.gated(replace(request, rival=rival), trained, checks)
    assert np.array_equal(weights, trained)
    assert told == checks
