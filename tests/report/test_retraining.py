"""Players trained for changed rules: the differences with both kinds of players, and nothing is trained twice."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rogsim.base.errors import RogsimError
from rogsim.bots.weights import weights_text
from rogsim.experiments import retraining, train
from rogsim.experiments.comparison import arrange
from rogsim.experiments.design_points import Resources
from rogsim.experiments.retraining import Retraining, request_retraining, retrain
from rogsim.experiments.training_check import read_trained
from rogsim.game import compiler
from rogsim.game.kit.learning import Sampling
from rogsim.game.kit.search.lines import SETTINGS
from rogsim.report.compare_page import make_comparison
from rogsim.report.retrained import RETRAINING, START_KEPT, UNCHANGED, judged_checks, training_grid
from rogsim.stats.paired.compared import RETRAINED
from tests.command_line import Run
from tests.dice_game.bots import learned
from tests.dice_game.exact import Actions, optimum, values_of

pytestmark = [pytest.mark.once_compiled, pytest.mark.usefixtures("dice_race", "sketched")]

SHORT, LONG = 3, 6  # goals: in the base a walk wins at once, in the variant it pays to walk first
SCENARIO = f"""# Is the race fair?
game = "dice-race"
players = [2]
games = 60
seed = 5
bots = ["learned@zero.toml"]
[options]
short = {SHORT}
long = {SHORT}
"""
CHANGE = ["--change", "spaces.more = 3"]
SMALL = ["--retrain-generations", "2", "--retrain-games", "20"]
OFTEN = Sampling(random_turns=300, compared_choices=500)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Scenarios played by a bot that knows nothing about positions."""
    monkeypatch.setattr("rogsim.experiments.train.today", lambda: "2030-01-01")
    weights = [*learned.WEIGHTS[: len(SETTINGS)], *[0.0] * (len(learned.WEIGHTS) - len(SETTINGS))]
    (tmp_path / "zero.toml").write_text(weights_text("learned", weights, learned.WEIGHT_NAMES, {}))
    texts = {
        "base": SCENARIO,
        "runner": SCENARIO.replace("learned@zero.toml", "runner"),
        "several": SCENARIO.replace('"]', '", "learned", "runner"]'),
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    return tmp_path


def data_of(folder: str) -> dict[str, Any]:
    return json.loads((Path("reports") / folder / "report.json").read_text(encoding="utf-8"))


def retraining_of(data: dict[str, Any]) -> dict[str, Any]:
    return next(section for section in data["sections"] if section["name"] == "retraining")


def first_seat(goal: int, knows: bool) -> float:
    """The win share of the first seat, in per cent, if both know the best play, or nothing about positions."""

    def taken(pair: tuple[int, int], actions: Actions) -> float:
        chances = {"roll": sum(1.0 if spaces >= pair[0] else 0.5 for spaces in range(1, 7)) / 6}
        chances["walk"] = 1.0 if pair[0] <= 3 else 0.5
        return actions["roll" if chances["roll"] > chances["walk"] else "walk"]

    found = optimum(goal) if knows else values_of(goal, taken)
    actions = found[goal, goal]
    return 100 * (max(actions.values()) if knows else taken((goal, goal), actions))


@pytest.mark.skipif(not compiler.ENABLED, reason="thousands of games take too long uncompiled")
def test_retraining_moves_the_effect_of_a_change_to_the_truth(files: Path) -> None:
    """The exact effect with players who know nothing, and that with the best play."""
    comparison = arrange(files / "base.toml", [], {"spaces.more": LONG - SHORT}, 4_000)
    resources = Resources(files / "games", 2)
    players = retrain(comparison.design_points, Retraining(generations=3, sampling=OFTEN), resources, 5)
    report = make_comparison(comparison, resources, [], players=players)
    (section,) = [section for section in report.sections if section.name == RETRAINING]
    (seat,) = section.grids[0].frame.filter(question="Win share by seat", level="seat 1").to_dicts()
    exact = {knows: first_seat(LONG, knows) - first_seat(SHORT, knows) for knows in (False, True)}
    assert abs(exact[True] - exact[False]) > 9  # the planted effect, in pp
    truths = {"retrained": exact[True], "stale": exact[False]}
    for found, truth in truths.items():
        assert seat[f"{found}_low"] < truth < seat[f"{found}_high"], found
    assert seat["stale_high"] < seat["retrained_low"] or seat["retrained_high"] < seat["stale_low"]
    assert section.answer.endswith(" with retrained players.")
    assert not any("Training changed no weights" in step.text for step in report.steps if "spaces.more" in step.text)
    strength = dict(section.grids[1].frame.select("rules", "verdict").iter_rows())
    assert strength == {"base": "no gain shown", "spaces.more = 3": "stronger"}


def test_a_training_that_made_a_bot_weaker_is_called_so(files: Path) -> None:
    """Not one that taught too little, although the weights are those of the start in both cases."""
    comparison = arrange(files / "base.toml", [], {"spaces.more": LONG - SHORT}, 60)
    (players,) = retrain(
        comparison.design_points[:1], Retraining(generations=1, games=20), Resources(files / "games", 1), 5
    )
    (bot,) = players.bots
    dropped = {n: replace(check, is_kept=False) for n, check in bot.training.checks.items()}
    weaker = replace(players, bots=(replace(bot, training=replace(bot.training, checks=dropped)),))
    verdicts = [training_grid(judged_checks([each])).frame["verdict"].item() for each in (weaker, players)]
    assert verdicts == [START_KEPT, UNCHANGED]


@pytest.mark.usefixtures("outlined")
def test_the_page_says_with_which_players_a_verdict_was_found(files: Path, command: Run) -> None:
    """In every verdict; with a section of its own, and both kinds of players among what was played."""
    code, _, err = command("compare", "base.toml", *CHANGE, *SMALL, "--jobs", "1")
    assert code == 0
    assert "2 trainings to do, up to 2 generations each, each generation with a check of 40 games" in err
    assert "Training learned@zero.toml for base (1 of 2)." in err
    data = data_of("compare")
    section = retraining_of(data)
    assert [table["name"] for table in section["tables"]] == ["retraining", "trainings"]
    runs = {row["run"] for part in data["sections"] for row in part["findings"] if "topic" in row}
    assert {"spaces.more = 3", f"spaces.more = 3{RETRAINED}"} <= runs
    assert section["answer"].startswith("None of ")  # 20 games are too few to learn from
    assert any("Training changed no weights for base and spaces.more = 3" in step["text"] for step in data["steps"])
    assert {row["verdict"] for row in section["tables"][1]["rows"]} == {UNCHANGED}
    assert "among stale" not in err
    names = [row["scenario"] for row in data["provenance"][0]["rows"]]
    assert names == ["base", "spaces.more = 3", f"base{RETRAINED}", f"spaces.more = 3{RETRAINED}"]
    played = {row["bot"]: row for row in data["provenance"][1]["rows"]}
    assert set(played) == {"learned@zero.toml", "learned@retrained.toml"}
    assert "--retrain-generations 2 --retrain-games 20" in data["command"]
    rows = section["tables"][0]["rows"]
    assert all(row["retrained"] == row["stale"] for row in rows)


def test_nothing_is_trained_twice_and_the_page_is_the_same(
    files: Path, command: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same command, with other workers, plays and trains nothing and writes the same page."""
    words = ["compare", "base.toml", *CHANGE, *SMALL]
    assert command(*words, "--jobs", "1")[0] == 0
    first = Path("reports/compare/report.json").read_bytes()
    monkeypatch.setattr(retraining, "train", None)
    monkeypatch.setattr("rogsim.experiments.run.play_chunks", None)
    code, _, err = command(*words, "--jobs", "2")
    assert code == 0
    assert "Nothing to train: 2 trainings are stored." in err
    assert Path("reports/compare/report.json").read_bytes() == first


def test_an_interrupted_retraining_continues(files: Path, command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was trained is kept, the interrupted training goes on, and the weights are those of one go."""
    words = ["compare", "base.toml", *CHANGE, *SMALL, "--jobs", "1"]
    assert command(*words, "--store", "whole")[0] == 0
    plays, calls = train.collect, []

    def interrupted(*arguments: Any) -> Any:
        calls.append(True)
        if len(calls) > 3:  # in the second generation of the variant
            raise KeyboardInterrupt
        return plays(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(train, "collect", interrupted)
        assert command(*words, "--store", "parts")[0] != 0
    code, _, err = command(*words, "--store", "parts")
    assert code == 0
    assert "1 of 2 trainings to do" in err
    assert "Continuing after generation 1" in err
    weights = [
        {path.relative_to(folder).as_posix(): path.read_bytes() for path in Path(folder).rglob("retrained.toml")}
        for folder in ("whole", "parts")
    ]
    assert len(weights[0]) == 2
    assert weights[0] == weights[1]


def test_minutes_limit_a_retraining(files: Path, command: Run) -> None:
    """At least one generation is played, and the announcement gives the limit in total."""
    code, _, err = command("compare", "base.toml", *CHANGE, "--retrain", "0.0001", "--retrain-games", "20")
    assert code == 0
    assert "up to 0.0001 minutes each, 0.0002 minutes in total" in err
    assert err.count("Stopped after 1 generation, because 0.0001 minutes are over.") == 2


def test_only_bots_that_learn_are_retrained(files: Path, command: Run) -> None:
    """In a line-up of several, each has its own weights; in the rows by bot they keep their names."""
    code, _, err = command("compare", "several.toml", *CHANGE, *SMALL, "--games", "60")
    assert code == 0
    assert "4 trainings to do" in err
    data = data_of("compare")
    played = {row["bot"] for row in data["provenance"][1]["rows"]}
    assert {"learned@retrained.toml", "learned@retrained-2.toml", "runner"} <= played
    bots = next(section for section in data["sections"] if section["name"] == "bots")
    assert {row["level"] for row in bots["tables"][0]["rows"]} == {"learned@zero.toml", "learned", "runner"}


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (["compare", "runner.toml", *CHANGE, "--retrain", "1"], '--retrain: "runner" .*"runner" learns; .*learned'),
        (["compare", "base.toml", *CHANGE, "--retrain", "0"], "--retrain: 0"),
        (["compare", "base.toml", *CHANGE, "--retrain", "nan"], "--retrain: "),
        (["compare", "base.toml", *CHANGE, "--retrain-generations", "0"], "--retrain-generations: 0"),
        (["compare", "base.toml", *CHANGE, *SMALL[:2], "--retrain-games", "3"], "--retrain-games: 3"),
        (["compare", "base.toml", *CHANGE, "--retrain-games", "100"], "--retrain-games: needs --retrain MINUTES or"),
    ],
)
def test_wrong_requests_are_refused_in_a_line(files: Path, command: Run, words: list[str], wrong: str) -> None:
    """With exit code 2, before anything is played, trained or written."""
    code, out, err = command(*words)
    assert (code, out) == (2, "")
    assert len(err.strip().splitlines()) == 1
    assert re.search(wrong, err), err
    assert not Path("reports").exists()


def test_a_stored_training_that_was_tampered_with_is_refused(files: Path, command: Run) -> None:
    """One line names the file."""
    words = ["compare", "base.toml", *CHANGE, *SMALL, "--jobs", "1"]
    assert command(*words)[0] == 0
    path = next(Path("reports/games").rglob("retrained.toml"))
    whole = path.read_text()
    path.write_text(re.sub(r"above_fair = .*", 'above_fair = ["much", 1]', whole))
    code, _, err = command(*words)
    assert code == 2
    assert f"{path}: key" in err
    path.write_text(whole)
    assert read_trained(path).generations == 2


def test_a_request_without_a_limit_is_none() -> None:
    """And words name the options again."""
    assert request_retraining() is None
    found = request_retraining(2.5, 3, 50)
    assert found is not None
    assert found.words == ["--retrain", "2.5", "--retrain-generations", "3", "--retrain-games", "50"]
    assert found.limit == "up to 2.5 minutes or 3 generations"
    with pytest.raises(RogsimError, match="retrain: -1"):
        request_retraining(-1)
