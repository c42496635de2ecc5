"""The bots of the game are stronger than chance, and each follows its plan."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rogsim
from rogsim.game import compiler
from rogsim.game.batches import Batch
from rogsim.game.bot import Bot
from rogsim.game.kit.workspace import MAX_NOTES
from rogsim.games.river_of_gold.bots import worth as notes
from rogsim.games.river_of_gold.bots.weights import NAMES, WEIGHTS, weights_with
from rogsim.games.river_of_gold.components.names import PATRONS
from tests.games.river_of_gold.games import BOT_NAMES, PATRON_MODES, batch_of, bot, outcomes, setup_for
from tests.games.river_of_gold.playing import playing
from tests.games.river_of_gold.thinking import Mind

pytestmark = pytest.mark.slow

PLANNERS = BOT_NAMES[1:]
compiled = pytest.mark.skipif(not compiler.ENABLED, reason="hundreds of games take too long uncompiled")


def played(names: list[str], games: int, patrons: str = "none") -> Any:
    """The seat rows of games with these bots by seat."""
    return outcomes(setup_for("printed", len(names), patrons), batch_of(names, games))[0]


@compiled
@pytest.mark.parametrize("name", PLANNERS)
def test_every_planning_bot_beats_three_that_play_at_random(name: str) -> None:
    """From any seat, in at least nine of ten games."""
    for seat in range(4):
        rows = played(["random"] * seat + [name] + ["random"] * (3 - seat), 100)
        assert rows["win_share"][seat::4].mean() > 0.9


@compiled
@pytest.mark.parametrize("players", [2, 3])
def test_balanced_beats_chance_in_smaller_games_too(players: int) -> None:
    """With two and three players, in at least nine of ten games."""
    rows = played(["balanced"] + ["random"] * (players - 1), 200)
    assert rows["win_share"][::players].mean() > 0.9


@compiled
@pytest.mark.parametrize(
    ("column", "most"),
    [
        ("builds", "builder"),
        ("sails", "sailor"),
        ("journeys", "sailor"),
        ("deliveries", "courier"),
        ("points_masteries", "adept"),
    ],
)
def test_each_plan_shows_in_what_the_bot_does(column: str, most: str) -> None:
    """Each persona does more per turn of what it is named after than the others do."""
    share = {}
    for name in PLANNERS:
        rows = played([name] * 4, 400)
        share[name] = rows[column].sum() / rows["turns"].sum()
    assert max(share, key=lambda name: share[name]) == most


@compiled
def test_the_racer_ends_the_game_soonest() -> None:
    """Among equal bots, no other planning bot takes fewer turns."""
    turns = {name: played([name] * 4, 400)["turns"].mean() for name in PLANNERS}
    assert min(turns, key=lambda name: turns[name]) == "racer"


@compiled
def test_the_courtier_gathers_more_influence_than_the_others() -> None:
    """With one of each at the table, it scores the most from regions."""
    for others in (["balanced", "builder", "sailor"], ["courier", "adept", "racer"]):
        names = ["courtier", *others]
        points = [played(names[turn:] + names[:turn], 200)["points_regions"].reshape(-1, 4) for turn in range(4)]
        means = np.mean([np.roll(rows.mean(axis=0), turn) for turn, rows in enumerate(points)], axis=0)
        assert means.argmax() == 0, dict(zip(names, means, strict=True))


@compiled
@pytest.mark.parametrize("name", PLANNERS)
def test_planning_bots_use_every_part_of_the_game(name: str) -> None:
    """Over many games each builds, sails, delivers, exchanges, spends favor, completes journeys, claims masteries."""
    rows = played([name] * 4, 200, "draft")
    for column in ("builds", "sails", "deliveries", "exchanges", "favor_spent", "journeys", "points_masteries"):
        assert rows[column].sum() > 0, column


def test_in_a_draft_a_bot_takes_the_patron_that_it_likes_best() -> None:
    """The last seat chooses first among one patron of each clan, and takes its favourite if it is offered."""
    favourites = [PATRONS.index("kaiu-shihobu"), PATRONS.index("yasuki-taka")]
    rows = played(["random", "builder"], 6, "draft")
    assert set(rows["patron"][1::2]) <= set(favourites)
    assert len(set(rows["patron"][1::2])) == 2


def test_weights_are_changed_by_name() -> None:
    """Named weights replace the common ones, some only late; patrons are preferred in the given order."""
    weights = weights_with(patrons=("kudaka", "yoritomo"), late={"favor": 0.2}, koku=0.1)
    values = dict(zip(NAMES, weights, strict=True))
    for players in ("2", "3", "4"):
        assert values[f"{players}-early-koku"] == values[f"{players}-late-koku"] == 0.1
        assert values[f"{players}-early-favor"] == WEIGHTS["favor"]
        assert values[f"{players}-late-favor"] == 0.2
    assert values["kudaka"] > values["yoritomo"] > values["daidoji-uji"]


def test_a_weight_that_does_not_exist_is_an_error() -> None:
    """The error names it, whether it is common, late or a patron."""
    with pytest.raises(KeyError, match="kokku"):
        weights_with(kokku=1.0)
    with pytest.raises(KeyError, match="kokku"):
        weights_with(late={"kokku": 1.0})
    with pytest.raises(KeyError, match="nobody"):
        weights_with(patrons=("nobody",))


@compiled
def test_early_and_late_weights_count_by_the_time_left() -> None:
    """A bot that prefers building only late builds less in total than one that always prefers it."""
    builds = {}
    for name, weights in (("always", weights_with(build=3.0)), ("late", weights_with(late={"build": 3.0}))):
        line_up = tuple(Bot(name, bot("balanced").choose, weights) for _ in range(2))
        batch = Batch(1, 2, np.arange(100), np.tile(np.array([0, 1], np.int8), (100, 1)), line_up)
        builds[name] = outcomes(setup_for("printed", 2), batch)[0]["builds"].mean()
    assert builds["late"] < builds["always"]


def test_notes_fit_into_the_room_for_them() -> None:
    """The notes of the planning bots do not exceed the memory for notes."""
    assert notes.LENGTH <= MAX_NOTES


def test_bots_of_one_function_share_its_machine_code() -> None:
    """The planning bots differ only in their weights, so they are compiled once."""
    assert len({id(bot(name).choose) for name in PLANNERS}) == 1
    assert len({bot(name).weights.tobytes() for name in PLANNERS}) == len(PLANNERS)


def test_a_bot_plays_the_same_beside_any_others_deals() -> None:
    """Dice and decks do not depend on who plays: the first row, patrons and masteries are the same for all bots."""
    first = rogsim.run({"players": [2], "games": 5, "seed": 4, "bots": ["random"]}, jobs=1)
    other = rogsim.run({"players": [2], "games": 5, "seed": 4, "bots": ["builder"]}, jobs=1)
    assert first.games().collect()["masteries"].to_list() == other.games().collect()["masteries"].to_list()
    assert first.seats().collect()["points"].to_list() != other.seats().collect()["points"].to_list()


@pytest.mark.parametrize("name", [*PLANNERS, "tuned@4-early-plenty=0.9"])
def test_notes_of_earlier_choices_change_nothing(name: str) -> None:
    """A bot that keeps its notes chooses like one without: all but the plan of a turn is still true or made anew."""
    keeping, fresh, asked = Mind(name), Mind(name), 0
    for number, mode in enumerate(PATRON_MODES):
        keeping.memory.notes[:] = 0.0
        for table, menu in playing(("printed", 2 + number % 3, mode), 30 + number):
            if len(menu) < 2:
                continue
            fresh.memory.notes[:] = 0.0
            keeping.memory.notes[notes.PLANNED_TURN] = 0.0
            assert keeping.choose(table) == fresh.choose(table)
            asked += 1
            if asked % 30 == 0 and not compiler.ENABLED:
                break
    assert asked > 60
