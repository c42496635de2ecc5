"""A page whose win shares are adjusted for what chance dealt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

import rogsim
from rogsim.game.registry import register, unregister
from rogsim.report.balance.pieces import adjustment
from rogsim.report.console.tables import AS_PLAYED, build_tables
from rogsim.report.document import Report, Section
from tests.dice_game import GAME
from tests.report.conftest import KEYS, TOPICS, report_on

pytestmark = pytest.mark.once_uncompiled

SAID = (
    "The first rolls are dealt at random, so the win shares are adjusted for the luck of the deal; they stay unbiased."
)


@pytest.fixture(scope="module")
def report() -> Iterator[Report]:
    """A report on the dice race, with the first rolls declared as dealt on a long track."""
    register(replace(GAME, topics=(replace(TOPICS[0], dealt={"long": 20}), *TOPICS[1:])))
    yield report_on(KEYS | {"players": [2]})
    unregister(GAME.id)


def section(report: Report, name: str) -> Section:
    return next(one for one in report.sections if one.name == name)


def test_the_seats_show_both_shares_and_the_games_saved(report: Report) -> None:
    """The table has the shares as played beside the adjusted ones, and says how many games that saves."""
    grid = section(report, "seats").grids[0]
    heads = [column.head for column in grid.columns]
    assert heads.index("as played (95%)") == heads.index("win share (95%)") + 1
    (note,) = grid.notes
    assert note.startswith(f"{SAID} Without the adjustment, the same precision would take more games: about ")
    assert note.endswith(" instead of 300 with 2 players.")


def test_draws_say_that_they_are_adjusted(report: Report) -> None:
    """The section on draws refers to the section that gives the games saved; an unadjusted section says nothing."""
    assert f"{SAID} The section Turn order shows how many games this saves." in section(report, "tracks").method
    assert not any("dealt at random" in text for text in section(report, "steps").method)


@pytest.mark.parametrize(
    ("savings", "said"),
    [
        ((1.0, 0.998), "This saves hardly any games."),
        (
            (1.0, 1.05),
            "Without the adjustment, the same precision would take more games: about 1,050 instead of 1,000 with 3 "
            "players, and about as many in the other ",
        ),
    ],
)
def test_only_games_that_are_saved_are_told(savings: tuple[float, ...], said: str) -> None:
    """A number of players with which the adjustment saves nothing is not listed with its games."""
    topic = SimpleNamespace(title="First rolls", columns=("rolls",))
    balances = [
        SimpleNamespace(players=players, games=1000, adjusted_for=("rolls",), seats=SimpleNamespace(saving=saving))
        for players, saving in zip((2, 3), savings, strict=True)
    ]
    source, spec = SimpleNamespace(label="bot"), SimpleNamespace(topics=(topic,))
    material: Any = SimpleNamespace(single=True, spec=spec, each=lambda: [(source, balance) for balance in balances])
    (text,) = adjustment(material)
    assert text.startswith(f"{SAID} {said}")


@pytest.mark.usefixtures("report")
def test_a_run_says_that_its_shares_are_as_played() -> None:
    """Tables of a run name the commands that adjust, unless its options deal nothing."""
    dealt, other = (rogsim.run(KEYS | {"players": [2], "games": 4, "options": {"long": long}}) for long in (20, 12))
    assert AS_PLAYED in build_tables(dealt)[0].notes
    assert AS_PLAYED not in build_tables(other)[0].notes
