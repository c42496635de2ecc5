"""Views as vectors: every kind and format of field, and which layouts are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rogsim.game.compiler import records
from rogsim.game.kit.vector import FORMATS, VectorLayout, bits, category, every_number, number, seat

PLAYER = np.dtype([("coins", "i2"), ("hand", "u8"), ("tools", "i1", (2,))], align=True)
VIEW = np.dtype(
    [
        ("players", PLAYER, (4,)),
        ("speed", "f4"),
        ("phase", "i1"),
        ("actor", "i1"),
        ("owners", "i8", (2, 2)),
        ("pace", "i2", (4,)),
        ("open", "?"),
    ],
    align=True,
)
CARDS = ("ace", "king", "queen")
FIELDS = (
    seat("owners"),
    number("players[seat].coins", -5, 300),
    bits("players[me].hand", CARDS),
    number("players[seat].tools", 0, 9, ("saw", "axe")),
    category("phase", ("rest", "play"), first=1),
    number("speed", 0, 2),
    number("pace[seat]", 0, 9),
    number("open", 0, 1),
)


def a_view() -> Any:
    view = records(VIEW, 1)[0]
    for place in range(4):
        view.players[place].coins = -2 + 100 * place
        view.players[place].hand = 1 << place
        view.players[place].tools[:] = place, 9 - place
        view.pace[place] = place
    view.speed, view.phase, view.actor, view.open = 1.5, 2, 1, True
    view.owners[:] = [[0, 1], [2, -1]]
    return view


def test_a_vector_has_every_declared_element() -> None:
    """By name: seats come in the order from the observer to the left, unused seats not at all, none is zero."""
    layout = VectorLayout(VIEW, FIELDS, 3)
    elements = dict(zip(layout.names, layout.vector(a_view(), 2).tolist(), strict=True))
    expected = {
        "owners[0][0]": [0, 1, 0],
        "owners[0][1]": [0, 0, 1],
        "owners[1][0]": [1, 0, 0],
        "owners[1][1]": [0, 0, 0],
    }
    wanted = {
        f"{name}={who}": x for name, row in expected.items() for who, x in zip(("me", "me+1", "me+2"), row, strict=True)
    }
    wanted |= {"players[me].coins": 198, "players[me+1].coins": -2, "players[me+2].coins": 98}
    wanted |= {"players[me].hand[ace]": 0, "players[me].hand[king]": 0, "players[me].hand[queen]": 1}
    for who, place in (("me", 2), ("me+1", 0), ("me+2", 1)):
        wanted |= {f"players[{who}].tools[saw]": place, f"players[{who}].tools[axe]": 9 - place, f"pace[{who}]": place}
    wanted |= {"phase=rest": 0, "phase=play": 1, "speed": 1.5, "open": 1}
    assert elements == wanted
    bounds = dict(zip(layout.names, zip(layout.low.tolist(), layout.high.tolist(), strict=True), strict=True))
    assert (bounds["players[me+2].coins"], bounds["owners[0][0]=me"], bounds["speed"]) == ((-5, 300), (0, 1), (0, 2))


def test_words_say_the_same() -> None:
    """Nested by the names of the fields, with names for bits and categories, and seats counted from the observer."""
    words = VectorLayout(VIEW, FIELDS, 3).in_words(a_view(), 1)
    assert words == {
        "owners": [[2, 0], [1, None]],
        "players": [
            {"coins": 98, "hand": ["king"], "tools": {"saw": 1, "axe": 8}},
            {"coins": 198, "tools": {"saw": 2, "axe": 7}},
            {"coins": -2, "tools": {"saw": 0, "axe": 9}},
        ],
        "phase": "play",
        "speed": 1.5,
        "pace": [1, 2, 0],
        "open": True,
    }
    assert VectorLayout(VIEW, [category("phase", ("rest",))], 2).in_words(a_view(), 0) == {"phase": None}


@pytest.mark.parametrize("kind", [*(str(kind) for kind in FORMATS), "bool"])
def test_every_format_is_read(kind: str) -> None:
    """The smallest and largest numbers of each format come through, as exactly as an element can hold them."""
    record = np.dtype([("gap", "i1"), ("value", kind, (3,))])  # not aligned
    view = records(record, 1)[0]
    limits = np.finfo(kind) if kind[0] == "f" else np.iinfo("u1" if kind == "bool" else kind)
    view.value[:] = [limits.min, limits.max, 1] if kind != "bool" else [False, True, True]
    layout = VectorLayout(record, [number("value", 0, 1)], 2)
    with np.errstate(over="ignore"):
        assert layout.vector(view, 1).tolist() == view.value.astype(np.float32).tolist()


def test_without_a_declaration_every_number_is_in_the_vector() -> None:
    """All fields at all depths, with the bounds of their types."""
    layout = VectorLayout(VIEW, every_number(VIEW), 2)
    assert len(layout) == 4 * 4 + 1 + 2 + 4 + 4 + 1
    assert layout.names[:3] == ("players[0].coins", "players[1].coins", "players[2].coins")
    assert (layout.low[0], layout.high[0]) == (-(2**15), 2**15 - 1)
    view = a_view()
    vector = layout.vector(view, 0)
    assert np.all((layout.low <= vector) & (vector <= layout.high))
    assert vector[layout.names.index("players[3].coins")] == 298


@pytest.mark.parametrize(
    ("field", "message"),
    [
        (number("coins", 0, 1), '"coins": there is no field "coins", but players, speed, phase, actor'),
        (number("phase.coins", 0, 1), '"phase.coins": there is no field "coins", but none'),
        (number("players[seat]", 0, 1), r'"players\[seat\]" is not a number'),
        (bits("speed", CARDS), '"speed" is not a whole number'),
        (number("owners[seat]", 0, 1), r'"owners\[seat\]": "owners" has no entry for each of 4 seats'),
        (number("phase[me]", 0, 1), '"phase" has no entry for each of 4 seats'),
        (number("players[0].coins", 0, 1), "is no path"),
    ],
)
def test_a_layout_that_does_not_fit_is_refused(field: Any, message: str) -> None:
    """The error names the path and what is wrong with it."""
    with pytest.raises(ValueError, match=message):
        VectorLayout(VIEW, [field], 4)
