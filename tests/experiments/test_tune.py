"""Tuning: a planted optimum is found, what was interrupted goes on, and files of weights are checked."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rogsim
from rogsim.bots.loading import compile_bot, find_bot
from rogsim.bots.weights import weights_text
from rogsim.experiments import tune
from rogsim.experiments.evaluations import (
    CandidateResult,
    EvaluationSetup,
    clusters_of,
    draw_opponents,
    evaluate,
    scores_of,
)
from rogsim.experiments.tune import Evolution, scales
from rogsim.game import compiler
from rogsim.game.registry import RegistryError, get_game
from rogsim.report.words import MINUS
from tests.command_line import Run
from tests.dice_game.exact import WALKER, Steps, sudden

pytestmark = [pytest.mark.once_compiled, pytest.mark.usefixtures("dice_race")]

# Rolling beats walking here, and this bot rolls the more often the nearer its weights come to 0.3 and 2.
PEAK = (0.3, 2.0)
PEAKED = """
from rogsim.game.rng import draw

WEIGHTS = [0.5, 1.4]
WEIGHT_NAMES = ("haste", "daring")


def choose(setup, race, menu, memory):
    rolls = 1.0 - 2.0 * abs(memory.weights[0] - 0.3) - 0.5 * abs(memory.weights[1] - 2.0)
    return 0 if draw(memory.stream, 1000) < 1000 * rolls else 1
"""
WEIGHTS = """format = "rogsim-weights/1"
bot = "moody"
weights = [1.0]
"""
GOAL = 10  # both tracks: a walker needs four turns, and the more one rolls the better
SHORT = ["--games", "20", "--generations", "4", "--held-out", "100", "--players", "2,3", "--jobs", "1"]


@pytest.fixture
def tune_command(command: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `rogsim tune` for the dice race in a folder with a peaked bot: exit code, output, error output."""
    monkeypatch.setattr("rogsim.experiments.tune.today", lambda: "2030-01-01")
    Path("peaked.py").write_text(PEAKED)
    Path("lazy.py").write_text("class Lazy:\n    def choose(self, observation, actions):\n        return 1\n")
    return partial(command, "tune", "--game", "dice-race")


def roller(chance: float) -> Steps:
    return {spaces: chance / 6 + (1 - chance if spaces == 3 else 0) for spaces in range(1, 7)}


def exact_share(chance: float) -> float:
    """The win share of one who rolls with that chance, against a walker, over both seats."""
    return (sudden([roller(chance), WALKER], GOAL)[0] + sudden([WALKER, roller(chance)], GOAL)[1]) / 2


def arena(pool: Sequence[str] = ("walker",), bot: str = "moody", players: Sequence[int] = (2,)) -> EvaluationSetup:
    spec = get_game("dice-race")
    setups = {count: spec.prepare(spec.options(), count) for count in players}
    bots = [compile_bot(spec, find_bot(spec, name, Path())) for name in (bot, *pool)]
    return EvaluationSetup(spec, setups, bots[0], tuple(bots[1:]), seed=5)


@pytest.mark.skipif(not compiler.ENABLED, reason="16,000 games take too long uncompiled")
def test_tuning_finds_a_planted_optimum(tune_command: Run) -> None:
    """The weights come near the planted ones, and the held-out check shows the win share that theory gives."""
    budget = ["--games", "200", "--generations", "10", "--held-out", "2000", "--players", "2"]
    code, out, err = tune_command("peaked.py:choose", "--against", "walker", *budget, "--out", "w.toml")
    assert code == 0
    generations = [line for line in err.splitlines() if not line.startswith("Compiling")]
    assert len(generations) == 10
    assert re.search(r"^difference +\+", out, re.MULTILINE)
    assert "could still be" not in out
    data = tomllib.loads(Path("w.toml").read_text())
    haste, daring = data["weights"]["haste"], data["weights"]["daring"]
    assert abs(haste - PEAK[0]) < 0.05
    assert abs(daring - PEAK[1]) < 0.2
    check = data["origin"]["held_out"]["2-players"]
    start = 1 - 2 * abs(0.5 - PEAK[0]) - 0.5 * abs(1.4 - PEAK[1])
    reached = 1 - 2 * abs(haste - PEAK[0]) - 0.5 * abs(daring - PEAK[1])
    for key, chance in (("win_share_before", start), ("win_share", reached)):
        value, low, high = check[key]
        assert low < exact_share(chance) < high
        assert low < value < high < low + 0.05
    assert 0 < check["difference"][1] < exact_share(reached) - exact_share(start) < check["difference"][2]


