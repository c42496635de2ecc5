"""No bot of the game chooses by what it cannot see: dealt anew, all that is hidden changes none of its choices."""

from __future__ import annotations

from pathlib import Path

import pytest

from rogsim import jit
from rogsim.check_play import Played, Subject, play_table
from rogsim.check_play import Table as Seats
from rogsim.games.river_of_gold.desk import look
from rogsim.games.river_of_gold.phases import TURN
from rogsim.games.river_of_gold.spec import GAME
from tests.games.river_of_gold.test_worlds import moments, world_of
from tests.games.river_of_gold.thinking import Mind

compiled = pytest.mark.skipif(not jit.ENABLED, reason="thinking ahead in whole games takes too long uncompiled")

FEW = "search@rollouts=16+turns=3"
EVERYBODY = [FEW if info.name == "search" else info.name for info in GAME.bots]
SAMPLES = range(len(GAME.samples))


def watched(name: str, players: int, sample: int, folder: Path) -> Played:
    """Two games of a bot against others, in which it is asked again about worlds that look the same."""
    subject = Subject(GAME.id, None, name, str(folder), 3, 5.0, str(folder))
    return play_table(subject, Seats(players, sample, itself=False, games=2))


@compiled
@pytest.mark.parametrize("name", EVERYBODY)
def test_a_bot_chooses_by_what_it_sees_alone(tmp_path: Path, name: str) -> None:
    """With every player count and patron mode: same view, notes and stream, another deck and hands, same choice."""
    checked = 0
    for sample in SAMPLES:
        played = watched(name, 2 + sample % 3, sample, tmp_path)
        assert played.findings == []
        checked += played.probe.checked
    assert checked > 40


PEEKING = """
from rogsim.games.river_of_gold.bots.planner import WEIGHT_NAMES
from rogsim.games.river_of_gold.bots.plan import choose_by_plan

WEIGHTS = "peeking.toml"


def choose(tables, view, menu, own):
    return {choice}
"""


@compiled
@pytest.mark.parametrize("name", ["planner", FEW])
def test_a_search_in_the_true_game_would_choose_otherwise(name: str) -> None:
    """What is dealt anew matters: a bot that was shown the true world instead of a view may choose differently.

    Shown other worlds that look the same to its seat, with nothing hidden, its choices do not all stay the same only
    because it does not look: every number it may read of the view is the same.
    """
    asked = 0
    for table in moments("printed", 3, "dealt", luck=11):
        if table.game.phase != TURN or table.game.turn % 5:
            continue
        seat, true = table.chooser, table.game.copy()
        chosen = Mind(name, 3).choose(table)
        for number in range(3):
            table.desk.game = world_of(table, number).copy()
            assert table.desk.game.tobytes() != true.tobytes()
            mind = Mind(name, 3)
            assert mind.choose(table) == chosen
            table.desk.game = true
            look(table.desk, seat)
        asked += 1
    assert asked > 5
