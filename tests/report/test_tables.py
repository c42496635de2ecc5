"""Tables: their numbers are those of the rows, and their sentences agree with the numbers."""

from __future__ import annotations

import io
import re
from statistics import fmean
from typing import Any

import numpy as np
import polars as pl
import pytest
from rich.console import Console

import rogsim
from rogsim.game.registry import get_game
from rogsim.report.balance.pieces import sortable
from rogsim.report.console.run_answer import judge_seats
from rogsim.report.console.tables import FEWEST_GAMES, build_tables, print_tables, verdict
from rogsim.report.console.text_table import Table
from rogsim.report.words import MINUS, give_or_take
from rogsim.results.results import Results
from rogsim.stats.alpha_spending import ALPHA, weight
from rogsim.stats.balance.levels import Levels, LevelSums, seats_of
from rogsim.stats.balance.measure import balance
from rogsim.stats.blocks import BlockRows
from tests.series import FIELD, SPEC, series

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
    monkeypatch.setattr("rogsim.report.console.tables.FEWEST_GAMES", 1)
    river = rogsim.run({"players": [2], "games": 6, "bots": ["random"], "tables": ["patron", "masteries"]} | DEALT)
    names = {topic.name: set(topic.labels.values()) for topic in get_game("river-of-gold").topics}
    assert {row[0] for row in table(river, "2 players: by patron").rows} <= names["patrons"]
    draws = [row[0].split(", ") for row in table(river, "2 players: by masteries").rows]
    assert {name for draw in draws for name in draw} <= names["masteries"]
    assert [row[0] for row in table(river, "2 players: by seat").rows] == ["1", "2"]


def test_the_tables_are_those_asked_for(results: Results) -> None:
    """Seats always, bots if there are several, then the tables that the scenario names, for each player count."""
    kinds = ["seat", "bot", "track", "first roll"]
    titles = [f"{players} players: by {kind}" for players in (3, 2) for kind in kinds]
    assert [table.title for table in build_tables(results)] == titles


def test_one_bot_needs_no_table_of_bots() -> None:
    """A single bot wins its fair share by definition, so there is no table of it."""
    titles = [table.title for table in build_tables(rogsim.run(KEYS | {"bots": ["moody"], "tables": []}))]
    assert titles == ["3 players: by seat", "2 players: by seat"]


@pytest.mark.parametrize("factor", ["seat", "bot", "first_roll"])
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


def test_the_seat_table_gives_games_turns_and_the_fair_gap(results: Results) -> None:
    """Below the seats are the number of games, their turns, and the gap that a fair game would stay below."""
    games, gap, band, _ = table(results, "3 players: by seat").notes
    turns = fmean(row["turns"] for row in rows_of(results, 3, seat=1))
    assert games.startswith(f"240 games of {turns:.1f} (")
    assert re.fullmatch(r"The best and worst seats differ by \d+\.\d pp\.", gap)
    assert re.fullmatch(r"In a fair game of this size they would differ by less than \d+\.\d pp in 95% of runs\.", band)


def test_a_single_game_is_one_game() -> None:
    """The number of games and its noun agree."""
    notes = table(rogsim.run(KEYS | {"games": 1, "bots": ["runner"]}), "3 players: by seat").notes
    assert notes[0].startswith("1 game of ")


def verdict_on(*wins: int) -> str:
    """The verdict on seats that win so many games, in a run with one player count."""
    return verdict(judge_seats({len(wins): seats_with(*wins)}, {len(wins): 1})[len(wins)])


def seats_with(*wins: int) -> Levels:
    """Seats of games, as many for each seat as it wins."""
    players = len(wins)
    won = np.eye(players)[np.repeat(np.arange(players), wins)]
    games = pl.DataFrame({"game": np.arange(len(won)), "block": np.arange(len(won))})
    rows = {"win_share": won.ravel(), "points": won.ravel(), "seat": np.tile(np.arange(1, players + 1), len(won))}
    key = {name: np.repeat(games[name].to_numpy(), players) for name in games.columns}
    sums = LevelSums("seat", range(1, players + 1))
    sums.add(BlockRows(players, pl.DataFrame(key | rows), games))
    return sums.result(players)


