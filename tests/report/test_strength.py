"""Does the answer hold as the bots get stronger? On ladders with known effects, and with several sets of bots."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rogsim.base.errors import RogsimError
from rogsim.experiments.ladder import (
    KEY,
    LadderVerdicts,
    PlayedGame,
    Rung,
    RungStep,
    SettledClaim,
    families_of,
    record_of,
)
from rogsim.report.balance.build import build_report
from rogsim.report.balance.sources import check_settled
from rogsim.report.document import STRENGTH
from rogsim.report.render.data_files import to_text
from rogsim.report.render.write import write_report
from rogsim.report.settle_page import read_settled, steps
from rogsim.scenario.fingerprint import identity_of
from rogsim.scenario.model import load
from rogsim.stats.settling import EffectSeries, settle
from tests.command_line import Run
from tests.report.conftest import KEYS, Play, material_for

pytestmark = [pytest.mark.once_compiled, pytest.mark.usefixtures("race")]

BOTS = ("walker", "moody", "random", "runner")
BLOCKS = 400.0
PRECISE, VAGUE = 0.01, 4.0  # variances in pp squared
TWO = KEYS | {"players": [2], "games": 2_000}  # seat 1 wins 15.6 pp more than a fair share


def ladder(
    effects: Mapping[str, Sequence[float]], variance: float = PRECISE, players: int = 2, lead: float = 100.0
) -> LadderVerdicts:
    """Return the verdicts on seats with these effects on each rung, in the game of KEYS; lead: of the last bot."""
    experiment = load(KEYS)
    identity = identity_of(experiment)
    family = families_of(experiment.spec, experiment.scenario.options)[0]
    size = len(BOTS)
    series = [
        EffectSeries(seat, np.array(values, float), np.eye(size) * variance, np.full(size, BLOCKS))
        for seat, values in effects.items()
    ]
    games = (int(BLOCKS),) * size
    judged = settle(series, 2.0, rising=lead > 40)
    return LadderVerdicts(
        played=PlayedGame(**{name: identity[name] for name in ("game", "rules", "options", "change", "seed")}),
        rungs=tuple(Rung(bot=bot, source_hash="0" * 16, weights_hash="1" * 16, evaluation=bot) for bot in BOTS),
        step="step",
        margin=2.0,
        first_look=100,
        families=(family,),
        claims=tuple(SettledClaim(family, players, found, games, 500) for found in judged),
        games={players: games},
        steps=tuple(step(*pair, players, lead if pair[1] == BOTS[-1] else 100.0) for pair in pairwise(BOTS)),
    )


def step(below: str, bot: str, players: int, lead: float) -> RungStep:
    """Return a step that is shown to lead to a stronger or a weaker bot if the lead is beyond 40 Elo points."""
    ahead, behind = (0.001 if side * lead > 40 else 1.0 for side in (1, -1))
    ends = {"lead": lead, "low": lead - 40, "high": lead + 40}
    return RungStep(players=players, bot=bot, below=below, **ends, p_stronger=ahead, p_weaker=behind, games=60)


def test_bots_that_share_an_evaluation_are_named() -> None:
    """Two of the last three rungs share theirs with the second: all three are named; with only one of them, nobody."""
    made = ladder({"1": [15.6] * 4})
    walker, moody, other, runner = made.rungs
    kin = [rung.model_copy(update={"evaluation": "moody"}) for rung in (moody, other, runner)]
    text = "moody, random and runner share one evaluation, so they may share its errors."
    assert text in [step.text for step in steps(replace(made, rungs=(walker, *kin)), "")]
    assert text not in [step.text for step in steps(made, "")]
    assert (
        made.sharing()
        == replace(made, rungs=(walker.model_copy(update={"evaluation": "runner"}), moody, other, runner)).sharing()
        == ()
    )


def data_of(found: LadderVerdicts) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(to_text({KEY: record_of(found)}))
    return data


def test_verdicts_survive_the_file(tmp_path: Path) -> None:
    """What was written is read, with effects and intervals to six digits."""
    made = ladder({"1": [40.0, 35.0, 26.0, 18.0], "2": [1.0, 1.0, 1.0, 1.0]}, players=3)
    made = replace(made, steps=(*made.steps[1:], made.steps[0].model_copy(update={"low": None, "high": None})))
    (tmp_path / "report.json").write_text(json.dumps(data_of(made)))
    found = read_settled(tmp_path)
    assert found.steps == made.steps
    assert (found.bots, found.games, found.margin, found.played) == (made.bots, made.games, made.margin, made.played)
    for one, other in zip(found.claims, made.claims, strict=True):
        assert (one.family, one.players, one.more_games) == (other.family, other.players, other.more_games)
        assert one.found.verdict == other.found.verdict
        assert one.found.is_decided == other.found.is_decided
        assert one.found.last_two.low == pytest.approx(other.found.last_two.low, rel=1e-5)
        assert np.allclose(one.found.series.values, other.found.series.values)


def _set(*path: str | int, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(record: dict[str, Any]) -> None:
        inner: Any = record
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            _set("format", value="rogsim-settle/1"),
            "was written by an earlier version of rogsim; call rogsim settle again",
        ),
        (_set("claims", 0, "covariance", 3, 3, value=1e9), "settle.claims.covariance"),
        (_set("claims", 0, "covariance", 2, value=[]), "have different lengths"),
        (_set("steps", 0, "lead", value=1e9), "settle.steps.lead"),
        (_set("claims", 0, "effects", value=[1.0]), "have different lengths"),
        (_set("claims", 0, "effects", 0, value=1e9), "settle.claims.effects"),
        (_set("claims", 0, "level", value="1\u202e"), "must not contain invisible characters"),
        (_set("claims", 0, "claim", value="colours"), '"families" or "games" does not list'),
        (_set("families", value=["seats", "tracks"]), '"tracks" are not dealt at random'),
        (_set("played", "game", value="no-such-game"), "no-such-game"),
        (_set("rungs", value=[]), "settle.rungs"),
        (_set("more", value=1), "settle.more"),
    ],
)
def test_broken_verdicts_are_refused_in_one_line(
    tmp_path: Path, change: Callable[[dict[str, Any]], None], message: str
) -> None:
    """Types, sizes and limits are checked, and that all lists have the same rungs, families and player counts."""
    data = data_of(ladder({"1": [40.0, 35.0, 26.0, 18.0], "2": [1.0, 1.0, 1.0, 1.0]}, players=3))
    change(data[KEY])
    (tmp_path / "report.json").write_text(json.dumps(data))
    with pytest.raises(RogsimError) as fault:
        read_settled(tmp_path)
    assert message in str(fault.value)
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize(
    "change",
    [
        _set("claims", 0, "covariance", 3, 3, value=-1.0),
        _set("claims", 0, "covariance", 0, 1, value=5.0),
        _set("claims", 0, "verdict", value="settled"),
        _set("claims", 1, "level", value="1"),
        _set("families", value=["seats", "seats"]),
        _set("steps", value=[]),
    ],
)
def test_verdicts_need_not_be_true(tmp_path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Numbers that contradict each other, twice the same and none at all: a page can be written, without a warning."""
    data = data_of(ladder({"1": [15.6] * 4, "2": [1.0] * 4}, lead=12.0))
    change(data[KEY])
    (tmp_path / "report.json").write_text(json.dumps(data))
    with warnings.catch_warnings(action="error"):
        found = read_settled(tmp_path)
    report = build_report(replace(material_for(TWO), settled=(found,)), tmp_path)
    write_report(report, tmp_path / "page", lambda line: None)


