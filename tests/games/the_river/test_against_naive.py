"""The compiled rules against the slow ones: recorded games replay, with the same legal actions and states."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from rogsim.game import compiler
from tests.games.the_river.games import some_games
from tests.naive import the_river_replay
from tests.naive.basics import read_components
from tests.naive.the_river_replay import replay

FACTS = read_components(Path(the_river_replay.__file__).parent / "the_river.toml")
GAMES = 1000 if compiler.ENABLED else 18
PARTS = 4 if compiler.ENABLED else 1  # which run side by side
WANTED = """
    start turn discard take pay exchange display round reshuffle cleanup meadow
    trade claim produce food reserve construct first swap pass skip tokens tiles
"""


@pytest.mark.parametrize("part", range(PARTS))
def test_recorded_games_replay_in_the_slow_rules(part: int) -> None:
    """Games of all player counts, with the printed and with other figures, have no mismatch and leave nothing out."""
    met: Counter[str] = Counter()
    count = GAMES // PARTS
    for trace in some_games(count, first=part * count):
        replay({**trace, "options": {}}, FACTS)
        for step in trace["steps"]:
            met.update([step["event"]] if "event" in step else [step["kind"], step["action"].split()[0]])
        met.update(kind for kind, seats in trace["final"]["trigger"].items() if seats)
        met["first player was random"] += trace["setup"]["first"] > 0
    assert met["first player was random"] > count // 4
    if compiler.ENABLED:
        assert min(met[word] for word in WANTED.split()) >= 10, met
    assert met.total() > 50 * count