def test_a_check_without_a_difference_shows_how_large_it_could_be(tune_command: Run) -> None:
    """If no game differs, the interval of the difference is not of zero width, and a line says what it means."""
    Path("deaf.py").write_text("WEIGHTS = [0.5]\ndef choose(setup, race, menu, memory):\n    return 1\n")
    budget = ["--games", "20", "--generations", "1", "--held-out", "100", "--players", "2"]
    code, out, _ = tune_command("deaf.py:choose", "--against", "walker", *budget, "--out", "w.toml")
    assert code == 0
    assert re.search(rf"^difference +0\.0 pp \({MINUS}7\.5 to \+7\.5\)$", out, re.MULTILINE)
    assert "On all 50 deals (100 games) both have the same win share; the interval shows how large" in out
    check = tomllib.loads(Path("w.toml").read_text())["origin"]["held_out"]["2-players"]
    assert check["difference"] == [0.0, -0.0747, 0.0747]


def test_an_interrupted_run_ends_with_the_same_file(tune_command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in any generation, or in the check, leaves a state from which the same command ends with the same file."""
    command = ["peaked.py:choose", "--against", "walker,runner", *SHORT, "--out"]
    assert tune_command(*command, "whole.toml")[0] == 0
    whole = Path("whole.toml").read_bytes()
    play = evaluate
    for stop in (1, 2, 4, 5):
        calls = 0

        def interrupted(*arguments: Any, stop: int = stop) -> Any:
            nonlocal calls
            calls += 1
            if calls == stop:
                raise KeyboardInterrupt
            return play(*arguments)

        monkeypatch.setattr(tune, "evaluate", interrupted)
        code, out, err = tune_command(*command, "parts.toml")
        assert (code, out) == (130, "")
        assert "The same command continues" in err
        assert not Path("parts.toml").exists()
        state = json.loads(Path("parts.toml.state.json").read_text())
        assert len(state["generations"]) == stop - 1
        monkeypatch.setattr(tune, "evaluate", play)
        code, out, err = tune_command(*command, "parts.toml")
        assert code == 0
        assert err.count("generation ") == 4 - (stop - 1) + (stop > 1)
        assert Path("parts.toml").read_bytes() == whole
        assert sorted(path.name for path in Path().glob("*parts*")) == ["parts.toml"]
        Path("parts.toml").unlink()


def test_the_file_does_not_depend_on_workers_or_other_chance(tune_command: Run) -> None:
    """The same command gives the same file with other workers, and whatever numpy's global random state."""
    command = ["peaked.py:choose", "--against", "walker,runner", *SHORT]
    tune_command(*command, "--out", "a.toml")
    np.random.seed(3)
    before = np.random.get_state()[1].tolist()  # type: ignore[index,union-attr]
    tune_command(*command, "--jobs", "2", "--out", "b.toml")
    assert np.random.get_state()[1].tolist() == before  # type: ignore[index,union-attr]
    assert Path("a.toml").read_bytes() == Path("b.toml").read_bytes()
    tune_command(*command, "--seed", "2", "--out", "c.toml")
    assert Path("a.toml").read_bytes() != Path("c.toml").read_bytes()


def test_a_changed_command_does_not_go_on(tune_command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """With other values, opponents or another source of the bot, the state is refused and kept."""
    monkeypatch.setattr(tune, "evaluate", interrupt)
    command = ["peaked.py:choose", "--against", "walker", *SHORT, "--out", "w.toml"]
    assert tune_command(*command)[0] == 130
    state = Path("w.toml.state.json").read_bytes()
    for change, difference in (
        (["--games", "30"], "games was 20 and is 30"),
        (["--seed", "2"], "seed was 1 and is 2"),
        (["--against", "runner"], 'against was ["walker"] and is ["runner"]'),
        (["--short", "7"], "options.short was 10 and is 7)"),
    ):
        code, out, err = tune_command(*command, *change)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert f"w.toml.state.json: was started with other settings ({difference}" in err
    Path("peaked.py").write_text(PEAKED + "# another text\n")
    assert "(bots.1 was" in tune_command(*command)[2]
    assert Path("w.toml.state.json").read_bytes() == state


def interrupt(*_: Any) -> Any:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "cannot be read: "),
        ("[]", 'is not in the format "rogsim-tuning/1"'),
        ('{"format": "rogsim-tuning/1"}', "was started with other settings (bot was missing and is"),
        ([{"scores": []}], 'its "generations" are incomplete'),
        ([{"asked": "0", "scores": ["a"], "win_shares": []}], 'its "generations" are incomplete'),
        ([{"asked": "0", "scores": [float("nan")], "win_shares": []}], "cannot be read: expected value at line 1"),
        ([{"asked": "0", "scores": [0.0], "win_shares": [0.0]}], "generation 1 cannot be reproduced here"),
    ],
)
def test_a_state_that_cannot_be_used_is_one_line(
    tune_command: Run, monkeypatch: pytest.MonkeyPatch, text: str | list[Any], message: str
) -> None:
    """A broken, foreign or impossible state is reported in one line, and nothing is played."""
    monkeypatch.setattr(tune, "evaluate", interrupt)
    command = ["peaked.py:choose", "--against", "walker", *SHORT, "--out", "w.toml"]
    tune_command(*command)
    state = json.loads(Path("w.toml.state.json").read_text())
    whole = text if isinstance(text, str) else json.dumps({**state, "generations": text})
    Path("w.toml.state.json").write_text(whole)
    code, out, err = tune_command(*command)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"rogsim: error: w.toml.state.json: {message}")


