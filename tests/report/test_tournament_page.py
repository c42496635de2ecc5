"""The page of `rogsim tournament`: who is strongest, which bots are not distinguishable, and what may be replaced."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from rogsim.report.console.tournament_lines import answer_line
from rogsim.report.tournament.tournament_figures import beyond
from rogsim.report.tournament.tournament_folder import check
from rogsim.report.tournament.tournament_words import PlayersFound, findings_of, found_in, next_steps

from rogsim.base.errors import ResultsError
from rogsim.experiments.standings import build_standings, finish_rows, pair_leads
from rogsim.stats.ratings import Ratings

pytestmark = pytest.mark.once_uncompiled


def ratings(values: list[float], spread: float, blocks: int = 200) -> Ratings:
    """Ratings whose draws are independent and normal around their values."""
    value = np.array(values) - np.mean(values)
    drawn = value + np.random.default_rng(1).normal(0, spread, (4_000, len(values)))
    return Ratings(value, drawn - drawn.mean(axis=1, keepdims=True), np.ones(len(values), dtype=np.bool_), blocks)


def played(shares: dict[str, float], blocks: int = 300, look: int = 1) -> PlayersFound:
    """A tournament of two-player games in which the first of each pair wins so often."""
    names = sorted({name for pair in shares for name in pair})
    generator = np.random.default_rng(3)
    rows = []
    for game, pair in enumerate(pair for pair in shares for _ in range(blocks)):
        won = generator.random() < shares[pair]
        for seat, bot in enumerate(pair, start=1):
            rows.append((2, game, game, seat, bot, 0, float(won == (seat == 1))))
    schema = ["players", "game", "block", "seat", "bot", "points", "win_share"]
    frame = pl.DataFrame(rows, schema=schema, orient="row").with_columns(pl.col("bot").cast(pl.Enum(names)))
    standings = build_standings(finish_rows(frame), {2: look})
    (found,) = found_in(standings, {2: len(rows) // 2})
    return found


def test_intervals_of_leads_hold_together() -> None:
    """As wide as the largest of all differences needs: wider than one alone, narrower than Bonferroni's."""
    found = pair_leads({2: ratings([30, 0, -10, -20], 10)}, "abcd")
    assert [(row["bot"], row["other"]) for row in found] == [
        tuple(pair) for pair in ("ab", "ac", "ad", "bc", "bd", "cd")
    ]
    reach = np.array([(row["lead_high"] - row["lead_low"]) / 2 for row in found]) / (10 * math.sqrt(2))
    assert ((reach > 2.45) & (reach < 2.80)).all()  # Tukey's range of four means: 2.57 standard errors
    more = pair_leads({2: ratings([30, 0], 10), 3: ratings([30, 0], 10)}, "ab")
    assert all(2.1 < (row["lead_high"] - row["lead_low"]) / 2 / (10 * math.sqrt(2)) < 2.45 for row in more)


def test_the_strongest_bot_is_named_only_where_the_lead_is_clear() -> None:
    """A clear lead: its interval and the share of meetings. Otherwise the bots that may be the strongest are listed."""
    clear = played({"ab": 0.7, "ac": 0.9, "bc": 0.75})
    (only,) = findings_of(clear)
    assert (only.verdict, only.data["strongest"]) == ("fact", "a")
    assert only.text.startswith("With 2 players a is the strongest bot: it leads b, the next, by ")
    assert only.text.endswith(" All 3 pairs of bots are distinguishable.")
    level = played({"ab": 0.5, "ac": 0.9, "bc": 0.9})
    strongest, pairs = findings_of(level)
    assert (strongest.verdict, sorted(strongest.data["level"])) == ("open", ["a", "b"])
    assert "it is not clear which of" in strongest.text
    assert pairs.verdict == "open"
    assert pairs.text.startswith("With 2 players 1 of 3 pairs are not distinguishable: ")


