"""Tables: their numbers are those of the rows, and their sentences agree with the numbers."""

from __future__ import annotations

import io
import re
from statistics import fmean
from typing import Any

import polars as pl
import pytest
from rich.console import Console

import rogsim
from rogsim.game.registry import get_game
from rogsim.report.balance.sources import sortable
from rogsim.report.console.run_results import FEWEST_GAMES, build_tables, print_results
from rogsim.report.console.text_table import Table
from rogsim.report.words import MINUS, give_or_take
from rogsim.results.results import Results

pytestmark = [pytest.mark.once_compiled, pytest.mark.usefixtures("dice_race")]

KEYS: dict[str, Any] = {
    "game": "dice-race",
    "players": [3, 2],
    "games": 240,
    "seed": 2,
    "bots": ["runner", "walker", "moody"],
    "tables": ["seat", "track", "first_roll"],
    "options": {"long": 20},
}


@pytest.fixture
def results() -> Results:
    return rogsim.run(KEYS)


def rows_of(results: Results, players: int, **wanted: Any) -> list[dict[str, Any]]:
    """Seat rows with the columns of their games, as plain dicts."""
    games = {row["game"]: row for row in results.games().collect().filter(players=players).to_dicts()}
    rows = results.seats().collect().filter(players=players).to_dicts()
    joined = [games[row["game"]] | row for row in rows]
    return [row for row in joined if all(row[name] == value for name, value in wanted.items())]


def table(results: Results, title: str) -> Table:
    return next(table for table in build_tables(results) if table.title == title)


DEALT = {"seed": 1, "options": {"patrons": "dealt"}}


def test_a_draw_in_a_few_games_has_no_row() -> None:
    """Numbers from fewer than ten games say nothing; a note says how many rows are left out."""
    played = rogsim.run({"players": [2], "games": 60, "bots": ["random"], "tables": ["masteries"]} | DEALT)
    counts = played.games().select("masteries").collect()["masteries"].value_counts()["count"]
    shown = table(played, "2 players: by masteries")
    left = int((counts < FEWEST_GAMES).sum())
    assert left > 0
    assert len(shown.rows) == len(counts) - left
    assert f"Left out: {left} row{'s' * (left > 1)} with fewer than {FEWEST_GAMES} games." in shown.notes


def test_levels_have_the_words_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """A level and the members of a draw are called what pages call them; a level without words keeps its name."""
    monkeypatch.setattr("rogsim.report.console.run_results.FEWEST_GAMES", 1)
    river = rogsim.run({"players": [2], "games": 6, "bots": ["random"], "tables": ["patron", "masteries"]} | DEALT)
    names = {topic.name: set(topic.labels.values()) for topic in get_game("river-of-gold").topics}
    assert {row[0] for row in table(river, "2 players: by patron").rows} <= names["patrons"]
    draws = [row[0].split(", ") for row in table(river, "2 players: by masteries").rows]
    assert {name for draw in draws for name in draw} <= names["masteries"]


def test_the_tables_are_those_asked_for(results: Results) -> None:
    """Seats if the question is about them, bots if there are several, then those that the scenario names."""
    kinds = ["seat", "bot", "track", "first roll"]
    titles = [f"{players} players: by {kind}" for players in (3, 2) for kind in kinds]
    assert [table.title for table in build_tables(results)] == titles


def test_one_bot_needs_no_table_of_bots() -> None:
    """A single bot wins its fair share by definition, so there is no table of it."""
    tables = build_tables(rogsim.run(KEYS | {"bots": ["moody"], "tables": []}))
    assert {table.title.partition(": ")[2] for table in tables} == {"by seat"}


