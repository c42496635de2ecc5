"""Tournaments: who plays whom, what comes out on the dice race, files, early stopping, and what is refused."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from functools import partial
from itertools import permutations
from pathlib import Path
from statistics import fmean
from typing import Any

import polars as pl
import pytest

import rogsim
from rogsim.experiments.standings import block_scores, build_standings, finish_rows
from rogsim.experiments.tournament import Tournament, TournamentOutcome, arrange, play, seats_of
from rogsim.game import compiler
from rogsim.report.render.write import FILES
from rogsim.report.tournament_page import FOLDER, play_and_write, ratings_pictures
from rogsim.results.store import Store, open_store
from rogsim.scenario.fingerprint import identity_of, key_of
from rogsim.simulation.chunks import PlayedChunk
from tests.command_line import Run
from tests.dice_game.exact import MOODY, RUNNER, WALKER, Steps, sudden

pytestmark = [pytest.mark.once_compiled, pytest.mark.usefixtures("dice_race", "sketched")]

GOAL = 10  # of the dice race unless an option says otherwise
STEPS = {"runner": RUNNER, "walker": WALKER, "moody": MOODY}


@pytest.fixture
def rogsim_command(command: Run) -> Run:
    """Run `rogsim tournament` on the dice race in an empty folder: exit code, output, error output."""
    return partial(command, "tournament", "--game", "dice-race", "--jobs", "1")


def dice(bots: str = "runner,walker,moody", games: int = 6_000, players: str = "2,3", **more: Any) -> Tournament:
    return arrange(bots, games=games, players=players, game="dice-race", **more)


@pytest.fixture(scope="module")
def found() -> TournamentOutcome:
    """A tournament of the three bots that come with the dice race."""
    from rogsim.game.registry import register, unregister
    from tests.dice_game import GAME

    register(GAME)
    try:
        return play(dice(), jobs=1)
    finally:
        unregister(GAME.id)


def wins(line_up: tuple[str, ...]) -> dict[str, float]:
    """What each bot of a line_up wins, the line_up rotated over the seats in both directions."""
    total = dict.fromkeys(line_up, 0.0)
    orders = [around[first:] + around[:first] for around in (line_up, line_up[::-1]) for first in range(len(line_up))]
    for seated in orders:
        steps: list[Steps] = [STEPS[name] for name in seated]
        for name, share in zip(seated, sudden(steps, GOAL), strict=True):
            total[name] += share / len(orders)
    return total


def row_of(frame: pl.DataFrame, **wanted: Any) -> dict[str, Any]:
    return frame.filter(**wanted).row(0, named=True)


def test_win_shares_are_the_exact_ones(found: TournamentOutcome) -> None:
    """With two and three players the known shares lie within the intervals, twice as wide."""
    for name in STEPS:
        others = [other for other in STEPS if other != name]
        exact = {2: fmean(wins((name, other))[name] for other in others), 3: wins(tuple(STEPS))[name]}
        for players, share in exact.items():
            row = row_of(found.standings.bots, players=players, bot=name)
            assert row["fair"] == pytest.approx(1 / players)
            assert row["n"] == 4_000 if players == 2 else 6_000
            assert abs(row["win_share"] - share) < row["win_share_high"] - row["win_share_low"]
            assert row["win_share_high"] - row["win_share_low"] < 0.04


def test_pairs_are_the_exact_ones(found: TournamentOutcome) -> None:
    """With two players to finish ahead is to win, and the known shares lie near what is found."""
    for name, other in permutations(STEPS, 2):
        row = row_of(found.standings.pairs, players=2, bot=name, other=other)
        assert row["n"] == 2_000
        assert abs(row["ahead"] - wins((name, other))[name]) < row["ahead_high"] - row["ahead_low"]


def test_the_two_sides_of_a_pair_add_up(found: TournamentOutcome) -> None:
    """One bot finishes ahead as often as the other one behind, ties count half, and the intervals mirror each other."""
    pairs = found.standings.pairs
    assert len(pairs) == 2 * 6
    for row in pairs.iter_rows(named=True):
        back = row_of(pairs, players=row["players"], bot=row["other"], other=row["bot"])
        assert row["ahead"] + back["ahead"] == pytest.approx(1)
        assert row["ahead_low"] + back["ahead_high"] == pytest.approx(1)
        assert row["n"] == back["n"]


def test_the_lead_of_one_of_two_bots_is_the_exact_one() -> None:
    """Two bots: their ratings differ by the Elo difference of the known share, within the interval."""
    leads = play(dice("runner,moody", players="2", games=8_000), jobs=1).standings.leads
    share = wins(("runner", "moody"))["runner"]
    exact = 400 * math.log10(share / (1 - share))
    (row,) = leads.iter_rows(named=True)
    sign = 1 if row["bot"] == "runner" else -1
    assert row["lead_low"] < sign * exact < row["lead_high"]
    assert row["lead_high"] - row["lead_low"] < 40


def test_ratings_are_best_first_with_mean_0(found: TournamentOutcome) -> None:
    """Each number of players has separate ratings, in order, each within its interval."""
    for players in (2, 3):
        ratings = found.standings.ratings.filter(players=players)
        values = ratings["rating"].to_list()
        assert values == sorted(values, reverse=True)
        assert fmean(values) == pytest.approx(0, abs=1e-6)
        assert ratings.select((pl.col("rating_low") < pl.col("rating")).all()).item()
        assert ratings.select((pl.col("rating") < pl.col("rating_high")).all()).item()
        rating = dict(ratings.select("bot", "rating").iter_rows())
        for row in found.standings.leads.filter(players=players).iter_rows(named=True):
            assert row["lead"] == pytest.approx(rating[row["bot"]] - rating[row["other"]])


def equal_bots(folder: Path, count: int) -> str:
    """Files of bots that toss a coin, each coin its own."""
    text = "from rogsim.game.rng import draw\ndef choose(setup, race, menu, memory):\n    return {}\n"
    names = []
    for number in range(count):
        (folder / f"b{number}.py").write_text(text.format(f"1 if draw(memory.stream, 1000) % 2 == {number % 2} else 0"))
        names.append(f"{folder}/b{number}.py:choose")
    return ",".join(names)


def test_equal_bots_are_not_distinguished(tmp_path: Path) -> None:
    """Bots that play alike, each with its own coin: no share, pair or rating differs from even beyond chance."""
    # A dozen intervals of 95%: with two of the seeds 1 to 12 one of them lies just beside, as chance would have it.
    standings = play(dice(equal_bots(tmp_path, 3), players="3", games=6_000, seed=2), jobs=1).standings
    checks = [
        *standings.bots.select("win_share_low", "fair", "win_share_high").rows(),
        *standings.pairs.select("ahead_low", pl.lit(0.5), "ahead_high").rows(),
        *standings.ratings.select("rating_low", pl.lit(0.0), "rating_high").rows(),
    ]
    assert len(checks) == 3 + 6 + 3
    assert all(low < even < high for low, even, high in checks)


def test_bots_that_are_the_same_come_out_even(tmp_path: Path) -> None:
    """Two copies of one bot on the same deals: every block is even, in every estimate."""
    for name in "ab":
        (tmp_path / f"{name}.py").write_text("def choose(setup, race, menu, memory):\n    return 1\n")
    bots = f"{tmp_path}/a.py:choose,{tmp_path}/b.py:choose"
    standings = play(dice(bots, players="2", games=400), jobs=1).standings
    assert standings.bots["win_share"].to_list() == [0.5, 0.5]
    assert standings.pairs["ahead"].to_list() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("bots", "players", "line_ups"),
    [
        ("ab", 2, {"ab": 1}),
        ("ab", 3, {"aab": 1, "abb": 1}),
        ("ab", 4, {"aaab": 1, "aabb": 3, "abbb": 1}),
        ("abc", 4, {"aabc": 4, "abbc": 4, "abcc": 4, "aabb": 1, "aacc": 1, "bbcc": 1}),
        ("abc", 2, {"ab": 1, "ac": 1, "bc": 1}),
    ],
)
def test_line_ups_of_too_few_bots(bots: str, players: int, line_ups: dict[str, int]) -> None:
    """If there are fewer bots than seats, they sit in several; the line-ups are those of the documentation."""
    from rogsim.simulation.rows import line_ups_of

    planned = Counter("".join(line_up) for line_up in line_ups_of(seats_of(list(bots), players), players))
    assert planned == line_ups


def test_every_bot_sits_in_every_seat_equally_often() -> None:
    """Two bots at a table of four: each has each seat in half of the games."""
    outcome = play(dice("runner,walker", players="4", games=100), jobs=1)
    row = outcome.standings.bots.row(0, named=True)
    assert (row["n"], row["fair"], outcome.games) == (200, 0.25, {4: 100})
    tournament = dice("runner,walker", players="4", games=20)
    seats = rogsim.run(tournament.experiments[0].scenario).seats().collect()
    assert seats.group_by("seat", "bot").len()["len"].to_list() == [10] * 8


def test_two_players_play_the_games_of_a_scenario(found: TournamentOutcome) -> None:
    """At a table of two, where there is only one order, a tournament plays what `rogsim run` plays."""
    keys = {"game": "dice-race", "players": [2], "games": 6_000, "seed": 1, "bots": ["runner", "walker", "moody"]}
    seats = rogsim.run(keys, jobs=1).seats().collect()
    same = build_standings(finish_rows(seats))
    assert same.pairs.equals(found.standings.pairs.filter(players=2))


def seat_frame(**columns: list[Any]) -> pl.DataFrame:
    count = len(columns["win_share"])
    bots = pl.Series(["a", "b", "c"] * (count // 3), dtype=pl.Enum(["a", "b", "c"]))
    ids = {"players": 3, "game": [place // 3 for place in range(count)], "block": 0, "seat": [1, 2, 3] * (count // 3)}
    return pl.DataFrame({"win_share": columns.pop("win_share"), **columns}).with_columns(
        *(
            pl.lit(value).alias(name) if isinstance(value, int) else pl.Series(name, value)
            for name, value in ids.items()
        ),
        bots.alias("bot"),
    )


def test_places_follow_win_share_then_points() -> None:
    """The winner is first whatever the points; then points decide; equals share a rank."""
    rows = finish_rows(seat_frame(win_share=[0.0, 1.0, 0.0, 0.5, 0.5, 0.0], points=[9, 5, 8, 4, 4, 7]))
    assert rows["rank"].to_list() == [2, 1, 3, 1, 1, 3]


def test_a_games_own_places_are_taken() -> None:
    """A column `rank` is used as it is: it knows tie-breakers that points do not show."""
    rows = finish_rows(seat_frame(win_share=[1.0, 0.0, 0.0], points=[5, 5, 5], rank=[1, 3, 2]))
    assert rows["rank"].to_list() == [1, 3, 2]


def test_the_score_of_a_block_is_the_share_of_meetings() -> None:
    """One game ahead, one tied: three quarters for one bot, a quarter for the other."""
    rows = finish_rows(seat_frame(win_share=[1.0, 0.0, 0.0, 0.5, 0.5, 0.0], points=[5, 3, 1, 5, 5, 0]))
    assert block_scores(rows, "a", "b").tolist() == [0.75]
    assert block_scores(rows, "b", "a").tolist() == [0.25]
    assert block_scores(rows, "c", "a").tolist() == [0.0]


@pytest.mark.usefixtures("drawn")
def test_all_files_are_written(tmp_path: Path) -> None:
    """Tables as CSV and as Parquet with the same rows, and what was played."""
    play_and_write(dice(games=60, words={"short": "6", "long": "6"}), tmp_path / "t", jobs=1)
    assert sorted(path.name for path in (tmp_path / "t").iterdir()) == sorted((*FOLDER.files, *FILES))
    for name in ("bots", "pairs", "ratings"):
        parquet = pl.read_parquet(tmp_path / "t" / f"{name}.parquet")
        text = pl.read_csv(tmp_path / "t" / f"{name}.csv")
        assert text.columns == parquet.columns
        assert text["bot"].to_list() == parquet["bot"].cast(pl.String).to_list()
        figures = [column for column in text.columns if text.schema[column] == pl.Float64]
        assert len(figures) >= 3
        for column in figures:
            assert text[column].to_list() == pytest.approx(parquet[column].to_list(), abs=1e-5)
    manifest = json.loads((tmp_path / "t" / "tournament.json").read_text())
    assert manifest["games"] == {"2": 60, "3": 60}
    assert (manifest["options"]["short"], manifest["seed"]) == (6, 1)
    assert [bot["name"] for bot in manifest["bots"]] == ["runner", "walker", "moody"]


@pytest.mark.usefixtures("drawn")
def test_files_do_not_depend_on_workers(tmp_path: Path) -> None:
    """One worker and two write the same tables and the same plots."""
    for jobs in (1, 2):
        play_and_write(dice(games=600), tmp_path / str(jobs), jobs=jobs)
    paths = [path.relative_to(tmp_path / "1") for path in (tmp_path / "1").rglob("*") if path.is_file()]
    pages = {"index.html", "report.md", "report.json", "report.xlsx"}  # they name the folder
    for path in paths:
        if path.name != "tournament.json" and path.name not in pages:
            assert (tmp_path / "1" / path).read_bytes() == (tmp_path / "2" / path).read_bytes(), path


def test_a_single_block_has_no_interval() -> None:
    """A single block gives estimates without intervals, also in the tables."""
    standings = play(dice("runner,walker", players="2", games=2), jobs=1).standings
    assert standings.bots["win_share_low"].to_list() == [None, None]
    assert standings.ratings["rating_low"].to_list() == [None, None]


def test_the_command_prints_the_tables_and_names_the_folder(rogsim_command: Run) -> None:
    """The question, the answer, what was played, the standings and the folder; with --all every row."""
    code, out, err = rogsim_command("--bots", "runner,walker,moody", "--games", "100", "--players", "2,3")
    assert code == 0
    assert err.splitlines() == [
        "2 players: 102 games instead of 100, to complete whole cycles of 6.",
        "3 players: 102 games instead of 100, to complete whole cycles of 6.",
    ]
    question, answer, played, *_ = out.splitlines()
    assert question == "Which of runner, walker and moody is the strongest?"
    unknown = "It is not known yet which of runner, moody and walker is the strongest"
    leads = unknown + r": runner leads moody by \d+ Elo \(.*\)\."
    assert re.fullmatch(rf"With 2 players: {leads} With 3 players: {leads}", answer)
    assert played.startswith("102 games with 2 players and 102 games with 3 players, ")
    everything = rogsim_command("--bots", "runner,walker,moody", "--games", "100", "--players", "2,3", "--all")[1]
    assert everything.startswith(f"{question}\n{answer}\n{played}\n\n")
    assert (out.count("\nbot "), everything.count("\nbot ")) == (1, 2)  # also who beats whom
    assert "1 more row on the page." in out
    assert everything.count("\nwalker ") == 2 + 4  # with both numbers of players, in both tables
    assert out.endswith("\nPage: reports/tournament/index.html\n")
    assert sorted(path.name for path in Path("reports/tournament").iterdir()) == sorted((*FOLDER.files, *FILES))


def test_a_bot_that_always_wins_is_named() -> None:
    """A rating that no game can tell has no interval, and a note names the bot; the others have theirs."""
    rows = seat_frame(win_share=[1.0, 0.0, 0.0, 1.0, 0.0, 0.0] * 10, points=[9, 5, 4, 9, 3, 4] * 10)
    rows = rows.with_columns((pl.col("game") // 2).alias("block"))
    standings = build_standings(finish_rows(rows))
    best = standings.ratings.row(0, named=True)
    assert (best["bot"], best["joined"], best["rating_low"]) == ("a", False, None)
    assert standings.ratings["joined"].to_list() == [False, True, True]
    assert standings.ratings["rating"][1:].sum() == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(("second", "figures"), [([5, 4], 0), ([4, 5], 1)])
def test_ratings_are_drawn_if_the_games_show_how_far_a_bot_is_behind(second: list[int], figures: int) -> None:
    """If each of three bots always takes the same place, there is nothing to compare."""
    rows = seat_frame(win_share=[1.0, 0.0, 0.0] * 20, points=[9, 5, 4] * 10 + [9, *second] * 10)
    standings = build_standings(finish_rows(rows.with_columns((pl.col("game") // 2).alias("block"))))
    assert len(list(ratings_pictures(standings))) == figures


BOTS = ["--bots", "runner,walker"]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--bots", "runner"], '--bots: "runner" is not allowed: name at least two: a,b,c'),
        (["--bots", "runner,runner"], '--bots: "runner" is listed twice'),
        (["--bots", "runner,jumper"], '--bots: no bot "jumper": choose from runner, walker, moody'),
        (["--bots", "runner,x.py:choose"], '--bots: bot "x.py:choose": the file x.py does not exist'),
        ([*BOTS, "--players", "5"], "--players: 5 is not allowed: choose from 2, 3, 4"),
        ([*BOTS, "--players", "2,x"], '--players: "2,x" is not allowed: write a number, or several: 2,3'),
        ([*BOTS, "--players", "2,2"], "--players: 2 is listed twice"),
        ([*BOTS, "--games", "0"], "--games: 0 is not allowed: must be 1 or more"),
        ([*BOTS, "--seed", "-1"], "--seed: -1 is not allowed: must be 0 or more"),
        ([*BOTS, "--jobs", "0"], "--jobs: 0 is not allowed: must be 1 or more"),
        ([*BOTS, "--game", "chess"], '--game: no game "chess": choose from '),
        ([*BOTS, "--lnog", "4"], '--lnog: unknown, did you mean "--long"?'),
        ([*BOTS, "--short", "50"], "4 players: the long track (10) is shorter than the short one (50)"),
        ([*BOTS, "more"], '"more" is not expected here: write an option of the game as --name VALUE'),
        ([*BOTS, "--out", "a.txt"], "a.txt: is a file; a tournament needs a folder"),
        ([*BOTS, "--out", "a.txt/deep"], ""),
        (
            [*BOTS, "--out", "mine"],
            'mine: holds "thesis.txt", which does not belong to a tournament; name another folder',
        ),
        (
            [*BOTS, "--out", "half"],
            "half: holds no complete tournament: tournament.json is missing; name another folder",
        ),
    ],
)
def test_a_wrong_command_line_is_one_line(rogsim_command: Run, arguments: list[str], line: str) -> None:
    """Each mistake: exit code 2, one line that says what is allowed, and no file touched or made."""
    Path("a.txt").write_text("a")
    for path in ("mine/thesis.txt", "half/bots.csv"):
        Path(path).parent.mkdir()
        Path(path).write_text("years")
    before = sorted(Path().rglob("*"))
    code, out, err = rogsim_command(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"rogsim: error: {line}")
    assert sorted(Path().rglob("*")) == before


def test_an_older_tournament_is_replaced(rogsim_command: Run) -> None:
    """A second tournament into the same folder takes the place of the first."""
    for seed in ("1", "2"):
        assert rogsim_command(*BOTS, "--games", "20", "--seed", seed, "--out", "t")[0] == 0
    assert json.loads(Path("t/tournament.json").read_text())["seed"] == 2
    assert sorted(path.name for path in Path().iterdir()) == ["reports", "t"]


def test_a_tournament_goes_on_from_what_was_finished(rogsim_command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped at any chunk, it plays only what is missing, and every table and figure is that of an undisturbed one."""
    arguments = [*BOTS, "--players", "2,3", "--games", "60", "--chunk", "10"]
    code, printed, _ = rogsim_command(*arguments, "--store", "apart", "--out", "calm/t")
    assert code == 0
    add, added = Store.add, 0

    def stopped(store: Store, part: PlayedChunk) -> None:
        nonlocal added
        added += 1
        if added % 4 == 0:
            raise KeyboardInterrupt
        add(store, part)

    with monkeypatch.context() as patch:
        patch.setattr(Store, "add", stopped)
        for _ in range(2):
            assert rogsim_command(*arguments, "--out", "t")[:2] == (130, "")
    assert not Path("t").exists()
    code, out, err = rogsim_command(*arguments, "--out", "t")
    assert (code, out) == (0, printed.replace("calm/t", "t"))
    assert "games are already stored" in err
    for name in FOLDER.files:
        if name != FOLDER.manifest:  # which names times and folders
            assert Path("t", name).read_bytes() == Path("calm/t", name).read_bytes(), name
    code, out, err = rogsim_command(*arguments, "--out", "t")  # nothing is left to play
    assert (code, out) == (0, printed.replace("calm/t", "t"))
    assert sorted(path.name for path in Path().iterdir()) == ["apart", "calm", "reports", "t"]


def test_games_that_somebody_else_is_playing_are_not_played_twice(rogsim_command: Run) -> None:
    """A second tournament of the same games is refused in a line, and nothing is written."""
    experiment = dice("runner,walker", players="2", games=20).experiments[0]
    folder = Path("reports/games") / key_of(identity_of(experiment))
    with open_store(folder, experiment, False, lambda line: None):
        code, out, err = rogsim_command(*BOTS, "--games", "20", "--players", "2", "--out", "t")
        assert (code, out) == (2, "")
        assert (
            err
            == f"rogsim: error: {folder}: another run is writing there; wait for it to finish, or name another folder\n"
        )
    assert not Path("t").exists()


@pytest.mark.skipif(not compiler.ENABLED, reason="the bots of the game take too long uncompiled")
def test_river_of_gold_has_a_tournament() -> None:
    """With the game's own places: the planning bot finishes ahead of the random one in nearly all meetings."""
    outcome = play(arrange("balanced,random", games=40, players="2", game="river-of-gold"), jobs=1)
    row = row_of(outcome.standings.pairs, bot="balanced", other="random")
    assert row["ahead"] > 0.9
