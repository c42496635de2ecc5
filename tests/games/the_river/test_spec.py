"""The River as the harness sees it."""

from __future__ import annotations

from random import Random

import pytest

from rogsim.game.compiler import records
from rogsim.game.kit.conformance import problems_of
from rogsim.game.kit.vector import layout_of
from rogsim.game.registry import get_game
from rogsim.game.rules import copy_of
from rogsim.games.the_river.options import Options
from rogsim.games.the_river.play.contract import RULES
from rogsim.games.the_river.spec import GAME, prepare
from tests.games.the_river.games import COUNTS, setup_for


def test_the_game_is_found_by_its_id() -> None:
    """The folder makes it a game, with the printed title and numbers of players."""
    assert get_game("the-river") is GAME
    assert (GAME.title, GAME.players) == ("The River", COUNTS)


@pytest.mark.once_compiled
def test_the_game_passes_the_checks_of_the_kit() -> None:
    """Whole random games of every player count and sample keep what the kit asks of a game."""
    assert problems_of("the-river") == []


def test_a_change_is_in_the_tables_and_not_in_the_files() -> None:
    """A changed parameter is played and told to agents; another set-up does not have it."""
    change, problems = GAME.check_change({"card": {"H31": {"points": 12}}})
    assert problems == []
    setup = prepare(Options(), 3, change)
    assert setup.tables.cards[30].points == 12
    assert setup.facts["card"]["H31"]["points"] == 12
    assert prepare(Options(), 3).tables.cards[30].points == 9
    with pytest.raises(TypeError):
        setup.facts["card"] = ()


@pytest.mark.parametrize(("players", "figures"), [(2, "wide"), (3, "printed"), (4, "narrow")])
def test_vectors_stay_within_their_bounds(players: int, figures: str) -> None:
    """In random games every element of every seat's vector is within its bounds, and shows what lies there."""
    setup = setup_for(players, figures)
    layout = layout_of(RULES, setup, players)
    state, menu, rng = records(RULES.state, 1)[0], records(RULES.menu, 1)[0], Random(players)
    RULES.begin(setup.tables, state, 5, players)
    while not RULES.is_over(state):
        view, seat = copy_of(state), int(state.actor)
        RULES.hide(view, seat)
        vector = layout.vector(view, seat)
        assert (vector >= layout.low).all()
        assert (vector <= layout.high).all()
        seen = GAME.rules.describe(setup, view, seat, rng)
        words = layout.in_words(view, seat)
        assert [tile for tile in words["display"].values() if tile] == seen["display"]
        assert [tile for tile in words["players"][0]["tiles"].values() if tile] == seen["players"][seat]["tiles"]
        RULES.legal(setup.tables, state, menu)
        RULES.apply(setup.tables, state, int(menu.actions[rng.randrange(menu.count)]))


def test_an_observation_shows_what_lies_open() -> None:
    """An agent is told who it is, what is asked, and everything but the order of the pile, the deck and chance."""
    setup = prepare(Options(boards=["green", "black", "blue"]), 3)
    state = records(RULES.state, 1)[0]
    RULES.begin(setup.tables, state, 1, 1)
    seen = RULES.describe(setup, state, int(state.actor), Random(1))
    assert [seen[name] for name in ("me", "actor", "active", "phase", "turn")] == [2, 2, 2, "start", 1]
    assert [player["board"] for player in seen["players"]] == ["green", "black", "blue"]
    assert [player["points"] for player in seen["players"]] == [0, 0, 0]
    assert len(seen["display"]) == 4
    assert seen["numbers"]["turn"]["claims_per_round"] == 2
    assert not {"secret", "meadows", "places"} & set(seen)