def test_weights_are_kept_by_a_pattern(tune_command: Run) -> None:
    """In `--keep`, `*` stands for anything: here it keeps one of the two weights."""
    command = ["peaked.py:choose", "--against", "walker", *SHORT, "--keep", "h*e", "--out", "w.toml"]
    assert tune_command(*command)[0] == 0
    data = tomllib.loads(Path("w.toml").read_text())
    assert data["weights"]["haste"] == 0.5
    assert data["weights"]["daring"] != 1.4


def test_weights_that_are_kept_do_not_change(tune_command: Run) -> None:
    """`--keep` leaves a weight as it was, to the last bit, and the others move."""
    command = ["peaked.py:choose", "--against", "walker", *SHORT, "--keep", "haste", "--out", "w.toml"]
    assert tune_command(*command)[0] == 0
    data = tomllib.loads(Path("w.toml").read_text())
    assert data["weights"]["haste"] == 0.5
    assert data["weights"]["daring"] != 1.4
    assert data["origin"]["kept"] == ["haste"]


def test_tuning_may_start_from_a_file(tune_command: Run) -> None:
    """BOT@file is where the search begins, and the new file is one for BOT."""
    Path("moody.toml").write_text(WEIGHTS)
    assert tune_command("moody@moody.toml", "--against", "walker", *SHORT, "--out", "w.toml")[0] == 0
    data = tomllib.loads(Path("w.toml").read_text())
    assert (data["bot"], data["origin"]["started_from"], data["origin"]["start"]) == ("moody", "moody@moody.toml", [1])
    assert rogsim_bot("moody@w.toml").weights.tolist() == data["weights"]