@pytest.mark.parametrize(
    ("text", "message"),
    [(None, "has no report.json"), ("{", "cannot be read"), ("[]", "holds no verdicts"), ("{}", "holds no verdicts")],
)
def test_other_folders_are_refused(tmp_path: Path, text: str | None, message: str) -> None:
    """An empty folder, a broken file, and a page of another command."""
    if text is not None:
        (tmp_path / "report.json").write_text(text)
    with pytest.raises(RogsimError, match=message):
        read_settled(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "other-game"}, 'game is "other-game" there, and "dice-race" in the results'),
        ({"rules": "9"}, 'rules is "9" there'),
        ({"options": {}}, 'option "'),
        ({"change": {"track.spaces": 7}}, 'changed parameter "track.spaces" is 7 there, and not set in the results'),
    ],
)
def test_another_game_is_refused(change: dict[str, Any], message: str) -> None:
    """The game, its rules, its options and its changed parameters must be those of the report."""
    results = material_for(TWO).sources[0].parts
    made = ladder({"1": [1.0] * 4})
    with pytest.raises(RogsimError) as fault:
        check_settled([replace(made, played=made.played.model_copy(update=change))], results)
    assert message in str(fault.value)


def test_other_player_counts_a_wide_margin_and_two_ladders_are_refused() -> None:
    """A ladder must share a player count, be judged as strictly, and be the only one on its claims."""
    results = material_for(TWO).sources[0].parts
    made = ladder({"1": [1.0] * 4})
    with pytest.raises(RogsimError, match="has games with 3 players, and the report with 2"):
        check_settled([ladder({"1": [1.0] * 4}, players=3)], results)
    with pytest.raises(RogsimError, match="call rogsim settle with --margin 2"):
        check_settled([replace(made, margin=3.0)], results)
    with pytest.raises(RogsimError, match="a and b both have verdicts on seats with 2 players"):
        check_settled([replace(made, place="a"), replace(made, place="b")], results)
    check_settled([made, ladder({"1": [1.0] * 4}, players=3)], material_for(KEYS).sources[0].parts)