@pytest.mark.parametrize("factor", ["bot", "first_roll"])
def test_estimates_by_seat_factor_equal_a_plain_count(results: Results, factor: str) -> None:
    """Number, win share, fair share, difference and points of each level equal those of plain loops."""
    shown = table(results, f"3 players: by {factor.replace('_', ' ')}")
    levels = {row[factor] for row in rows_of(results, 3)}
    assert {row[0] for row in shown.rows} == {"none" if level is None else str(level) for level in levels}
    for level in levels:
        rows = rows_of(results, 3, **{factor: level})
        (row,) = [row for row in shown.rows if row[0] == ("none" if level is None else str(level))]
        won = fmean(row["win_share"] for row in rows)
        assert row[1] == str(len(rows))
        assert row[2].startswith(f"{won * 100:.1f}% (")
        assert row[3] == "33.3%"
        assert row[4] == f"{won * 100 - 100 / 3:+.1f}".replace("-", MINUS)
        assert row[5].startswith(f"{fmean(row['points'] for row in rows):.1f} (")


def test_estimates_by_game_factor_equal_a_plain_count(results: Results) -> None:
    """Games, each seat's share, points and turns of each track equal those of plain loops."""
    for row in table(results, "2 players: by track").rows:
        rows = rows_of(results, 2, track=row[0])
        assert row[1] == str(len(rows) // 2)
        for seat in (1, 2):
            won = fmean(other["win_share"] for other in rows if other["seat"] == seat)
            assert row[1 + seat].startswith(f"{won * 100:.1f} ±")
        assert row[4].startswith(f"{fmean(other['points'] for other in rows):.1f} ±")
        assert row[5].startswith(f"{fmean(other['turns'] for other in rows):.1f} ±")


def printed(results: Results, **terminal: Any) -> str:
    stream = io.StringIO()
    print_results(results, Console(file=stream, highlight=False, **terminal))
    return stream.getvalue()


def test_piped_tables_are_plain_and_aligned(results: Results) -> None:
    """Without a terminal there are no colours or frames, tables fit in 110 columns, and columns are aligned."""
    text = printed(results)
    assert "\x1b" not in text
    assert set(text) <= {*map(chr, range(32, 127)), "\n", "±", MINUS}
    lines = text.splitlines()
    assert max(map(len, lines[lines.index("") :])) <= 110
    start = lines.index("3 players: by bot") + 1
    ends = {line.rindex("%") for line in lines[start + 1 : start + 4]}
    assert len(ends) == 1
    assert lines[start].split()[:2] == ["bot", "n"]


def test_tables_fit_a_terminal_of_eighty_columns(results: Results) -> None:
    """On a narrow terminal nothing is cut off."""
    text = printed(results, force_terminal=True, width=80)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    assert "…" not in plain
    assert max(map(len, plain.splitlines())) <= 80
    for table in build_tables(results):
        for row in table.rows:
            assert all(cell in plain for cell in row)


def test_a_single_game_claims_nothing() -> None:
    """One game is shown, and no claim is made from it."""
    text = printed(rogsim.run(KEYS | {"games": 1, "bots": ["moody"], "tables": []}))
    assert "\nNot known yet: there are too few games to tell.\n" in text
    assert "1 game each with 2 and 3 players, by moody." in text
    assert "nan" not in text


def test_the_interval_of_a_share_near_0_or_1_does_not_leave_it() -> None:
    """A lopsided interval is given by its ends; others in short, and without an interval there is only the number."""
    assert give_or_take(0.5, 0.4, 0.6, 100) == "50.0 ±10.0"
    assert give_or_take(1.0, 0.955, 1.0, 100) == "100.0 (95.5 to 100.0)"
    assert give_or_take(0.002, 0.0004, 0.007, 100) == "0.2 (0.0 to 0.7)"
    assert give_or_take(0.5, None, None, 100) == give_or_take(0.5, float("nan"), float("nan"), 100) == "50.0"


def test_what_is_equal_but_for_rounding_has_one_order() -> None:
    """Two seats have opposite effects, and which is larger in the last digit depends on the processor."""
    frame = pl.DataFrame({"level": ["b", "a", "c", "d"], "chance": [0.1 + 0.2, 0.3, 1e-15, 2e-15]})
    ordered = frame.sort(sortable(pl.col("chance")), "level", descending=[True, False])
    assert ordered["level"].to_list() == ["a", "b", "d", "c"]