def rogsim_bot(name: str, folder: Path | None = None) -> Any:
    return find_bot(get_game("dice-race"), name, folder or Path())


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["jumper", "--against", "walker"], 'no bot "jumper": choose from runner, walker, moody'),
        (
            ["moody", "--against", "lazy.py:Lazy"],
            '--against: "lazy.py:Lazy" is a Python object, but tuning plays only compiled functions',
        ),
        (["lazy.py:Lazy", "--against", "runner"], 'bot "lazy.py:Lazy" has no weights to tune'),
        (["walker", "--against", "runner"], 'bot "walker" has no weights to tune'),
        (["moody", "--against", "jumper"], '--against: no bot "jumper": choose from'),
        (["moody", "--against", " , "], "--against: name at least one bot"),
        (["moody", "--against", "walker,walker"], '--against: "walker" is listed twice'),
        (["moody", "--against", "walker", "--players", "5"], "--players: 5 is not allowed: choose from 2, 3, 4"),
        (["moody", "--against", "walker", "--players", "2,2"], "--players: 2 is listed twice"),
        (["moody", "--against", "walker", "--players", "two"], '--players: "two" is not allowed'),
        (["moody", "--against", "walker", "--games", "0"], "--games: 0 is not allowed: must be from 1 to"),
        (["moody", "--against", "walker", "--generations", "0"], "--generations: 0 is not allowed: must be from 1 to"),
        (["moody", "--against", "walker", "--held-out", "9"], "--held-out: 9 is not allowed: must be from 100 to"),
        (["moody", "--against", "walker", "--seed", "-1"], "--seed: -1 is not allowed: must be from 0 to"),
        (["moody", "--against", "walker", "--jobs", "0"], "--jobs: 0 is not allowed: must be 1 or more"),
        (["moody", "--against", "walker", "--keep", "haste"], '--keep: "haste" is unknown: choose from 1'),
        (["moody", "--against", "walker", "--keep", "1"], "--keep: leaves no weight to tune"),
        (["moody", "--against", "walker", "--lnog", "4"], '--lnog: unknown, did you mean "--long"?'),
        (["moody", "--against", "walker", "--short", "20"], "the long track (10) is shorter"),
        (["moody", "--against", "walker", "--out", "."], '--out: "." is a folder; name a file'),
        (
            ["moody", "--against", "walker", "--out", "peaked.py"],
            "--out: peaked.py already exists and holds no weights; choose another name",
        ),
        (
            ["moody", "--against", "walker", "--out", "peaked.py/w.toml"],
            "peaked.py/w.toml: cannot be written: peaked.py is a file",
        ),
        (
            ["moody", "--against", "walker", "--out", "/dev/null/w.toml"],
            "/dev/null/w.toml: cannot be written: /dev/null is a file",
        ),
    ],
)
def test_a_wrong_command_is_one_line(tune_command: Run, arguments: list[str], line: str) -> None:
    """Each mistake: exit code 2, one line that says what is allowed, and no new file."""
    before = sorted(Path().iterdir())
    code, out, err = tune_command(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"rogsim: error: {line}")
    assert sorted(Path().iterdir()) == before
    assert Path("peaked.py").read_text() == PEAKED


def test_a_scenario_names_weights_by_their_file(tmp_path: Path) -> None:
    """BOT@file, the path from the scenario's folder, plays with these weights: here, it always rolls."""
    (tmp_path / "w.toml").write_text(WEIGHTS)
    text = 'game = "dice-race"\nplayers = [2]\ngames = 50\nseed = 1\nbots = ["{}"]\n'
    rows = {}
    for bot in ("moody@w.toml", "moody", "runner"):
        (tmp_path / "x.toml").write_text(text.format(bot))
        results = rogsim.run(tmp_path / "x.toml", jobs=1)
        rows[bot] = results.seats().drop("bot").collect()
        assert results.manifest["bots"][0]["name"] == bot
        assert results.manifest["bots"][0]["weights_hash"] == rogsim_bot(bot, tmp_path).weights_hash
    assert rows["moody@w.toml"].equals(rows["runner"])
    assert not rows["moody@w.toml"].equals(rows["moody"])


