"""Sentences on seats and levels that are always, or nearly always, together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from rogsim.report.balance.confounded import LEAST_GAMES, confounding_words
from rogsim.report.balance.sources import Material
from tests.report.conftest import KEYS, material_for

pytestmark = [pytest.mark.once_compiled, pytest.mark.usefixtures("race")]

TWO = KEYS | {"players": [2]}


def with_rows(rows: Sequence[tuple[int, int]]) -> Material:
    """A report with two players, and these games of each first roll in each seat."""
    material = material_for(TWO)
    cells = material.sources[0].balance.players[2].cells
    found = [
        {"level": str(place), "seat": seat, "n": n}
        for place, of_level in enumerate(rows)
        for seat, n in enumerate(of_level, 1)
    ]
    levels = tuple(map(str, range(len(rows))))
    cells["first_roll"] = replace(cells["first_roll"], levels=levels, rows=tuple(found))
    return material


def sentences(material: Material) -> list[str]:
    """The sentence on the seats and that on the first rolls."""
    by_topic = {verdict.claim.topic: verdict for verdict in material.verdicts}
    return [confounding_words(material, [by_topic[topic]]) for topic in ("seats", "rolls")]


def test_a_seat_that_nearly_always_has_a_level_is_hard_to_tell_from_it() -> None:
    """Both answers say so, with the share of games."""
    expected = " Seat 1 has 0 in 97% of its games with 2 players, so these effects can hardly be distinguished."
    assert sentences(with_rows([(979, 100), (10, 450), (11, 450)])) == [expected, expected]
    assert sentences(with_rows([(850, 100), (75, 450), (75, 450)])) == ["", ""]


def test_a_level_that_is_as_usual_elsewhere_does_not_set_a_seat_apart() -> None:
    """Seats that all have the same level differ by other things."""
    assert sentences(with_rows([(979, 970), (21, 30)])) == ["", ""]


def test_a_rare_level_of_one_seat_matters_for_the_level_only() -> None:
    """Its effect is hard to tell from that of the seat, but hardly changes that of the seat."""
    seats, rolls = sentences(with_rows([(500, 530), (470, 470), (30, 0)]))
    assert seats == ""
    assert rolls == " 2 is in seat 1 in 100% of its games with 2 players, so these effects can hardly be distinguished."
    assert sentences(with_rows([(500, 529), (471, 471), (29, 0)])) == ["", ""]


def test_numbers_of_players_share_a_sentence() -> None:
    """The share of games is that with each of them."""
    material = material_for(KEYS)
    for players in (2, 3):
        measured = material.sources[0].balance.players[players]
        rows = [{"level": str(place), "seat": seat, "n": n} for place, n in enumerate((95, 5)) for seat in [1]]
        rows += [{"level": str(place), "seat": seat, "n": 50} for place in (0, 1) for seat in range(2, players + 1)]
        rows.sort(key=lambda row: (row["level"], row["seat"]))
        measured.cells["first_roll"] = replace(measured.cells["first_roll"], levels=("0", "1"), rows=tuple(rows))
    seats = [verdict for verdict in material.verdicts if verdict.claim.topic == "seats"]
    assert confounding_words(material, seats).startswith(
        " Seat 1 has 0 in 95% of its games with 2 players and 95% with 3, so"
    )


@pytest.mark.parametrize(("games", "said"), [(LEAST_GAMES, True), (LEAST_GAMES - 1, False)])
def test_a_few_games_do_not_show_that_two_questions_are_the_same(games: int, said: bool) -> None:
    """In a single game each seat has only one patron."""
    material = material_for(TWO)
    (verdict,) = (verdict for verdict in material.verdicts if verdict.claim.topic == "seats")
    seats = replace(verdict, claim=replace(verdict.claim, games=games))
    patrons = replace(seats, claim=replace(seats.claim, topic="patrons", noun="patron"))
    source = replace(material.sources[0], claims=(seats.claim, patrons.claim))
    found = confounding_words(replace(material, sources=(source,), verdicts=(seats, patrons)), [seats])
    assert found == (" Each seat always has the same patron, so they cannot be distinguished." if said else "")
