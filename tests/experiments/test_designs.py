"""Cells of a sweep: which are played, and what is refused before anything is."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import rogsim
from rogsim.experiments.sweep_design import Design, idle_axes, make_design
from rogsim.game.spec import GameSpec
from rogsim.scenario.model import ScenarioError, load

ROOT = Path(rogsim.__file__).parent.parent
BASE: dict[str, Any] = {"game": "dice-race", "players": [2, 3], "games": 10, "seed": 5, "bots": ["runner"]}

pytestmark = [pytest.mark.once_uncompiled, pytest.mark.usefixtures("dice_race")]


def design(over: dict[str, Any], **more: Any) -> Design:
    keys = {key: more.pop(key) for key in list(more) if key in ("sample", "points")}
    return make_design(load({**BASE, **more, "sweep": {"over": over, **keys}}), "x.toml")


def test_a_grid_has_every_combination_once_and_the_scenarios_own_first() -> None:
    """12 combinations, of which one is the scenario as it is, make 12 settings with 12 keys."""
    found = design({"head_start.1": {"from": 0, "to": 3}, "spaces.more": [0, 5, 2]})
    assert found.settings[0] == {}
    values = {tuple(found.value(setting, axis) for axis in found.axes) for setting in found.settings}
    assert values == {(head, more) for head in range(4) for more in (0, 5, 2)}
    assert (
        len(found.settings) == len(found.design_points) == len({setting.key for setting in found.design_points}) == 12
    )


def test_the_scenarios_own_comes_first_also_if_the_grid_leaves_it_out() -> None:
    """A grid of two values that are not the scenario's own has three settings."""
    assert design({"spaces.more": [3, 4]}).settings == ({}, {"spaces.more": 3}, {"spaces.more": 4})


def test_alone_varies_one_axis_at_a_time() -> None:
    """No setting differs in two axes, and all values occur."""
    found = design({"spaces.more": [0, 5], "end": ["fair"], "bots": ["walker", ["runner"]]}, sample="alone")
    assert found.settings == ({}, {"spaces.more": 5}, {"end": "fair"}, {"bots": "walker"})


def test_each_player_count_has_separate_design_points() -> None:
    """Each setting is played with each player count of the axis."""
    found = design({"players": [2, 4], "spaces.more": [5]})
    assert [setting.label for setting in found.design_points] == [
        "players = 2",
        "players = 2, spaces.more = 5",
        "players = 4",
        "players = 4, spaces.more = 5",
    ]
    assert [setting.experiment.scenario.players for setting in found.design_points] == [(2,), (2,), (4,), (4,)]
    assert found.counts == (2, 4)


@pytest.mark.parametrize("sample", ["sobol", "latin-hypercube"])
def test_sampled_points_are_spread_without_duplicates(sample: str) -> None:
    """The same seed gives the same points, another seed gives others; every value of an axis occurs."""
    over = {"spaces.more": {"from": 0, "to": 19}, "spaces.short": [0, 1, 2, 3], "end": ["sudden", "fair"]}
    found = design(over, sample=sample, points=20)
    assert found.settings == design(over, sample=sample, points=20).settings
    assert found.settings != design(over, sample=sample, points=20, seed=6).settings
    assert found.settings[0] == {}
    assert len({setting.key for setting in found.design_points}) == len(found.design_points) <= 21
    for axis in found.axes:
        came_up = {found.value(setting, axis) for setting in found.settings}
        assert len(came_up) > 0.7 * len(axis.values)


def test_duplicates_of_a_sample_are_reported() -> None:
    """Of 16 points over three settings only these three are played."""
    found = design({"spaces.more": [1, 2, 3]}, sample="latin-hypercube", points=16)
    assert sorted(setting.label for setting in found.design_points) == [
        "as it is",
        "spaces.more = 1",
        "spaces.more = 2",
        "spaces.more = 3",
    ]
    assert found.notes == ("13 of 16 points repeat another one and are not played again.",)


def test_refused_values_of_a_pattern_are_left_out_and_reported() -> None:
    """Steps below 0 are no error, because a pattern matches many parameters."""
    found = design({"spaces.*": {"by": [-1, 1]}}, sample="alone")
    assert found.settings == ({}, {"spaces.more": 1}, {"spaces.short": 1})
    note = "Left out: spaces.more = -1, spaces.short = -1. -1 is not allowed: must be a whole number from 0 to 20."
    assert found.notes == (note,)


def test_the_end_of_a_range_is_one_that_could_be_wider() -> None:
    """A value is at the end of a range only if the game allows values beyond; the scenario's value never is."""
    found = design({"spaces.more": [3, 10, 20], "spaces.short": [1, 2], "head_start.1": {"from": 0, "to": 3}})
    settings = [{"spaces.more": 3}, {"spaces.more": 10}, {"spaces.more": 20}, {"spaces.short": 2}, {"head_start.1": 3}]
    names = [[axis.name for axis in found.edges(setting)] for setting in settings]
    assert names == [["spaces.more"], [], [], ["spaces.short"], ["head_start.1"]]
    assert not found.edges({})


def test_until_does_not_belong_to_a_sweep() -> None:
    """All settings have the same games, or they would not share their deals."""
    found = design({"spaces.more": [1]}, until="seat_share ± 5 pp")
    assert found.notes[0].startswith("A sweep ignores `until`")
    assert all(not setting.experiment.targets for setting in found.design_points)