def test_the_command_line_names_weights_by_their_file(command: Run) -> None:
    """`--bots BOT@file` plays with these weights, and a wrong file is one line."""
    Path("w.toml").write_text(WEIGHTS)
    arguments = ["trace", "--game", "dice-race", "--players", "2", "--bots", "moody@w.toml,walker"]
    for text, code in ((WEIGHTS, 0), (WEIGHTS.replace("1.0", ""), 2)):
        Path("w.toml").write_text(text)
        ended, out, err = command(*arguments)
        assert ended == code
        if code == 0:
            assert {turn["do"] for turn in json.loads(out)["turns"] if turn["seat"] == 0} == {"roll"}
        else:
            message = '--bots: bot "moody@w.toml": w.toml: key "weights": has 0 weights, but moody needs 1'
            assert (out, err) == ("", f"rogsim: error: {message}\n")


def test_a_users_bot_takes_weights_from_a_file(tmp_path: Path) -> None:
    """Its file of weights names it by its file, whatever folder that is in; by name, in any order."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "peaked.py").write_text(PEAKED)
    text = 'format = "rogsim-weights/1"\nbot = "other/peaked.py:choose"\n[weights]\ndaring = 2\nhaste = 0.25\n'
    (tmp_path / "a@b.toml").write_text(text)
    source = rogsim_bot("in/peaked.py:choose@a@b.toml", tmp_path)
    assert source.weights.tolist() == [0.25, 2.0]
    assert source.name == "in/peaked.py:choose@a@b.toml"
    (tmp_path / "in").rename(tmp_path / "at@home")
    assert rogsim_bot("at@home/peaked.py:choose", tmp_path).weights.tolist() == [0.5, 1.4]
    assert rogsim_bot("at@home/peaked.py:choose@a@b.toml", tmp_path).weights.tolist() == [0.25, 2.0]
    (tmp_path / "at@home").rename(tmp_path / "in")
    assert source.weights_hash != rogsim_bot("in/peaked.py:choose", tmp_path).weights_hash


@pytest.mark.parametrize(
    ("bot", "text", "message"),
    [
        ("moody@", WEIGHTS, "write it as BOT@path/to/file.toml"),
        ("moody@none.toml", WEIGHTS, "none.toml: there is no such file"),
        ("moody@.", WEIGHTS, "cannot be read: Is a directory"),
        ("walker@w.toml", WEIGHTS, "walker has no weights"),
        ("moody@w.toml", "weights = [1", "broken TOML: "),
        ("moody@w.toml", "weights = [1]", 'w.toml: is not in the format "rogsim-weights/1"'),
        ("moody@w.toml", WEIGHTS.replace("moody", "runner"), 'key "bot": "runner" is not allowed: these must be '),
        ("moody@w.toml", WEIGHTS.replace('"moody"', "7"), 'key "bot": 7 is not allowed'),
        ("moody@w.toml", WEIGHTS.replace("1.0", "1.0, 2.0"), 'key "weights": has 2 weights, but moody needs 1'),
        ("moody@w.toml", WEIGHTS.replace("1.0", "nan"), 'key "weights.1": nan is not allowed: must be a finite number'),
        ("moody@w.toml", WEIGHTS.replace("1.0", "inf"), "must be a finite number"),
        ("moody@w.toml", WEIGHTS.replace("1.0", "1" + 400 * "0"), "must be a finite number"),
        ("moody@w.toml", WEIGHTS.replace("1.0", "true"), "true is not allowed: must be a finite number"),
        ("moody@w.toml", WEIGHTS.replace("1.0", '"a"'), '"a" is not allowed: must be a finite number'),
        ("moody@w.toml", WEIGHTS.replace("[1.0]", "1.0"), 'key "weights": must be a list of numbers'),
        (
            "moody@w.toml",
            WEIGHTS.replace("[1.0]", "{a = 1}"),
            "must be a list, because the bot does not name its weights",
        ),
        ("peaked.py:choose@w.toml", "{haste = 1}", 'key "weights.daring": is missing'),
        (
            "peaked.py:choose@w.toml",
            "{haste = 1, darling = 2}",
            'key "weights.darling": unknown, did you mean "daring"?',
        ),
    ],
)
def test_a_file_of_weights_that_cannot_be_used_is_one_line(tmp_path: Path, bot: str, text: str, message: str) -> None:
    """Whatever is wrong with the file is one line that names the bot and what is allowed."""
    if text.startswith("{"):
        text = WEIGHTS.replace("moody", "peaked.py:choose").replace("[1.0]", text)
    (tmp_path / "peaked.py").write_text(PEAKED)
    (tmp_path / "w.toml").write_text(text)
    with pytest.raises(RegistryError) as caught:
        rogsim_bot(bot, tmp_path)
    assert str(caught.value).startswith(f'bot "{bot}": ')
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_of_weights_in_another_encoding_is_one_line(tmp_path: Path) -> None:
    """Bytes that are not UTF-8 are reported as such."""
    (tmp_path / "w.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(RegistryError, match="is not a text file in UTF-8"):
        rogsim_bot("moody@w.toml", tmp_path)


@pytest.mark.parametrize("names", ['("a",)', '("a", "a")', "(1, 2)", "([1], [2])", "7", '"ab"'])
def test_names_must_fit_the_weights(tmp_path: Path, names: str) -> None:
    """WEIGHT_NAMES has one name for each weight, all different."""
    (tmp_path / "a.py").write_text(PEAKED.replace('("haste", "daring")', names))
    with pytest.raises(RegistryError, match=r"WEIGHT_NAMES in .* must be 2 different names"):
        rogsim_bot("a.py:choose", tmp_path)


def test_bots_of_a_game_may_share_their_names() -> None:
    """Where the package of the bots names the weights of all, each bot with so many has these names."""
    spec = get_game("river-of-gold")
    source = find_bot(spec, "balanced", Path())
    assert len(source.weight_names) == len(source.weights)
    assert dict(zip(source.weight_names, source.weights, strict=True))["4-early-koku"] == 0.3
    assert find_bot(spec, "random", Path()).weight_names == ()


def test_what_is_written_can_be_read(tmp_path: Path) -> None:
    """Names that TOML must quote, and numbers to the last bit, come back as they were."""
    names, weights = ("a b", 'quote"', "plain-1", "ä"), [0.1, -1e-17, 1e22, 3.0]
    code = PEAKED.replace("[0.5, 1.4]", "[1, 2, 3, 4]").replace('("haste", "daring")', repr(names))
    (tmp_path / "a.py").write_text(code)
    origin: dict[str, Any] = {"text": 'a "b" \\ ü', "list": ["x", "y"], "table": {"yes": True}}
    text = weights_text("a.py:choose", weights, names, {**origin, "nothing": None})
    (tmp_path / "w.toml").write_text(text)
    assert rogsim_bot("a.py:choose@w.toml", tmp_path).weights.tolist() == weights
    assert tomllib.loads(text)["origin"] == origin


def test_evaluations_are_what_theory_says() -> None:
    """Win shares of candidates against a walker are those computed exactly, each seat taken equally often."""
    candidates = [np.array([chance]) for chance in (0.0, 0.5, 1.0)]
    blocks = 4_000 if compiler.ENABLED else 400
    trials = evaluate(arena(), candidates, {2: blocks}, jobs=1)
    for chance, trial in zip((0.0, 0.5, 1.0), trials, strict=True):
        wins = trial[2].win_share
        assert wins.mean() == pytest.approx(exact_share(chance), abs=4 * wins.std() / blocks**0.5 + 1e-9)
    assert set(trials[0][2].win_share) == {0.5}  # two walkers: whoever begins wins
    assert trials[2][2].win_share.mean() > trials[1][2].win_share.mean() > trials[0][2].win_share.mean()


def test_all_candidates_have_the_same_deals_and_each_generation_its_own() -> None:
    """Equal weights give equal games; another first deal, or another seed, gives others."""
    setup, deals = arena(("walker", "runner"), players=(2, 3)), {2: 30, 3: 20}
    first, two = evaluate(setup, [np.array([0.5])] * 2, deals, jobs=1)
    later = evaluate(setup, [np.array([0.5])], deals, jobs=1, start=30)[0]
    other = evaluate(replace(setup, seed=6), [np.array([0.5])], deals, jobs=1)[0]
    for players in (2, 3):
        assert first[players].win_share.tolist() == two[players].win_share.tolist()
        assert first[players].margin.tolist() == two[players].margin.tolist()
        assert first[players].margin.tolist() != later[players].margin.tolist()
        assert first[players].margin.tolist() != other[players].margin.tolist()


def test_evaluations_do_not_depend_on_how_they_are_divided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Smaller parts and more workers give the same blocks, and every game is counted in the progress."""
    setup, played = arena(("walker", "runner"), players=(3,)), []
    whole = evaluate(setup, [np.array([0.5])], {3: 25}, jobs=1, start=4)[0][3]
    monkeypatch.setattr("rogsim.experiments.evaluations.BLOCKS_AT_ONCE", 7)
    cut = evaluate(setup, [np.array([0.5])], {3: 25}, jobs=2, advance=played.append, start=4)[0][3]
    assert whole.win_share.tolist() == cut.win_share.tolist()
    assert whole.margin.tolist() == cut.margin.tolist()
    assert (whole.points, whole.squares, whole.seats) == (cut.points, cut.squares, cut.seats)
    assert sorted(played) == [12, 21, 21, 21]  # as they finish


