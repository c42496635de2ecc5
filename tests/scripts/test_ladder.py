"""The script that measures the ladder: shares are the exact ones of the dice race, and the page has its parts."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import pytest

import rogsim
from rogsim.cli.outcome import guarded
from rogsim.stats import Estimate
from scripts import measure_ladder
from scripts.measure_ladder import (
    PAGE,
    PARTS,
    Measure,
    Rung,
    climb,
    ladder_part,
    meet,
    page_of,
    pair,
    personas_part,
    rung,
    speed_of,
    timed,
    write,
    write_rows,
)
from scripts.measure_rollouts import PASSES, fastest
from scripts.update_docs import GAME, PART
from tests.dice_game.exact import MOODY, RUNNER, WALKER, Steps, sudden

pytestmark = [pytest.mark.once_compiled, pytest.mark.usefixtures("dice_race")]

STEPS = {"runner": RUNNER, "walker": WALKER, "moody": MOODY}


def exact(bot: str, *others: str) -> float:
    """What a bot wins among others on the dice race, rotated over the seats."""
    line_up = [bot, *others]
    total = 0.0
    for first in range(len(line_up)):
        steps: list[Steps] = [STEPS[name] for name in line_up[first:] + line_up[:first]]
        total += sudden(steps, 10)[-first % len(line_up)]
    return total / len(line_up)


@pytest.mark.parametrize("players", [2, 3])
def test_a_rung_is_one_bot_against_the_others(players: int) -> None:
    """The share of one moody bot among runners is the exact one, within twice the interval."""
    found = climb("dice-race", Rung("moody", "runner"), players, 3_000, 1)
    assert (found.bot, found.others, found.players, found.games) == ("moody", "runner", players, 3_000)
    assert found.fair == 1 / players
    width = found.won.high - found.won.low
    assert abs(found.won.value - exact("moody", *["runner"] * (players - 1))) < width < 0.05


def test_personas_meet_all_others() -> None:
    """With two seats and three bots each has two opponents: mean, lowest and highest share are the exact ones."""
    for persona in meet("dice-race", list(STEPS), 2_000, 1, players=2):
        shares = {other: exact(persona.name, other) for other in STEPS if other != persona.name}
        assert persona.worst.games == persona.best.games == 2_000
        assert {persona.worst.others, persona.best.others} == set(shares)
        for found, share in (
            (persona.won, sum(shares.values()) / 2),
            (persona.worst.won, shares[persona.worst.others]),
            (persona.best.won, shares[persona.best.others]),
        ):
            assert abs(found.value - share) < found.high - found.low


def test_three_others_are_the_same_whatever_their_order() -> None:
    """At a table of three each two others are one combination, with all of its games."""
    for persona in meet("dice-race", list(STEPS), 300, 1, players=3):
        assert persona.worst == persona.best
        assert (persona.worst.games, persona.worst.won) == (300, persona.won)
        assert persona.worst.others == ", ".join(sorted(name for name in STEPS if name != persona.name))


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(0.3, 0.4, "above fair"), (0.1, 0.2, "below fair"), (0.24, 0.3, "not distinguishable from fair")],
)
def test_the_verdict_asks_for_the_whole_interval(low: float, high: float, verdict: str) -> None:
    """A share is above or below fair only if its whole interval is; the table says so."""
    measure = Measure("a", "b", 4, 400, Estimate((low + high) / 2, low, high, 400, 400.0))
    assert measure.verdict == verdict
    share = f"{50 * (low + high):.1f}% ({low * 100:.1f} to {high * 100:.1f})"
    row = f"| `a` against `b` | 4 | 400 | {share} | 25.0% | {verdict} | abc, 1 |"
    assert ladder_part([measure], "abc, 1", "Measured.").splitlines()[2] == row


def test_personas_stand_strongest_first() -> None:
    """The table is in the order of the mean share."""
    personas = meet("dice-race", list(STEPS), 400, 1, players=2)
    lines = personas_part(personas, 400, "").splitlines()[2:5]
    order = sorted(personas, key=lambda persona: -persona.won.value)
    assert [line.split("`")[1] for line in lines] == [persona.name for persona in order]


def test_each_run_counts_as_fast_as_it_ever_was() -> None:
    """If single passes are slowed down, the time is still that of undisturbed runs."""
    undisturbed = [2.0, 3.0, 1.0]
    passes = [[9.0, 3.0, 1.0], [2.0, 4.0, 1.5], [2.5, 8.0, 1.0]]
    assert fastest(passes) == sum(undisturbed)


def test_a_speed_is_of_different_games_timed_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each run has different games and is timed in every pass; the speed is that of all runs together."""
    asked: list[tuple[int, int]] = []

    def timed(_game: str, _bot: str, _players: int, first: int, games: int) -> float:
        asked.append((first, games))
        return games / 4

    monkeypatch.setattr(measure_ladder, "timed", timed)
    assert speed_of("dice-race", "runner", 2) == (4.0, 4)
    assert asked == [(0, 1)] * 2 + [(run, 1) for run in range(4)] * PASSES


