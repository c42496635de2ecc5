"""What commands print: one sentence with the answer first, then a short table; --all for the rest."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from rogsim.report.console.run_answer import answer_of
from rogsim.report.render.html import _reached
from rogsim.results.results import Results
from tests.command_line import Run
from tests.dice_process import scenario_text
from tests.series import joined, of_chances

pytestmark = [pytest.mark.once_uncompiled, pytest.mark.usefixtures("dice_race", "sketched")]

INTERVAL = r"\([+−]?[\d.]+ to [+−]?[\d.]+\)"  # noqa: RUF001


@pytest.fixture
def race(command: Run) -> None:
    """A scenario, and a variant in which seat 1 starts two spaces ahead, in the folder in which commands run."""
    text = scenario_text(60)
    Path("race.toml").write_text(text)
    Path("ahead.toml").write_text(text.replace("[sweep.over]", '[change]\n"head_start.1" = 2\n[sweep.over]', 1))


def named(results: Results) -> Results:
    return Results({**results.manifest, "scenario": {"bots": ["runner"]}}, None, results.pieces)


def test_a_run_is_one_sentence() -> None:
    """What holds with several numbers of players is said once, with an interval for each of them."""
    generator = np.random.default_rng(1)
    chances = ((0.6, 0.4), (0.5, 0.3, 0.2), (0.25,) * 4)
    results = joined(*(of_chances(generator, 4_000, chance) for chance in chances))
    answer = answer_of(named(results))
    assert re.fullmatch(
        rf"With runner, seat 1 wins more than its fair share, by [\d.]+ pp {INTERVAL} with 2 players and [\d.]+ pp "
        rf"{INTERVAL} with 3; no seat differs from its fair share by more than chance with 4 players\.",
        answer,
    )


@pytest.mark.usefixtures("race")
def test_compare_answers_first(command: Run) -> None:
    """Which is fairer, with the interval and the bot; then a row for each verdict; --all has the findings."""
    words = ("compare", "race.toml", "ahead.toml", "--games", "400")
    lines = command(*words).out.splitlines()
    assert re.match(
        rf"Changed: With runner, ahead is less fair than race by [\d.]+ pp {INTERVAL} with 2 players\. Most changed: "
        rf"Seat 1 with 2 players, \+[\d.]+ pp {INTERVAL} \(ahead\)\.",
        lines[0],
    )
    assert lines[2].split()[:3] == ["question", "variant", "players"]
    assert not any(line.startswith("Win share by seat, ") for line in lines)
    assert "Distance from fair: the largest deviation of any seat from its fair share." in lines
    everything = command(*words, "--all").out
    assert everything.splitlines()[0] == lines[0]
    assert "Changed: Win share by seat, ahead, 2 players: Seat 1 +" in everything
    assert "Points by seat\nseat " in everything


@pytest.mark.usefixtures("race")
def test_sweep_answers_first(command: Run) -> None:
    """The fairest setting and its distance from fair; then the settings; --all has the parameters too."""
    lines = command("sweep", "race.toml").out.splitlines()
    assert lines[0] == "Is any seat favoured?"
    assert re.search(
        rf"With runner, .* came out fairest of 3 settings with 2 players: [\d.]+ pp {INTERVAL} from fair "
        r"on \d+ games with new deals",
        lines[1],
    )
    assert re.search(r" (W|Every|Seat|There ).* ±2 pp.*\.( (One|\d) other settings? may be as fair\.)?$", lines[1])
    few = command("sweep", "race.toml", "--games", "40", "--store", "few").out.splitlines()
    assert few[1].endswith(". One other setting may be as fair.")
    assert any(re.match(r"As measured: 2 players: .* effects? clearly changes? ", line) for line in lines)
    assert "2 players: as it is, then the fairest settings (95%)" in lines
    assert any(line.startswith("From fair: the root mean square, over the seats, ") for line in lines)
    assert "2 players: which parameters matter" not in lines
    assert "2 players: which parameters matter" in command("sweep", "race.toml", "--all").out.splitlines()


@pytest.mark.usefixtures("race")
def test_optimize_answers_first(command: Run) -> None:
    """Whether the goal is reached, and with which change, before the table."""
    lines = command("optimize", "race.toml", "--games", "1000", "--confirm", "200").out.splitlines()
    answer = r"(Fair|Not reached|Not known yet, but closest) (as it is|with .*): the farthest seat is "
    assert re.match(rf"{answer}\d+\.\d pp off {INTERVAL}\.", lines[1])
    assert lines.index("The best candidate for each amount of change") > 1


def test_only_intervals_can_be_hidden() -> None:
    """Brackets with an interval are marked; other brackets stay, and nothing is left unescaped."""
    assert _reached("wins <b>: 55.6% (54.4 to 56.8) (2 of 4), −1.2 pp (−2.0 to −0.4)") == (  # noqa: RUF001
        'wins &lt;b&gt;: 55.6%<span class="reach"> (54.4 to 56.8)</span> (2 of 4), −1.2 pp'  # noqa: RUF001
        '<span class="reach"> (−2.0 to −0.4)</span>'  # noqa: RUF001
    )