def test_opponents_are_drawn_evenly_from_the_pool() -> None:
    """Over many blocks each bot of the pool sits in each place about equally often."""
    drawn = draw_opponents(arena(("walker", "runner", "moody")), 4, 0, 6_000)
    assert drawn.shape == (6_000, 3)
    for place in range(3):
        counts = np.bincount(drawn[:, place], minlength=3)
        assert np.all(np.abs(counts - 2_000) < 4 * (6_000 * 2 / 9) ** 0.5)


def test_the_score_is_win_share_and_a_tenth_of_the_lead_in_spreads() -> None:
    """The lead counts in standard deviations of all points, player counts count equally, no spread means no lead."""

    def trial(share: float, lead: float, spread: float) -> CandidateResult:
        return CandidateResult(np.array([share]), np.array([lead]), points=0.0, squares=10 * spread**2, seats=10)

    trials = [{2: trial(0.5, 4.0, 2.0), 4: trial(0.2, 3.0, 0.0)}, {2: trial(0.4, 0.0, 2.0), 4: trial(0.3, 0.0, 0.0)}]
    assert scores_of(trials) == pytest.approx([(0.5 + 0.1 * 2 + 0.2) / 2, (0.4 + 0.3) / 2])


def test_blocks_become_clusters_of_their_seats() -> None:
    """Means over the seats of three blocks give the total, squares and sizes of whole blocks."""
    found = clusters_of(np.array([0.5, 0.25, 0.0]), 4)
    assert (found.blocks, found.rows, found.total, found.squares) == (3, 12, 3.0, 5.0)
    assert (found.cross, found.sizes, found.value) == (12.0, 48.0, 0.25)


def test_steps_are_in_proportion_to_the_weights() -> None:
    """A weight's scale is its size, a zero's the median of the others, and all zeros have 1."""
    assert scales(np.array([2.0, -0.5, 0.0, 8.0])).tolist() == [2.0, 0.5, 2.0, 8.0]
    assert scales(np.zeros(2)).tolist() == [1.0, 1.0]
    first = np.array([Evolution(np.array([100.0, 0.01]), [0, 1], seed).ask() for seed in range(50)])
    spread = first.reshape(-1, 2).std(axis=0)
    assert spread == pytest.approx([30.0, 0.003], rel=0.2)


def test_nothing_heavy_is_loaded_for_help() -> None:
    """The command line alone loads neither cma nor the tuning."""
    heavy = {"cma", "numpy", "rogsim.experiments.tune"}
    code = f"import sys, rogsim.cli.app; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=compiler.PACKAGE.parent)
    assert done.stdout == "[]\n"
