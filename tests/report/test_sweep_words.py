"""What the findings of a sweep say about effects, on games with known effects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rogsim.experiments.sweep.outcome import SettingTable
from rogsim.report import words
from rogsim.report.sweep.sweep_words import TOGETHER, effect_findings, games_to_see, open_effects
from rogsim.scenario.axes import Axis
from rogsim.stats.paired.clear_effects import judged_together
from rogsim.stats.paired.main_effects import Effect
from scripts.studies.effects import FAIR, Planted, response, swept

pytestmark = pytest.mark.once_uncompiled

PARTS = [0.3] * 6
GAMES = 1_000


def judged(seed: int, planted: Planted) -> list[Effect]:
    (found,) = judged_together([swept(np.random.default_rng(seed), GAMES, FAIR[4], PARTS, planted)])
    return found


def texts(effects: Sequence[Effect], games: int = GAMES) -> list[str]:
    base = response(np.arange(games) % 4, 4)
    table = SettingTable(4, 2.0, [{}], [base], [base], [1.0], effects)
    outcome: Any = SimpleNamespace(
        design=SimpleNamespace(axes=[Axis(f"n{axis}", "parameter", (), 0) for axis in range(6)])
    )
    return [finding.text for finding in effect_findings(outcome, table)]


def test_what_is_called_clear_is_quoted_with_an_interval_that_holds_for_all() -> None:
    """It is wider than that of the table, and a sentence says what it is."""
    effects = judged(1, Planted(1, 6.0))
    (clear,) = (effect for effect in effects if effect.moves_shares)
    seat = clear.change.clearest()
    text = texts(effects)[0]
    assert text.startswith("4 players: 1 of 6 effects clearly changes win shares: n0 + 1 by ")
    ends = words.interval(clear.gain.low, clear.gain.high, digits=2, sign=True)
    assert text.endswith(f" pp for seat {seat} ({ends}). This interval is {TOGETHER}")
    own = clear.change.gain(seat)
    assert clear.gain.low < own.low < own.high < clear.gain.high


def test_what_only_the_screen_marks_is_undecided() -> None:
    """The finding names no such effect, and says why the table has a small q nevertheless."""
    effects = [replace(effect, q_seats=0.5) for effect in judged(3, Planted())]
    assert not any(effect.moves_shares for effect in effects)
    assert "a q below" not in " ".join(texts(effects))
    for count, what in ((1, "one of them has"), (2, "2 of them have")):
        marked = [replace(effect, q_seats=0.01) for effect in effects[:count]] + effects[count:]
        first, *_, last = texts(marked)
        assert first == "4 players: none of 6 effects clearly changes the win share of a single seat."
        assert "4 players: 6 effects are undecided; " in last
        assert f" In the table, {what} a q below 0.05, which marks an effect but does not make it clear." in last


def test_a_single_effect_is_not_counted() -> None:
    """Neither a clear one nor one that is not."""
    clear = next(effect for effect in judged(1, Planted(1, 6.0)) if effect.moves_shares)
    assert texts([clear])[0].startswith("4 players: the only effect clearly changes win shares: n0 + 1 by ")
    unclear = next(effect for effect in judged(3, Planted()) if not effect.moves_shares)
    assert texts([unclear])[0] == ("4 players: the only effect does not clearly change the win share of a single seat.")


def test_what_clearly_moves_the_distance_is_not_undecided() -> None:
    """A moved distance is a moved share, even if it is not clear whose."""
    first, *rest = judged(3, Planted())
    moved = replace(first, p_fair=0.01)
    table = SettingTable(4, 2.0, [{}], [], [], [], [moved, *rest])
    assert first not in open_effects(table) and len(open_effects(table)) == 5
    assert any("clearly move win shares" in text for text in texts([moved, *rest]))


def test_a_moved_distance_is_quoted_with_its_interval() -> None:
    """That of the table, and the finding says that it holds by itself."""
    first, *rest = judged(3, Planted())
    found = next(text for text in texts([replace(first, p_fair=0.01), *rest]) if "uncorrected distance" in text)
    moved = first.change.more("distance")
    ends = words.interval(moved.low, moved.high, digits=2, sign=True)
    assert found.endswith(f"each interval by itself): {first.axis.name} + 1 by {words.pp(moved.value, 2)} ({ends}).")


def test_the_number_of_games_is_for_the_least_precise_effect() -> None:
    """Effects that touched no game do not make it smaller, and with enough games the sentence is in the past."""
    effects = judged(3, Planted())
    needed = games_to_see(effects, GAMES)
    assert needed
    base = response(np.arange(GAMES) % 4, 4)
    nothing = replace(effects[0], change=replace(effects[0].change, value=0 * base.value, influence=0 * base.influence))
    assert games_to_see([*effects, nothing, nothing, nothing, nothing, nothing, nothing, nothing], GAMES) == needed
    assert texts(effects)[-1].endswith(
        f" With about {needed:,} games per setting, an effect of 1 pp on a seat would be clear in at least 8 of 10 "
        "cases."
    )
    few = [replace(effect, change=replace(effect.change, influence=effect.change.influence / 10)) for effect in effects]
    assert texts(few)[-1].endswith(" An effect of 1 pp on a seat would have been clear in at least 8 of 10 cases.")
    assert games_to_see([], GAMES) is None