SCENARIO = """game = "dice-race"
players = [2, 3]
games = 40
seed = 1
bots = ["runner"]
"""


@pytest.mark.parametrize(
    ("effects", "variance", "said"),
    [
        ([15.6] * 4, PRECISE, "has stopped moving as the bots get stronger: +15.6 pp (+15.4 to +15.8)"),
        ([40.0, 35.0, 26.0, 18.0], PRECISE, "still moves as the bots get stronger: +18.0 pp"),
        ([15.6, 14.0, 15.0, 16.0], VAGUE, "may still move as the bots get stronger: +16.0 pp"),
    ],
)
def test_a_ladder_says_whether_the_answer_holds(effects: list[float], variance: float, said: str) -> None:
    """In the context of the answer and in a section of its own, with one figure and one table."""
    report = build_report(replace(material_for(TWO), settled=(ladder({"1": effects}, variance),)), Path("page"))
    assert f"The effect on seat 1 {said}" in report.context
    (section,) = [section for section in report.sections if section.name == STRENGTH]
    assert (len(section.pictures), len(section.grids)) == (1, 1)
    assert f"The effect on seat 1 {said}" in section.answer


def test_without_stronger_bots_there_is_no_section() -> None:
    """The page says once that nothing else was tried."""
    report = build_report(material_for(TWO), Path("page"))
    assert STRENGTH not in [section.name for section in report.sections]
    assert report.context.endswith("Other bots may show something else: none were tried.")


def test_several_sets_of_bots_are_compared() -> None:
    """The last set answers; the context says by how much the others differ."""
    report = build_report(material_for(TWO, TWO | {"bots": ["walker"]}), Path("page"))
    assert "the last of two sets of bots" in report.context
    (section,) = [section for section in report.sections if section.name == STRENGTH]
    assert "with runner" in section.answer
    assert set(section.grids[0].frame["bots"]) == {"runner", "walker"}


@pytest.mark.usefixtures("sketched")
def test_settle_and_then_report(command: Run) -> None:
    """Both commands in a row: the word is on the page, in the text, in the data and in the terminal."""
    Path("x.toml").write_text(SCENARIO, encoding="utf-8")
    assert command("run", "x.toml", "--jobs", "1").code == 0
    ladder_words = ["--bots", "walker,moody,runner", "--first-look", "60", "--games", "200", "--jobs", "1"]
    assert command("settle", "x.toml", *ladder_words, "--players", "3").code == 0
    code, _, err = command("report", "reports/x", "--settled", "reports/settle-x", "--out", "page")
    assert (code, err) == (0, "")
    data = json.loads(Path("page/report.json").read_text(encoding="utf-8"))
    assert STRENGTH in [section["name"] for section in data["sections"]]
    assert data["command"].splitlines()[-1] == "rogsim report reports/x --settled reports/settle-x --out page"
    assert "--bots walker,moody,runner --players 3 --seed 1" in data["command"]


def test_a_wrong_folder_writes_nothing(play: Play, command: Run) -> None:
    """Exit code 2 and one line."""
    play("one", players=[2])
    line = "rogsim: error: one: has no report.json; name a folder that rogsim settle wrote\n"
    assert command("report", "one", "--settled", "one", "--out", "page") == (2, "", line)
    assert not Path("page").exists()
