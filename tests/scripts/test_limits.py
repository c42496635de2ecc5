"""The scripts that train a bot to show what another one lacks: what they train, and how they show it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rogsim.bots.loading import find_bot
from rogsim.experiments.train import request_training
from rogsim.experiments.training_check import TrainingCheck
from rogsim.game.registry import get_game
from rogsim.games.river_of_gold.components.names import PATRONS
from rogsim.stats import Estimate
from scripts import measure_exploiters
from scripts.measure_exploiters import part, row
from scripts.measure_ladder import page_of
from scripts.measure_patrons import without_patrons
from scripts.update_docs import GAME, PART

WON = Estimate(0.30, 0.27, 0.33, 2_400, 2_400.0)
GAIN = Estimate(0.05, 0.02, 0.08, 2_400, 2_400.0)


def test_only_the_weights_of_patrons_are_left_out(tmp_path: Path) -> None:
    """All of them, for each player count and moment; the rest is as shipped."""
    spec = get_game(GAME)
    shipped, blind = (find_bot(spec, name, tmp_path) for name in ("learned", f"learned@{without_patrons(tmp_path)}"))
    changed = [
        name for name, old, new in zip(shipped.weight_names, shipped.weights, blind.weights, strict=True) if old != new
    ]
    assert all(name.endswith(PATRONS) for name in changed)
    assert all(new == 0 for name, new in zip(blind.weight_names, blind.weights, strict=True) if name.endswith(PATRONS))
    assert {patron for patron in PATRONS for name in changed if name.endswith(patron)} == set(PATRONS)


@pytest.mark.parametrize(
    ("low", "high", "word"), [(0.02, 0.08, "stronger"), (-0.02, 0.08, "not distinguishable"), (-0.08, -0.02, "weaker")]
)
def test_an_exploiter_is_compared_with_a_fair_share(tmp_path: Path, low: float, high: float, word: str) -> None:
    """The verdict depends on the interval only."""
    request = request_training(["seat-order"], bot="planner", against="planner", out=tmp_path / "x.toml")
    check = TrainingCheck(2_400, WON, *[replace(GAIN, low=low, high=high)] * 2)
    asked = measure_exploiters.parser().parse_args(["seat-order"])
    cells = row(request, "scenarios/seat-order.toml", 4, check, asked)
    known = ("`planner`", "`seat-order`", "4", "2 of 1,000 games", "2,400", "30.0% (27.0 to 33.0)", "25.0%", word)
    assert cells[:-1] == known
    assert "| `planner` | `seat-order` | 4 | 2 of 1,000 games |" in part([cells], 1)


def test_the_page_has_the_part_of_the_script() -> None:
    """Only then does it write its table there."""
    parts = {found[2] for found in PART.finditer(page_of(GAME).read_text(encoding="utf-8"))}
    assert "exploiters" in parts
