"""The golden games are still played as they were written down."""

from __future__ import annotations

import pytest

from tests.games.river_of_gold.golden import CASES, FOLDER, golden_text, path_of

UPDATE = "python -m tests.games.river_of_gold.golden_update"


@pytest.mark.parametrize(("players", "patrons"), CASES)
def test_a_golden_game_is_played_to_the_letter(players: int, patrons: str) -> None:
    """Each golden game is the same again, line by line."""
    written = path_of(players, patrons).read_text(encoding="utf-8").splitlines()
    played = golden_text(players, patrons).splitlines()
    for number, (old, new) in enumerate(zip(written, played, strict=False), 1):
        assert new == old, f"line {number} of {path_of(players, patrons).name}; if this is meant: {UPDATE}"
    assert len(played) == len(written)


def test_there_is_a_golden_game_for_each_case_and_no_other() -> None:
    """Every player count, with and without the draft of patrons, has its file."""
    assert {path.name for path in FOLDER.iterdir()} == {path_of(*case).name for case in CASES}