def test_a_bot_that_is_often_second_is_rated_above_bots_that_win_more_often() -> None:
    """Ratings count all places; the answer says so where the best bot wins less than its fair share."""
    orders = ["abc", "bac", "cab", "abc", "bac", "cab", "abc", "bac", "cab", "bac"]
    rows = [
        (3, game, game, seat, bot, -seat, float(seat == 1))
        for game, order in enumerate(orders * 20)
        for seat, bot in enumerate(order, start=1)
    ]
    schema = ["players", "game", "block", "seat", "bot", "points", "win_share"]
    frame = pl.DataFrame(rows, schema=schema, orient="row").with_columns(pl.col("bot").cast(pl.Enum("abc")))
    answer = answer_line(build_standings(finish_rows(frame)))
    assert answer.startswith("a is the strongest with 3 players: it wins 30.0% (")
    assert answer.endswith("), because ratings count all places, not only wins.")


def test_a_bot_that_always_wins_is_the_strongest_after_enough_games() -> None:
    """There is no interval of its lead, but many meetings, all won, show it; a few do not."""
    (many,) = findings_of(played({"ab": 1.0}, blocks=200))
    assert many.text == (
        "With 2 players a is the strongest bot: it finished ahead of every other bot in all of their meetings. The "
        "games do not show by how many Elo points."
    )
    (few,) = findings_of(played({"ab": 1.0}, blocks=4))
    assert few.data["strongest"] is None


def test_a_single_block_shows_nothing() -> None:
    """Without intervals there is no answer."""
    (found,) = findings_of(played({"ab": 1.0}, blocks=1))
    assert (found.verdict, found.text) == ("open", "With 2 players: too few games to distinguish the bots.")


def test_the_next_step_is_a_command_with_enough_games() -> None:
    """For the pair that needs the fewest games; and the profile."""
    steps = list(next_steps([played({"ab": 0.57, "ac": 0.9, "bc": 0.9})], ["rogsim", "tournament"], ["rogsim", "bots"]))
    assert steps[-1] == "`rogsim bots` shows what these bots do differently."
    assert "`rogsim tournament --games=" in steps[0]
    assert len(list(next_steps([played({"ab": 0.9})], ["rogsim"], ["rogsim"]))) == 1


def test_a_bot_very_far_behind_lies_beyond_the_axis() -> None:
    """So that the others can be told apart; the best bot is at 0."""
    rows = pl.DataFrame({"players": [4] * 4, "bot": list("abcd"), "value": [0.0, -40, -60, -900]}).with_columns(
        low=pl.col("value") - 10, high=pl.col("value") + 10
    )
    assert beyond(rows)["bot"].to_list() == ["d"]
    assert beyond(rows.head(3)).is_empty()


def test_a_page_of_somebodys_is_not_replaced(tmp_path: Path) -> None:
    """A tournament's folder may hold its page, with the files that its data lists, and nothing else."""
    (tmp_path / "tournament.json").write_text('{"format": "rogsim-tournament/1"}')
    check(tmp_path)
    (tmp_path / "report.json").write_text(json.dumps({"format": "rogsim-report/1", "sections": [], "files": []}))
    check(tmp_path)
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "years.csv").write_text("years")
    with pytest.raises(ResultsError, match=r'holds "tables/years.csv", which does not belong to a tournament'):
        check(tmp_path)


def test_a_later_look_needs_more_and_says_so() -> None:
    """Leads have a smaller share of the error rate at a second look, and the page names it."""
    rated = {2: ratings([30, 0], 10)}
    reach = [row["lead_high"] - row["lead_low"] for look in (1, 2, 5) for row in pair_leads(rated, "ab", {2: look})]
    assert reach == sorted(set(reach))
    later = played({"ab": 0.7}, look=2)
    (finding,) = findings_of(later)
    assert finding.text.endswith("so that all looks together stay within 5%.")
    steps = [next(next_steps([played({"ab": 0.54}, look=look)], ["rogsim"], ["rogsim"])) for look in (1, 2)]
    assert int(steps[1].split()[1].replace(",", "")) > int(steps[0].split()[1].replace(",", ""))
