"""The script that fits the evaluation: it finds planted weights, notes what `describe` says, and its file is read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rogsim.bots.loading import compile_bot, find_bot
from rogsim.bots.weights import read_file
from rogsim.game import compiler
from rogsim.game.batches import Batch
from rogsim.game.compiler import records
from rogsim.game.kit import loop
from rogsim.game.kit.line_up import line_up_arrays
from rogsim.game.kit.playing import new_workspace
from rogsim.game.kit.search.settings import TURNS
from rogsim.game.kit.workspace import BOT_MEMORY
from rogsim.game.registry import get_game
from rogsim.games.river_of_gold import spec
from rogsim.games.river_of_gold.bots import evaluation, plan
from rogsim.games.river_of_gold.bots.evaluation import LAST, MOMENTS, SHEET, chance_to_win
from rogsim.games.river_of_gold.bots.features import FEATURE_COUNT, FEATURES, POSITION
from rogsim.games.river_of_gold.bots.position import describe
from rogsim.games.river_of_gold.bots.worth import time_left
from rogsim.games.river_of_gold.components.names import NONE
from rogsim.games.river_of_gold.options import Options
from rogsim.games.river_of_gold.rules.apply import apply
from rogsim.games.river_of_gold.rules.phases import OVER, TURN
from scripts.fit_evaluation import main, sample_of
from scripts.fit_weights import Sample, chances, explained, fit, least_squares, log_loss, moment_shares, values
from scripts.positions import LAST_TURNS, Sampling, collect

pytestmark = pytest.mark.once_compiled

GAME = get_game("river-of-gold")
TUNED = find_bot(GAME, "tuned", Path())
EVERY_TURN = Sampling(noise=0.0, random_turns=0, own_turns=1000)


def planted(count: int, noise: float) -> tuple[Sample, np.ndarray]:
    """Positions with three features of different size, and the weights that their games were decided by."""
    chance = np.random.default_rng(3)
    weights = chance.normal(0.0, 1.0, (len(MOMENTS), 3)) / [1.0, 10.0, 0.3]
    features = chance.normal(5.0, 1.0, (count, 3, 3)) * [1.0, 10.0, 0.3]
    left = np.where(chance.random(count) < 0.2, LAST_TURNS, chance.random(count))
    worth = values(features, moment_shares(left), weights)
    points = 40.0 + worth + noise * chance.normal(size=worth.shape)
    winners = chances(worth).cumsum(axis=1) < chance.random((count, 1))
    return Sample(features, left, points, np.eye(3)[winners.sum(axis=1)], np.arange(count)), weights


def test_least_squares_find_planted_weights() -> None:
    """Without noise, points give back the weights that made them, in every moment, and explain all."""
    sample, weights = planted(3_000, 0.0)
    found = least_squares(sample, sample.features.std(axis=(0, 1)))
    np.testing.assert_allclose(found * [1.0, 10.0, 0.3], weights * [1.0, 10.0, 0.3], atol=1e-4)
    assert explained(sample, found) == pytest.approx(1.0)


def test_the_logit_finds_the_weights_that_winners_were_drawn_by() -> None:
    """Who won gives back the weights as closely as chance allows, and tells held-out games nearly as well as they."""
    sample, weights = planted(20_000, 30.0)
    found = fit(sample, steps=200)
    np.testing.assert_allclose(found.weights * [1.0, 10.0, 0.3], weights * [1.0, 10.0, 0.3], atol=0.15)
    assert found.log_loss < found.before < found.even == pytest.approx(np.log(3))
    assert found.log_loss < log_loss(found.held_out, weights) + 0.005
    assert (found.fitted.games, found.held_out.games) == (18_000, 2_000)
    assert not set(found.fitted.game) & set(found.held_out.game)


def test_moments_are_mixed_as_the_evaluation_mixes_them() -> None:
    """Each moment counts in full at its time, two of them in between; the last turns stand apart."""
    assert moment_shares(np.array([1.0, 0.75, 0.5, 0.25, 0.0, LAST_TURNS, 1.2])).tolist() == [
        [1.0, 0.0, 0.0, 0.0],
        [0.5, 0.5, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.5, 0.5, 0.0],
        [0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
        [1.0, 0.0, 0.0, 0.0],
    ]
    assert MOMENTS[LAST] == "last"


def play_again(players: int, game: int, seed: int) -> list[tuple[float, np.ndarray, float]]:
    """Play a game by the play loop, then step by step: time left, features and a seat's chance after each turn."""
    tables, workspace = spec.prepare(Options(), players).tables, new_workspace(spec.GAME.rules)
    bot = compile_bot(GAME, TUNED)
    seating = ((game + np.arange(players)) % players).astype(np.int8)[None]
    batch = Batch(seed, players, np.array([game]), seating, (bot,) * players)
    bots, weights = line_up_arrays(batch.line_up, GAME.rules.most_seats)
    rows = [records(dtype, size) for size, dtype in zip((players, 1), GAME.row_dtypes, strict=True)]
    log = np.zeros(4_000, np.int64)
    assert loop.play_games(tables, workspace, bots, weights, seed, batch.deals, seating, *rows, log) == 1
    judge, sheet, position = records(BOT_MEMORY, 1)[0], records(SHEET, 1)[0], records(POSITION, 1)[0]
    planner = find_bot(GAME, "planner", Path()).weights
    judge.weights[: len(evaluation.NAMES)] = planner[plan.EVALUATION : plan.POLICY]
    loop.begin(tables, workspace, seed, game)
    seen, turn = [], 0
    for action in log[: rows[1]["decisions"][0]]:
        apply(tables, workspace.game, int(action))
        if workspace.game.phase == TURN and workspace.game.turn != turn:
            turn = int(workspace.game.turn)
            viewer = (int(workspace.game.active) - 1) % players
            describe(tables, workspace.game, viewer, position)
            left = time_left(tables, workspace.game) if workspace.game.last_turns == NONE else LAST_TURNS
            chance = chance_to_win(tables, workspace.game, viewer, judge, sheet)
            seen.append((left, position.seats[:players].copy(), chance))
    assert workspace.game.phase == OVER
    return seen


