"""Rows that no game can have stop a run, before anything is stored or printed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import rogsim
from rogsim.game import rules as contract
from rogsim.game.columns import Column
from rogsim.game.kit.faults import RulesFault
from rogsim.game.registry import register
from tests.command_line import Run
from tests.dice_game.spec import GAME, RULES, SEAT_COLUMNS

pytestmark = [pytest.mark.once_uncompiled, pytest.mark.usefixtures("dice_race")]  # which is registered anew here

KEYS: dict[str, Any] = {"game": "dice-race", "players": [2], "games": 6, "seed": 3, "bots": ["runner"]}
RANK = Column("rank", "i1", "the place of this seat")


def score_too_little(tables: Any, race: Any, scores: Any) -> None:
    RULES.score(tables, race, scores)
    scores["win_share"] *= 0.75


def score_nothing(tables: Any, race: Any, scores: Any) -> None:
    RULES.score(tables, race, scores)
    scores["win_share"] = 0


def score_two_seconds(tables: Any, race: Any, scores: Any) -> None:
    RULES.score(tables, race, scores)
    scores["rank"] = 2


@pytest.mark.parametrize(
    ("score", "what"),
    [
        (
            score_too_little,
            r"column \"win_share\", game 0, seat \d: 0.75 is not allowed: the winners share 1 ",
        ),
        (score_nothing, r"column \"win_share\", game 0, seat 1: 0.0 is not allowed: the winners share 1 "),
        (score_two_seconds, r"column \"rank\", game 0, seat 1: 2 is not allowed: must be one more than "),
    ],
)
def test_rows_that_no_game_can_have_stop_a_run(
    score: Callable[..., None], what: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The line blames the rules, and names the column, the game and the seat; no rows are stored."""
    monkeypatch.setitem(contract._RULES, RULES.state, RULES)  # back in place after the test
    monkeypatch.setattr(contract, "_KNOWN", {})
    columns = (*SEAT_COLUMNS, RANK) if score is score_two_seconds else SEAT_COLUMNS
    register(replace(GAME, rules=replace(RULES, score=score), seat_columns=columns))
    who = "the rules in tests.dice_game.rules give rows with 2 players that no game can have"
    with pytest.raises(RulesFault, match=f"^{who}: {what}"):
        rogsim.run(KEYS, out=tmp_path / "out", chunk=6, jobs=1)
    assert not (tmp_path / "out").exists()


def test_the_command_prints_no_tables(monkeypatch: pytest.MonkeyPatch, command: Run, tmp_path: Path) -> None:
    """It ends with exit code 2 and one line."""
    monkeypatch.setitem(contract._RULES, RULES.state, RULES)
    monkeypatch.setattr(contract, "_KNOWN", {})
    register(replace(GAME, rules=replace(RULES, score=score_too_little)))
    text = 'game = "dice-race"\nplayers = [2]\ngames = 6\nseed = 3\nbots = ["runner"]\n'
    (tmp_path / "s.toml").write_text(text)
    code, out, err = command("run", "s.toml", "--jobs", "1")
    assert code == 2
    assert "share" not in out
    assert "no game can have" in err