@pytest.mark.parametrize(
    ("over", "more", "lines"),
    [
        ({"spaces.mor": [1]}, {}, ['over.spaces.mor": unknown, did you mean "spaces.more"?']),
        ({"spaces.more": [99]}, {}, ['over.spaces.more": 99 is not allowed: must be a whole number from 0 to 20']),
        (
            {"spaces.more": [1, 99, 98], "spaces.short": [77]},
            {},
            [
                'over.spaces.short": 77 is not allowed: must be a whole number from 0 to 20',
                'over.spaces.more": 99 is not allowed: must be a whole number from 0 to 20',
                'over.spaces.more": 98 is not allowed: must be a whole number from 0 to 20',
            ],
        ),
        ({"end": ["later"]}, {}, ['over.end": "later" is not allowed: choose from sudden, fair']),
        ({"players": [2, 7]}, {}, ['over.players": 7 is not allowed: choose from 2, 3, 4']),
        ({"short": [11]}, {}, ['over.short": 2 players: the long track (10) is shorter than the short one (11)']),
        (
            {"spaces.more": {"by": [-1, 1]}},
            {},
            ['over.spaces.more": -1 is not allowed: must be a whole number from 0 to 20; its steps start from 0'],
        ),
        (
            {"head_start": {"by": [1]}},
            {},
            ['over.head_start": is [0, 0, 0, 0]; steps need a whole number to start from; name one of its entries'],
        ),
        (
            {"players": {"by": [1]}},
            {},
            [
                'over.players": {"by": [1]} is not allowed: there is no single value to start from; '
                "write a list of values"
            ],
        ),
        ({"spaces.more": []}, {}, ['over.spaces.more": has no values']),
        ({"spaces.more": [1, 1]}, {}, ['over.spaces.more": 1 is listed twice']),
        ({}, {}, ['over": is empty: name at least one axis to vary']),
        ({"spaces.more": [1]}, {"sample": "sobol"}, ['points": is missing: how many settings sample = "sobol" has']),
        ({"spaces.more": [1]}, {"points": 3}, ['points": 3 cannot be combined with sample = "grid": remove it']),
        (
            {"head_start": [[1, 0, 0, 0]], "head_start.1": [1]},
            {},
            ['over.head_start": cannot be varied together with head_start.1, which is part of it'],
        ),
        (
            {f"head_start.{seat}": {"from": 0, "to": 9} for seat in (1, 2, 3, 4)} | {"spaces.more": list(range(11))},
            {},
            [
                'over": makes 110,000 settings, at most 100,000 are allowed: name fewer values, or take a sample with '
                "`points`"
            ],
        ),
        ({"spaces.*": {"by": [-1]}}, {}, ['over": has no value left that the game allows']),
    ],
)
def test_problems_are_reported_with_file_key_and_value(
    over: dict[str, Any], more: dict[str, Any], lines: list[str]
) -> None:
    """All problems are reported at once, one line each."""
    with pytest.raises(ScenarioError) as fault:
        design(over, **more)
    assert str(fault.value).splitlines() == [f'x.toml: key "sweep.{line}' for line in lines]


def test_a_refused_combination_is_reported_as_a_whole() -> None:
    """If each value alone is allowed, the message names the setting."""
    with pytest.raises(ScenarioError) as fault:
        design({"short": [10, 14], "long": [12, 20]}, options={"long": 14})
    assert str(fault.value).splitlines() == [
        "x.toml: with short = 14, long = 12: 2 players: the long track (12) is shorter than the short one (14)"
    ]


def test_of_many_problems_the_first_are_listed(dice_race: GameSpec) -> None:
    """The message has ten lines, and says how many more problems there are."""
    with pytest.raises(ScenarioError) as fault:
        design({"spaces.more": {"from": 21, "to": 40}})
    lines = str(fault.value).splitlines()
    assert len(lines) == 11
    assert lines[-1] == "x.toml: and 10 more problems"


def test_a_scenario_without_a_sweep_is_refused() -> None:
    """The line says which command plays it."""
    with pytest.raises(ScenarioError, match=r'^x\.toml: has no \[sweep\]; "rogsim run" plays it$'):
        make_design(load(BASE), "x.toml")


def _documented() -> dict[str, Any]:
    (block,) = re.findall(
        r"^```toml\n(.*?)^```", (ROOT / "docs/sweeps.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    return tomllib.loads(block)


@pytest.mark.parametrize(
    ("source", "settings"),
    [(ROOT / "scenarios/sweep-start.toml", 36), (ROOT / "scenarios/which-numbers.toml", 68), (_documented(), 80)],
    ids=["sweep-start", "which-numbers", "docs"],
)
def test_sweeps_that_come_with_rogsim_can_be_played(source: Any, settings: int) -> None:
    """The scenarios and the example in the documentation are valid, and have the expected number of settings."""
    if isinstance(source, dict):
        source = {**source, "game": "river-of-gold"}
    assert len(make_design(load(source), "x.toml").design_points) == settings


def test_a_parameter_that_cannot_matter_where_it_is_varied_is_named() -> None:
    """One at a time, a patron's points are varied without patrons, though another setting has them; a grid has both."""
    keys = {"game": "river-of-gold", "players": [2], "games": 10, "seed": 5, "bots": ["random"]}
    over = {"patrons": ["none", "dealt"], "patron.kudaka.points": {"by": [1]}, "setup.koku_by_turn_order.1": [6]}
    lines = {
        sample: list(idle_axes(make_design(load({**keys, "sweep": {"over": over, "sample": sample}}), "x.toml")))
        for sample in ("alone", "grid")
    }
    line = "patron.kudaka.points: has no effect in the settings that vary it: no patrons are in play."
    assert lines == {"alone": [line], "grid": []}
