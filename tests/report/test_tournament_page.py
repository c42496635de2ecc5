"""The page of `rogsim tournament`: who is strongest, which bots are not distinguishable, and what may be replaced."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from rogsim.base.errors import ResultsError
from rogsim.experiments.standings import build_standings, finish_rows, pair_leads
from rogsim.report.render.write import check_with_page
from rogsim.report.tournament_figures import beyond
from rogsim.report.tournament_page import FOLDER
from rogsim.report.tournament_words import (
    PlayersFound,
    finding_of,
    found_in,
    next_steps,
    pairs_words,
    strongest_words,
)
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
    assert (finding_of(clear).verdict, finding_of(clear).data["strongest"]) == ("fact", "a")
    assert strongest_words(clear).startswith("The strongest is a: it leads b by ")
    assert pairs_words(clear) == "All 3 pairs of bots differ in strength."
    level = played({"ab": 0.5, "ac": 0.9, "bc": 0.9})
    found = finding_of(level)
    assert (found.verdict, found.data["strongest"], sorted(found.data["level"])) == ("open", None, ["a", "b"])
    assert strongest_words(level).startswith("It is not known yet which of ")
    assert pairs_words(level).startswith("1 of 3 pairs cannot be told apart yet: ")


def test_a_bot_that_always_wins_is_the_strongest_after_enough_games() -> None:
    """There is no interval of its lead, but many meetings, all won, show it; a few do not."""
    assert strongest_words(played({"ab": 1.0}, blocks=200)) == (
        "The strongest is a: it won all 200 games against b, so the size of its lead is not known."
    )
    few = played({"ab": 1.0}, blocks=4)
    assert finding_of(few).data["strongest"] is None


def test_a_single_block_shows_nothing() -> None:
    """Without intervals there is no answer."""
    found = finding_of(played({"ab": 1.0}, blocks=1))
    assert (found.verdict, found.text) == ("open", "2 players: There are too few games to tell the bots apart.")


def test_the_next_step_is_a_command_with_enough_games() -> None:
    """For the pair that needs the fewest games; and the profile."""
    found = [played({"ab": 0.57, "ac": 0.9, "bc": 0.9})]
    more, profile = next_steps(found, ["rogsim", "tournament"], ["rogsim", "bots"])
    assert profile.command == "rogsim bots"
    assert more.command.startswith("rogsim tournament --games=")
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

    def check() -> None:
        check_with_page(FOLDER, tmp_path)

    (tmp_path / "tournament.json").write_text('{"format": "rogsim-tournament/1"}')
    check()
    (tmp_path / "report.json").write_text(
        json.dumps({"format": "rogsim-report/2"} | {part: [] for part in ("figures", "sections", "files")})
    )
    check()
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "years.csv").write_text("years")
    with pytest.raises(ResultsError, match=r'holds "tables/years.csv", which does not belong to a tournament'):
        check()


def test_a_later_look_needs_more_and_says_so() -> None:
    """Leads have a smaller share of the error rate at a second look, and the page names it."""
    rated = {2: ratings([30, 0], 10)}
    reach = [row["lead_high"] - row["lead_low"] for look in (1, 2, 5) for row in pair_leads(rated, "ab", {2: look})]
    assert reach == sorted(set(reach))
    assert "look 2" in finding_of(played({"ab": 0.7}, look=2)).text
    steps = [next(next_steps([played({"ab": 0.54}, look=look)], ["rogsim"], ["rogsim"])) for look in (1, 2)]
    first, second = (int(step.command.partition("--games=")[2]) for step in steps)
    assert second > first
