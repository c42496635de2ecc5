"""Results and reports: what they say, the games behind a row, making a report, and opening things by name."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from rogsim.base.errors import RogsimError
from rogsim.experiments.run import play
from rogsim.game.spec import GameSpec
from rogsim.results.results import Results
from rogsim.scenario.model import load
from rogsim.workbench.home import opened
from rogsim.workbench.jobs import Job, StoppedError
from rogsim.workbench.site import Desk
from tests.command_line import rogsim_command
from tests.workbench.client import Client

pytestmark = pytest.mark.once_uncompiled

SCENARIO = """# Is any seat favoured?
game = "dice-race"
players = [2, 3]
games = 60
seed = 1
bots = ["runner"]
"""


@pytest.fixture
def played(dice_race: GameSpec, desk: Desk, tmp_path: Path) -> Path:
    """A folder with a scenario and the results of it and of a changed one."""
    (tmp_path / "race.toml").write_text(SCENARIO, encoding="utf-8")
    assert rogsim_command("run", "race.toml").code == 0
    changed = ("--change", "head_start.2 = 1", "--out", "reports/changed")
    assert rogsim_command("run", "race.toml", *changed).code == 0
    return tmp_path


def test_home_lists_the_folder(played: Path, site: Client) -> None:
    """Its scenarios and results, with their addresses; a file that is no scenario is left out."""
    (played / "pyproject.toml").write_text("[project]\nname = 'x'", encoding="utf-8")
    text = site.get("/").text
    for address in ("/change/race", "/results/race", "/results/changed"):
        assert f'href="{address}"' in text
    assert "pyproject" not in text


def test_results_say_what_run_prints(played: Path, site: Client) -> None:
    """The same question, answer and sheet."""
    printed = rogsim_command("run", "race.toml").out.splitlines()
    text = site.get("/results/race").text
    assert f"<h1>{printed[1]}</h1>" in text
    assert "Balance sheet" in text
    assert "60 games each with 2 and 3 players, by runner." in text


def test_an_unfinished_run_goes_on(played: Path, site: Client) -> None:
    """Its page says what is missing and plays that; stopped again it keeps all; in the end the rows are the same."""
    halved = Job("Playing", lambda job: "")
    halved.stop()
    with pytest.raises(StoppedError):
        play(load("race.toml"), out="reports/halved", chunk=20, jobs=1, bar=halved.bar, notify=lambda line: None)
    assert " of 120 games are still to play" in site.get("/results/halved").text
    work = site.post("/results/halved").headers["location"]
    assert site.post(work).status_code == 303
    ended = time.monotonic() + 60
    while (there := site.get(work)).status_code == 200 and time.monotonic() < ended:
        assert "data-wait" in there.text
    assert there.headers["location"] == "/results/halved"
    while "still to play" in site.get("/results/halved").text:  # it was stopped before its end
        work = site.post("/results/halved").headers["location"]
        while site.get(work).status_code == 200 and time.monotonic() < ended:
            time.sleep(0.05)
    assert "Balance sheet" in site.get("/results/halved").text
    whole, halves = (Results.open(f"reports/{name}").seats().collect() for name in ("race", "halved"))
    assert whole.equals(halves)


def test_a_row_leads_to_its_games(played: Path, site: Client) -> None:
    """To as many as its share says: those that the seat won."""
    text = site.get("/results/race").text
    link = re.search(r'href="(/results/race/games\?players=2&amp;column=seat&amp;value=1)"', text)
    assert link
    games = site.get(link[1].replace("&amp;", "&")).text
    found = re.search(r"<h1>(\d+) games with 2 players that seat 1 won</h1>", games)
    rows = re.search(r"<tr><th[^>]*><a [^>]*>1</a></th><td>60</td><td>([\d.]+)%", text)
    assert found
    assert rows
    assert int(found[1]) >= float(rows[1]) * 60 / 100 - 0.5  # ties count as a half in the share
    assert 'href="/results/race/watch?players=2&amp;game=' in games


def test_a_list_of_games_is_sorted_as_asked(played: Path, site: Client) -> None:
    """By a column, in either direction; a column that is not there changes nothing, or is refused as a level."""
    column = r'game=\d+">(\d+)</a></td><td>\d</td>'
    up, down = (re.findall(column, site.get(f"/results/race/games?sort=game{more}").text) for more in ("", "&down"))
    assert list(map(int, up)) == sorted(map(int, up))
    assert up[0] < up[-1]
    assert [int(one) for one in down] == sorted(map(int, down), reverse=True)
    assert site.get("/results/race/games?sort=nothing").status_code == 200
    assert site.get("/results/race/games?players=2&column=nothing&value=1").status_code == 400


def made(site: Client, desk: Desk, address: str, form: dict[str, str]) -> str:
    """The address of the page that some work leads to."""
    answer = site.post(address, form)
    assert answer.status_code == 303
    job = desk.work[answer.headers["location"].removeprefix("/work/")]
    assert isinstance(job, Job)
    while not job.place and not job.problem:
        assert site.get(answer.headers["location"]).status_code in (200, 303)
        time.sleep(0.05)
    assert job.problem == ""
    return site.get(answer.headers["location"]).headers["location"]


def test_a_report_is_made_and_shown(played: Path, site: Client, desk: Desk) -> None:
    """Of results, and of what changed between two of them; each is a folder that home lists."""
    for form, name in (({}, "race-report"), ({"against": "changed"}, "race-against-changed")):
        assert made(site, desk, "/results/race/report", form) == f"/report/{name}"
        page = site.get(site.get(f"/report/{name}").headers["location"])
        assert page.status_code == 200
        assert "sha256-" in page.headers["content-security-policy"]
        assert f'href="/report/{name}"' in site.get("/").text
        assert site.get(f"/report/{name}/report.xlsx").headers["content-disposition"].startswith("attachment")


def test_what_cannot_be_made_says_why(played: Path, site: Client, desk: Desk) -> None:
    """The page of the work has the line that the command would print."""
    for path in (played / "reports" / "race").rglob("*.parquet"):
        path.write_bytes(b"broken")
    answer = site.post("/results/race/report")
    job = desk.work[answer.headers["location"].removeprefix("/work/")]
    assert isinstance(job, Job)
    while not job.problem:
        assert not job.place
        time.sleep(0.05)
    assert "reports/race" in site.get(answer.headers["location"]).text


def test_the_command_line_names_what_is_opened(played: Path) -> None:
    """A scenario by name or file, results; all else is refused with one line."""
    assert opened(Path("race.toml")).kind == "change"
    assert opened(Path("reports/race")) == opened(played / "reports" / "race").__class__(
        "results", Path("reports/race")
    )
    for wrong in ("nothing", "reports", "nothing.jsonl", "nothing.toml"):
        with pytest.raises(RogsimError, match=wrong.partition(".")[0]):
            opened(Path(wrong))
        assert rogsim_command("open", wrong, "--no-browser").code == 2


def test_results_elsewhere_are_opened_by_the_command_line_only(played: Path, site: Client, desk: Desk) -> None:
    """A folder outside the current one is shown if it was named."""
    elsewhere = played / "elsewhere"
    (played / "reports" / "race").rename(elsewhere)
    assert site.get("/results/elsewhere").status_code == 404
    desk.opened = opened(elsewhere)
    assert site.get("/results/elsewhere").status_code == 200
