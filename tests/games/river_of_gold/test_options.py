"""The options of River of Gold, and the messages for invalid ones."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rogsim.base.errors import RogsimError
from rogsim.games.river_of_gold import spec
from rogsim.games.river_of_gold.components.names import MASTERIES, NONE, PATRONS
from rogsim.games.river_of_gold.options import Options
from rogsim.games.river_of_gold.play.rows import MASTERY_SETS
from rogsim.scenario.model import load
from tests.games.river_of_gold.games import batch_of, outcomes


def problems(tmp_path: Path, options: str, players: str = "[2]") -> list[str]:
    """The messages for a scenario file with these options, line by line."""
    path = tmp_path / "x.toml"
    path.write_text(f'players = {players}\ngames = 1\nseed = 1\nbots = ["random"]\n[options]\n{options}\n')
    with pytest.raises(RogsimError) as caught:
        load(path)
    return str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ('masteries = ["air", "air", "void"]', ["options.masteries", '"air" is listed twice']),
        ('masteries = ["air", "void"]', ["options.masteries", "2 masteries", "3 are in play"]),
        ('masteries = ["air", "void", "wind"]', ["options.masteries", '"wind"', *MASTERIES]),
        ('masteries = "all"', ["options.masteries", '"all"', "random", "each", *MASTERIES]),
        ("masteries = 3", ["options.masteries"]),
        ('patrons = ["kudaka", "kudaka"]', ["options.patrons", '"kudaka" is listed twice']),
        ('patrons = ["kudaka", "yoritomo"]', ["options.patrons", "kudaka", "yoritomo", "mantis"]),
        ('patrons = ["kudaka", "somebody"]', ["options.patrons", '"somebody"', *PATRONS]),
        ('patrons = ["kudaka", "yasuki-taka", "daidoji-uji"]', ["patrons", "3 for 2 players"]),
        ('patrons = "all"', ["options.patrons", "none", "draft", "alternative", "dealt"]),
        ('patron = "none"', ["options.patron", '"patrons"']),
    ],
)
def test_an_impossible_option_is_one_line_that_says_what_is_allowed(
    tmp_path: Path, options: str, words: list[str]
) -> None:
    """The key, what is wrong with its value, and the choices."""
    lines = problems(tmp_path, options)
    assert len(lines) == 1
    assert [word for word in [*words, "x.toml"] if word not in lines[0]] == []


def masteries_played(masteries: Any, games: int) -> list[int]:
    setup = spec.prepare(Options(masteries=masteries), 2)
    _, game_rows = outcomes(setup, batch_of(["random", "random"], games))
    return game_rows["masteries"].tolist()


def mask(names: tuple[str, ...]) -> int:
    return sum(1 << MASTERIES.index(name) for name in names)


@pytest.mark.once_compiled  # plays many games
def test_each_draw_of_masteries_is_played_equally_often() -> None:
    """In 40 games with "each", all 20 draws of three come up twice."""
    draws = Counter(masteries_played("each", 40))
    assert draws == {mask(three): 2 for three in combinations(MASTERIES, 3)}
    assert all(MASTERY_SETS[drawn] for drawn in draws)


def test_masteries_by_name_are_in_every_game() -> None:
    """Three names: these and no others."""
    assert set(masteries_played(["water", "air", "fire"], 5)) == {mask(("air", "fire", "water"))}


@pytest.mark.once_compiled  # plays many games
def test_random_masteries_differ_from_game_to_game() -> None:
    """With "random", forty games see more than ten draws."""
    assert len(set(masteries_played("random", 40))) > 10


def patrons_played(patrons: Any, players: int, games: int) -> np.ndarray:
    setup = spec.prepare(Options(patrons=patrons), players)
    seat_rows, _ = outcomes(setup, batch_of(["random"] * players, games))
    return seat_rows["patron"].reshape(games, players)


def test_patrons_by_name_sit_where_they_are_named() -> None:
    """The first name is the first seat's, in every game."""
    named = ["kudaka", "bayushi-kashiko", "kaiu-shihobu"]
    assert patrons_played(named, 3, 4).tolist() == [[PATRONS.index(name) for name in named]] * 4


def test_without_patrons_nobody_has_one() -> None:
    """The mode "none"."""
    assert (patrons_played("none", 4, 3) == NONE).all()


MODES = [(mode, players) for mode in ("draft", "alternative", "dealt") for players in (2, 3, 4)]


@pytest.mark.once_compiled  # plays many games
@pytest.mark.parametrize(("mode", "players"), MODES)
def test_every_other_mode_gives_each_seat_a_patron_of_its_own_clan(mode: str, players: int) -> None:
    """Over some games all patrons occur, but never two of one clan in a game."""
    patrons = patrons_played(mode, players, 40)
    assert all(len(set(row // 2)) == players for row in patrons)
    assert set(patrons.ravel()) == set(range(len(PATRONS)))
