"""`rogsim sweep`: what it finds, what its page has, that it goes on, and what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import rogsim.experiments.design_points
from rogsim.experiments.design_points import fresh_seed
from rogsim.experiments.run import Run as Played
from rogsim.game.registry import register, unregister
from rogsim.scenario.model import load
from tests.command_line import Run, rogsim_command
from tests.dice_game import GAME
from tests.dice_game.exact import RUNNER, sudden
from tests.sketches import DRAWING, sketch

SCENARIO = """\
# Which head start is fairest?
game = "dice-race"
players = [2, 3]
games = 600
seed = 5
bots = ["runner"]

[sweep]
sample = "SAMPLE"
[sweep.over]
"""
GRID = "head_start.1 = { from = 0, to = 3 }\nhead_start.2 = [0, 1, 2, 3]\n"
ALONE = '"*" = { by = [-1, 1] }\nbots = ["walker"]\n'

pytestmark = [pytest.mark.once_compiled, pytest.mark.usefixtures("dice_race")]


@pytest.fixture
def command(command: Run) -> Run:
    """Run a command line in an empty folder that has two scenarios: exit code, output, error output."""
    Path("grid.toml").write_text(SCENARIO.replace("SAMPLE", "grid") + GRID)
    Path("alone.toml").write_text(SCENARIO.replace("SAMPLE", "alone") + ALONE)
    return command


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many games each setting played just now."""
    games: list[int] = []
    play = rogsim.experiments.design_points.play

    def counted(*arguments: Any, **more: Any) -> Played:
        done = play(*arguments, **more)
        games.append(done.log.games)
        return done

    monkeypatch.setattr(rogsim.experiments.design_points, "play", counted)
    return games


def table(folder: str | Path, section: str, name: str) -> list[dict[str, Any]]:
    data = json.loads(Path(folder, "report.json").read_text(encoding="utf-8"))
    (found,) = (part for part in data["sections"] if part["name"] == section)
    rows: list[dict[str, Any]] = next(grid["rows"] for grid in found["tables"] if grid["name"] == name)
    return rows


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """A sweep over the grid: what `--json` prints, and its page."""
    folder = tmp_path_factory.mktemp("swept")
    register(GAME)
    (folder / "grid.toml").write_text(SCENARIO.replace("SAMPLE", "grid") + GRID)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(DRAWING, sketch)
        code, out, _ = rogsim_command("sweep", "grid.toml", "--jobs", "1", "--json")
    unregister(GAME.id)
    assert code == 0
    return json.loads(out), folder / "reports/sweep-grid"


def test_shares_of_cells_are_the_exact_ones(swept: tuple[dict[str, Any], Path]) -> None:
    """Of the intervals of 32 settings about one in twenty may miss the exact share, and none by far."""
    rows = table(swept[1], "settings", "cells")
    assert len(rows) == 32
    missed = 0
    for row in rows:
        players = row["players"]
        ahead = [int(row["head_start.1"]), int(row["head_start.2"]), 0][:players]
        exact = [100 * share for share in sudden([RUNNER] * players, 10, ahead)]
        for seat, share in enumerate(exact, 1):
            missed += not row[f"seat_{seat}_low"] <= share <= row[f"seat_{seat}_high"]
            assert row[f"seat_{seat}"] == pytest.approx(share, abs=8)
        real = (sum((share - 100 / players) ** 2 for share in exact) / players) ** 0.5
        assert row["distance"] == pytest.approx(real, abs=8)
    assert missed <= 8  # of 80


@pytest.mark.usefixtures("sketched")
def test_the_terminal_has_the_answer_and_the_first_rows(command: Run) -> None:
    """At most 15 lines, every number with its interval; with --all, all findings and tables."""
    arguments = ("sweep", "alone.toml", "--jobs", "1", "--games", "200")
    code, out, _ = command(*arguments)
    assert code == 0
    lines = out.splitlines()
    assert len(lines) <= 15
    assert lines[0] == "Which head start is fairest?"
    assert re.search(r"[\d.]+ pp from fair \([\d.]+ to [\d.]+\) on new deals", lines[1])
    everything = [" ".join(line.split()) for line in command(*arguments, "--all").out.splitlines()]
    effects = [line for line in everything if re.match(r"^head_start\.\d 0 one step more ", line)]
    assert effects
    assert all(len(re.findall(r"\(.\S+ to \S+\)", line)) >= 3 for line in effects)