def test_the_verdict_names_the_seat_and_its_interval() -> None:
    """The sentence on a clear difference gives its seat, size, direction and interval."""
    assert verdict_on(2_710, 2_500, 2_450, 2_340) == (
        "Seat 1 wins 2.1 pp more than its fair share (simultaneous 95% interval +1.0 to +3.3)."
    )
    assert verdict_on(2_550, 2_650, 2_600, 2_200) == (
        f"Seat 4 wins 3.0 pp less than its fair share (simultaneous 95% interval {MINUS}4.1 to {MINUS}1.9)."
    )


def test_of_two_seats_the_favoured_one_is_named() -> None:
    """With two players both seats are equally far from fair; the sentence names the favoured one."""
    assert verdict_on(4_600, 5_400).startswith("Seat 2 wins 4.0 pp more")


def test_the_verdict_names_no_seat_if_chance_explains_the_gap() -> None:
    """That holds for small gaps, and for large ones from few games; with too few games, it says so."""
    fair = "No seat differs from its fair share by more than chance would explain."
    assert verdict_on(2_540, 2_490, 2_510, 2_460) == fair
    assert verdict_on(30, 25, 25, 20) == fair
    assert verdict_on(3, 0) == "Too few games to show whether a seat is favoured."


def test_player_counts_of_a_run_share_one_error_rate() -> None:
    """A gap that is clear with one player count may be chance if it is the clearest of three."""
    gap = seats_with(1_052, 948)
    assert ALPHA * weight(1) / 3 < gap.overall.p < ALPHA * weight(1)
    for others, is_named in ((0, True), (2, False)):
        levels = {2: gap, **{3 + more: seats_with(*[100] * (3 + more)) for more in range(others)}}
        assert verdict(judge_seats(levels, dict.fromkeys(levels, 1))[2]).startswith("Seat 1") is is_named


def test_a_seat_that_always_wins_is_named() -> None:
    """Forty wins in forty games are not chance, although the seat's share has no variance."""
    found = verdict_on(40, 0)
    assert found == "Seat 1 wins 50.0 pp more than its fair share (simultaneous 95% interval +36.7 to +50.0)."


def test_run_and_seats_show_the_same_fair_gap() -> None:
    """The table of a run has the fair gap of the report on seats, even with bots of very different strength."""
    results = series(np.random.default_rng(1), 300, 4, FIELD, skill=(0, 5, 10, 20))
    seats = balance(results, SPEC, only=("seats",)).players[4].seats
    assert seats is not None
    assert seats_of(results, 4).band == seats.band
    assert 0 < seats.band < 5


def test_few_false_alarms_in_fair_races() -> None:
    """About two of 40 fair series name a seat, not one in five as with four separate intervals."""
    keys = {"bots": ["runner"], "players": [4], "games": 60, "options": {"end": "fair"}, "tables": []}
    alarms = 0
    for seed in range(40):
        (shown,) = build_tables(rogsim.run(KEYS | keys | {"seed": seed}))
        alarms += "No seat differs" not in shown.notes[-1]
    assert alarms <= 6


def printed(results: Results, **terminal: Any) -> str:
    stream = io.StringIO()
    print_tables(results, Console(file=stream, highlight=False, **terminal))
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


def test_a_single_game_gives_estimates_without_intervals() -> None:
    """One game is shown, and no claim is made from it."""
    results = rogsim.run(KEYS | {"games": 1, "bots": ["moody"]})
    text = printed(results)
    assert "Too few games to show whether a seat is favoured." in text
    assert "nan" not in text
    rows = re.findall(r"^\d +1 +.*", text, re.MULTILINE)
    assert len(rows) > 3
    for row in rows:
        assert re.fullmatch(r"\d +1 +\S+% \(too few\) +\d+\.\d% +too few +\S+ \(too few\)", row.rstrip())
    assert re.search(r"^1 game of \d+\.\d turns\.$", text, re.MULTILINE)


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