@pytest.mark.skipif(not compiler.ENABLED, reason="games of this bot take long uncompiled")
def test_what_is_recorded_is_what_the_evaluation_sees() -> None:
    """After every turn of a game the recorded features are those of `describe`; weighed here, they give its chances."""
    players, seed = 3, 5
    recorded = collect(TUNED, players, 2, seed, 1, EVERY_TURN)
    weights = find_bot(GAME, "planner", Path()).weights[plan.EVALUATION + evaluation.SET :][: evaluation.SET]
    sample = sample_of(recorded, players)
    odds = chances(values(sample.features, moment_shares(sample.left), weights.reshape(len(MOMENTS), FEATURE_COUNT)))
    for game in range(2):
        seen = play_again(players, game, seed)
        mine = recorded[recorded["game"] == game]
        assert len(mine) == len(seen) > 20
        assert mine["left"].tolist() == [left for left, _, _ in seen]
        np.testing.assert_array_equal(
            mine["features"][:, :players], np.array([features for _, features, _ in seen], np.float32)
        )
        looks = mine["features"][:, :players, FEATURES.index("looks")].astype(bool)
        np.testing.assert_allclose(odds[recorded["game"] == game][looks], [chance for _, _, chance in seen], rtol=1e-4)


@pytest.mark.skipif(not compiler.ENABLED, reason="games of this bot take long uncompiled")
def test_workers_change_nothing_and_the_file_is_read_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With one worker and three the same file is written: a planner with the fitted values and the plain weights."""
    files = [tmp_path / "one.toml", tmp_path / "three.toml"]
    for jobs, file in zip(("1", "3"), files, strict=True):
        main(f"--players 2 --games 220 --seed 4 --steps 5 --turns 7 --jobs {jobs} --out {file}".split())
    assert files[0].read_text() == files[1].read_text()
    before = find_bot(GAME, "planner", Path())
    after = find_bot(GAME, f"planner@{files[0]}", tmp_path)
    moved = {name for name, old, new in zip(plan.NAMES, before.weights, after.weights, strict=True) if old != new}
    assert {name for name in moved if not name.startswith(("value-2-", "play-"))} == {"turns"}
    assert len(moved) > evaluation.SET // 2
    assert after.weights[TURNS] == 7
    assert after.weights[plan.POLICY :].tolist() == TUNED.weights.tolist()
    origin = read_file(files[0])["origin"]
    assert (origin["seed"], origin["games"], origin["plain"], origin["settings_given"]) == (4, 220, "tuned", ["turns"])
    held_out = origin["held_out"]["2-players"]
    assert 10 < held_out["games"] <= 22 < origin["fitted"]["2-players"]["games"] <= 198
    assert f"log loss {held_out['log_loss']:.4f}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ("--plain random", '--plain: "random" is not allowed'),
        ("--plain nobody", 'no bot "nobody"'),
        ("--games 5", '"5" is not allowed: must be 11 to'),
        ("--out .", "--out: . is a folder"),
        ("--out notes.txt", "holds no weights"),
    ],
)
def test_bad_options_are_told_before_anything_is_played(
    arguments: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What cannot be done ends with code 2 and says why, and no file is written."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(SystemExit) as ended:
        main(f"--out new.toml {arguments}".split())
    assert ended.value.code == 2
    assert fault in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    assert (tmp_path / "notes.txt").read_text() == "mine"
