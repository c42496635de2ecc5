"""No bot of the game uses hidden information: dealing it anew changes none of its choices."""

from __future__ import annotations

from pathlib import Path

import pytest

from rogsim.experiments.bot_check import CheckTable as Seats
from rogsim.experiments.bot_check import Subject, TableResult, play_table
from rogsim.game import compiler
from rogsim.game.rules import copy_of
from rogsim.games.river_of_gold.rules.state import TURN
from rogsim.games.river_of_gold.spec import GAME
from tests.games.river_of_gold.test_worlds import moments, world_of
from tests.games.river_of_gold.thinking import Mind

compiled = pytest.mark.skipif(not compiler.ENABLED, reason="thinking ahead in whole games takes too long uncompiled")

FEW = "search@rollouts=16+turns=3"
EVERYBODY = [FEW if info.name == "search" else info.name for info in GAME.bots]
SAMPLES = range(len(GAME.samples))


def watched(name: str, players: int, sample: int, folder: Path) -> TableResult:
    """Two games of a bot against others, in which it is asked again about worlds that look the same."""
    subject = Subject(GAME.id, None, name, str(folder), 3, 5.0)
    return play_table(subject, Seats(players, sample, itself=False, games=2))


@compiled
@pytest.mark.parametrize("name", EVERYBODY)
def test_a_bot_chooses_by_what_it_sees_alone(tmp_path: Path, name: str) -> None:
    """With every player count and patron mode: same view, notes and stream, another deck and hands, same choice."""
    checked = 0
    for sample in SAMPLES:
        played = watched(name, 2 + sample % 3, sample, tmp_path)
        assert played.findings == []
        checked += played.audit.checked
    assert checked > 40


@compiled
@pytest.mark.parametrize("name", ["learned", "planner", FEW])
def test_other_hands_decks_and_stacks_change_no_choice(name: str) -> None:
    """At first choices of turns of a game: several worlds that look the same, each with the choice of the true one."""
    asked = 0
    for table in moments("printed", 3, "dealt", deals=11):
        if table.game.phase != TURN or table.game.turn % 5:
            continue
        true = copy_of(table.game)
        mind = Mind(name, 3)
        chosen = mind.choose(table)
        for number in range(3):
            table.workspace.game = copy_of(world_of(table, number))
            assert table.game.tobytes() != true.tobytes(), "nothing was dealt anew"
            again = Mind(name, 3)
            assert again.choose(table) == chosen
            assert again.memory.tobytes() == mind.memory.tobytes()
            table.workspace.game = true
        asked += 1
    assert asked > 5
