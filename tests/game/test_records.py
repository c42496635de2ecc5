"""Records: structured arrays whose fields read as attributes."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from rogsim.game.compiler import ENABLED, records

pytestmark = pytest.mark.once_uncompiled

CARD = np.dtype([("cost", "i1"), ("points", "i4")], align=True)
SEAT = np.dtype([("koku", "i2"), ("best", CARD), ("hand", CARD, (3,))], align=True)
GAME = np.dtype([("turn", "i8"), ("seats", SEAT, (2,)), ("row", "i2", (4,))], align=True)


def test_fields_are_read_and_written_in_place_at_any_depth() -> None:
    """A record inside a record, or in an array inside one, is part of the outermost array, not a copy."""
    games = records(GAME, 2)
    game = games[1]
    game.turn, game.row[2] = 5, 7
    game.seats[1].koku = 3
    game.seats[1].best = game.seats[1].hand[0] = (1, 2)
    game.seats[1].hand[2].points += 9
    plain = np.zeros(2, GAME)
    plain["turn"][1], plain["row"][1, 2] = 5, 7
    plain["seats"]["koku"][1, 1] = 3
    plain["seats"]["best"][1, 1] = plain["seats"]["hand"][1, 1, 0] = (1, 2)
    plain["seats"]["hand"]["points"][1, 1, 2] = 9
    assert games.tobytes() == plain.tobytes()
    assert game.row.dtype == np.int16
    assert (type(game.turn), type(game.row[0])) == ((np.int64, np.int16) if ENABLED else (int, int))


def test_what_was_read_once_is_read_anew() -> None:
    """Whether a field was read before or not: it shows what lies in memory now, also after a record was copied."""
    games = records(GAME, 2)
    for value in (3, 4):
        plain = np.zeros(1, GAME)
        plain["turn"] = plain["row"] = plain["seats"]["koku"] = plain["seats"]["hand"]["points"] = value
        games[1] = plain[0]
        games[0].seats[1].best = games[1].seats[0].hand[2]
        games[0].seats[0] = games[1].seats[1]
        game = games[1]
        assert (game.turn, game.row[3], game.seats[1].koku, game.seats[1].hand[2].points) == (value,) * 4
        assert (games[0].seats[1].best.points, games[0].seats[0].koku, games[0].turn) == (value, value, 0)
        game.turn = game.row[3] = 7
        assert (games["turn"][1], games["row"][1, 3]) == (7, 7)


def test_only_fields_are_attributes() -> None:
    """A mistyped field is an error, whether it is read or written."""
    game = records(GAME, 1)[0]
    with pytest.raises(AttributeError, match="trun"):
        _ = game.trun
    with pytest.raises(AttributeError, match="trun"):
        game.trun = 1


def test_the_layout_is_the_same() -> None:
    """Records are laid out as their dtype says, gaps included, so that compiled code finds each field in its place."""
    games = records(GAME, 2)
    assert games.dtype == GAME
    assert games.dtype.isalignedstruct
    games[0].seats[1].hand[2].points = 9
    plain = np.frombuffer(games.tobytes(), GAME)
    assert plain[0]["seats"][1]["hand"][2]["points"] == 9


def test_the_data_of_a_record_are_its_memory() -> None:
    """All its bytes and no others, read and written in place, also those of a record in an array inside another one."""
    games = records(GAME, 2)
    bytes_of_games = games.view(np.uint8).reshape(2, -1)
    games[1].data[:] = bytes(place % 256 for place in range(GAME.itemsize))
    assert not bytes_of_games[0].any()
    assert bytes_of_games[1].tolist() == games[1].data.tolist() == (np.arange(GAME.itemsize) % 256).tolist()
    card = games[0].seats[1].hand[2]
    card.data[:] = bytes(CARD.itemsize * [255])
    assert (card.points, len(card.data), (bytes_of_games[0] == 255).sum()) == (-1, CARD.itemsize, CARD.itemsize)


def test_copies_are_records() -> None:
    """Copied in any way, even to another process, a record is independent and still has its fields as attributes."""
    game = records(GAME, 1)[0]
    game.seats[1].koku = 3
    for copied in (game.copy(), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert copied.seats[1].koku == 3
        copied.seats[1].koku = 4
    (array,) = pickle.loads(pickle.dumps(records(GAME, 1)))
    assert array.seats[0].koku == 0
    assert game.seats[1].koku == 3
