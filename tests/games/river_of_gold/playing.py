"""Whole random games, for tests of properties that hold in every game."""

from __future__ import annotations

import random
from collections.abc import Iterator

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from rogsim.game import compiler
from rogsim.game.functions import callable_by_rules
from rogsim.games.river_of_gold.rules.legal import legal
from tests.games.river_of_gold.games import PATRON_MODES, setup_for
from tests.games.river_of_gold.table import Table

legal = callable_by_rules(legal)

EXAMPLES = 40 if compiler.ENABLED else 6

# The same examples on every machine and every day.
steady = settings(
    derandomize=True, deadline=None, max_examples=EXAMPLES, suppress_health_check=list(HealthCheck), database=None
)

kinds_of_game = st.tuples(
    st.sampled_from(["printed", "generous"]), st.sampled_from([2, 3, 4]), st.sampled_from(PATRON_MODES)
)
deals = st.integers(0, 2**40)


def playing(kind: tuple[str, int, str], number: int) -> Iterator[tuple[Table, list[int]]]:
    """Play a game at random; yield the table and the menu before every choice, and at the end with none."""
    figures, players, patrons = kind
    rng = random.Random(number)
    table = Table(bare=False, setup=setup_for(figures, players, patrons), deals=number)
    menu = table.workspace.menu
    while not table.over:
        legal(table.tables, table.game, menu)
        choices = menu.actions[: int(menu.count)].tolist()
        yield table, choices
        table.recorder.take(rng.choice(choices))
    yield table, []