@pytest.mark.usefixtures("sketched")
def test_slopes_have_the_right_sign_and_what_has_no_effect_is_not_called(command: Run) -> None:
    """A head start helps its seat and nobody else; that of a seat that only some have changes no other game."""
    assert command("sweep", "alone.toml", "--jobs", "1", "--games", "1200")[0] == 0
    rows = {(row["figure"], row["players"]): row for row in table("reports/sweep-alone", "figures", "effects")}
    for players in (2, 3):
        for seat in range(1, players + 1):
            row = rows[f"head_start.{seat}", players]
            assert row["p"] < 0.001
            gains = {other: row[f"seat_{other}"] for other in range(1, players + 1)}
            assert gains.pop(seat) > 0
            assert all(gain < 0 for gain in gains.values())
        assert ("head_start.4", players) not in rows  # nobody has this seat
    nothing = rows["head_start.3", 2]
    assert (nothing["moves"], nothing["p"]) == (0, None)
    exact = [sudden([RUNNER] * 2, 10, ahead)[0] for ahead in ((1, 0), (0, 0))]
    first = rows["head_start.1", 2]
    assert first["seat_1_low"] < 100 * (exact[0] - exact[1]) < first["seat_1_high"]
    data = json.loads(Path("reports/sweep-alone/report.json").read_text())
    texts = [finding["text"] for section in data["sections"] for finding in section["findings"]]
    assert "2 players: these changed no game: head_start.3." in texts
    (sure,) = (text for text in texts if re.match(r"2 players: .*hold together", text))
    assert "head_start.1 + 1 gives seat 1 +" in sure and "head_start.2 + 1 gives " in sure
    page = Path("reports/sweep-alone/report.md").read_text().replace("\\", "")
    assert "Left out because they change nothing here: head_start.4 (there is no player 4)." in page


@pytest.mark.usefixtures("sketched")
def test_the_fairest_is_surely_fairer_if_it_is(command: Run) -> None:
    """Two players of the dice race: 2 spaces for the second seat are closest to fair, and 0 are not fair."""
    text = SCENARIO.replace("SAMPLE", "grid").replace("[2, 3]", "[2]")
    Path("two.toml").write_text(text + "head_start.2 = [0, 1, 2, 3]\n")
    _, out, _ = command("sweep", "two.toml", "--jobs", "1", "--json", "--games", "2000")
    data = json.loads(out)
    found = next(part for part in data["sections"] if part["name"] == "settings")["findings"][0]
    exact = {ahead: abs(sudden([RUNNER] * 2, 10, (0, ahead))[0] - 0.5) for ahead in range(4)}
    assert min(exact, key=lambda ahead: exact[ahead]) == 2
    assert found["surely_fairer"] is True
    assert found["fairest"] == {"head_start.2": 2}
    assert data["page"] == "reports/sweep-two/index.html"
    assert len(table("reports/sweep-two", "settings", "cells")) == 4


def test_the_fairest_is_judged_on_new_deals(swept: tuple[dict[str, Any], Path]) -> None:
    """Its distance, and how it differs from the scenario as it is, come from games that have not chosen it.

    Everywhere the difference is that of the two distances that are printed beside it.
    """
    data, folder = swept
    (settings,) = (part for part in data["sections"] if part["name"] == "settings")
    for found in [finding for finding in settings["findings"] if "fairest" in finding]:
        players, ahead = found["players"], found["fairest"]
        exact = sudden([RUNNER] * players, 10, [ahead.get(f"head_start.{seat}", 0) for seat in (1, 2)])
        real = (sum((100 * share - 100 / players) ** 2 for share in exact) / players) ** 0.5
        assert found["distance"]["low"] - 1e-9 <= real <= found["distance"]["high"]
        assert found["distance_in_sweep"] != found["distance"]
        assert (found["fresh_games"], found["seed"]) == (600, fresh_seed(5))
        base, again, change = (found[name]["value"] for name in ("as_it_is", "distance", "change"))
        assert change == pytest.approx(again - base, abs=2e-3)
        assert f"as it is: {base:.1f} pp from fair" in settings["answer"]
        first, *others = (row for row in table(folder, "settings", "cells") if row["players"] == players)
        assert first["change"] is None
        assert others
        for row in others:
            assert row["change"] == pytest.approx(row["distance"] - first["distance"], abs=2e-3)
            assert row["change_low"] <= row["change"] <= row["change_high"]


