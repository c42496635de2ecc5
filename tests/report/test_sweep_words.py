"""What the findings of a sweep say about effects, on games with known effects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from rogsim.experiments.sweep import SettingTable
from rogsim.report import words
from rogsim.report.sweep_sections import effect_findings, open_effects
from rogsim.stats.paired.main_effects import MainEffect, games_to_find, judged_together
from scripts.studies.effects import FAIR, Planted, shares_of, swept

pytestmark = pytest.mark.once_uncompiled

PARTS = [0.3] * 6
GAMES = 1_000


def judged(seed: int, planted: Planted) -> list[MainEffect]:
    (found,) = judged_together([swept(np.random.default_rng(seed), GAMES, FAIR[4], PARTS, planted)])
    return found


def table(effects: Sequence[MainEffect]) -> SettingTable:
    base = shares_of(np.arange(GAMES) % 4, 4)
    return SettingTable(4, None, [{}], [base], [base], [1.0], effects)


def texts(effects: Sequence[MainEffect]) -> list[str]:
    return [finding.text for finding in effect_findings(table(effects))]


def test_what_is_called_clear_is_quoted_with_an_interval_that_holds_for_all() -> None:
    """It is wider than that of the table, and a sentence says what it is."""
    effects = judged(1, Planted(1, 6.0))
    (clear,) = (effect for effect in effects if effect.moves_shares)
    ends = words.interval(clear.gain.low, clear.gain.high, digits=2, sign=True)
    assert texts(effects)[0] == (
        f"4 players: n0 + 1 gives seat {clear.clearest + 1} {words.pp(clear.gain.value, 2)} ({ends}). "
        "These intervals hold together for the whole sweep."
    )
    own = clear.contrasts[clear.clearest].effect
    assert clear.gain.low < own.low < own.high < clear.gain.high


def test_what_is_not_clear_may_be_chance() -> None:
    """No finding names such an effect; one says how large it may be, and how many games would show it."""
    effects = judged(3, Planted())
    needed = games_to_find(effects, GAMES)
    (text,) = texts(effects)
    reach = words.number(max(effect.move.high for effect in effects))
    assert text == (
        f"4 players: 6 effects may be chance, or up to {reach} pp. An effect of 1 pp would be clear in 8 of 10 sweeps "
        f"with {needed:,} games of each setting."
    )
    few = [replace(effect, change=replace(effect.change, influence=effect.change.influence / 10)) for effect in effects]
    assert "would be clear" not in texts(few)[-1]


def test_what_clearly_moves_the_distance_is_quoted_with_its_interval() -> None:
    """A moved distance is a moved share, even if it is not clear whose."""
    first, *rest = judged(3, Planted())
    moved = replace(first, p_distance=0.01)
    found = table([moved, *rest])
    assert first not in open_effects(found) and len(open_effects(found)) == 5
    distance = first.distance.effect
    ends = words.interval(distance.low, distance.high, digits=2, sign=True)
    text = next(text for text in texts([moved, *rest]) if "uncorrected" in text)
    assert text.endswith(f"uncorrected for noise: {first.axis.name} + 1 ({words.pp(distance.value, 2)} ({ends})).")


def test_the_number_of_games_is_for_the_least_precise_effect() -> None:
    """Effects that touched no game do not make it smaller."""
    effects = judged(3, Planted())
    needed = games_to_find(effects, GAMES)
    base = shares_of(np.arange(GAMES) % 4, 4)
    nothing = replace(effects[0], change=replace(effects[0].change, value=0 * base.value, influence=0 * base.influence))
    assert needed
    assert games_to_find([*effects, *[nothing] * 7], GAMES) == needed
    assert games_to_find([], GAMES) is None
