"""What a page proposes for a level that is out of balance: towards fair, and as commands that run as printed."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rogsim.experiments.settle import arrange_ladder
from rogsim.game.kit.changes import checker_of
from rogsim.game.parameters import Parameter
from rogsim.game.registry import register
from rogsim.game.spec import GameSpec
from rogsim.report.balance.proposals import OutOfBalance, first_proposals, out_of_balance, proposals, steps_to_fair
from rogsim.report.balance.sources import Source, gather
from rogsim.stats.balance.measure import Balance
from tests.command_line import Run
from tests.dice_game import GAME
from tests.dice_game.spec import FACTS
from tests.report.conftest import KEYS, material_for

pytestmark = [
    pytest.mark.once_uncompiled,
    pytest.mark.usefixtures("sketched"),
    pytest.mark.filterwarnings("ignore:constrained_layout"),
]

NOBODY = Source("", {}, None, Balance("", "", (), 2.0, {}))
STRONG = OutOfBalance("rolls", "Six", 2, 9.0, NOBODY)
WEAK = replace(STRONG, effect=-9.0)


def number(name: str, value: int, favours: int) -> Parameter:
    return Parameter(name, value, "0 to 20", "a number", 0, 20, favours=favours)


@pytest.mark.parametrize(
    ("favours", "value", "level", "step"),
    [
        pytest.param(1, 3, STRONG, 2, id="gain-strong"),
        pytest.param(1, 3, WEAK, 4, id="gain-weak"),
        pytest.param(-1, 3, STRONG, 4, id="cost-strong"),
        pytest.param(-1, 3, WEAK, 2, id="cost-weak"),
        pytest.param(1, 0, STRONG, None, id="gain-strong-at-the-lower-bound"),
        pytest.param(1, 20, WEAK, None, id="gain-weak-at-the-upper-bound"),
        pytest.param(-1, 20, STRONG, None, id="cost-strong-at-the-upper-bound"),
        pytest.param(-1, 0, WEAK, None, id="cost-weak-at-the-lower-bound"),
        pytest.param(0, 3, STRONG, None, id="unknown-strong"),
        pytest.param(0, 3, WEAK, None, id="unknown-weak"),
    ],
)
def test_a_step_is_against_the_strong_and_for_the_weak(
    favours: int, value: int, level: OutOfBalance, step: int | None
) -> None:
    """A step at a bound is never mirrored, and none is taken where the direction is unknown."""
    steps = [found for _, found in steps_to_fair(GAME, [number("six.points", value, favours)], level.effect)]
    assert steps == ([] if step is None else [step])


def test_parameters_that_are_used_and_have_room_come_first() -> None:
    """One that is 0, as the game has it, comes last; then more room counts."""
    listed = [number("six.unused", 0, 1), number("six.near", 19, 1), number("six.points", 3, 1)]
    names = [parameter.name for parameter, _ in steps_to_fair(GAME, listed, WEAK.effect)]
    assert names == ["six.points", "six.near", "six.unused"]


@pytest.mark.parametrize(
    ("value", "favours", "effect", "steps"),
    [
        pytest.param(12, 1, 10.0, [9, 11], id="a-quarter-of-a-gain"),
        pytest.param(12, -1, 10.0, [15, 13], id="a-quarter-of-a-cost"),
        pytest.param(12, 1, 50.0, [6, 9, 11], id="three-times-the-fair-share"),
        pytest.param(8, 1, -20.0, [16, 12, 10, 9], id="a-fifth-of-the-fair-share"),
        pytest.param(8, -1, -24.9, [0, 4, 6, 7], id="hardly-ever-wins"),
        pytest.param(19, 1, -20.0, [20], id="up-to-the-bound"),
        pytest.param(1, -1, -20.0, [0], id="the-last-one"),
        pytest.param(0, 1, -20.0, [1], id="from-nothing"),
    ],
)
def test_a_step_is_larger_the_farther_a_level_is_off(value: int, favours: int, effect: float, steps: list[int]) -> None:
    """At least a quarter of the value, at most all of it; smaller steps follow, in case the game refuses the first."""
    found = [found for _, found in steps_to_fair(GAME, [number("six.points", value, favours)], effect, 25.0)]
    assert found == steps


@pytest.mark.parametrize(
    ("value", "level", "steps"),
    [
        pytest.param("none", WEAK, ["wood", "stone"], id="nothing-weak"),
        pytest.param("none", STRONG, [], id="nothing-strong"),
        pytest.param("stone", STRONG, ["none"], id="something-strong"),
        pytest.param("stone", WEAK, [], id="something-weak"),
    ],
)
def test_of_words_only_the_first_is_less_than_another(value: str, level: OutOfBalance, steps: list[str]) -> None:
    """Which of the others is worth more is not known."""
    symbol = Parameter("six.symbol", value, "a word", words=("none", "wood", "stone"), favours=1)
    assert [found for _, found in steps_to_fair(GAME, [symbol], level.effect)] == steps


def test_what_the_run_changed_comes_first_if_it_can_be_changed_back() -> None:
    """Head starts are 0 in the dice race: 3 is a change back for a strong seat, but not for a weak one."""
    listed = [number("six.points", 12, 1), number("head_start.1", 3, 1)]
    first = [next(steps_to_fair(GAME, listed, effect))[0].name for effect in (9.0, -9.0)]
    assert first == ["head_start.1", "six.points"]


@pytest.fixture
def unknown_head_starts(race: GameSpec) -> Iterator[None]:
    """The dice race without a declaration of whom head starts favour."""
    facts = tuple(replace(fact, favours=0) for fact in FACTS)
    register(replace(race, facts=lambda: facts, check_change=checker_of(facts)))
    yield
    register(race)


def proposed() -> list[str]:
    """Return the commands of the report in the current folder."""
    steps = json.loads(Path("reports/report/report.json").read_text(encoding="utf-8"))["steps"]
    return [command for step in steps if step["command"] for command in step["command"].split(" && ")]


def scenario_file(path: str, **keys: Any) -> dict[str, Any]:
    """Write a scenario of the dice race and return its keys."""
    keys = KEYS | {"players": [2], "games": 400} | keys
    tables = [name for name, value in keys.items() if isinstance(value, dict)]
    lines = [f"{name} = {json.dumps(value)}" for name, value in keys.items() if name not in tables]
    for name in tables:
        lines += [f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in keys[name].items())]
    Path(path).parent.mkdir(exist_ok=True)
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return keys


def test_the_weak_seat_gets_a_head_start(race: GameSpec, here: Path) -> None:
    """The strong one has none that could be taken away."""
    material = material_for(scenario_file("scenario.toml"))
    assert {level.level for level in out_of_balance(material) if level.topic == "seats"} == {"seat 1", "seat 2"}
    step, search = first_proposals(material)
    assert step.text == "Make seat 2 stronger: spaces ahead, by seat 0 → 1."
    assert step.command == "rogsim compare scenario.toml --players 2 --change 'head_start.2 = 1'"
    assert search.text == "Search for values that make the seats fair."
    assert "--over 'head_start.1 = { from = 0, to = 2 }'" in search.command


def test_a_seat_without_room_is_helped_by_its_counterpart(race: GameSpec, here: Path) -> None:
    """The strong seat has no head start that could be taken away, so the weak one gets one."""
    material = material_for(scenario_file("scenario.toml"))
    (strong,) = (level for level in out_of_balance(material) if level.topic == "seats" and level.effect > 0)
    (found,) = proposals(material.spec, [strong])
    assert (found.about, found.is_step) == (strong, True)
    assert found.sentence == "Make seat 2 stronger: spaces ahead, by seat 0 → 1."


BONUS = Parameter("roll.six.bonus", 20, "0 to 20", "spaces for a first roll of 6", 0, 20, favours=1)
SYMBOL = Parameter("roll.six.symbol", "wood", "a word", "the symbol", words=("none", "wood", "stone"), favours=1)


@pytest.mark.parametrize(
    ("own", "asked", "over"),
    [
        pytest.param(
            (BONUS,),
            "spaces for a first roll of 6, from 14 to 20",
            "roll.six.bonus = { from = 14, to = 20, step = 3 }",
            id="number-at-its-bound",
        ),
        pytest.param(
            (BONUS, SYMBOL),
            "the symbol (none, wood, stone)",
            'roll.six.symbol = ["none", "wood", "stone"]',
            id="another-word-may-be-better",
        ),
    ],
)
def test_a_level_that_no_value_brings_closer_to_fair_has_a_curve(
    race: GameSpec, here: Path, own: tuple[Parameter, ...], asked: str, over: str
) -> None:
    """A weak level whose only number cannot go up; words other than the first may be better or worse."""
    facts = (*FACTS, *own)
    topics = tuple(replace(topic, labels={"six": "6"}) if topic.name == "rolls" else topic for topic in race.topics)
    spec = replace(race, facts=lambda: facts, check_change=checker_of(facts), topics=topics)
    material = material_for(scenario_file("scenario.toml"))
    register(spec)
    try:
        (curve,) = proposals(spec, [OutOfBalance("rolls", "6", 2, -20.0, material.sources[0])])
    finally:
        register(race)
    assert not curve.is_step
    assert curve.sentence == f"See what this is worth to 6: {asked}."
    assert shlex.split(curve.command)[-1] == over


def test_where_the_direction_is_unknown_there_is_a_curve(unknown_head_starts: None, here: Path) -> None:
    """And no step, and no search."""
    material = material_for(scenario_file("scenario.toml", change={"head_start": [3, 3, 3, 3]}))
    (curve,) = first_proposals(material)
    seat = next(word for word in curve.text.split() if word[0].isdigit())[0]
    assert curve.text == f"See what this is worth to seat {seat}: spaces ahead, by seat, from 1 to 5."
    over = shlex.quote(f"head_start.{seat} = {{ from = 1, to = 5 }}")
    assert curve.command == f"rogsim sweep scenario.toml --players 2 --over {over}"


def test_the_clearest_comes_first_with_its_clearest_number_of_players(race: GameSpec, here: Path) -> None:
    """Whatever the order of the judgements, a level has one entry."""
    material = material_for(scenario_file("scenario.toml", players=[2, 3], games=2_000))
    sizes = {
        (level, judgement.effects.players): abs(judgement.effect_of(level).value)
        for judgement in material.judgements
        if judgement.effects.question.topic == "seats"
        for level in judgement.beyond
    }
    first, *others = (level for level in out_of_balance(material) if level.topic == "seats")
    assert (first.level, first.players) == max(sizes, key=lambda case: sizes[case])
    assert first.level not in [level.level for level in others]


def test_without_parameters_there_is_no_proposal(race: GameSpec, here: Path) -> None:
    """First rolls have none."""
    material = material_for(scenario_file("scenario.toml", games=2_000))
    rolls = [level for level in out_of_balance(material) if level.topic == "rolls"]
    assert rolls
    assert list(proposals(material.spec, rolls)) == []


@pytest.mark.parametrize(
    "replaced",
    [
        pytest.param([], id="as-it-is"),
        pytest.param(["--players", "3", "--bots", "moody"], id="players-bots"),
        pytest.param(["--games", "600", "--seed", "8"], id="games-seed"),
        pytest.param(["--change", "spaces.more = 3", "--change", "head_start = [0, 5, 0, 0]"], id="change"),
        pytest.param(["--until", "seat_share ± 4 pp", "--games", "2000"], id="until"),
    ],
)
def test_every_command_of_a_page_runs_as_printed(race: GameSpec, command: Run, here: Path, replaced: list[str]) -> None:
    """Whatever a run replaced in its scenario, which was found by its name."""
    scenario_file("scenarios/race.toml")
    assert command("run", "race", *replaced).code == 0
    assert command("report", "reports/race").code == 0
    commands = [shlex.split(text)[1:] for text in proposed()]
    assert {words[0] for words in commands} - {"run"} == {"optimize", "sweep" if "--change" in replaced else "compare"}
    for words in commands:
        # These two play as many games as their questions need; the last value of an option counts.
        quick = {"optimize": ["--games", "1000", "--confirm", "100"], "run": ["--games", "2100"]}.get(words[0], [])
        ended = command(*words, *quick)
        assert (ended.code, words) == (0, words), ended.err
    if "--players" in replaced:
        manifest = json.loads(Path("reports/compare/report.json").read_text(encoding="utf-8"))["command"]
        assert "--players=3" in manifest
        assert "--bots=moody" in manifest


def test_a_scenario_that_is_not_here_is_in_no_command(race: GameSpec, command: Run, here: Path) -> None:
    """A command that names a file needs it."""
    scenario_file("elsewhere/race.toml")
    assert command("run", "elsewhere/race.toml").code == 0
    assert command("report", "reports/race").code == 0
    assert proposed() == []
    assert list(first_proposals(gather(["reports/race"]))) == []


def test_a_scenario_found_by_name_is_settled_by_name(command: Run, here: Path) -> None:
    """In an empty folder, with other players and bots than the scenario has."""
    assert command("run", "patrons", "--players", "4", "--bots", "random", "--games", "8").code == 0
    assert command("report", "reports/patrons").code == 0
    settle, report, *_ = proposed()
    assert settle == "rogsim settle patrons --players 4 --minutes 30"
    assert report == "rogsim report reports/patrons --settled reports/settle-patrons --out reports/report"
    assert arrange_ladder(Path("patrons"), replaced={"players": [4]}).experiment.scenario.players == (4,)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