@pytest.mark.usefixtures("sketched")
def test_an_interrupted_sweep_goes_on(command: Run, played: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is played twice, and what comes out is what an unbroken sweep gives."""
    whole = rogsim.experiments.design_points.play
    calls = iter(range(100))

    def stop_at_the_fifth(*arguments: Any, **more: Any) -> Played:
        if next(calls) == 4:
            raise KeyboardInterrupt
        return whole(*arguments, **more)

    monkeypatch.setattr(rogsim.experiments.design_points, "play", stop_at_the_fifth)
    arguments = ("sweep", "grid.toml", "--jobs", "1", "--games", "100")
    kept = "Interrupted. Finished games are kept in reports/games. The same command continues from there."
    assert command(*arguments) == (130, "", f"{kept}\n")
    assert not Path("reports/sweep-grid").exists()
    monkeypatch.setattr(rogsim.experiments.design_points, "play", whole)
    assert command(*arguments)[0] == 0
    assert played[:20] == [200] * 4 + [0] * 4 + [200] * 12
    fresh = played[20:]
    assert set(fresh) == {100} and 2 <= len(fresh) <= 4  # one player count each
    first = Path("reports/sweep-grid/report.json").read_bytes()
    assert command(*arguments, "--store", "other")[0] == 0
    assert Path("reports/sweep-grid/report.json").read_bytes() == first


@pytest.mark.usefixtures("sketched")
def test_more_games_go_on_from_what_is_there(command: Run, played: list[int]) -> None:
    """Only what is missing is played; a sweep of fewer games then plays none."""
    shares = {}
    for games in ("100", "150", "100"):
        assert command("sweep", "alone.toml", "--jobs", "1", "--games", games)[0] == 0
        shares[games] = played[:7], played[7:]  # settings, and those on new deals
        played.clear()
    assert shares["150"][0] == [100] * 7
    assert shares["150"][1] and set(shares["150"][1]) <= {50, 150}
    assert not any([*shares["100"][0], *shares["100"][1]])


@pytest.mark.usefixtures("sketched")
def test_workers_change_nothing(command: Run) -> None:
    """One worker and two give the same page, bit for bit."""
    pages = []
    for jobs in ("1", "2"):
        assert command("sweep", "alone.toml", "--games", "200", "--jobs", jobs, "--store", jobs)[0] == 0
        pages.append({path.name: path.read_bytes() for path in Path("reports/sweep-alone").rglob("*.*")})
    assert pages[0] == pages[1]


@pytest.mark.usefixtures("sketched")
def test_the_page_names_the_bots_unless_they_are_varied(command: Run) -> None:
    """What it finds is found with them."""
    for name, said in (("grid", True), ("alone", False)):
        assert command("sweep", f"{name}.toml", "--jobs", "1", "--games", "20")[0] == 0
        page = Path(f"reports/sweep-{name}/report.md").read_text(encoding="utf-8")
        assert ("players by runner on the same deals" in page) == said


def test_a_page_has_its_parts(command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A map, the fairest setting, effects and tables."""
    code, out, err = command("sweep", "grid.toml", "--jobs", "1", "--games", "50", "--out", "mine")
    assert (code, err) == (0, "")
    assert out.startswith("Which head start is fairest?\n")
    assert out.endswith("\nPage: mine/index.html\n")
    drawn = {path.stem for path in Path("mine/figures").iterdir()}
    assert drawn == {"map-distance", "fairest-seats", "effects"}
    page = Path("mine/index.html").read_text(encoding="utf-8")
    parts = ("Settings", "Which parameters matter", "[sweep.over]", "--games=50 --out mine")
    for part in parts:
        assert part in page
    monkeypatch.setattr(DRAWING, sketch)
    assert command("sweep", "grid.toml", "--jobs", "1", "--games", "50", "--out", "mine")[0] == 0
    Path("mine/else").write_text("")
    line = 'rogsim: error: mine: holds "else", which does not belong to a report; name another folder\n'
    assert command("sweep", "grid.toml", "--games", "50", "--out", "mine") == (2, "", line)


@pytest.mark.usefixtures("outlined")
def test_one_number_has_a_curve(command: Run) -> None:
    """A figure for each number of players, and the answer names the numbers that are fair; typed or from the file."""
    Path("one.toml").write_text(SCENARIO.replace("SAMPLE", "grid") + "head_start.2 = { from = 0, to = 3 }\n")
    assert command("sweep", "one.toml", "--jobs", "1", "--games", "50")[0] == 0
    drawn = {path.stem for path in Path("reports/sweep-one/figures").iterdir()}
    assert drawn == {"curve-head-start-2-2", "curve-head-start-2-3", "fairest-seats", "effects"}
    typed = ("--over", "head_start.2 = 0..3", "--players", "2")
    code, out, _ = command("sweep", "grid.toml", "--jobs", "1", "--games", "4000", *typed)
    assert code == 0
    exact = [100 * sudden([RUNNER] * 2, 10, (0, ahead))[0] for ahead in range(4)]
    rows = table("reports/sweep-grid", "curve", "curve-2")
    assert [row["value"] for row in rows] == ["0, as it is", "1", "2", "3"]
    for row, share in zip(rows, exact, strict=True):
        assert row["share_low"] - 0.01 <= share / 100 <= row["share_high"] + 0.01
        assert (row["verdict"] == "Out of balance") <= (abs(share - 50) > 2)
    question, said, *_ = out.splitlines()
    assert question == "Which value of head_start.2 is fair?"
    assert re.search(r"with \d, seat 1 wins [\d.]+% instead of 50.0% \(", said)


@pytest.mark.usefixtures("outlined")
def test_line_ups_of_several_bots_are_compared_on_the_deals_they_have_in_common(command: Run) -> None:
    """Two bots that change seats need two games for what one bot has one for; what is left out is told."""
    over = 'players = [2]\nbots = ["walker", ["runner", "moody"]]\n'
    Path("mixed.toml").write_text(SCENARIO.replace("SAMPLE", "grid") + over)
    assert command("sweep", "mixed.toml", "--jobs", "1", "--games", "200").code == 0
    rows = {row["setting"]: row["n"] for row in table("reports/sweep-mixed", "settings", "cells")}
    assert rows == {"as it is": 100, "bots = walker": 100, "bots = runner, moody": 200}
    page = Path("reports/sweep-mixed/report.md").read_text()
    assert "200 games left out: not all settings share their deals, because line-ups differ." in page


@pytest.mark.usefixtures("outlined")
@pytest.mark.parametrize("games", ["1", "2", "20"])
def test_few_games_say_nothing_for_sure(command: Run, games: str) -> None:
    """No verdict, no p, and nothing breaks without intervals."""
    code, out, _ = command("sweep", "alone.toml", "--jobs", "1", "--games", games, "--json")
    assert code == 0
    findings = [finding for part in json.loads(out)["sections"] for finding in part["findings"]]
    assert {finding["verdict"] for finding in findings} <= {"open", "fact"}
    assert all(cell["p"] is None for cell in table("reports/sweep-alone", "settings", "cells"))
    assert not any(finding.get("matter") for finding in findings)


@pytest.mark.usefixtures("outlined")
@pytest.mark.parametrize("sample", ["sobol", "latin-hypercube"])
def test_sampled_points_are_played_and_ranked(command: Run, sample: str) -> None:
    """What helps a seat comes before what does nothing."""
    text = SCENARIO.replace('"SAMPLE"', f'"{sample}"\npoints = 12').replace("[2, 3]", "[2]")
    over = "head_start.1 = { from = 0, to = 3 }\nhead_start.4 = { from = 0, to = 9 }\nplayers = [2, 4]\n"
    Path("some.toml").write_text(text + over)
    assert command("sweep", "some.toml", "--jobs", "1", "--games", "400")[0] == 0
    rows = [row for row in table("reports/sweep-some", "figures", "effects") if row["players"] == 2]
    assert [row["figure"] for row in rows] == ["head_start.1", "head_start.4"]
    assert rows[0]["p"] < 0.001
    assert rows[1]["p"] > 0.05
    assert rows[1]["seat_1_low"] < 0 < rows[1]["seat_1_high"]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (("head_start.1", "head_start.7"), 'grid.toml: key "sweep.over.head_start.7": unknown'),
        (("[0, 1, 2, 3]", "[0, 77]"), 'grid.toml: key "sweep.over.head_start.2": 77 is not allowed: must be'),
        (('sample = "grid"', 'sample = "sobol"'), 'grid.toml: key "sweep.points": is missing: how many settings'),
        (('sample = "grid"', 'sample = "all"'), 'grid.toml: key "sweep.sample": "all" is not allowed'),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_played(
    command: Run, played: list[int], change: tuple[str, str], line: str
) -> None:
    """Exit code 2, lines with file, key and value, and nothing is played or written."""
    path = Path("grid.toml")
    path.write_text(path.read_text().replace(*change))
    code, out, err = command("sweep", "grid.toml")
    assert (code, out) == (2, "")
    assert err.startswith(f"rogsim: error: {line}")
    assert not played
    assert not Path("reports").exists()


def test_run_plays_the_scenario_itself_and_says_so(command: Run) -> None:
    """A line tells of `rogsim sweep`."""
    code, _, err = command("run", "grid.toml", "--jobs", "1", "--games", "10")
    assert code == 0
    assert err == "This plays the scenario itself; rogsim sweep grid.toml plays its [sweep].\n"


def test_a_scenario_without_a_sweep_is_refused(command: Run) -> None:
    """In one line."""
    Path("plain.toml").write_text(SCENARIO.partition("\n[sweep]")[0])
    line = 'rogsim: error: plain.toml: has no [sweep]; "rogsim run" plays it\n'
    assert command("sweep", "plain.toml") == (2, "", line)
    assert load("plain.toml").scenario.sweep is None
