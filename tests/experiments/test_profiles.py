"""Profiles of bots: planted habits are found, figures are those of the rows, files, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rogsim
from rogsim.experiments.profile import GAMES, make_profile, measures_of, profile_frame, request_profile
from rogsim.game import compiler
from rogsim.game.bot import BotInfo
from rogsim.game.registry import RegistryError, get_game, register, unregister
from rogsim.game.topics import Measure, ProfileTable
from rogsim.report.profile_page import FOLDER
from rogsim.report.render.write import FILES
from tests.command_line import Run
from tests.dice_game import GAME
from tests.dice_game.exact import MOODY, RUNNER, sudden

pytestmark = [pytest.mark.once_compiled, pytest.mark.usefixtures("dice_race", "sketched")]

THREE = ["--bots", "runner,walker,moody"]  # those that need not think ahead
MOVES = ProfileTable("moves", (Measure("spaces", ("points",)), Measure("all", ("points",), ("points",))))
# Sails whenever it may; a turn always allows it.
SAILING = """from rogsim.games.river_of_gold.rules import actions as act


def choose(tables, view, menu, own):
    for place in range(menu.count):
        if act.SAIL <= menu.actions[place] < act.DELIVER:
            return place
    return 0
"""


@pytest.fixture
def profile_command(command: Run) -> Run:
    """Run `rogsim bots` on the dice race in an empty folder: exit code, output, error output."""
    return partial(command, "bots", "--game", "dice-race")


@pytest.fixture
def moves(dice_race: Any) -> Iterator[None]:
    """The dice race with a profile of its own."""
    register(replace(GAME, profile=(MOVES,)))
    yield
    register(dice_race)


def value_of(profile: pl.DataFrame, bot: str, figure: str, **more: Any) -> dict[str, Any]:
    return profile.filter(bot=bot, figure=figure, **more).row(0, named=True)


def dice(bots: str | None = None, **more: Any) -> pl.DataFrame:
    return make_profile(request_profile(bots, game="dice-race", **more), jobs=1)


def test_a_bot_that_only_sails_has_only_sails(tmp_path: Path) -> None:
    """A planted habit: all turns are sails, with an interval of less than a percent; shares of actions sum to 1."""
    (tmp_path / "sailing.py").write_text(SAILING)
    bot = f"{tmp_path}/sailing.py:choose"
    games = 400 if compiler.ENABLED else 3
    request = request_profile(bot, game="river-of-gold", games=games, players="2", against="random")
    profile = make_profile(request, jobs=1)
    shares = {name: value_of(profile, bot, name)["value"] for name in ("build", "sail", "deliver")}
    assert shares == {"build": 0.0, "sail": 1.0, "deliver": 0.0}
    row = value_of(profile, bot, "sail")
    assert (row["n"], row["value_high"]) == (400 if compiler.ENABLED else 4, 1.0)
    assert value_of(profile, bot, "customers")["value"] == 0
    assert row["value_low"] > 0.97 or not compiler.ENABLED


@pytest.mark.skipif(not compiler.ENABLED, reason="2,000 games take too long uncompiled")
def test_personas_do_what_their_names_say() -> None:
    """Against the same others each persona leads in what it is after, beyond both intervals."""
    names = "balanced,builder,sailor,courier,courtier,adept"
    profile = make_profile(request_profile(names, game="river-of-gold", games=400, against="balanced"))
    found = {"builder": "build", "sailor": "sail", "courier": "deliver", "courtier": "regions", "adept": "masteries"}
    for bot, figure in found.items():
        rows = {name: value_of(profile, name, figure) for name in names.split(",")}
        assert all(rows[bot]["value_low"] > rows[other]["value_high"] for other in rows if other != bot), figure
    assert (
        value_of(profile, "builder", "turns of the game")["value"]
        < value_of(profile, "sailor", "turns of the game")["value"]
    )


def test_points_by_source_are_all_points() -> None:
    """The sources of the profile are disjoint and leave nothing out."""
    spec = get_game("river-of-gold")
    (sources,) = (table for table in spec.profile if table.title == "points by source")
    columns = [name for figure in sources.measures for name in figure.columns]
    assert spec.lead is not None
    wanted = {column.name for column in spec.seat_columns if column.name.startswith("points_")}
    on_the_way = {*spec.lead.progress, *(name for names in spec.lead.by_source.values() for name in names)}
    assert sorted(columns) == sorted(wanted - on_the_way)


@pytest.mark.usefixtures("moves")
def test_measures_are_those_of_the_rows() -> None:
    """Means and lengths are those of the games that `rogsim run` plays with that bot in every seat."""
    profile = dice("runner,moody", games=300, players="2,3", seed=9)
    for bot in ("runner", "moody"):
        keys = {"game": "dice-race", "players": [2, 3], "games": 300, "seed": 9, "bots": [bot]}
        results = rogsim.run(keys, jobs=1)
        for players in (2, 3):
            seats = results.seats().filter(pl.col("players") == players).collect()
            games = results.games().filter(pl.col("players") == players).collect()
            found = {row["figure"]: row for row in profile.filter(bot=bot, players=players).iter_rows(named=True)}
            assert list(found) == ["points", "turns of the game", "spaces", "all"]
            assert found["points"]["value"] == found["spaces"]["value"] == pytest.approx(seats["points"].mean())
            assert found["turns of the game"]["value"] == pytest.approx(games["turns"].mean())
            assert found["all"]["value"] == 1
            assert all(row["n"] == 300 for row in found.values())
            assert found["points"]["value_low"] < found["points"]["value"] < found["points"]["value_high"]


def test_against_others_only_the_bots_own_seats_count() -> None:
    """In one seat among others the win share is the exact one, rotated over the seats."""
    profile = dice("moody,runner", games=6_000, players="2", against="runner")
    exact = (sudden([MOODY, RUNNER], 10)[0] + sudden([RUNNER, MOODY], 10)[1]) / 2
    row = value_of(profile, "moody", "won")
    assert row["share"]
    assert abs(row["value"] - exact) < row["value_high"] - row["value_low"] < 0.06
    assert "won" not in profile.filter(bot="runner")["figure"].to_list()
    seats = value_of(profile, "moody", "points")
    assert seats["n"] == 6_000
    assert seats["value"] < value_of(profile, "runner", "points")["value"]


def test_intervals_are_of_blocks() -> None:
    """Four copies of a game in one block carry no more information than one: the interval is as wide."""
    spec = replace(GAME, profile=(MOVES,))
    once = {"players": [2] * 6, "block": [0, 0, 1, 1, 2, 2], "bot": ["a"] * 6, "points": [1, 3, 5, 9, 2, 2]}
    seats = pl.DataFrame(once).with_columns(win_share=pl.lit(0.5))
    games = pl.DataFrame({"players": [2] * 3, "block": [0, 1, 2], "turns": [4, 9, 5]})
    single_copy, four = (measures_of(spec, "a", pl.concat([seats] * k), pl.concat([games] * k)) for k in (1, 4))
    for single, copied in zip(single_copy, four, strict=True):
        assert (single["n"], copied["n"]) == (3, 12)
        for name in ("value", "value_low", "value_high"):
            assert copied[name] == pytest.approx(single[name])


def test_a_share_of_nothing_is_missing() -> None:
    """A share with an empty denominator is null in the frame."""
    spec = replace(GAME, profile=(MOVES,))
    seats = pl.DataFrame({"players": 2, "block": [0, 1], "bot": "a", "points": 0, "win_share": 0.5})
    games = pl.DataFrame({"players": 2, "block": [0, 1], "turns": [4, 9]})
    profile = profile_frame([measures_of(spec, "a", seats, games)])
    assert value_of(profile, "a", "all")["value"] is None


def test_a_slow_bot_plays_fewer_games_unless_told() -> None:
    """By default a bot plays as many games as it declares; against a slow bot all do; --games overrides both."""
    slow = (*GAME.bots[:2], BotInfo("moody", "thinks for long", quick_games=30))
    register(replace(GAME, bots=slow))
    fast, few = {"runner": GAMES, "walker": GAMES}, {"runner": 30, "walker": 30}
    assert request_profile(game="dice-race").games == fast | {"moody": 30}
    assert request_profile("runner,walker", game="dice-race", against="moody").games == few
    assert request_profile(game="dice-race", games=7).games == {"runner": 7, "walker": 7, "moody": 7}
    played = dice(players="3", against="moody")
    assert played.group_by("bot", maintain_order=True).first()["n"].to_list() == [30, 30, 30]


def test_the_command_prints_what_stands_out(profile_command: Run) -> None:
    """The question, the answer, what was played, the measures that single a bot out, and where the page is."""
    get_game("dice-race").warm()
    code, out, err = profile_command("--profile", "--games", "50", "--players", "2,3", "--seed", "3", *THREE)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "How do runner, walker and moody play?"
    assert lines[1].startswith("Walker stands out most: highest in turns of the game: 10.00 ")
    assert lines[2].startswith("50 games of each bot with 2 and 3 players. ")
    assert sum(line.startswith("walker ") for line in lines) == 2
    assert out.endswith("\nPage: reports/profile/index.html\n")
    assert [str(path) for path in Path().iterdir()] == ["reports"]


@pytest.mark.usefixtures("moves")
def test_all_files_are_written(profile_command: Run) -> None:
    """The figures as CSV and as Parquet with the same rows, and what was played; workers change nothing."""
    for jobs in "12":
        options = ["--games", "60", "--players", "2,3", "--against", "walker", "--jobs", jobs, "--short", "6", *THREE]
        assert profile_command("--profile", *options, "--out", jobs)[0] == 0
    assert sorted(path.name for path in Path("1").iterdir()) == sorted((*FOLDER.files, *FILES))
    for name in ("profile.csv", "profile.parquet"):
        assert Path("1", name).read_bytes() == Path("2", name).read_bytes()
    parquet, text = pl.read_parquet("1/profile.parquet"), pl.read_csv("1/profile.csv")
    assert text.columns == parquet.columns
    assert len(text) == 2 * (5 + 4 + 5)
    assert text["value"].to_list() == pytest.approx(parquet["value"].to_list(), abs=1e-5)
    manifest = json.loads(Path("1/profile.json").read_text())
    assert (manifest["against"], manifest["players"], manifest["options"]["short"]) == ("walker", [2, 3], 6)
    assert manifest["games"] == {"runner": 60, "walker": 60, "moody": 60}


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--games", "5"], "--games: needs --profile"),
        (["--short", "5"], "--short: needs --profile"),
        (["--profile", "--games", "0"], "--games: 0 is not allowed: must be from 1 to 200,000"),
        (["--profile", "--bots", "runner,runner"], '--bots: "runner" is listed twice'),
        (["--profile", "--bots", "jumper"], '--bots: no bot "jumper": choose from runner, walker, moody'),
        (["--profile", "--bots", "x.py:choose"], '--bots: bot "x.py:choose": the file x.py does not exist'),
        (["--profile", "--against", "jumper"], '--against: no bot "jumper": choose from runner, walker, moody'),
        (["--profile", "--players", "9"], "--players: 9 is not allowed: choose from 2, 3, 4"),
        (["--profile", "--seed", "-1"], "--seed: -1 is not allowed: must be 0 or more"),
        (["--profile", "--jobs", "0"], "--jobs: 0 is not allowed: must be 1 or more"),
        (["--profile", "--lnog", "4"], '--lnog: unknown, did you mean "--long"?'),
        (["--profile", "--short", "50"], "4 players: the long track (10) is shorter than the short one (50)"),
        (["--profile", "more"], '"more" is not expected here: write an option of the game as --name VALUE'),
        (
            ["--profile", "--out", "mine"],
            'mine: holds "thesis.txt", which does not belong to a profile; name another folder',
        ),
    ],
)
def test_a_wrong_command_line_is_one_line(profile_command: Run, arguments: list[str], line: str) -> None:
    """Each mistake: exit code 2, one line that says what is allowed, and no file touched or made."""
    Path("mine").mkdir()
    Path("mine/thesis.txt").write_text("years")
    before = sorted(Path().rglob("*"))
    code, out, err = profile_command(*arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert err.startswith(f"rogsim: error: {line}")
    assert sorted(Path().rglob("*")) == before


def test_a_game_whose_profile_names_no_column_is_refused() -> None:
    """A measure of a column that seats do not have is reported when the game is registered."""
    table = ProfileTable("moves", (Measure("spaces", ("points", "paces")),))
    with pytest.raises(RegistryError, match="no seat column paces for the measure spaces"):
        register(replace(GAME, id="other", profile=(table,)))
    with pytest.raises(KeyError):
        unregister("other")
