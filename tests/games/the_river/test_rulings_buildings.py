"""J13, J14, J29 and J33: cards that run out, reserved cards, payments, and bonus tokens that run out."""

from __future__ import annotations

import pytest

from tests.games.the_river.table import Table

pytestmark = pytest.mark.once_uncompiled


def test_j13_without_cards_spots_stay_empty() -> None:
    """The last cards go to the first empty spots; the others are filled no more."""
    table = Table().lay_cards("H01", None, None, "H02", deck=1).end_round()
    assert table.cards[0] == "H01"
    assert table.cards[1] not in (None, "H01", "H02")
    assert table.cards[2:] == [None, "H02"]
    assert int(table.game.deck_left) == 0
    left = set(table.cards) - {None}
    assert table.options("reserve") == left
    assert set(table.end_round().cards) - {None} == left


def test_j14_reserved_cards_are_worth_nothing() -> None:
    """Only what was built scores; a reserved card neither adds nor costs points."""
    table = Table().lay_cards("H01", "H33").give(0, wood=1, stone=1).boats(4, 0, 0)
    table.take("construct H01", "reserve H33")
    assert table.reserved(0) == ["H33"]
    score = table.scores()[0]
    assert (int(score.points_buildings), int(score.points_tokens), int(score.points)) == (2, 6, 8)


def test_j29_every_payment_that_fits_is_offered() -> None:
    """Food replaces any resource, also one that the player has; nothing is paid beyond the cost."""
    table = Table().lay_cards("H07").give(0, wood=1, stone=1, clay=1, food=1).take("construct H07")
    assert table.options("pay") == {"1 1 1 0", "1 1 0 1", "1 0 1 1", "0 1 1 1"}
    table.take("pay 1 0 1 1")
    assert (table.held(0), table.islands, table.cards[0]) == ([0, 1, 0, 0], [10, 9, 10, 4], None)


def test_j29_the_discount_takes_one_resource_away() -> None:
    """A reserved card costs exactly one less: the player chooses which, but cannot pay the full cost."""
    table = Table().reserve(0, "H07").give(0, wood=1, stone=1, clay=1, food=1).take("construct H07")
    assert table.options("pay") == {"1 1 0 0", "1 0 1 0", "0 1 1 0", "1 0 0 1", "0 1 0 1", "0 0 1 1"}
    assert table.take("pay 0 0 1 1").held(0) == [1, 1, 0, 0]
    assert (table.reserved(0), table.built(0)) == ([], {"H07"})


def test_j29_the_discount_alone_is_a_choice() -> None:
    """With exactly the resources of the cost, the player still chooses which one to keep."""
    table = Table().reserve(0, "H01").give(0, wood=1, stone=1).take("construct H01")
    assert table.options("pay") == {"1 0 0 0", "0 1 0 0"}
    assert table.take("pay 0 1 0 0").held(0) == [1, 0, 0, 0]


def test_j29_a_building_for_nothing() -> None:
    """If the discount is as high as the cost, there is nothing to pay and nothing to choose."""
    table = Table(reserved_discount=2).reserve(0, "H01").give(0, wood=1, stone=1, food=1).take("construct H01")
    assert (table.actor, table.held(0), table.built(0)) == (1, [1, 1, 0, 1], {"H01"})


def test_j29_food_alone_can_pay() -> None:
    """Enough food pays for any card."""
    table = Table().lay_cards("H07", "H10").give(0, food=3).take("construct H07")
    assert (table.held(0), table.islands) == ([0, 0, 0, 0], [10, 10, 10, 4])


def test_j29_cards_of_others_cannot_be_built() -> None:
    """A reserved card is its owner's: nobody else builds it, however rich."""
    table = Table().lay_cards().reserve(1, "H01").give(0, wood=1, stone=1)
    assert not table.options("construct")
    assert table.give(1, wood=1).take("produce wood").options("construct") == {"H01"}


def test_j33_a_building_without_a_token_counts() -> None:
    """With the tokens gone the building scores, but brings no token and frees nobody."""
    table = Table(token_count=1).lay_cards("H01", "H02").boats(4, 0, 0)
    table.give(0, wood=1, stone=1).take("construct H01").give(0, wood=1, clay=1).take("construct H02")
    player = table.player(0)
    assert (table.tokens(0), table.built(0), int(player.fifth), int(player.boat)) == ([6], {"H01", "H02"}, 1, 2)
    assert int(table.scores()[0].points) == 2 + 2 + 6