def test_what_is_timed_is_the_time_of_the_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """From before the games are played until after them, as its clock tells."""
    clock = iter([1.0, 3.5])
    monkeypatch.setattr(time, "thread_time", lambda: next(clock))
    assert timed("dice-race", "runner", 2, 5, 10) == 2.5


def test_only_the_parts_measured_are_written(tmp_path: Path) -> None:
    """Writing a part leaves the rest of the page as it was."""
    page = tmp_path / "page.md"
    text = PAGE.read_text(encoding="utf-8")
    page.write_text(text, encoding="utf-8")
    write(page, {"speed": "fast"})
    parts = {found[2]: found[0] for found in PART.finditer(text)}
    assert page.read_text() == text.replace(parts["speed"], "<!-- part: speed -->\nfast\n<!-- end of part -->")


@pytest.mark.parametrize("page", sorted(PAGE.parent.glob("*ladder.md")), ids=lambda page: page.name)
def test_the_pages_have_all_parts_filled(page: Path) -> None:
    """Each part is on the page once, has a table, and names the version that was measured."""
    text = page.read_text(encoding="utf-8")
    parts = {found[2]: found[0] for found in PART.finditer(text)}
    assert tuple(name for name in parts if name in PARTS) == PARTS
    for part in parts.values():
        assert part.count("\n| `") >= 3
        assert f"rogsim {rogsim.__version__}, rules version" in part


def test_a_run_replaces_the_rows_that_it_measured(tmp_path: Path) -> None:
    """Rows of other runs keep their places, new ones come last, and the note is the new one."""
    page = tmp_path / "page.md"
    head = "| bot | players | won |\n| --- | --- | --- |"
    page.write_text(f"<!-- part: ladder -->\n{head}\n| a | 2 | 1 |\n| a | 3 | 2 |\n\nOld.\n<!-- end of part -->\n")
    write_rows(page, {"ladder": f"{head}\n| b | 2 | 8 |\n| a | 2 | 9 |\n\nNew."}, 2)
    rows = "| a | 2 | 9 |\n| a | 3 | 2 |\n| b | 2 | 8 |"
    assert page.read_text() == f"<!-- part: ladder -->\n{head}\n{rows}\n\nNew.\n<!-- end of part -->\n"
    other = "| bot | games |\n| --- | --- |\n| c | 4 |\n\nAnother head."
    write_rows(page, {"ladder": other}, 1)
    assert page.read_text() == f"<!-- part: ladder -->\n{other}\n<!-- end of part -->\n"


def test_each_game_has_its_page() -> None:
    """The first game's is the ladder; any other game's has its id in front."""
    assert page_of(GAME) == PAGE
    assert page_of("dice-race") == PAGE.with_name("dice-race-ladder.md")


def test_options_of_the_game_are_read_from_the_command_line() -> None:
    """A name, an equals sign and a value; anything else is refused."""
    assert pair("patrons=dealt") == ("patrons", "dealt")
    for text in ("patrons", "patrons=", "=dealt"):
        with pytest.raises(argparse.ArgumentTypeError, match="must be NAME=VALUE"):
            pair(text)


def test_rungs_are_read_from_the_command_line() -> None:
    """Only the slowest bot plays fewer games; anything but two names is refused."""
    assert rung("tuned:random") == Rung("tuned", "random")
    assert rung("search:planner") == Rung("search", "planner", slow=True)
    for text in ("tuned", "tuned:", ":random"):
        with pytest.raises(argparse.ArgumentTypeError, match="must be BOT:BELOW"):
            rung(text)
    with pytest.raises(argparse.ArgumentTypeError, match="write it as BOT@"):
        rung("tuned@:random")


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["--rungs", "tuned:balanced", "tunde:balanced"], 'no bot "tunde"'),
        (["--rungs", "tuned:balanced", "tuned:balancde"], 'no bot "balancde"'),
        (["--rungs", "planner@rounds=x:learned"], '"rounds" must be a finite number'),
        (["--rungs", "tuned:balanced", "--games", "8", "--option", "patrons=none", "colour=red"], "colour"),
        (["--game", "chess"], "chess"),
    ],
)
def test_a_wrong_bot_option_or_game_is_one_line(
    words: list[str], fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It ends with exit code 2 and without a traceback; a wrong bot is found before anything is played."""
    code = guarded(lambda: measure_ladder.main([*words, "--parts", "ladder", "--dry"]))
    printed = capsys.readouterr()
    assert code == 2
    assert fault in printed.err
    assert printed.out == ""
    assert fault == "colour" or "players…" not in printed.err
